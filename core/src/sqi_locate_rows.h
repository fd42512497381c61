#ifndef SQI_LOCATE_ROWS_H
#define SQI_LOCATE_ROWS_H
/**
 * The rows of a location: which cells and nodes with what weights give the value of a query. They follow from the query, the
 * lowest of its cells, their number and its status, and so can be written whenever they are wanted.
 */
#include "sqi_locate_search.h"
#include "sqi_view.h"

/** The points of a grid, copied; `count` as in sq_axes. */
typedef struct sqi_axes
{
  double* at[3];
  int64_t count[3];
} sqi_axes;

typedef struct sqi_rows
{
  sqi_locate_rules rules;
  sqi_locate_functions search;
  const sq_points* points; /* the queries: these or */
  const sqi_axes* axes; /* those */
  const uint8_t* status; /* of each query */
  const int32_t* number; /* its lowest cell, -1: none */
  const int32_t* count; /* its cells at the best rank */
  sqi_mesh_scratch* scratch; /* one a thread */
  double* room; /* of the scratch */
  int32_t* list; /* list_room a thread: all cells of a query */
  int64_t list_room;
} sqi_rows;

/** Where to write the rows of a query; no nodes where node_ids is NULL. */
typedef struct sqi_row_place
{
  int32_t* cell_blocks;
  int64_t* cell_ids;
  int32_t* node_blocks;
  int64_t* node_ids;
  double* node_weights;
} sqi_row_place;

/** What else is known of a query. */
typedef struct sqi_row_answer
{
  int32_t block;
  int64_t cell;
  double distance;
  double r[3];
} sqi_row_answer;

/** Makes the scratch of every thread; rules.index is set. On error nothing is to be released but by closing. */
sq_status sqi_rows_open(sq_context* context, sqi_rows* rows);

/** Makes room for the cells of queries with up to `most` of them. */
sq_status sqi_rows_make_list(sq_context* context, sqi_rows* rows, int64_t most);

void sqi_rows_close(sq_context* context, sqi_rows* rows);

/** The floor of the tolerance in each block, in ulp, for queries of that type; and the largest. */
sq_status sqi_make_floor(sq_context* context, const sq_mesh_index* index, sq_type query_type,
  double** floor_ulp, double* most);

static inline void sqi_rows_query(const sqi_rows* rows, int64_t q, double x[3])
{
  if (!rows->axes)
  {
    sqi_point(rows->points, q, x);
    return;
  }
  for (int d = 0; d < 3; ++d)
  {
    x[d] = rows->axes->at[d][q % rows->axes->count[d]];
    q /= rows->axes->count[d];
  }
}

/**
 * Goes on where no cell but duplicates may hold query x: to those, and to the nearest cell. `answer` is set, to what a search
 * before has visited or 0.
 */
sq_sample_status sqi_rows_search_on(
  const sqi_rows* rows, const double x[3], int32_t thread, int32_t seed, sqi_locate_answer* answer);

/** Searches for query x; `answer` is that of the search that found. */
sq_sample_status sqi_rows_search(
  const sqi_rows* rows, const double x[3], int32_t thread, int32_t seed, sqi_locate_answer* answer);

/** How many cells and nodes the rows of query q have. `weights` of all its cells together, -1: not known. */
void sqi_rows_lengths(
  const sqi_rows* rows, int64_t q, int32_t thread, int64_t weights, int64_t* cells, int64_t* nodes);

/** The answer of query q and, unless NULL, its rows. */
void sqi_rows_evaluate(const sqi_rows* rows, int64_t q, int32_t thread, const sqi_row_place* place,
  sqi_row_answer* answer);

#endif
