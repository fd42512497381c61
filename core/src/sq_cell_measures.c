#include "spatialqueries/sq_cells.h"
#include "sqi_alloc.h"
#include "sqi_cell_faces.h"
#include "sqi_context.h"
#include "sqi_facets.h"
#include "sqi_parallel.h"
#include "sqi_view.h"
#include "sqk_cell_measure.h"

/* What the orientation of a polyhedron's faces needs, one share a thread. */
typedef struct measure_job
{
  const sq_cells* cells;
  double* measures;
  int64_t scratch; /* faces a thread */
  sqi_face_walk* faces;
  int32_t* queue;
  int8_t* outward;
} measure_job;

/** Node k of a cell relative to its first node. */
static void node_of(const sq_cells* cells, int64_t begin, int64_t k, double x[3])
{
  double first[3];
  sqi_point(&cells->points, sqi_cell_point(cells, begin, 0), first);
  sqi_point(&cells->points, sqi_cell_point(cells, begin, k), x);
  sqk_sub3(x, first, x);
}

static double length_of(const sq_cells* cells, int64_t begin, int64_t count)
{
  double sum = 0.0, a[3], b[3];
  for (int64_t k = 0; k + 1 < count; ++k)
  {
    node_of(cells, begin, k, a);
    node_of(cells, begin, k + 1, b);
    sum += sqk_measure_segment(a, b);
  }
  return sum;
}

static double strip_area(const sq_cells* cells, int64_t begin, int64_t count)
{
  double sum = 0.0, x[3][3];
  for (int64_t k = 0; k + 2 < count; ++k)
  {
    for (int v = 0; v < 3; ++v)
    {
      node_of(cells, begin, k + v, x[v]);
    }
    sum += sqk_measure_triangle(x[0], x[1], x[2]);
  }
  return sum;
}

static double quad_area(const sq_cells* cells, int64_t begin, int type)
{
  double x[4][3];
  for (int v = 0; v < 4; ++v)
  {
    node_of(cells, begin, type == SQ_CELL_PIXEL && v > 1 ? 5 - v : v, x[v]);
  }
  return sqk_measure_quad(x[0], x[1], x[2], x[3]);
}

/** Also of a quadratic polygon, whose corners and middles of edges are one ring. */
static double polygon_area(const sq_cells* cells, int64_t begin, int type, int32_t count)
{
  double normal[3] = { 0.0, 0.0, 0.0 }, sum[3] = { 0.0, 0.0, 0.0 };
  for (int32_t k = 0; k < count; ++k)
  {
    double a[3], b[3];
    node_of(cells, begin, sqi_facet_ring(type, count, k), a);
    node_of(cells, begin, sqi_facet_ring(type, count, (k + 1) % count), b);
    sqk_measure_corner(a, b, normal, sum);
  }
  return 0.5 * sqrt(sqk_dot3(normal, normal));
}

/** Six times the signed volume of the cone from `origin` over the face. */
static double face_cone(const sqi_face_walk* face, const double origin[3])
{
  double normal[3] = { 0.0, 0.0, 0.0 }, sum[3] = { 0.0, 0.0, 0.0 };
  for (int32_t k = 0; k < face->size; ++k)
  {
    double a[3], b[3];
    sqi_point(&face->cells->points, sqi_face_point(face, k), a);
    sqi_point(&face->cells->points, sqi_face_point(face, (k + 1) % face->size), b);
    sqk_sub3(a, origin, a);
    sqk_sub3(b, origin, b);
    sqk_measure_corner(a, b, normal, sum);
  }
  return face->size > 2 ? sqk_measure_cone(normal, sum, face->size) : 0.0;
}

static double volume_of(const measure_job* job, int64_t c, int64_t begin, int32_t thread)
{
  const sq_cells* cells = job->cells;
  int8_t* outward = NULL;
  double sum = 0.0, origin[3] = { 0.0, 0.0, 0.0 };
  sqi_face_walk walk;
  if (sqi_cell_kind(cells, c) == SQ_CELL_POLYHEDRON)
  {
    outward = job->outward + job->scratch * thread;
    sqi_orient_faces(
      cells, c, job->faces + job->scratch * thread, job->queue + job->scratch * thread, outward);
  }
  sqi_face_begin(&walk, cells, c);
  for (int f = 0; sqi_face_next(&walk); ++f)
  {
    if (f == 0)
    {
      sqi_point(&cells->points,
        walk.stream_corners && walk.size ? sqi_face_point(&walk, 0)
                                         : sqi_cell_point(cells, begin, 0),
        origin);
    }
    double cone = face_cone(&walk, origin);
    sum += outward && outward[f] < 0 ? -cone : cone;
  }
  return fabs(sum) / 6.0;
}

static double curved_measure(const sq_cells* cells, int64_t begin, int type)
{
  double q[3 * SQK_SHAPE_NODES];
  for (int k = 0; k < sqk_shape_nodes(type); ++k)
  {
    node_of(cells, begin, k, q + 3 * k);
  }
  return sqk_measure_curved(type, q);
}

static double measure_of(const measure_job* job, int64_t c, int32_t thread)
{
  const sq_cells* cells = job->cells;
  int type = sqk_shape_kind(sqi_cell_kind(cells, c), 0);
  int64_t begin = sqi_cell_offset(cells, c);
  int64_t count = sqi_cell_offset(cells, c + 1) - begin;
  int dimension = sqk_shape_dimension(type);
  if (count == 0)
  {
    return 0.0;
  }
  if (dimension < 0 || count < sqk_shape_nodes(type) || sqk_shape_is_layout(type) ||
    (sqi_facet_is_polygon(type) && count > INT32_MAX))
  {
    return (double)NAN;
  }
  if (sqk_shape_is_curved(type))
  {
    return curved_measure(cells, begin, type);
  }
  switch (dimension)
  {
    case 0:
      return (double)count;
    case 1:
      return length_of(cells, begin, count);
    case 3:
      return volume_of(job, c, begin, thread);
    default:
      return type == SQ_CELL_TRIANGLE || type == SQ_CELL_TRIANGLE_STRIP
        ? strip_area(cells, begin, count)
        : sqi_facet_is_polygon(type) ? polygon_area(cells, begin, type, (int32_t)count)
                                     : quad_area(cells, begin, type);
  }
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
  measure_job job = { cells, measures, most_faces(cells), NULL, NULL, NULL };
  int64_t room = job.scratch * sq_context_threads(context);
  s = SQI_NEW(context, &job.faces, room);
  s = s == SQ_OK ? SQI_NEW(context, &job.queue, room) : s;
  s = s == SQ_OK ? SQI_NEW(context, &job.outward, room) : s;
  if (s == SQ_OK)
  {
    s = sqi_parallel_for(context, cells->count, 1 << 12, measures_of_range, &job);
  }
  SQI_FREE(context, job.outward, room);
  SQI_FREE(context, job.queue, room);
  SQI_FREE(context, job.faces, room);
  return s;
}
