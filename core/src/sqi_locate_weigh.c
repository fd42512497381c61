#include "sqi_level.h"
#include "sqi_locate_search.h"

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

int32_t SQI_LEVEL_NAME(sqi_locate_evaluate)(const sqi_locate_rules* rules, const double x[3],
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
  if (view.cut &&
    !(status == SQ_SAMPLE_NEAREST && rules->options.outside_value == SQ_OUTSIDE_EXTRAPOLATE))
  {
    sqi_locate_sharpen(rules->index, cell, x, hit->distance, scratch, hit);
  }
  return hit->used ? hit->used : cell->count;
}
