#ifndef SQI_CONTAINER_JSON_H
#define SQI_CONTAINER_JSON_H
/** The meta.json files of a container: the only place that writes JSON. Its trees are Jansson's, and so is their memory. */
#include "sqi_container.h"

#include <jansson.h>

/** The value of a "_type" key: SQI_TYPE_OF("physicsnemo.mesh.spatial.bvh.BVH") */
#define SQI_SET_TYPE "<class 'tensordict._td.TensorDict'>"
#define SQI_SET_CLASS "tensordict:TensorDict"
#define SQI_FORMAT_VERSION 1

/** A name that meta.json itself uses beside those of the arrays. */
int sqi_reserved_name(const char* name);

/** The file that names the class. NULL: out of memory, or a name that is not UTF-8. */
json_t* sqi_class_json(const char* class_name);

/**
 * The file of a set: `count` arrays, the entry of a nested set where `nested_name` is not NULL, batch shape [batch], or [] for -1.
 * NULL as above.
 */
json_t* sqi_set_json(
  const sqi_array* arrays, int32_t count, const char* nested_name, int64_t batch);

/** Text of a tree as the reference writes it, *length bytes in a block of *capacity; without an end of line. */
sq_status sqi_json_text(
  sq_context* context, const json_t* json, char** text, int64_t* length, int64_t* capacity);

#endif
