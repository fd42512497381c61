#include "sqi_folder_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Nested sets may lie in nested sets; deeper than this nobody goes. */
#define DEPTH_MAX 16

static int ends_with(const char* text, const char* end)
{
  size_t n = strlen(text);
  size_t m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

/** May a container have this in its own folder (depth 0), or in that of a set (deeper)? */
static int belongs(const char* name, int is_folder, int depth)
{
  if (is_folder)
  {
    return depth > 0 || !strcmp(name, "_tensordict");
  }
  return !strcmp(name, "meta.json") || !strcmp(name, "other.pickle") ||
    (depth > 0 && ends_with(name, ".memmap"));
}

/** A walk over the folders of a container, with a stack of its own. */
typedef struct walk
{
  int remove;
  DIR* open[DEPTH_MAX];
  char name[DEPTH_MAX][NAME_MAX + 1];
  int depth; /* of the folder that is read; -1: at its end */
} walk;

static int enter(walk* w, int parent, const char* name)
{
  if (w->depth + 1 == DEPTH_MAX)
  {
    errno = ELOOP;
    return -1;
  }
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder)
  {
    int error = errno;
    if (fd >= 0)
    {
      close(fd);
    }
    errno = error;
    return -1;
  }
  ++w->depth;
  w->open[w->depth] = folder;
  memcpy(w->name[w->depth], name, strlen(name) + 1);
  return 0;
}

/** Closes the folder that is read; its parent removes it. */
static int leave(walk* w, int parent)
{
  closedir(w->open[w->depth]);
  const char* name = w->name[w->depth--];
  int above = w->depth < 0 ? parent : dirfd(w->open[w->depth]);
  return w->remove ? unlinkat(above, name, AT_REMOVEDIR) : 0;
}

/** One entry. 1: fine, or gone meanwhile, 0: does not belong there, -1: errno. */
static int visit(walk* w, const char* name)
{
  int fd = dirfd(w->open[w->depth]);
  struct stat st;
  if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
  {
    return errno == ENOENT ? 1 : -1;
  }
  if (!belongs(name, S_ISDIR(st.st_mode), w->depth))
  {
    return 0;
  }
  if (S_ISDIR(st.st_mode))
  {
    return enter(w, fd, name) && errno != ENOENT ? -1 : 1;
  }
  return w->remove && unlinkat(fd, name, 0) && errno != ENOENT ? -1 : 1;
}

/** 1: all was fine, 0: `other` does not belong there (and stays), -1: errno. */
static int go(walk* w, int parent, const char* name, char* other, size_t size)
{
  int result = 1;
  w->depth = -1;
  if (enter(w, parent, name))
  {
    return errno == ENOENT ? 1 : -1;
  }
  while (w->depth >= 0)
  {
    errno = 0;
    const struct dirent* entry = readdir(w->open[w->depth]);
    int one = entry || !errno ? 1 : -1;
    int dots = entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
    if (!entry)
    {
      one = leave(w, parent) ? -1 : one;
    }
    else if (!dots)
    {
      one = visit(w, entry->d_name);
    }
    if (one == 0 && other)
    {
      snprintf(other, size, "%s", entry->d_name);
    }
    result = one < result ? one : result;
    if (result < 1 && !w->remove)
    {
      break;
    }
  }
  int error = errno;
  while (w->depth >= 0)
  {
    closedir(w->open[w->depth--]);
  }
  errno = error;
  return result;
}

int sqi_folder_is_container(int parent, const char* name, char* other, size_t size)
{
  walk w = { .remove = 0 };
  return go(&w, parent, name, other, size);
}

int sqi_folder_remove(int parent, const char* name)
{
  walk w = { .remove = 1 };
  return go(&w, parent, name, NULL, 0) == 1 ? 0 : -1;
}
