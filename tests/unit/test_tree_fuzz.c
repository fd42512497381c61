/** Folders with random damage, always the same: each is refused with a message or opens, and what opens can be used. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_folder.h"
#include "sqt_tree_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX SQT_SAVED_FILES
/** Damages of each folder. */
#define ROUNDS 1500

typedef struct file
{
  char path[SQT_PATH];
  char* data;
  int64_t bytes;
} file;

typedef struct damaged
{
  sq_context* context;
  char folder[SQT_PATH];
  const sqt_saved* saved;
  file files[FILES_MAX];
  int count;
  orc_random random;
  int opened;
  int refused;
} damaged;

static void add_file(damaged* d, const char* name)
{
  file* f = d->files + d->count;
  sqt_path(f->path, d->folder, name);
  f->data = sqt_read_file(f->path, &f->bytes);
  d->count += f->data != NULL;
}

static void read_files(damaged* d)
{
  d->count = 0;
  for (int i = 0; i < SQT_SAVED_FILES; ++i)
  {
    add_file(d, sqt_saved_files[i]);
  }
}

/** Words that meta.json may hold in the place of others. */
static const char* const words[] = { "[]", "[7]", "[0]", "[-1]", "[7, 3]", "[9223372036854775807]",
  "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "null", "true", "{}", "1e999", "\"torch.int64\"",
  "\"torch.float32\"", "\"torch.float64\"", "\"torch.bool\"", "\"torch.complex64\"", "\"type\"",
  "\"TensorDict\"", "\"shape\"", "\"dtype\"", "\"_type\"", "\"\\u0000\"", "\"../meta.json\"", "9",
  "{\"a\": [[[[]]]]}" };
#define WORDS ((int64_t)(sizeof(words) / sizeof(*words)))

/** Replaces a token (what lies between two of {}[],: outside of names) or some characters by a word. */
static void damage_text(damaged* d, file* f, char* out, int64_t* bytes)
{
  int64_t from = orc_below(&d->random, f->bytes + 1);
  int64_t to = from;
  while (from > 0 && !strchr("{[,:", f->data[from - 1]) && orc_below(&d->random, 20))
  {
    --from;
  }
  while (to < f->bytes && !strchr("}],:", f->data[to]) && orc_below(&d->random, 20))
  {
    ++to;
  }
  const char* word = orc_below(&d->random, 4) ? words[orc_below(&d->random, WORDS)] : "";
  memcpy(out, f->data, (size_t)from);
  memcpy(out + from, word, strlen(word));
  *bytes = from + (int64_t)strlen(word);
  memcpy(out + *bytes, f->data + to, (size_t)(f->bytes - to));
  *bytes += f->bytes - to;
}

static void damage_numbers(damaged* d, const file* f, char* out, int64_t* bytes)
{
  static const int64_t values[] = { 0, 1, -1, 2, 6, 7, 8, 63, 1 << 20, INT32_MAX, INT64_MAX,
    INT64_MIN, INT64_C(0x7ff8000000000000), INT64_C(0x7f800000ff800000) };
  memcpy(out, f->data, (size_t)f->bytes);
  *bytes = f->bytes;
  int64_t times = 1 + orc_below(&d->random, 3);
  for (; times && f->bytes >= 8; --times)
  {
    int64_t at = 8 * orc_below(&d->random, f->bytes / 8);
    int64_t value = values[orc_below(&d->random, 14)];
    int64_t old = 0;
    memcpy(&old, out + at, 8);
    int64_t near = (int64_t)((uint64_t)old + (uint64_t)orc_below(&d->random, 5) - 2);
    value = orc_below(&d->random, 3) ? value : near;
    memcpy(out + at, &value, 8);
  }
}

/** One damage of one file; *bytes -1: it goes. */
static void damage(damaged* d, file* f, char* out, int64_t* bytes)
{
  int is_text = strstr(f->path, "meta.json") != NULL;
  memcpy(out, f->data, (size_t)f->bytes);
  *bytes = f->bytes;
  switch (orc_below(&d->random, 8))
  {
    case 0:
      *bytes = orc_below(&d->random, f->bytes + 1);
      break;
    case 1:
      *bytes = -1;
      break;
    case 2:
      *bytes = f->bytes + orc_below(&d->random, 64);
      memset(out + f->bytes, 'x', (size_t)(*bytes - f->bytes));
      break;
    case 3:
      out[f->bytes ? orc_below(&d->random, f->bytes) : 0] ^= (char)(1 << orc_below(&d->random, 8));
      break;
    default:
      if (is_text)
      {
        damage_text(d, f, out, bytes);
      }
      else
      {
        damage_numbers(d, f, out, bytes);
      }
  }
}

static void try_to_open(damaged* d, const file* f)
{
  sqt_any any;
  sq_status s = sqt_any_open(d->context, d->saved->structure, d->folder, &any);
  if (s != SQ_OK)
  {
    CHECK_TEXT(s == SQ_INVALID_DATA || s == SQ_IO || s == SQ_TOO_LARGE, "%s: \"%s\"", f->path,
      sq_status_text(s));
    CHECK(*sq_context_message(d->context) && !any.bvh && !any.tree && !any.aggregates && !any.plan);
    ++d->refused;
    return;
  }
  ++d->opened;
  sqt_any_use(d->context, &any);
  sqt_any_destroy(&any);
}

/** A file of which any damage shows: of points, boxes and areas anything goes, and of the order any permutation. */
static int is_checked(const char* path)
{
  return strstr(path, "child") || strstr(path, "leaf_") || strstr(path, "range") ||
    strstr(path, "depth");
}

static void fuzz(int which)
{
  damaged d = { .context = sqt_context(1, NULL, NULL), .saved = sqt_saved_folders + which };
  d.random.state = (uint64_t)which + 1;
  char parent[SQT_PATH];
  sqt_folder_new(parent);
  sqt_path(d.folder, parent, "saved");
  CHECK_STATUS(sqt_save_folder(d.context, which, d.folder), SQ_OK);
  read_files(&d);
  for (int i = 0; i < ROUNDS; ++i)
  {
    file* f = d.files + orc_below(&d.random, d.count);
    char* out = (char*)malloc((size_t)f->bytes + 256);
    int64_t bytes = 0;
    damage(&d, f, out, &bytes);
    if (bytes < 0)
    {
      CHECK_INT(unlink(f->path), 0);
    }
    else
    {
      sqt_write_file(f->path, out, bytes);
    }
    int64_t opened = d.opened;
    try_to_open(&d, f);
    int changed = bytes < f->bytes || memcmp(out, f->data, (size_t)f->bytes);
    CHECK_TEXT(!(changed && is_checked(f->path)) || d.opened == opened,
      "%s was opened with damage %d", f->path, i);
    sqt_write_file(f->path, f->data, f->bytes);
    free(out);
  }
  CHECK_TEXT(d.refused > ROUNDS / 4 && d.opened > 5, "%s: %d refused, %d opened", d.saved->name,
    d.refused, d.opened);
  for (int i = 0; i < d.count; ++i)
  {
    free(d.files[i].data);
  }
  sqt_folder_remove(parent);
  sq_context_destroy(d.context);
}

static void cluster_trees(void)
{
  for (int i = 0; i < 7; ++i)
  {
    fuzz(i);
  }
}

static void bvhs(void)
{
  for (int i = 7; i < 10; ++i)
  {
    fuzz(i);
  }
}

static void aggregates(void)
{
  fuzz(10);
  fuzz(11);
}

static void plans(void)
{
  fuzz(12);
  fuzz(13);
}

static const sqt_case cases[] = {
  { "cluster trees", cluster_trees },
  { "bvhs", bvhs },
  { "aggregates", aggregates },
  { "plans", plans },
};
SQT_MAIN(cases)
