#include "sqi_alloc.h"
#include "sqi_winding_tree.h"

#include <math.h>

void sqi_winding_destroy(sqi_winding* winding)
{
  if (winding)
  {
    const sq_allocator allocator = winding->allocator;
    SQI_RELEASE(&allocator, winding->moments, winding->node_count);
    SQI_RELEASE(&allocator, winding->child, (int64_t)SQI_BVH_WIDTH * winding->node_count);
    SQI_RELEASE(&allocator, winding->leaves, winding->leaf_count);
    SQI_RELEASE(&allocator, winding, 1);
  }
}

int64_t sqi_winding_bytes(const sqi_winding* w)
{
  return w ? (int64_t)sizeof(*w) +
      w->node_count * (int64_t)(sizeof(sqi_moments) + SQI_BVH_WIDTH * sizeof(int32_t)) +
      w->leaf_count * (int64_t)sizeof(sqi_winding_leaf)
           : 0;
}

/** Beyond this many scene sizes every winding number is below rounding. */
static const double FAR_AWAY = 0x1p40;

static int is_far_away(const sqi_winding* w, const double x[3])
{
  double local[3];
  sqi_frame_local(&w->frame, x, local);
  return !(fabs(local[0]) < FAR_AWAY && fabs(local[1]) < FAR_AWAY && fabs(local[2]) < FAR_AWAY);
}

/** Expansions are only valid outside the radius of a group. */
static double valid_accuracy(double accuracy)
{
  return accuracy > 0.0 && accuracy < 1.0625 ? 1.0625 : accuracy;
}

/** The scaled x; whether anything is to be seen from there. */
static int is_seen(const sqi_winding* w, const double x[3], double scaled[3])
{
  for (int d = 0; d < 3; ++d)
  {
    scaled[d] = x[d] * w->frame.scale;
  }
  return w->node_count && !is_far_away(w, x);
}

double sqi_winding_number(
  const sqi_winding* winding, const double x[3], double accuracy, double* error)
{
  sqi_winding_sum_result sum = { 0.0, 0.0, 0.0, 0.0, 0.0 };
  double scaled[3];
  if (is_seen(winding, x, scaled))
  {
    sum = winding->sum(winding, scaled, valid_accuracy(accuracy), 0.0);
  }
  if (error)
  {
    *error = sum.error;
  }
  return sum.number;
}

/** The side is asked for with a coarser sum at first, which settles it nearly everywhere. */
static const double FIRST_OPENING = 0.75;

/** Finer than this the exact sum is no more work. */
static const double LAST_OPENING = 160.0;

double sqi_winding_error_expected(const sqi_winding_sum_result* sum)
{
  return fmin(sum->error, 0.5 * sum->spread);
}

/**
 * How far from x the number is sure to stay on the same side of 1/2, which it is `margin` away from. Per unit of area the k-th
 * term of the Taylor series of the kernel is at most (k + 1) t^k / gap^2, t = step / gap; from k = 1 on they sum to 1 / (1 - t)^2 - 1,
 * which is at most 15/4 t up to t = 1/3, that is for steps up to a third of every gap.
 */
static double steady_anywhere(double margin, double slope, double reach)
{
  double step = margin > 0.0 ? margin / (3.75 * slope) : 0.0;
  return fmin(step, reach / 3.0);
}

/**
 * The same for points that a path joins to x without crossing the surface. Along it the number changes as the solid angle
 * of the rim does, whose gradient is a line integral (Biot and Savart; Maxwell, "A Treatise on Electricity and Magnetism",
 * section 420): at most the rim's length over 4 pi gap^2. A ball of half the least gap holds no rim, so that it does not matter which
 * way the path goes, and no gap is less than half of what it is at x: 4 times the slope at most.
 */
static double steady_on_this_side(double margin, const sqi_winding_sum_result* sum)
{
  double step = margin > 0.0 ? margin / (4.0 * sum->slope) : 0.0;
  return fmin(step, 0.5 / sum->over_rim);
}

int sqi_winding_has_rim(const sqi_winding* winding)
{
  return winding->has_rim;
}

int sqi_winding_is_inside(const sqi_winding* winding, const double x[3],
  const sqi_winding_question* question, double* steady)
{
  double scaled[3];
  double scale = winding->frame.scale;
  double reach = steady ? question->reach * scale : 0.0;
  if (!is_seen(winding, x, scaled))
  {
    if (steady)
    {
      *steady = 0.0;
    }
    return 0;
  }
  for (double opening = FIRST_OPENING * question->accuracy;;)
  {
    sqi_winding_sum_result sum = winding->sum(winding, scaled, valid_accuracy(opening), reach);
    double number = question->is_flipped ? -sum.number : sum.number;
    double error = sqi_winding_error_expected(&sum);
    double margin = fabs(number - 0.5) - error;
    /* A whole number is known once the error is below 1/2. */
    if (opening == 0.0 || margin > 0.0 || (question->is_whole && error < 0.45))
    {
      if (steady)
      {
        *steady = (winding->has_rim ? steady_on_this_side(margin, &sum)
                                    : steady_anywhere(margin, sum.slope, reach)) /
          scale;
      }
      return number > 0.5;
    }
    opening = opening < LAST_OPENING ? 2.0 * opening : 0.0;
  }
}
