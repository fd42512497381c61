#include "spatialqueries/sq_locate_grid.h"
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_location.h"
#include "sqi_mesh_index_search.h"
#include "sqi_parallel.h"
#include "sqi_raster.h"
#include "sqi_raster_bins.h"

#include <string.h>

typedef struct gridding
{
  sqi_rows rows;
  sq_location* location;
  sqi_raster raster;
  sqi_raster_brick* room; /* one a thread */
  sqi_bricks bricks;
  sqi_raster_bins bins;
  int searching; /* every point is searched, none is marked */
} gridding;

/** Where more cells a point than this have points in their boxes, searching takes less memory and time. */
#define CELLS_MANY 4
/** But so many of them never matter. */
#define FEW (1 << 16)
/** Fewest points of the bricks of a large grid, and bricks a thread that are enough. */
#define BRICK_LEAST 4096
#define BRICKS_A_THREAD 32

sqi_raster sqi_raster_choose(void)
{
  return SQI_LEVEL_CHOOSE(sqi_raster);
}

/** Finite, and ascending or descending. */
static int is_regular(const double* x, int64_t count)
{
  int up = 1, down = 1;
  for (int64_t i = 0; i < count; ++i)
  {
    if (!isfinite(x[i]))
    {
      return 0;
    }
    up &= i == 0 || x[i] >= x[i - 1];
    down &= i == 0 || x[i] <= x[i - 1];
  }
  return up || down;
}

/** The answer of a point that the raster has left without a cell, or has not seen. */
static void search_point(const gridding* g, int64_t query, int32_t thread, int32_t* seed)
{
  sq_location* out = g->location;
  sqi_locate_answer answer;
  double x[3];
  sqi_rows_query(&g->rows, query, x);
  memset(&answer, 0, sizeof(answer));
  answer.number = -1;
  sq_sample_status status = g->searching ? sqi_rows_search(&g->rows, x, thread, *seed, &answer)
                                         : sqi_rows_search_on(&g->rows, x, thread, *seed, &answer);
  *seed = answer.number >= 0 ? answer.number : *seed;
  out->status[query] = (uint8_t)status;
  out->number[query] = answer.number;
  out->containing_count[query] = answer.count;
  if (out->nodes_visited)
  {
    out->nodes_visited[query] = answer.nodes_visited;
    out->cells_tested[query] = answer.cells_tested;
  }
}

/** Writes what the raster says of a row of points, from `point` of the brick and `query` on. */
static void write_row(const gridding* g, const sqi_raster_brick* b, int32_t point, int64_t query)
{
  sq_location* out = g->location;
  size_t n = (size_t)b->count[0];
  memcpy(out->number + query, b->number + point, n * sizeof(*b->number));
  memcpy(out->containing_count + query, b->cells + point, n * sizeof(*b->cells));
  uint8_t* status = out->status + query;
  for (size_t i = 0; i < n; ++i)
  {
    uint8_t rank = b->rank[point + (int32_t)i];
    status[i] =
      rank == SQI_RANK_NONE ? SQ_SAMPLE_OUTSIDE : rank; /* INSIDE and TOLERANCE are their ranks */
  }
}

static sq_status brick_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  gridding* g = (gridding*)data;
  sqi_raster_brick* b = g->room + thread;
  for (int64_t brick = begin; brick < end; ++brick)
  {
    int32_t seed = -1;
    const sqi_brick at = sqi_brick_at(g->rows.axes, &g->bricks, brick);
    for (int d = 0; d < 3; ++d)
    {
      b->count[d] = at.count[d];
      memcpy(b->x[d], g->rows.axes->at[d] + at.first[d], (size_t)at.count[d] * sizeof(double));
    }
    if (!g->searching)
    {
      int64_t from = brick ? g->bins.end[brick - 1] : 0;
      g->raster(&g->rows.rules, g->rows.scratch + thread, g->bins.cells + from,
        g->bins.end[brick] - from, b);
    }
    int rest = g->searching || g->rows.rules.options.mode != SQ_LOCATE_CONTAINING ||
      g->rows.rules.index->copy_count; /* `copies` is not to be looked at where there is no tree */
    int32_t rows = b->count[1] * b->count[2];
    for (int32_t row = 0; row < rows; ++row)
    {
      int64_t query = sqi_brick_query(g->rows.axes, &at, row % b->count[1], row / b->count[1]);
      int32_t point = row * b->count[0];
      if (!g->searching)
      {
        write_row(g, b, point, query);
      }
      for (int32_t i = 0; rest && i < b->count[0]; ++i)
      {
        if (g->searching || b->rank[point + i] == SQI_RANK_NONE)
        {
          search_point(g, query + i, thread, &seed);
        }
      }
    }
  }
  return SQ_OK;
}

static sq_status check_grid(sq_context* context, const sq_axes* grid, int64_t* count)
{
  if (!grid || (grid->type != SQ_FLOAT32 && grid->type != SQ_FLOAT64))
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "grid: type %d, allowed are SQ_FLOAT32 and SQ_FLOAT64", grid ? (int)grid->type : -1);
  }
  *count = 1;
  for (int d = 0; d < 3; ++d)
  {
    if (grid->count[d] < 0 || (grid->count[d] && !grid->coordinates[d]))
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT, "grid: axis %d has %lld coordinates%s", d,
        (long long)grid->count[d], grid->count[d] > 0 ? ", none given" : "");
    }
    if (__builtin_mul_overflow(*count, grid->count[d], count) || *count > INT64_MAX / 24)
    {
      return sqi_fail(context, SQ_TOO_LARGE, "grid: %lld x %lld x %lld points",
        (long long)grid->count[0], (long long)grid->count[1], (long long)grid->count[2]);
    }
  }
  return SQ_OK;
}

/** What the location keeps: coordinates, options, the floor of the tolerance. */
static sq_status keep_inputs(sq_context* context, const sq_mesh_index* index, const sq_axes* grid,
  const sq_locate_options* options, sq_location* l)
{
  l->options = *options;
  sq_status status = sqi_make_floor(context, index, grid->type, &l->floor_ulp, &l->floor_ulp_max);
  for (int d = 0; d < 3 && status == SQ_OK; ++d)
  {
    l->axes.count[d] = grid->count[d];
    status = SQI_NEW(context, l->axes.at + d, grid->count[d]);
    if (l->axes.at[d])
    {
      memcpy(l->axes.at[d], grid->coordinates[d], (size_t)grid->count[d] * sizeof(double));
    }
  }
  return status;
}

/** Lists the cells of the bricks, unless points are to be searched; makes the tree where something will walk it. */
static sq_status prepare(sq_context* context, gridding* g)
{
  const sq_locate_options* o = &g->location->options;
  const sqi_axes* axes = &g->location->axes;
  int64_t most = CELLS_MANY * g->location->count + FEW;
  sq_status status = SQ_OK;
  g->searching = o->mode == SQ_LOCATE_NEAREST || o->statistics;
  for (int d = 0; d < 3; ++d)
  {
    g->searching = g->searching || !is_regular(axes->at[d], axes->count[d]);
  }
  /* Rows of means are made of all cells of a point, which are searched again; copies of cells answer where no other does. */
  if (g->searching || o->mode != SQ_LOCATE_CONTAINING || o->multiple_cells == SQ_MULTIPLE_MEAN ||
    g->rows.rules.index->copy_count)
  {
    status = sqi_mesh_search_need(context, g->rows.rules.index);
  }
  if (status == SQ_OK && !g->searching)
  {
    status = sqi_raster_bins_build(context, &g->rows, &g->bricks, most, &g->bins, &g->searching);
  }
  return status == SQ_OK && g->searching ? sqi_mesh_search_need(context, g->rows.rules.index)
                                         : status;
}

/** Large bricks have cells in common with fewer others, small ones give all threads something to do. */
static int32_t points_of_bricks(int64_t count, int64_t threads)
{
  int32_t points = SQI_RASTER_POINTS;
  while (points > BRICK_LEAST && count / points < BRICKS_A_THREAD * threads)
  {
    points /= 2;
  }
  return points;
}

static sq_status locate(sq_context* context, sq_location* l)
{
  gridding g;
  memset(&g, 0, sizeof(g));
  g.location = l;
  g.raster = sqi_raster_choose();
  int64_t threads = sq_context_threads(context);
  int64_t bricks =
    sqi_bricks_lay(&l->axes, points_of_bricks(l->count, threads), SQI_RASTER_SIDE, &g.bricks);
  sq_status status = sqi_location_open_rows(context, l, 0, &g.rows);
  status = status == SQ_OK ? SQI_NEW(context, &g.room, threads) : status;
  status = status == SQ_OK ? prepare(context, &g) : status;
  sqi_phase(context, "Querying", 0.1, 1.0);
  status = status == SQ_OK ? sqi_parallel_for(context, bricks, 1, brick_body, &g) : status;
  sqi_raster_bins_release(context, &g.bins);
  SQI_FREE(context, g.room, threads);
  sqi_rows_close(context, &g.rows);
  return status;
}

sq_status sq_locate_grid(sq_context* context, const sq_mesh_index* index, const sq_axes* grid,
  const sq_locate_options* options, sq_location** location)
{
  sq_status status = sqi_locate_begin(context, index, location);
  if (status != SQ_OK)
  {
    return status;
  }
  const sq_locate_options chosen = options ? *options : sq_locate_options_default();
  sq_location* l = NULL;
  int64_t count = 0;
  status = check_grid(context, grid, &count);
  status = status == SQ_OK ? sqi_locate_check_options(context, &chosen) : status;
  status = status == SQ_OK
    ? sqi_location_create(context, index->block_count, count, chosen.statistics != 0, index, &l)
    : status;
  status = status == SQ_OK ? keep_inputs(context, index, grid, &chosen, l) : status;
  status = status == SQ_OK ? locate(context, l) : status;
  if (status != SQ_OK)
  {
    sq_location_destroy(l);
    return status;
  }
  *location = l;
  return SQ_OK;
}
