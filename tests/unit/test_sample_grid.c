/** Arrays taken to the points of a grid, cell by cell, are those taken to the same points one by one, bit for bit. */
#include "sq_test.h"
#include "sqt_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Arrays of every kind; the last has more components than are summed in one pass. */
typedef struct array_kind
{
  sq_association association;
  sq_combine combine;
  sq_type type;
  sq_type out_type;
  int32_t components;
  int partial; /* the second block lacks it */
} array_kind;

static const array_kind kinds[] = {
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, SQ_FLOAT64, SQ_FLOAT64, 1, 0 },
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, SQ_FLOAT32, SQ_FLOAT32, 1, 1 },
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, SQ_FLOAT64, SQ_FLOAT32, 3, 0 },
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, SQ_INT16, SQ_FLOAT64, 2, 1 },
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_DOMINANT, SQ_INT16, SQ_INT16, 3, 1 },
  { SQ_ASSOCIATION_CELLS, SQ_COMBINE_WEIGHTED, SQ_FLOAT64, SQ_FLOAT64, 2, 0 },
  { SQ_ASSOCIATION_CELLS, SQ_COMBINE_DOMINANT, SQ_INT16, SQ_INT16, 1, 1 },
  { SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, SQ_FLOAT64, SQ_FLOAT64, 11, 1 },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(*kinds)))

static void* make_field(const array_kind* k, int64_t count)
{
  int64_t n = count * k->components;
  double* field = (double*)malloc((size_t)n * sizeof(*field) + 1);
  orc_random r = { 8 };
  for (int64_t i = 0; i < n; ++i)
  {
    double v = i % 7 ? orc_between(&r, -100.0, 100.0) : -0.0;
    if (k->type == SQ_FLOAT64)
    {
      field[i] = v;
    }
    else if (k->type == SQ_FLOAT32)
    {
      ((float*)field)[i] = (float)v;
    }
    else
    {
      ((int16_t*)field)[i] = (int16_t)v;
    }
  }
  return field;
}

typedef struct result
{
  void* out[KINDS];
  uint8_t* valid[KINDS];
  size_t bytes[KINDS];
} result;

static result sample(sq_context* c, const sq_location* l, int64_t n, const sq_cells blocks[2])
{
  static const double missing_double = -1.5;
  static const float missing_float = 2.5f;
  static const int16_t missing_integer = -7;
  result r;
  sq_sample samples[KINDS];
  sq_field fields[KINDS][2];
  for (int i = 0; i < KINDS; ++i)
  {
    const array_kind* k = kinds + i;
    for (int b = 0; b < 2; ++b)
    {
      int64_t count =
        k->association == SQ_ASSOCIATION_POINTS ? blocks[b].points.count : blocks[b].count;
      void* data = b && k->partial ? NULL : make_field(k, count);
      fields[i][b] = (sq_field){ data, k->type, count };
    }
    r.bytes[i] = (size_t)n * sq_type_bytes(k->out_type) * (size_t)k->components;
    r.out[i] = malloc(r.bytes[i] + 1);
    r.valid[i] = (uint8_t*)malloc((size_t)n + 1);
    const void* missing = k->out_type == SQ_FLOAT64 ? (const void*)&missing_double
      : k->out_type == SQ_FLOAT32                   ? (const void*)&missing_float
                                                    : (const void*)&missing_integer;
    samples[i] = (sq_sample){ k->association, k->combine, fields[i], k->components, k->out_type,
      missing, r.out[i], i % 3 == 2 ? NULL : r.valid[i] };
    memset(r.valid[i], 9, (size_t)n);
  }
  CHECK_STATUS(sq_location_apply_all(c, l, samples, KINDS, 2), SQ_OK);
  for (int i = 0; i < KINDS; ++i)
  {
    free((void*)fields[i][0].data);
    free((void*)fields[i][1].data);
  }
  return r;
}

static void check_same(const result* a, const result* b, int64_t n, const char* what)
{
  for (int i = 0; i < KINDS; ++i)
  {
    CHECK_TEXT(!memcmp(a->out[i], b->out[i], a->bytes[i]), "%s: values of array %d", what, i);
    CHECK_TEXT(!memcmp(a->valid[i], b->valid[i], (size_t)n), "%s: mask of array %d", what, i);
  }
}

static void free_result(result* r)
{
  for (int i = 0; i < KINDS; ++i)
  {
    free(r->out[i]);
    free(r->valid[i]);
  }
}

/** Two blocks over each other, the grid all around; lengths times `size`, shifted by `shift`. */
typedef struct scene
{
  orc_zoo zoo;
  double* moved;
  sq_cells blocks[2];
  sqt_grid grid;
} scene;

static void make_scene(scene* s, orc_zoo_kind kind, double size, double shift)
{
  s->zoo = orc_make_zoo(kind, 6, 11);
  int64_t n = 3 * s->zoo.point_count;
  s->moved = (double*)malloc((size_t)n * sizeof(*s->moved));
  for (int64_t i = 0; i < n; ++i)
  {
    s->moved[i] = size * s->zoo.points[i] + shift;
  }
  for (int b = 0; b < 2; ++b)
  {
    s->blocks[b] = sqt_cells_of_zoo(&s->zoo);
    s->blocks[b].points.data = s->moved;
  }
  /* The first block alone has the first half of the cells, and shares some of the others. */
  s->blocks[0].count = s->blocks[0].count * 2 / 3;
  s->grid = sqt_even_grid("samples", 33, 29, 35, -0.1, 1.03);
  for (int d = 0; d < 3; ++d)
  {
    for (int i = 0; i < s->grid.count[d]; ++i)
    {
      s->grid.x[d][i] = size * s->grid.x[d][i] + shift;
    }
  }
}

static void free_scene(scene* s)
{
  free(s->moved);
  orc_zoo_free(&s->zoo);
}

static void check_scene(const scene* s, sq_multiple_cells rule, const char* what)
{
  const int counts[] = { 1, 2, 7 };
  sq_locate_options o = sq_locate_options_default();
  o.multiple_cells = rule;
  sq_context* c = sqt_context(2, NULL, NULL);
  sq_mesh_index* index = sqt_index(c, s->blocks, 2);
  sq_location* full = sqt_search(c, index, &s->grid, &o);
  sq_location* compact = sqt_rasterise(c, index, &s->grid, &o);
  sq_location_view v;
  CHECK_STATUS(sq_location_get_view(full, &v), SQ_OK);
  int64_t inside = 0;
  for (int64_t q = 0; q < v.count; ++q)
  {
    inside += v.status[q] == SQ_SAMPLE_INSIDE;
  }
  CHECK_TEXT(3 * inside > v.count, "%s: %lld points inside", what, (long long)inside);
  result want = sample(c, full, v.count, s->blocks);
  for (int t = 0; t < 3; ++t)
  {
    sq_context* other = sqt_context(counts[t], NULL, NULL);
    result got = sample(other, compact, v.count, s->blocks);
    check_same(&got, &want, v.count, what);
    free_result(&got);
    sq_context_destroy(other);
  }
  free_result(&want);
  sq_location_destroy(compact);
  sq_location_destroy(full);
  sq_mesh_index_destroy(index);
  sq_context_destroy(c);
}

static void rules_and_meshes(void)
{
  const orc_zoo_kind zoos[] = { ORC_ZOO_BOXES, ORC_ZOO_SHEARED, ORC_ZOO_WARPED };
  const sq_multiple_cells rules[] = { SQ_MULTIPLE_LOWEST, SQ_MULTIPLE_MEAN, SQ_MULTIPLE_NAN };
  for (int i = 0; i < 3; ++i)
  {
    scene s;
    make_scene(&s, zoos[i], 1.0, 0.0);
    check_scene(&s, rules[0], "lowest");
    check_scene(&s, rules[1 + i % 2], "several");
    free_scene(&s);
  }
}

/** Where lengths have to be scaled, and coordinates of which products leave the range of doubles. */
static void sizes(void)
{
  static const double size[] = { 1e-150, 1e150, 1e-9, 1e11, 0x1p1001, 1.0, 1e-104, 1e103 };
  static const double shift[] = { 0.0, 0.0, 0.0, -3e11, 0.0, 1e5, 0.0, 0.0 };
  for (int i = 0; i < 8; ++i)
  {
    scene s;
    make_scene(&s, ORC_ZOO_WARPED, size[i], shift[i]);
    check_scene(&s, SQ_MULTIPLE_LOWEST, "size");
    free_scene(&s);
  }
}

/** Nodes and points that are next to nothing apart from a plane, as rounding leaves them; flat and crushed tetrahedra. */
static void near_nothing(void)
{
  scene s;
  make_scene(&s, ORC_ZOO_BOXES, 1.0, 0.0);
  int64_t n = 3 * s.zoo.point_count;
  for (int64_t i = 0; i < n; ++i)
  {
    s.moved[i] = s.moved[i] == 0.0 ? 1e-17 * (double)(i % 5) : s.moved[i];
    s.moved[i] += i % 3 == 2 && i % 19 == 2 ? 1e-200 : 0.0;
  }
  s.grid.x[0][3] = -1e-18;
  s.grid.x[1][3] = 1e-300;
  s.grid.x[2][4] = 0.0;
  check_scene(&s, SQ_MULTIPLE_LOWEST, "near nothing");
  for (int64_t i = 0; i < n; i += 3)
  {
    s.moved[i] *= 1e-7;
  }
  for (int i = 0; i < s.grid.count[0]; ++i)
  {
    s.grid.x[0][i] *= 1e-7;
  }
  check_scene(&s, SQ_MULTIPLE_LOWEST, "crushed");
  free_scene(&s);
}

static const sqt_case cases[] = {
  { "rules and meshes", rules_and_meshes },
  { "sizes", sizes },
  { "near nothing", near_nothing },
};
SQT_MAIN(cases)
