#include "sqi_quadrature.h"
#include "sqk_cell_measure.h"

/** Points of the first rule, at least, and of the next one more. */
#define GAUSS_FIRST 5
#define GAUSS_MORE 4
/** Two rules agree. */
#define AGREEMENT 1e-12

/**
 * Points and weights of rule n: Newton's iteration for the roots of Legendre's polynomial from the usual starts (Abramowitz and
 * Stegun, 22.7.10 and 25.4.29; Davis and Rabinowitz, Methods of Numerical Integration, section 2.7).
 */
static void fill_rule(int n, double* at, double* weight)
{
  for (int i = 0; i < n; ++i)
  {
    double x = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int step = 0; step < 8; ++step)
    {
      double p = x, before = 1.0;
      for (int k = 2; k <= n; ++k)
      {
        double next = ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
    }
    at[n - 1 - i] = 0.5 + 0.5 * x;
    weight[n - 1 - i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
}

void sqi_gauss_fill(sqi_gauss* rules)
{
  for (int n = 1; n <= SQI_GAUSS_MAX; ++n)
  {
    fill_rule(n, rules->at + n * (n - 1) / 2, rules->weight + n * (n - 1) / 2);
  }
}

/** Size of the map's derivative at r: |x_r|, |x_r x x_s| or x_r . (x_s x x_t), which has a sign. */
static double density(const sqk_cell* cell, const double r[3], const double factor[3])
{
  sqk_cell_root at;
  double n[3];
  int dimension = sqk_shape_dimension(cell->type);
  sqk_set3(r, at.r);
  sqk_cell_root_at(cell, &at);
  if (dimension == 1)
  {
    return sqk_measure_length(at.jacobian[0], factor);
  }
  sqk_cross3(at.jacobian[0], at.jacobian[1], n);
  return dimension == 2 ? sqk_measure_length(n, factor) : sqk_dot3(n, at.jacobian[2]);
}

/** The integral with n[k] points along parameter k; on simplices after Duffy's map. */
static double integral(
  const sqi_gauss* rules, const sqk_cell* cell, const int n[3], const double factor[3])
{
  int dimension = sqk_shape_dimension(cell->type);
  sqk_domain domain = sqk_shape_domain(cell->type);
  const double *at[3], *weight[3];
  double sum = 0.0;
  for (int k = 0; k < 3; ++k)
  {
    at[k] = rules->at + n[k] * (n[k] - 1) / 2;
    weight[k] = rules->weight + n[k] * (n[k] - 1) / 2;
  }
  for (int p = 0; p < n[0] * n[1] * n[2]; ++p)
  {
    const int i[3] = { p % n[0], p / n[0] % n[1], p / (n[0] * n[1]) };
    double r[3] = { 0.0, 0.0, 0.0 }, w = 1.0;
    for (int k = 0; k < dimension; ++k)
    {
      r[k] = at[k][i[k]];
      w *= weight[k][i[k]];
    }
    if (domain != SQK_DOMAIN_BOX && dimension > 1)
    {
      w *= 1.0 - r[0];
      r[1] *= 1.0 - r[0];
    }
    if (domain == SQK_DOMAIN_SIMPLEX && dimension > 2)
    {
      w *= 1.0 - r[0] - r[1];
      r[2] *= 1.0 - r[0] - r[1];
    }
    sum += w * density(cell, r, factor);
  }
  return fabs(sum);
}

static int is_rational(const sqk_cell* cell)
{
  for (int32_t i = 1; cell->rational && i < cell->count; ++i)
  {
    if (cell->rational[i] != cell->rational[0])
    {
      return 1;
    }
  }
  return 0;
}

/**
 * Points of the first rule along parameter k. Volumes are of degree 3 m - 1, Duffy's factors included, in parameters of order m, and those of
 * VTK's quadratic cells of at most 9.
 */
static int first_rule(const sqk_cell* cell, int k)
{
  int order = cell->layout ? cell->layout->order[k] : cell->type == SQK_CELL_TETRA_15 ? 4 : 2;
  int points = (3 * order + 1) / 2;
  points = points > GAUSS_FIRST ? points : GAUSS_FIRST;
  return k < sqk_shape_dimension(cell->type) ? points : 1;
}

double sqi_quadrature(const sqi_gauss* rules, const sqk_cell* cell, const double factor[3])
{
  int dimension = sqk_shape_dimension(cell->type), more = 1;
  int n[3] = { first_rule(cell, 0), first_rule(cell, 1), first_rule(cell, 2) };
  double last = integral(rules, cell, n, factor);
  while (more && (dimension < 3 || is_rational(cell)))
  {
    for (int k = 0; k < dimension; ++k)
    {
      n[k] += GAUSS_MORE;
      more &= n[k] + GAUSS_MORE <= SQI_GAUSS_MAX;
    }
    double next = integral(rules, cell, n, factor);
    /* NaN ends it, too. */
    more &= fabs(next - last) > AGREEMENT * next;
    last = next;
  }
  return last;
}
