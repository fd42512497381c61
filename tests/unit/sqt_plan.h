#ifndef SQT_PLAN_H
#define SQT_PLAN_H
/** Plans for tests: trees of point sets, the plan by the letter of the reference, and what a plan covers. */
#include "sqt_tree.h"

#include "spatialqueries/sq_plan_evaluate.h"

/** Two trees; the same handle for self-interaction. */
typedef struct sqt_pair
{
  sq_cluster_tree* targets;
  sq_cluster_tree* sources;
  sq_cluster_tree_view t;
  sq_cluster_tree_view s;
} sqt_pair;

/** `sources` NULL: self. Skipped points are kept in the trees. Release with sqt_pair_destroy(). */
sqt_pair sqt_pair_build(
  sq_context* context, const sq_points* targets, const sq_points* sources, int64_t leaf_size);
void sqt_pair_destroy(sqt_pair* pair);

/** Theta and expand, skipped points allowed, no limit of bytes. */
sq_plan_options sqt_plan_options(double theta, int expand);

/** A plan that must come out well. */
sq_plan* sqt_plan_build(
  sq_context* context, const sqt_pair* pair, double theta, int expand, sq_plan_view* view);

/** A list that grows. */
typedef struct sqt_list
{
  int64_t* data;
  int64_t count;
  int64_t room;
} sqt_list;

void sqt_list_add(sqt_list* list, int64_t x);

/** The plan written by the letter of the specification: one pair at a time, lists, stable sorts. */
typedef struct sqt_plan
{
  sqt_list arrays[11]; /* in the order of sq_plan_view */
  int32_t iterations;
} sqt_plan;

sqt_plan sqt_plan_by_letter(const sqt_pair* pair, double theta, int expand);
void sqt_plan_free(sqt_plan* plan);

/** All eleven arrays are equal. */
int sqt_plan_equal(const sq_plan_view* got, const sqt_plan* want, const char* what);

/** The eleven arrays of a view, in its order. */
void sqt_plan_arrays(const sq_plan_view* view, const int64_t* arrays[11], int64_t counts[11]);

/** How often each stream covers each pair: covers[(stream * targets + t) * sources + s]; free() it. */
uint8_t* sqt_plan_cover(const sq_plan_view* view, const sqt_pair* pair);

/** Every pair of present points is covered once, no other pair is. */
int sqt_plan_covers_once(const uint8_t* cover, const sqt_pair* pair);

/** Whether a point has finite coordinates only. */
int sqt_is_present(const sq_cluster_tree_view* view, int64_t id);

/** Fibonacci sphere of `count` points in float32, as in the specification; free(points.data). */
sq_points sqt_fibonacci_sphere(int64_t count);

#endif
