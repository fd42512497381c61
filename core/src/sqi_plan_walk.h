#ifndef SQI_PLAN_WALK_H
#define SQI_PLAN_WALK_H
/**
 * The dual traversal as a visitor: all entries of a plan, target node by target node, without storing them (Dehnen 2002).
 *
 * A target node takes the list of sources that its parent left open, tests eight at a time, splits sources on a small
 * stack of its own, and leaves one list to both of its children. Work is cut into units: the subtrees below some level of the target tree. A
 * unit finds its way down from the root again, so no list is stored between units; what is found above it belongs to
 * the first unit below. So a unit writes to its own targets only, in an order that depends on nothing but the trees.
 */
#include "sqi_plan_tree.h"

/** Sources that a target node leaves to its children before they are looked at. */
#define SQI_PLAN_LIST 2048
/** 16 for each level and a batch more: each batch of 8 leaves at most 16, one level deeper. */
#define SQI_PLAN_STACK 1152
/** Sources handed to the visitor at once. */
#define SQI_PLAN_FOUND 256

/** Two leaves whose points are looked at one by one. Bit k of a mask is the k-th position of the leaf. */
typedef struct sqi_plan_leaf_pair
{
  uint32_t target;
  uint32_t source;
  const uint64_t* kept; /* targets that are not far from the source leaf */
  const uint64_t* passed; /* targets that are: near-far */
  const uint64_t* near; /* sources that are not far from the target leaf */
  const uint64_t* far; /* sources that are: far-near, for the kept targets */
  int64_t kept_count;
  int64_t passed_count;
  int64_t near_count;
  int64_t far_count;
} sqi_plan_leaf_pair;

typedef struct sqi_plan_visitor
{
  void (*far)(void* data, uint32_t target, const uint32_t* sources, int64_t count);
  void (*leaf)(void* data, const sqi_plan_leaf_pair* pair);
} sqi_plan_visitor;

/** Scratch of one level of the target tree. */
typedef struct sqi_plan_level
{
  uint32_t list[SQI_PLAN_LIST + 16];
  uint32_t list_steps[SQI_PLAN_LIST + 16];
  uint32_t stack[SQI_PLAN_STACK];
  uint32_t stack_steps[SQI_PLAN_STACK];
  uint32_t far[SQI_PLAN_FOUND + 16];
  uint32_t leaves[SQI_PLAN_FOUND + 16];
} sqi_plan_level;

/** One a thread. */
typedef struct sqi_plan_walker
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  double theta2; /* rounded to the type of the trees */
  const sqi_plan_visitor* visitor;
  void* data;
  sqi_plan_level* levels;
  uint64_t* masks; /* 2 x target_words, then 2 x source_words */
  int64_t target_words;
  int64_t source_words;
  int32_t path_length; /* path[0] = root ... path[path_length - 1] = the unit */
  uint32_t path[SQI_PLAN_DEPTH_MAX + 2];
  uint8_t emit[SQI_PLAN_DEPTH_MAX + 2]; /* whether what is found at path[k] goes to this unit */
  int32_t stop; /* 1: not below the last node of the path */
  int64_t node_pairs;
  uint32_t steps; /* most splits down to a pair */
} sqi_plan_walker;

/** What a walk needs beside its visitor: trees, units, scratch of all threads. */
typedef struct sqi_plan_walk
{
  const sqi_plan_tree* targets;
  const sqi_plan_tree* sources;
  double theta2;
  int64_t unit_count;
  uint32_t* units; /* nodes of the target tree */
  int32_t threads;
  sqi_plan_walker* walkers;
  sqi_plan_level* levels;
  int64_t level_count;
  uint64_t* masks;
  int64_t mask_count;
} sqi_plan_walk;

/** theta^2 as the reference has it: squared in double, rounded to the type. */
double sqi_plan_theta2(double theta, sq_type type);

/** `threads` walkers; units of about `unit_points` targets. On error *walk is all zero. No units where a tree has no points. */
sq_status sqi_plan_walk_begin(sq_context* context, const sqi_plan_tree* targets,
  const sqi_plan_tree* sources, double theta, int64_t unit_points, int32_t threads,
  sqi_plan_walk* walk);

void sqi_plan_walk_end(sq_context* context, sqi_plan_walk* walk);

/** Walks one unit; what is found above it goes to the visitor if it is the first unit below. */
void sqi_plan_walk_unit(sqi_plan_walker* walker, uint32_t unit);

/** Walks down to `node` and no further; what is found on the way there goes to the visitor too, if `above`. */
void sqi_plan_walk_to(sqi_plan_walker* walker, uint32_t node, int above);

/** One unit each in parallel; visitors get datas[thread]. */
sq_status sqi_plan_walk_all(
  sq_context* context, sqi_plan_walk* walk, const sqi_plan_visitor* visitor, void* const* datas);

/** The masks of two leaves; bits beyond the leaves and those of skipped points are 0. */
void sqi_plan_leaf_masks(
  sqi_plan_walker* walker, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair);

/** Calls `statement` with k = each set bit of `mask` (words of 64, `count` bits). */
#define SQI_PLAN_FOR_BITS(mask, count, k, statement)                \
  for (int64_t word_ = 0; word_ * 64 < (count); ++word_)            \
  {                                                                 \
    for (uint64_t bits_ = (mask)[word_]; bits_; bits_ &= bits_ - 1) \
    {                                                               \
      int64_t k = word_ * 64 + __builtin_ctzll(bits_);              \
      statement;                                                    \
    }                                                               \
  }

#endif
