#include "sqi_container_json.h"
#include "sqi_alloc.h"
#include "sqi_container_text.h"
#include "sqi_context.h"

#include <string.h>

int sqi_reserved_name(const char* name)
{
  return !strcmp(name, "shape") || !strcmp(name, "device") || !strcmp(name, "_type") ||
    !strcmp(name, "_format_version") || !strcmp(name, "_class");
}

json_t* sqi_class_json(const char* class_name)
{
  return json_pack("{s:s++}", "_type", "<class '", class_name, "'>");
}

static json_t* shape_json(int32_t rank, const int64_t* shape)
{
  json_t* list = json_array();
  for (int32_t i = 0; i < rank && list; ++i)
  {
    if (json_array_append_new(list, json_integer(shape[i])))
    {
      json_decref(list);
      list = NULL;
    }
  }
  return list;
}

static json_t* array_json(const sqi_array* a)
{
  return json_pack("{s:s, s:o, s:s, s:b}", "device", "cpu", "shape", shape_json(a->rank, a->shape),
    "dtype", sqi_element_name(a->type), "is_nested", 0);
}

json_t* sqi_set_json(const sqi_array* arrays, int32_t count, const char* nested_name, int64_t batch)
{
  json_t* json = json_object();
  int failed = !json;
  for (int32_t i = 0; i < count && !failed; ++i)
  {
    failed = json_object_set_new(json, arrays[i].name, array_json(arrays + i));
  }
  if (nested_name && !failed)
  {
    failed = json_object_set_new(json, nested_name, json_pack("{s:s}", "type", "TensorDict"));
  }
  if (!failed)
  {
    failed = json_object_set_new(json, "shape", shape_json(batch >= 0, &batch)) ||
      json_object_set_new(json, "device", json_string("cpu")) ||
      json_object_set_new(json, "_type", json_string(SQI_SET_TYPE)) ||
      json_object_set_new(json, "_format_version", json_integer(SQI_FORMAT_VERSION)) ||
      json_object_set_new(json, "_class", json_string(SQI_SET_CLASS));
  }
  if (failed)
  {
    json_decref(json);
    json = NULL;
  }
  return json;
}

/**
 * Jansson writes \u00E9 and leaves 127 as it is where the reference writes \u00e9 and \u007f: makes one of the other, `from` bytes at
 * `from` into `to`, which may overlap if `to` lies 5 bytes below for every 127. Returns the new length.
 */
static int64_t as_reference(const char* from, size_t count, char* to)
{
  char* out = to;
  for (size_t i = 0; i < count; ++i)
  {
    if (from[i] == '\\' && i + 1 < count)
    {
      int digits = from[i + 1] == 'u' ? 4 : 0;
      *out++ = from[i++];
      *out++ = from[i];
      for (; digits; --digits)
      {
        char c = from[++i];
        *out++ = c >= 'A' && c <= 'F' ? (char)(c + ('a' - 'A')) : c;
      }
    }
    else if (from[i] == 127)
    {
      memcpy(out, "\\u007f", 6);
      out += 6;
    }
    else
    {
      *out++ = from[i];
    }
  }
  return out - to;
}

sq_status sqi_json_text(
  sq_context* context, const json_t* json, char** text, int64_t* length, int64_t* capacity)
{
  *text = NULL;
  size_t size = json_dumpb(json, NULL, 0, JSON_ENSURE_ASCII);
  if (!size)
  {
    return sqi_fail(context, SQ_OUT_OF_MEMORY, "out of memory: a meta.json");
  }
  *capacity = 6 * (int64_t)size;
  sq_status s = SQI_NEW(context, text, *capacity);
  if (s == SQ_OK)
  {
    char* raw = *text + 5 * size;
    size = json_dumpb(json, raw, size, JSON_ENSURE_ASCII);
    *length = as_reference(raw, size, *text);
  }
  return s;
}
