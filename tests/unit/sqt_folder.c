#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw, mkdtemp */
#endif
#include "sqt_folder.h"

#include "sq_test.h"
#include "sqt_tree.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sqt_folder_new(char path[SQT_PATH])
{
  strcpy(path, "sqt-XXXXXX");
  CHECK(mkdtemp(path) != NULL);
}

static int remove_one(const char* path, const struct stat* st, int kind, struct FTW* ftw)
{
  (void)st;
  (void)kind;
  (void)ftw;
  return remove(path);
}

void sqt_folder_remove(const char* path)
{
  CHECK_INT(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

char* sqt_path(char path[SQT_PATH], const char* folder, const char* name)
{
  int length = snprintf(path, SQT_PATH, "%s/%s", folder, name);
  CHECK(length > 0 && length < SQT_PATH);
  return path;
}

char* sqt_read_file(const char* path, int64_t* bytes)
{
  FILE* f = fopen(path, "rb");
  if (!f)
  {
    return NULL;
  }
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char* data = size < 0 ? NULL : (char*)malloc((size_t)size + 1);
  if (data)
  {
    size = (long)fread(data, 1, (size_t)size, f);
    data[size] = 0;
  }
  fclose(f);
  if (bytes)
  {
    *bytes = data ? size : -1;
  }
  return data;
}

void sqt_write_file(const char* path, const void* data, int64_t bytes)
{
  FILE* f = fopen(path, "wb");
  if (CHECK_TEXT(f != NULL, "cannot write %s", path))
  {
    CHECK_INT(bytes ? fwrite(data, 1, (size_t)bytes, f) : 0, bytes);
    CHECK_INT(fclose(f), 0);
  }
}

int sqt_count_entries(const char* path)
{
  DIR* d = opendir(path);
  if (!d)
  {
    return -1;
  }
  int count = 0;
  for (const struct dirent* e = readdir(d); e; e = readdir(d))
  {
    count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
  }
  closedir(d);
  return count;
}

uint64_t sqt_hash_folder(const char* path)
{
  struct dirent** entries = NULL;
  int count = scandir(path, &entries, NULL, alphasort);
  uint64_t hash = 0;
  for (int i = 0; i < count; ++i)
  {
    const char* name = entries[i]->d_name;
    char inner[SQT_PATH];
    if (strcmp(name, ".") && strcmp(name, ".."))
    {
      int64_t bytes = 0;
      char* data = sqt_read_file(sqt_path(inner, path, name), &bytes);
      uint64_t parts[3] = { hash, sqt_hash(name, (int64_t)strlen(name)),
        data ? sqt_hash(data, bytes) : sqt_hash_folder(inner) };
      hash = SQT_HASH(parts, 3);
      free(data);
    }
    free(entries[i]);
  }
  free(entries);
  return hash;
}
