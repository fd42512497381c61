#ifndef SQI_SDF_REFERENCE_H
#define SQI_SDF_REFERENCE_H
/** What a surface of SQ_SDF_REFERENCE holds and how it answers; see sq_sdf_mode. */
#include "sqi_surface.h"

struct sqi_sdf_reference
{
  sq_allocator allocator;
  sqi_bvh bvh; /* over the repaired triangles */
  float band; /* within which faces count as near */
};

/** Rounds all vertices to float32 and repairs degenerate faces, each with a vertex of its own. */
sq_status sqi_sdf_reference_repair(sq_context* context, sq_surface* surface);

/** Takes the tree over the surface's triangles, which is empty afterwards, on errors too. */
sq_status sqi_sdf_reference_build(sq_context* context, sq_surface* surface, sqi_bvh* bvh);

void sqi_sdf_reference_destroy(sqi_sdf_reference* reference);

int64_t sqi_sdf_reference_bytes(const sqi_sdf_reference* reference);

/**
 * The answer to query x, whose closest triangle in double is `near`: distance, point, barycentrics and triangle in `hit`, and
 * whether the pseudonormal says inside. 0 where no face is closer than max_distance.
 */
int sqi_sdf_reference_answer(const sq_surface* surface, const double x[3], const sqi_hit* near,
  double max_distance, sqi_hit* hit, int* is_inside);

#endif
