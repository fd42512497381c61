#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2, seteuid */
#endif
/** Where folders of arrays are put: what is replaced, what never is, and what is left behind. */
#include "sq_test.h"
#include "sqi_container.h"
#include "sqt_context.h"
#include "sqt_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char parent[SQT_PATH];
static char folder[SQT_PATH];
static char path[SQT_PATH];
static sq_context* c;

static void begin(void)
{
  sqt_folder_new(parent);
  sqt_path(folder, parent, "saved");
  c = sqt_context(1, NULL, NULL);
}

static void end(void)
{
  sq_context_destroy(c);
  sqt_folder_remove(parent);
}

static sq_status save_as(const char* where, int32_t value)
{
  sqi_array a = { "value", SQ_INT32, 0, { 0 }, &value };
  sqi_array b = { "other", SQ_INT32, 0, { 0 }, &value };
  sqi_array arrays[] = { a, b };
  sqi_container_content content = { "C", arrays, 1 + value % 2, NULL, 0, NULL, 0 };
  return sqi_container_save(c, where, &content);
}

/** The value that the folder holds; -1: it does not open. */
static int32_t value_in(const char* where)
{
  sqi_container* container = NULL;
  CHECK_STATUS(sqi_container_open(c, where, "C", &container), SQ_OK);
  const sqi_array* a = container ? sqi_container_find(container, 0, "value") : NULL;
  int32_t value = a ? *(const int32_t*)a->data : -1;
  sqi_container_close(container);
  return value;
}

static void check_refused(sq_status got, sq_status want, const char* says)
{
  CHECK_STATUS(got, want);
  CHECK_TEXT(strstr(sq_context_message(c), says) != NULL, "%s", sq_context_message(c));
}

/** A new one over nothing, an empty folder, an older one; nothing stays beside it. */
static void replaced(void)
{
  begin();
  CHECK_STATUS(save_as(folder, 1), SQ_OK);
  CHECK_INT(value_in(folder), 1);
  CHECK_STATUS(save_as(folder, 2), SQ_OK);
  CHECK_INT(value_in(folder), 2);
  CHECK_INT(sqt_count_entries(sqt_path(path, folder, "_tensordict")), 2);
  CHECK_INT(sqt_count_entries(parent), 1);
  strcat(folder, "//");
  CHECK_STATUS(save_as(folder, 3), SQ_OK);
  CHECK_INT(value_in(folder), 3);
  CHECK_INT(mkdir(sqt_path(path, parent, "empty"), 0777), 0);
  CHECK_STATUS(save_as(path, 4), SQ_OK);
  CHECK_INT(value_in(path), 4);
  CHECK_INT(sqt_count_entries(parent), 2);
  struct stat st;
  mode_t mask = umask(0);
  umask(mask);
  CHECK(!stat(path, &st) && (st.st_mode & 0777) == (0777 & ~mask));
  sqt_path(path, parent, "empty/_tensordict/value.memmap");
  CHECK(!stat(path, &st) && (st.st_mode & 0777) == (0666 & ~mask));
  end();
}

/** What is open stays what it was when its folder is replaced. */
static void open_while_replaced(void)
{
  begin();
  CHECK_STATUS(save_as(folder, 8), SQ_OK);
  sqi_container* container = NULL;
  CHECK_STATUS(sqi_container_open(c, folder, "C", &container), SQ_OK);
  const sqi_array* a = sqi_container_find(container, 0, "value");
  sqi_container_content content = { "C", a, 1, NULL, 0, NULL, 0 };
  CHECK_STATUS(sqi_container_save(c, folder, &content), SQ_OK);
  CHECK_INT(value_in(folder), 8);
  CHECK_STATUS(save_as(folder, 10), SQ_OK);
  CHECK_INT(*(const int32_t*)a->data, 8);
  CHECK_INT(value_in(folder), 10);
  sqi_container_close(container);
  end();
}

/** Relative to the working folder, and by a parent that is a link. */
static void other_ways(void)
{
  begin();
  char* here = getcwd(NULL, 0);
  REQUIRE(here && !chdir(parent));
  CHECK_STATUS(save_as("plain", 5), SQ_OK);
  CHECK_INT(value_in("./plain/"), 5);
  CHECK_STATUS(save_as("./plain/../dotted", 6), SQ_OK);
  CHECK_INT(symlink(".", "link"), 0);
  CHECK_STATUS(save_as("link/linked", 7), SQ_OK);
  CHECK_INT(value_in("linked"), 7);
  REQUIRE(!chdir(here));
  free(here);
  CHECK_INT(sqt_count_entries(parent), 4);
  end();
}

static void refused(void)
{
  begin();
  const char* bad[] = { "", "/", ".", "..", "//", "a/.", "./", "a/../.." };
  for (int i = 0; i < 8; ++i)
  {
    CHECK_TEXT(save_as(bad[i], 1) != SQ_OK && *sq_context_message(c), "'%s' was taken", bad[i]);
  }
  check_refused(save_as(sqt_path(path, parent, "no/saved"), 1), SQ_IO, "No such file");
  sqt_path(path, parent, "file");
  sqt_write_file(path, "text", 4);
  check_refused(save_as(path, 1), SQ_IO, "is a file");
  char inner[SQT_PATH];
  check_refused(save_as(sqt_path(inner, path, "saved"), 1), SQ_IO, "Not a directory");
  char* longest = (char*)malloc(10000);
  memset(longest, 'x', 9999);
  longest[9999] = 0;
  check_refused(save_as(longest, 1), SQ_IO, "too long");
  longest[255] = 0;
  check_refused(save_as(strcat(strcpy(path, longest), "x"), 1), SQ_IO, "too long");
  CHECK_STATUS(save_as(sqt_path(path, parent, longest), 11), SQ_OK);
  CHECK_INT(value_in(path), 11);
  free(longest);
  CHECK_INT(symlink("file", sqt_path(path, parent, "link")), 0);
  check_refused(save_as(path, 1), SQ_IO, "symbolic link");
  CHECK_INT(sqt_count_entries(parent), 3);
  end();
}

/** A folder with anything else in it is somebody's data. */
static void foreign_folders(void)
{
  const char* foreign[] = { "notes.txt", "data.memmap", "_tensordict/notes.txt",
    "_tensordict/set/notes.memmap.txt", ".hidden" };
  for (int i = 0; i < 5; ++i)
  {
    begin();
    CHECK_STATUS(save_as(folder, 20), SQ_OK);
    CHECK_INT(mkdir(sqt_path(path, folder, "_tensordict/set"), 0777), 0);
    sqt_write_file(sqt_path(path, folder, "_tensordict/set/meta.json"), "", 0);
    sqt_write_file(sqt_path(path, folder, foreign[i]), "text", 4);
    uint64_t before = sqt_hash_folder(folder);
    const char* base = strrchr(foreign[i], '/');
    check_refused(save_as(folder, 21), SQ_IO, base ? base + 1 : foreign[i]);
    CHECK(sqt_hash_folder(folder) == before);
    CHECK_INT(remove(path), 0);
    CHECK_STATUS(save_as(folder, 22), SQ_OK);
    CHECK_INT(value_in(folder), 22);
    CHECK_INT(sqt_count_entries(parent), 1);
    end();
  }
}

/** Links in an old folder go, what they point to stays. */
static void links_in_old(void)
{
  begin();
  CHECK_INT(mkdir(sqt_path(path, parent, "data"), 0777), 0);
  sqt_write_file(sqt_path(path, parent, "data/meta.json"), "kept", 4);
  CHECK_INT(mkdir(folder, 0777), 0);
  CHECK_INT(mkdir(sqt_path(path, folder, "_tensordict"), 0777), 0);
  CHECK_INT(symlink("../../data/meta.json", sqt_path(path, folder, "_tensordict/a.memmap")), 0);
  CHECK_STATUS(save_as(folder, 30), SQ_OK);
  CHECK_INT(value_in(folder), 30);
  CHECK_INT(symlink("../data", sqt_path(path, folder, "_tensordict/b.memmap")), 0);
  CHECK_STATUS(save_as(folder, 31), SQ_OK);
  CHECK_INT(value_in(folder), 31);
  char* kept = sqt_read_file(sqt_path(path, parent, "data/meta.json"), NULL);
  CHECK(kept && !strcmp(kept, "kept"));
  free(kept);
  CHECK_INT(sqt_count_entries(parent), 2);
  end();
}

static int is_refused_for_rights(void)
{
  return save_as(folder, 41) == SQ_IO && strstr(sq_context_message(c), "Permission denied");
}

/** A parent without the right to write; root, who may do everything, becomes somebody else for that. */
static void read_only_parent(void)
{
  begin();
  CHECK_INT(chmod(parent, 0555), 0);
  pid_t child = fork();
  if (!child)
  {
    int other = getuid() ? 0 : setuid(65534);
    _exit(other ? 2 : is_refused_for_rights() ? 0 : 1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
  CHECK_INT(chmod(parent, 0777), 0);
  CHECK_INT(sqt_count_entries(parent), 0);
  end();
}

static const sqt_case cases[] = {
  { "replaced", replaced },
  { "open while replaced", open_while_replaced },
  { "other ways", other_ways },
  { "refused", refused },
  { "foreign folders", foreign_folders },
  { "links in old", links_in_old },
  { "read-only parent", read_only_parent },
};
SQT_MAIN(cases)
