#ifndef SQI_TRIANGLE_INDEX_TREE_H
#define SQI_TRIANGLE_INDEX_TREE_H
/**
 * The inside of the triangle index: nodes of 8 children, blocks of 8 triangles, all in float in the frame of the tree.
 * They only decide which triangles are measured; the answer comes from the caller's doubles.
 */
#include "sqi_bvh.h"
#include "sqi_triangle_index.h"

/** A coordinate outside the frame, for children and triangles that are not there: farther than any bound. */
#define SQI_NOWHERE 0x1p40f
/** A local distance above all that occur and below those to SQI_NOWHERE. */
#define SQI_NO_REACH 0x1p30f
/** Queries up to this local coordinate are searched in float; the next ones in double; the last are drawn near first. */
#define SQI_FLOAT_REACH 256.0
#define SQI_DOUBLE_REACH 0x1p40

/**
 * Beside its box every child has a cylinder: all of it lies within `half` of the plane through `centre` across
 * `axis`, and within `radius` of the axis. On a smooth surface the box is loose by the size of the patch, the
 * cylinder only by its sagitta. A child without one has radius SQI_NOWHERE and axis 0.
 */
typedef struct sqi_triangle_node
{
  float lo[3][SQI_BVH_WIDTH];
  float hi[3][SQI_BVH_WIDTH];
  float centre[3][SQI_BVH_WIDTH];
  float axis[3][SQI_BVH_WIDTH];
  float half[SQI_BVH_WIDTH];
  float radius[SQI_BVH_WIDTH];
  int32_t child[SQI_BVH_WIDTH]; /* >= 0: a node; < 0: block ~child */
  int32_t padding[8];
} sqi_triangle_node;

/**
 * Eight triangles around `origin`, so that rounding is relative to the block and the distance to it, not to the scene. Each
 * is in a frame of its own: x along its longest edge from corner A to B, z along its normal. There A = (0,
 * 0), B = (length, 0), and C lies at `ac_length` from A in direction (ac_x, ac_y) and at `bc_length` from B in direction
 * (bc_x, bc_y), with ac_x >= 0 >= bc_x and ac_y, bc_y >= 0.
 */
typedef struct sqi_triangle_block
{
  float a[3][SQI_LANES];
  float x[3][SQI_LANES];
  float y[3][SQI_LANES];
  float z[3][SQI_LANES];
  float length[SQI_LANES];
  float ac_x[SQI_LANES];
  float ac_y[SQI_LANES];
  float ac_length[SQI_LANES];
  float bc_x[SQI_LANES];
  float bc_y[SQI_LANES];
  float bc_length[SQI_LANES];
  int32_t id[SQI_LANES]; /* -1: none */
  float origin[3];
  float size; /* no corner is farther from the origin */
  int32_t padding[12];
} sqi_triangle_block;

struct sqi_triangle_index
{
  sqi_frame frame;
  double largest; /* coordinate of a triangle */
  int extreme; /* squares of coordinates may leave the range of double */
  double lo[3]; /* box of the triangles */
  double hi[3];
  const double* vertices;
  const int32_t* corners;
  sqi_triangle_node* nodes;
  sqi_triangle_block* blocks;
  int32_t node_count; /* 0: no triangles */
  int32_t block_count;
  int32_t triangle_count;
  sq_allocator allocator;
};

/** Local coordinates of the corners of a triangle. */
static inline void sqi_triangle_local(
  const sqi_triangle_index* index, int32_t triangle, double corner[3][3])
{
  for (int k = 0; k < 3; ++k)
  {
    sqi_frame_local(&index->frame,
      index->vertices + 3 * (int64_t)index->corners[3 * (int64_t)triangle + k], corner[k]);
  }
}

/** Fills the blocks; block b holds order[begins[b]] ... order[ends[b] - 1]; one function per instruction set level. */
sq_status sqi_triangle_index_fill_blocks_generic(sq_context*, sqi_triangle_index*,
  const int32_t* order, const int32_t* begins, const int32_t* ends);
sq_status sqi_triangle_index_fill_blocks_avx2(sq_context*, sqi_triangle_index*,
  const int32_t* order, const int32_t* begins, const int32_t* ends);
sq_status sqi_triangle_index_fill_blocks_avx512(sq_context*, sqi_triangle_index*,
  const int32_t* order, const int32_t* begins, const int32_t* ends);

/** Sets the cylinders of all children, from the boxes' tree; one function per instruction set level. */
sq_status sqi_triangle_index_fill_cylinders_generic(
  sq_context*, sqi_triangle_index*, const sqi_bvh*);
sq_status sqi_triangle_index_fill_cylinders_avx2(sq_context*, sqi_triangle_index*, const sqi_bvh*);
sq_status sqi_triangle_index_fill_cylinders_avx512(
  sq_context*, sqi_triangle_index*, const sqi_bvh*);

/** Queries that follow one another in space, and what each of them wants. */
typedef struct sqi_search_run
{
  const sqi_triangle_index* index;
  const double (*points)[3];
  const int64_t* queries; /* their numbers for the sink */
  int32_t count;
  int32_t thread;
  int32_t seed; /* the block that held the last answer, -1 without one */
  double max_distance;
  int statistics;
  sqi_hit_sink sink;
  void* user;
} sqi_search_run;

/** Answers a run, and leaves its seed for the next; one function per instruction set level. */
typedef void (*sqi_search_function)(sqi_search_run* run);

void sqi_search_generic(sqi_search_run* run);
void sqi_search_avx2(sqi_search_run* run);
void sqi_search_avx512(sqi_search_run* run);

/** A finite query beyond SQI_FLOAT_REACH. */
void sqi_search_far(const sqi_search_run* run, const double x[3], sqi_hit* hit);

/** The answer to a query that has none. */
void sqi_hit_clear(sqi_hit* hit);

#endif
