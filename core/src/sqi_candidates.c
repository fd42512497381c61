#include "sqi_candidates.h"
#include "sqi_level.h"

/** Lists up to this length are sorted by insertion. */
#define SHORT 24

sqi_candidate_walk sqi_candidates_counter(void)
{
  return SQI_LEVEL_CHOOSE(sqi_candidates_count);
}

sqi_candidate_walk sqi_candidates_filler(void)
{
  return SQI_LEVEL_CHOOSE(sqi_candidates_fill);
}

/** Lets list[at] sink in a heap whose largest is on top (Williams 1964, "Algorithm 232: Heapsort"). */
static void sink(int64_t* list, int64_t count, int64_t at)
{
  int64_t id = list[at];
  for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1)
  {
    child += child + 1 < count && list[child + 1] > list[child];
    if (list[child] <= id)
    {
      break;
    }
    list[at] = list[child];
    at = child;
  }
  list[at] = id;
}

static void heapify(int64_t* list, int64_t count)
{
  for (int64_t i = count / 2; i-- > 0;)
  {
    sink(list, count, i);
  }
}

void sqi_candidates_keep_lowest(int64_t* list, int64_t limit, int64_t id, int first)
{
  if (first)
  {
    heapify(list, limit);
  }
  if (id < list[0])
  {
    list[0] = id;
    sink(list, limit, 0);
  }
}

void sqi_candidates_sort(int64_t* list, int64_t count)
{
  if (count > SHORT)
  {
    heapify(list, count);
    for (int64_t n = count - 1; n > 0; --n)
    {
      int64_t largest = list[0];
      list[0] = list[n];
      list[n] = largest;
      sink(list, n, 0);
    }
    return;
  }
  for (int64_t i = 1; i < count; ++i)
  {
    int64_t id = list[i], k = i;
    for (; k > 0 && list[k - 1] > id; --k)
    {
      list[k] = list[k - 1];
    }
    list[k] = id;
  }
}
