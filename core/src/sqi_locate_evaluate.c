#include "sqi_locate_search.h"

/** A point is in a cell up to this many ulp of the cell's largest coordinate. */
#define INSIDE_ULP 4.0
/** The floor of the tolerance, in ulp of the cell's largest coordinate. */
#define FLOOR_ULP 4.0

void sqi_locate_set_floor(sqi_locate_rules* rules, sq_type query_type, double* floor_ulp)
{
  const sq_mesh_index* index = rules->index;
  rules->floor_ulp = floor_ulp;
  rules->floor_ulp_max = 0.0;
  for (int32_t b = 0; b < index->block_count; ++b)
  {
    int coarse = query_type == SQ_FLOAT32 || index->blocks[b].points.type == SQ_FLOAT32;
    floor_ulp[b] = FLOOR_ULP * (coarse ? 0x1p-23 : 0x1p-52);
    rules->floor_ulp_max = fmax(rules->floor_ulp_max, floor_ulp[b]);
  }
}

double sqi_locate_fuzz(const sqi_mesh_cell* cell)
{
  return INSIDE_ULP * SQK_CELL_EPSILON * cell->largest;
}

double sqi_locate_tolerance(const sqi_locate_rules* rules, const sqi_mesh_cell* cell)
{
  double tolerance = rules->options.tolerance;
  if (rules->options.tolerance_type == SQ_TOLERANCE_RELATIVE)
  {
    tolerance *= sqi_box_diagonal(cell->lo, cell->hi);
  }
  return fmax(tolerance, rules->floor_ulp[cell->block_id] * cell->largest);
}

double sqi_locate_centroid_distance(const sqi_mesh_cell* cell, const double x[3])
{
  double mean[3] = { 0.0, 0.0, 0.0 };
  for (int32_t i = 0; i < cell->count; ++i)
  {
    for (int d = 0; d < 3; ++d)
    {
      mean[d] += cell->points[3 * i + d] / cell->count;
    }
  }
  return sqi_box_diagonal(mean, x);
}

sqi_locate_functions sqi_locate_choose(void)
{
#ifdef SQI_HAVE_X86_LEVELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma"))
  {
    return (sqi_locate_functions){ sqi_locate_containing_avx512, sqi_locate_nearest_avx512,
      sqi_locate_evaluate_avx512 };
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
  {
    return (sqi_locate_functions){ sqi_locate_containing_avx2, sqi_locate_nearest_avx2,
      sqi_locate_evaluate_avx2 };
  }
#endif
  return (sqi_locate_functions){ sqi_locate_containing_generic, sqi_locate_nearest_generic,
    sqi_locate_evaluate_generic };
}
