/** Folders with random damage, always the same: each is refused with a message or opens, and what opens can be used. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_tree_folders.h"

#include "spatialqueries/sq_plan_evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 32
/** Damages of each folder. */
#define ROUNDS 1500

typedef struct file
{
  char path[SQT_PATH];
  char* data;
  int64_t bytes;
} file;

typedef struct damaged
{
  sq_context* context;
  char folder[SQT_PATH];
  const sqt_saved* saved;
  file files[FILES_MAX];
  int count;
  orc_random random;
  int opened;
  int refused;
} damaged;

static void add_file(damaged* d, const char* name)
{
  file* f = d->files + d->count;
  sqt_path(f->path, d->folder, name);
  f->data = sqt_read_file(f->path, &f->bytes);
  d->count += f->data != NULL;
}

static void read_files(damaged* d)
{
  static const char* const names[] = { "meta.json", "_tensordict/meta.json",
    "_tensordict/node_source_data/meta.json", "_tensordict/node_source_data/pressure.memmap",
    "_tensordict/node_source_data/wall%20shear.memmap", "_tensordict/node_centroid.memmap",
    "_tensordict/node_aabb_min.memmap", "_tensordict/node_aabb_max.memmap",
    "_tensordict/node_left_child.memmap", "_tensordict/node_right_child.memmap",
    "_tensordict/leaf_start.memmap", "_tensordict/leaf_count.memmap",
    "_tensordict/sorted_cell_order.memmap", "_tensordict/sorted_source_order.memmap",
    "_tensordict/source_points.memmap", "_tensordict/node_diameter_sq.memmap",
    "_tensordict/node_total_area.memmap", "_tensordict/node_range_start.memmap",
    "_tensordict/node_range_count.memmap", "_tensordict/max_depth.memmap",
    "_tensordict/near_target_ids.memmap", "_tensordict/near_source_ids.memmap",
    "_tensordict/nf_source_node_ids.memmap", "_tensordict/fn_source_ids.memmap",
    "_tensordict/fn_broadcast_starts.memmap", "_tensordict/fn_broadcast_counts.memmap",
    "_tensordict/fn_broadcast_targets.memmap", "_tensordict/far_target_node_ids.memmap" };
  d->count = 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i)
  {
    add_file(d, names[i]);
  }
}

/** Words that meta.json may hold in the place of others. */
static const char* const words[] = { "[]", "[7]", "[0]", "[-1]", "[7, 3]", "[9223372036854775807]",
  "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "null", "true", "{}", "1e999", "\"torch.int64\"",
  "\"torch.float32\"", "\"torch.float64\"", "\"torch.bool\"", "\"torch.complex64\"", "\"type\"",
  "\"TensorDict\"", "\"shape\"", "\"dtype\"", "\"_type\"", "\"\\u0000\"", "\"../meta.json\"", "9",
  "{\"a\": [[[[]]]]}" };
#define WORDS ((int64_t)(sizeof(words) / sizeof(*words)))

/** Replaces a token (what lies between two of {}[],: outside of names) or some characters by a word. */
static void damage_text(damaged* d, file* f, char* out, int64_t* bytes)
{
  int64_t from = orc_below(&d->random, f->bytes + 1);
  int64_t to = from;
  while (from > 0 && !strchr("{[,:", f->data[from - 1]) && orc_below(&d->random, 20))
  {
    --from;
  }
  while (to < f->bytes && !strchr("}],:", f->data[to]) && orc_below(&d->random, 20))
  {
    ++to;
  }
  const char* word = orc_below(&d->random, 4) ? words[orc_below(&d->random, WORDS)] : "";
  memcpy(out, f->data, (size_t)from);
  memcpy(out + from, word, strlen(word));
  *bytes = from + (int64_t)strlen(word);
  memcpy(out + *bytes, f->data + to, (size_t)(f->bytes - to));
  *bytes += f->bytes - to;
}

static void damage_numbers(damaged* d, const file* f, char* out, int64_t* bytes)
{
  static const int64_t values[] = { 0, 1, -1, 2, 6, 7, 8, 63, 1 << 20, INT32_MAX, INT64_MAX,
    INT64_MIN, INT64_C(0x7ff8000000000000), INT64_C(0x7f800000ff800000) };
  memcpy(out, f->data, (size_t)f->bytes);
  *bytes = f->bytes;
  int64_t times = 1 + orc_below(&d->random, 3);
  for (; times && f->bytes >= 8; --times)
  {
    int64_t at = 8 * orc_below(&d->random, f->bytes / 8);
    int64_t value = values[orc_below(&d->random, 14)];
    int64_t old = 0;
    memcpy(&old, out + at, 8);
    int64_t near = (int64_t)((uint64_t)old + (uint64_t)orc_below(&d->random, 5) - 2);
    value = orc_below(&d->random, 3) ? value : near;
    memcpy(out + at, &value, 8);
  }
}

/** One damage of one file; *bytes -1: it goes. */
static void damage(damaged* d, file* f, char* out, int64_t* bytes)
{
  int is_text = strstr(f->path, "meta.json") != NULL;
  memcpy(out, f->data, (size_t)f->bytes);
  *bytes = f->bytes;
  switch (orc_below(&d->random, 8))
  {
    case 0:
      *bytes = orc_below(&d->random, f->bytes + 1);
      break;
    case 1:
      *bytes = -1;
      break;
    case 2:
      *bytes = f->bytes + orc_below(&d->random, 64);
      memset(out + f->bytes, 'x', (size_t)(*bytes - f->bytes));
      break;
    case 3:
      out[f->bytes ? orc_below(&d->random, f->bytes) : 0] ^= (char)(1 << orc_below(&d->random, 8));
      break;
    default:
      if (is_text)
      {
        damage_text(d, f, out, bytes);
      }
      else
      {
        damage_numbers(d, f, out, bytes);
      }
  }
}

static void use_bvh(sq_context* c, const sq_bvh* bvh)
{
  sq_bvh_view v;
  sq_bvh_statistics statistics;
  CHECK_STATUS(sq_bvh_get_view(bvh, &v), SQ_OK);
  CHECK_STATUS(sq_bvh_measure(c, bvh, &statistics, NULL, NULL), SQ_OK);
  CHECK_INT(statistics.depth, v.max_depth);
  sq_points q = sqt_random_points(5, SQ_FLOAT32, 20, v.dimension, -1.0, 4.0);
  sq_lists* lists = NULL;
  CHECK_STATUS(sq_bvh_find_candidates(c, bvh, &q, NULL, &lists, NULL), SQ_OK);
  sq_lists_destroy(lists);
  free((void*)(uintptr_t)q.data);
}

static void use_tree(sq_context* c, const sq_cluster_tree* tree)
{
  sq_cluster_tree_view v;
  sq_bvh_statistics statistics;
  CHECK_STATUS(sq_cluster_tree_get_view(tree, &v), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_measure(c, tree, &statistics, NULL, NULL), SQ_OK);
  CHECK_INT(statistics.depth, v.max_depth);
  sq_aggregates* aggregates = NULL;
  CHECK_STATUS(sq_aggregates_build(c, tree, NULL, SQ_FLOAT32, NULL, 0, 0, &aggregates), SQ_OK);
  sq_aggregates_destroy(aggregates);
}

static double sum_of(const void* data, sq_type type, int64_t count)
{
  double sum = 0.0;
  for (int64_t i = 0; i < count; ++i)
  {
    sum += type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
  }
  return sum;
}

static void use_aggregates(const sq_aggregates* a)
{
  sq_aggregates_view v;
  CHECK_STATUS(sq_aggregates_get_view(a, &v), SQ_OK);
  double sum = sum_of(v.node_centroid, v.type, v.node_count * v.dimension);
  for (int32_t f = 0; f < v.field_count; ++f)
  {
    CHECK(v.fields[f].components > 0 && v.fields[f].name);
    sum += sum_of(v.fields[f].data, v.fields[f].type, v.node_count * v.fields[f].components);
  }
  CHECK(sum == sum || sum != sum);
}

/** Ids that are none of the trees are found when both are there; what passes is evaluated. */
static void use_plan(sq_context* c, const sq_plan* plan)
{
  sq_plan_view v;
  sq_points p = sqt_golden_points(1, SQ_FLOAT32, 7, 3);
  sq_cluster_tree_options o = { 2, SQ_NON_FINITE_REJECT };
  sq_cluster_tree* tree = NULL;
  sq_aggregates* aggregates = NULL;
  double potential[7];
  CHECK_STATUS(sq_plan_get_view(plan, &v), SQ_OK);
  CHECK_STATUS(sq_plan_validate(c, &v, NULL, NULL), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &tree), SQ_OK);
  CHECK_STATUS(sq_aggregates_build(c, tree, NULL, SQ_FLOAT32, NULL, 0, 0, &aggregates), SQ_OK);
  sq_plan_field field = { sq_kernel_default(), NULL, SQ_FLOAT32, aggregates, NULL };
  sq_status s = sq_plan_evaluate_stored(c, &v, tree, tree, &field, potential);
  CHECK(s == SQ_OK || s == SQ_INVALID_DATA);
  sq_aggregates_destroy(aggregates);
  sq_cluster_tree_destroy(tree);
  free((void*)(uintptr_t)p.data);
}

static void try_to_open(damaged* d, const file* f)
{
  sqt_any any;
  sq_status s = sqt_any_open(d->context, d->saved->structure, d->folder, &any);
  if (s != SQ_OK)
  {
    CHECK_TEXT(s == SQ_INVALID_DATA || s == SQ_IO || s == SQ_TOO_LARGE, "%s: \"%s\"", f->path,
      sq_status_text(s));
    CHECK(*sq_context_message(d->context) && !any.bvh && !any.tree && !any.aggregates && !any.plan);
    ++d->refused;
    return;
  }
  ++d->opened;
  switch (any.structure)
  {
    case SQT_BVH:
      use_bvh(d->context, any.bvh);
      break;
    case SQT_CLUSTER_TREE:
      use_tree(d->context, any.tree);
      break;
    case SQT_AGGREGATES:
      use_aggregates(any.aggregates);
      break;
    default:
      use_plan(d->context, any.plan);
  }
  sqt_any_destroy(&any);
}

/** A file of which any damage shows: of points, boxes and areas anything goes, and of the order any permutation. */
static int is_checked(const char* path)
{
  return strstr(path, "child") || strstr(path, "leaf_") || strstr(path, "range") ||
    strstr(path, "depth");
}

static void fuzz(int which)
{
  damaged d = { .context = sqt_context(1, NULL, NULL), .saved = sqt_saved_folders + which };
  d.random.state = (uint64_t)which + 1;
  char parent[SQT_PATH];
  sqt_folder_new(parent);
  sqt_path(d.folder, parent, "saved");
  CHECK_STATUS(sqt_save_folder(d.context, which, d.folder), SQ_OK);
  read_files(&d);
  for (int i = 0; i < ROUNDS; ++i)
  {
    file* f = d.files + orc_below(&d.random, d.count);
    char* out = (char*)malloc((size_t)f->bytes + 256);
    int64_t bytes = 0;
    damage(&d, f, out, &bytes);
    if (bytes < 0)
    {
      CHECK_INT(unlink(f->path), 0);
    }
    else
    {
      sqt_write_file(f->path, out, bytes);
    }
    int64_t opened = d.opened;
    try_to_open(&d, f);
    int changed = bytes < f->bytes || memcmp(out, f->data, (size_t)f->bytes);
    CHECK_TEXT(!(changed && is_checked(f->path)) || d.opened == opened,
      "%s was opened with damage %d", f->path, i);
    sqt_write_file(f->path, f->data, f->bytes);
    free(out);
  }
  CHECK_TEXT(d.refused > ROUNDS / 4 && d.opened > 5, "%s: %d refused, %d opened", d.saved->name,
    d.refused, d.opened);
  for (int i = 0; i < d.count; ++i)
  {
    free(d.files[i].data);
  }
  sqt_folder_remove(parent);
  sq_context_destroy(d.context);
}

static void cluster_trees(void)
{
  for (int i = 0; i < 7; ++i)
  {
    fuzz(i);
  }
}

static void bvhs(void)
{
  for (int i = 7; i < 10; ++i)
  {
    fuzz(i);
  }
}

static void aggregates(void)
{
  fuzz(10);
  fuzz(11);
}

static void plans(void)
{
  fuzz(12);
  fuzz(13);
}

static const sqt_case cases[] = {
  { "cluster trees", cluster_trees },
  { "bvhs", bvhs },
  { "aggregates", aggregates },
  { "plans", plans },
};
SQT_MAIN(cases)
