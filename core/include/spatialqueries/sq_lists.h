#ifndef SQ_LISTS_H
#define SQ_LISTS_H
/** Ragged lists: for each of `count` queries a list of ids, in the compressed form offsets + indices. */
#include "spatialqueries/sq_context.h"

SQ_BEGIN_DECLS

/** Immutable; owned by the caller of what made it. */
typedef struct sq_lists sq_lists;

typedef struct sq_lists_view
{
  int64_t count;
  const int64_t* offsets; /**< count + 1, from 0 */
  const int64_t* indices; /**< offsets[count]; list q is indices[offsets[q]] ... */
} sq_lists_view;

SQ_API sq_status sq_lists_get_view(const sq_lists* lists, sq_lists_view* view);

SQ_API void sq_lists_destroy(sq_lists* lists);

SQ_END_DECLS
#endif
