/**
 * Curved solids whose map is proved to be one to one on their domain and around it, so that one root of Newton's iteration is the
 * only one.
 *
 * With F the map and J its derivative in the middle of the domain, let E[m][k] bound component m of J^-1 dF/dr_k - e_k on the
 * convex widened domain. The mean value of F' along any segment in it is J (I + D), |D| <= E; where the spectral radius of E
 * is below 1, I + D is regular (Plemmons, M-matrix characterizations, 1977) and F maps no two points to one. Derivatives lie
 * in the convex hull of the differences of the control points, as in Johnen, Remacle and Geuzaine, Geometrical
 * validity of curvilinear finite elements, J. Comput. Phys. 233 (2013), for the determinant; but its sign alone does not
 * make a map one to one.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_mesh_index.h"
#include "sqi_parallel.h"
#include "sqi_regular_nets.h"

typedef struct regular_job
{
  const sq_mesh_index* index;
  uint8_t* regular;
  double* room; /* 13 * node_max a thread */
  sqi_regular_net* nets;
} regular_job;

static int has_weights(const sqk_cell* cell)
{
  for (int32_t i = 1; cell->rational && i < cell->count; ++i)
  {
    if (cell->rational[i] != cell->rational[0])
    {
      return 1;
    }
  }
  return 0;
}

/** Points of the map at the lattice of the widened domain. Returns the largest sum of absolute weights. `w`: room for weights. */
static double sample(const sqk_cell* cell, double* x, double* w)
{
  double most = 0.0;
  for (int32_t i = 0; i < cell->count; ++i)
  {
    sqk_cell_root at;
    sqi_net_parameters(cell->layout->factor, cell->layout->factor_count, i, at.r);
    sqk_cell_root_at(cell, &at);
    sqk_set3(at.x, x + 3 * i);
    double sum = 0.0;
    sqk_cell_weights(cell, at.r, w);
    for (int32_t k = 0; k < cell->count; ++k)
    {
      sum += fabs(w[k]);
    }
    most = fmax(most, sum);
  }
  return most;
}

/** Raises bound[m] to |inverse[m] . d - (m == k)| with d = scale times the difference of two control points. */
static void bound_difference(const double (*inverse)[3], const double* from, const double* to,
  double scale, int k, double bound[3])
{
  double d[3];
  sqk_sub3(to, from, d);
  for (int m = 0; m < 3; ++m)
  {
    double off = fabs(scale * sqk_dot3(inverse[m], d) - (m == k ? 1.0 : 0.0));
    bound[m] = sqk_cell_larger(bound[m], off);
  }
}

/** Adds what the differences along parameter k can be off, for control points known up to `error`. */
static void bound_error(const double (*inverse)[3], double scale, double error, double bound[3])
{
  for (int m = 0; m < 3; ++m)
  {
    double size = fabs(inverse[m][0]) + fabs(inverse[m][1]) + fabs(inverse[m][2]);
    bound[m] += 2.0 * scale * size * error + 1e-9;
  }
}

/** E of a Lagrange or Bezier cell, column k in bound[k]. `x`: the control points. */
static void bound_layout(const sqk_layout* layout, const double* x, double error,
  const double (*inverse)[3], double bound[3][3])
{
  int32_t stride = 1;
  int parameter = 0;
  for (int f = 0; f < layout->factor_count; stride *= layout->factor[f++].count)
  {
    const sqk_layout_factor* factor = layout->factor + f;
    double scale = factor->order / sqi_net_widened(factor);
    for (int k = 0; k < factor->dimension; ++k, ++parameter)
    {
      for (int32_t i = 0; i < layout->count; ++i)
      {
        int32_t along = i / stride % factor->count, next = sqi_net_neighbour(factor, along, k);
        if (next >= 0)
        {
          bound_difference(inverse, x + 3 * i, x + 3 * (i + (next - along) * stride), scale,
            parameter, bound[parameter]);
        }
      }
      bound_error(inverse, scale, error, bound[parameter]);
    }
  }
}

/** E of a cell with a fixed number of nodes. */
static void bound_fixed(
  const sqi_regular_net* net, const sqk_cell* cell, const double (*inverse)[3], double bound[3][3])
{
  double x[3 * SQI_NET_POINTS];
  for (int32_t i = 0; i < net->count; ++i)
  {
    sqk_cell_combine(cell->q, net->control[i], cell->count, x + 3 * i);
  }
  for (int32_t p = 0; p < net->pairs; ++p)
  {
    const uint8_t* pair = net->pair[p];
    bound_difference(
      inverse, x + 3 * pair[0], x + 3 * pair[1], net->scale[pair[2]], pair[2], bound[pair[2]]);
  }
  for (int k = 0; k < 3; ++k)
  {
    bound_error(inverse, net->scale[k], net->error, bound[k]);
  }
}

/** Whether the spectral radius of the matrix e (of no negative numbers) is below 1: the leading minors of I - e are positive. */
static int is_contraction(const double (*e)[3])
{
  double a[3][3];
  for (int k = 0; k < 9; ++k)
  {
    a[k / 3][k % 3] = (k % 4 ? 0.0 : 1.0) - e[k / 3][k % 3];
  }
  return a[0][0] > 0.0 && a[0][0] * a[1][1] - a[0][1] * a[1][0] > 1e-9 &&
    sqk_det3(a[0], a[1], a[2]) > 1e-9;
}

static int is_regular(const regular_job* job, const sqk_cell* cell)
{
  double inverse[3][3], bound[3][3] = { { 0.0 } };
  const sqi_regular_net* net = cell->layout ? NULL : sqi_regular_net_of(job->nets, cell->type);
  sqk_cell_root middle;
  sqk_shape_center(cell->type, middle.r);
  sqk_cell_root_at(cell, &middle);
  double det = sqk_det3(middle.jacobian[0], middle.jacobian[1], middle.jacobian[2]);
  if (!(fabs(det) > 0.0) || (cell->layout ? has_weights(cell) : !net))
  {
    return 0;
  }
  for (int m = 0; m < 3; ++m)
  {
    sqk_cross3(middle.jacobian[(m + 1) % 3], middle.jacobian[(m + 2) % 3], inverse[m]);
    for (int k = 0; k < 3; ++k)
    {
      inverse[m][k] /= det;
    }
  }
  if (net)
  {
    bound_fixed(net, cell, (const double(*)[3])inverse, bound);
  }
  else
  {
    /* Nodes are of size 1, so a sample is right to some ulp of its weights. */
    const sqk_layout* l = cell->layout;
    double *x = cell->room, *room = x + 3 * l->count, growth, weights = sample(cell, x, room);
    x = sqk_layout_controls(l->factor, l->factor_count, l->count, x, room, &growth);
    double error = growth * (l->count + 16.0) * SQK_CELL_EPSILON * weights;
    bound_layout(l, x, error, (const double(*)[3])inverse, bound);
  }
  return is_contraction((const double(*)[3])bound);
}

static int is_curved_solid(const regular_job* job, int64_t i)
{
  int32_t block = sqi_mesh_block_of(job->index, i);
  int type = sqi_mesh_kind(job->index->blocks + block, i - job->index->first[block]);
  return sqk_shape_is_curved(type) && sqk_shape_dimension(type) == 3 &&
    sqi_mesh_takes(job->index, i);
}

static sq_status regular_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const regular_job* job = (const regular_job*)data;
  double* points = job->room + (int64_t)13 * job->index->node_max * thread;
  for (int64_t i = begin; i < end; ++i)
  {
    job->regular[i] = 0;
    if (is_curved_solid(job, i))
    {
      sqi_mesh_cell cell;
      sqk_cell view;
      double scale;
      sqi_mesh_cell_read(job->index, (int32_t)i, points, &cell);
      const double middle[3] = { 0.5 * cell.lo[0] + 0.5 * cell.hi[0],
        0.5 * cell.lo[1] + 0.5 * cell.hi[1], 0.5 * cell.lo[2] + 0.5 * cell.hi[2] };
      sqi_mesh_cell_view(
        job->index, &cell, middle, points + 4 * (int64_t)cell.count, &view, &scale);
      job->regular[i] = (uint8_t)is_regular(job, &view);
    }
  }
  return SQ_OK;
}

/** Whether some cell may be a curved solid. */
static int may_be_curved(const sq_mesh_index* index)
{
  int may = 0;
  for (int32_t b = 0; b < index->block_count && !may; ++b)
  {
    const sq_cells* block = index->blocks + b;
    int64_t types = block->types ? block->count : block->count > 0;
    for (int64_t i = 0; i < types && !may; ++i)
    {
      int type = sqi_mesh_kind(block, i);
      may = sqk_shape_is_curved(type) && sqk_shape_dimension(type) == 3;
    }
  }
  return may;
}

sq_status sqi_mesh_find_regular(sq_context* context, sq_mesh_index* index)
{
  int64_t total = index->first[index->block_count];
  int64_t room = (int64_t)13 * index->node_max * sq_context_threads(context);
  regular_job job = { .index = index };
  if (!may_be_curved(index))
  {
    return SQ_OK;
  }
  sq_status status = SQI_NEW(context, &job.regular, total);
  status = status == SQ_OK ? SQI_NEW(context, &job.room, room) : status;
  status = status == SQ_OK ? SQI_NEW(context, &job.nets, SQI_NET_TYPES) : status;
  status = status == SQ_OK ? sqi_regular_nets_build(context, job.nets) : status;
  status = status == SQ_OK ? sqi_parallel_for(context, total, 64, regular_body, &job) : status;
  index->regular = job.regular;
  SQI_FREE(context, job.nets, SQI_NET_TYPES);
  SQI_FREE(context, job.room, room);
  return status;
}
