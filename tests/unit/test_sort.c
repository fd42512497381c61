/** The radix sort against the C library's, with all thread counts, failures and cancels. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_context.h"

#include "sqi_sort.h"

#include <stdlib.h>
#include <string.h>

typedef struct item
{
  uint64_t key;
  uint32_t value;
} item;

static uint64_t mask;

static int by_key_then_place(const void* a, const void* b)
{
  const item* p = (const item*)a;
  const item* q = (const item*)b;
  uint64_t k = p->key & mask;
  uint64_t l = q->key & mask;
  return k != l ? (k < l ? -1 : 1) : (p->value > q->value) - (p->value < q->value);
}

typedef enum pattern
{
  RANDOM,
  FEW, /* five different keys */
  SAME,
  SORTED,
  REVERSED,
  HIGH_DIGIT, /* differ in bits 56 to 63 only */
  PATTERNS
} pattern;

static uint64_t key_of(pattern p, orc_random* r, int64_t i)
{
  switch (p)
  {
    case FEW:
      return (orc_bits(r) % 5) * 0x0101010101010101u;
    case SAME:
      return 0x123456789abcdefu;
    case SORTED:
      return (uint64_t)i * 3;
    case REVERSED:
      return ~(uint64_t)i;
    case HIGH_DIGIT:
      return orc_bits(r) << 56 | 77;
    case RANDOM:
    case PATTERNS:
      break;
  }
  return orc_bits(r);
}

static void check_sort(sq_context* c, int64_t count, pattern p, int bits)
{
  uint64_t* keys = (uint64_t*)malloc((size_t)(count + 1) * sizeof(*keys));
  uint32_t* values = (uint32_t*)malloc((size_t)(count + 1) * sizeof(*values));
  item* want = (item*)malloc((size_t)(count + 1) * sizeof(*want));
  orc_random r = { 77 + (uint64_t)p };
  for (int64_t i = 0; i < count; ++i)
  {
    want[i].key = keys[i] = key_of(p, &r, i);
    want[i].value = values[i] = (uint32_t)i;
  }
  keys[count] = 1;
  values[count] = 2;
  mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  qsort(want, (size_t)count, sizeof(*want), by_key_then_place);
  CHECK_STATUS(sqi_sort(c, keys, values, count, bits), SQ_OK);
  int64_t wrong = 0;
  for (int64_t i = 0; i < count; ++i)
  {
    wrong += keys[i] != want[i].key || values[i] != want[i].value;
  }
  CHECK_TEXT(!wrong && keys[count] == 1 && values[count] == 2,
    "%lld of %lld items in the wrong place, pattern %d, %d bits, %d threads", (long long)wrong,
    (long long)count, (int)p, bits, (int)sq_context_threads(c));
  free(keys);
  free(values);
  free(want);
}

static void against_qsort(void)
{
  const int64_t counts[] = { 0, 1, 2, 255, 257, 16384, 50001 };
  for (int threads = 1; threads <= 7; threads += 3)
  {
    sqt_memory memory = { 0 };
    sq_context* c = sqt_context(threads, &memory, NULL);
    for (int i = 0; i < 7; ++i)
    {
      for (int p = RANDOM; p < PATTERNS; ++p)
      {
        check_sort(c, counts[i], (pattern)p, 64);
      }
    }
    sq_context_destroy(c);
    sqt_memory_is_clean(&memory);
  }
}

/** Bits beyond `bits` neither count nor get lost, when `bits` is a multiple of the digit. */
static void low_bits(void)
{
  sq_context* c = sqt_context(2, NULL, NULL);
  for (int bits = 8; bits <= 64; bits += 8)
  {
    check_sort(c, 5000, RANDOM, bits);
    check_sort(c, 5000, FEW, bits);
  }
  sq_context_destroy(c);
}

/** Keys of 63 bits (Morton codes) with bits = 63. */
static void morton_bits(void)
{
  enum
  {
    N = 20000
  };
  uint64_t* keys = (uint64_t*)malloc(N * sizeof(*keys));
  uint32_t* values = (uint32_t*)malloc(N * sizeof(*values));
  orc_random r = { 3 };
  for (uint32_t i = 0; i < N; ++i)
  {
    keys[i] = orc_bits(&r) >> 1;
    values[i] = i;
  }
  sq_context* c = sqt_context(2, NULL, NULL);
  CHECK_STATUS(sqi_sort(c, keys, values, N, 63), SQ_OK);
  for (int i = 1; i < N; ++i)
  {
    CHECK(keys[i - 1] <= keys[i]);
  }
  sq_context_destroy(c);
  free(keys);
  free(values);
}

static void failure_sweep(void)
{
  uint64_t keys[300];
  uint32_t values[300];
  orc_random r = { 9 };
  sq_status s = SQ_OUT_OF_MEMORY;
  int64_t at = 0;
  while (s == SQ_OUT_OF_MEMORY && ++at < 20)
  {
    sqt_memory memory = { 0 };
    sq_context* c = sqt_context(2, &memory, NULL);
    memory.fail_from = memory.calls + at;
    memory.fail_count = 1;
    for (uint32_t i = 0; i < 300; ++i)
    {
      keys[i] = orc_bits(&r);
      values[i] = i;
    }
    s = sqi_sort(c, keys, values, 300, 64);
    CHECK(s == SQ_OK || (s == SQ_OUT_OF_MEMORY && *sq_context_message(c)));
    sq_context_destroy(c);
    sqt_memory_is_clean(&memory);
  }
  CHECK_STATUS(s, SQ_OK);
  CHECK(at > 1);
}

static const sqt_case cases[] = {
  { "against qsort", against_qsort },
  { "low bits", low_bits },
  { "Morton bits", morton_bits },
  { "failure sweep", failure_sweep },
};
SQT_MAIN(cases)
