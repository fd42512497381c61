#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2 */
#endif
#include "sqi_folder.h"
#include "sqi_container_text.h"
#include "sqi_context.h"
#include "sqi_folder_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int sqi_folder_sync(int fd)
{
  return fsync(fd) && errno != EINVAL && errno != ENOSYS && errno != ENOTSUP ? -1 : 0;
}

/** Splits the path and opens the folder above. */
static sq_status open_parent(sq_context* context, sqi_folder* f)
{
  size_t end = strlen(f->path);
  while (end > 1 && f->path[end - 1] == '/')
  {
    --end;
  }
  size_t begin = end;
  while (begin && f->path[begin - 1] != '/')
  {
    --begin;
  }
  size_t length = end - begin;
  char parent[PATH_MAX];
  if (begin >= sizeof(parent) || length > NAME_MAX)
  {
    return sqi_container_fail_io(context, f->path, "make", "a folder of that name", ENAMETOOLONG);
  }
  memcpy(f->name, f->path + begin, length);
  f->name[length] = 0;
  if (!length || !strcmp(f->name, "/") || !strcmp(f->name, ".") || !strcmp(f->name, ".."))
  {
    return sqi_container_fail(
      context, SQ_INVALID_ARGUMENT, f->path, "does not end in the name of a folder to write");
  }
  snprintf(parent, sizeof(parent), "%.*s", (int)begin, begin ? f->path : "");
  f->parent = open(begin ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return f->parent >= 0
    ? SQ_OK
    : sqi_container_fail_io(context, f->path, "open", "the folder above it", errno);
}

/** Nobody's data is replaced but a container's. */
static sq_status check_old(sq_context* context, const sqi_folder* f)
{
  struct stat st;
  if (fstatat(f->parent, f->name, &st, AT_SYMLINK_NOFOLLOW))
  {
    return errno == ENOENT ? SQ_OK
                           : sqi_container_fail_io(context, f->path, "look at", f->name, errno);
  }
  if (!S_ISDIR(st.st_mode))
  {
    return sqi_container_fail(context, SQ_IO, f->path, "exists and is %s, not a folder",
      S_ISLNK(st.st_mode) ? "a symbolic link" : "a file");
  }
  char other[NAME_MAX + 1];
  int is = sqi_folder_is_container(f->parent, f->name, other, sizeof(other));
  if (is < 0)
  {
    return sqi_container_fail_io(context, f->path, "read", "the folder that is there", errno);
  }
  return is ? SQ_OK
            : sqi_container_fail(context, SQ_IO, f->path,
                "the folder that is there holds %s, which is no part of a saved structure; give "
                "a new or an empty folder",
                sqi_print_name(other).text);
}

sq_status sqi_folder_begin(sq_context* context, const char* path, sqi_folder* folder)
{
  memset(folder, 0, sizeof(*folder));
  folder->path = path;
  folder->parent = -1;
  folder->fresh = -1;
  sq_status s = open_parent(context, folder);
  if (s == SQ_OK)
  {
    s = check_old(context, folder);
  }
  if (s != SQ_OK)
  {
    return s;
  }
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  uint64_t number = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
  char name[64];
  int made = -1;
  for (int i = 0; i < 1000 && made; ++i)
  {
    snprintf(name, sizeof(name), ".sq-%ld-%llx.part", (long)getpid(),
      (unsigned long long)(number + (uint64_t)i));
    made = mkdirat(folder->parent, name, 0777);
    if (made && errno != EEXIST)
    {
      break;
    }
  }
  if (made)
  {
    return sqi_container_fail_io(context, path, "make", "a new folder beside it", errno);
  }
  memcpy(folder->fresh_name, name, strlen(name) + 1);
  folder->fresh = openat(folder->parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return folder->fresh >= 0
    ? SQ_OK
    : sqi_container_fail_io(context, path, "open", "a new folder beside it", errno);
}

/** Where folders cannot change places in one step, the old one steps aside first: for a moment neither is in place. */
static int swap_in_two_steps(sqi_folder* f)
{
  char aside[NAME_MAX + 1];
  snprintf(aside, sizeof(aside), "%.*s.old.part", (int)(strlen(f->fresh_name) - strlen(".part")),
    f->fresh_name);
  if (renameat(f->parent, f->name, f->parent, aside))
  {
    return -1;
  }
  if (renameat(f->parent, f->fresh_name, f->parent, f->name))
  {
    int error = errno;
    (void)renameat(f->parent, aside, f->parent, f->name);
    errno = error;
    return -1;
  }
  memcpy(f->fresh_name, aside, strlen(aside) + 1);
  return 0;
}

/** 0: in place, and fresh_name is the old folder's name now, or "" where there was none. */
static int put_in_place(sqi_folder* f)
{
  /* Nothing there or an empty folder: a rename will do. Another program may make or remove one meanwhile. */
  for (int i = 0; i < 100; ++i)
  {
    if (!renameat(f->parent, f->fresh_name, f->parent, f->name))
    {
      f->fresh_name[0] = 0;
      return 0;
    }
    if (errno != ENOTEMPTY && errno != EEXIST)
    {
      return -1;
    }
#ifdef RENAME_EXCHANGE
    if (!renameat2(f->parent, f->fresh_name, f->parent, f->name, RENAME_EXCHANGE))
    {
      return 0;
    }
    if (errno == ENOENT)
    {
      continue;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
    {
      return -1;
    }
#endif
    return swap_in_two_steps(f);
  }
  return -1;
}

sq_status sqi_folder_commit(sq_context* context, sqi_folder* folder)
{
  if (sqi_folder_sync(folder->fresh))
  {
    return sqi_container_fail_io(context, folder->path, "write", "the new folder", errno);
  }
  if (put_in_place(folder))
  {
    return sqi_container_fail_io(
      context, folder->path, "put", "the new folder in its place", errno);
  }
  (void)sqi_folder_sync(folder->parent); /* the new one is whole and in place, come what may */
  return SQ_OK;
}

void sqi_folder_end(sqi_folder* folder)
{
  if (folder->fresh_name[0])
  {
    (void)sqi_folder_remove(folder->parent, folder->fresh_name);
  }
  if (folder->fresh >= 0)
  {
    close(folder->fresh);
  }
  if (folder->parent >= 0)
  {
    close(folder->parent);
  }
}
