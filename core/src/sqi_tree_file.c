#include "sqi_tree_file.h"
#include "sqi_alloc.h"
#include "sqi_container_text.h"
#include "sqi_context.h"
#include "sqi_sort.h"

#include <string.h>

/** Entries between two polls. */
#define TILE ((int64_t)1 << 20)

sqi_array sqi_array_of(const char* name, sq_type type, const void* data, int64_t rows)
{
  sqi_array a = { name, type, 1, { rows }, data };
  return a;
}

sqi_array sqi_array_of_rows(
  const char* name, sq_type type, const void* data, int64_t rows, int64_t columns)
{
  sqi_array a = { name, type, 2, { rows, columns }, data };
  return a;
}

sq_status sqi_check_save(sq_context* context, const void* handle, const char* folder)
{
  if (!handle || !folder)
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "save: no %s given", handle ? "folder" : "structure");
  }
  return SQ_OK;
}

/** Files are mapped read-only; what holds their arrays does not write to them. */
static void* writable(const sqi_array* a)
{
  return (void*)(uintptr_t)a->data;
}

sq_status sqi_need_indices(
  sq_context* context, const sqi_container* c, const char* name, int64_t rows, int64_t** data)
{
  const sqi_array* a = NULL;
  sq_status s = sqi_container_need(context, c, name, SQI_MASK_INDEX, 1, &rows, &a);
  *data = s == SQ_OK ? (int64_t*)writable(a) : NULL;
  return s;
}

sq_status sqi_need_reals(sq_context* context, const sqi_container* c, const char* name,
  sq_type type, int64_t rows, void** data)
{
  const sqi_array* a = NULL;
  sq_status s = sqi_container_need(context, c, name, 1u << (int)type, 1, &rows, &a);
  *data = s == SQ_OK ? writable(a) : NULL;
  return s;
}

sq_status sqi_need_points(sq_context* context, const sqi_container* c, const char* name,
  sq_type type, int32_t dimension, int64_t rows, void** data)
{
  const int64_t shape[2] = { rows, dimension };
  const sqi_array* a = NULL;
  sq_status s = sqi_container_need(context, c, name, 1u << (int)type, 2, shape, &a);
  *data = s == SQ_OK ? writable(a) : NULL;
  return s;
}

sq_status sqi_need_first_points(
  sq_context* context, const sqi_container* c, const char* name, const sqi_array** array)
{
  const int64_t any[2] = { -1, -1 };
  sq_status s = sqi_container_need(context, c, name, SQI_MASK_REAL, 2, any, array);
  if (s == SQ_OK && ((*array)->shape[1] < 1 || (*array)->shape[1] > 3))
  {
    s = sqi_container_refuse(context, c, "array %s has %lld coordinates, 1 to 3 are supported",
      name, (long long)(*array)->shape[1]);
  }
  return s;
}

sq_status sqi_need_no_more(
  sq_context* context, const sqi_container* c, int32_t count, const char* nested_name)
{
  const sqi_array* arrays = NULL;
  const char* nested = sqi_container_nested_name(c);
  if (nested && (!nested_name || strcmp(nested, nested_name)))
  {
    return sqi_container_refuse(
      context, c, "%s is a set of fields that it cannot have", sqi_print_name(nested).text);
  }
  return sqi_container_arrays(c, 0, &arrays) <= count
    ? SQ_OK
    : sqi_container_refuse(context, c, "has more arrays than the %d that it can have", (int)count);
}

void sqi_unmap_container(void* container)
{
  sqi_container_close((sqi_container*)container);
}

static sq_status refuse_twice(
  sq_context* context, const sqi_tree* tree, const char* name, int64_t id)
{
  return sqi_container_refuse(context, (const sqi_container*)tree->mapping,
    "%s holds %lld more than once", name, (long long)id);
}

/** All ids are in 0 ... limit, and those below the number of items, which have a bit each, are there once. *most: the largest. */
static sq_status check_ids(sq_context* context, const sqi_tree* tree, const char* name,
  int64_t limit, uint64_t* seen, int64_t* most)
{
  int64_t count = tree->topology.item_count;
  *most = -1;
  for (int64_t i = 0; i < count; ++i)
  {
    int64_t id = tree->order[i];
    if (id < 0 || id > limit)
    {
      return sqi_container_refuse(context, (const sqi_container*)tree->mapping,
        "%s[%lld] is %lld, allowed are 0 to %lld", name, (long long)i, (long long)id,
        (long long)limit);
    }
    *most = id > *most ? id : *most;
    if (id < count)
    {
      uint64_t bit = (uint64_t)1 << (id % 64);
      if (seen[id / 64] & bit)
      {
        return refuse_twice(context, tree, name, id);
      }
      seen[id / 64] |= bit;
    }
    if (i % TILE == 0 && sqi_poll(context, 0.5, 0) != SQ_OK)
    {
      return SQ_CANCELLED;
    }
  }
  return SQ_OK;
}

/** No id is there twice, of ids that are more than their number: side by side once they are sorted. */
static sq_status check_different(sq_context* context, const sqi_tree* tree, const char* name)
{
  int64_t count = tree->topology.item_count;
  uint64_t* keys = NULL;
  uint32_t* items = NULL;
  sq_status s = SQI_NEW(context, &keys, count);
  if (s == SQ_OK)
  {
    s = SQI_NEW(context, &items, count);
  }
  for (int64_t i = 0; i < count && s == SQ_OK; ++i)
  {
    keys[i] = (uint64_t)tree->order[i];
    items[i] = (uint32_t)i;
  }
  if (s == SQ_OK)
  {
    s = sqi_sort(context, keys, items, count, 32);
  }
  for (int64_t i = 1; i < count && s == SQ_OK; ++i)
  {
    s = keys[i] == keys[i - 1] ? refuse_twice(context, tree, name, (int64_t)keys[i]) : s;
  }
  SQI_FREE(context, keys, count);
  SQI_FREE(context, items, count);
  return s;
}

static sq_status check_order(
  sq_context* context, const sqi_tree* tree, const char* name, int some_left_out)
{
  int64_t count = tree->topology.item_count;
  if (count > INT32_MAX)
  {
    return sqi_container_refuse(context, (const sqi_container*)tree->mapping,
      "%s has %lld entries, a tree takes up to %d", name, (long long)count, INT32_MAX);
  }
  int64_t words = count / 64 + 1;
  int64_t most = 0;
  uint64_t* seen = NULL;
  sq_status s = SQI_NEW(context, &seen, words);
  if (s == SQ_OK)
  {
    memset(seen, 0, (size_t)words * sizeof(*seen));
    s = check_ids(context, tree, name, some_left_out ? INT32_MAX : count - 1, seen, &most);
  }
  SQI_FREE(context, seen, words);
  return s == SQ_OK && most >= count ? check_different(context, tree, name) : s;
}

sq_status sqi_tree_expect(sq_context* context, const sqi_tree* tree, const char* name,
  const int64_t* got, const int64_t* want)
{
  const sqi_midpoint_tree* t = &tree->topology;
  int64_t node = 0;
  if (!t->node_count || !memcmp(got, want, (size_t)t->node_count * sizeof(*got)))
  {
    return sqi_poll(context, 0.9, 0);
  }
  while (got[node] == want[node])
  {
    ++node;
  }
  return sqi_container_refuse(context, (const sqi_container*)tree->mapping,
    "%s[%lld] is %lld, in the tree of %lld items with this largest leaf it is %lld", name,
    (long long)node, (long long)got[node], (long long)t->item_count, (long long)want[node]);
}

/** Largest leaf; at least 1. */
static int64_t leaf_size_of(const sqi_midpoint_tree* t)
{
  int64_t most = 1;
  for (int64_t i = 0; i < t->node_count; ++i)
  {
    most = t->leaf_count[i] > most ? t->leaf_count[i] : most;
  }
  return most;
}

/** Builds the topology that there must be, compares, and keeps its ranges and levels. */
static sq_status check_topology(sq_context* context, sqi_tree* tree)
{
  sqi_midpoint_tree* t = &tree->topology;
  int64_t leaf_size = leaf_size_of(t);
  int64_t nodes = sqi_midpoint_tree_node_count(t->item_count, leaf_size);
  if (nodes != t->node_count)
  {
    return sqi_container_refuse(context, (const sqi_container*)tree->mapping,
      "has %lld nodes, a tree of %lld items in leaves of at most %lld has %lld",
      (long long)t->node_count, (long long)t->item_count, (long long)leaf_size, (long long)nodes);
  }
  sqi_midpoint_tree want;
  sq_status s = sqi_midpoint_tree_build(context, t->item_count, leaf_size, &want);
  if (s != SQ_OK)
  {
    return s;
  }
  s = sqi_tree_expect(context, tree, "node_left_child", t->left_child, want.left_child);
  if (s == SQ_OK)
  {
    s = sqi_tree_expect(context, tree, "node_right_child", t->right_child, want.right_child);
  }
  if (s == SQ_OK)
  {
    s = sqi_tree_expect(context, tree, "leaf_start", t->leaf_start, want.leaf_start);
  }
  if (s == SQ_OK)
  {
    s = sqi_tree_expect(context, tree, "leaf_count", t->leaf_count, want.leaf_count);
  }
  if (s == SQ_OK)
  {
    t->range_start = want.range_start;
    t->range_count = want.range_count;
    t->max_depth = want.max_depth;
    memcpy(t->level_begin, want.level_begin, sizeof(t->level_begin));
    want.range_start = NULL;
    want.range_count = NULL;
  }
  sqi_midpoint_tree_release(&want);
  return s;
}

sq_status sqi_tree_open(
  sq_context* context, sqi_tree* tree, const char* order_name, int some_left_out)
{
  const sqi_container* c = (const sqi_container*)tree->mapping;
  sqi_midpoint_tree* t = &tree->topology;
  const sqi_array* boxes = NULL;
  sq_status s = sqi_need_first_points(context, c, "node_aabb_min", &boxes);
  if (s != SQ_OK)
  {
    return s;
  }
  t->allocator = tree->allocator;
  tree->type = boxes->type;
  tree->dimension = (int32_t)boxes->shape[1];
  tree->aabb_min = writable(boxes);
  int64_t nodes = boxes->shape[0];
  s = sqi_need_points(
    context, c, "node_aabb_max", tree->type, tree->dimension, nodes, &tree->aabb_max);
  struct
  {
    const char* name;
    int64_t** data;
  } indices[] = { { "node_left_child", &t->left_child }, { "node_right_child", &t->right_child },
    { "leaf_start", &t->leaf_start }, { "leaf_count", &t->leaf_count } };
  for (int i = 0; i < 4 && s == SQ_OK; ++i)
  {
    s = sqi_need_indices(context, c, indices[i].name, nodes, indices[i].data);
  }
  if (s == SQ_OK)
  {
    s = sqi_need_indices(context, c, order_name, -1, &tree->order);
  }
  if (s == SQ_OK)
  {
    t->node_count = nodes;
    t->item_count = sqi_container_find(c, 0, order_name)->shape[0];
    s = t->node_count <= 2 * t->item_count
      ? check_order(context, tree, order_name, some_left_out)
      : sqi_container_refuse(context, c, "has %lld nodes for %lld items, which is too many",
          (long long)t->node_count, (long long)t->item_count);
  }
  return s == SQ_OK ? check_topology(context, tree) : s;
}
