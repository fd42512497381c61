#ifndef SQI_CONTAINER_H
#define SQI_CONTAINER_H
/**
 * Folders in the layout of the reference's memory-mapped containers (tensordict): FOLDER/meta.json names the class,
 * FOLDER/_tensordict/meta.json types and shapes, FOLDER/_tensordict/NAME.memmap holds each array that has elements. One set of
 * nested fields is possible (aggregates).
 */
#include "spatialqueries/sq_context.h"

#define SQI_ARRAY_RANK_MAX 8

/** An array by name: row-major, shape[0 ... rank - 1]; rank 0: one scalar. */
typedef struct sqi_array
{
  const char* name;
  sq_type type;
  int32_t rank;
  int64_t shape[SQI_ARRAY_RANK_MAX];
  const void* data; /* NULL where a shape entry is 0 */
} sqi_array;

/** What is written: the class, its arrays in the order of its fields, and perhaps a set of nested ones. */
typedef struct sqi_container_content
{
  const char* class_name; /* "physicsnemo.mesh.spatial.bvh.BVH" */
  const sqi_array* arrays;
  int32_t array_count;
  const char* nested_name; /* NULL: none */
  int64_t nested_batch; /* batch shape [nested_batch] of the nested set */
  const sqi_array* nested;
  int32_t nested_count;
} sqi_container_content;

/** Writes beside `folder` and renames. SQ_IO (which file, why), SQ_INVALID_ARGUMENT, SQ_OUT_OF_MEMORY, SQ_CANCELLED. */
sq_status sqi_container_save(
  sq_context* context, const char* folder, const sqi_container_content* content);

/** An opened folder: its arrays are mapped read-only. */
typedef struct sqi_container sqi_container;

/**
 * Opens a folder of the given class. Files are checked against type and shape (not shorter; longer is fine); what the arrays hold
 * is for the caller to check. SQ_IO (cannot be read), SQ_INVALID_DATA (what is wrong where); *container is NULL then.
 */
sq_status sqi_container_open(
  sq_context* context, const char* folder, const char* class_name, sqi_container** container);

void sqi_container_close(sqi_container* container);

/** The array of that name (of the nested set where `nested` is 1), NULL if there is none. Lives as long as the container. */
const sqi_array* sqi_container_find(const sqi_container* container, int nested, const char* name);

/** All arrays of the top level or of the nested set; -1: there is no nested set. */
int32_t sqi_container_arrays(const sqi_container* container, int nested, const sqi_array** arrays);

/**
 * The array of that name at the top level, which must be there with one of `types` (a bit mask: 1 << sq_type) and `rank`; shape
 * entries of `shape` that are not -1 must agree. SQ_INVALID_DATA with a message that names the folder and the array.
 */
sq_status sqi_container_need(sq_context* context, const sqi_container* container, const char* name,
  uint32_t types, int32_t rank, const int64_t* shape, const sqi_array** array);

#endif
