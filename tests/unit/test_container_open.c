#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkfifo, truncate */
#endif
/** Folders of arrays that are damaged, foreign or hostile: one clear message each, never a crash or a wait. */
#include "sq_test.h"
#include "sqi_container.h"
#include "sqt_context.h"
#include "sqt_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SET_MARKS                                                             \
  "\"device\": \"cpu\", \"_type\": \"<class 'tensordict._td.TensorDict'>\", " \
  "\"_format_version\": 1, \"_class\": \"tensordict:TensorDict\""
#define SHAPE "\"shape\": [], "
#define CLASS_META "{\"_type\": \"<class 'a.C'>\"}"
#define ARRAY "\"x\": {\"shape\": [3], \"dtype\": \"torch.float32\"}, "

static char folder[SQT_PATH];
static char path[SQT_PATH];
static sq_context* c;

static void write_text(const char* name, const char* text)
{
  sqt_write_file(sqt_path(path, folder, name), text, (int64_t)strlen(text));
}

/** A folder with one array of three floats. */
static void begin(void)
{
  c = sqt_context(1, NULL, NULL);
  sqt_folder_new(folder);
  write_text("meta.json", CLASS_META);
  CHECK_INT(mkdir(sqt_path(path, folder, "_tensordict"), 0777), 0);
  write_text("_tensordict/meta.json", "{" ARRAY SHAPE SET_MARKS "}");
  write_text("_tensordict/x.memmap", "abcdefghijkl");
}

static void end(void)
{
  sqt_folder_remove(folder);
  sq_context_destroy(c);
}

static void opens(const char* what)
{
  sqi_container* container = NULL;
  CHECK_TEXT(sqi_container_open(c, folder, "a.C", &container) == SQ_OK, "%s: %s", what,
    sq_context_message(c));
  const sqi_array* a = container ? sqi_container_find(container, 0, "x") : NULL;
  CHECK_TEXT(a && !memcmp(a->data, "abcdefghijkl", 12), "%s", what);
  sqi_container_close(container);
}

static void refused(const char* what, sq_status want, const char* says)
{
  sqi_container* container = NULL;
  sq_status got = sqi_container_open(c, folder, "a.C", &container);
  CHECK_TEXT(
    got == want, "%s: \"%s\", want \"%s\"", what, sq_status_text(got), sq_status_text(want));
  CHECK(!container);
  CHECK_TEXT(strstr(sq_context_message(c), says) != NULL, "%s: '%s', want '%s'", what,
    sq_context_message(c), says);
  CHECK(!strpbrk(sq_context_message(c), "\n\r\t"));
}

static void ordinary(void)
{
  begin();
  opens("plain");
  write_text("_tensordict/x.memmap", "abcdefghijkl and more");
  opens("longer than needed");
  write_text("_tensordict/unknown.memmap", "");
  write_text("notes", "");
  opens("files of others");
  write_text(
    "_tensordict/meta.json", "{" ARRAY SHAPE "\"_type\": \"<class 'tensordict._td.TensorDict'>\"}");
  opens("as version 0.14 writes it");
  write_text("meta.json", " {\n\"node_source_data\" :null,\"_type\":\"<class 'a.C'>\"}\r\n");
  opens("a set that is null");
  write_text("_tensordict/meta.json",
    "{\"more\": 7, " ARRAY SHAPE "\"device\": \"None\", \"words\": [1, {}], "
    "\"_type\": \"<class 'tensordict._td.TensorDict'>\"}");
  opens("further keys");
  end();
}

/** The outer meta.json. */
static void class_file(void)
{
  const char* bad[][2] = { { "", "line" }, { "{", "line" }, { "[]", "no JSON object" },
    { "\"x\"", "line" }, { "{}", "names no class" }, { "{\"_type\": 1}", "names no class" },
    { "{\"_type\": \"<class 'a.D'>\"}", "holds a a.D, not a a.C" },
    { "{\"_type\": \"a.C\"}", "holds a a.C, not" },
    { "{\"_type\": \"<class 'a.CC'>\"}", "not a a.C" },
    { "{\"_type\": \"<class 'a.C'>.\"}", "not a a.C" }, { "{\"_type\": \"\"}", "not a a.C" },
    { "{\"_type\": \"<class 'a.C'>\", \"_type\": \"<class 'a.C'>\"}", "duplicate" },
    { "{\"_type\": \"<class 'a.C'>\", \"other\": 1}", "key other" },
    { "{\"_type\": \"<class 'a.C'>\", \"_format_version\": 1}", "_format_version" },
    { "{\"_type\": \"<class '\\u0000'>\"}", "line" }, { "{\"_type\": \"<class '\xff'>\"}", "line" },
    { "{\"_type\": \"<class 'a.C'>\"} x", "line" } };
  begin();
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i)
  {
    write_text("meta.json", bad[i][0]);
    refused(bad[i][0], SQ_INVALID_DATA, bad[i][1]);
  }
  end();
}

/** Marks and entries of the inner meta.json. */
static void set_file(void)
{
#define ENTRY(text) "{\"x\": {" text "}, " SHAPE SET_MARKS "}"
#define FLOATS "\"dtype\": \"torch.float32\""
  const char* bad[][2] = { { "{}", "_type" }, { "{" SHAPE "\"_type\": \"x\"}", "_type" },
    { "{" ARRAY SET_MARKS "}", "shape" }, { "{" ARRAY "\"shape\": [7], " SET_MARKS "}", "shape" },
    { "{" ARRAY "\"shape\": [1, 2], " SET_MARKS "}", "shape" },
    { "{" ARRAY "\"shape\": 7, " SET_MARKS "}", "shape" },
    { "{" SHAPE "\"_type\": \"<class 'tensordict._td.TensorDict'>\", \"_format_version\": 2}",
      "_format_version" },
    { "{" SHAPE "\"_type\": \"<class 'tensordict._td.TensorDict'>\", \"_format_version\": \"1\"}",
      "_format_version" },
    { "{" SHAPE "\"_type\": \"<class 'tensordict._td.TensorDict'>\", \"_class\": \"x\"}",
      "_class" },
    { "{" SHAPE "\"_type\": \"<class 'tensordict._td.TensorDict'>\", \"device\": null}", "device" },
    { ENTRY("\"shape\": [3]"), "element type (none)" },
    { ENTRY("\"shape\": [3], \"dtype\": \"torch.float16\""), "torch.float16" },
    { ENTRY("\"shape\": [3], \"dtype\": 1"), "element type" }, { ENTRY(FLOATS), "no shape" },
    { ENTRY(FLOATS ", \"shape\": 3"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [-3]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [3.0]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [\"3\"]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [true]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [1, 1, 1, 1, 1, 1, 1, 1, 3]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [99999999999999999999]"), "line" },
    { ENTRY(FLOATS ", \"shape\": [1e3]"), "no shape" },
    { ENTRY(FLOATS ", \"shape\": [NaN]"), "line" },
    { ENTRY(FLOATS ", \"shape\": [4294967296, 4294967296]"), "larger than memory" },
    { ENTRY(FLOATS ", \"shape\": [9223372036854775807, 3]"), "larger than memory" },
    { ENTRY(FLOATS ", \"shape\": [2305843009213693951]"), "has 12 bytes" },
    { ENTRY(FLOATS ", \"shape\": [4]"), "has 12 bytes, its shape [4] needs 16" },
    { ENTRY(FLOATS ", \"shape\": [3], \"is_nested\": true"), "nested tensor" },
    { ENTRY(FLOATS ", \"shape\": [3], \"is_nested\": 0"), "nested tensor" },
    { ENTRY("\"type\": \"Adjacency\""), "set of fields (Adjacency)" },
    { ENTRY("\"type\": 3"), "set of fields" },
    { ENTRY("\"type\": \"TensorDict\""), "x is missing" },
    { "{\"y\": {\"shape\": [], " FLOATS "}, " SHAPE SET_MARKS "}", "y.memmap is missing" },
    { "{\"../../x\": {\"shape\": [], " FLOATS "}, " SHAPE SET_MARKS "}",
      "%2F..%2Fx.memmap is missing" },
    { "{" ARRAY ARRAY SHAPE SET_MARKS "}", "duplicate" },
    { "{\"\\n\": {\"shape\": [], " FLOATS "}, " SHAPE SET_MARKS "}", "%0A.memmap" },
    { "{\"\\ud800\": {\"shape\": [], " FLOATS "}, " SHAPE SET_MARKS "}", "line" },
    { "{\"\xc3\": {\"shape\": [], " FLOATS "}, " SHAPE SET_MARKS "}", "line" } };
  begin();
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i)
  {
    write_text("_tensordict/meta.json", bad[i][0]);
    refused(bad[i][0], SQ_INVALID_DATA, bad[i][1]);
  }
  end();
}

static void nested_sets(void)
{
#define INNER "\"set\": {\"type\": \"TensorDict\"}, "
  begin();
  write_text("_tensordict/meta.json", "{" ARRAY INNER SHAPE SET_MARKS "}");
  refused("no folder", SQ_INVALID_DATA, "set is missing");
  write_text("_tensordict/set", "");
  refused("a file", SQ_INVALID_DATA, "set is missing");
  CHECK_INT(remove(path), 0);
  CHECK_INT(mkdir(path, 0777), 0);
  refused("empty", SQ_INVALID_DATA, "meta.json of the nested set is missing");
  write_text("_tensordict/set/meta.json", "{\"shape\": [2], " SET_MARKS "}");
  opens("no fields");
  write_text("_tensordict/set/meta.json", "{" ARRAY "\"shape\": [2], " SET_MARKS "}");
  refused("another batch", SQ_INVALID_DATA, "2 rows");
  write_text("_tensordict/set/meta.json", "{" ARRAY "\"shape\": [3], " SET_MARKS "}");
  refused("no file", SQ_INVALID_DATA, "x.memmap is missing");
  write_text("_tensordict/set/x.memmap", "ABCDEFGHIJKL");
  opens("one field");
  write_text("_tensordict/set/meta.json", "{" INNER "\"shape\": [3], " SET_MARKS "}");
  refused("a set in the set", SQ_INVALID_DATA, "set is a set of fields");
  write_text("_tensordict/meta.json",
    "{" INNER "\"set 2\": {\"type\": \"TensorDict\"}, " SHAPE SET_MARKS "}");
  refused("two sets", SQ_INVALID_DATA, "set");
  end();
}

/** Every kind of thing in the place of each file. */
static void kinds_of_files(void)
{
  const char* names[] = { "meta.json", "_tensordict/meta.json", "_tensordict/x.memmap" };
  for (int i = 0; i < 3; ++i)
  {
    begin();
    sqt_path(path, folder, names[i]);
    char kept[SQT_PATH];
    CHECK_INT(rename(path, sqt_path(kept, folder, "kept")), 0);
    refused("missing", SQ_INVALID_DATA, "is missing");
    CHECK_INT(mkdir(path, 0777), 0);
    refused("a folder", SQ_INVALID_DATA, "no regular file");
    CHECK_INT(rmdir(path), 0);
    CHECK_INT(mkfifo(path, 0666), 0);
    refused("a pipe", SQ_INVALID_DATA, "no regular file");
    CHECK_INT(remove(path), 0);
    CHECK_INT(symlink("/dev/zero", path), 0);
    refused("a device", SQ_INVALID_DATA, "no regular file");
    CHECK_INT(remove(path), 0);
    CHECK_INT(symlink("gone", path), 0);
    refused("a link to nothing", SQ_INVALID_DATA, "is missing");
    CHECK_INT(remove(path), 0);
    CHECK_INT(symlink(strrchr(path, '/') + 1, path), 0);
    refused("a link to itself", SQ_IO, "symbolic links");
    CHECK_INT(remove(path), 0);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(strlen(path) < sizeof(address.sun_path));
    strcpy(address.sun_path, path);
    CHECK_INT(bind(s, (const struct sockaddr*)&address, sizeof(address)), 0);
    refused("a socket", SQ_INVALID_DATA, "no regular file");
    close(s);
    CHECK_INT(remove(path), 0);
    CHECK_INT(symlink(i ? "../kept" : "kept", path), 0);
    opens("a link to the file");
    CHECK_INT(remove(path), 0);
    sqt_write_file(path, "", 0);
    refused("empty", SQ_INVALID_DATA, i < 2 ? "line" : "has 0 bytes");
    end();
  }
}

static void whole_folder(void)
{
  begin();
  char kept[SQT_PATH];
  strcpy(kept, folder);
  strcat(folder, "/meta.json");
  refused("a file", SQ_IO, "Not a directory");
  strcpy(folder, kept);
  strcat(folder, "/gone");
  refused("nothing", SQ_IO, "No such file");
  strcpy(folder, kept);
  write_text("x.tdz", "PK");
  strcat(folder, "/x.tdz");
  refused("an archive", SQ_INVALID_DATA, "archive");
  strcpy(folder, "");
  refused("no name", SQ_IO, "No such file");
  strcpy(folder, "/dev/null");
  refused("a device", SQ_IO, "Not a directory");
  strcpy(folder, kept);
  write_text("other.pickle", "");
  refused("pickled fields", SQ_INVALID_DATA, "other.pickle");
  CHECK_INT(rename(path, sqt_path(kept, folder, "_tensordict/other.pickle")), 0);
  refused("pickled fields", SQ_INVALID_DATA, "other.pickle");
  CHECK_INT(remove(kept), 0);
  opens("plain again");
  CHECK_INT(rename(sqt_path(path, folder, "_tensordict"), sqt_path(kept, folder, "real")), 0);
  refused("no set", SQ_INVALID_DATA, "_tensordict is missing");
  CHECK_INT(mkfifo(path, 0666), 0);
  refused("a pipe", SQ_INVALID_DATA, "_tensordict is missing");
  CHECK_INT(remove(path), 0);
  CHECK_INT(symlink("real", path), 0);
  opens("a link to the folder");
  end();
}

/** JSON that is deep, large or both. */
static void huge_json(void)
{
  begin();
  int64_t n = 3000000;
  char* text = (char*)malloc((size_t)n + 1);
  memset(text, '[', (size_t)n);
  sqt_write_file(sqt_path(path, folder, "_tensordict/meta.json"), text, n);
  refused("deep lists", SQ_INVALID_DATA, "depth");
  for (int64_t i = 0; i + 5 <= n; i += 5)
  {
    memcpy(text + i, "{\"a\":", 5);
  }
  sqt_write_file(path, text, n);
  refused("deep objects", SQ_INVALID_DATA, "depth");
  memset(text, ' ', (size_t)n);
  sqt_write_file(path, text, n);
  refused("blanks", SQ_INVALID_DATA, "line");
  memset(text, '7', (size_t)n);
  memcpy(text, "{\"a\":", 5);
  sqt_write_file(path, text, n);
  refused("a long number", SQ_INVALID_DATA, "line");
  CHECK_INT(truncate(path, (off_t)1 << 40), 0);
  refused("a huge file", SQ_INVALID_DATA, "1099511627776 bytes, at most");
  free(text);
  end();
}

static void needs(void)
{
  begin();
  sqi_container* container = NULL;
  REQUIRE(sqi_container_open(c, folder, "a.C", &container) == SQ_OK);
  const sqi_array* a = NULL;
  const int64_t any[] = { -1, -1 };
  const int64_t four = 4;
  const uint32_t reals = 1u << SQ_FLOAT32 | 1u << SQ_FLOAT64;
  CHECK_STATUS(sqi_container_need(c, container, "x", reals, 1, any, &a), SQ_OK);
  CHECK(a && a->shape[0] == 3);
  CHECK_STATUS(sqi_container_need(c, container, "y", reals, 1, any, &a), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "y is missing") && !a);
  CHECK_STATUS(sqi_container_need(c, container, "x", reals, 2, any, &a), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "shape [3], not [any, any]") != NULL);
  CHECK_STATUS(sqi_container_need(c, container, "x", reals, 1, &four, &a), SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "shape [3], not [4]") != NULL);
  CHECK_STATUS(sqi_container_need(c, container, "x", 1u << SQ_FLOAT64 | 1u << SQ_INT64, 1, any, &a),
    SQ_INVALID_DATA);
  CHECK(strstr(sq_context_message(c), "torch.float32, not torch.float64 or torch.int64") != NULL);
  CHECK_INT(sqi_container_arrays(container, 1, &a), -1);
  sqi_container_close(container);
  sqi_container_close(NULL);
  end();
}

static const sqt_case cases[] = {
  { "ordinary", ordinary },
  { "class file", class_file },
  { "set file", set_file },
  { "nested sets", nested_sets },
  { "kinds of files", kinds_of_files },
  { "whole folder", whole_folder },
  { "huge json", huge_json },
  { "needs", needs },
};
SQT_MAIN(cases)
