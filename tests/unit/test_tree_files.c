#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* truncate */
#endif
/** Trees as folders: the reference's own bytes, back and forth, and every lie that an array can tell. */
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_sweep.h"
#include "sqt_tree_folders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[SQT_PATH];
static char path[SQT_PATH];
static sq_context* c;

static void begin(void)
{
  char parent[SQT_PATH];
  sqt_folder_new(parent);
  sqt_path(folder, parent, "saved");
  c = sqt_context(2, NULL, NULL);
}

static void end(void)
{
  *strrchr(folder, '/') = 0;
  sqt_folder_remove(folder);
  sq_context_destroy(c);
}

/** Byte for byte what the reference saves; what is opened saves the same again; longer files change nothing. */
static void golden(void)
{
  const int threads[] = { 1, 2, 7 };
  begin();
  for (int i = 0; i < 3 * SQT_SAVED_COUNT; ++i)
  {
    const sqt_saved* g = sqt_saved_folders + i % SQT_SAVED_COUNT;
    sq_context* t = sqt_context(threads[i / SQT_SAVED_COUNT], NULL, NULL);
    CHECK_TEXT(sqt_save_folder(t, i % SQT_SAVED_COUNT, folder) == SQ_OK, "%s: %s", g->name,
      sq_context_message(t));
    uint64_t got = sqt_hash_folder(folder);
    CHECK_TEXT(got == g->hash, "%s: %016llx, want %016llx", g->name, (unsigned long long)got,
      (unsigned long long)g->hash);
    sqt_any any;
    CHECK_TEXT(sqt_any_open(t, g->structure, folder, &any) == SQ_OK, "%s: %s", g->name,
      sq_context_message(t));
    CHECK_STATUS(sqt_any_save(t, &any, sqt_path(path, folder, "../again")), SQ_OK);
    CHECK(sqt_hash_folder(path) == g->hash);
    /* Into its own folder, while it is open. */
    CHECK_STATUS(sqt_any_save(t, &any, folder), SQ_OK);
    CHECK(sqt_hash_folder(folder) == g->hash);
    sqt_any_destroy(&any);
    sq_context_destroy(t);
  }
  end();
}

/** The example of the layout: its sizes, file by file. */
static void worked_example(void)
{
  const struct
  {
    const char* file;
    int64_t bytes;
  } want[] = { { "meta.json", 72 }, { "_tensordict/meta.json", 1387 },
    { "_tensordict/node_aabb_min.memmap", 40 }, { "_tensordict/node_aabb_max.memmap", 40 },
    { "_tensordict/node_diameter_sq.memmap", 20 }, { "_tensordict/node_left_child.memmap", 40 },
    { "_tensordict/node_right_child.memmap", 40 }, { "_tensordict/leaf_start.memmap", 40 },
    { "_tensordict/leaf_count.memmap", 40 }, { "_tensordict/node_range_start.memmap", 40 },
    { "_tensordict/node_range_count.memmap", 40 }, { "_tensordict/node_total_area.memmap", 20 },
    { "_tensordict/sorted_source_order.memmap", 24 }, { "_tensordict/source_points.memmap", 24 },
    { "_tensordict/max_depth.memmap", 8 } };
  begin();
  CHECK_STATUS(sqt_save_folder(c, 0, folder), SQ_OK);
  for (int i = 0; i < 15; ++i)
  {
    int64_t bytes = -1;
    free(sqt_read_file(sqt_path(path, folder, want[i].file), &bytes));
    CHECK_TEXT(bytes == want[i].bytes, "%s: %lld bytes", want[i].file, (long long)bytes);
  }
  CHECK_INT(sqt_count_entries(folder), 2);
  CHECK_INT(sqt_count_entries(sqt_path(path, folder, "_tensordict")), 14);
  const unsigned char diameter[] = { 0, 0, 0xa0, 0x3f, 0, 0, 0, 0, 0, 0, 0x50, 0x3f };
  char* got = sqt_read_file(sqt_path(path, folder, "_tensordict/node_diameter_sq.memmap"), NULL);
  CHECK(got && !memcmp(got, diameter, sizeof(diameter)));
  free(got);
  got = sqt_read_file(sqt_path(path, folder, "_tensordict/meta.json"), NULL);
  const char* first = "{\"node_aabb_min\": {\"device\": \"cpu\", \"shape\": [5, 2], \"dtype\": "
                      "\"torch.float32\", \"is_nested\": false}, ";
  CHECK(got && !strncmp(got, first, strlen(first)));
  free(got);
  end();
}

/** Everything that a view says is the same, but what the folder does not hold. */
static void views(void)
{
  begin();
  sq_points p = sqt_golden_points(1, SQ_FLOAT64, 1000, 3);
  sq_cluster_tree* built = NULL;
  sq_cluster_tree* opened = NULL;
  sq_cluster_tree_view a;
  sq_cluster_tree_view b;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, NULL, &built), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_save(c, built, folder), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &opened), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(built, &a), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(opened, &b), SQ_OK);
  REQUIRE(b.node_count == a.node_count && b.point_count == 1000 && b.type == a.type);
  CHECK_INT(b.dimension, 3);
  CHECK_INT(b.max_depth, a.max_depth);
  CHECK_INT(b.skipped_points, 0);
  CHECK(!b.node_finite_count);
  CHECK_SAME((const double*)b.node_aabb_min, (const double*)a.node_aabb_min, 3 * a.node_count);
  CHECK_SAME((const double*)b.node_aabb_max, (const double*)a.node_aabb_max, 3 * a.node_count);
  CHECK_SAME((const double*)b.node_diameter_sq, (const double*)a.node_diameter_sq, a.node_count);
  CHECK_SAME((const double*)b.node_total_area, (const double*)a.node_total_area, a.node_count);
  CHECK_SAME(b.node_left_child, a.node_left_child, a.node_count);
  CHECK_SAME(b.node_right_child, a.node_right_child, a.node_count);
  CHECK_SAME(b.leaf_start, a.leaf_start, a.node_count);
  CHECK_SAME(b.leaf_count, a.leaf_count, a.node_count);
  CHECK_SAME(b.node_range_start, a.node_range_start, a.node_count);
  CHECK_SAME(b.node_range_count, a.node_range_count, a.node_count);
  CHECK_SAME(b.sorted_source_order, a.sorted_source_order, 1000);
  CHECK_SAME((const double*)b.source_points, (const double*)p.data, 3000);
  /* The opened one serves as the built one does. */
  sq_bvh_statistics of_built;
  sq_bvh_statistics of_opened;
  CHECK_STATUS(sq_cluster_tree_measure(c, built, &of_built, NULL, NULL), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_measure(c, opened, &of_opened, NULL, NULL), SQ_OK);
  CHECK(of_built.sah_cost == of_opened.sah_cost && of_built.leaves == of_opened.leaves);
  double* sums = (double*)malloc(2 * (size_t)a.node_count * sizeof(*sums));
  CHECK_STATUS(sq_cluster_tree_sum(c, built, p.data, SQ_FLOAT64, 1, sums), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_sum(c, opened, p.data, SQ_FLOAT64, 1, sums + a.node_count), SQ_OK);
  CHECK_SAME(sums, sums + a.node_count, a.node_count);
  free(sums);
  sq_cluster_tree_destroy(built);
  sq_cluster_tree_destroy(opened);
  free((void*)(uintptr_t)p.data);
  end();
}

/** Points that are not finite are skipped in the opened tree as in the built one. */
static void skipped_points(void)
{
  begin();
  sq_points p = sqt_golden_points(1, SQ_FLOAT32, 50, 2);
  sqt_set_coordinate(&p, 3, 0, (double)NAN);
  sqt_set_coordinate(&p, 17, 1, (double)INFINITY);
  sq_cluster_tree_options o = { 3, SQ_NON_FINITE_KEEP };
  sq_cluster_tree* built = NULL;
  sq_cluster_tree* opened = NULL;
  sq_cluster_tree_view a;
  sq_cluster_tree_view b;
  CHECK_STATUS(sq_cluster_tree_build(c, &p, NULL, &o, &built), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_save(c, built, folder), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &opened), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(built, &a), SQ_OK);
  CHECK_STATUS(sq_cluster_tree_get_view(opened, &b), SQ_OK);
  CHECK_INT(a.skipped_points, 2);
  CHECK_INT(b.skipped_points, 2);
  REQUIRE(a.node_finite_count && b.node_finite_count && a.node_count == b.node_count);
  CHECK_SAME(b.node_finite_count, a.node_finite_count, a.node_count);
  sq_cluster_tree_destroy(opened);
  /* In another place of the order they would be looked for in vain. */
  int64_t order[50];
  memcpy(order, a.sorted_source_order, sizeof(order));
  int64_t last = order[49];
  order[49] = order[0];
  order[0] = last;
  sqt_write_file(
    sqt_path(path, folder, "_tensordict/sorted_source_order.memmap"), order, sizeof(order));
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &opened), SQ_INVALID_DATA);
  CHECK(!opened && strstr(sq_context_message(c), "not finite") != NULL);
  sq_cluster_tree_destroy(built);
  free((void*)(uintptr_t)p.data);
  end();
}

/** Cells that were left out of a BVH leave gaps in its ids. */
static void skipped_cells(void)
{
  begin();
  sqt_simplices mesh = sqt_kuhn(3);
  mesh.points[0] = (float)NAN;
  sq_bvh* built = NULL;
  sq_bvh* opened = NULL;
  sq_bvh_view a;
  sq_bvh_view b;
  CHECK_STATUS(sq_bvh_build(c, &mesh.cells, 1, NULL, &built), SQ_OK);
  CHECK_STATUS(sq_bvh_save(c, built, folder), SQ_OK);
  CHECK_STATUS(sq_bvh_open(c, folder, &opened), SQ_OK);
  CHECK_STATUS(sq_bvh_get_view(built, &a), SQ_OK);
  CHECK_STATUS(sq_bvh_get_view(opened, &b), SQ_OK);
  CHECK_INT(a.skipped_elements, 6);
  REQUIRE(a.cell_count == 156 && b.cell_count == 156 && a.node_count == b.node_count);
  CHECK_SAME(b.sorted_cell_order, a.sorted_cell_order, 156);
  CHECK_SAME(b.node_range_start, a.node_range_start, a.node_count);
  CHECK_SAME(b.node_range_count, a.node_range_count, a.node_count);
  CHECK_INT(b.max_depth, a.max_depth);
  sq_bvh_destroy(opened);
  int64_t order[156];
  memcpy(order, a.sorted_cell_order, sizeof(order));
  order[3] = order[150];
  sqt_write_file(
    sqt_path(path, folder, "_tensordict/sorted_cell_order.memmap"), order, sizeof(order));
  CHECK_STATUS(sq_bvh_open(c, folder, &opened), SQ_INVALID_DATA);
  CHECK(!opened && strstr(sq_context_message(c), "more than once") != NULL);
  sq_bvh_destroy(built);
  sqt_simplices_free(&mesh);
  end();
}

/** Changes one entry of an array of indices of the tree of seven points, and sees that it is refused. */
static void refuse_entry(const char* array, int64_t at, int64_t value, const char* says)
{
  char name[SQT_PATH];
  int64_t bytes = 0;
  snprintf(name, sizeof(name), "_tensordict/%s.memmap", array);
  int64_t* data = (int64_t*)sqt_read_file(sqt_path(path, folder, name), &bytes);
  REQUIRE(data && at < bytes / 8);
  int64_t kept = data[at];
  data[at] = value;
  sqt_write_file(path, data, bytes);
  sq_cluster_tree* tree = NULL;
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &tree), SQ_INVALID_DATA);
  CHECK(!tree);
  CHECK_TEXT(strstr(sq_context_message(c), says) && strstr(sq_context_message(c), array),
    "%s[%lld] = %lld: '%s'", array, (long long)at, (long long)value, sq_context_message(c));
  data[at] = kept;
  sqt_write_file(path, data, bytes);
  free(data);
}

static void entries(void)
{
  begin();
  CHECK_STATUS(sqt_save_folder(c, 1, folder), SQ_OK); /* left 1 3 5 -1 ..., right 2 4 6 -1 ... */
  const int64_t bad[] = { 0, 2, 4, 7, -1, -2, INT64_MIN, INT64_MAX };
  for (int i = 0; i < 8; ++i)
  {
    refuse_entry("node_left_child", 0, bad[i], "is 1"); /* itself, its sibling, a cousin, none */
    refuse_entry("leaf_start", 3, bad[i] ? bad[i] : 1, "it is 0");
    refuse_entry("node_range_start", 2, bad[i], "it is 3");
    refuse_entry("node_range_count", 2, bad[i] == 4 ? 5 : bad[i], "it is 4");
  }
  refuse_entry("node_left_child", 1, 0, "is 3"); /* a cycle */
  refuse_entry("node_left_child", 2, 3, "is 5"); /* a node with two parents */
  refuse_entry("node_left_child", 3, 5, "is -1"); /* a leaf with a child */
  refuse_entry("node_right_child", 1, 2, "is 4");
  refuse_entry("node_right_child", 2, -1, "is 6");
  refuse_entry("leaf_count", 0, 2, "is 0");
  refuse_entry("leaf_count", 4, 1, "is 2");
  refuse_entry("sorted_source_order", 3, 7, "allowed are 0 to 6");
  refuse_entry("sorted_source_order", 3, -1, "allowed are 0 to 6");
  refuse_entry("sorted_source_order", 3, INT64_MAX, "allowed are 0 to 6");
  refuse_entry("sorted_source_order", 0, 5, "more than once");
  refuse_entry("max_depth", 0, 1, "2 levels");
  refuse_entry("max_depth", 0, -1, "2 levels");
  end();
}

/** Replaces a text in the inner meta.json; NULL opens. */
static void refuse_meta(const char* from, const char* to, const char* says)
{
  char name[SQT_PATH];
  char* text = sqt_read_file(sqt_path(name, folder, "_tensordict/meta.json"), NULL);
  char* at = text ? strstr(text, from) : NULL;
  REQUIRE(at != NULL);
  char changed[8192];
  snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  sqt_write_file(name, changed, (int64_t)strlen(changed));
  sq_cluster_tree* tree = NULL;
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &tree), SQ_INVALID_DATA);
  CHECK_TEXT(!tree && strstr(sq_context_message(c), says), "%s -> %s: '%s'", from, to,
    sq_context_message(c));
  sqt_write_file(name, text, (int64_t)strlen(text));
  free(text);
}

/** Types and shapes that fit the files but not the class. */
static void types_and_shapes(void)
{
  begin();
  CHECK_STATUS(sqt_save_folder(c, 1, folder), SQ_OK);
#define ENTRY(name, shape, type) \
  "\"" name "\": {\"device\": \"cpu\", \"shape\": " shape ", \"dtype\": \"torch." type "\""
  refuse_meta(ENTRY("node_left_child", "[7]", "int64"), ENTRY("node_left_child", "[7]", "int32"),
    "node_left_child is of type torch.int32, not torch.int64");
  refuse_meta(ENTRY("node_left_child", "[7]", "int64"), ENTRY("node_left_child", "[6]", "int64"),
    "node_left_child has the shape [6], not [7]");
  refuse_meta(ENTRY("node_left_child", "[7]", "int64"), ENTRY("node_left_child", "[7, 1]", "int64"),
    "shape [7, 1], not [7]");
  refuse_meta(ENTRY("node_left_child", "[7]", "int64"), ENTRY("node_left_child", "[0]", "int64"),
    "shape [0], not [7]");
  refuse_meta(
    "\"node_left_child\"", "\"node_centre_child\"", "node_centre_child.memmap is missing");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[6, 3]", "float32"), "node_aabb_max has the shape [7, 3], not [6, 3]");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[21]", "float32"), "shape [21], not [any, any]");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[3, 7]", "float32"), "7 coordinates");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[7, 0]", "float32"), "0 coordinates");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[0, 3]", "float32"), "not [0, 3]");
  refuse_meta(ENTRY("node_aabb_min", "[7, 3]", "float32"),
    ENTRY("node_aabb_min", "[7, 3]", "int32"), "torch.int32, not torch.float32 or torch.float64");
  refuse_meta(ENTRY("node_diameter_sq", "[7]", "float32"),
    ENTRY("node_diameter_sq", "[7]", "int32"), "torch.int32, not torch.float32");
  refuse_meta(ENTRY("sorted_source_order", "[7]", "int64"),
    ENTRY("sorted_source_order", "[6]", "int64"), "sorted_source_order[");
  refuse_meta(ENTRY("sorted_source_order", "[7]", "int64"),
    ENTRY("sorted_source_order", "[0]", "int64"), "7 nodes for 0 items");
  refuse_meta(ENTRY("source_points", "[7, 3]", "float32"),
    ENTRY("source_points", "[7, 2]", "float32"), "shape [7, 2], not [7, 3]");
  refuse_meta(ENTRY("max_depth", "[]", "int64"), ENTRY("max_depth", "[1]", "int64"), "shape [1]");
  refuse_meta("\"shape\": [], \"device\": \"cpu\", \"_type\"",
    "\"set\": {\"type\": \"TensorDict\"}, \"shape\": [], \"device\": \"cpu\", \"_type\"",
    "set is missing");
  refuse_meta("\"shape\": [], \"device\": \"cpu\", \"_type\"",
    "\"more\": {\"shape\": [0], \"dtype\": \"torch.int64\"}, \"shape\": [], \"device\": \"cpu\", "
    "\"_type\"",
    "more arrays");
  sqt_any any;
  CHECK_STATUS(sqt_any_open(c, SQT_BVH, folder, &any), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c),
          "holds a physicsnemo.mesh.spatial.cluster_tree.ClusterTree, "
          "not a physicsnemo.mesh.spatial.bvh.BVH") != NULL);
  end();
}

/** Sparse files that claim to be huge cost neither time nor memory. */
static void huge_claims(void)
{
  const char* names[] = { "node_aabb_min", "node_aabb_max", "node_left_child", "node_right_child",
    "leaf_start", "leaf_count", "sorted_cell_order" };
  begin();
  CHECK_STATUS(sqt_save_folder(c, 7, folder), SQ_OK);
  /* All of them together fit into the part of the address space that ThreadSanitizer leaves. */
  const int64_t rows[][2] = { { (int64_t)1 << 33, 1 }, { 1, (int64_t)1 << 33 },
    { 1, (int64_t)1 << 30 }, { ((int64_t)1 << 31) - 1, (int64_t)1 << 30 } };
  for (int k = 0; k < 4; ++k)
  {
    char meta[4096] = "{";
    for (int i = 0; i < 7; ++i)
    {
      char name[SQT_PATH];
      snprintf(name, sizeof(name), "_tensordict/%s.memmap", names[i]);
      CHECK_INT(
        truncate(sqt_path(path, folder, name), (off_t)rows[k][i == 6] * (i < 2 ? 12 : 8)), 0);
      snprintf(meta + strlen(meta), sizeof(meta) - strlen(meta),
        "\"%s\": {\"shape\": [%lld%s], \"dtype\": \"torch.%s\"}, ", names[i],
        (long long)rows[k][i == 6], i < 2 ? ", 3" : "", i < 2 ? "float32" : "int64");
    }
    strcat(meta, "\"shape\": [], \"_type\": \"<class 'tensordict._td.TensorDict'>\"}");
    sqt_write_file(sqt_path(path, folder, "_tensordict/meta.json"), meta, (int64_t)strlen(meta));
    sq_bvh* bvh = NULL;
    CHECK_STATUS(sq_bvh_open(c, folder, &bvh), SQ_INVALID_DATA);
    CHECK(!bvh);
  }
  end();
}

static int swept;

static sq_status open_swept(sq_context* context, void* data)
{
  (void)data;
  sqt_any any;
  sq_status s = sqt_any_open(context, sqt_saved_folders[swept].structure, folder, &any);
  CHECK((any.bvh || any.tree || any.aggregates || any.plan) == (s == SQ_OK));
  sqt_any_destroy(&any);
  return s;
}

/** Memory that runs out, and a user who has enough of it. */
static void sweeps(void)
{
  const int which[] = { 2, 7, 11, 12 };
  begin();
  for (int i = 0; i < 4; ++i)
  {
    swept = which[i];
    CHECK_STATUS(sqt_save_folder(c, swept, folder), SQ_OK);
    sqt_sweep_memory("open", open_swept, NULL, 5);
  }
  sqt_simplices mesh = sqt_kuhn(3);
  mesh.points[0] = (float)NAN;
  sq_bvh* bvh = NULL;
  CHECK_STATUS(sq_bvh_build(c, &mesh.cells, 1, NULL, &bvh), SQ_OK);
  CHECK_STATUS(sq_bvh_save(c, bvh, folder), SQ_OK);
  swept = 7;
  sqt_sweep_memory("open with gaps", open_swept, NULL, 5);
  sqt_sweep_cancel("open with gaps", open_swept, NULL, 1);
  sq_bvh_destroy(bvh);
  sqt_simplices_free(&mesh);
  end();
}

static const sqt_case cases[] = {
  { "golden", golden },
  { "worked example", worked_example },
  { "views", views },
  { "skipped points", skipped_points },
  { "skipped cells", skipped_cells },
  { "entries", entries },
  { "types and shapes", types_and_shapes },
  { "huge claims", huge_claims },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
