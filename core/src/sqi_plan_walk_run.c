/** The traversal at one instruction set level, for both types. */
#include "sqi_plan_walk_run.h"
#include "sqi_level.h"
#include "sqi_simd.h"

#include <string.h>

typedef double wide_d8 __attribute__((vector_size(64)));
typedef int64_t wide_i8 __attribute__((vector_size(64)));

static inline unsigned bits_f32(sqi_i8 mask)
{
  return sqi_mask8(mask);
}

static inline unsigned bits_f64(wide_i8 mask)
{
  return sqi_mask8(__builtin_convertvector(mask >> 32, sqi_i8));
}

static inline wide_d8 larger_f64(wide_d8 a, wide_d8 b)
{
  wide_i8 m = a > b;
  return (wide_d8)((m & (wide_i8)a) | (~m & (wide_i8)b));
}

static inline wide_d8 smaller_f64(wide_d8 a, wide_d8 b)
{
  wide_i8 m = a < b;
  return (wide_d8)((m & (wide_i8)a) | (~m & (wide_i8)b));
}

#define REAL float
#define VEC sqi_f8
#define MASK sqi_i8
#define NAME(x) x##_f32
#define bits_of bits_f32
#define larger sqi_max8
#define smaller sqi_min8
#include "sqi_plan_walk_type.h"
#undef REAL
#undef VEC
#undef MASK
#undef NAME
#undef bits_of
#undef larger
#undef smaller

#define REAL double
#define VEC wide_d8
#define MASK wide_i8
#define NAME(x) x##_f64
#define bits_of bits_f64
#define larger larger_f64
#define smaller smaller_f64
#include "sqi_plan_walk_type.h"

void SQI_LEVEL_NAME(sqi_plan_visit)(sqi_plan_walker* w)
{
  const uint32_t root = 0, step = 0;
  if (w->targets->type == SQ_FLOAT32)
  {
    visit_f32(w, 0, 0, &root, &step, 1);
  }
  else
  {
    visit_f64(w, 0, 0, &root, &step, 1);
  }
}

void SQI_LEVEL_NAME(sqi_plan_masks)(
  sqi_plan_walker* w, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair)
{
  if (w->targets->type == SQ_FLOAT32)
  {
    leaf_masks_f32(w, target, source, pair);
  }
  else
  {
    leaf_masks_f64(w, target, source, pair);
  }
}

void SQI_LEVEL_NAME(sqi_plan_sort_pairs)(const sqi_plan_tree* targets, const sqi_plan_tree* sources,
  double theta2, const sqi_plan_node_pair* pairs, int64_t count, uint8_t* kinds)
{
  if (targets->type == SQ_FLOAT32)
  {
    sort_pairs_f32(targets, sources, theta2, pairs, count, kinds);
  }
  else
  {
    sort_pairs_f64(targets, sources, theta2, pairs, count, kinds);
  }
}
