#include "sqt_bag.h"

#include "orc_random.h"
#include "sqk_shape_domain.h"

#include <math.h>
#include <string.h>

/** A cube's corners as a hexahedron counts them. */
static const double CUBE[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
  { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
static const int32_t CUBE_FACES[31] = { 6, 4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4, 4, 1, 2, 6,
  5, 4, 2, 3, 7, 6, 4, 3, 0, 4, 7 };
static const double STRIP[5][3] = { { 0, 0, 0 }, { 0, 1, 0.2 }, { 0.6, 0, 0 }, { 0.6, 1, 0 },
  { 1, 0.1, 0.3 } };
static const double CONCAVE[6][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0.5, 0.3, 0 },
  { 0.2, 0.9, 0 }, { 0, 1, 0 } };
static const double ANGLES[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

/** Where the nodes of a type with shape functions lie: there each alone has a weight. */
static int nodes_of(int type, double (*node)[3])
{
  static const double steps[] = { 0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0 };
  int count = sqk_shape_nodes(type);
  for (int i = 0; i < 125; ++i)
  {
    int dimension = sqk_shape_dimension(type);
    double r[3] = { steps[i % 5], dimension > 1 ? steps[i / 5 % 5] : 0.0,
      dimension > 2 ? steps[i / 25] : 0.0 };
    double w[SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
    sqk_shape_evaluate(type, r, w, dw);
    for (int n = 0; n < count; ++n)
    {
      if (fabs(w[n] - 1.0) < 1e-14)
      {
        memcpy(node[n], r, sizeof(r));
      }
    }
  }
  return count;
}

static int prism_of(int sides, double (*node)[3])
{
  for (int i = 0; i < 2 * sides; ++i)
  {
    node[i][0] = 0.5 + 0.5 * cos(6.283185307179586 * (i % sides) / sides);
    node[i][1] = 0.5 + 0.5 * sin(6.283185307179586 * (i % sides) / sides);
    node[i][2] = i / sides;
  }
  return 2 * sides;
}

/** The nodes of a cell of about unit size; how many. */
static int shape_of(int type, int variant, double (*node)[3])
{
  switch (type)
  {
    case SQ_CELL_POLY_VERTEX:
    case SQ_CELL_POLY_LINE:
    case SQ_CELL_TRIANGLE_STRIP:
      memcpy(node, STRIP, sizeof(STRIP));
      return 5;
    case SQ_CELL_POLYGON:
      memcpy(node, variant % 2 ? CONCAVE : CUBE, sizeof(CONCAVE));
      return variant % 2 ? 6 : 4;
    case SQ_CELL_VERTEX:
      memset(node, 0, 3 * sizeof(double));
      return 1;
    case SQ_CELL_TETRA:
      memcpy(node, ANGLES, sizeof(ANGLES));
      return 4;
    case SQ_CELL_POLYHEDRON:
      memcpy(node, CUBE, sizeof(CUBE));
      return 8;
    case SQ_CELL_PENTAGONAL_PRISM:
      return prism_of(5, node);
    case SQ_CELL_HEXAGONAL_PRISM:
      return prism_of(6, node);
    default:
      return nodes_of(type, node);
  }
}

/** How a cell is set into the cube. */
typedef struct placing
{
  double at[3];
  double size[3];
  double bend; /* nodes are moved by up to that */
  double shear;
} placing;

static void add_cell(sqt_bag* b, int type, int variant, const placing* p, orc_random* r)
{
  double node[SQK_SHAPE_NODES][3];
  int count = shape_of(type, variant, node);
  for (int n = 0; n < count; ++n)
  {
    double* x = b->points + 3 * b->point_count;
    const double y[3] = { node[n][0] + p->shear * node[n][1], node[n][1] - p->shear * node[n][2],
      node[n][2] + 0.5 * p->shear * node[n][0] };
    for (int k = 0; k < 3; ++k)
    {
      x[k] = p->at[k] + p->size[k] * (y[k] + orc_between(r, -p->bend, p->bend));
    }
    b->ids[b->size++] = b->point_count++;
  }
  if (type == SQ_CELL_POLYHEDRON)
  {
    int64_t first = b->point_count - 8;
    int32_t* faces = b->faces + b->face_size;
    memcpy(faces, CUBE_FACES, sizeof(CUBE_FACES));
    for (int i = 1; i < 31; ++i)
    {
      faces[i] += (i - 1) % 5 ? (int32_t)first : 0;
    }
    b->face_size += 31;
  }
  b->types[b->count++] = (uint8_t)type;
  b->offsets[b->count] = b->size;
  b->face_offsets[b->count] = b->face_size;
}

static const uint8_t TYPES[] = { SQ_CELL_VERTEX, SQ_CELL_POLY_VERTEX, SQ_CELL_LINE,
  SQ_CELL_POLY_LINE, SQ_CELL_TRIANGLE, SQ_CELL_TRIANGLE_STRIP, SQ_CELL_POLYGON, SQ_CELL_POLYGON,
  SQ_CELL_PIXEL, SQ_CELL_QUAD, SQ_CELL_TETRA, SQ_CELL_VOXEL, SQ_CELL_HEXAHEDRON, SQ_CELL_WEDGE,
  SQ_CELL_PYRAMID, SQ_CELL_PENTAGONAL_PRISM, SQ_CELL_HEXAGONAL_PRISM, SQ_CELL_QUADRATIC_EDGE,
  SQ_CELL_QUADRATIC_TRIANGLE, SQ_CELL_QUADRATIC_QUAD, SQ_CELL_QUADRATIC_TETRA,
  SQ_CELL_QUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_WEDGE, SQ_CELL_QUADRATIC_PYRAMID,
  SQ_CELL_BIQUADRATIC_QUAD, SQ_CELL_TRIQUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_LINEAR_QUAD,
  SQ_CELL_QUADRATIC_LINEAR_WEDGE, SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE,
  SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON, SQ_CELL_BIQUADRATIC_TRIANGLE, SQ_CELL_CUBIC_LINE,
  SQ_CELL_POLYHEDRON };
#define TYPE_COUNT ((int)(sizeof(TYPES) / sizeof(*TYPES)))

/**
 * Every type four times, in a lattice of 3 x 4 x 3 places of a quarter: straight along the axes; sheared; bent; flat (no
 * height) or half the size over the one before.
 */
void sqt_make_bag(sqt_bag* b, uint64_t seed, int global)
{
  orc_random r = { seed };
  memset(b, 0, sizeof(*b));
  for (int pass = 0; pass < 4; ++pass)
  {
    for (int t = 0; t < TYPE_COUNT; ++t)
    {
      int slot = pass == 1 ? (t * 7) % TYPE_COUNT : t;
      placing p = { { 0.25 * (slot % 3), 0.25 * (slot / 3 % 4), 0.25 * (slot / 12) },
        { 0.25, 0.25, 0.25 }, pass == 2 ? 0.08 : 0.0, pass == 1 ? 0.3 : 0.0 };
      if (pass == 3)
      {
        int flat = t % 2;
        p.size[0] = p.size[1] = flat ? 0.25 : 0.125;
        p.size[2] = flat ? 0.0 : 0.125;
      }
      add_cell(b, TYPES[t], t, &p, &r);
    }
  }
  for (int64_t c = 0; c < b->count; ++c)
  {
    b->ghost[c] = (uint8_t)(c % 17 == 3 ? SQ_GHOST_HIDDEN_CELL
        : c % 17 == 9                   ? SQ_GHOST_DUPLICATE_CELL
                                        : 0);
    b->global_ids[c] = (c * 41) % b->count; /* 41 is prime */
  }
  sq_points points = { b->points, b->point_count, SQ_FLOAT64, 3 };
  b->cells.points = points;
  b->cells.count = b->count;
  b->cells.types = b->types;
  b->cells.id_type = SQ_INT64;
  b->cells.offsets = b->offsets;
  b->cells.connectivity = b->ids;
  b->cells.connectivity_count = b->size;
  b->cells.face_offsets = b->face_offsets;
  b->cells.faces = b->faces;
  b->cells.ghost = b->ghost;
  b->cells.global_ids = global ? b->global_ids : NULL;
}
