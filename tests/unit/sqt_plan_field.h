#ifndef SQT_PLAN_FIELD_H
#define SQT_PLAN_FIELD_H
/** Fields of plans for tests, and their potentials by the letter of the sums, in long double. */
#include "sqt_plan.h"

/** A field of a pair of trees, with its parts: random strengths of both signs, random areas. */
typedef struct scene
{
  sqt_pair pair;
  sq_plan_field field;
  void* strengths;
  sq_aggregates* sources;
  sq_aggregates* targets; /* NULL: self */
  sq_aggregates_view s;
  sq_aggregates_view t;
  double* node_strengths;
} scene;

scene scene_make(sq_context* c, const sq_points* targets, const sq_points* sources,
  int64_t leaf_size, sq_kernel kernel, uint64_t seed);
void scene_free(scene* z);

/** Entry i of an array of a floating type. */
double scene_number(const void* data, sq_type type, int64_t i);

/** A point, or the centroid of a node. */
void scene_place(
  const sq_cluster_tree_view* v, const sq_aggregates_view* a, int node, int64_t id, double x[3]);

/** The kernels 1 to 5 of a squared distance, and between two places. */
long double scene_kernel(const sq_kernel* k, long double r2);
long double scene_between(const sq_kernel* k, const double x[3], const double y[3]);

/** phi[4 t + stream] and the sum of the absolute terms of every target, from the arrays of a plan; both are added to. */
void scene_by_letter(const scene* z, const sq_plan_view* v, long double* phi, long double* size);

/** The exact sum at one target. */
void scene_direct(const scene* z, int64_t target, long double* phi, long double* size);

/** Equal but for the rounding of a sum whose absolute terms come to `size`. */
int scene_near(double got, long double want, long double size);

/** `count` zeros; free(). */
double* scene_doubles(int64_t count);

#endif
