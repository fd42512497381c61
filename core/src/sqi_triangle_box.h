#ifndef SQI_TRIANGLE_BOX_H
#define SQI_TRIANGLE_BOX_H
/** The boxes of a triangle list, for sqi_bvh_build(). */
#include <stdint.h>

/** 3 finite doubles a vertex, 3 vertex ids a triangle; borrowed. */
typedef struct sqi_triangle_view
{
  const double* vertices;
  const int32_t* corners;
} sqi_triangle_view;

/** An sqi_bvh_box; `data` is an sqi_triangle_view. */
static inline void sqi_triangle_box(const void* data, int64_t item, double lo[3], double hi[3])
{
  const sqi_triangle_view* t = (const sqi_triangle_view*)data;
  const int32_t* c = t->corners + 3 * item;
  for (int d = 0; d < 3; ++d)
  {
    double p = t->vertices[3 * (int64_t)c[0] + d];
    double q = t->vertices[3 * (int64_t)c[1] + d];
    double r = t->vertices[3 * (int64_t)c[2] + d];
    double least = p < q ? p : q;
    double most = p < q ? q : p;
    lo[d] = r < least ? r : least;
    hi[d] = r > most ? r : most;
  }
}

#endif
