#include "sqi_locate_rows.h"
#include "sqi_alloc.h"

#include <string.h>

sq_status sqi_make_floor(sq_context* context, const sq_mesh_index* index, sq_type query_type,
  double** floor_ulp, double* most)
{
  sqi_locate_rules rules;
  rules.index = index;
  rules.floor_ulp_max = 0.0;
  sq_status status = SQI_NEW(context, floor_ulp, index->block_count);
  if (status == SQ_OK)
  {
    sqi_locate_set_floor(&rules, query_type, *floor_ulp);
  }
  *most = rules.floor_ulp_max;
  return status;
}

sq_status sqi_rows_open(sq_context* context, sqi_rows* rows)
{
  int32_t threads = sq_context_threads(context);
  const sq_mesh_index* index = rows->rules.index;
  int64_t room = sqi_mesh_scratch_size(index);
  sq_status status = SQI_NEW(context, &rows->room, room * threads);
  status = status == SQ_OK ? SQI_NEW(context, &rows->scratch, threads) : status;
  for (int32_t t = 0; status == SQ_OK && t < threads; ++t)
  {
    rows->scratch[t] = sqi_mesh_scratch_in(index, rows->room ? rows->room + room * t : NULL);
  }
  return status;
}

sq_status sqi_rows_make_list(sq_context* context, sqi_rows* rows, int64_t most)
{
  rows->list_room = most;
  return SQI_NEW(context, &rows->list, most * sq_context_threads(context));
}

void sqi_rows_close(sq_context* context, sqi_rows* rows)
{
  int64_t threads = sq_context_threads(context);
  SQI_FREE(context, rows->room, sqi_mesh_scratch_size(rows->rules.index) * threads);
  SQI_FREE(context, rows->scratch, threads);
  SQI_FREE(context, rows->list, rows->list_room * threads);
}

/** The rules for the tree that the duplicate cells are in. */
static sqi_locate_rules rules_of_copies(const sqi_rows* rows)
{
  sqi_locate_rules rules = rows->rules;
  rules.index = rows->rules.index->copies;
  return rules;
}

/** The cells that hold x, of those that share a tree with cell `number`. */
static void containing_with(const sqi_rows* rows, int32_t number, const double x[3], int32_t thread,
  int32_t* list, int worst, sqi_locate_answer* answer)
{
  const sq_mesh_index* index = rows->rules.index;
  sqi_locate_rules rules =
    index->copies && sqi_mesh_is_copy(index, number) ? rules_of_copies(rows) : rows->rules;
  rows->search.containing(&rules, x, rows->scratch + thread, list, worst, answer);
}

static void add_counts(sqi_locate_answer* answer, const sqi_locate_answer* before)
{
  answer->nodes_visited += before->nodes_visited;
  answer->cells_tested += before->cells_tested;
}

/** A duplicate cell takes the place of the nearest cell where it is truly nearer: the cell that it copies is elsewhere. */
static void nearest_copy(
  const sqi_rows* rows, const double x[3], int32_t thread, sqi_locate_answer* answer)
{
  sqi_locate_rules rules = rules_of_copies(rows);
  sqi_locate_answer copy;
  double tie = 0.0;
  if (answer->number >= 0)
  {
    rules.options.max_distance = answer->distance;
    tie = sqi_locate_tie(sqk_cell_max_abs(x, 3), answer->distance);
  }
  rows->search.nearest(&rules, x, rows->scratch + thread, -1, &copy);
  add_counts(answer, &copy);
  if (copy.number >= 0 && (answer->number < 0 || copy.distance < answer->distance - tie))
  {
    answer->number = copy.number;
    answer->distance = copy.distance;
  }
}

/** The nearest cell of query x; `answer` is set, to what a search before has visited or 0. */
static sq_sample_status search_nearest(
  const sqi_rows* rows, const double x[3], int32_t thread, int32_t seed, sqi_locate_answer* answer)
{
  const sq_locate_options* o = &rows->rules.options;
  const sq_mesh_index* index = rows->rules.index;
  const sqi_locate_answer before = *answer;
  int seeded = seed >= 0 && !o->statistics && !(index->copies && sqi_mesh_is_copy(index, seed));
  rows->search.nearest(&rows->rules, x, rows->scratch + thread, seeded ? seed : -1, answer);
  add_counts(answer, &before);
  if (index->copies)
  {
    nearest_copy(rows, x, thread, answer);
  }
  int inside = o->mode == SQ_LOCATE_NEAREST && answer->number >= 0 && !(answer->distance > 0.0);
  answer->count = inside;
  return answer->number < 0 ? SQ_SAMPLE_OUTSIDE : inside ? SQ_SAMPLE_INSIDE : SQ_SAMPLE_NEAREST;
}

static sq_sample_status status_of(const sqi_locate_answer* answer)
{
  return answer->distance > 0.0 ? SQ_SAMPLE_TOLERANCE : SQ_SAMPLE_INSIDE;
}

sq_sample_status sqi_rows_search_on(
  const sqi_rows* rows, const double x[3], int32_t thread, int32_t seed, sqi_locate_answer* answer)
{
  sq_locate_mode mode = rows->rules.options.mode;
  if (rows->rules.index->copies && mode != SQ_LOCATE_NEAREST)
  {
    const sqi_locate_answer before = *answer;
    sqi_locate_rules rules = rules_of_copies(rows);
    rows->search.containing(&rules, x, rows->scratch + thread, NULL, SQI_RANK_NONE, answer);
    add_counts(answer, &before);
    if (answer->number >= 0)
    {
      return status_of(answer);
    }
  }
  return mode != SQ_LOCATE_CONTAINING ? search_nearest(rows, x, thread, seed, answer)
                                      : SQ_SAMPLE_OUTSIDE;
}

sq_sample_status sqi_rows_search(
  const sqi_rows* rows, const double x[3], int32_t thread, int32_t seed, sqi_locate_answer* answer)
{
  memset(answer, 0, sizeof(*answer));
  answer->number = -1;
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
  {
    return SQ_SAMPLE_INVALID;
  }
  if (rows->rules.options.mode != SQ_LOCATE_NEAREST)
  {
    rows->search.containing(&rows->rules, x, rows->scratch + thread, NULL, SQI_RANK_NONE, answer);
    if (answer->number >= 0)
    {
      return status_of(answer);
    }
  }
  return sqi_rows_search_on(rows, x, thread, seed, answer);
}

/** Weights of a query's lowest cell. */
static int64_t weights_of(const sqi_rows* rows, int32_t number, sq_sample_status status)
{
  const sq_mesh_index* index = rows->rules.index;
  int32_t b = sqi_mesh_block_of(index, number);
  const sq_cells* block = index->blocks + b;
  int64_t id = number - index->first[b];
  int32_t count = (int32_t)(sqi_cell_offset(block, id + 1) - sqi_cell_offset(block, id));
  return sqi_locate_by_centroid(&rows->rules.options, status)
    ? count
    : sqk_cell_weight_count(sqi_cell_kind(block, id), count);
}

void sqi_rows_lengths(
  const sqi_rows* rows, int64_t q, int32_t thread, int64_t weights, int64_t* cells, int64_t* nodes)
{
  sq_multiple_cells rule = rows->rules.options.multiple_cells;
  int several = rows->count[q] > 1;
  *cells = *nodes = 0;
  if (rows->number[q] < 0 || (several && rule == SQ_MULTIPLE_NAN))
  {
    return;
  }
  if (!several || rule != SQ_MULTIPLE_MEAN)
  {
    *cells = 1;
    *nodes = weights_of(rows, rows->number[q], (sq_sample_status)rows->status[q]);
    return;
  }
  if (weights < 0)
  {
    double x[3];
    sqi_locate_answer answer;
    sqi_rows_query(rows, q, x);
    containing_with(rows, rows->number[q], x, thread, NULL, SQI_RANK_NONE, &answer);
    weights = answer.weight_count;
  }
  *cells = rows->count[q];
  *nodes = weights;
}

/** Writes the weights of one cell, each times `factor`, from entry `at` on; where the next ones go. */
static int64_t write_weights(const sqi_row_place* place, const sqi_mesh_cell* cell,
  const sqk_cell_hit* hit, const double* weights, int32_t count, double factor, int64_t at)
{
  for (int32_t k = 0; k < count && place->node_ids; ++k)
  {
    int32_t node = hit->used ? hit->node[k] : k;
    place->node_blocks[at + k] = cell->block_id;
    place->node_ids[at + k] = sqi_cell_point(cell->block, cell->offset, node);
    place->node_weights[at + k] = weights[k] * factor;
  }
  return at + count;
}

/** The rows of a query whose value is the mean over several cells. */
static void write_mean(
  const sqi_rows* rows, int64_t q, const double x[3], int32_t thread, const sqi_row_place* place)
{
  const sqi_mesh_scratch* scratch = rows->scratch + thread;
  int32_t* list = rows->list + rows->list_room * thread;
  int64_t at = 0;
  sqi_locate_answer answer;
  int worst = rows->status[q] == SQ_SAMPLE_INSIDE ? SQI_RANK_INSIDE : SQI_RANK_TOLERANCE;
  containing_with(rows, rows->number[q], x, thread, list, worst, &answer);
  for (int32_t i = 0; i < answer.count; ++i)
  {
    sqi_mesh_cell cell;
    sqk_cell_hit hit;
    int32_t count = sqi_locate_evaluate(
      &rows->rules, x, scratch, list[i], (sq_sample_status)rows->status[q], &cell, &hit);
    place->cell_blocks[i] = cell.block_id;
    place->cell_ids[i] = cell.id;
    at = write_weights(place, &cell, &hit, scratch->weights, count, 1.0 / answer.count, at);
  }
}

void sqi_rows_evaluate(const sqi_rows* rows, int64_t q, int32_t thread, const sqi_row_place* place,
  sqi_row_answer* answer)
{
  int32_t number = rows->number[q];
  sq_sample_status status = (sq_sample_status)rows->status[q];
  sq_multiple_cells rule = rows->rules.options.multiple_cells;
  const sqi_mesh_scratch* scratch = rows->scratch + thread;
  answer->block = -1;
  answer->cell = -1;
  answer->distance = (double)NAN;
  sqk_cell_no_parameters(answer->r);
  if (number < 0)
  {
    return;
  }
  double x[3];
  sqi_mesh_cell cell;
  sqk_cell_hit hit;
  sqi_rows_query(rows, q, x);
  int32_t count = sqi_locate_evaluate(&rows->rules, x, scratch, number, status, &cell, &hit);
  answer->block = cell.block_id;
  answer->cell = cell.id;
  answer->distance = status == SQ_SAMPLE_INSIDE ? 0.0 : hit.distance;
  sqk_set3(hit.r, answer->r);
  if (!place || (rows->count[q] > 1 && rule == SQ_MULTIPLE_NAN))
  {
    return;
  }
  if (rows->count[q] > 1 && rule == SQ_MULTIPLE_MEAN)
  {
    write_mean(rows, q, x, thread, place);
    return;
  }
  place->cell_blocks[0] = cell.block_id;
  place->cell_ids[0] = cell.id;
  (void)write_weights(place, &cell, &hit, scratch->weights, count, 1.0, 0);
}
