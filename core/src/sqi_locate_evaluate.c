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

/** The mean of the nodes, as the reference samples. */
static int32_t mean_of_nodes(
  const sqi_mesh_cell* cell, const double x[3], double* weights, sqk_cell_hit* hit)
{
  for (int32_t i = 0; i < cell->count; ++i)
  {
    weights[i] = 1.0 / cell->count;
  }
  hit->used = 0;
  hit->distance = sqi_locate_centroid_distance(cell, x);
  sqk_cell_no_parameters(hit->r);
  return cell->count;
}

/** The square of the largest power of two that is at most `length`; plain double beyond where the square is a number. */
static double far2_of(double length)
{
  double below = 0.5 / sqk_cell_unit_scale(length);
  return below * below;
}

int32_t sqi_locate_evaluate(const sqi_locate_rules* rules, const double x[3],
  const sqi_mesh_scratch* scratch, int32_t number, sq_sample_status status, sqi_mesh_cell* cell,
  sqk_cell_hit* hit)
{
  sqk_cell view;
  double scale;
  sqi_mesh_cell_read(rules->index, number, scratch->points, cell);
  if (sqi_locate_by_centroid(&rules->options, status))
  {
    return mean_of_nodes(cell, x, scratch->weights, hit);
  }
  sqi_mesh_cell_view(rules->index, cell, x, scratch->local, &view, &scale);
  view.cut = status == SQ_SAMPLE_NEAREST || rules->options.mode == SQ_LOCATE_NEAREST;
  view.far2 = far2_of(fmax(cell->largest, sqk_cell_max_abs(x, 3)) * scale);
  double limit = view.cut ? (double)INFINITY : sqi_locate_tolerance(rules, cell) * scale;
  double fuzz = sqi_locate_fuzz(cell) * scale;
  /* Distances in the last digits may now lie beyond the limit that the search found them within. */
  if (!sqk_cell_find(&view, fuzz, limit, hit, scratch->weights))
  {
    (void)sqk_cell_find(&view, fuzz, (double)INFINITY, hit, scratch->weights);
  }
  if (status == SQ_SAMPLE_NEAREST && rules->options.outside_value == SQ_OUTSIDE_EXTRAPOLATE)
  {
    (void)sqk_cell_extrapolate(&view, hit, scratch->weights);
  }
  hit->distance /= scale;
  for (int d = 0; d < 3; ++d)
  {
    hit->closest[d] /= scale;
  }
  return hit->used ? hit->used : cell->count;
}

sqi_locate_functions sqi_locate_choose(void)
{
#ifdef SQI_HAVE_X86_LEVELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma"))
  {
    return (sqi_locate_functions){ sqi_locate_containing_avx512, sqi_locate_nearest_avx512 };
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
  {
    return (sqi_locate_functions){ sqi_locate_containing_avx2, sqi_locate_nearest_avx2 };
  }
#endif
  return (sqi_locate_functions){ sqi_locate_containing_generic, sqi_locate_nearest_generic };
}
