#include "sqi_container_read.h"
#include "sqi_alloc.h"
#include "sqi_container_text.h"
#include "sqi_context.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sq_status missing_or_io(
  const sqi_reader* r, const char* action, const char* shown, int error)
{
  if (error == ENOENT || error == ENOTDIR)
  {
    return sqi_container_fail(
      r->context, SQ_INVALID_DATA, r->folder, "%s is missing", sqi_print_name(shown).text);
  }
  return sqi_container_fail_io(r->context, r->folder, action, shown, error);
}

sq_status sqi_read_open(
  const sqi_reader* r, int folder, const char* file, const char* shown, int* fd, off_t* bytes)
{
  struct stat st;
  *fd = -1;
  if (fstatat(folder, file, &st, 0))
  {
    return missing_or_io(r, "read", shown, errno);
  }
  if (S_ISREG(st.st_mode))
  {
    /* It may have become a pipe by now. */
    *fd = openat(folder, file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &st))
    {
      return missing_or_io(r, "read", shown, errno);
    }
  }
  *bytes = st.st_size;
  return S_ISREG(st.st_mode) ? SQ_OK
                             : sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
                                 "%s is no regular file", sqi_print_name(shown).text);
}

sq_status sqi_read_open_folder(const sqi_reader* r, int folder, const char* name, int* fd)
{
  *fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
  return *fd >= 0 ? SQ_OK : missing_or_io(r, "read", name, errno);
}

/** Reads up to `bytes` bytes; the count, or -1 with errno. */
static int64_t read_all(int fd, char* text, int64_t bytes)
{
  int64_t done = 0;
  while (done < bytes)
  {
    ssize_t n = read(fd, text + done, (size_t)(bytes - done));
    if (n < 0 && errno != EINTR)
    {
      return -1;
    }
    if (n == 0)
    {
      break;
    }
    done += n > 0 ? n : 0;
  }
  return done;
}

static sq_status parse(
  const sqi_reader* r, const char* text, int64_t length, const char* shown, json_t** json)
{
  json_error_t error;
  *json = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &error);
  if (*json && json_is_object(*json))
  {
    return SQ_OK;
  }
  sqi_printable name = sqi_print_name(shown);
  if (*json)
  {
    json_decref(*json);
    *json = NULL;
    return sqi_container_fail(
      r->context, SQ_INVALID_DATA, r->folder, "%s holds no JSON object", name.text);
  }
  if (json_error_code(&error) == json_error_out_of_memory)
  {
    return sqi_container_fail_io(r->context, r->folder, "read", shown, ENOMEM);
  }
  return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder, "%s, line %d: %s", name.text,
    error.line, sqi_print_name(error.text).text);
}

sq_status sqi_read_meta(const sqi_reader* r, int folder, const char* shown, json_t** json)
{
  *json = NULL;
  int fd = -1;
  off_t size = 0;
  struct stat st;
  if (!fstatat(folder, "other.pickle", &st, AT_SYMLINK_NOFOLLOW))
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "has an other.pickle beside %s: fields that are no arrays cannot be read",
      sqi_print_name(shown).text);
  }
  char* text = NULL;
  int64_t capacity = 0;
  sq_status s = sqi_read_open(r, folder, "meta.json", shown, &fd, &size);
  if (s == SQ_OK && size > SQI_META_BYTES_MAX)
  {
    s = sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "%s has %lld bytes, at most %lld are read", sqi_print_name(shown).text, (long long)size,
      (long long)SQI_META_BYTES_MAX);
  }
  if (s == SQ_OK)
  {
    capacity = (int64_t)size + 1;
    s = SQI_NEW(r->context, &text, capacity);
  }
  if (s == SQ_OK)
  {
    int64_t length = read_all(fd, text, (int64_t)size);
    s = length < 0 ? sqi_container_fail_io(r->context, r->folder, "read", shown, errno)
                   : parse(r, text, length, shown, json);
  }
  SQI_FREE(r->context, text, capacity);
  if (fd >= 0)
  {
    close(fd);
  }
  return s;
}

/** "physicsnemo.mesh.Mesh" of "<class 'physicsnemo.mesh.Mesh'>", for messages. */
static sqi_printable class_of(const char* type)
{
  size_t length = strlen(type);
  sqi_printable p;
  if (length > 10 && length < 90 && !strncmp(type, "<class '", 8))
  {
    memcpy(p.text, type + 8, length - 10);
    p.text[length - 10] = 0;
    return sqi_print_name(p.text);
  }
  return sqi_print_name(type);
}

sq_status sqi_read_class(const sqi_reader* r, json_t* json, const char* class_name)
{
  const char* type = json_string_value(json_object_get(json, "_type"));
  if (!type)
  {
    return sqi_container_fail(
      r->context, SQ_INVALID_DATA, r->folder, "meta.json names no class (_type)");
  }
  size_t length = strlen(class_name);
  if (strlen(type) != length + 10 || strncmp(type, "<class '", 8) ||
    strncmp(type + 8, class_name, length) || strcmp(type + 8 + length, "'>"))
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder, "holds a %s, not a %s",
      class_of(type).text, class_name);
  }
  const char* key;
  json_t* value;
  /* tensordict 0.14 writes null for a set that is not there. */
  json_object_foreach(json, key, value)
  {
    if (strcmp(key, "_type") && !json_is_null(value))
    {
      return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
        "meta.json has a key %s, which is not known", sqi_print_name(key).text);
    }
  }
  return SQ_OK;
}

/** Non-negative integers, at most `most` of them. The rank, -1 if it is something else. */
static int32_t shape_of(const json_t* json, int32_t most, int64_t* shape)
{
  size_t rank = json_array_size(json);
  if (!json_is_array(json) || rank > (size_t)most)
  {
    return -1;
  }
  for (size_t i = 0; i < rank; ++i)
  {
    const json_t* number = json_array_get(json, i);
    shape[i] = json_integer_value(number);
    if (!json_is_integer(number) || shape[i] < 0)
    {
      return -1;
    }
  }
  return (int32_t)rank;
}

static int is_text(const json_t* json, const char* text)
{
  const char* value = json_string_value(json);
  return value && !strcmp(value, text);
}

sq_status sqi_read_marks(const sqi_reader* r, const json_t* json, const char* shown, int64_t* batch)
{
  const json_t* version = json_object_get(json, "_format_version");
  const json_t* set_class = json_object_get(json, "_class");
  const json_t* device = json_object_get(json, "device");
  const char* wrong = NULL;
  *batch = -1;
  if (version &&
    (!json_is_integer(version) || json_integer_value(version) > SQI_FORMAT_VERSION ||
      json_integer_value(version) < 0))
  {
    wrong = "_format_version is above 1, the newest that is known";
  }
  else if (!is_text(json_object_get(json, "_type"), SQI_SET_TYPE) ||
    (set_class && !is_text(set_class, SQI_SET_CLASS)))
  {
    wrong = "_type or _class is none of a plain TensorDict";
  }
  else if (device && !json_is_string(device))
  {
    wrong = "device is no text";
  }
  else if (shape_of(json_object_get(json, "shape"), 1, batch) < 0)
  {
    wrong = "shape is neither [] nor [n]";
  }
  return wrong ? sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder, "%s: %s",
                   sqi_print_name(shown).text, wrong)
               : SQ_OK;
}

sq_status sqi_read_entry(
  const sqi_reader* r, const char* name, const json_t* entry, sqi_array* array)
{
  const json_t* is_nested = json_object_get(entry, "is_nested");
  const char* type = json_string_value(json_object_get(entry, "dtype"));
  sqi_printable shown = sqi_print_name(name);
  array->rank = shape_of(json_object_get(entry, "shape"), SQI_ARRAY_RANK_MAX, array->shape);
  if (is_nested && !json_is_false(is_nested))
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s is a nested tensor, which is not supported", shown.text);
  }
  if (!type || !sqi_element_type(type, &array->type))
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s has the element type %s, which is not supported", shown.text,
      sqi_print_name(type ? type : "(none)").text);
  }
  if (array->rank < 0)
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s has no shape of at most %d lengths", shown.text, SQI_ARRAY_RANK_MAX);
  }
  if (sqi_array_elements(array) < 0)
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s of shape %s is larger than memory can be", shown.text,
      sqi_print_shape(array->rank, array->shape).text);
  }
  return SQ_OK;
}
