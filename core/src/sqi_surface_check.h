#ifndef SQI_SURFACE_CHECK_H
#define SQI_SURFACE_CHECK_H
/** The inside of a surface check. */
#include "spatialqueries/sq_surface_check.h"
#include "sqi_surface.h"

struct sq_surface_check
{
  sq_allocator allocator;
  const sq_surface* surface;
  int32_t triangle_count; /* 0 for curves */
  int64_t component_count;
  sq_surface_report* components;
  int32_t* component; /* by triangle */
  int8_t* problem; /* by triangle */
  int32_t* block; /* by triangle */
  int64_t point_count;
  double* points;
  int64_t edge_count;
  int64_t fault_count;
  int64_t* fault_points;
  int8_t* fault_problem;
  int32_t* fault_triangle;
};

/** Positions in fault_points of a check with so many edges and faults. */
static inline int64_t sqi_fault_start(int64_t edge_count, int64_t fault)
{
  return fault <= edge_count ? 2 * fault : 3 * fault - edge_count;
}

/** Whether problem a goes before problem b where a triangle or cell has both. */
static inline int sqi_problem_precedes(int32_t a, int32_t b)
{
  /* by problem + 1 */
  static const int8_t rank[] = { 0, 1, 3, 2, 6, 5, 4 };
  return rank[a + 1] > rank[b + 1];
}

/** Fills the list of faults and the triangles' problems, and counts edges and triangles in the reports of the components. */
sq_status sqi_surface_find_faults(sq_context* context, sq_surface_check* check);

#endif
