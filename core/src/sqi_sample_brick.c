#include "sqi_sample_brick.h"
#include "sqi_alloc.h"
#include "sqi_bricks.h"
#include "sqi_context.h"
#include "sqi_level.h"
#include "sqi_parallel.h"
#include "sqi_tetra_points.h"

#include <string.h>

/** Entries of the table of cells, twice as many as a brick can have. */
#define TABLE (2 * SQI_TETRA_POINTS)
/** Components that are summed in one pass. */
#define COMPONENTS 9
/** Instead of the place of a cell: not a tetrahedron. */
#define NONE UINT16_MAX
/** Coordinates that are 0 or between these in size are plain: the smallest product of 12 of their differences is above 2^-1000. */
#define PLAIN_LEAST 0x1p-40
#define PLAIN_MOST 0x1p40
/** Cells of less volume, for their size, are not. */
#define FLAT 1e-9
/** Rows between the one that is read and the one that is fetched. */
#define AHEAD 16

/** What the rows of the points in a cell have. */
typedef struct nodes
{
  int64_t cell;
  int64_t ids[4];
  int32_t blocks[4]; /* all the same */
} nodes;

/** A brick and its cells; one a thread. */
typedef struct room
{
  sqi_tetra_points points;
  nodes cell[SQI_TETRA_POINTS];
  int32_t size[SQI_TETRA_POINTS]; /* points of a cell, then where its next one goes */
  int32_t number[TABLE]; /* -1: free */
  uint16_t place[TABLE]; /* of cell `number` */
  uint16_t of[SQI_TETRA_POINTS]; /* which cell each point is in */
  uint16_t other[SQI_TETRA_POINTS]; /* points without one */
  int32_t other_count;
  double value[4 * SQI_TETRA_POINTS];
  double sum[SQI_TETRA_POINTS + 8];
  double tuple[COMPONENTS * SQI_TETRA_POINTS];
} room;

typedef struct sampling
{
  const sqi_chunks* chunks;
  const sq_sample* samples;
  int32_t sample_count;
  sqi_bricks bricks;
  sqi_tetra_points_weigh weigh;
  sqi_tetra_points_sum sum;
  room* rooms;
} sampling;

sqi_tetra_points_weigh sqi_tetra_points_choose(sqi_tetra_points_sum* sum)
{
  *sum = SQI_LEVEL_CHOOSE(sqi_tetra_points_sum);
  return SQI_LEVEL_CHOOSE(sqi_tetra_points_weigh);
}

static int is_plain(const double* x, int32_t count)
{
  int plain = 1;
  for (int32_t i = 0; i < count; ++i)
  {
    double size = fabs(x[i]);
    plain &= (size >= PLAIN_LEAST && size <= PLAIN_MOST) || size == 0.0;
  }
  return plain;
}

static int is_solid(const double corner[12])
{
  double e[3][3];
  for (int i = 0; i < 3; ++i)
  {
    sqk_sub3(corner + 3 * (i + 1), corner, e[i]);
  }
  double size = sqk_cell_max_abs(&e[0][0], 9);
  return fabs(sqk_det3(e[0], e[1], e[2])) > FLAT * size * size * size;
}

/** The query of point `point` of a brick. */
static int64_t query_of(const sampling* s, const room* r, const sqi_brick* b, int32_t point)
{
  const int32_t* shift = r->points.shift;
  int32_t i = point & ((1 << shift[0]) - 1);
  int32_t j = (point >> shift[0]) & ((1 << (shift[1] - shift[0])) - 1);
  return sqi_brick_query(s->chunks->rows.axes, b, j, point >> shift[1]) + i;
}

/** Puts a cell behind the others, if it is a tetrahedron; its place. */
static uint16_t add_cell(const sampling* s, room* r, int32_t number)
{
  const sq_mesh_index* index = s->chunks->rows.rules.index;
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  if (sqi_cell_kind(block, id) != SQ_CELL_TETRA)
  {
    return NONE;
  }
  int32_t place = r->points.cell_count++;
  nodes* n = r->cell + place;
  sqi_tetra_cell* cell = r->points.cell + place;
  int64_t offset = sqi_cell_offset(block, id);
  n->cell = id;
  for (int i = 0; i < 4; ++i)
  {
    n->blocks[i] = b;
    n->ids[i] = sqi_cell_point(block, offset, i);
    sqi_point(&block->points, n->ids[i], cell->corner + 3 * i);
  }
  cell->is_plain = is_plain(cell->corner, 12) && is_solid(cell->corner);
  r->size[place] = 0;
  return (uint16_t)place;
}

/** The place of a cell, which is added where it is new. */
static uint16_t place_of(const sampling* s, room* r, int32_t number)
{
  uint32_t at = ((uint32_t)number * 2654435769u) >> 16; /* 2^32 / golden ratio */
  for (at %= TABLE; r->number[at] != number; at = (at + 1) % TABLE)
  {
    if (r->number[at] < 0)
    {
      r->number[at] = number;
      r->place[at] = add_cell(s, r, number);
      break;
    }
  }
  return r->place[at];
}

/** Fetches what find_cells() reads of a row ahead of it. */
static void fetch_row(const sqi_rows* rows, const sqi_brick* b, int32_t row)
{
  if (row < b->count[1] * b->count[2])
  {
    int64_t query = sqi_brick_query(rows->axes, b, row % b->count[1], row / b->count[1]);
    __builtin_prefetch(rows->number + query);
    __builtin_prefetch(rows->status + query);
  }
}

/** Which points are inside of which tetrahedron, which has their value alone; and which are not. */
static void find_cells(const sampling* s, room* r, const sqi_brick* b)
{
  const sqi_rows* rows = &s->chunks->rows;
  const int32_t* shift = r->points.shift;
  int lowest = rows->rules.options.multiple_cells == SQ_MULTIPLE_LOWEST;
  int32_t before = -1;
  uint16_t place = NONE;
  memset(r->number, -1, sizeof(r->number));
  r->points.cell_count = r->other_count = 0;
  for (int32_t row = 0; row < b->count[1] * b->count[2]; ++row)
  {
    int32_t j = row % b->count[1], k = row / b->count[1];
    int64_t query = sqi_brick_query(rows->axes, b, j, k);
    int32_t point = j << shift[0] | k << shift[1];
    fetch_row(rows, b, row + AHEAD);
    for (int32_t end = point + b->count[0]; point < end; ++point, ++query)
    {
      int32_t number = rows->number[query];
      if (number != before)
      {
        before = number;
        place = number < 0 ? NONE : place_of(s, r, number);
      }
      int is_one = rows->status[query] == SQ_SAMPLE_INSIDE && (lowest || rows->count[query] <= 1);
      r->of[point] = is_one ? place : NONE;
      if (r->of[point] == NONE)
      {
        r->other[r->other_count++] = (uint16_t)point;
        continue;
      }
      ++r->size[place];
    }
  }
}

/** Orders the points by their cells. */
static void order_points(room* r, const sqi_brick* b)
{
  sqi_tetra_points* p = &r->points;
  p->count = 0;
  for (int32_t c = 0; c < p->cell_count; ++c)
  {
    p->cell[c].begin = p->count;
    p->count += r->size[c];
    r->size[c] = p->cell[c].begin;
  }
  p->cell[p->cell_count].begin = p->count;
  for (int32_t row = 0; p->count && row < b->count[1] * b->count[2]; ++row)
  {
    int32_t point = row % b->count[1] << p->shift[0] | row / b->count[1] << p->shift[1];
    for (int32_t end = point + b->count[0]; point < end; ++point)
    {
      if (r->of[point] != NONE)
      {
        p->point[r->size[r->of[point]]++] = (uint16_t)point;
      }
    }
  }
}

/** Writes `width` components from c on of a row of tuples. */
static void write_row(
  const sq_sample* s, const double* tuple, int32_t count, int32_t width, int32_t c, int64_t query)
{
  int64_t at = query * s->components + c;
  int64_t numbers = width == s->components ? (int64_t)count * width : width;
  int64_t step = width == s->components ? numbers : s->components;
  for (int64_t from = 0; from < (int64_t)count * width; from += numbers, at += step)
  {
    for (int64_t i = 0; i < numbers && s->out_type == SQ_FLOAT32; ++i)
    {
      ((float*)s->out)[at + i] = (float)tuple[from + i];
    }
    if (s->out_type == SQ_FLOAT64)
    {
      memcpy((double*)s->out + at, tuple + from, (size_t)numbers * sizeof(*tuple));
    }
  }
}

/** Sums `width` components from c on into r->tuple. */
static void sum_components(const sampling* s, room* r, const sq_sample* a, int32_t c, int32_t width)
{
  const sqi_tetra_points* p = &r->points;
  for (int32_t k = 0; k < width; ++k)
  {
    for (int32_t i = 0; i < p->cell_count; ++i)
    {
      const sq_field* f = a->fields + r->cell[i].blocks[0];
      for (int n = 0; n < 4; ++n)
      {
        int64_t at = r->cell[i].ids[n] * a->components + c + k;
        r->value[4 * i + n] = !f->data ? 0.0
          : f->type == SQ_FLOAT64      ? ((const double*)f->data)[at]
                                       : sqi_sample_scalar(f->data, f->type, at);
      }
    }
    s->sum(p, r->value, r->sum);
    for (int32_t i = 0; i < p->count; ++i)
    {
      r->tuple[p->point[i] * width + k] = r->sum[i];
    }
  }
}

/** Writes the values of all points in cell c of a brick one by one. */
static void write_cell(
  const sampling* s, const room* r, const sqi_brick* b, const sq_sample* a, int32_t c)
{
  const sqi_tetra_points* p = &r->points;
  int ofPoints = a->association == SQ_ASSOCIATION_POINTS;
  for (int32_t i = p->cell[c].begin; i < p->cell[c + 1].begin; ++i)
  {
    const double w[4] = { p->weight[0][i], p->weight[1][i], p->weight[2][i], p->weight[3][i] };
    const nodes* n = r->cell + c;
    const sqi_sample_row row = { ofPoints ? 4 : 1, n->blocks, ofPoints ? n->ids : &n->cell,
      ofPoints ? w : NULL };
    sqi_sample_write(a, &row, query_of(s, r, b, p->point[i]));
  }
}

/** Weighted sums of all points in cells; whatever is written of the other points is not right. */
static void write_sums(const sampling* s, room* r, const sqi_brick* b, const sq_sample* a)
{
  const int32_t* shift = r->points.shift;
  for (int32_t c = 0; c < a->components; c += COMPONENTS)
  {
    int32_t width = a->components - c < COMPONENTS ? a->components - c : COMPONENTS;
    if (r->other_count)
    {
      memset(r->tuple, 0, sizeof(*r->tuple) * (size_t)width * SQI_TETRA_POINTS);
    }
    sum_components(s, r, a, c, width);
    for (int32_t row = 0; row < b->count[1] * b->count[2]; ++row)
    {
      int32_t j = row % b->count[1], k = row / b->count[1];
      int64_t query = sqi_brick_query(s->chunks->rows.axes, b, j, k);
      int32_t point = j << shift[0] | k << shift[1];
      write_row(a, r->tuple + point * width, b->count[0], width, c, query);
      if (a->valid && !c)
      {
        memset(a->valid + query, 1, (size_t)b->count[0]);
      }
    }
  }
  for (int32_t c = 0; c < r->points.cell_count; ++c)
  {
    if (!a->fields[r->cell[c].blocks[0]].data)
    {
      write_cell(s, r, b, a, c);
    }
  }
}

/** Writes the values of `count` points of a row from `query` on by their rows. */
static void write_rows(const sampling* s, int64_t query, int32_t count, int32_t thread)
{
  for (int64_t next = query; next < query + count;)
  {
    const sqi_chunk* chunk = sqi_chunk_fill(s->chunks, next, query + count, thread);
    const sqi_sample_rows rows = { next, next + chunk->count, chunk->cell_offsets,
      chunk->node_offsets, chunk->place };
    for (int32_t i = 0; i < s->sample_count; ++i)
    {
      sqi_sample_write_all(s->samples + i, &rows, rows.first, rows.end);
    }
    next = rows.end;
  }
}

/** The points that are in no tetrahedron, and those whose weights are for the kernels of one cell. */
static void write_others(const sampling* s, const room* r, const sqi_brick* b, int32_t thread)
{
  const sqi_tetra_points* p = &r->points;
  int32_t row = (1 << p->shift[0]) - 1;
  for (int32_t i = 0, n; i < r->other_count; i += n)
  {
    int32_t point = r->other[i];
    for (n = 1; i + n < r->other_count && r->other[i + n] == point + n && ((point + n) & row); ++n)
    {
    }
    write_rows(s, query_of(s, r, b, point), n, thread);
  }
  for (int32_t i = 0; i < p->count; ++i)
  {
    if (p->right[i / 8] == UINT8_MAX)
    {
      i |= 7;
    }
    else if (!(p->right[i / 8] >> (i % 8) & 1))
    {
      write_rows(s, query_of(s, r, b, p->point[i]), 1, thread);
    }
  }
}

/** Coordinates along the axes, and how points are numbered. */
static void place_points(const sampling* s, const sqi_brick* b, sqi_tetra_points* p)
{
  const sqi_axes* axes = s->chunks->rows.axes;
  const int32_t* side = s->bricks.side;
  p->is_plain = 1;
  for (int d = 0; d < 3; ++d)
  {
    memcpy(p->x[d], axes->at[d] + b->first[d], (size_t)b->count[d] * sizeof(double));
    p->is_plain &= is_plain(p->x[d], b->count[d]);
  }
  p->shift[0] = __builtin_ctz((unsigned)side[0]);
  p->shift[1] = p->shift[0] + __builtin_ctz((unsigned)side[1]);
}

static sq_status brick_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  const sampling* s = (const sampling*)data;
  room* r = s->rooms + thread;
  for (int64_t number = begin; number < end; ++number)
  {
    const sqi_brick b = sqi_brick_at(s->chunks->rows.axes, &s->bricks, number);
    place_points(s, &b, &r->points);
    find_cells(s, r, &b);
    order_points(r, &b);
    s->weigh(&r->points);
    for (int32_t i = 0; i < s->sample_count && r->points.count; ++i)
    {
      const sq_sample* a = s->samples + i;
      if (a->association == SQ_ASSOCIATION_POINTS && a->combine == SQ_COMBINE_WEIGHTED)
      {
        write_sums(s, r, &b, a);
        continue;
      }
      for (int32_t c = 0; c < r->points.cell_count; ++c)
      {
        write_cell(s, r, &b, a, c);
      }
    }
    write_others(s, r, &b, thread);
  }
  return SQ_OK;
}

static int has_tetrahedra(const sq_mesh_index* index)
{
  int has = 0;
  for (int32_t b = 0; b < index->block_count && !has; ++b)
  {
    const sq_cells* block = index->blocks + b;
    has = block->count && block->types
      ? memchr(block->types, SQ_CELL_TETRA, (size_t)block->count) != NULL
      : block->count && block->type == SQ_CELL_TETRA;
  }
  return has;
}

int sqi_sample_has_bricks(const sqi_chunks* chunks)
{
  const sqi_rows* rows = &chunks->rows;
  return rows->axes && chunks->with_nodes &&
    !sqi_locate_by_centroid(&rows->rules.options, SQ_SAMPLE_INSIDE) &&
    has_tetrahedra(rows->rules.index);
}

sq_status sqi_sample_bricks(
  sq_context* context, const sqi_chunks* chunks, const sq_sample* samples, int32_t sample_count)
{
  sampling s;
  memset(&s, 0, sizeof(s));
  s.chunks = chunks;
  s.samples = samples;
  s.sample_count = sample_count;
  s.weigh = sqi_tetra_points_choose(&s.sum);
  int64_t threads = sq_context_threads(context);
  int64_t bricks = sqi_bricks_lay(chunks->rows.axes, SQI_TETRA_POINTS, SQI_TETRA_SIDE, &s.bricks);
  sq_status status = SQI_NEW(context, &s.rooms, threads);
  status = status == SQ_OK ? sqi_parallel_for(context, bricks, 1, brick_body, &s) : status;
  SQI_FREE(context, s.rooms, threads);
  return status;
}
