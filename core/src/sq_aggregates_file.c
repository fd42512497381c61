/** Aggregates as a folder: the centroid is an array, fields are in a set of their own. */
#include "sqi_alloc.h"
#include "sqi_container_text.h"
#include "sqi_context.h"
#include "sqi_tree_file.h"

#include <string.h>

#define FIELDS "node_source_data"

sq_status sq_aggregates_save(
  sq_context* context, const sq_aggregates* aggregates, const char* folder)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  const sq_aggregates* a = aggregates;
  sq_status s = sqi_check_save(context, a, folder);
  sqi_array* fields = NULL;
  if (s == SQ_OK)
  {
    s = SQI_NEW(context, &fields, a->field_count);
  }
  if (s != SQ_OK)
  {
    return s;
  }
  for (int32_t i = 0; i < a->field_count; ++i)
  {
    const sq_aggregate_field* f = a->fields + i;
    fields[i] = f->components == 1
      ? sqi_array_of(f->name, f->type, f->data, a->node_count)
      : sqi_array_of_rows(f->name, f->type, f->data, a->node_count, f->components);
  }
  sqi_array centroid =
    sqi_array_of_rows("node_centroid", a->type, a->centroid, a->node_count, a->dimension);
  /* Of no nodes the reference has no fields either. */
  int with_fields = a->field_count && a->node_count;
  sqi_container_content content = { SQI_CLASS_AGGREGATES, &centroid, 1, with_fields ? FIELDS : NULL,
    a->node_count, fields, a->field_count };
  sqi_phase(context, "Saving aggregates", 0.0, 1.0);
  s = sqi_container_save(context, folder, &content);
  SQI_FREE(context, fields, a->field_count);
  return s;
}

/** One field of the folder: of float32 or float64, with all axes but the first as its components. */
static sq_status open_field(
  sq_context* context, const sqi_container* c, const sqi_array* array, sq_aggregates* a)
{
  sq_aggregate_field* f = a->fields + a->field_count;
  int64_t components = 1;
  int good = array->rank > 0 && array->shape[0] == a->node_count;
  for (int32_t i = 1; i < array->rank && good; ++i)
  {
    good = array->shape[i] > 0 && array->shape[i] <= INT32_MAX / components;
    components *= good ? array->shape[i] : 1;
  }
  if (!good || !(SQI_MASK_REAL >> (int)array->type & 1u))
  {
    return sqi_container_refuse(context, c,
      good ? "field %s is not of type torch.float32 or torch.float64"
           : "field %s has not one row of at least one number for each of the nodes",
      sqi_print_name(array->name).text);
  }
  char* name = NULL;
  size_t length = strlen(array->name) + 1;
  sq_status s = SQI_NEW(context, &name, (int64_t)length);
  if (s == SQ_OK)
  {
    memcpy(name, array->name, length);
    f->name = name;
    f->data = array->data;
    f->type = array->type;
    f->components = (int32_t)components;
    ++a->field_count;
  }
  return s;
}

static sq_status open_fields(sq_context* context, const sqi_container* c, sq_aggregates* a)
{
  const sqi_array* arrays = NULL;
  int32_t count = sqi_container_arrays(c, 1, &arrays);
  int64_t batch = sqi_container_nested_batch(c);
  sq_status s = batch < 0 || batch == a->node_count
    ? SQ_OK
    : sqi_container_refuse(context, c, "fields have %lld rows, there are %lld nodes",
        (long long)batch, (long long)a->node_count);
  if (count > 0 && s == SQ_OK)
  {
    s = SQI_NEW(context, &a->fields, count);
    a->field_capacity = s == SQ_OK ? count : 0;
  }
  for (int32_t i = 0; i < count && s == SQ_OK; ++i)
  {
    s = open_field(context, c, arrays + i, a);
  }
  return s;
}

static sq_status open_aggregates(
  sq_context* context, const char* folder, int64_t node_count, sq_aggregates* a)
{
  sqi_container* c = NULL;
  const sqi_array* centroid = NULL;
  sq_status s = sqi_container_open(context, folder, SQI_CLASS_AGGREGATES, &c);
  if (s != SQ_OK)
  {
    return s;
  }
  a->mapping = c;
  a->unmap = sqi_unmap_container;
  s = sqi_need_first_points(context, c, "node_centroid", &centroid);
  if (s == SQ_OK)
  {
    s = sqi_need_no_more(context, c, 1, FIELDS);
  }
  if (s != SQ_OK)
  {
    return s;
  }
  a->type = centroid->type;
  a->dimension = (int32_t)centroid->shape[1];
  a->node_count = centroid->shape[0];
  a->centroid = (void*)(uintptr_t)centroid->data;
  if (node_count >= 0 && node_count != a->node_count)
  {
    return sqi_container_refuse(context, c, "has %lld nodes, the tree has %lld",
      (long long)a->node_count, (long long)node_count);
  }
  return open_fields(context, c, a);
}

sq_status sq_aggregates_open(
  sq_context* context, const char* folder, int64_t node_count, sq_aggregates** aggregates)
{
  if (aggregates)
  {
    *aggregates = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!aggregates || !folder)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "open aggregates: no %s given",
      aggregates ? "folder" : "output");
  }
  sq_aggregates* a = NULL;
  sqi_phase(context, "Opening aggregates", 0.0, 1.0);
  sq_status s = sqi_handle_new(context, sizeof(*a), (void**)&a);
  s = s == SQ_OK ? open_aggregates(context, folder, node_count, a) : s;
  if (s != SQ_OK)
  {
    sq_aggregates_destroy(a);
    a = NULL;
  }
  *aggregates = a;
  return s;
}
