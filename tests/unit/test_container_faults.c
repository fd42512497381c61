#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/** A save that fails or is killed at any call to the operating system leaves the old folder or the new one, whole. */
#include "sq_test.h"
#include "sqi_container.h"
#include "sqt_context.h"
#include "sqt_folder.h"
#include "sqt_syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** More calls than a save makes. */
#define CALLS_MAX 2000

static char parent[SQT_PATH];
static char folder[SQT_PATH];
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

/** Value 1 and value 2 differ in every file, and in which files there are. */
static sq_status save(const char* where, int32_t value)
{
  const int32_t values[] = { value, -value, 7 * value };
  const sqi_array all[] = { { "a", SQ_INT32, 1, { 1 + value }, values },
    { value == 1 ? "b" : "c", SQ_INT32, 0, { 0 }, values } };
  sqi_container_content content = { "C", all, 2, "set", 1 + value, all, 1 };
  return sqi_container_save(c, where, &content);
}

/** The hash of a folder that was saved in peace. */
static uint64_t hash_of(int32_t value)
{
  char path[SQT_PATH];
  CHECK_STATUS(save(sqt_path(path, parent, "other"), value), SQ_OK);
  uint64_t hash = sqt_hash_folder(path);
  sqt_folder_remove(path);
  return hash;
}

static int open_files(void)
{
  return sqt_count_entries("/proc/self/fd");
}

/** Mappings of array files. */
static int mappings(void)
{
  FILE* f = fopen("/proc/self/maps", "r");
  char line[SQT_PATH];
  int count = 0;
  while (f && fgets(line, sizeof(line), f))
  {
    count += strstr(line, ".memmap") != NULL;
  }
  if (f)
  {
    fclose(f);
  }
  return count;
}

/** What a killed save left beside goes. */
static int remove_parts(uint64_t* hashes)
{
  struct dirent** entries = NULL;
  int count = scandir(parent, &entries, NULL, alphasort);
  int parts = 0;
  for (int i = 0; i < count; ++i)
  {
    char path[SQT_PATH];
    size_t length = strlen(entries[i]->d_name);
    if (!strncmp(entries[i]->d_name, ".sq-", 4))
    {
      CHECK(length > 5 && !strcmp(entries[i]->d_name + length - 5, ".part"));
      sqt_path(path, parent, entries[i]->d_name);
      hashes[parts % 4] = sqt_hash_folder(path);
      ++parts;
      sqt_folder_remove(path);
    }
    free(entries[i]);
  }
  free(entries);
  return parts;
}

static void failing_save(int with_old)
{
  begin();
  const uint64_t hash[] = { hash_of(1), hash_of(2) };
  int failed = 0;
  for (int64_t at = 1; at < CALLS_MAX; ++at)
  {
    if (with_old)
    {
      CHECK_STATUS(save(folder, 1), SQ_OK);
    }
    int files = open_files();
    sqt_arm(SQT_FAIL, at, EIO);
    sq_status s = save(folder, 2);
    int64_t calls = sqt_disarm();
    CHECK_INT(open_files(), files);
    uint64_t got = sqt_hash_folder(folder);
    if (s != SQ_OK)
    {
      ++failed;
      CHECK_STATUS(s, SQ_IO);
      CHECK_TEXT(strstr(sq_context_message(c), "Input/output") != NULL, "call %lld: '%s'",
        (long long)at, sq_context_message(c));
      CHECK_TEXT(
        got == (with_old ? hash[0] : 0), "call %lld fails: not the old folder", (long long)at);
      CHECK_INT(sqt_count_entries(parent), with_old);
    }
    else
    {
      /* The last fsync, or the removal of the old folder, whose rest stays beside. */
      CHECK_TEXT(got == hash[1], "call %lld fails: not the new folder", (long long)at);
      uint64_t beside[4];
      CHECK(remove_parts(beside) <= 1);
      sqt_folder_remove(folder);
    }
    if (calls < at)
    {
      break;
    }
  }
  CHECK_TEXT(failed > 30, "only %d calls failed", failed);
  end();
}

static void fails_with_old(void)
{
  failing_save(1);
}

static void fails_without_old(void)
{
  failing_save(0);
}

static void fails_without_exchange(void)
{
  sqt_no_exchange(EINVAL);
  failing_save(1);
  sqt_no_exchange(0);
}

static void disk_full(void)
{
  begin();
  CHECK_STATUS(save(folder, 1), SQ_OK);
  uint64_t old = sqt_hash_folder(folder);
  sqt_arm(SQT_FAIL, 22, ENOSPC);
  CHECK_STATUS(save(folder, 2), SQ_IO);
  sqt_disarm();
  CHECK_TEXT(strstr(sq_context_message(c), "No space left") != NULL, "%s", sq_context_message(c));
  CHECK(sqt_hash_folder(folder) == old);
  end();
}

static void short_writes(void)
{
  begin();
  const uint64_t hash = hash_of(2);
  sqt_short_writes(5);
  CHECK_STATUS(save(folder, 2), SQ_OK);
  sqt_short_writes(0);
  CHECK(sqt_hash_folder(folder) == hash);
  end();
}

/** Kills a save of value 2 over value 1 at every call; `gap`: there may be a moment without a folder, but never without the old. */
static void killed_save(sqt_fault fault, int gap)
{
  begin();
  const uint64_t hash[] = { hash_of(1), hash_of(2) };
  int saw_old = 0;
  int saw_new = 0;
  int status = 0;
  for (int64_t at = 1; at < CALLS_MAX && (at == 1 || WIFSIGNALED(status)); ++at)
  {
    CHECK_STATUS(save(folder, 1), SQ_OK);
    pid_t child = fork();
    if (!child)
    {
      sqt_arm(fault, at, 0);
      _exit(save(folder, 2) == SQ_OK ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    uint64_t got = sqt_hash_folder(folder);
    uint64_t beside[4] = { 0, 0, 0, 0 };
    int parts = remove_parts(beside);
    CHECK(parts <= (gap ? 2 : 1) && (WIFSIGNALED(status) || !parts));
    int whole = got == hash[0] || got == hash[1];
    int aside = gap && !got && parts == 2 && (beside[0] == hash[0] || beside[1] == hash[0]) &&
      (beside[0] == hash[1] || beside[1] == hash[1]);
    CHECK_TEXT(whole || aside, "killed at call %lld: neither", (long long)at);
    saw_old += got == hash[0];
    saw_new += got == hash[1];
  }
  CHECK(!WIFSIGNALED(status));
  CHECK_TEXT(saw_old > 30 && saw_new > 5, "old %d times, new %d times", saw_old, saw_new);
  end();
}

static void killed_before(void)
{
  killed_save(SQT_KILL_BEFORE, 0);
}

static void killed_after(void)
{
  killed_save(SQT_KILL_AFTER, 0);
}

static void killed_without_exchange(void)
{
  sqt_no_exchange(ENOSYS);
  killed_save(SQT_KILL_AFTER, 1);
  sqt_no_exchange(0);
}

static void failing_open(void)
{
  begin();
  CHECK_STATUS(save(folder, 1), SQ_OK);
  int failed = 0;
  for (int64_t at = 1; at < CALLS_MAX; ++at)
  {
    int files = open_files();
    sqi_container* container = NULL;
    sqt_arm(SQT_FAIL, at, EIO);
    sq_status s = sqi_container_open(c, folder, "C", &container);
    int64_t calls = sqt_disarm();
    CHECK((container != NULL) == (s == SQ_OK));
    failed += s == SQ_IO;
    sqi_container_close(container);
    CHECK_INT(open_files(), files);
    CHECK_INT(mappings(), 0);
    if (calls < at)
    {
      CHECK_STATUS(s, SQ_OK);
      break;
    }
  }
  CHECK_TEXT(failed > 15, "only %d calls failed", failed);
  end();
}

/** Several programs at once: one of them is last, and nothing is left of the others. */
static void two_savers(void)
{
  begin();
  const uint64_t hash[] = { hash_of(1), hash_of(2) };
  pid_t child[2];
  for (int k = 0; k < 2; ++k)
  {
    child[k] = fork();
    if (!child[k])
    {
      int failed = 0;
      for (int i = 0; i < 40; ++i)
      {
        failed += save(folder, 1 + k) != SQ_OK;
      }
      _exit(failed ? 1 : 0);
    }
  }
  for (int k = 0; k < 2; ++k)
  {
    int status = 1;
    CHECK(waitpid(child[k], &status, 0) == child[k] && status == 0);
  }
  uint64_t got = sqt_hash_folder(folder);
  CHECK(got == hash[0] || got == hash[1]);
  CHECK_INT(sqt_count_entries(parent), 1);
  end();
}

static const sqt_case cases[] = {
  { "save fails over an old one", fails_with_old },
  { "save fails", fails_without_old },
  { "save fails without exchange", fails_without_exchange },
  { "disk full", disk_full },
  { "short writes", short_writes },
  { "killed before", killed_before },
  { "killed after", killed_after },
  { "killed without exchange", killed_without_exchange },
  { "open fails", failing_open },
  { "two savers", two_savers },
};
SQT_MAIN(cases)
