/**
 * A saved folder of which one file holds other bytes: it is refused with a message, or opens and can be used. The input: which
 * folder, which file, how (0: the rest is the file; else the rest replaces bytes of it, each with its place).
 */
#include "fuzz_input.h"
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_tree_use.h"

#include <stdlib.h>
#include <string.h>

/** Saved once; every run puts its file back. */
typedef struct saved
{
  sq_context* context;
  char parent[SQT_PATH];
  char folder[SQT_PATH];
} saved;

static saved all[SQT_SAVED_COUNT];

static void clean_up(void)
{
  for (int i = 0; i < SQT_SAVED_COUNT; ++i)
  {
    if (all[i].context)
    {
      sqt_folder_remove(all[i].parent);
      sq_context_destroy(all[i].context);
    }
  }
}

static saved* saved_folder(int which)
{
  static int registered;
  saved* s = all + which;
  registered = registered || !atexit(clean_up);
  if (!s->context)
  {
    s->context = sqt_context(1, NULL, NULL);
    sqt_folder_new(s->parent);
    sqt_path(s->folder, s->parent, "saved");
    CHECK_STATUS(sqt_save_folder(s->context, which, s->folder), SQ_OK);
  }
  return s;
}

/** Three bytes of the input replace one of the file: where (two), by what. */
static void patch(char* file, int64_t size, const uint8_t* data, size_t left)
{
  for (; left >= 3 && size; data += 3, left -= 3)
  {
    file[(data[0] * 256 + data[1]) % size] = (char)data[2];
  }
}

static void try_to_open(saved* s, sqt_structure structure)
{
  sqt_any any;
  sq_status status = sqt_any_open(s->context, structure, s->folder, &any);
  if (status == SQ_OK)
  {
    sqt_any_use(s->context, &any);
  }
  else
  {
    CHECK(status == SQ_INVALID_DATA || status == SQ_IO || status == SQ_TOO_LARGE);
    CHECK(*sq_context_message(s->context) && !any.bvh && !any.tree && !any.aggregates && !any.plan);
  }
  sqt_any_destroy(&any);
}

void fuzz_input(const uint8_t* data, size_t size)
{
  fuzz_bytes bytes = { data, size };
  int which = fuzz_below(&bytes, SQT_SAVED_COUNT);
  saved* s = saved_folder(which);
  char path[SQT_PATH];
  int64_t length = 0;
  sqt_path(path, s->folder, sqt_saved_files[fuzz_below(&bytes, SQT_SAVED_FILES)]);
  int whole = !fuzz_byte(&bytes);
  char* file = sqt_read_file(path, &length);
  if (!file)
  {
    return;
  }
  if (whole)
  {
    sqt_write_file(path, bytes.data, (int64_t)bytes.left);
  }
  else
  {
    char* patched = (char*)malloc((size_t)length + 1);
    memcpy(patched, file, (size_t)length);
    patch(patched, length, bytes.data, bytes.left);
    sqt_write_file(path, patched, length);
    free(patched);
  }
  try_to_open(s, sqt_saved_folders[which].structure);
  sqt_write_file(path, file, length);
  free(file);
}
