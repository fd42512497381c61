#include "sqi_sort.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"

#include <string.h>

#define DIGIT 256
/** Below this, a second thread costs more than it brings. */
#define SLICE_MIN (1 << 14)
/** Above this, a slice would delay a cancel. */
#define SLICE_MAX (1 << 20)

typedef struct sorter
{
  uint64_t* keys[2];
  uint32_t* values[2];
  int64_t* starts; /* slices x 256: where a slice puts its keys of a digit */
  int64_t count;
  int64_t slices;
  int from;
  int shift;
} sorter;

static int64_t slice_begin(const sorter* s, int64_t slice)
{
  return s->count / s->slices * slice +
    (slice < s->count % s->slices ? slice : s->count % s->slices);
}

static sq_status count_digits(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  sorter* s = (sorter*)data;
  const uint64_t* keys = s->keys[s->from];
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* counts = s->starts + slice * DIGIT;
    memset(counts, 0, DIGIT * sizeof(*counts));
    int64_t last = slice_begin(s, slice + 1);
    for (int64_t i = slice_begin(s, slice); i < last; ++i)
    {
      ++counts[(keys[i] >> s->shift) & (DIGIT - 1)];
    }
  }
  return SQ_OK;
}

static sq_status scatter(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  sorter* s = (sorter*)data;
  const uint64_t* keys = s->keys[s->from];
  const uint32_t* values = s->values[s->from];
  uint64_t* out_keys = s->keys[1 - s->from];
  uint32_t* out_values = s->values[1 - s->from];
  for (int64_t slice = begin; slice < end; ++slice)
  {
    int64_t* starts = s->starts + slice * DIGIT;
    int64_t last = slice_begin(s, slice + 1);
    for (int64_t i = slice_begin(s, slice); i < last; ++i)
    {
      int64_t to = starts[(keys[i] >> s->shift) & (DIGIT - 1)]++;
      out_keys[to] = keys[i];
      out_values[to] = values[i];
    }
  }
  return SQ_OK;
}

/** Turns counts into starts, digit by digit and slice by slice; 0 when all keys share one digit. */
static int digits_to_starts(sorter* s)
{
  int64_t at = 0;
  int used = 0;
  for (int d = 0; d < DIGIT; ++d)
  {
    int64_t before = at;
    for (int64_t slice = 0; slice < s->slices; ++slice)
    {
      int64_t n = s->starts[slice * DIGIT + d];
      s->starts[slice * DIGIT + d] = at;
      at += n;
    }
    used += at != before;
  }
  return used > 1;
}

static sq_status sort_passes(sq_context* context, sorter* s, int bits)
{
  for (s->shift = 0; s->shift < bits; s->shift += 8)
  {
    sq_status status = sqi_parallel_for(context, s->slices, 1, count_digits, s);
    if (status != SQ_OK)
    {
      return status;
    }
    if (!digits_to_starts(s))
    {
      continue;
    }
    status = sqi_parallel_for(context, s->slices, 1, scatter, s);
    if (status != SQ_OK)
    {
      return status;
    }
    s->from = 1 - s->from;
  }
  return SQ_OK;
}

sq_status sqi_sort(sq_context* context, uint64_t* keys, uint32_t* values, int64_t count, int bits)
{
  if (count < 2)
  {
    return SQ_OK;
  }
  sorter s = { { keys, NULL }, { values, NULL }, NULL, count, count / SLICE_MIN + 1, 0, 0 };
  int64_t most = count / SLICE_MAX + sq_context_threads(context);
  if (s.slices > most)
  {
    s.slices = most;
  }
  sq_status status = SQI_NEW(context, &s.keys[1], count);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &s.values[1], count);
  }
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &s.starts, s.slices * DIGIT);
  }
  if (status == SQ_OK)
  {
    status = sort_passes(context, &s, bits);
  }
  if (status == SQ_OK && s.from == 1)
  {
    memcpy(keys, s.keys[1], (size_t)count * sizeof(*keys));
    memcpy(values, s.values[1], (size_t)count * sizeof(*values));
  }
  SQI_FREE(context, s.keys[1], count);
  SQI_FREE(context, s.values[1], count);
  SQI_FREE(context, s.starts, s.slices * DIGIT);
  return status;
}
