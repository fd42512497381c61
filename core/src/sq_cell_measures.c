#include "spatialqueries/sq_cells.h"
#include "sqi_alloc.h"
#include "sqi_cell_faces.h"
#include "sqi_context.h"
#include "sqi_facets.h"
#include "sqi_layouts.h"
#include "sqi_measure_frame.h"
#include "sqi_parallel.h"
#include "sqi_quadrature.h"
#include "sqk_cell_measure.h"

#include <string.h>

/** Cells of one chunk: Lagrange and Bezier cells take longer. */
#define CHUNK (1 << 12)
#define CHUNK_LAYOUTS 16
/** Within these no product of sizes has lost a digit to the ends of the range of numbers. */
#define LEAST_FLAT 1e-130
#define LEAST_SOLID 1e-100
#define MOST_SOLID 1e100

/* What the orientation of a polyhedron's faces needs, and room for the nodes of a curved cell: one share a thread. */
typedef struct measure_job
{
  const sq_cells* cells;
  double* measures;
  int64_t scratch; /* faces a thread */
  sqi_face_walk* faces;
  int32_t* queue;
  int8_t* outward;
  sqi_layouts layouts;
  int64_t node_room; /* numbers a thread */
  double* nodes;
  sqi_gauss* rules;
} measure_job;

/** A cell being measured. */
typedef struct measured
{
  const measure_job* job;
  const sq_cells* cells;
  int64_t cell;
  int64_t begin;
  int64_t count;
  int type; /* as the kernels know it */
  int32_t thread;
  sqi_measure_frame frame;
} measured;

/** Node k of the cell in its frame. */
static void node_of(const measured* m, int64_t k, double x[3])
{
  sqi_measure_point(&m->frame, &m->cells->points, sqi_cell_point(m->cells, m->begin, k), x);
}

static double length_of(const measured* m)
{
  double sum = 0.0, a[3], b[3];
  for (int64_t k = 0; k + 1 < m->count; ++k)
  {
    node_of(m, k, a);
    node_of(m, k + 1, b);
    sum += sqk_measure_segment(a, b, m->frame.factor);
  }
  return sum;
}

static double strip_area(const measured* m)
{
  double sum = 0.0, x[3][3];
  for (int64_t k = 0; k + 2 < m->count; ++k)
  {
    for (int v = 0; v < 3; ++v)
    {
      node_of(m, k + v, x[v]);
    }
    sum += sqk_measure_triangle(x[0], x[1], x[2], m->frame.factor);
  }
  return sum;
}

static double quad_area(const measured* m)
{
  double x[4][3];
  for (int v = 0; v < 4; ++v)
  {
    node_of(m, m->type == SQ_CELL_PIXEL && v > 1 ? 5 - v : v, x[v]);
  }
  return sqk_measure_quad(x[0], x[1], x[2], x[3], m->frame.factor);
}

/** Also of a quadratic polygon, whose corners and middles of edges are one ring. */
static double polygon_area(const measured* m)
{
  double normal[3] = { 0.0, 0.0, 0.0 }, sum[3] = { 0.0, 0.0, 0.0 };
  int32_t count = (int32_t)m->count;
  for (int32_t k = 0; k < count; ++k)
  {
    double a[3], b[3];
    node_of(m, sqi_facet_ring(m->type, count, k), a);
    node_of(m, sqi_facet_ring(m->type, count, (k + 1) % count), b);
    sqk_measure_corner(a, b, normal, sum);
  }
  return 0.5 * sqk_measure_length(normal, m->frame.factor);
}

/** Six times the signed volume of the cone from the origin of the frame over the face. */
static double face_cone(const measured* m, const sqi_face_walk* face)
{
  double normal[3] = { 0.0, 0.0, 0.0 }, sum[3] = { 0.0, 0.0, 0.0 };
  const sq_points* points = &m->cells->points;
  for (int32_t k = 0; k < face->size; ++k)
  {
    double a[3], b[3];
    sqi_measure_point(&m->frame, points, sqi_face_point(face, k), a);
    sqi_measure_point(&m->frame, points, sqi_face_point(face, (k + 1) % face->size), b);
    sqk_measure_corner(a, b, normal, sum);
  }
  return face->size > 2 ? sqk_measure_cone(normal, sum, face->size) : 0.0;
}

static double volume_of(const measured* m)
{
  const measure_job* job = m->job;
  int8_t* outward = NULL;
  double sum = 0.0;
  sqi_face_walk walk;
  if (m->type == SQ_CELL_POLYHEDRON)
  {
    int64_t share = job->scratch * m->thread;
    outward = job->outward + share;
    sqi_orient_faces(m->cells, m->cell, job->faces + share, job->queue + share, outward);
  }
  sqi_face_begin(&walk, m->cells, m->cell);
  for (int f = 0; sqi_face_next(&walk); ++f)
  {
    double cone = face_cone(m, &walk);
    sum += outward && outward[f] < 0 ? -cone : cone;
  }
  return fabs(sum) / 6.0;
}

/** NaN for a Lagrange or Bezier cell whose points fit no order. */
static double curved_measure(const measured* m)
{
  double* q = m->job->nodes + m->job->node_room * m->thread;
  const sq_cells* cells = m->cells;
  const uint8_t* degrees = sqi_cell_degrees(cells, m->cell);
  sqk_cell cell = { .type = m->type, .count = (int32_t)m->count, .q = q };
  int32_t order[3];
  if (sqk_shape_is_layout(m->type))
  {
    if (sqi_layout_orders(m->type, m->count, degrees, order) != SQI_ORDER_FITS)
    {
      return (double)NAN;
    }
    cell.layout = sqi_layout_of(&m->job->layouts, m->type, m->count, degrees);
  }
  for (int64_t k = 0; k < m->count; ++k)
  {
    node_of(m, k, q + 3 * k);
    if (cell.layout && cells->rational_weights && sqk_layout_is_bezier(m->type))
    {
      cell.rational = q + 3 * m->count;
      q[3 * m->count + k] = cells->rational_weights[sqi_cell_point(cells, m->begin, k)];
    }
  }
  return sqi_quadrature(m->job->rules, &cell, m->frame.factor);
}

static double measure_in_frame(const measured* m)
{
  if (sqk_shape_is_curved(m->type))
  {
    return curved_measure(m);
  }
  switch (sqk_shape_dimension(m->type))
  {
    case 1:
      return length_of(m);
    case 3:
      return volume_of(m);
    default:
      return m->type == SQ_CELL_TRIANGLE || m->type == SQ_CELL_TRIANGLE_STRIP ? strip_area(m)
        : sqi_facet_is_polygon(m->type)                                       ? polygon_area(m)
                                                                              : quad_area(m);
  }
}

/** The point that a cell is measured from: a corner of its first face, else its first node. */
static int64_t origin_of(const measured* m)
{
  sqi_face_walk walk;
  int stream = m->type == SQ_CELL_POLYHEDRON;
  sqi_face_begin(&walk, m->cells, m->cell);
  return stream && sqi_face_next(&walk) && walk.size ? sqi_face_point(&walk, 0)
                                                     : sqi_cell_point(m->cells, m->begin, 0);
}

static double measure_of(const measure_job* job, int64_t c, int32_t thread)
{
  const sq_cells* cells = job->cells;
  int64_t begin = sqi_cell_offset(cells, c);
  int64_t count = sqi_cell_offset(cells, c + 1) - begin;
  int type = sqk_shape_kind(sqi_cell_kind(cells, c), count);
  int dimension = sqk_shape_dimension(type);
  if (count == 0)
  {
    return 0.0;
  }
  if (dimension < 0 || count < sqk_shape_nodes(type) ||
    (sqi_facet_is_polygon(type) && count > INT32_MAX))
  {
    return (double)NAN;
  }
  if (dimension == 0)
  {
    return (double)count;
  }
  measured m;
  memset(&m, 0, sizeof(m));
  m.job = job, m.cells = cells, m.cell = c, m.begin = begin, m.count = count;
  m.type = type, m.thread = thread;
  int64_t origin = origin_of(&m);
  sqi_measure_frame_plain(&cells->points, origin, &m.frame);
  double plain = measure_in_frame(&m);
  int good = dimension < 3 ? plain >= LEAST_FLAT && plain < (double)INFINITY
                           : plain >= LEAST_SOLID && plain <= MOST_SOLID;
  if (good || !sqi_measure_frame_fit(cells, c, dimension, origin, &m.frame))
  {
    return plain;
  }
  return ldexp(measure_in_frame(&m), m.frame.exponent);
}

static sq_status measures_of_range(void* data, int64_t begin, int64_t end, int32_t thread)
{
  measure_job* job = (measure_job*)data;
  for (int64_t c = begin; c < end; ++c)
  {
    job->measures[c] = measure_of(job, c, thread);
  }
  return SQ_OK;
}

/** Most faces of a polyhedron; 0 without one. */
static int64_t most_faces(const sq_cells* cells)
{
  int64_t most = 0;
  for (int64_t c = 0; cells->face_offsets && c < cells->count; ++c)
  {
    int64_t at = cells->face_offsets[c];
    int has = sqi_cell_kind(cells, c) == SQ_CELL_POLYHEDRON && at < cells->face_offsets[c + 1];
    int64_t faces = has ? cells->faces[at] : 0;
    most = faces > most ? faces : most;
  }
  return most;
}

/** Whether some cell is curved. */
static int any_curved(const sq_cells* cells)
{
  int any = 0;
  int64_t types = cells->types ? cells->count : cells->count > 0;
  for (int64_t c = 0; c < types && !any; ++c)
  {
    any = sqk_shape_is_curved(sqi_cell_kind(cells, c));
  }
  return any;
}

static sq_status make_room(sq_context* context, measure_job* job)
{
  int64_t threads = sq_context_threads(context);
  sq_status s = SQI_NEW(context, &job->faces, job->scratch * threads);
  s = s == SQ_OK ? SQI_NEW(context, &job->queue, job->scratch * threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &job->outward, job->scratch * threads) : s;
  if (s != SQ_OK || !any_curved(job->cells))
  {
    return s;
  }
  s = sqi_layouts_build(context, job->cells, 1, &job->layouts);
  int64_t nodes = job->layouts.node_max;
  job->node_room = 4 * (nodes > SQK_SHAPE_NODES ? nodes : SQK_SHAPE_NODES);
  s = s == SQ_OK ? SQI_NEW(context, &job->nodes, job->node_room * threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &job->rules, 1) : s;
  if (s == SQ_OK)
  {
    sqi_gauss_fill(job->rules);
  }
  return s;
}

static void release(sq_context* context, measure_job* job)
{
  int64_t threads = sq_context_threads(context);
  SQI_FREE(context, job->rules, 1);
  SQI_FREE(context, job->nodes, job->node_room * threads);
  sqi_layouts_release(&context->allocator, &job->layouts);
  SQI_FREE(context, job->outward, job->scratch * threads);
  SQI_FREE(context, job->queue, job->scratch * threads);
  SQI_FREE(context, job->faces, job->scratch * threads);
}

sq_status sq_cell_measures(sq_context* context, const sq_cells* cells, double* measures)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!cells || (!measures && cells->count))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "cell measures: no cells or no output given");
  }
  sqi_phase(context, "Measuring cells", 0.0, 1.0);
  sq_status s = sqi_check_cells(context, cells, 0);
  if (s != SQ_OK)
  {
    return s;
  }
  measure_job job = { .cells = cells, .measures = measures, .scratch = most_faces(cells) };
  s = make_room(context, &job);
  if (s == SQ_OK)
  {
    s = sqi_parallel_for(
      context, cells->count, job.layouts.count ? CHUNK_LAYOUTS : CHUNK, measures_of_range, &job);
  }
  release(context, &job);
  return s;
}
