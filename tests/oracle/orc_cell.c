#include "orc_cell.h"

#include <math.h>
#include <string.h>

int orc_corner_count(int type)
{
  switch (type)
  {
    case ORC_TRIANGLE:
      return 3;
    case ORC_PIXEL:
    case ORC_QUAD:
    case ORC_TETRA:
      return 4;
    case ORC_PYRAMID:
      return 5;
    case ORC_WEDGE:
      return 6;
    default:
      return 8;
  }
}

int orc_dimension(int type)
{
  return type < ORC_TETRA ? 2 : 3;
}

/** Corners of the unit square in the order of a quad; hexahedra have them at t = 0, then at t = 1. */
static const int QUAD_R[4] = { 0, 1, 1, 0 };
static const int QUAD_S[4] = { 0, 0, 1, 1 };

static orc_real hat(int at_one, orc_real r)
{
  return at_one ? r : 1.0L - r;
}

void orc_shape(int type, const orc_real p[3], orc_real w[8])
{
  orc_real r = p[0];
  orc_real s = p[1];
  orc_real t = p[2];
  orc_real simplex[3] = { 1.0L - r - s, r, s };
  for (int i = 0; i < orc_corner_count(type); ++i)
  {
    switch (type)
    {
      case ORC_TRIANGLE:
        w[i] = simplex[i];
        break;
      case ORC_PIXEL:
        w[i] = hat(i & 1, r) * hat(i >> 1, s);
        break;
      case ORC_QUAD:
        w[i] = hat(QUAD_R[i], r) * hat(QUAD_S[i], s);
        break;
      case ORC_TETRA:
        w[i] = i == 0 ? 1.0L - r - s - t : p[i - 1];
        break;
      case ORC_VOXEL:
        w[i] = hat(i & 1, r) * hat(i >> 1 & 1, s) * hat(i >> 2, t);
        break;
      case ORC_HEXAHEDRON:
        w[i] = hat(QUAD_R[i % 4], r) * hat(QUAD_S[i % 4], s) * hat(i / 4, t);
        break;
      case ORC_WEDGE:
        w[i] = simplex[i % 3] * hat(i / 3, t);
        break;
      default:
        w[i] = i == 4 ? t : hat(QUAD_R[i], r) * hat(QUAD_S[i], s) * (1.0L - t);
        break;
    }
  }
}

void orc_cell_point(const orc_cell* cell, const orc_real r[3], orc_real x[3])
{
  orc_real w[8];
  orc_shape(cell->type, r, w);
  for (int k = 0; k < 3; ++k)
  {
    x[k] = 0.0L;
    for (int i = 0; i < cell->count; ++i)
    {
      x[k] += w[i] * cell->x[i][k];
    }
  }
}

/** Solves the 3 x 3 system by elimination with full pivots; 0 when it is singular. */
static int solve(orc_real a[3][4], orc_real out[3])
{
  int order[3] = { 0, 1, 2 };
  for (int c = 0; c < 3; ++c)
  {
    int pr = c;
    int pc = c;
    for (int i = c; i < 3; ++i)
    {
      for (int j = c; j < 3; ++j)
      {
        if (fabsl(a[i][j]) > fabsl(a[pr][pc]))
        {
          pr = i, pc = j;
        }
      }
    }
    if (!(fabsl(a[pr][pc]) > 0.0L))
    {
      return 0;
    }
    orc_real row[4];
    memcpy(row, a[c], sizeof(row));
    memcpy(a[c], a[pr], sizeof(row));
    memcpy(a[pr], row, sizeof(row));
    for (int i = 0; i < 3; ++i)
    {
      orc_real swap = a[i][c];
      a[i][c] = a[i][pc];
      a[i][pc] = swap;
    }
    int old = order[c];
    order[c] = order[pc];
    order[pc] = old;
    for (int i = 0; i < 3; ++i)
    {
      orc_real f = i == c ? 0.0L : a[i][c] / a[c][c];
      for (int j = c; j < 4 && i != c; ++j)
      {
        a[i][j] -= f * a[c][j];
      }
    }
  }
  for (int c = 0; c < 3; ++c)
  {
    out[order[c]] = a[c][3] / a[c][c];
  }
  return 1;
}

/** Derivatives by differences of the shape functions, which are linear in each coordinate: exact. */
static void jacobian(const orc_cell* cell, const orc_real r[3], orc_real j[3][4])
{
  for (int c = 0; c < 3; ++c)
  {
    orc_real lo[3] = { r[0], r[1], r[2] };
    orc_real hi[3] = { r[0], r[1], r[2] };
    orc_real a[3];
    orc_real b[3];
    lo[c] = 0.0L, hi[c] = 1.0L;
    orc_cell_point(cell, lo, a);
    orc_cell_point(cell, hi, b);
    for (int k = 0; k < 3; ++k)
    {
      j[k][c] = b[k] - a[k];
    }
  }
}

static orc_real margin_of(int type, const orc_real r[3])
{
  orc_real m = fminl(fminl(r[0], r[1]), r[2]);
  m = fminl(m, 1.0L - r[2]);
  if (type == ORC_TETRA)
  {
    return fminl(m, 1.0L - r[0] - r[1] - r[2]);
  }
  return type == ORC_WEDGE ? fminl(m, 1.0L - r[0] - r[1])
                           : fminl(m, fminl(1.0L - r[0], 1.0L - r[1]));
}

static int newton(const orc_cell* cell, const double x[3], orc_real r[3])
{
  orc_real size = orc_cell_diagonal(cell);
  for (int step = 0; step < 60; ++step)
  {
    orc_real at[3];
    orc_real a[3][4];
    orc_real d[3];
    orc_real miss = 0.0L;
    orc_cell_point(cell, r, at);
    jacobian(cell, r, a);
    for (int k = 0; k < 3; ++k)
    {
      a[k][3] = (orc_real)x[k] - at[k];
      miss = fmaxl(miss, fabsl(a[k][3]));
    }
    if (miss < 1e-17L * size)
    {
      return 1;
    }
    if (!solve(a, d))
    {
      return 0;
    }
    orc_real longest = fmaxl(fmaxl(fabsl(d[0]), fabsl(d[1])), fabsl(d[2]));
    orc_real f = longest > 2.0L ? 2.0L / longest : 1.0L;
    for (int k = 0; k < 3; ++k)
    {
      r[k] += f * d[k];
    }
    if (longest < 1e-17L)
    {
      return miss < 1e-14L * size;
    }
  }
  return 0;
}

/** Inside its domain a cell is a convex combination of its corners: beyond their box there is nothing to find. */
static int beyond_box(const orc_cell* cell, const double x[3])
{
  double slack = 1e-3 * orc_cell_diagonal(cell);
  for (int k = 0; k < 3; ++k)
  {
    int below = 0;
    int above = 0;
    for (int i = 0; i < cell->count; ++i)
    {
      below += x[k] < cell->x[i][k] - slack;
      above += x[k] > cell->x[i][k] + slack;
    }
    if (below == cell->count || above == cell->count)
    {
      return 1;
    }
  }
  return 0;
}

int orc_invert(const orc_cell* cell, const double x[3], orc_real r[3], orc_real* margin)
{
  if (beyond_box(cell, x))
  {
    return 0;
  }
  static const orc_real starts[5][3] = { { 0.3L, 0.3L, 0.3L }, { 0.1L, 0.1L, 0.8L },
    { 0.8L, 0.1L, 0.1L }, { 0.1L, 0.8L, 0.1L }, { 0.7L, 0.7L, 0.7L } };
  int found = 0;
  for (int s = 0; s < 5; ++s)
  {
    orc_real at[3] = { starts[s][0], starts[s][1], starts[s][2] };
    if (newton(cell, x, at))
    {
      orc_real m = margin_of(cell->type, at);
      if (!found || m > *margin)
      {
        *margin = m;
        memcpy(r, at, sizeof(at));
      }
      found = 1;
    }
  }
  return found;
}

int orc_cell_triangles(int type, int out[12][3])
{
  /* Faces of VTK's cells; -1 ends a face of three corners. */
  static const int tetra[4][4] = { { 0, 1, 3, -1 }, { 1, 2, 3, -1 }, { 2, 0, 3, -1 },
    { 0, 2, 1, -1 } };
  static const int hexahedron[6][4] = { { 0, 4, 7, 3 }, { 1, 2, 6, 5 }, { 0, 1, 5, 4 },
    { 3, 7, 6, 2 }, { 0, 3, 2, 1 }, { 4, 5, 6, 7 } };
  static const int voxel[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
    { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
  static const int wedge[5][4] = { { 0, 1, 2, -1 }, { 3, 5, 4, -1 }, { 0, 3, 4, 1 }, { 1, 4, 5, 2 },
    { 2, 5, 3, 0 } };
  static const int pyramid[5][4] = { { 0, 3, 2, 1 }, { 0, 1, 4, -1 }, { 1, 2, 4, -1 },
    { 2, 3, 4, -1 }, { 3, 0, 4, -1 } };
  static const int triangle[1][4] = { { 0, 1, 2, -1 } };
  static const int quad[1][4] = { { 0, 1, 2, 3 } };
  static const int pixel[1][4] = { { 0, 1, 3, 2 } };
  static const struct
  {
    int type;
    int faces;
    const int (*ids)[4];
  } tables[] = { { ORC_TRIANGLE, 1, triangle }, { ORC_PIXEL, 1, pixel }, { ORC_QUAD, 1, quad },
    { ORC_TETRA, 4, tetra }, { ORC_VOXEL, 6, voxel }, { ORC_HEXAHEDRON, 6, hexahedron },
    { ORC_WEDGE, 5, wedge }, { ORC_PYRAMID, 5, pyramid } };
  int count = 0;
  for (int i = 0; i < 8; ++i)
  {
    for (int f = 0; tables[i].type == type && f < tables[i].faces; ++f)
    {
      const int* id = tables[i].ids[f];
      out[count][0] = id[0], out[count][1] = id[1], out[count++][2] = id[2];
      if (id[3] >= 0)
      {
        out[count][0] = id[0], out[count][1] = id[2], out[count++][2] = id[3];
      }
    }
  }
  return count;
}

orc_real orc_cell_distance(const orc_cell* cell, const double x[3])
{
  orc_real r[3];
  orc_real margin;
  if (orc_dimension(cell->type) == 3 && orc_invert(cell, x, r, &margin) && margin >= 0.0L)
  {
    return 0.0L;
  }
  int t[12][3];
  orc_real best = HUGE_VALL;
  int count = orc_cell_triangles(cell->type, t);
  for (int i = 0; i < count; ++i)
  {
    best = fminl(best,
      orc_closest_on_triangle(cell->x[t[i][0]], cell->x[t[i][1]], cell->x[t[i][2]], x).distance);
  }
  return best;
}

double orc_cell_diagonal(const orc_cell* cell)
{
  double side[3];
  for (int k = 0; k < 3; ++k)
  {
    double lo = cell->x[0][k];
    double hi = lo;
    for (int i = 1; i < cell->count; ++i)
    {
      lo = fmin(lo, cell->x[i][k]);
      hi = fmax(hi, cell->x[i][k]);
    }
    side[k] = hi - lo;
  }
  return sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
}
