#include "sqi_cell_bound.h"
#include "sqk_cell_hull.h"

#include <string.h>

/** Rows of the inverse of the matrix with columns e; 0 where it is ill conditioned. */
static int inverse_rows(const double e[3][3], double least, double row[3][3])
{
  double det = sqk_det3(e[0], e[1], e[2]);
  double size = sqrt(sqk_dot3(e[0], e[0]) * sqk_dot3(e[1], e[1]) * sqk_dot3(e[2], e[2]));
  if (!(fabs(det) > least * size) || !(fabs(det) > 0x1p-300))
  {
    return 0;
  }
  for (int k = 0; k < 3; ++k)
  {
    sqk_cross3(e[(k + 1) % 3], e[(k + 2) % 3], row[k]);
    for (int d = 0; d < 3; ++d)
    {
      row[k][d] /= det;
    }
  }
  return 1;
}

static int bound_tetra(const double* q, sqi_cell_bound* b)
{
  double e[3][3];
  for (int k = 0; k < 3; ++k)
  {
    sqk_sub3(q + 3 * (k + 1), q, e[k]);
  }
  sqk_set3(q, b->origin);
  b->kind = SQI_BOUND_TETRA;
  return inverse_rows((const double(*)[3])e, 1e-6, b->row);
}

static double length_of(const double a[3])
{
  return sqrt(sqk_dot3(a, a));
}

/** The control points of a curved cell; `room`: 6 * corner_max, `fixed`: 3 * SQK_CELL_HULL. Their number. */
static int control_points(
  const sqk_cell* cell, double* room, double* fixed, const double** points, double* slack)
{
  *slack = 0.0;
  *points = cell->layout ? room : fixed;
  if (cell->layout)
  {
    sqk_layout_hull(cell->layout, cell->q, room, room + 3 * cell->count, slack);
    return cell->count;
  }
  return sqk_cell_hull(cell->type, cell->q, fixed);
}

/** A curved tetrahedron: a larger one with its faces along those of the corners. */
static int bound_curved_tetra(const sqk_cell* cell, double* room, sqi_cell_bound* b)
{
  double fixed[3 * SQK_CELL_HULL], slack, low[3], high = -HUGE_VAL, shift[3] = { 0.0, 0.0, 0.0 };
  const double* points;
  if (sqk_shape_corner_type(cell->type) != SQ_CELL_TETRA || !bound_tetra(cell->q, b))
  {
    return 0;
  }
  int count = control_points(cell, room, fixed, &points, &slack);
  low[0] = low[1] = low[2] = HUGE_VAL;
  for (int i = 0; i < count; ++i)
  {
    double d[3], sum = 0.0;
    sqk_sub3(points + 3 * i, b->origin, d);
    for (int k = 0; k < 3; ++k)
    {
      double u = sqk_dot3(b->row[k], d);
      low[k] = u < low[k] ? u : low[k];
      sum += u;
    }
    high = sum > high ? sum : high;
  }
  for (int k = 0; k < 3; ++k)
  {
    low[k] -= 4.0 * slack * length_of(b->row[k]);
    high += 4.0 * slack * length_of(b->row[k]);
  }
  double size = high - low[0] - low[1] - low[2];
  for (int k = 0; k < 3; ++k)
  {
    double edge[3];
    sqk_sub3(cell->q + 3 * (k + 1), cell->q, edge);
    sqk_madd3(shift, low[k], edge, shift);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= size;
    }
  }
  sqk_madd3(b->origin, 1.0, shift, b->origin);
  return size > 0.0;
}

/** The axes of a solid in the middle of its domain. */
static int solid_axes(const sqk_cell* cell, double e[3][3])
{
  if ((!sqk_shape_nodes(cell->type) && !cell->layout) || sqk_shape_dimension(cell->type) < 3)
  {
    return 0;
  }
  sqk_cell_root root = { { 0.0 }, { 0.0 }, 0.0, { { 0.0 } } };
  sqk_shape_center(cell->type, root.r);
  sqk_cell_root_at(cell, &root);
  for (int k = 0; k < 3; ++k)
  {
    sqk_set3(root.jacobian[k], e[k]);
  }
  return 1;
}

/** The axes of a pyramid: along its base and from its first corner to the apex. */
static void pyramid_axes(const double* q, double e[3][3])
{
  for (int d = 0; d < 3; ++d)
  {
    const double *a = q + d, *b = q + 3 + d, *c = q + 6 + d, *f = q + 9 + d;
    e[0][d] = 0.5 * (*b - *a + (*c - *f));
    e[1][d] = 0.5 * (*f - *a + (*c - *b));
    e[2][d] = q[12 + d] - 0.25 * (*a + *b + *c + *f) + 0.5 * (e[0][d] + e[1][d]);
  }
}

/** A wedge or pyramid by planes about along its faces. They are linear in the point, so what the nodes keep, the cell keeps. */
static int bound_prism(const sqk_cell* cell, sqi_cell_bound* b)
{
  double e[3][3], low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high2 = -HUGE_VAL, size = 0.0;
  int wedge = cell->type == SQ_CELL_WEDGE;
  if (!wedge && cell->type != SQ_CELL_PYRAMID)
  {
    return 0;
  }
  wedge ? (void)solid_axes(cell, e) : pyramid_axes(cell->q, e);
  if (!inverse_rows((const double(*)[3])e, 1e-3, b->row))
  {
    return 0;
  }
  for (int i = 0; i < cell->count; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      low[k] = fmin(low[k], sqk_dot3(b->row[k], cell->q + 3 * i));
    }
    high2 = fmax(high2, sqk_dot3(b->row[2], cell->q + 3 * i));
  }
  for (int i = 0; i < cell->count; ++i)
  {
    double u[3];
    for (int k = 0; k < 3; ++k)
    {
      u[k] = sqk_dot3(b->row[k], cell->q + 3 * i) - low[k];
    }
    size = fmax(size, wedge ? u[0] + u[1] : fmax(u[0], u[1]) + u[2]);
  }
  const double width[3] = { size, size, wedge ? high2 - low[2] : size };
  b->kind = wedge ? SQI_BOUND_WEDGE : SQI_BOUND_PYRAMID;
  b->origin[0] = b->origin[1] = b->origin[2] = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    if (!(width[k] > SQI_BOUND_THIN * length_of(b->row[k])))
    {
      return 0;
    }
    sqk_madd3(b->origin, low[k], e[k], b->origin);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= width[k];
    }
  }
  return 1;
}

static void scale_to(double a[3], double length, double out[3])
{
  for (int d = 0; d < 3; ++d)
  {
    out[d] = a[d] / length;
  }
}

/** Axes at right angles: towards the node farthest from the first, within the plane, across it. 0 for a point. */
static int straight_axes(const sqk_cell* cell, double e[3][3])
{
  double far[3] = { 0.0, 0.0, 0.0 }, normal[3] = { 0.0, 0.0, 0.0 };
  double d[3], n[3];
  for (int i = 1; i < cell->count; ++i)
  {
    sqk_sub3(cell->q + 3 * i, cell->q, d);
    if (sqk_dot3(d, d) > sqk_dot3(far, far))
    {
      sqk_set3(d, far);
    }
  }
  double size = length_of(far);
  if (!(size > 0x1p-300))
  {
    return 0;
  }
  scale_to(far, size, e[0]);
  for (int i = 1; i < cell->count + 3; ++i)
  {
    /* At last the coordinate axes, for cells on a line. */
    double axis[3] = { i == cell->count, i == cell->count + 1, i == cell->count + 2 };
    sqk_sub3(i < cell->count ? cell->q + 3 * i : axis, i < cell->count ? cell->q : e[0], d);
    sqk_cross3(e[0], d, n);
    double least = i < cell->count ? 0.0 : 1e-6 * size;
    if (length_of(n) > fmax(least, length_of(normal)) &&
      (i < cell->count || length_of(normal) <= least))
    {
      sqk_set3(n, normal);
    }
  }
  scale_to(normal, length_of(normal), e[2]);
  sqk_cross3(e[2], e[0], e[1]);
  return 1;
}

/** The box along axes of the cell's own, else along x, y, z, that holds it. `room`: 6 * corner_max. */
static void bound_box(const sqk_cell* cell, double* room, sqi_cell_bound* b)
{
  double e[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  double axes[3][3];
  int flat = sqk_shape_dimension(cell->type) < 3;
  int own = flat ? straight_axes(cell, axes) : solid_axes(cell, axes);
  if (own && inverse_rows((const double(*)[3])axes, 1e-3, b->row))
  {
    memcpy(e, axes, sizeof(e));
  }
  else
  {
    (void)inverse_rows((const double(*)[3])e, 0.5, b->row);
    own = 0;
  }
  double fixed[3 * SQK_CELL_HULL], slack = 0.0;
  const double* points = cell->q;
  int count = cell->count + cell->middle_count;
  if (sqk_shape_is_curved(cell->type))
  {
    count = control_points(cell, room, fixed, &points, &slack);
  }
  b->kind = own && !flat ? SQI_BOUND_SKEW : SQI_BOUND_STRAIGHT;
  b->origin[0] = b->origin[1] = b->origin[2] = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < count; ++i)
    {
      double u = sqk_dot3(b->row[k], points + 3 * i);
      lo = u < lo ? u : lo, hi = u > hi ? u : hi;
    }
    /* By how much control points of high order can be off. */
    double off = 2.0 * slack * length_of(b->row[k]);
    lo -= off, hi += off;
    double width = fmax(hi - lo, SQI_BOUND_THIN * length_of(b->row[k]));
    sqk_madd3(b->origin, lo - 0.5 * (width - (hi - lo)), e[k], b->origin);
    for (int d = 0; d < 3; ++d)
    {
      b->row[k][d] /= width;
    }
  }
}

void sqi_cell_bound_of(const sqk_cell* cell, double* room, sqi_cell_bound* b)
{
  int tetra =
    cell->type == SQ_CELL_TETRA ? bound_tetra(cell->q, b) : bound_curved_tetra(cell, room, b);
  if (!tetra && !bound_prism(cell, b))
  {
    bound_box(cell, room, b);
  }
}
