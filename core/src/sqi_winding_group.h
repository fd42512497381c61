#ifndef SQI_WINDING_GROUP_H
#define SQI_WINDING_GROUP_H
/** Moments of groups of triangles, and of the groups that they join to, eight at a time. */
#include "sqi_winding_tree.h"

/** Moments of one group about its centre; layout of sqi_moments. */
typedef struct sqi_group
{
  double centre[3];
  double radius;
  double n[3];
  double a[5];
  double b[7];
  double third;
  double area;
  double rim;
} sqi_group;

/** Up to eight groups, a lane each; the others have no area, no moments and radius 0. `moments.steep` is the rim. */
typedef struct sqi_group_parts
{
  sqi_moments moments;
  double area[SQI_BVH_WIDTH];
  unsigned present; /* a bit a lane */
} sqi_group_parts;

/** The group of groups, about their area-weighted centre (the mean, where none has an area). */
typedef void (*sqi_group_joiner)(const sqi_group_parts* parts, sqi_group* group);

void sqi_group_join_generic(const sqi_group_parts*, sqi_group*);
void sqi_group_join_avx2(const sqi_group_parts*, sqi_group*);
void sqi_group_join_avx512(const sqi_group_parts*, sqi_group*);

/** The group of the first `count` triangles of a leaf, of which there is one; `rim`: eight, by lane. */
typedef void (*sqi_group_of_leaf)(
  const sqi_winding_leaf* leaf, int count, const double* rim, sqi_group* group);

void sqi_group_leaf_generic(const sqi_winding_leaf*, int count, const double*, sqi_group*);
void sqi_group_leaf_avx2(const sqi_winding_leaf*, int count, const double*, sqi_group*);
void sqi_group_leaf_avx512(const sqi_winding_leaf*, int count, const double*, sqi_group*);

#endif
