#include "sqi_layouts.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_view.h"

#include <string.h>

/** Codes of a type and three orders. */
#define CODES (13 * SQK_ORDER_MAX * SQK_ORDER_MAX * SQK_ORDER_MAX)

static int32_t points_of(int type, const int32_t order[3])
{
  int32_t n = order[0] + 1, m = order[1] + 1, k = order[2] + 1;
  switch (sqk_shape_domain(type))
  {
    case SQK_DOMAIN_SIMPLEX:
      return sqk_shape_dimension(type) == 1 ? n
        : sqk_shape_dimension(type) == 2    ? n * (n + 1) / 2
                                            : n * (n + 1) * (n + 2) / 6;
    case SQK_DOMAIN_WEDGE:
      return n * (n + 1) / 2 * k;
    default:
      return sqk_shape_dimension(type) == 2 ? n * m : n * m * k;
  }
}

sqi_order_state sqi_layout_orders(int type, int64_t count, const uint8_t* degrees, int32_t order[3])
{
  sqk_domain domain = sqk_shape_domain(type);
  int dimension = sqk_shape_dimension(type);
  if (degrees && degrees[0] && domain != SQK_DOMAIN_SIMPLEX)
  {
    int high = 0, low = 0;
    for (int k = 0; k < 3; ++k)
    {
      order[k] = k < dimension ? degrees[k] : 1;
      high |= order[k] > SQK_ORDER_MAX;
      low |= order[k] < 1;
    }
    int wrong = low || (domain == SQK_DOMAIN_WEDGE && order[0] != order[1]);
    return !wrong && high                        ? SQI_ORDER_TOO_HIGH
      : wrong || points_of(type, order) != count ? SQI_ORDER_WRONG
                                                 : SQI_ORDER_FITS;
  }
  for (int32_t n = 1; n <= SQK_ORDER_MAX; ++n)
  {
    order[0] = order[1] = order[2] = n;
    if (points_of(type, order) >= count)
    {
      return points_of(type, order) == count ? SQI_ORDER_FITS : SQI_ORDER_WRONG;
    }
  }
  return SQI_ORDER_TOO_HIGH;
}

static int32_t code_of(int type, const int32_t order[3])
{
  int32_t code = type - SQ_CELL_LAGRANGE_CURVE;
  for (int k = 0; k < 3; ++k)
  {
    code = code * SQK_ORDER_MAX + order[k] - 1;
  }
  return code;
}

const sqk_layout* sqi_layout_of(
  const sqi_layouts* layouts, int type, int64_t count, const uint8_t* degrees)
{
  int32_t order[3];
  (void)sqi_layout_orders(type, count, degrees, order);
  return layouts->list + layouts->of_code[code_of(type, order)];
}

int32_t sqi_layout_place(const sqk_layout_factor* factor, const uint8_t* at)
{
  if (factor->dimension == 1)
  {
    return at[0];
  }
  /* Points with smaller at[3], then smaller at[2]: sums of triangular and tetrahedral numbers. */
  int32_t n = factor->order, place = at[1];
  for (int32_t k = 0; factor->dimension == 3 && k < at[3]; ++k)
  {
    place += (n - k + 1) * (n - k + 2) / 2;
  }
  n -= factor->dimension == 3 ? at[3] : 0;
  for (int32_t j = 0; j < at[2]; ++j)
  {
    place += n - j + 1;
  }
  return place;
}

void sqi_layout_lattice(const sqk_layout_factor* factor, int32_t i, uint8_t at[4])
{
  int32_t n = factor->order, j = 0, k = 0;
  at[0] = (uint8_t)i, at[1] = at[2] = at[3] = 0;
  if (factor->dimension == 1)
  {
    return;
  }
  for (; factor->dimension == 3 && i >= (n - k + 1) * (n - k + 2) / 2; ++k)
  {
    i -= (n - k + 1) * (n - k + 2) / 2;
  }
  for (; i >= n - k - j + 1; ++j)
  {
    i -= n - k - j + 1;
  }
  at[0] = (uint8_t)(n - i - j - k), at[1] = (uint8_t)i, at[2] = (uint8_t)j, at[3] = (uint8_t)k;
}

/** Values of Bernstein's functions (columns) at the lattice points (rows). */
static void fill_values(const sqk_layout_factor* factor, uint8_t (*lattice)[4], double* values)
{
  sqk_layout one;
  memset(&one, 0, sizeof(one));
  one.type = factor->dimension == 1 ? SQ_CELL_BEZIER_CURVE
    : factor->dimension == 2        ? SQ_CELL_BEZIER_TRIANGLE
                                    : SQ_CELL_BEZIER_TETRAHEDRON;
  one.count = factor->count;
  one.factor_count = 1;
  one.factor[0] = *factor;
  one.index = (const uint8_t(*)[4])lattice;
  for (int32_t i = 0; i < factor->count; ++i)
  {
    double r[3];
    sqk_layout_node(&one, i, r);
    sqk_layout_weights(&one, NULL, r, values + (int64_t)i * factor->count);
  }
}

/** Replaces the matrix a (destroyed) by its inverse in b: Gauss and Jordan with row pivots. 0 if it has none. */
static int invert(double* a, double* b, int32_t n)
{
  for (int64_t i = 0; i < (int64_t)n * n; ++i)
  {
    b[i] = i / n == i % n ? 1.0 : 0.0;
  }
  for (int32_t c = 0; c < n; ++c)
  {
    int32_t pivot = c;
    for (int32_t r = c + 1; r < n; ++r)
    {
      pivot = fabs(a[(int64_t)r * n + c]) > fabs(a[(int64_t)pivot * n + c]) ? r : pivot;
    }
    double *top = a + (int64_t)c * n, *under = b + (int64_t)c * n, *other = a + (int64_t)pivot * n;
    double* below = b + (int64_t)pivot * n;
    if (!(fabs(other[c]) > 0.0))
    {
      return 0;
    }
    double scale = 1.0 / other[c];
    for (int32_t k = 0; k < n; ++k)
    {
      double x = other[k] * scale, y = below[k] * scale;
      other[k] = top[k], below[k] = under[k];
      top[k] = x, under[k] = y;
    }
    for (int32_t r = 0; r < n; ++r)
    {
      double f = r == c ? 0.0 : a[(int64_t)r * n + c];
      for (int32_t k = 0; f != 0.0 && k < n; ++k)
      {
        a[(int64_t)r * n + k] -= f * top[k];
        b[(int64_t)r * n + k] -= f * under[k];
      }
    }
  }
  return 1;
}

static double norm_of(const double* a, int32_t n)
{
  double norm = 0.0;
  for (int32_t i = 0; i < n; ++i)
  {
    double sum = 0.0;
    for (int32_t k = 0; k < n; ++k)
    {
      sum += fabs(a[(int64_t)i * n + k]);
    }
    norm = fmax(norm, sum);
  }
  return norm;
}

sq_status sqi_layout_factor_build(sq_context* context, sqk_layout_factor* factor)
{
  int64_t size = (int64_t)factor->count * factor->count;
  uint8_t(*lattice)[4] = NULL;
  double *values = NULL, *matrix = NULL;
  sq_status status = SQI_NEW(context, &lattice, factor->count);
  status = status == SQ_OK ? SQI_NEW(context, &values, size) : status;
  status = status == SQ_OK ? SQI_NEW(context, &matrix, size) : status;
  if (status == SQ_OK)
  {
    for (int32_t i = 0; i < factor->count; ++i)
    {
      sqi_layout_lattice(factor, i, lattice[i]);
    }
    fill_values(factor, lattice, values);
    (void)invert(values, matrix, factor->count);
    factor->bernstein = matrix;
    factor->norm = norm_of(matrix, factor->count);
  }
  SQI_FREE(context, lattice, factor->count);
  SQI_FREE(context, values, size);
  return status;
}

void sqi_layout_factor_set(sqk_layout_factor* factor, int dimension, int32_t order)
{
  factor->dimension = dimension;
  factor->order = order;
  factor->count = dimension == 1 ? order + 1
    : dimension == 2             ? (order + 1) * (order + 2) / 2
                                 : (order + 1) * (order + 2) * (order + 3) / 6;
  factor->bernstein = NULL;
  factor->norm = 1.0;
}

void sqi_layout_factor_release(const sq_allocator* allocator, sqk_layout_factor* factor)
{
  int64_t size = (int64_t)factor->count * factor->count;
  sqi_release(allocator, (void*)factor->bernstein, size, sizeof(double));
  factor->bernstein = NULL;
}

static void set_factor(sqk_layout* layout, int dimension, int32_t order)
{
  sqi_layout_factor_set(layout->factor + layout->factor_count++, dimension, order);
}

static void set_factors(sqk_layout* layout)
{
  int dimension = sqk_shape_dimension(layout->type);
  layout->factor_count = 0;
  switch (sqk_shape_domain(layout->type))
  {
    case SQK_DOMAIN_SIMPLEX:
      set_factor(layout, dimension, layout->order[0]);
      break;
    case SQK_DOMAIN_WEDGE:
      set_factor(layout, 2, layout->order[0]);
      set_factor(layout, 1, layout->order[2]);
      break;
    default:
      for (int k = 0; k < dimension; ++k)
      {
        set_factor(layout, 1, layout->order[k]);
      }
      break;
  }
}

/** Fills a layout that has its type, orders and count. */
static sq_status make_layout(sq_context* context, sqk_layout* layout)
{
  uint8_t(*index)[4] = NULL;
  int32_t* place = NULL;
  sq_status status = SQI_NEW(context, &index, layout->count);
  layout->index = (const uint8_t(*)[4])index;
  status = status == SQ_OK ? SQI_NEW(context, &place, layout->count) : status;
  layout->place = place;
  set_factors(layout);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_layout_nodes(layout->type, layout->order, index);
  for (int32_t i = 0; i < layout->count; ++i)
  {
    int32_t stride = 1, table = 0;
    place[i] = 0;
    for (int f = 0; f < layout->factor_count; ++f)
    {
      place[i] += stride * sqi_layout_place(layout->factor + f, index[i] + table);
      stride *= layout->factor[f].count;
      table += layout->factor[f].dimension > 1 ? layout->factor[f].dimension + 1 : 1;
    }
  }
  for (int f = 0; f < layout->factor_count && status == SQ_OK; ++f)
  {
    status = sqi_layout_factor_build(context, layout->factor + f);
  }
  return status;
}

/** Marks the codes that a block has with 0; 1 where there are any. */
static int mark_codes(const sq_cells* block, int16_t* of_code)
{
  int any = 0;
  for (int64_t c = 0; c < block->count; ++c)
  {
    int64_t count = sqi_cell_offset(block, c + 1) - sqi_cell_offset(block, c);
    int type = sqk_shape_kind(sqi_cell_kind(block, c), count);
    int32_t order[3];
    if (!count || !sqk_shape_is_layout(type) ||
      sqi_layout_orders(type, count, sqi_cell_degrees(block, c), order) != SQI_ORDER_FITS)
    {
      continue;
    }
    any = 1;
    if (of_code)
    {
      of_code[code_of(type, order)] = 0;
    }
  }
  return any;
}

/** Numbers the codes and makes a layout of each. */
static sq_status make_layouts(sq_context* context, sqi_layouts* layouts)
{
  int32_t count = 0;
  for (int32_t code = 0; code < CODES; ++code)
  {
    count += layouts->of_code[code] >= 0;
  }
  sq_status status = SQI_NEW(context, &layouts->list, count);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(layouts->list, 0, (size_t)count * sizeof(*layouts->list));
  layouts->count = count;
  count = 0;
  for (int32_t code = 0; code < CODES && status == SQ_OK; ++code)
  {
    if (layouts->of_code[code] < 0)
    {
      continue;
    }
    sqk_layout* layout = layouts->list + count;
    layouts->of_code[code] = (int16_t)count++;
    int32_t rest = code;
    for (int k = 2; k >= 0; --k, rest /= SQK_ORDER_MAX)
    {
      layout->order[k] = rest % SQK_ORDER_MAX + 1;
    }
    layout->type = SQ_CELL_LAGRANGE_CURVE + rest;
    layout->count = points_of(layout->type, layout->order);
    layouts->node_max = layout->count > layouts->node_max ? layout->count : layouts->node_max;
    status = make_layout(context, layout);
  }
  return status;
}

sq_status sqi_layouts_build(
  sq_context* context, const sq_cells* blocks, int32_t block_count, sqi_layouts* layouts)
{
  int any = 0;
  for (int32_t b = 0; b < block_count && !any; ++b)
  {
    any = mark_codes(blocks + b, NULL);
  }
  if (!any)
  {
    return SQ_OK;
  }
  sq_status status = SQI_NEW(context, &layouts->of_code, CODES);
  if (status != SQ_OK)
  {
    return status;
  }
  memset(layouts->of_code, -1, CODES * sizeof(*layouts->of_code));
  for (int32_t b = 0; b < block_count; ++b)
  {
    (void)mark_codes(blocks + b, layouts->of_code);
  }
  return make_layouts(context, layouts);
}

void sqi_layouts_release(const sq_allocator* allocator, sqi_layouts* layouts)
{
  for (int32_t i = 0; i < layouts->count; ++i)
  {
    sqk_layout* layout = layouts->list + i;
    sqi_release(allocator, (void*)layout->index, layout->count, sizeof(*layout->index));
    sqi_release(allocator, (void*)layout->place, layout->count, sizeof(*layout->place));
    for (int f = 0; f < layout->factor_count; ++f)
    {
      sqi_layout_factor_release(allocator, layout->factor + f);
    }
  }
  SQI_RELEASE(allocator, layouts->list, layouts->count);
  SQI_RELEASE(allocator, layouts->of_code, CODES);
}

int64_t sqi_layouts_bytes(const sqi_layouts* layouts)
{
  int64_t bytes = layouts->of_code ? CODES * (int64_t)sizeof(*layouts->of_code) : 0;
  for (int32_t i = 0; i < layouts->count; ++i)
  {
    const sqk_layout* layout = layouts->list + i;
    bytes += (int64_t)sizeof(*layout) +
      layout->count * (int64_t)(sizeof(*layout->index) + sizeof(*layout->place));
    for (int f = 0; f < layout->factor_count; ++f)
    {
      const sqk_layout_factor* factor = layout->factor + f;
      bytes +=
        factor->bernstein ? (int64_t)factor->count * factor->count * (int64_t)sizeof(double) : 0;
    }
  }
  return bytes;
}
