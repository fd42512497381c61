#ifndef SQI_CONTAINER_TEXT_H
#define SQI_CONTAINER_TEXT_H
/** Names in containers: of element types, of files, and in messages. */
#include "sqi_container.h"

#include <limits.h>

/** "torch.float32"; NULL for a number that is no sq_type. */
const char* sqi_element_name(sq_type type);

/** The type of that name in *type: 1; 0: none of ours. A torch.bool is read as SQ_UINT8. */
int sqi_element_type(const char* name, sq_type* type);

/** Elements of an array: product of its shape. -1: an entry is negative or the bytes exceed PTRDIFF_MAX. */
int64_t sqi_array_elements(const sqi_array* array);

/**
 * The name of an array or set as that of a file: characters that file systems dislike become %XX, "" becomes "%"; then the
 * suffix. 0: longer than a file name can be.
 */
int sqi_file_name(const char* name, const char* suffix, char file[NAME_MAX + 1]);

/** A text on one line, at most 80 bytes of it. */
typedef struct sqi_printable
{
  char text[96];
} sqi_printable;

sqi_printable sqi_print_name(const char* name);
sqi_printable sqi_print_shape(int32_t rank, const int64_t* shape);

/** Sets the message "FOLDER: text", of a long folder its end only, and returns `status`. */
sq_status sqi_container_fail(sq_context* context, sq_status status, const char* folder,
  const char* format, ...) __attribute__((format(printf, 4, 5)));

/** As sqi_container_fail with SQ_IO, or SQ_OUT_OF_MEMORY where the error number says so: "FOLDER: cannot DO NAME: why". */
sq_status sqi_container_fail_io(
  sq_context* context, const char* folder, const char* action, const char* name, int error);

#endif
