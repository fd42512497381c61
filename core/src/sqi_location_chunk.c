#include "sqi_location_chunk.h"
#include "sqi_alloc.h"
#include "sqi_level.h"

#include <string.h>

/** Nodes of a chunk that there is room for at least; a row that is longer has room, too. */
#define NODES (8 * SQI_CHUNK)

/** Queries that are fetched at once, and nodes of a cell. */
#define WINDOW 64
#define FETCHED 8

sqi_tetra_weights sqi_tetra_weights_choose(void)
{
  return SQI_LEVEL_CHOOSE(sqi_tetra_weights);
}

sq_status sqi_chunks_open(
  sq_context* context, const sq_location* location, int with_nodes, sqi_chunks* c)
{
  memset(c, 0, sizeof(*c));
  c->tetra = sqi_tetra_weights_choose();
  c->with_nodes = with_nodes;
  sq_status s = sqi_location_open_rows(context, location, 1, &c->rows);
  int64_t most = c->rows.list_room > 1 ? c->rows.list_room : 1;
  c->threads = sq_context_threads(context);
  c->cell_room = most > SQI_CHUNK ? most : SQI_CHUNK;
  c->node_room = !with_nodes ? 0 : most * location->index->corner_max;
  c->node_room = with_nodes && c->node_room < NODES ? NODES : c->node_room;
  s = s == SQ_OK ? SQI_NEW(context, &c->chunks, c->threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &c->cell_blocks, c->cell_room * c->threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &c->cell_ids, c->cell_room * c->threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &c->node_blocks, c->node_room * c->threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &c->node_ids, c->node_room * c->threads) : s;
  s = s == SQ_OK ? SQI_NEW(context, &c->node_weights, c->node_room * c->threads) : s;
  for (int32_t t = 0; s == SQ_OK && t < c->threads; ++t)
  {
    sqi_chunk* chunk = c->chunks + t;
    chunk->number = -1;
    chunk->waiting = 0;
    chunk->place = (sqi_row_place){ c->cell_blocks + c->cell_room * t,
      c->cell_ids + c->cell_room * t, NULL, NULL, NULL };
    if (with_nodes)
    {
      chunk->place.node_blocks = c->node_blocks + c->node_room * t;
      chunk->place.node_ids = c->node_ids + c->node_room * t;
      chunk->place.node_weights = c->node_weights + c->node_room * t;
    }
  }
  return s;
}

void sqi_chunks_close(sq_context* context, sqi_chunks* c)
{
  SQI_FREE(context, c->chunks, c->threads);
  SQI_FREE(context, c->cell_blocks, c->cell_room * c->threads);
  SQI_FREE(context, c->cell_ids, c->cell_room * c->threads);
  SQI_FREE(context, c->node_blocks, c->node_room * c->threads);
  SQI_FREE(context, c->node_ids, c->node_room * c->threads);
  SQI_FREE(context, c->node_weights, c->node_room * c->threads);
  sqi_rows_close(context, &c->rows);
}

static sqi_row_place place_of(const sqi_chunk* chunk, int32_t q)
{
  int64_t cell = chunk->cell_offsets[q];
  int64_t node = chunk->node_offsets[q];
  const sqi_row_place* p = &chunk->place;
  return (sqi_row_place){ p->cell_blocks + cell, p->cell_ids + cell, p->node_blocks + node,
    p->node_ids + node, p->node_weights + node };
}

/** Evaluates the tetrahedra that wait. */
static void flush(const sqi_chunks* chunks, sqi_chunk* chunk, int32_t thread)
{
  sqi_tetra_batch* b = &chunk->batch;
  for (int32_t lane = chunk->waiting; lane < SQI_TETRA_LANES && chunk->waiting; ++lane)
  {
    for (int i = 0; i < 12; ++i)
    {
      b->corner[i][lane] = b->corner[i][0];
    }
    for (int d = 0; d < 3; ++d)
    {
      b->x[d][lane] = b->x[d][0];
    }
  }
  unsigned right = chunk->waiting ? chunks->tetra(b) : 0;
  for (int32_t lane = 0; lane < chunk->waiting; ++lane)
  {
    int32_t q = chunk->query[lane];
    sqi_row_place place = place_of(chunk, q);
    sqi_row_answer answer;
    if (!(right >> lane & 1))
    {
      sqi_rows_evaluate(&chunks->rows, chunk->first + q, thread, &place, &answer);
      continue;
    }
    for (int i = 0; i < 4; ++i)
    {
      place.node_weights[i] = b->weight[i][lane];
    }
  }
  chunk->waiting = 0;
}

/** Looks up a cell, unless it is that of the query before. */
static void look_up(const sqi_chunks* chunks, sqi_chunk* chunk, int32_t number)
{
  if (number == chunk->number)
  {
    return;
  }
  const sq_mesh_index* index = chunks->rows.rules.index;
  chunk->number = number;
  chunk->block = sqi_mesh_block_of(index, number);
  chunk->id = number - index->first[chunk->block];
  const sq_cells* block = index->blocks + chunk->block;
  chunk->is_tetra = sqi_cell_kind(block, chunk->id) == SQ_CELL_TETRA;
  int64_t offset = sqi_cell_offset(block, chunk->id);
  for (int i = 0; i < 4 && chunk->is_tetra; ++i)
  {
    chunk->ids[i] = sqi_cell_point(block, offset, i);
    sqi_point(&block->points, chunk->ids[i], chunk->points + 3 * i);
  }
}

/** Query q of the chunk, the next one. */
static inline void query_at(
  const sqi_chunks* chunks, const sqi_chunk* chunk, int32_t q, double x[3])
{
  const sqi_axes* axes = chunks->rows.axes;
  if (!axes)
  {
    sqi_point(chunks->rows.points, chunk->first + q, x);
    return;
  }
  for (int d = 0; d < 3; ++d)
  {
    x[d] = axes->at[d][chunk->at[d]];
  }
}

/** Puts query q, inside of the tetrahedron looked up, into the next batch; its cell and nodes are written at once. */
static void wait_for_batch(const sqi_chunks* chunks, sqi_chunk* chunk, int32_t q, int32_t thread)
{
  double x[3];
  int32_t lane = chunk->waiting++;
  int64_t cell = chunk->cell_offsets[q];
  int64_t node = chunk->node_offsets[q];
  chunk->query[lane] = q;
  query_at(chunks, chunk, q, x);
  for (int d = 0; d < 3; ++d)
  {
    chunk->batch.x[d][lane] = x[d];
  }
  for (int i = 0; i < 12; ++i)
  {
    chunk->batch.corner[i][lane] = chunk->points[i];
  }
  chunk->place.cell_blocks[cell] = chunk->block;
  chunk->place.cell_ids[cell] = chunk->id;
  for (int i = 0; i < 4; ++i)
  {
    chunk->place.node_blocks[node + i] = chunk->block;
    chunk->place.node_ids[node + i] = chunk->ids[i];
  }
  if (chunk->waiting == SQI_TETRA_LANES)
  {
    flush(chunks, chunk, thread);
  }
}

/** How the rows of a query are found. */
typedef enum way
{
  WAY_NONE, /* there are none */
  WAY_CELL, /* one cell, and no nodes are wanted */
  WAY_TETRA, /* inside of one tetrahedron */
  WAY_ANY
} way;

/** Also their lengths. */
static way choose_way(const sqi_chunks* chunks, sqi_chunk* chunk, int64_t query, int32_t thread,
  int64_t* cells, int64_t* nodes)
{
  const sqi_rows* rows = &chunks->rows;
  const sq_locate_options* o = &rows->rules.options;
  int32_t number = rows->number[query];
  *cells = *nodes = 0;
  if (number < 0)
  {
    return WAY_NONE;
  }
  if (rows->count[query] <= 1 || o->multiple_cells == SQ_MULTIPLE_LOWEST)
  {
    look_up(chunks, chunk, number);
    *cells = 1;
    *nodes = 4;
    if (!chunks->with_nodes)
    {
      *nodes = 0;
      return WAY_CELL;
    }
    if (chunk->is_tetra && rows->status[query] == SQ_SAMPLE_INSIDE &&
      !sqi_locate_by_centroid(o, SQ_SAMPLE_INSIDE))
    {
      return WAY_TETRA;
    }
  }
  sqi_rows_lengths(rows, query, thread, -1, cells, nodes);
  *nodes = chunks->with_nodes ? *nodes : 0;
  return *cells ? WAY_ANY : WAY_NONE;
}

static void fill_query(
  const sqi_chunks* chunks, sqi_chunk* chunk, int32_t q, way how, int32_t thread)
{
  sqi_row_answer answer;
  sqi_row_place place;
  switch (how)
  {
    case WAY_NONE:
      return;
    case WAY_CELL:
      chunk->place.cell_blocks[chunk->cell_offsets[q]] = chunk->block;
      chunk->place.cell_ids[chunk->cell_offsets[q]] = chunk->id;
      return;
    case WAY_TETRA:
      wait_for_batch(chunks, chunk, q, thread);
      return;
    default:
      place = place_of(chunk, q);
      sqi_rows_evaluate(&chunks->rows, chunk->first + q, thread, &place, &answer);
  }
}

/** The place of query `first` on the grid, if there is one. */
static void start(const sqi_axes* axes, int64_t first, int64_t at[3])
{
  for (int d = 0; d < 3 && axes; ++d)
  {
    at[d] = first % axes->count[d];
    first /= axes->count[d];
  }
}

/** The place of the next query. */
static void step(const sqi_axes* axes, int64_t at[3])
{
  for (int d = 0; d < 3 && axes && ++at[d] == axes->count[d]; ++d)
  {
    at[d] = 0;
  }
}

/** Whether the cells of queries lie anywhere, so that it pays to have what they are made of near at hand. */
static int is_scattered(const sqi_chunks* chunks)
{
  const sq_mesh_index* index = chunks->rows.rules.index;
  return !chunks->rows.axes && index->block_count == 1 && index->blocks->count &&
    chunks->with_nodes;
}

static inline int64_t cell_of(const sqi_chunks* chunks, int64_t q)
{
  int64_t number = chunks->rows.number[q];
  return number < 0 ? 0 : number;
}

/** Fetches the lists of the cells of some queries; many loads wait at once. */
static void fetch_lists(const sqi_chunks* chunks, int64_t begin, int64_t end)
{
  const sq_cells* block = chunks->rows.rules.index->blocks;
  size_t bytes = sq_type_bytes(block->id_type);
  for (int64_t q = begin; q < end && block->offsets; ++q)
  {
    __builtin_prefetch((const char*)block->offsets + (size_t)cell_of(chunks, q) * bytes);
  }
  for (int64_t q = begin; q < end; ++q)
  {
    int64_t offset = sqi_cell_offset(block, cell_of(chunks, q));
    __builtin_prefetch((const char*)block->connectivity + (size_t)offset * bytes);
  }
}

/** Fetches the nodes of the cells of some queries, whose lists have been fetched. */
static void fetch_nodes(const sqi_chunks* chunks, int64_t begin, int64_t end)
{
  const sq_cells* block = chunks->rows.rules.index->blocks;
  size_t bytes = 3 * sq_type_bytes(block->points.type);
  for (int64_t q = begin; q < end; ++q)
  {
    int64_t cell = cell_of(chunks, q), offset = sqi_cell_offset(block, cell);
    int64_t count = sqi_cell_offset(block, cell + 1) - offset;
    for (int64_t k = 0; k < count && k < FETCHED; ++k)
    {
      int64_t node = sqi_cell_point(block, offset, k);
      __builtin_prefetch((const char*)block->points.data + (size_t)node * bytes);
    }
  }
}

/** Keeps fetching ahead of query q, a window at a time; `first` is the first of all, queries end at `end`. */
static inline void fetch(const sqi_chunks* chunks, int64_t first, int64_t q, int64_t end)
{
  if ((q - first) % WINDOW)
  {
    return;
  }
  int64_t next = q + WINDOW < end ? q + WINDOW : end;
  int64_t last = next + WINDOW < end ? next + WINDOW : end;
  if (q == first)
  {
    fetch_lists(chunks, q, next);
  }
  fetch_lists(chunks, next, last);
  fetch_nodes(chunks, q, next);
}

const sqi_chunk* sqi_chunk_fill(
  const sqi_chunks* chunks, int64_t begin, int64_t end, int32_t thread)
{
  sqi_chunk* chunk = chunks->chunks + thread;
  const sqi_axes* axes = chunks->rows.axes;
  chunk->first = begin;
  chunk->cell_offsets[0] = chunk->node_offsets[0] = 0;
  start(axes, begin, chunk->at);
  int scattered = is_scattered(chunks);
  int32_t q = 0;
  for (; q < SQI_CHUNK && begin + q < end; ++q)
  {
    int64_t cells, nodes;
    if (scattered)
    {
      fetch(chunks, begin, begin + q, end);
    }
    way how = choose_way(chunks, chunk, begin + q, thread, &cells, &nodes);
    chunk->cell_offsets[q + 1] = chunk->cell_offsets[q] + cells;
    chunk->node_offsets[q + 1] = chunk->node_offsets[q] + nodes;
    if (q &&
      (chunk->cell_offsets[q + 1] > chunks->cell_room ||
        chunk->node_offsets[q + 1] > chunks->node_room))
    {
      break;
    }
    fill_query(chunks, chunk, q, how, thread);
    step(axes, chunk->at);
  }
  flush(chunks, chunk, thread);
  chunk->count = q;
  return chunk;
}
