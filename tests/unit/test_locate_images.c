/**
 * Images of parameters in cells of every type with shape functions: each is found, with weights that give back the point and
 * a linear field; what is found lies in the cell or within the tolerance. SQ_IMAGES is the number of images a shape (600); the
 * long run has 1000000. SQ_SHAPE takes only shapes whose names contain it.
 */
#include "sq_test.h"
#include "sqk_shape_domain.h"
#include "sqt_images.h"
#include "sqt_locate.h"
#include "sqt_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Queries of one call. */
#define BATCH 20000

static int64_t images_wanted(void)
{
  const char* text = getenv("SQ_IMAGES");
  int64_t n = text ? atoll(text) : 0;
  return n > 0 ? n : 600;
}

static double field(const double x[3])
{
  return 1.0 + 2.0 * x[0] - 3.0 * x[1] + 0.5 * x[2];
}

/** Largest |field| over the nodes of a cell. */
static double field_max(const sqt_images* m, int64_t cell)
{
  double most = 0.0;
  for (int32_t i = 0; i < m->block.cell_size; ++i)
  {
    most = fmax(most, fabs(field(m->points + 3 * (cell * m->block.cell_size + i))));
  }
  return most;
}

/** What is found lies there: the weights give back the point, or a point as far off as it says. */
static int check_answer(const sqt_images* m, const sq_location_view* v, int64_t q, const double* x)
{
  double at[3], value = 0.0, off = 0.0;
  int64_t cell = v->cell[q];
  const double* r = v->parametric + 3 * q;
  int ok = CHECK_NEAR(sqt_rebuild(v, &m->block, q, at), 1.0, 1e-13);
  for (int k = 0; k < 3; ++k)
  {
    off += (at[k] - x[k]) * (at[k] - x[k]);
  }
  off = sqrt(off);
  ok &= CHECK(fabs(off - v->distance[q]) <= 1e-14 * (4.0 * (double)cell + 3.0));
  for (int64_t e = v->node_offsets[q]; e < v->node_offsets[q + 1]; ++e)
  {
    value += v->node_weights[e] * field(m->points + 3 * v->node_ids[e]);
  }
  if (v->status[q] == SQ_SAMPLE_INSIDE)
  {
    ok &= CHECK_NEAR(value, field(x), 1e-12 * field_max(m, cell));
  }
  int own = m->kind == SQ_CELL_TRIQUADRATIC_PYRAMID || m->kind == SQ_CELL_CUBIC_LINE;
  if (r[0] == r[0] && !own && sqk_shape_violation(m->kind, r) > 1e-9)
  {
    /* Parameters may leave the domain where they hardly move the point: at the apex of a pyramid, in folds. */
    double in[3] = { r[0], r[1], r[2] };
    sqk_shape_clamp(m->kind, 0.0, in);
    sqt_images_point(m, cell, in, at);
    sqk_sub3(at, x, at);
    ok &= CHECK(sqrt(sqk_dot3(at, at)) <= v->distance[q] + 1e-14 * (4.0 * (double)cell + 3.0));
  }
  return ok;
}

static void check_images(const sqt_shape* shape, const sqt_images* m, const sq_location_view* v,
  const double* x, const int64_t* cell)
{
  for (int64_t q = 0; q < v->count; ++q)
  {
    int inside = v->status[q] == SQ_SAMPLE_INSIDE;
    /* An image is itself rounded. */
    int near = v->status[q] == SQ_SAMPLE_TOLERANCE &&
      v->distance[q] <= 1e-14 * (4.0 * (double)cell[q] + 3.0);
    int ok = CHECK_TEXT(inside || near, "%s: cell %d, image not found, status %d, %g off",
      shape->name, (int)cell[q], v->status[q], v->distance[q]);
    ok = ok && CHECK_INT(v->cell[q], cell[q]) && check_answer(m, v, q, x + 3 * q);
    CHECK_TEXT(ok, "%s: cell %d (%.17g %.17g %.17g)", shape->name, (int)cell[q], x[3 * q],
      x[3 * q + 1], x[3 * q + 2]);
  }
}

/** Images of parameters of all kinds, and the cells that they are in. */
static void some_images(const sqt_images* m, int64_t n, orc_random* r, double* x, int64_t* cell)
{
  for (int64_t q = 0; q < n; ++q)
  {
    double at[3];
    cell[q] = orc_below(r, SQT_IMAGE_CELLS);
    sqt_images_parameters(m, q, r, at);
    sqt_images_point(m, cell[q], at, x + 3 * q);
  }
}

static void run_shape(const sqt_shape* shape, int64_t count, double* x, int64_t* cell)
{
  orc_random r = { shape->type + 100u * (unsigned)shape->count };
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_images m = sqt_images_make(c, shape, 1.0, &r);
  sq_mesh_index* index = sqt_index(c, &m.block, 1);
  for (int64_t done = 0; index && done < count; done += BATCH)
  {
    int64_t n = count - done < BATCH ? count - done : BATCH;
    some_images(&m, n, &r, x, cell);
    sq_location_view v;
    sq_location* l = sqt_locate(c, index, x, n, NULL, &v);
    if (l)
    {
      check_images(shape, &m, &v, x, cell);
    }
    sq_location_destroy(l);
  }
  sq_mesh_index_destroy(index);
  sqt_images_free(c, &m);
  sq_context_destroy(c);
}

static void images_are_found(void)
{
  double* x = (double*)malloc(3 * BATCH * sizeof(double));
  int64_t* cell = (int64_t*)malloc(BATCH * sizeof(int64_t));
  int64_t count = images_wanted();
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    int64_t before = sqt_failures();
    const char* only = getenv("SQ_SHAPE");
    if (only && !strstr(sqt_shapes[s].name, only))
    {
      continue;
    }
    run_shape(sqt_shapes + s, count, x, cell);
    if (count > 100000 || sqt_failures() > before)
    {
      printf("  %s: %lld images, %lld failed checks\n", sqt_shapes[s].name, (long long)count,
        (long long)(sqt_failures() - before));
      fflush(stdout);
    }
  }
  free(x);
  free(cell);
}

/** Points around the cells: what is found is within the tolerance, and nothing else is. */
static void nothing_else_is_found(void)
{
  double* x = (double*)malloc(3 * BATCH * sizeof(double));
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    /* Few points are near the rim of a warped quadrilateral, and not over it. */
    int64_t n = sqt_shapes[s].type == SQ_CELL_QUAD ? BATCH : images_wanted();
    n = n < BATCH ? n : BATCH;
    orc_random r = { 7u + (unsigned)s };
    sq_context* c = sqt_context(2, NULL, NULL);
    sqt_images m = sqt_images_make(c, sqt_shapes + s, 1.0, &r);
    sq_mesh_index* index = sqt_index(c, &m.block, 1);
    sq_locate_options o = sq_locate_options_default();
    o.tolerance = 0.01;
    for (int64_t q = 0; q < n; ++q)
    {
      double at[3], off[3];
      int64_t cell = orc_below(&r, SQT_IMAGE_CELLS);
      sqt_images_parameters(&m, q, &r, at);
      sqt_images_point(&m, cell, at, x + 3 * q);
      orc_direction(&r, off);
      sqk_madd3(x + 3 * q, 0.1 * orc_unit(&r), off, x + 3 * q);
    }
    sq_location_view v;
    sq_location* l = sqt_locate(c, index, x, n, &o, &v);
    for (int64_t q = 0; l && q < n; ++q)
    {
      if (v.cell[q] >= 0)
      {
        CHECK(v.distance[q] <= 0.01 * 3.0);
        CHECK_TEXT(check_answer(&m, &v, q, x + 3 * q), "%s", sqt_shapes[s].name);
      }
    }
    sq_location_destroy(l);
    sq_mesh_index_destroy(index);
    sqt_images_free(c, &m);
    sq_context_destroy(c);
  }
  free(x);
}

/** Mixed queries near the cells of a shape. */
static void some_queries(const sqt_images* m, int64_t n, orc_random* r, double* x)
{
  for (int64_t q = 0; q < n; ++q)
  {
    double at[3];
    sqt_images_parameters(m, q, r, at);
    sqt_images_point(m, orc_below(r, SQT_IMAGE_CELLS), at, x + 3 * q);
    for (int k = 0; k < 3 && q % 3 == 0; ++k)
    {
      x[3 * q + k] += orc_between(r, -0.2, 0.2);
    }
  }
}

#define SAME 200

/** The same bits for 1, 2 and 7 threads, and for the queries in reverse. */
static void threads_and_order(void)
{
  static double x[3 * SAME], back[3 * SAME];
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    orc_random r = { 70u + (unsigned)s };
    sq_location* kept[4] = { NULL };
    sq_location_view v[4];
    sq_locate_options o = sq_locate_options_default();
    o.mode = s % 2 ? SQ_LOCATE_CONTAINING_ELSE_NEAREST : SQ_LOCATE_NEAREST;
    const int threads[4] = { 1, 2, 7, 2 };
    for (int i = 0; i < 4; ++i)
    {
      r.state = 70u + (unsigned)s;
      sq_context* c = sqt_context(threads[i], NULL, NULL);
      sqt_images m = sqt_images_make(c, sqt_shapes + s, 1.0, &r);
      sq_mesh_index* index = sqt_index(c, &m.block, 1);
      some_queries(&m, SAME, &r, x);
      for (int q = 0; q < SAME; ++q)
      {
        sqk_set3(x + 3 * (SAME - 1 - q), back + 3 * q);
      }
      kept[i] = sqt_locate(c, index, i == 3 ? back : x, SAME, &o, v + i);
      sq_mesh_index_destroy(index);
      sqt_images_free(c, &m);
      sq_context_destroy(c);
    }
    CHECK(sqt_views_equal(v, v + 1) && sqt_views_equal(v, v + 2));
    for (int q = 0; q < SAME; ++q)
    {
      int p = SAME - 1 - q;
      CHECK_INT(v[3].status[p], v[0].status[q]);
      CHECK_INT(v[3].cell[p], v[0].cell[q]);
      CHECK_SAME(v[3].distance + p, v[0].distance + q, 1);
      CHECK_SAME(v[3].parametric + 3 * p, v[0].parametric + 3 * q, 3);
    }
    for (int i = 0; i < 4; ++i)
    {
      sq_location_destroy(kept[i]);
    }
  }
}

typedef struct sweep_input
{
  sqt_images images;
  sq_mesh_index* index;
  double x[3 * SAME];
} sweep_input;

static sq_status build(sq_context* c, void* data)
{
  sweep_input* in = (sweep_input*)data;
  sq_mesh_index* index = NULL;
  sq_status s = sq_mesh_index_build(c, &in->images.block, 1, &index);
  CHECK((index != NULL) == (s == SQ_OK));
  sq_mesh_index_destroy(index);
  return s;
}

static sq_status build_search(sq_context* c, void* data)
{
  sweep_input* in = (sweep_input*)data;
  sq_context* own = sqt_context(1, NULL, NULL);
  sq_mesh_index* index = sqt_index(own, &in->images.block, 1);
  sq_status s = sq_mesh_index_build_search(c, index);
  sq_mesh_index_destroy(index);
  sq_context_destroy(own);
  return s;
}

static sq_status locate(sq_context* c, void* data)
{
  sweep_input* in = (sweep_input*)data;
  sq_location* location = NULL;
  sq_points queries = { in->x, SAME, SQ_FLOAT64, 3 };
  sq_status s = sq_locate(c, in->index, &queries, NULL, &location);
  CHECK((location != NULL) == (s == SQ_OK));
  sq_location_destroy(location);
  return s;
}

/** Layouts are made at build: nothing of them is left when memory runs out or the user cancels. */
static void failures(void)
{
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    static sweep_input in;
    int type = sqt_shapes[s].type;
    if (type != SQ_CELL_LAGRANGE_WEDGE && type != SQ_CELL_BEZIER_HEXAHEDRON)
    {
      continue;
    }
    orc_random r = { 5 };
    sq_context* c = sqt_context(1, NULL, NULL);
    in.images = sqt_images_make(c, sqt_shapes + s, 1.0, &r);
    some_queries(&in.images, SAME, &r, in.x);
    in.index = sqt_index(c, &in.images.block, 1);
    CHECK_STATUS(sq_mesh_index_build_search(c, in.index), SQ_OK);
    sqt_sweep_memory(sqt_shapes[s].name, build, &in, 7);
    sqt_sweep_cancel(sqt_shapes[s].name, build, &in, 2);
    sqt_sweep_memory(sqt_shapes[s].name, build_search, &in, 5);
    sqt_sweep_cancel(sqt_shapes[s].name, build_search, &in, 2);
    sqt_sweep_memory(sqt_shapes[s].name, locate, &in, 3);
    sqt_sweep_cancel(sqt_shapes[s].name, locate, &in, 1);
    sq_mesh_index_destroy(in.index);
    sqt_images_free(c, &in.images);
    sq_context_destroy(c);
  }
}

/** A point of a valid but strongly bent cell of sqt_images that once was lost. */
typedef struct lost_point
{
  const char* shape;
  unsigned seed;
  double bend;
  int cell;
  double r[3];
} lost_point;

/**
 * Roots beyond a face hid those inside of cells that a sampled Jacobian had taken for regular; corners had none of the starts near;
 * at a fold (the last) Newton's step made nothing better.
 */
static const lost_point lost[] = {
  { "Lagrange tetra 4", 5035, 2.0, 5, { 0.030050947424084928, 0.0, 0.05652525171924172 } },
  { "Lagrange tetra 4", 5035, 2.0, 5, { 0.020859888422779221, 0.0, 0.15414279150206581 } },
  { "Lagrange wedge 3", 41, 3.0, 5, { 0.0, 0.11296470227154604, 0.022648252316988512 } },
  { "Lagrange wedge 3", 41, 3.0, 5, { 0.0051974941081495973, 0.13202703510896196, 0.0 } },
  { "pyramid", 5008, 2.0, 7, { 0.88787290595223756, 0.08543422084652913, 0.0 } },
  { "pentagonal prism", 2009, 2.0, 7,
    { 0.22268088945459974, 0.83521896301802867, 0.73477842664045068 } },
  { "pentagonal prism", 2009, 2.0, 7,
    { 0.42542234516319455, 0.90109365522068252, 0.9418978620721149 } },
  { "Lagrange tetra 4", 3571, 1.0, 7,
    { 0.076943210273380858, 0.44039964733125092, 0.48265714239536817 } },
};

static void check_lost(const lost_point* p)
{
  int s = 0;
  while (strcmp(sqt_shapes[s].name, p->shape) != 0)
  {
    ++s;
  }
  orc_random r = { p->seed };
  sq_context* c = sqt_context(1, NULL, NULL);
  sqt_images m = sqt_images_make(c, sqt_shapes + s, p->bend, &r);
  sq_mesh_index* index = sqt_index(c, &m.block, 1);
  double x[3];
  sqt_images_point(&m, p->cell, p->r, x);
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, x, 1, NULL, &v);
  CHECK_TEXT(v.cell[0] == p->cell && v.distance[0] <= 3e-13, "%s, seed %u", p->shape, p->seed);
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sqt_images_free(c, &m);
  sq_context_destroy(c);
}

static void lost_points(void)
{
  for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); ++i)
  {
    check_lost(lost + i);
  }
}

#define PLACED 600

/** Images in cells of a size, as thin as `thin` and far away: no farther off than they are rounded. */
static void check_placed(const sqt_shape* shape, double size, double thin, double shift)
{
  static double x[3 * PLACED];
  orc_random r = { 40u + shape->type };
  sq_context* c = sqt_context(2, NULL, NULL);
  sqt_images m = sqt_images_make(c, shape, 1.0, &r);
  int64_t cell[PLACED], n = 3 * m.block.points.count;
  for (int64_t i = 0; i < n; ++i)
  {
    m.points[i] = m.points[i] * (i % 3 == 2 ? size * thin : size) + shift;
  }
  sq_mesh_index* index = sqt_index(c, &m.block, 1);
  some_images(&m, PLACED, &r, x, cell);
  sq_location_view v;
  sq_location* l = sqt_locate(c, index, x, PLACED, NULL, &v);
  for (int q = 0; l && q < PLACED; ++q)
  {
    double largest = fabs(shift) + 32.0 * size;
    CHECK_TEXT(v.cell[q] == cell[q] && v.distance[q] <= 4e-15 * largest,
      "%s, size %g, thin %g, shift %g: cell %d not %d, %g off", shape->name, size, thin, shift,
      (int)v.cell[q], (int)cell[q], v.distance[q]);
  }
  sq_location_destroy(l);
  sq_mesh_index_destroy(index);
  sqt_images_free(c, &m);
  sq_context_destroy(c);
}

/** Small, large, far away, and 1e4 times as wide as thick. */
static void places_and_sizes(void)
{
  for (int s = 0; s < sqt_shape_count; ++s)
  {
    if (sqk_shape_dimension(sqk_shape_kind(sqt_shapes[s].type, sqt_shapes[s].count)) < 3)
    {
      continue;
    }
    check_placed(sqt_shapes + s, 1e-6, 1.0, 0.0);
    check_placed(sqt_shapes + s, 1e6, 1.0, 0.0);
    check_placed(sqt_shapes + s, 1.0, 1.0, 1e6);
    check_placed(sqt_shapes + s, 1.0, 1e-4, 100.0);
  }
}

static const sqt_case cases[] = {
  { "images are found", images_are_found },
  { "lost points", lost_points },
  { "places and sizes", places_and_sizes },
  { "nothing else is found", nothing_else_is_found },
  { "threads and order", threads_and_order },
  { "failures", failures },
};
SQT_MAIN(cases)
