#include "sqi_location_chunk.h"
#include "sqi_alloc.h"
#include "sqi_level.h"

#include <string.h>

/** Nodes of a chunk that there is room for at least; a row that is longer has room, too. */
#define NODES (8 * SQI_CHUNK)

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

/** Puts query q, inside of tetrahedron `number`, into the next batch; its cell and nodes are written at once. */
static void wait_for_batch(const sqi_chunks* chunks, sqi_chunk* chunk, int32_t q, int32_t thread)
{
  int64_t query = chunk->first + q;
  int32_t number = chunks->rows.number[query];
  const sq_mesh_index* index = chunks->rows.rules.index;
  int32_t b = sqi_mesh_block_of(index, number);
  int64_t id = number - index->first[b];
  int32_t lane = chunk->waiting++;
  double x[3];
  sqi_row_place place = place_of(chunk, q);
  if (number != chunk->number)
  {
    const sq_cells* block = index->blocks + b;
    int64_t offset = sqi_cell_offset(block, id);
    chunk->number = number;
    for (int i = 0; i < 4; ++i)
    {
      chunk->ids[i] = sqi_cell_point(block, offset, i);
      sqi_point(&block->points, chunk->ids[i], chunk->points + 3 * i);
    }
  }
  sqi_rows_query(&chunks->rows, query, x);
  chunk->query[lane] = q;
  for (int d = 0; d < 3; ++d)
  {
    chunk->batch.x[d][lane] = x[d];
  }
  for (int i = 0; i < 12; ++i)
  {
    chunk->batch.corner[i][lane] = chunk->points[i];
  }
  place.cell_blocks[0] = b;
  place.cell_ids[0] = id;
  for (int i = 0; i < 4; ++i)
  {
    place.node_blocks[i] = b;
    place.node_ids[i] = chunk->ids[i];
  }
  if (chunk->waiting == SQI_TETRA_LANES)
  {
    flush(chunks, chunk, thread);
  }
}

static int is_tetra_inside(const sqi_rows* rows, int64_t query)
{
  const sq_mesh_index* index = rows->rules.index;
  int32_t number = rows->number[query];
  int32_t b = sqi_mesh_block_of(index, number);
  return rows->status[query] == SQ_SAMPLE_INSIDE &&
    !sqi_locate_by_centroid(&rows->rules.options, SQ_SAMPLE_INSIDE) &&
    sqi_cell_kind(index->blocks + b, number - index->first[b]) == SQ_CELL_TETRA;
}

/** The rows of query q, which have the lengths given. */
static void fill_query(
  const sqi_chunks* chunks, sqi_chunk* chunk, int32_t q, int64_t cells, int32_t thread)
{
  const sqi_rows* rows = &chunks->rows;
  int64_t query = chunk->first + q;
  sqi_row_answer answer;
  if (cells == 1 && !chunks->with_nodes)
  {
    const sq_mesh_index* index = rows->rules.index;
    int32_t b = sqi_mesh_block_of(index, rows->number[query]);
    chunk->place.cell_blocks[chunk->cell_offsets[q]] = b;
    chunk->place.cell_ids[chunk->cell_offsets[q]] = rows->number[query] - index->first[b];
  }
  else if (cells == 1 && is_tetra_inside(rows, query))
  {
    wait_for_batch(chunks, chunk, q, thread);
  }
  else if (cells)
  {
    sqi_row_place place = place_of(chunk, q);
    sqi_rows_evaluate(rows, query, thread, &place, &answer);
  }
}

const sqi_chunk* sqi_chunk_fill(
  const sqi_chunks* chunks, int64_t begin, int64_t end, int32_t thread)
{
  sqi_chunk* chunk = chunks->chunks + thread;
  chunk->first = begin;
  chunk->cell_offsets[0] = chunk->node_offsets[0] = 0;
  int32_t q = 0;
  for (; q < SQI_CHUNK && begin + q < end; ++q)
  {
    int64_t cells, nodes;
    sqi_rows_lengths(&chunks->rows, begin + q, thread, -1, &cells, &nodes);
    nodes = chunks->with_nodes ? nodes : 0;
    chunk->cell_offsets[q + 1] = chunk->cell_offsets[q] + cells;
    chunk->node_offsets[q + 1] = chunk->node_offsets[q] + nodes;
    if (q &&
      (chunk->cell_offsets[q + 1] > chunks->cell_room ||
        chunk->node_offsets[q + 1] > chunks->node_room))
    {
      break;
    }
    fill_query(chunks, chunk, q, cells, thread);
  }
  flush(chunks, chunk, thread);
  chunk->count = q;
  return chunk;
}
