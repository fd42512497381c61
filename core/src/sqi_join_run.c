#include "sqi_context.h"
#include "sqi_join.h"
#include "sqi_level.h"
#include "sqi_parallel.h"

/** Cells of a chunk at most, and the points that they should have. */
#define CELLS 1024
#define POINTS 4096
/** A cell with many points is gone through by nodes of this level, of up to 512 points. */
#define LEVEL 2

sqi_join_functions sqi_join_choose(void)
{
  return (sqi_join_functions){ SQI_LEVEL_CHOOSE(sqi_join_cells), SQI_LEVEL_CHOOSE(sqi_join_below) };
}

typedef struct running
{
  const sqi_join* join;
  sqi_join_functions functions;
  int32_t number; /* the cell that all threads are at */
  int32_t level;
} running;

static sq_status cells_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const running* r = (const running*)data;
  r->functions.cells(r->join, begin, end, thread);
  return SQ_OK;
}

static sq_status below_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const running* r = (const running*)data;
  for (int64_t node = begin; node < end; ++node)
  {
    r->functions.below(r->join, r->number, r->level, node, thread);
  }
  return SQ_OK;
}

/** Cells of a chunk, whole words of `later`. */
static int64_t grain_of(int64_t cells, int64_t points)
{
  double even = (double)cells / (double)points * POINTS;
  int64_t grain = even < CELLS ? (int64_t)even : CELLS;
  return grain < SQI_JOIN_WORD ? SQI_JOIN_WORD : grain / SQI_JOIN_WORD * SQI_JOIN_WORD;
}

sq_status sqi_join_run(sq_context* context, const sqi_join* join, int64_t cell_count)
{
  const sqi_point_tree* tree = join->tree;
  running r = { join, sqi_join_choose(), 0, 0 };
  r.level = tree->level_count > LEVEL ? LEVEL : tree->level_count - 1;
  sqi_stages stages = sqi_stages_begin(context);
  sqi_stage(context, &stages, 0.0, 0.5);
  sq_status status =
    sqi_parallel_for(context, cell_count, grain_of(cell_count, tree->count), cells_body, &r);
  int64_t words = cell_count ? (cell_count - 1) / SQI_JOIN_WORD + 1 : 0;
  for (int64_t w = 0; w < words && status == SQ_OK; ++w)
  {
    double from = 0.5 + 0.5 * (double)w / (double)words;
    for (uint64_t bits = join->later[w]; bits && status == SQ_OK; bits &= bits - 1)
    {
      r.number = (int32_t)(w * SQI_JOIN_WORD + __builtin_ctzll(bits));
      sqi_stage(context, &stages, from, from);
      status = sqi_parallel_for(context, tree->level_size[r.level], 1, below_body, &r);
    }
  }
  sqi_stage(context, &stages, 0.0, 1.0);
  return status;
}
