#ifndef SQI_LOCATE_POINTS_H
#define SQI_LOCATE_POINTS_H
/** Both ways to find the cells of scattered points, for a compact location: the same answers. */
#include "sqi_location.h"

typedef enum sqi_locate_way
{
  SQI_WAY_FASTER = 0, /* whichever that should be */
  SQI_WAY_SEARCH = 1, /* a search for each point */
  SQI_WAY_JOIN = 2 /* a walk through all cells (sqi_join.h), unless the options ask for searches */
} sqi_locate_way;

/** sq_locate_points(), in a certain way. */
sq_status sqi_locate_points(sq_context* context, const sq_mesh_index* index,
  const sq_points* queries, const sq_locate_options* options, sqi_locate_way way,
  sq_location** location);

/** Finds the cells of the points of a location by a join, and goes on with a search where none holds a point. `rows` are open. */
sq_status sqi_join_points(sq_context* context, const sqi_rows* rows, sq_location* location);

/** Keeps the answer of a query. */
static inline void sqi_location_keep(
  sq_location* out, int64_t query, sq_sample_status status, const sqi_locate_answer* answer)
{
  out->status[query] = (uint8_t)status;
  out->number[query] = answer->number;
  out->containing_count[query] = answer->count;
  if (out->nodes_visited)
  {
    out->nodes_visited[query] = answer->nodes_visited;
    out->cells_tested[query] = answer->cells_tested;
  }
}

#endif
