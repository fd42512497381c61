#ifndef SQI_CANDIDATES_H
#define SQI_CANDIDATES_H
/**
 * The walk behind sq_bvh_find_candidates(): queries that are neighbours along a curve go down the tree together, one a SIMD lane,
 * so that a box is read once for all of them (ray packets of Wald et al. 2001, "Interactive rendering with coherent ray tracing").
 * First all lists are counted, then filled: no list has to grow.
 */
#include "sqi_reference_tree.h"

/** Queries that go together. Chunks of queries are multiples of it. */
#define SQI_CANDIDATE_LANES 8

/** Queries that are ordered together. */
#define SQI_CANDIDATE_BLOCK (1 << 20)

typedef struct sqi_candidate_search
{
  const sqi_tree* tree;
  const sq_points* queries;
  const uint32_t* order; /* within each block of queries */
  double tolerance; /* of every box, in the type of the boxes */
  const void* node_tolerance; /* of each box; NULL: `tolerance` */
  int64_t limit; /* most candidates of a query; INT64_MAX: no limit */
  int64_t* offsets; /* query count + 1 */
  uint8_t* upper_only; /* one a query: the lower level of leaves does not count; NULL: no limit */
  uint8_t* truncated; /* one a query; may be NULL */
  int64_t* indices;
} sqi_candidate_search;

/** What both walks look like: for the queries at begin ... end - 1 of the order. */
typedef void (*sqi_candidate_walk)(const sqi_candidate_search* search, int64_t begin, int64_t end);

#define SQI_CANDIDATES_DECLARE(level)                                \
  void sqi_candidates_count_##level(                                 \
    const sqi_candidate_search* search, int64_t begin, int64_t end); \
  void sqi_candidates_fill_##level(const sqi_candidate_search* search, int64_t begin, int64_t end);
SQI_CANDIDATES_DECLARE(generic)
SQI_CANDIDATES_DECLARE(avx2)
SQI_CANDIDATES_DECLARE(avx512)
#undef SQI_CANDIDATES_DECLARE

/** Writes the lengths of the lists to offsets[query + 1], and the flags. */
sqi_candidate_walk sqi_candidates_counter(void);

/** Writes the lists, ascending, to indices[offsets[query]] ... */
sqi_candidate_walk sqi_candidates_filler(void);

/** `list` holds `limit` > 0 ids, as a heap unless this is the `first` id that does not fit: it keeps the lowest of them and `id`. */
void sqi_candidates_keep_lowest(int64_t* list, int64_t limit, int64_t id, int first);

void sqi_candidates_sort(int64_t* list, int64_t count);

#endif
