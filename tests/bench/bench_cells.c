#include "bench_cells.h"
#include "bench_timing.h"
#include "bench_trees.h"

#include <math.h>
#include <string.h>

/** How far corners are moved, and what is between them besides, in boxes. */
#define MOVE 0.1
#define BEND 0.03

const char* const bench_cells_kinds[] = { "tetrahedra", "hexahedra", "straight hexahedra", "mixed",
  "wedges", "pyramids", "dual polyhedra", "hexahedral polyhedra", "quadratic tetrahedra",
  "quadratic hexahedra", NULL };

typedef enum mesh_kind
{
  TETRAHEDRA,
  HEXAHEDRA,
  STRAIGHT,
  MIXED,
  WEDGES,
  PYRAMIDS,
  DUAL,
  POLYHEDRA,
  QUADRATIC_TETRAHEDRA,
  QUADRATIC_HEXAHEDRA
} mesh_kind;

/** Twelve half boxes a side and so on: points lie at all half boxes, so that every edge has its middle and every box its centre. */
typedef struct lattice
{
  int64_t n; /* boxes a side */
  int64_t at; /* of the next cell: its ids */
  int64_t face; /* and its faces */
} lattice;

/** The twelve edges of VTK's hexahedron in the order of its middles; the first eight entries: its corners. */
static const int HEXAHEDRON[20][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 },
  { 0, 0, 2 }, { 2, 0, 2 }, { 2, 2, 2 }, { 0, 2, 2 }, { 1, 0, 0 }, { 2, 1, 0 }, { 1, 2, 0 },
  { 0, 1, 0 }, { 1, 0, 2 }, { 2, 1, 2 }, { 1, 2, 2 }, { 0, 1, 2 }, { 0, 0, 1 }, { 2, 0, 1 },
  { 2, 2, 1 }, { 0, 2, 1 } };
static const int FACES[6][4] = { { 0, 4, 7, 3 }, { 1, 2, 6, 5 }, { 0, 1, 5, 4 }, { 3, 7, 6, 2 },
  { 0, 3, 2, 1 }, { 4, 5, 6, 7 } };
static const int ORDER[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
  { 2, 1, 0 } };

static int64_t id_of(const lattice* l, int64_t i, int64_t j, int64_t k)
{
  int64_t m = 2 * l->n + 1;
  return (i * m + j) * m + k;
}

static void move_corners(const lattice* l, double* x, double move, double bend)
{
  uint64_t seed = 5;
  int64_t m = 2 * l->n + 1;
  for (int64_t p = 0; p < m * m * m; ++p)
  {
    const int64_t at[3] = { p / (m * m), p / m % m, p % m };
    int inner = 1, corner = 1;
    for (int d = 0; d < 3; ++d)
    {
      inner &= at[d] > 0 && at[d] < m - 1;
      corner &= at[d] % 2 == 0;
    }
    for (int d = 0; d < 3; ++d)
    {
      double by = 2.0 * (double)bench_random(&seed) - 1.0;
      by *= !inner ? 0.0 : corner ? move : bend;
      x[3 * p + d] = (0.5 * (double)at[d] + by) / (double)l->n;
    }
  }
  /* What lies between two corners is moved with them. */
  for (int64_t p = 0; p < m * m * m && move > 0.0; ++p)
  {
    const int64_t at[3] = { p / (m * m), p / m % m, p % m };
    int64_t lo = id_of(l, at[0] / 2 * 2, at[1] / 2 * 2, at[2] / 2 * 2);
    int64_t hi = id_of(l, (at[0] + 1) / 2 * 2, (at[1] + 1) / 2 * 2, (at[2] + 1) / 2 * 2);
    for (int d = 0; d < 3 && lo != hi; ++d)
    {
      double straight = 0.5 * (double)at[d] / (double)l->n;
      x[3 * p + d] += 0.5 * (x[3 * lo + d] + x[3 * hi + d]) - straight;
    }
  }
}

static void add_cell(bench_cells* m, lattice* l, int type, const int64_t* ids, int count)
{
  memcpy(m->ids + l->at, ids, (size_t)count * sizeof(*ids));
  m->types[m->view.count] = (uint8_t)type;
  l->at += count;
  m->offsets[++m->view.count] = l->at;
  m->face_offsets[m->view.count] = l->face;
}

static void add_tetrahedra(bench_cells* m, lattice* l, const int64_t box[3], int quadratic)
{
  const int pair[6][2] = { { 0, 1 }, { 1, 2 }, { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  for (int t = 0; t < 6; ++t)
  {
    int64_t at[4][3], ids[10];
    for (int i = 0; i < 4; ++i)
    {
      for (int d = 0; d < 3; ++d)
      {
        at[i][d] = i ? at[i - 1][d] + (ORDER[t][i - 1] == d ? 2 : 0) : 2 * box[d];
      }
      ids[i] = id_of(l, at[i][0], at[i][1], at[i][2]);
    }
    for (int e = 0; e < 6; ++e)
    {
      const int64_t *a = at[pair[e][0]], *b = at[pair[e][1]];
      ids[4 + e] = id_of(l, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    }
    add_cell(m, l, quadratic ? SQ_CELL_QUADRATIC_TETRA : SQ_CELL_TETRA, ids, quadratic ? 10 : 4);
  }
}

/** Pyramids from the middle of a box; `split`: that on face 1 in two tetrahedra, along the diagonal of the next box's. */
static void add_pyramids(
  bench_cells* m, lattice* l, const int64_t* corner, int64_t centre, int split)
{
  for (int f = 0; f < 6; ++f)
  {
    int64_t c[4];
    for (int i = 0; i < 4; ++i)
    {
      c[i] = corner[FACES[f][3 - i]];
    }
    const int64_t pyramid[5] = { c[0], c[1], c[2], c[3], centre };
    /* Backwards the face is 5 6 2 1; Kuhn's diagonal is 1 6. */
    const int64_t two[2][4] = { { c[0], c[1], c[3], centre }, { c[1], c[2], c[3], centre } };
    if (split && f == 1)
    {
      add_cell(m, l, SQ_CELL_TETRA, two[0], 4);
      add_cell(m, l, SQ_CELL_TETRA, two[1], 4);
      continue;
    }
    add_cell(m, l, SQ_CELL_PYRAMID, pyramid, 5);
  }
}

static void add_wedges(bench_cells* m, lattice* l, const int64_t* c)
{
  const int64_t first[6] = { c[0], c[1], c[2], c[4], c[5], c[6] };
  const int64_t second[6] = { c[0], c[2], c[3], c[4], c[6], c[7] };
  add_cell(m, l, SQ_CELL_WEDGE, first, 6);
  add_cell(m, l, SQ_CELL_WEDGE, second, 6);
}

static void add_polyhedron(bench_cells* m, lattice* l, const int64_t* corner)
{
  int32_t* out = m->faces + l->face;
  *out++ = 6;
  for (int f = 0; f < 6; ++f)
  {
    *out++ = 4;
    for (int i = 0; i < 4; ++i)
    {
      *out++ = (int32_t)corner[FACES[f][i]];
    }
  }
  l->face = out - m->faces;
  add_cell(m, l, SQ_CELL_POLYHEDRON, corner, 8);
}

/** Of a mixed mesh: hexahedra, wedges, pyramids, tetrahedra along the first axis, about as many cells of each. */
static mesh_kind kind_of_box(const lattice* l, int64_t i, int* split)
{
  int64_t pyramids = l->n * 60 / 74, tetrahedra = l->n * 67 / 74;
  *split = i == tetrahedra - 1;
  return i < l->n * 40 / 74 ? HEXAHEDRA
    : i < pyramids          ? WEDGES
    : i < tetrahedra        ? PYRAMIDS
                            : TETRAHEDRA;
}

static void add_box(bench_cells* m, lattice* l, mesh_kind kind, const int64_t box[3])
{
  int64_t node[20];
  int split = 0;
  for (int i = 0; i < 20; ++i)
  {
    const int* at = HEXAHEDRON[i];
    node[i] = id_of(l, 2 * box[0] + at[0], 2 * box[1] + at[1], 2 * box[2] + at[2]);
  }
  switch (kind == MIXED ? kind_of_box(l, box[0], &split) : kind)
  {
    case TETRAHEDRA:
      add_tetrahedra(m, l, box, 0);
      break;
    case QUADRATIC_TETRAHEDRA:
      add_tetrahedra(m, l, box, 1);
      break;
    case WEDGES:
      add_wedges(m, l, node);
      break;
    case PYRAMIDS:
      add_pyramids(m, l, node, id_of(l, 2 * box[0] + 1, 2 * box[1] + 1, 2 * box[2] + 1), split);
      break;
    case POLYHEDRA:
      add_polyhedron(m, l, node);
      break;
    case QUADRATIC_HEXAHEDRA:
      add_cell(m, l, SQ_CELL_QUADRATIC_HEXAHEDRON, node, 20);
      break;
    default:
      add_cell(m, l, SQ_CELL_HEXAHEDRON, node, 8);
      break;
  }
}

static bench_cells new_cells(int64_t points, int64_t cells, int64_t ids, int64_t faces)
{
  bench_cells m;
  memset(&m, 0, sizeof(m));
  m.points = (double*)bench_allocate(3 * points, sizeof(double));
  m.ids = (int64_t*)bench_allocate(ids, sizeof(int64_t));
  m.offsets = (int64_t*)bench_allocate(cells + 1, sizeof(int64_t));
  m.face_offsets = (int64_t*)bench_allocate(cells + 1, sizeof(int64_t));
  m.faces = (int32_t*)bench_allocate(faces, sizeof(int32_t));
  m.types = (uint8_t*)bench_allocate(cells, sizeof(uint8_t));
  m.offsets[0] = m.face_offsets[0] = 0;
  m.view.points = (sq_points){ m.points, points, SQ_FLOAT64, 3 };
  m.view.id_type = SQ_INT64;
  return m;
}

/** Whether an edge of the Kuhn mesh leaves each vertex that way: all steps to one side. */
static int is_edge(int e, int step[3])
{
  int least = 0, most = 0;
  for (int d = 0; d < 3; ++d, e /= 3)
  {
    step[d] = e % 3 - 1;
    least = step[d] < least ? step[d] : least;
    most = step[d] > most ? step[d] : most;
  }
  return (least < 0) != (most > 0);
}

/** Whether vertex `at` (relative to the box) is a corner of Kuhn's tetrahedron t. */
static int is_corner(const int at[3], int t)
{
  const int* o = ORDER[t];
  return at[o[0]] >= at[o[1]] && at[o[1]] >= at[o[2]] && at[o[2]] >= 0 && at[o[0]] <= 1;
}

typedef struct ring_entry
{
  double angle;
  int box[3];
  int t;
} ring_entry;

static int by_angle(const void* a, const void* b)
{
  double p = ((const ring_entry*)a)->angle, q = ((const ring_entry*)b)->angle;
  return (p > q) - (p < q);
}

/** The tetrahedra around the edge from vertex 0 along `step` in turn: their boxes and numbers. */
static int ring_of(const int step[3], ring_entry ring[8])
{
  const double side[3] = { 0.3, -0.7, 0.55 };
  double u[3], v[3];
  int count = 0;
  for (int d = 0; d < 3; ++d)
  {
    int a = (d + 1) % 3, b = (d + 2) % 3;
    u[d] = step[a] * side[b] - step[b] * side[a];
  }
  for (int d = 0; d < 3; ++d)
  {
    int a = (d + 1) % 3, b = (d + 2) % 3;
    v[d] = step[a] * u[b] - step[b] * u[a];
  }
  /* Both at right angles to the step, but not of one length: that keeps the turn. */
  for (int i = 0; i < 48; ++i)
  {
    const int corner = i / 6, t = i % 6;
    int here[3], there[3];
    ring_entry* r = ring + count;
    double x = 0.0, y = 0.0;
    for (int d = 0; d < 3; ++d)
    {
      here[d] = corner >> d & 1;
      there[d] = here[d] + step[d];
      r->box[d] = -here[d];
      int rank = ORDER[t][0] == d ? 3 : ORDER[t][1] == d ? 2 : 1;
      double centre = r->box[d] + 0.25 * rank;
      x += centre * u[d];
      y += centre * v[d];
    }
    r->t = t;
    r->angle = atan2(y, x);
    count += is_corner(here, t) && is_corner(there, t);
  }
  qsort(ring, (size_t)count, sizeof(*ring), by_angle);
  return count;
}

/** The cells around the inner vertices of Kuhn's tetrahedra, with the centres of these as corners. */
static bench_cells make_dual(int64_t n)
{
  lattice l = { n, 0, 0 };
  int64_t inner = (n - 1) * (n - 1) * (n - 1), side = 2 * n + 1;
  bench_cells m = new_cells(6 * n * n * n, inner, 24 * inner, 120 * inner);
  bench_cells tets = new_cells(side * side * side, 6, 64, 1);
  ring_entry ring[27][8];
  int length[27], step[3];
  move_corners(&l, tets.points, MOVE, 0.0);
  for (int e = 0; e < 27; ++e)
  {
    length[e] = is_edge(e, step) ? ring_of(step, ring[e]) : 0;
  }
  for (int64_t b = 0; b < n * n * n; ++b)
  {
    const int64_t box[3] = { b / (n * n), b / n % n, b % n };
    lattice all = { n, 0, 0 };
    tets.view.count = 0;
    add_tetrahedra(&tets, &all, box, 0);
    for (int64_t i = 0; i < 18; ++i)
    {
      double sum = 0.0;
      for (int64_t k = 0; k < 4; ++k)
      {
        sum += tets.points[3 * tets.ids[i / 3 * 4 + k] + i % 3];
      }
      m.points[18 * b + i] = 0.25 * sum;
    }
  }
  for (int64_t c = 0; c < inner; ++c)
  {
    const int64_t at[3] = { 1 + c / ((n - 1) * (n - 1)), 1 + c / (n - 1) % (n - 1),
      1 + c % (n - 1) };
    int64_t ids[24];
    int32_t* faces = m.faces + l.face;
    int count = 0;
    *faces++ = 14;
    for (int e = 0; e < 27; ++e)
    {
      if (length[e])
      {
        *faces++ = length[e];
      }
      for (int i = 0; i < length[e]; ++i)
      {
        const ring_entry* r = ring[e] + i;
        int64_t id =
          6 * (((at[0] + r->box[0]) * n + at[1] + r->box[1]) * n + at[2] + r->box[2]) + r->t;
        int known = 0;
        for (int k = 0; k < count; ++k)
        {
          known |= ids[k] == id;
        }
        if (!known)
        {
          ids[count++] = id;
        }
        *faces++ = (int32_t)id;
      }
    }
    l.face = faces - m.faces;
    add_cell(&m, &l, SQ_CELL_POLYHEDRON, ids, count);
  }
  bench_cells_free(&tets);
  m.margin = 1.0 / (double)n;
  return m;
}

bench_cells bench_cells_make(int kind, int64_t count)
{
  const double each[] = { 6.0, 1.0, 1.0, 2.17, 2.0, 6.0, 6.0, 1.0, 6.0, 1.0 };
  lattice l = { (int64_t)(cbrt((double)count / each[kind]) + 0.5), 0, 0 };
  l.n = l.n < 4 ? 4 : l.n;
  bench_cells m;
  if (kind == DUAL)
  {
    m = make_dual(l.n);
  }
  else
  {
    int64_t side = 2 * l.n + 1, boxes = l.n * l.n * l.n;
    int64_t points = side * side * side;
    m = new_cells(points, 7 * boxes, 60 * boxes, kind == POLYHEDRA ? 31 * boxes : 1);
    move_corners(&l, m.points, kind == STRAIGHT ? 0.0 : MOVE, kind < DUAL ? 0.0 : BEND);
    for (int64_t b = 0; b < boxes; ++b)
    {
      const int64_t box[3] = { b / (l.n * l.n), b / l.n % l.n, b % l.n };
      add_box(&m, &l, (mesh_kind)kind, box);
    }
  }
  m.view.types = m.types;
  m.view.offsets = m.offsets;
  m.view.connectivity = m.ids;
  m.view.connectivity_count = m.offsets[m.view.count];
  m.view.face_offsets = m.face_offsets;
  m.view.faces = m.faces;
  return m;
}

void bench_cells_free(bench_cells* m)
{
  free(m->points);
  free(m->ids);
  free(m->offsets);
  free(m->types);
  free(m->face_offsets);
  free(m->faces);
}
