/** Aggregates and plans as folders: what an array can tell that is not true; and wrong arguments of all. */
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_tree_folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void aggregates(void)
{
  begin();
  CHECK_STATUS(sqt_save_folder(c, 11, folder), SQ_OK);
  sq_aggregates* a = NULL;
  sq_aggregates_view v;
  CHECK_STATUS(sq_aggregates_open(c, folder, 7, &a), SQ_OK);
  CHECK_STATUS(sq_aggregates_get_view(a, &v), SQ_OK);
  REQUIRE(v.node_count == 7 && v.field_count == 3 && v.dimension == 3);
  CHECK(!strcmp(v.fields[1].name, "wall shear") && v.fields[1].components == 3);
  CHECK(v.fields[1].type == SQ_FLOAT64 && v.fields[2].type == SQ_FLOAT32);
  sq_aggregates_destroy(a);
  CHECK_STATUS(sq_aggregates_open(c, folder, 8, &a), SQ_INVALID_DATA);
  CHECK(!a && strstr(sq_context_message(c), "7 nodes, the tree has 8") != NULL);
  /* Several axes are components; of other types there is nothing to be made. */
  const char* meta = "_tensordict/node_source_data/meta.json";
  const char* marks = "\"shape\": [7], \"_type\": \"<class 'tensordict._td.TensorDict'>\"}";
  const struct
  {
    const char* entry;
    const char* says; /* NULL: opens */
  } of[] = { { "\"wall shear\": {\"shape\": [7, 3, 1], \"dtype\": \"torch.float64\"}, ", NULL },
    { "\"wall shear\": {\"shape\": [7, 3], \"dtype\": \"torch.int64\"}, ", "torch.float32 or" },
    { "\"wall shear\": {\"shape\": [7, 0], \"dtype\": \"torch.float64\"}, ",
      "at least one number" },
    { "\"wall shear\": {\"shape\": [3, 7], \"dtype\": \"torch.float64\"}, ", "7 rows" },
    { "", NULL } };
  for (int i = 0; i < 5; ++i)
  {
    char text[1024];
    snprintf(text, sizeof(text), "{%s%s", of[i].entry, marks);
    sqt_write_file(sqt_path(path, folder, meta), text, (int64_t)strlen(text));
    CHECK_STATUS(sq_aggregates_open(c, folder, 7, &a), of[i].says ? SQ_INVALID_DATA : SQ_OK);
    CHECK_TEXT(
      !of[i].says || strstr(sq_context_message(c), of[i].says), "%s", sq_context_message(c));
    sq_aggregates_destroy(a);
  }
  const char* six = "{\"shape\": [6], \"_type\": \"<class 'tensordict._td.TensorDict'>\"}";
  sqt_write_file(sqt_path(path, folder, meta), six, (int64_t)strlen(six));
  CHECK_STATUS(sq_aggregates_open(c, folder, 7, &a), SQ_INVALID_DATA);
  end();
}

/** Lies of a plan: lengths, negative ids, lists that end outside. */
static void plans(void)
{
  const struct
  {
    const char* array;
    int64_t at;
    int64_t value;
    const char* says;
  } bad[] = { { "near_target_ids", 3, -1, "near_target_ids[3] is -1" },
    { "far_source_node_ids", 0, INT64_MIN, "far_source_node_ids[0] is -9223372036854775808" },
    { "fn_broadcast_starts", 0, 2, "out of bounds" }, { "fn_broadcast_counts", 5, 9, "out of" },
    { "fn_broadcast_counts", 5, INT64_MAX - 1, "out of bounds" },
    { "fn_broadcast_targets", 1, -5, "fn_broadcast_targets[1] is -5" } };
  begin();
  CHECK_STATUS(sqt_save_folder(c, 12, folder), SQ_OK);
  sq_plan* plan = NULL;
  for (int i = 0; i < 6; ++i)
  {
    char name[SQT_PATH];
    int64_t bytes = 0;
    snprintf(name, sizeof(name), "_tensordict/%s.memmap", bad[i].array);
    int64_t* data = (int64_t*)sqt_read_file(sqt_path(path, folder, name), &bytes);
    REQUIRE(data != NULL);
    int64_t kept = data[bad[i].at];
    data[bad[i].at] = bad[i].value;
    sqt_write_file(path, data, bytes);
    CHECK_STATUS(sq_plan_open(c, folder, &plan), SQ_INVALID_DATA);
    CHECK_TEXT(
      !plan && strstr(sq_context_message(c), bad[i].says) && strstr(sq_context_message(c), folder),
      "%s", sq_context_message(c));
    data[bad[i].at] = kept;
    sqt_write_file(path, data, bytes);
    free(data);
  }
  CHECK_STATUS(sq_plan_open(c, folder, &plan), SQ_OK);
  sq_plan_destroy(plan);
  char* text = sqt_read_file(sqt_path(path, folder, "_tensordict/meta.json"), NULL);
  char* at = text ? strstr(text, "[13]") : NULL; /* of the near stream */
  REQUIRE(at != NULL);
  at[2] = '2';
  sqt_write_file(path, text, (int64_t)strlen(text));
  free(text);
  CHECK_STATUS(sq_plan_open(c, folder, &plan), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "near_source_ids has the shape [13], not [12]") != NULL);
  CHECK_STATUS(sq_plan_save(NULL, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_plan_save(c, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_plan_open(NULL, folder, &plan), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_plan_open(c, NULL, &plan), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_plan_open(c, folder, NULL), SQ_INVALID_ARGUMENT);
  end();
}

static void arguments(void)
{
  begin();
  sq_bvh* bvh = NULL;
  sq_cluster_tree* tree = NULL;
  sq_aggregates* a = NULL;
  CHECK_STATUS(sq_bvh_save(NULL, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_save(c, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_save(NULL, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_save(c, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_save(NULL, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_save(c, NULL, folder), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_open(NULL, folder, &bvh), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_open(c, NULL, &bvh), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_open(c, folder, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_open(c, folder, &bvh), SQ_IO);
  CHECK_STATUS(sq_cluster_tree_open(NULL, folder, &tree), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_open(c, NULL, &tree), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_open(c, folder, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_cluster_tree_open(c, folder, &tree), SQ_IO);
  CHECK_STATUS(sq_aggregates_open(NULL, folder, -1, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_open(c, NULL, -1, &a), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_open(c, folder, -1, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_aggregates_open(c, folder, -1, &a), SQ_IO);
  CHECK_STATUS(sq_bvh_build(c, NULL, 0, NULL, &bvh), SQ_OK);
  CHECK_STATUS(sq_bvh_save(c, bvh, NULL), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(sq_bvh_save(c, bvh, folder), SQ_OK);
  sq_bvh_destroy(bvh);
  CHECK_STATUS(sq_bvh_open(c, folder, &bvh), SQ_OK);
  sq_bvh_destroy(bvh);
  end();
}

static const sqt_case cases[] = {
  { "aggregates", aggregates },
  { "plans", plans },
  { "arguments", arguments },
};
SQT_MAIN(cases)
