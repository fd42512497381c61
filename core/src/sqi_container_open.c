#include "sqi_alloc.h"
#include "sqi_container_read.h"
#include "sqi_container_text.h"
#include "sqi_context.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Arrays of the top level or of the nested set. */
typedef struct set
{
  sqi_array* arrays;
  int32_t count; /* -1: there is no such set */
  int32_t capacity;
  int64_t batch; /* -1: none */
  char* names; /* all of them, each with its end */
  int64_t names_bytes;
} set;

struct sqi_container
{
  sq_allocator allocator;
  set sets[2];
  char* folder;
  int64_t folder_bytes;
};

/** Keys of a set's meta.json that are entries; others say how to read it, or nothing that we know. */
static int is_entry(const char* key, const json_t* value)
{
  return json_is_object(value) && !sqi_reserved_name(key);
}

static int is_set(const json_t* value)
{
  return json_object_get(value, "type") != NULL;
}

static sq_status allocate_set(const sqi_reader* r, json_t* json, set* out)
{
  const char* key;
  json_t* value;
  int64_t count = 0;
  json_object_foreach(json, key, value)
  {
    int array = is_entry(key, value) && !is_set(value);
    count += array;
    out->names_bytes += array ? (int64_t)strlen(key) + 1 : 0;
  }
  out->capacity = (int32_t)count; /* a meta.json is small */
  sq_status s = SQI_NEW(r->context, &out->arrays, out->capacity);
  if (s == SQ_OK)
  {
    s = SQI_NEW(r->context, &out->names, out->names_bytes);
  }
  if (s == SQ_OK && count)
  {
    memset(out->arrays, 0, (size_t)count * sizeof(*out->arrays));
  }
  out->count = 0;
  return s;
}

/** Maps the array's file. */
static sq_status map(const sqi_reader* r, int folder, sqi_array* a)
{
  int64_t bytes = sqi_array_elements(a) * (int64_t)sq_type_bytes(a->type);
  if (!bytes)
  {
    return SQ_OK;
  }
  char file[NAME_MAX + 1];
  if (!sqi_file_name(a->name, ".memmap", file))
  {
    return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s: its name is too long for a file", sqi_print_name(a->name).text);
  }
  int fd = -1;
  off_t size = 0;
  sq_status s = sqi_read_open(r, folder, file, file, &fd, &size);
  if (s == SQ_OK && size < bytes)
  {
    s = sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "%s has %lld bytes, its shape %s needs %lld", sqi_print_name(file).text, (long long)size,
      sqi_print_shape(a->rank, a->shape).text, (long long)bytes);
  }
  if (s == SQ_OK)
  {
    void* data = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, 0);
    int failed = data == MAP_FAILED;
    a->data = failed ? NULL : data;
    s = failed ? sqi_container_fail_io(r->context, r->folder, "map", file, errno) : SQ_OK;
  }
  if (fd >= 0)
  {
    close(fd);
  }
  return s;
}

static sq_status read_array(
  const sqi_reader* r, int folder, const char* name, const json_t* entry, set* out, char** names)
{
  sqi_array* a = out->arrays + out->count++;
  size_t length = strlen(name) + 1;
  memcpy(*names, name, length);
  a->name = *names;
  *names += length;
  sq_status s = sqi_read_entry(r, name, entry, a);
  if (s == SQ_OK && out->batch >= 0 && (a->rank < 1 || a->shape[0] != out->batch))
  {
    s = sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
      "array %s of shape %s: its set has %lld rows", sqi_print_name(name).text,
      sqi_print_shape(a->rank, a->shape).text, (long long)out->batch);
  }
  return s == SQ_OK ? map(r, folder, a) : s;
}

/** All arrays of a set; the name of the set in it (borrowed from `json`) in *nested, NULL for none. */
static sq_status read_arrays(
  const sqi_reader* r, int folder, json_t* json, set* out, const char** nested)
{
  const char* key;
  json_t* value;
  char* names = out->names;
  json_object_foreach(json, key, value)
  {
    sq_status s = SQ_OK;
    if (!is_entry(key, value))
    {
      continue;
    }
    if (!is_set(value))
    {
      s = read_array(r, folder, key, value, out, &names);
    }
    else
    {
      const char* type = json_string_value(json_object_get(value, "type"));
      if (!nested || *nested || !type || strcmp(type, "TensorDict"))
      {
        return sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder,
          "%s is a set of fields (%s) where none is supported", sqi_print_name(key).text,
          sqi_print_name(type ? type : "of no type").text);
      }
      *nested = key;
    }
    if (s == SQ_OK)
    {
      s = sqi_poll(r->context, 0.0, 0);
    }
    if (s != SQ_OK)
    {
      return s;
    }
  }
  return SQ_OK;
}

/** The set in the folder `name` of `parent`, and what is nested in it. */
static sq_status read_set(
  const sqi_reader* r, int parent, const char* name, sqi_container* c, int nested)
{
  set* out = c->sets + nested;
  json_t* json = NULL;
  const char* inner = NULL;
  int fd = -1;
  const char* shown = nested ? "meta.json of the nested set" : "_tensordict/meta.json";
  sq_status s = sqi_read_open_folder(r, parent, name, &fd);
  if (s == SQ_OK)
  {
    s = sqi_read_meta(r, fd, shown, &json);
  }
  if (s == SQ_OK)
  {
    s = sqi_read_marks(r, json, shown, &out->batch);
  }
  if (s == SQ_OK && !nested && out->batch >= 0)
  {
    s = sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder, "%s: shape is not []", shown);
  }
  if (s == SQ_OK)
  {
    s = allocate_set(r, json, out);
  }
  if (s == SQ_OK)
  {
    s = read_arrays(r, fd, json, out, nested ? NULL : &inner);
  }
  char file[NAME_MAX + 1];
  if (s == SQ_OK && inner)
  {
    s = sqi_file_name(inner, "", file)
      ? read_set(r, fd, file, c, 1)
      : sqi_container_fail(r->context, SQ_INVALID_DATA, r->folder, "%s is too long for a folder",
          sqi_print_name(inner).text);
  }
  json_decref(json);
  if (fd >= 0)
  {
    close(fd);
  }
  return s;
}

static sq_status read_folder(const sqi_reader* r, const char* class_name, sqi_container* c)
{
  int fd = open(r->folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
  {
    size_t length = strlen(r->folder);
    return errno == ENOTDIR && length > 4 && !strcmp(r->folder + length - 4, ".tdz")
      ? sqi_container_fail(
          r->context, SQ_INVALID_DATA, r->folder, "is an archive; unpack it and open the folder")
      : sqi_container_fail_io(r->context, r->folder, "open", "the folder", errno);
  }
  json_t* json = NULL;
  sq_status s = sqi_read_meta(r, fd, "meta.json", &json);
  if (s == SQ_OK)
  {
    s = sqi_read_class(r, json, class_name);
  }
  json_decref(json);
  if (s == SQ_OK)
  {
    s = read_set(r, fd, "_tensordict", c, 0);
  }
  close(fd);
  return s;
}

sq_status sqi_container_open(
  sq_context* context, const char* folder, const char* class_name, sqi_container** container)
{
  *container = NULL;
  if (!folder)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "the folder to open is NULL");
  }
  sqi_container* c = NULL;
  sq_status s = SQI_NEW(context, &c, 1);
  if (s != SQ_OK)
  {
    return s;
  }
  memset(c, 0, sizeof(*c));
  c->allocator = context->allocator;
  c->sets[0].count = c->sets[1].count = -1;
  c->folder_bytes = (int64_t)strlen(folder) + 1;
  s = SQI_NEW(context, &c->folder, c->folder_bytes);
  if (s == SQ_OK)
  {
    memcpy(c->folder, folder, (size_t)c->folder_bytes);
    sqi_reader r = { context, folder };
    s = read_folder(&r, class_name, c);
  }
  if (s != SQ_OK)
  {
    sqi_container_close(c);
    return s;
  }
  *container = c;
  return SQ_OK;
}

void sqi_container_close(sqi_container* container)
{
  if (!container)
  {
    return;
  }
  const sq_allocator allocator = container->allocator;
  for (int i = 0; i < 2; ++i)
  {
    set* s = container->sets + i;
    for (int32_t k = 0; k < s->count; ++k)
    {
      const sqi_array* a = s->arrays + k;
      if (a->data)
      {
        (void)munmap(
          (void*)(uintptr_t)a->data, (size_t)sqi_array_elements(a) * sq_type_bytes(a->type));
      }
    }
    SQI_RELEASE(&allocator, s->arrays, s->capacity);
    SQI_RELEASE(&allocator, s->names, s->names_bytes);
  }
  SQI_RELEASE(&allocator, container->folder, container->folder_bytes);
  SQI_RELEASE(&allocator, container, 1);
}

int32_t sqi_container_arrays(const sqi_container* container, int nested, const sqi_array** arrays)
{
  *arrays = container->sets[nested].arrays;
  return container->sets[nested].count;
}

const sqi_array* sqi_container_find(const sqi_container* container, int nested, const char* name)
{
  const set* s = container->sets + nested;
  for (int32_t i = 0; i < s->count; ++i)
  {
    if (!strcmp(s->arrays[i].name, name))
    {
      return s->arrays + i;
    }
  }
  return NULL;
}

/** "torch.int64 or torch.float32", for messages. */
static sqi_printable print_types(uint32_t types)
{
  sqi_printable p = { "" };
  for (int i = 0; i < 10; ++i)
  {
    if (types >> i & 1u)
    {
      const char* name = sqi_element_name((sq_type)i);
      size_t at = strlen(p.text);
      if (at + strlen(name) + 8 < sizeof(p.text))
      {
        memcpy(p.text + at, " or ", at ? 5 : 0);
        at += at ? 4 : 0;
        memcpy(p.text + at, name, strlen(name) + 1);
      }
    }
  }
  return p;
}

sq_status sqi_container_need(sq_context* context, const sqi_container* container, const char* name,
  uint32_t types, int32_t rank, const int64_t* shape, const sqi_array** array)
{
  const sqi_array* a = sqi_container_find(container, 0, name);
  *array = NULL;
  if (!a)
  {
    return sqi_container_fail(
      context, SQ_INVALID_DATA, container->folder, "array %s is missing", name);
  }
  if (!(types >> (int)a->type & 1u))
  {
    return sqi_container_fail(context, SQ_INVALID_DATA, container->folder,
      "array %s is of type %s, not %s", name, sqi_element_name(a->type), print_types(types).text);
  }
  int agree = a->rank == rank;
  for (int32_t i = 0; i < rank && agree; ++i)
  {
    agree = shape[i] == -1 || shape[i] == a->shape[i];
  }
  if (!agree)
  {
    return sqi_container_fail(context, SQ_INVALID_DATA, container->folder,
      "array %s has the shape %s, not %s", name, sqi_print_shape(a->rank, a->shape).text,
      sqi_print_shape(rank, shape).text);
  }
  *array = a;
  return SQ_OK;
}
