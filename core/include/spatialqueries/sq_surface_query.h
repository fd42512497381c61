#ifndef SQ_SURFACE_QUERY_H
#define SQ_SURFACE_QUERY_H
/** Single distances to a surface: for callers that ask point by point, from several threads at once. */
#include "spatialqueries/sq_surface.h"

SQ_BEGIN_DECLS

/**
 * A surface with options, and the room of one thread; make one a thread. Asking allocates nothing. Any number of handles
 * may ask one surface at the same time. Answers do not depend on what was asked before.
 */
typedef struct sq_surface_query sq_surface_query;

/**
 * Borrows the surface, which must outlive the query; options (NULL: the defaults) as sq_surface_distance(). Prepares the
 * winding number of the surface where the sign needs it and no one has before.
 * Errors: SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED; *query is NULL then.
 */
SQ_API sq_status sq_surface_query_create(sq_context* context, const sq_surface* surface,
  const sq_distance_options* options, sq_surface_query** query);

/** NULL is allowed. */
SQ_API void sq_surface_query_destroy(sq_surface_query* query);

/**
 * The numbers of sq_surface_distance() for one point, to the last bit. Every output is a place for one query, and may be NULL;
 * the winding number and the statistics must be.
 * Errors: SQ_INVALID_ARGUMENT.
 */
SQ_API sq_status sq_surface_query_distance(
  sq_surface_query* query, const double x[3], const sq_distance_outputs* outputs);

SQ_END_DECLS
#endif
