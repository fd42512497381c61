#include "sqi_alloc.h"
#include "sqi_container_json.h"
#include "sqi_container_text.h"
#include "sqi_context.h"
#include "sqi_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Between two looks at the monitor; some milliseconds on a slow disk. */
#define CHUNK ((int64_t)4 << 20)

typedef struct saver
{
  sq_context* context;
  const char* folder;
  const sqi_container_content* content;
  int64_t total; /* bytes of all arrays */
  int64_t done;
} saver;

/** Of an array or a set; the suffix of its file or folder. */
static sq_status check_name(saver* s, const char* name, const char* suffix)
{
  char file[NAME_MAX + 1];
  json_t* json = name ? json_string(name) : NULL;
  const char* wrong = NULL;
  if (!json)
  {
    wrong = name ? "it is not UTF-8" : "it is NULL";
  }
  else if (sqi_reserved_name(name))
  {
    wrong = "the layout uses the word itself";
  }
  else if (!sqi_file_name(name, suffix, file))
  {
    wrong = "it is too long for the name of a file";
  }
  json_decref(json);
  return wrong
    ? sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
        "cannot save an array of the name '%s': %s", sqi_print_name(name ? name : "").text, wrong)
    : SQ_OK;
}

static sq_status check_array(saver* s, const sqi_array* a)
{
  sq_status status = check_name(s, a->name, ".memmap");
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_printable name = sqi_print_name(a->name);
  if (a->rank < 0 || a->rank > SQI_ARRAY_RANK_MAX || !sq_type_bytes(a->type))
  {
    return sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
      "array %s has no type or not 0 to %d axes", name.text, SQI_ARRAY_RANK_MAX);
  }
  int64_t count = sqi_array_elements(a);
  if (count < 0 || (count && !a->data))
  {
    return sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
      "array %s of shape %s: %s", name.text, sqi_print_shape(a->rank, a->shape).text,
      count < 0 ? "negative or too large" : "its data is NULL");
  }
  s->total += count * (int64_t)sq_type_bytes(a->type);
  return SQ_OK;
}

/** Arrays of one set: each is fine, no two have one name. Sets of a container are small, but may hold hundreds of fields. */
static sq_status check_set(saver* s, const sqi_array* arrays, int32_t count)
{
  sq_status status = SQ_OK;
  for (int32_t i = 0; i < count && status == SQ_OK; ++i)
  {
    status = check_array(s, arrays + i);
    for (int32_t k = 0; k < i && status == SQ_OK; ++k)
    {
      if (!strcmp(arrays[i].name, arrays[k].name))
      {
        status = sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
          "two arrays are named %s", sqi_print_name(arrays[i].name).text);
      }
    }
  }
  return status;
}

static sq_status check_nested(saver* s)
{
  const sqi_container_content* c = s->content;
  sq_status status = check_name(s, c->nested_name, "");
  for (int32_t i = 0; i < c->array_count && status == SQ_OK; ++i)
  {
    if (!strcmp(c->nested_name, c->arrays[i].name))
    {
      return sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
        "an array and a set are named %s", sqi_print_name(c->nested_name).text);
    }
  }
  for (int32_t i = 0; i < c->nested_count && status == SQ_OK; ++i)
  {
    if (c->nested[i].rank < 1 || c->nested[i].shape[0] != c->nested_batch)
    {
      return sqi_container_fail(s->context, SQ_INVALID_ARGUMENT, s->folder,
        "array %s of shape %s: its first axis must have length %lld",
        sqi_print_name(c->nested[i].name).text,
        sqi_print_shape(c->nested[i].rank, c->nested[i].shape).text, (long long)c->nested_batch);
    }
  }
  return status;
}

static sq_status check_content(saver* s)
{
  const sqi_container_content* c = s->content;
  sq_status status = check_set(s, c->arrays, c->array_count);
  if (status == SQ_OK && c->nested_name)
  {
    status = check_set(s, c->nested, c->nested_count);
  }
  if (status == SQ_OK && c->nested_name)
  {
    status = check_nested(s);
  }
  return status;
}

/** Writes all of it; -1 with errno. EINTR and short writes are as usual. */
static int write_all(int fd, const char* data, int64_t bytes)
{
  while (bytes > 0)
  {
    ssize_t n = write(fd, data, (size_t)bytes);
    if (n < 0 && errno != EINTR)
    {
      return -1;
    }
    data += n > 0 ? n : 0;
    bytes -= n > 0 ? n : 0;
  }
  return 0;
}

static sq_status write_file(saver* s, int folder, const char* file, const void* data, int64_t bytes)
{
  int fd = openat(folder, file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = fd < 0 ? errno : 0;
  sq_status status = SQ_OK;
  for (int64_t at = 0; at < bytes && !error && status == SQ_OK; at += CHUNK)
  {
    int64_t part = bytes - at < CHUNK ? bytes - at : CHUNK;
    error = write_all(fd, (const char*)data + at, part) ? errno : 0;
    s->done += part;
    status = sqi_poll(s->context, s->total > 0 ? (double)s->done / (double)s->total : 1.0, 0);
  }
  if (!error && status == SQ_OK && sqi_folder_sync(fd))
  {
    error = errno;
  }
  if (fd >= 0 && close(fd) && !error)
  {
    error = errno;
  }
  if (error)
  {
    return sqi_container_fail_io(s->context, s->folder, "write", file, error);
  }
  return status;
}

/** Writes the tree, which it takes over; NULL: there was no memory for it. */
static sq_status write_json(saver* s, int folder, json_t* json)
{
  if (!json)
  {
    return sqi_container_fail_io(s->context, s->folder, "write", "meta.json", ENOMEM);
  }
  char* text = NULL;
  int64_t length = 0;
  int64_t capacity = 0;
  sq_status status = sqi_json_text(s->context, json, &text, &length, &capacity);
  json_decref(json);
  if (status == SQ_OK)
  {
    s->total += length;
    status = write_file(s, folder, "meta.json", text, length);
  }
  SQI_FREE(s->context, text, capacity);
  return status;
}

static sq_status make_folder(saver* s, int parent, const char* name, int* fd)
{
  *fd = mkdirat(parent, name, 0777)
    ? -1
    : openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  return *fd >= 0 ? SQ_OK : sqi_container_fail_io(s->context, s->folder, "make", name, errno);
}

static sq_status write_arrays(saver* s, int folder, const sqi_array* arrays, int32_t count)
{
  sq_status status = SQ_OK;
  for (int32_t i = 0; i < count && status == SQ_OK; ++i)
  {
    const sqi_array* a = arrays + i;
    int64_t bytes = sqi_array_elements(a) * (int64_t)sq_type_bytes(a->type);
    char file[NAME_MAX + 1];
    if (bytes && sqi_file_name(a->name, ".memmap", file))
    {
      status = write_file(s, folder, file, a->data, bytes);
    }
  }
  return status;
}

/** A set in the folder `name` of `parent`: its arrays, its nested set if it has one, then what describes them. */
static sq_status write_set(saver* s, int parent, const char* name, int nested)
{
  const sqi_container_content* c = s->content;
  const sqi_array* arrays = nested ? c->nested : c->arrays;
  int32_t count = nested ? c->nested_count : c->array_count;
  const char* inner = nested ? NULL : c->nested_name;
  int fd = -1;
  sq_status status = make_folder(s, parent, name, &fd);
  if (status == SQ_OK)
  {
    status = write_arrays(s, fd, arrays, count);
  }
  char file[NAME_MAX + 1];
  if (status == SQ_OK && inner && sqi_file_name(inner, "", file))
  {
    status = write_set(s, fd, file, 1);
  }
  if (status == SQ_OK)
  {
    status = write_json(s, fd, sqi_set_json(arrays, count, inner, nested ? c->nested_batch : -1));
  }
  if (status == SQ_OK && sqi_folder_sync(fd))
  {
    status = sqi_container_fail_io(s->context, s->folder, "write", name, errno);
  }
  if (fd >= 0)
  {
    close(fd);
  }
  return status;
}

sq_status sqi_container_save(
  sq_context* context, const char* folder, const sqi_container_content* content)
{
  if (!folder || !content || !content->class_name)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "the folder to write to is NULL");
  }
  saver s = { context, folder, content, 0, 0 };
  sq_status status = check_content(&s);
  if (status != SQ_OK)
  {
    return status;
  }
  sqi_folder place;
  status = sqi_folder_begin(context, folder, &place);
  if (status == SQ_OK)
  {
    status = write_json(&s, place.fresh, sqi_class_json(content->class_name));
  }
  if (status == SQ_OK)
  {
    status = write_set(&s, place.fresh, "_tensordict", 0);
  }
  if (status == SQ_OK)
  {
    status = sqi_poll(context, 1.0, 1);
  }
  if (status == SQ_OK)
  {
    status = sqi_folder_commit(context, &place);
  }
  sqi_folder_end(&place);
  return status;
}
