#ifndef SQI_WINDING_H
#define SQI_WINDING_H
/**
 * Generalised winding number of a triangle set: the sum of the signed solid angles over 4 pi (Jacobson, Kavan
 * and Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", SIGGRAPH 2013),
 * with second-order expansions of far groups (Barill, Dickson, Schmidt, Levin and Jacobson, "Fast winding numbers
 * for soups and clouds", SIGGRAPH 2018).
 */
#include "sqi_triangle_index.h"

typedef struct sqi_winding sqi_winding;

/** What to sum over. Nothing of it is kept. */
typedef struct sqi_winding_surface
{
  const double* vertices; /* 3 finite doubles each */
  const int32_t* corners; /* 3 vertex ids a triangle */
  int32_t triangle_count;
  const sqi_triangle_index* index; /* of these triangles, whose tree is taken; NULL: one is built */
  const uint8_t* left_out; /* by triangle: counts for nothing; NULL: none */
  /*
   * By triangle: length of those of its edges that are used more in one direction than in the other, times how much more; an edge
   * may be counted at any triangle that uses it. NULL: not known.
   */
  const double* rim;
} sqi_winding_surface;

/** Triangles without area carry no solid angle. */
sq_status sqi_winding_build(
  sq_context* context, const sqi_winding_surface* surface, sqi_winding** winding);

void sqi_winding_destroy(sqi_winding* winding);

int64_t sqi_winding_bytes(const sqi_winding* winding);

/**
 * The winding number at a finite x. A group is expanded where its distance exceeds `accuracy` times its radius; 0 sums
 * every triangle exactly. *error (may be NULL) bounds what the expansions left out; it does not count rounding.
 * x on a triangle gives the mean of both sides, up to rounding. The same bits at every instruction set level.
 */
double sqi_winding_number(
  const sqi_winding* winding, const double x[3], double accuracy, double* error);

/** Whether the rim was given. */
int sqi_winding_has_rim(const sqi_winding* winding);

/** What is asked of a side. */
typedef struct sqi_winding_question
{
  double accuracy; /* as in sqi_winding_number */
  int is_flipped; /* the surface faces inward: whether the number is below -1/2 */
  /* Every edge is used equally often in both directions and x is not on the surface, so that the number is whole. */
  int is_whole;
  double reach; /* no triangle is nearer to x */
} sqi_winding_question;

/**
 * Whether the winding number at x exceeds 1/2: starts with a sum somewhat coarser than `accuracy` and doubles that as long as
 * its error (sqi_winding_error_expected) leaves the answer open; 0: the exact sum.
 * *steady (may be NULL): points within this distance of x are on the same side; where the rim is known, points
 * within this distance that a path within it joins to x without crossing the surface.
 */
int sqi_winding_is_inside(const sqi_winding* winding, const double x[3],
  const sqi_winding_question* question, double* steady);

#endif
