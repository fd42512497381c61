#include "sqi_regular_nets.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_layouts.h"

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

static const uint8_t TYPES[SQI_NET_TYPES] = { SQ_CELL_QUADRATIC_TETRA, SQ_CELL_QUADRATIC_HEXAHEDRON,
  SQ_CELL_QUADRATIC_WEDGE, SQ_CELL_TRIQUADRATIC_HEXAHEDRON, SQ_CELL_QUADRATIC_LINEAR_WEDGE,
  SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE, SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON, SQK_CELL_TETRA_15,
  SQK_CELL_WEDGE_21 };

double sqi_net_widened(const sqk_layout_factor* factor)
{
  return 1.0 + (factor->dimension + 1) * SQK_CURVED_NEAR;
}

void sqi_net_parameters(
  const sqk_layout_factor* factor, int32_t factor_count, int32_t i, double r[3])
{
  int parameter = 0;
  r[0] = r[1] = r[2] = 0.0;
  for (int f = 0; f < factor_count; i /= factor[f++].count)
  {
    uint8_t place[4];
    sqi_layout_lattice(factor + f, i % factor[f].count, place);
    for (int k = 0; k < factor[f].dimension; ++k)
    {
      r[parameter++] =
        sqi_net_widened(factor + f) * place[k + (factor[f].dimension > 1)] / factor[f].order -
        SQK_CURVED_NEAR;
    }
  }
}

int32_t sqi_net_neighbour(const sqk_layout_factor* factor, int32_t i, int k)
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

/** The factors of the map of a type, the first fastest; their number. */
static int32_t factors_of(int type, const sqk_layout_factor* fixed, sqk_layout_factor factor[3])
{
  sqk_domain domain = sqk_shape_domain(type);
  if (domain == SQK_DOMAIN_SIMPLEX)
  {
    factor[0] = fixed[type == SQK_CELL_TETRA_15 ? TETRA_4 : TETRA_2];
    return 1;
  }
  factor[0] = factor[1] = factor[2] = fixed[INTERVAL_2];
  if (domain == SQK_DOMAIN_WEDGE)
  {
    factor[0] = fixed[type == SQK_CELL_WEDGE_21 ? TRIANGLE_3 : TRIANGLE_2];
    return 2;
  }
  return 3;
}

static void set_pairs(const sqk_layout_factor* factor, int32_t factor_count, sqi_regular_net* net)
{
  int32_t stride = 1, parameter = 0;
  for (int f = 0; f < factor_count; stride *= factor[f++].count)
  {
    for (int k = 0; k < factor[f].dimension; ++k, ++parameter)
    {
      net->scale[parameter] = factor[f].order / sqi_net_widened(factor + f);
      for (int32_t i = 0; i < net->count; ++i)
      {
        int32_t along = i / stride % factor[f].count,
                next = sqi_net_neighbour(factor + f, along, k);
        if (next >= 0)
        {
          uint8_t* pair = net->pair[net->pairs++];
          pair[0] = (uint8_t)i, pair[1] = (uint8_t)(i + (next - along) * stride);
          pair[2] = (uint8_t)parameter;
        }
      }
    }
  }
}

/** Control points of the shape functions, three at a time, are the weights of their nodes in those of any cell. */
static void set_controls(
  const sqk_layout_factor* factor, int32_t factor_count, sqi_regular_net* net)
{
  double w[SQI_NET_POINTS][SQK_SHAPE_NODES], dw[3 * SQK_SHAPE_NODES];
  double x[3 * SQI_NET_POINTS], room[3 * SQI_NET_POINTS], weights = 0.0, growth = 0.0;
  int nodes = sqk_shape_nodes(net->type);
  for (int32_t i = 0; i < net->count; ++i)
  {
    double r[3];
    sqi_net_parameters(factor, factor_count, i, r);
    sqk_shape_evaluate(net->type, r, w[i], dw);
  }
  for (int n = 0; n < nodes; n += 3)
  {
    int together = nodes - n < 3 ? nodes - n : 3;
    for (int32_t i = 0; i < 3 * net->count; ++i)
    {
      x[i] = i % 3 < together ? w[i / 3][n + i % 3] : 0.0;
    }
    const double* control = sqk_layout_controls(factor, factor_count, net->count, x, room, &growth);
    for (int k = 0; k < together; ++k)
    {
      double most = 0.0;
      for (int32_t i = 0; i < net->count; ++i)
      {
        net->control[i][n + k] = control[3 * i + k];
        most = fmax(most, fabs(w[i][n + k]));
      }
      weights += most;
    }
  }
  net->error = growth * (net->count + 16.0) * SQK_CELL_EPSILON * weights;
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

sq_status sqi_regular_nets_build(sq_context* context, sqi_regular_net* nets)
{
  sqk_layout_factor fixed[FIXED_FACTORS] = { { 0 } };
  sq_status status = make_factors(context, fixed);
  for (int t = 0; t < SQI_NET_TYPES && status == SQ_OK; ++t)
  {
    sqk_layout_factor factor[3];
    int32_t count = factors_of(TYPES[t], fixed, factor);
    memset(nets + t, 0, sizeof(*nets));
    nets[t].type = TYPES[t];
    nets[t].count = 1;
    for (int f = 0; f < count; ++f)
    {
      nets[t].count *= factor[f].count;
    }
    set_controls(factor, count, nets + t);
    set_pairs(factor, count, nets + t);
  }
  for (int f = 0; f < FIXED_FACTORS; ++f)
  {
    sqi_layout_factor_release(&context->allocator, fixed + f);
  }
  return status;
}

const sqi_regular_net* sqi_regular_net_of(const sqi_regular_net* nets, int type)
{
  for (int t = 0; t < SQI_NET_TYPES; ++t)
  {
    if (nets[t].type == type)
    {
      return nets + t;
    }
  }
  return NULL;
}
