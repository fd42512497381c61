#ifndef SQI_CONTAINER_READ_H
#define SQI_CONTAINER_READ_H
/** What opening a container is made of: regular files, meta.json, marks of the format, entries of arrays. */
#include "sqi_container_json.h"

#include <sys/types.h>

/** Larger ones are refused: tens of thousands of arrays, or none of ours. */
#define SQI_META_BYTES_MAX ((int64_t)4 << 20)

typedef struct sqi_reader
{
  sq_context* context;
  const char* folder; /* of the container; for messages */
} sqi_reader;

/**
 * Opens a regular file (links are followed) for reading, in no case waiting for another program. `shown` names it in messages.
 * SQ_IO; SQ_INVALID_DATA where it is something else or not there.
 */
sq_status sqi_read_open(
  const sqi_reader* r, int folder, const char* file, const char* shown, int* fd, off_t* bytes);

/** Opens a folder in a folder. Errors as above. */
sq_status sqi_read_open_folder(const sqi_reader* r, int folder, const char* name, int* fd);

/** The object in meta.json of that folder, which `shown` names in messages. */
sq_status sqi_read_meta(const sqi_reader* r, int folder, const char* shown, json_t** json);

/** The file that names the class says `class_name`, and no field that is neither array nor set. */
sq_status sqi_read_class(const sqi_reader* r, json_t* json, const char* class_name);

/** The marks of a set are those of a format that we know. Its batch shape: *batch, -1 for []. */
sq_status sqi_read_marks(
  const sqi_reader* r, const json_t* json, const char* shown, int64_t* batch);

/** The entry of an array: its type and shape. */
sq_status sqi_read_entry(
  const sqi_reader* r, const char* name, const json_t* entry, sqi_array* array);

#endif
