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
#include "sqk_cell_curved_find.h"

/** Lattice points of the largest net of a fixed type: order 4 over a tetrahedron. */
#define NET 35
/** Intervals, triangles and tetrahedra that the maps of fixed types are polynomials over. */
typedef enum fixed_factor
{
  INTERVAL_2,
  TRIANGLE_2,
  TRIANGLE_3,
  TETRA_2,
  TETRA_4,
  FIXED_FACTORS
} fixed_factor;

typedef struct regular_job
{
  const sq_mesh_index* index;
  uint8_t* regular;
  double* room; /* 13 * node_max a thread */
  sqk_layout_factor fixed[FIXED_FACTORS];
} regular_job;

/** The product of factors over which the map of a cell is a polynomial; 0 factors: it is none. */
typedef struct net
{
  sqk_layout_factor factor[3];
  int32_t factor_count;
  int32_t count; /* lattice points */
} net;

static void add_factor(net* n, const sqk_layout_factor* factor)
{
  n->factor[n->factor_count++] = *factor;
  n->count *= factor->count;
}

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

static net net_of(const regular_job* job, const sqk_cell* cell)
{
  net n = { .factor_count = 0, .count = 1 };
  if (cell->layout)
  {
    for (int f = 0; f < cell->layout->factor_count && !has_weights(cell); ++f)
    {
      add_factor(&n, cell->layout->factor + f);
    }
    return n;
  }
  switch (cell->type)
  {
    case SQ_CELL_QUADRATIC_PYRAMID:
    case SQ_CELL_TRIQUADRATIC_PYRAMID:
      break; /* beyond the apex every root has a mirror image */
    case SQ_CELL_QUADRATIC_TETRA:
      add_factor(&n, job->fixed + TETRA_2);
      break;
    case SQK_CELL_TETRA_15:
      add_factor(&n, job->fixed + TETRA_4);
      break;
    default:
    {
      int wedge = sqk_shape_domain(cell->type) == SQK_DOMAIN_WEDGE;
      int base = cell->type == SQK_CELL_WEDGE_21 ? TRIANGLE_3 : TRIANGLE_2;
      for (int k = 0; k < (wedge ? 2 : 3); ++k)
      {
        add_factor(&n, job->fixed + (wedge && k == 0 ? base : INTERVAL_2));
      }
      break;
    }
  }
  return n;
}

/** How much longer the widened domain is along the parameters of a factor. */
static double widened(const sqk_layout_factor* factor)
{
  return 1.0 + (factor->dimension + 1) * SQK_CURVED_NEAR;
}

/** Points of the map at the lattice of the widened domain. Returns the largest sum of absolute weights. `w`: room for weights. */
static double sample(const sqk_cell* cell, const net* n, double* x, double* w)
{
  double most = 0.0;
  for (int32_t i = 0; i < n->count; ++i)
  {
    sqk_cell_root at;
    int32_t rest = i;
    int parameter = 0;
    at.r[0] = at.r[1] = at.r[2] = 0.0;
    for (int f = 0; f < n->factor_count; rest /= n->factor[f++].count)
    {
      const sqk_layout_factor* factor = n->factor + f;
      uint8_t place[4];
      sqi_layout_lattice(factor, rest % factor->count, place);
      for (int k = 0; k < factor->dimension; ++k)
      {
        at.r[parameter++] =
          widened(factor) * place[k + (factor->dimension > 1)] / factor->order - SQK_CURVED_NEAR;
      }
    }
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

/** The lattice point of a factor beyond number i along its parameter k; -1: there is none. */
static int32_t neighbour(const sqk_layout_factor* factor, int32_t i, int k)
{
  uint8_t at[4];
  sqi_layout_lattice(factor, i, at);
  if (factor->dimension == 1)
  {
    return i < factor->order ? i + 1 : -1;
  }
  if (at[0] == 0)
  {
    return -1;
  }
  --at[0], ++at[k + 1];
  return sqi_layout_place(factor, at);
}

/** Raises bound[m] to |inverse[m] . d - (m == k)| with d = scale times the difference of control points, known up to `error`. */
static void bound_difference(const double (*inverse)[3], const double* from, const double* to,
  double scale, double error, int k, double bound[3])
{
  double d[3];
  sqk_sub3(to, from, d);
  for (int m = 0; m < 3; ++m)
  {
    double off = scale * sqk_dot3(inverse[m], d) - (m == k ? 1.0 : 0.0);
    double size = fabs(inverse[m][0]) + fabs(inverse[m][1]) + fabs(inverse[m][2]);
    bound[m] = fmax(bound[m], fabs(off) + scale * size * error + 1e-9);
  }
}

/** E, column k in bound[k]. `x`: the control points. */
static void bound_derivatives(
  const net* n, const double* x, double error, const double (*inverse)[3], double bound[3][3])
{
  int32_t stride = 1;
  int parameter = 0;
  for (int f = 0; f < n->factor_count; stride *= n->factor[f++].count)
  {
    const sqk_layout_factor* factor = n->factor + f;
    double scale = factor->order / widened(factor);
    for (int k = 0; k < factor->dimension; ++k, ++parameter)
    {
      bound[parameter][0] = bound[parameter][1] = bound[parameter][2] = 0.0;
      for (int32_t i = 0; i < n->count; ++i)
      {
        int32_t along = i / stride % factor->count, next = neighbour(factor, along, k);
        if (next >= 0)
        {
          bound_difference(inverse, x + 3 * i, x + 3 * (i + (next - along) * stride), scale,
            2.0 * error, parameter, bound[parameter]);
        }
      }
    }
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
  double fixed[6 * NET], inverse[3][3], bound[3][3], growth;
  double* x = cell->layout ? cell->room : fixed;
  net n = net_of(job, cell);
  sqk_cell_root middle;
  sqk_shape_center(cell->type, middle.r);
  sqk_cell_root_at(cell, &middle);
  double det = sqk_det3(middle.jacobian[0], middle.jacobian[1], middle.jacobian[2]);
  if (n.factor_count == 0 || !(fabs(det) > 0.0))
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
  /* Nodes are of size 1, so a sample is right to some ulp of its weights. */
  double weights = sample(cell, &n, x, x + 3 * n.count);
  x = sqk_layout_controls(n.factor, n.factor_count, n.count, x, x + 3 * n.count, &growth);
  double error = growth * (n.count + 16.0) * SQK_CELL_EPSILON * weights;
  bound_derivatives(&n, x, error, (const double(*)[3])inverse, bound);
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

static sq_status make_factors(sq_context* context, sqk_layout_factor* factor)
{
  static const int8_t made_of[FIXED_FACTORS][2] = { { 1, 2 }, { 2, 2 }, { 2, 3 }, { 3, 2 },
    { 3, 4 } }; /* dimension, order */
  sq_status status = SQ_OK;
  for (int f = 0; f < FIXED_FACTORS; ++f)
  {
    sqi_layout_factor_set(factor + f, made_of[f][0], made_of[f][1]);
    status = status == SQ_OK ? sqi_layout_factor_build(context, factor + f) : status;
  }
  return status;
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
  status = status == SQ_OK ? make_factors(context, job.fixed) : status;
  status = status == SQ_OK ? sqi_parallel_for(context, total, 64, regular_body, &job) : status;
  index->regular = job.regular;
  for (int f = 0; f < FIXED_FACTORS; ++f)
  {
    sqi_layout_factor_release(&context->allocator, job.fixed + f);
  }
  SQI_FREE(context, job.room, room);
  return status;
}
