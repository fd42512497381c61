/** The lists that searches fill. */
#include "sqi_alloc.h"
#include "sqi_mesh_index_leaf.h"
#include "sqi_mesh_query.h"

#include <string.h>

sq_status sqi_found_add(sq_mesh_query* query, double t, int32_t number)
{
  sqi_found_list* list = &query->found;
  if (list->count == list->capacity)
  {
    int64_t room = 2 * list->capacity + 64;
    sqi_found* more = NULL;
    sq_status status = sqi_acquire(&query->allocator, room, sizeof(*more), (void**)&more);
    if (status != SQ_OK)
    {
      return status;
    }
    if (list->count)
    {
      memcpy(more, list->data, (size_t)list->count * sizeof(*more));
    }
    SQI_RELEASE(&query->allocator, list->data, list->capacity);
    list->data = more;
    list->capacity = room;
  }
  sqi_found found = { t, number };
  list->data[list->count++] = found;
  return SQ_OK;
}

static int comes_after(const sq_mesh_index* index, const sqi_found* a, const sqi_found* b)
{
  return a->t != b->t ? a->t > b->t : sqi_mesh_before(index, b->number, a->number);
}

/** Moves entry i of a heap of `count` down to where nothing below it comes after it. */
static void sift(const sq_mesh_index* index, sqi_found* data, int64_t i, int64_t count)
{
  sqi_found moved = data[i];
  for (int64_t child = 2 * i + 1; child < count; child = 2 * i + 1)
  {
    child += child + 1 < count && comes_after(index, data + child + 1, data + child);
    if (!comes_after(index, data + child, &moved))
    {
      break;
    }
    data[i] = data[child];
    i = child;
  }
  data[i] = moved;
}

void sqi_found_sort(sq_mesh_query* query)
{
  sqi_found* data = query->found.data;
  for (int64_t i = query->found.count / 2 - 1; i >= 0; --i)
  {
    sift(query->rules.index, data, i, query->found.count);
  }
  for (int64_t end = query->found.count - 1; end > 0; --end)
  {
    sqi_found last = data[end];
    data[end] = data[0];
    data[0] = last;
    sift(query->rules.index, data, 0, end);
  }
}

static sq_status collect_leaf(
  sq_mesh_query* query, const sqi_collect* collect, const sqi_mesh_leaf* leaf, int32_t count)
{
  sq_status status = SQ_OK;
  for (int32_t lane = 0; lane < count && status == SQ_OK; ++lane)
  {
    double t = 0.0;
    if (collect->cell(query, collect->data, leaf->number[lane], &t))
    {
      status = sqi_found_add(query, t, leaf->number[lane]);
    }
  }
  return status;
}

sq_status sqi_query_collect(sq_mesh_query* query, const sqi_collect* collect)
{
  const sq_mesh_index* index = query->rules.index;
  int32_t stack[SQI_BVH_STACK];
  int top = 0;
  sq_status status = SQ_OK;
  query->found.count = 0;
  if (index->bvh.node_count)
  {
    stack[top++] = 0;
  }
  while (top && status == SQ_OK)
  {
    const sqi_bvh_node* node = index->bvh.nodes + stack[--top];
    unsigned mask = collect->node(collect->data, node) & ((1u << node->child_count) - 1u);
    for (; mask && status == SQ_OK; mask &= mask - 1)
    {
      int k = __builtin_ctz(mask);
      if (node->count[k])
      {
        status = collect_leaf(query, collect, index->leaves + node->child[k], node->count[k]);
      }
      else
      {
        stack[top++] = node->child[k];
      }
    }
  }
  sqi_found_sort(query);
  return status;
}
