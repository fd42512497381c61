/** Folders of arrays: what is written, byte for byte, and that it opens again. */
#include "sq_test.h"
#include "sqi_container.h"
#include "sqt_folder.h"
#include "sqt_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS "physicsnemo.mesh.spatial.cluster_tree.SourceAggregates"

static char folder[SQT_PATH];
static char path[SQT_PATH];

static void begin(void)
{
  char parent[SQT_PATH];
  sqt_folder_new(parent);
  sqt_path(folder, parent, "saved");
}

static void end(void)
{
  *strrchr(folder, '/') = 0;
  sqt_folder_remove(folder);
}

/** Checks that the file is this text and nothing else. */
static void check_file(const char* name, const void* want, int64_t bytes)
{
  int64_t got_bytes = -1;
  char* got = sqt_read_file(sqt_path(path, folder, name), &got_bytes);
  CHECK_TEXT(got && got_bytes == bytes && !memcmp(got, want, (size_t)bytes),
    "%s has %lld bytes, want %lld: %s", name, (long long)got_bytes, (long long)bytes,
    got ? got : "none");
  free(got);
}

static void check_text(const char* name, const char* want)
{
  check_file(name, want, (int64_t)strlen(want));
}

static sq_status save(sq_context* c, const sqi_array* arrays, int count, const sqi_array* nested,
  int nested_count, int64_t batch)
{
  sqi_container_content content = { CLASS, arrays, count, nested ? "node_source_data" : NULL, batch,
    nested, nested_count };
  return sqi_container_save(c, folder, &content);
}

/** Saves, opens and compares. */
static void round_trip(
  const sqi_array* arrays, int count, const sqi_array* nested, int nested_count)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  int64_t batch = nested_count ? nested[0].shape[0] : 3;
  sqi_container* container = NULL;
  CHECK_STATUS(save(c, arrays, count, nested, nested_count, batch), SQ_OK);
  CHECK_STATUS(sqi_container_open(c, folder, CLASS, &container), SQ_OK);
  for (int set = 0; set < 2 && container; ++set)
  {
    const sqi_array* got = NULL;
    int want_count = set ? (nested ? nested_count : -1) : count;
    CHECK_INT(sqi_container_arrays(container, set, &got), want_count);
    for (int i = 0; i < want_count; ++i)
    {
      const sqi_array* want = set ? nested + i : arrays + i;
      CHECK(!strcmp(got[i].name, want->name));
      CHECK(sqi_container_find(container, set, want->name) == got + i);
      CHECK_INT(got[i].type, want->type);
      CHECK_INT(got[i].rank, want->rank);
      int64_t bytes = (int64_t)sq_type_bytes(want->type);
      for (int k = 0; k < want->rank; ++k)
      {
        CHECK_INT(got[i].shape[k], want->shape[k]);
        bytes *= want->shape[k];
      }
      CHECK((got[i].data != NULL) == (bytes > 0));
      if (bytes)
      {
        CHECK_SAME((const char*)got[i].data, (const char*)want->data, bytes);
      }
    }
    CHECK(!sqi_container_find(container, set, "nothing"));
  }
  sqi_container_close(container);
  sq_context_destroy(c);
}

static const float reals[24] = { 0.25f, -1, 1e30f, 7 };
static const int64_t counts[24] = { 1, -1, INT64_MAX };

/** The words of the description, key by key and blank by blank. */
static void description(void)
{
  begin();
  sq_context* c = sqt_context(1, NULL, NULL);
  const sqi_array arrays[] = { { "node_aabb_min", SQ_FLOAT32, 2, { 5, 2 }, reals },
    { "max_depth", SQ_INT64, 0, { 0 }, counts }, { "none", SQ_FLOAT64, 2, { 0, 3 }, NULL } };
  CHECK_STATUS(save(c, arrays, 3, NULL, 0, 0), SQ_OK);
  check_text("meta.json", "{\"_type\": \"<class '" CLASS "'>\"}");
  check_text("_tensordict/meta.json",
    "{\"node_aabb_min\": {\"device\": \"cpu\", \"shape\": [5, 2], \"dtype\": \"torch.float32\", "
    "\"is_nested\": false}, \"max_depth\": {\"device\": \"cpu\", \"shape\": [], \"dtype\": "
    "\"torch.int64\", \"is_nested\": false}, \"none\": {\"device\": \"cpu\", \"shape\": [0, 3], "
    "\"dtype\": \"torch.float64\", \"is_nested\": false}, \"shape\": [], \"device\": \"cpu\", "
    "\"_type\": \"<class 'tensordict._td.TensorDict'>\", \"_format_version\": 1, \"_class\": "
    "\"tensordict:TensorDict\"}");
  check_file("_tensordict/node_aabb_min.memmap", reals, 40);
  check_file("_tensordict/max_depth.memmap", counts, 8);
  CHECK_INT(sqt_count_entries(folder), 2);
  CHECK_INT(sqt_count_entries(sqt_path(path, folder, "_tensordict")), 3);
  sq_context_destroy(c);
  end();
}

/** Names that a file cannot have, as the reference escapes them. */
static void names(void)
{
  begin();
  sq_context* c = sqt_context(1, NULL, NULL);
  const struct
  {
    const char* name;
    const char* file;
    const char* json;
  } of[] = { { "a b", "a%20b", "a b" },
    { "\xc3\xa9\x7f/%", "\xc3\xa9%7F%2F%25", "\\u00e9\\u007f/%" }, { "", "%", "" },
    { ".", "%2E", "." }, { "..", "%2E%2E", ".." }, { "...", "...", "..." },
    { "s\"\\\n\t\x01\x1f\xf0\x9f\x98\x80", "s%22%5C%0A%09%01%1F\xf0\x9f\x98\x80",
      "s\\\"\\\\\\n\\t\\u0001\\u001f\\ud83d\\ude00" },
    { "<>:|?*'", "%3C%3E%3A%7C%3F%2A'", "<>:|?*'" }, { "\\u00E9", "%5Cu00E9", "\\\\u00E9" } };
  char json[4096] = "{";
  for (int i = 0; i < 9; ++i)
  {
    sqi_array a = { of[i].name, SQ_FLOAT32, 1, { 3 }, reals };
    CHECK_STATUS(save(c, NULL, 0, &a, 1, 3), SQ_OK);
    snprintf(path, sizeof(path), "_tensordict/node_source_data/%s.memmap", of[i].file);
    char name[SQT_PATH];
    strcpy(name, path);
    check_file(name, reals, 12);
    snprintf(json, sizeof(json),
      "{\"%s\": {\"device\": \"cpu\", \"shape\": [3], \"dtype\": \"torch.float32\", \"is_nested\": "
      "false}, \"shape\": [3], \"device\": \"cpu\", \"_type\": \"<class "
      "'tensordict._td.TensorDict'>\", \"_format_version\": 1, \"_class\": "
      "\"tensordict:TensorDict\"}",
      of[i].json);
    check_text("_tensordict/node_source_data/meta.json", json);
    round_trip(NULL, 0, &a, 1);
  }
  sq_context_destroy(c);
  end();
}

static void all_types(void)
{
  begin();
  sqi_array arrays[40];
  char name[40][32];
  for (int i = 0; i < 40; ++i)
  {
    sqi_array a = { name[i], (sq_type)(i % 10), i / 10, { 3, 2, 2 }, counts };
    snprintf(name[i], sizeof(name[i]), "array %d", i);
    arrays[i] = a;
  }
  round_trip(arrays, 40, NULL, 0);
  round_trip(arrays, 40, arrays + 10, 30);
  round_trip(NULL, 0, NULL, 0);
  round_trip(arrays, 2, arrays, 0);
  sqi_array deep = { "deep", SQ_UINT8, 8, { 1, 2, 3, 1, 1, 2, 1, 2 }, counts };
  round_trip(&deep, 1, &deep, 1);
  sqi_array empty = { "empty", SQ_FLOAT64, 3, { INT64_MAX, 0, INT64_MAX }, NULL };
  round_trip(&empty, 1, NULL, 0);
  end();
}

/** Larger than what is written at once. */
static void large(void)
{
  begin();
  int64_t n = 1200000;
  double* x = (double*)malloc((size_t)n * sizeof(*x));
  for (int64_t i = 0; i < n; ++i)
  {
    x[i] = (double)i;
  }
  sqi_array a = { "x", SQ_FLOAT64, 1, { n }, x };
  round_trip(&a, 1, NULL, 0);
  free(x);
  end();
}

static void refused(void)
{
  begin();
  sq_context* c = sqt_context(1, NULL, NULL);
  char longest[256];
  memset(longest, 'x', sizeof(longest));
  longest[248] = 0; /* and ".memmap" makes 255 */
  sqi_array good = { longest, SQ_FLOAT32, 1, { 3 }, reals };
  CHECK_STATUS(save(c, &good, 1, &good, 1, 3), SQ_OK);
  longest[248] = 'x';
  longest[249] = 0;
  const struct
  {
    sqi_array array;
    const char* says;
  } bad[] = { { { longest, SQ_FLOAT32, 1, { 3 }, reals }, "too long" },
    { { "shape", SQ_FLOAT32, 1, { 3 }, reals }, "the layout uses" },
    { { "_class", SQ_FLOAT32, 1, { 3 }, reals }, "the layout uses" },
    { { "\xff", SQ_FLOAT32, 1, { 3 }, reals }, "not UTF-8" },
    { { NULL, SQ_FLOAT32, 1, { 3 }, reals }, "NULL" },
    { { "a", (sq_type)10, 1, { 3 }, reals }, "no type" },
    { { "a", SQ_FLOAT32, 9, { 3 }, reals }, "axes" },
    { { "a", SQ_FLOAT32, -1, { 3 }, reals }, "axes" },
    { { "a", SQ_FLOAT32, 1, { -3 }, reals }, "negative" },
    { { "a", SQ_FLOAT32, 2, { (int64_t)1 << 32, (int64_t)1 << 31 }, reals }, "too large" },
    { { "a", SQ_FLOAT32, 1, { 3 }, NULL }, "NULL" },
    { { "good", SQ_FLOAT32, 1, { 3 }, reals }, "two" } };
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i)
  {
    sqi_array arrays[] = { { "good", SQ_FLOAT32, 1, { 3 }, reals }, bad[i].array };
    CHECK_STATUS(save(c, arrays, 2, NULL, 0, 0), SQ_INVALID_ARGUMENT);
    CHECK_TEXT(strstr(sq_context_message(c), bad[i].says) != NULL, "%s", sq_context_message(c));
    CHECK_STATUS(save(c, NULL, 0, arrays, 2, 3), SQ_INVALID_ARGUMENT);
  }
  good.name = "node_source_data";
  CHECK_STATUS(save(c, &good, 1, &good, 1, 3), SQ_INVALID_ARGUMENT);
  good.name = "x";
  CHECK_STATUS(save(c, &good, 1, &good, 1, 4), SQ_INVALID_ARGUMENT);
  CHECK_STATUS(save(c, NULL, 0, &good, 1, 3), SQ_OK);
  CHECK_STATUS(sqi_container_save(c, NULL, NULL), SQ_INVALID_ARGUMENT);
  sqi_container* container = NULL;
  CHECK_STATUS(sqi_container_open(c, NULL, CLASS, &container), SQ_INVALID_ARGUMENT);
  sq_context_destroy(c);
  end();
}

static const sqi_array swept[] = { { "a", SQ_FLOAT32, 2, { 5, 2 }, reals },
  { "b", SQ_INT64, 1, { 9 }, counts } };

/** After a failure there is no folder, and nothing beside it. */
static sq_status save_swept(sq_context* c, void* data)
{
  (void)data;
  sq_status s = save(c, swept, 2, swept, 1, 5);
  char parent[SQT_PATH];
  strcpy(parent, folder);
  *strrchr(parent, '/') = 0;
  CHECK_INT(sqt_count_entries(parent), s == SQ_OK);
  if (s == SQ_OK)
  {
    sqt_folder_remove(folder);
  }
  return s;
}

static sq_status open_swept(sq_context* c, void* data)
{
  (void)data;
  sqi_container* container = NULL;
  sq_status s = sqi_container_open(c, folder, CLASS, &container);
  CHECK((container != NULL) == (s == SQ_OK));
  sqi_container_close(container);
  return s;
}

static void sweeps(void)
{
  begin();
  sqt_sweep_memory("save", save_swept, NULL, 2);
  sqt_sweep_cancel("save", save_swept, NULL, 1);
  sq_context* c = sqt_context(1, NULL, NULL);
  CHECK_STATUS(save(c, swept, 2, swept, 1, 5), SQ_OK);
  sqt_sweep_memory("open", open_swept, NULL, 5);
  sq_context_destroy(c);
  end();
}

static const sqt_case cases[] = {
  { "description", description },
  { "names", names },
  { "all types", all_types },
  { "large", large },
  { "refused", refused },
  { "sweeps", sweeps },
};
SQT_MAIN(cases)
