#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sqt_syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static sqt_fault armed;
static int64_t calls;
static int64_t fault_at;
static int fault_error;
static int exchange_error;
static int64_t write_most;

void sqt_arm(sqt_fault fault, int64_t at, int error)
{
  armed = fault;
  calls = 0;
  fault_at = at;
  fault_error = error;
}

int64_t sqt_disarm(void)
{
  armed = SQT_NO_FAULT;
  return calls;
}

void sqt_no_exchange(int error)
{
  exchange_error = error;
}

void sqt_short_writes(int64_t most)
{
  write_most = most;
}

/** Counts a call. 1: it fails. */
static int before(void)
{
  int hit = ++calls == fault_at;
  if (hit && armed == SQT_KILL_BEFORE)
  {
    kill(getpid(), SIGKILL);
  }
  errno = hit && armed == SQT_FAIL ? fault_error : errno;
  return hit && armed == SQT_FAIL;
}

static void after(void)
{
  int error = errno;
  if (calls == fault_at && armed == SQT_KILL_AFTER)
  {
    kill(getpid(), SIGKILL);
  }
  errno = error;
}

/** Declares the real call and defines the one that is called in its place. */
#define WRAP(type, name, failed, parameters, arguments) \
  type __real_##name parameters;                        \
  type __wrap_##name parameters;                        \
  type __wrap_##name parameters                         \
  {                                                     \
    type result = failed;                               \
    if (!before())                                      \
    {                                                   \
      result = __real_##name arguments;                 \
      after();                                          \
    }                                                   \
    return result;                                      \
  }

WRAP(int, mkdirat, -1, (int fd, const char* path, mode_t mode), (fd, path, mode))
WRAP(int, fstat, -1, (int fd, struct stat* st), (fd, st))
WRAP(
  int, fstatat, -1, (int fd, const char* path, struct stat* st, int flags), (fd, path, st, flags))
WRAP(int, unlinkat, -1, (int fd, const char* path, int flags), (fd, path, flags))
WRAP(
  int, renameat, -1, (int from, const char* old, int to, const char* fresh), (from, old, to, fresh))
WRAP(ssize_t, read, -1, (int fd, void* data, size_t bytes), (fd, data, bytes))
WRAP(DIR*, fdopendir, NULL, (int fd), (fd))
WRAP(void*, mmap, MAP_FAILED,
  (void* at, size_t bytes, int protect, int flags, int fd, off_t offset),
  (at, bytes, protect, flags, fd, offset))

/** Does nothing: the tests ask what a program leaves behind, not a machine, and disks are slow. */
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
  (void)fd;
  int failed = before();
  after();
  return failed ? -1 : 0;
}

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags);
int __wrap_open(const char* path, int flags)
{
  int fd = before() ? -1 : __real_open(path, flags);
  after();
  return fd;
}

int __real_openat(int folder, const char* path, int flags, ...);
int __wrap_openat(int folder, const char* path, int flags, ...);
int __wrap_openat(int folder, const char* path, int flags, ...)
{
  va_list args;
  va_start(args, flags);
  mode_t mode = va_arg(args, mode_t);
  va_end(args);
  int fd = before() ? -1 : __real_openat(folder, path, flags, mode);
  after();
  return fd;
}

/** Closes in any case: a descriptor whose close() fails is gone on Linux. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
  int failed = before();
  int error = errno;
  int result = __real_close(fd);
  after();
  errno = failed ? error : errno;
  return failed ? -1 : result;
}

int __real_renameat2(int from, const char* old, int to, const char* fresh, unsigned flags);
int __wrap_renameat2(int from, const char* old, int to, const char* fresh, unsigned flags);
int __wrap_renameat2(int from, const char* old, int to, const char* fresh, unsigned flags)
{
  if (before())
  {
    return -1;
  }
  errno = exchange_error;
  int result = exchange_error ? -1 : __real_renameat2(from, old, to, fresh, flags);
  after();
  return result;
}

ssize_t __real_write(int fd, const void* data, size_t bytes);
ssize_t __wrap_write(int fd, const void* data, size_t bytes);
ssize_t __wrap_write(int fd, const void* data, size_t bytes)
{
  if (before())
  {
    return -1;
  }
  if (write_most && calls % 2)
  {
    errno = EINTR;
    return -1;
  }
  bytes = write_most && bytes > (size_t)write_most ? (size_t)write_most : bytes;
  ssize_t result = __real_write(fd, data, bytes);
  after();
  return result;
}

/** Returns NULL and sets errno; at the end of a folder the real one leaves errno alone. */
struct dirent* __real_readdir(DIR* folder);
struct dirent* __wrap_readdir(DIR* folder);
struct dirent* __wrap_readdir(DIR* folder)
{
  struct dirent* entry = before() ? NULL : __real_readdir(folder);
  after();
  return entry;
}
