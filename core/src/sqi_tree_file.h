#ifndef SQI_TREE_FILE_H
#define SQI_TREE_FILE_H
/** What the files of both trees have in common, and how an opened folder is checked. */
#include "sqi_container.h"
#include "sqi_reference_tree.h"

#define SQI_CLASS_BVH "physicsnemo.mesh.spatial.bvh.BVH"
#define SQI_CLASS_CLUSTER_TREE "physicsnemo.mesh.spatial.cluster_tree.ClusterTree"
#define SQI_CLASS_AGGREGATES "physicsnemo.mesh.spatial.cluster_tree.SourceAggregates"

#define SQI_MASK_REAL (1u << SQ_FLOAT32 | 1u << SQ_FLOAT64)
#define SQI_MASK_INDEX (1u << SQ_INT64)

/** Arrays for saving. */
sqi_array sqi_array_of(const char* name, sq_type type, const void* data, int64_t rows);
sqi_array sqi_array_of_rows(
  const char* name, sq_type type, const void* data, int64_t rows, int64_t columns);

/** SQ_INVALID_ARGUMENT where there is nothing to save or nowhere to save it to. */
sq_status sqi_check_save(sq_context* context, const void* handle, const char* folder);

/** The array must be there with `rows` rows (-1: any number) of indices or of numbers of `type`. */
sq_status sqi_need_indices(
  sq_context* context, const sqi_container* c, const char* name, int64_t rows, int64_t** data);
sq_status sqi_need_reals(sq_context* context, const sqi_container* c, const char* name,
  sq_type type, int64_t rows, void** data);
/** The same of rows of `dimension` numbers. */
sq_status sqi_need_points(sq_context* context, const sqi_container* c, const char* name,
  sq_type type, int32_t dimension, int64_t rows, void** data);

/** The rows of numbers that set type (one of SQI_MASK_REAL) and dimension (1 to 3) of all others. */
sq_status sqi_need_first_points(
  sq_context* context, const sqi_container* c, const char* name, const sqi_array** array);

/** Fails if there are other arrays than `count` at the top level, or a nested set where none of that name may be (NULL: none). */
sq_status sqi_need_no_more(
  sq_context* context, const sqi_container* c, int32_t count, const char* nested_name);

/** sqi_container_close as an unmap(). */
void sqi_unmap_container(void* container);

/**
 * Fills a tree whose mapping is an opened folder. The topology must be the one that its number of items and its largest leaf give,
 * so that a walk over it is as safe as over one that was built; `order_name` must hold each of 0 ... items - 1 once, or
 * with `some_left_out` different ids. Boxes may hold anything.
 */
sq_status sqi_tree_open(
  sq_context* context, sqi_tree* tree, const char* order_name, int some_left_out);

/** Fails at the first entry that differs from what a tree of that size has. */
sq_status sqi_tree_expect(sq_context* context, const sqi_tree* tree, const char* name,
  const int64_t* got, const int64_t* want);

#endif
