/**
 * Sums over the nodes of a cluster tree: prefix sums along the order, of which every node takes the difference of two. They are
 * summed one after the other in double, as the reference does, since another order has other bits; what is
 * around them is parallel.
 */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_real.h"
#include "sqi_reference_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/** Points, or nodes, of one chunk. */
#define CHUNK (1 << 13)
/** Points between two polls of the sequential part. */
#define TILE (1 << 17)
/** Columns that are summed side by side. */
#define COLUMNS 3

typedef enum weightless
{
  GIVE_ZERO,
  GIVE_NAN,
  GIVE_BOX_CENTRE
} weightless;

typedef struct sum_job
{
  const sq_cluster_tree* tree;
  const void* values; /* NULL: all 1 */
  sq_type type;
  int32_t components; /* of a row of values and of `out` */
  int32_t first; /* of the columns that are being summed */
  int32_t columns;
  const void* areas; /* NULL: all 1 */
  sq_type area_type;
  double* sums; /* (points + 1) x columns */
  _Atomic int found_bad; /* a row of `sums` holds a number that is not finite */
  int32_t keep_bad; /* 1: it stays, and spoils all sums behind it, as in the reference */
  int32_t* bad; /* likewise, how many such numbers come before; NULL: none */
  const double* weights; /* points + 1; NULL: sums, not means */
  weightless otherwise;
  void* out;
} sum_job;

static int is_skipped(const sq_cluster_tree* tree, int64_t point)
{
  const sqi_tree* t = &tree->tree;
  int finite = 1;
  for (int32_t d = 0; d < t->dimension; ++d)
  {
    finite &= sqi_is_finite(sqi_real(tree->points, t->type, point * t->dimension + d));
  }
  return !finite;
}

SQI_REAL sq_status gather(
  sq_type type, int32_t columns, sum_job* job, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const int64_t* order = job->tree->tree.order;
  double spoilt = 0.0;
  sq_type wider = job->areas && job->area_type == SQ_FLOAT64 ? SQ_FLOAT64 : type;
  for (int64_t k = begin; k < end; ++k)
  {
    int64_t i = order[k];
    double* row = job->sums + (k + 1) * columns;
    double area = job->areas ? sqi_real(job->areas, job->area_type, i) : 1.0;
    int skipped = job->tree->skipped && is_skipped(job->tree, i);
    for (int32_t c = 0; c < columns; ++c)
    {
      double v =
        job->values ? sqi_real(job->values, type, i * job->components + job->first + c) : 1.0;
      row[c] = skipped ? 0.0 : sqi_rounded(wider, v * area);
      spoilt += 0.0 * row[c];
    }
  }
  if (spoilt != 0.0)
  {
    atomic_store(&job->found_bad, 1);
  }
  return SQ_OK;
}

static sq_status gather_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  sum_job* job = (sum_job*)data;
  return SQI_BY_REAL(gather, job->type, job->columns, job, begin, end, thread);
}

SQI_REAL void accumulate(int32_t columns, double* rows, int64_t begin, int64_t end)
{
  double sum[COLUMNS] = { 0.0 };
  for (int32_t c = 0; c < columns; ++c)
  {
    sum[c] = rows[begin * columns + c];
  }
  for (int64_t k = begin + 1; k <= end; ++k)
  {
    for (int32_t c = 0; c < columns; ++c)
    {
      rows[k * columns + c] = sum[c] += rows[k * columns + c];
    }
  }
}

/** Counts the numbers that are not finite along the order, and takes them out of the sums, which they would spoil to the end. */
static void set_bad_aside(sum_job* job, int64_t points)
{
  int64_t columns = job->columns;
  memset(job->bad, 0, (size_t)columns * sizeof(*job->bad));
  for (int64_t i = columns; i < (points + 1) * columns; ++i)
  {
    int bad = !sqi_is_finite(job->sums[i]);
    job->bad[i] = job->bad[i - columns] + bad;
    job->sums[i] = bad ? 0.0 : job->sums[i];
  }
}

SQI_REAL sq_status give_nodes(
  sq_type type, int32_t columns, sum_job* job, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  const sqi_tree* tree = &job->tree->tree;
  for (int64_t node = begin; node < end; ++node)
  {
    int64_t first = tree->topology.range_start[node];
    int64_t last = first + tree->topology.range_count[node];
    double weight = job->weights ? job->weights[last] - job->weights[first] : 1.0;
    for (int32_t c = 0; c < columns; ++c)
    {
      double sum = job->sums[last * columns + c] - job->sums[first * columns + c];
      double mean = job->weights ? sum / weight : sum;
      if (job->bad && job->bad[last * columns + c] != job->bad[first * columns + c])
      {
        mean = (double)NAN;
      }
      if (weight == 0.0)
      {
        int64_t at = node * columns + c;
        mean = job->otherwise == GIVE_ZERO ? 0.0
          : job->otherwise == GIVE_NAN     ? (double)NAN
                                           : 0.5 * sqi_real(tree->aabb_min, tree->type, at) +
            0.5 * sqi_real(tree->aabb_max, tree->type, at);
      }
      sqi_set_real(job->out, type, node * job->components + job->first + c, mean);
    }
  }
  return SQ_OK;
}

static sq_status nodes_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  sum_job* job = (sum_job*)data;
  return SQI_BY_REAL(give_nodes, job->type, job->columns, job, begin, end, thread);
}

/** Fills job->sums. */
static sq_status sum_columns(sq_context* context, sum_job* job)
{
  int64_t count = job->tree->tree.topology.item_count;
  atomic_store(&job->found_bad, 0);
  sq_status status = sqi_parallel_for(context, count, CHUNK, gather_body, job);
  memset(job->sums, 0, (size_t)job->columns * sizeof(*job->sums));
  if (status == SQ_OK && atomic_load(&job->found_bad) && !job->keep_bad)
  {
    status = SQI_NEW(context, &job->bad, (count + 1) * job->columns);
    if (status == SQ_OK)
    {
      set_bad_aside(job, count);
    }
  }
  for (int64_t begin = 0; begin < count && status == SQ_OK; begin += TILE)
  {
    int64_t end = begin + TILE < count ? begin + TILE : count;
    switch (job->columns)
    {
      case 1:
        accumulate(1, job->sums, begin, end);
        break;
      case 2:
        accumulate(2, job->sums, begin, end);
        break;
      default:
        accumulate(3, job->sums, begin, end);
    }
    status = sqi_poll(context, 1.0, 0);
  }
  return status;
}

/** Sums or means of all columns of job->values to job->out. */
static sq_status sum_field(sq_context* context, sum_job* job)
{
  int64_t points = job->tree->tree.topology.item_count;
  int32_t wide = job->components < COLUMNS ? job->components : COLUMNS;
  sqi_stages stages = sqi_stages_begin(context);
  sq_status status = SQI_NEW(context, &job->sums, (points + 1) * wide);
  for (job->first = 0; job->first < job->components && status == SQ_OK; job->first += wide)
  {
    int32_t rest = job->components - job->first;
    job->columns = rest < wide ? rest : wide;
    double part = (double)job->columns / (double)job->components;
    double done = (double)job->first / (double)job->components;
    sqi_stage(context, &stages, done, done + 0.5 * part);
    status = sum_columns(context, job);
    sqi_stage(context, &stages, done + 0.5 * part, done + part);
    status = status == SQ_OK
      ? sqi_parallel_for(context, job->tree->tree.topology.node_count, CHUNK, nodes_body, job)
      : status;
    SQI_FREE(context, job->bad, (points + 1) * job->columns);
    job->bad = NULL;
  }
  SQI_FREE(context, job->sums, (points + 1) * wide);
  return status;
}

static sq_status check_values(sq_context* context, const sq_cluster_tree* tree, const char* name,
  const void* values, sq_type type, int32_t components)
{
  if (type != SQ_FLOAT32 && type != SQ_FLOAT64)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "%s: type %d, allowed are SQ_FLOAT32 and SQ_FLOAT64", name, (int)type);
  }
  if (components < 1)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: %d components, allowed are 1 and more", name,
      (int)components);
  }
  return values || !tree->tree.topology.item_count
    ? SQ_OK
    : sqi_fail(context, SQ_INVALID_ARGUMENT, "%s: no data for %lld points", name,
        (long long)tree->tree.topology.item_count);
}

sq_status sq_cluster_tree_sum(sq_context* context, const sq_cluster_tree* tree, const void* values,
  sq_type type, int32_t components, void* sums)
{
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!tree || (!sums && tree->tree.topology.node_count))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "sums: no %s given", tree ? "output" : "cluster tree");
  }
  sq_status status = check_values(context, tree, "values", values, type, components);
  if (status != SQ_OK)
  {
    return status;
  }
  sum_job job = {
    .tree = tree, .values = values, .type = type, .components = components, .out = sums
  };
  sqi_phase(context, "Summing over nodes", 0.0, 1.0);
  return sum_field(context, &job);
}

static sq_status check_fields(
  sq_context* context, const sq_cluster_tree* tree, const sq_aggregate_field* fields, int32_t count)
{
  sq_status status = SQ_OK;
  for (int32_t f = 0; f < count && status == SQ_OK; ++f)
  {
    if (!fields[f].name || !*fields[f].name)
    {
      return sqi_fail(context, SQ_INVALID_ARGUMENT, "field %d has no name", (int)f);
    }
    for (int32_t g = 0; g < f; ++g)
    {
      if (!strcmp(fields[f].name, fields[g].name))
      {
        return sqi_fail(context, SQ_INVALID_ARGUMENT, "fields %d and %d are both named \"%.200s\"",
          (int)g, (int)f, fields[f].name);
      }
    }
    status = check_values(
      context, tree, fields[f].name, fields[f].data, fields[f].type, fields[f].components);
  }
  return status;
}

static sq_status check(sq_context* context, const sq_cluster_tree* tree, const void* areas,
  sq_type area_type, const sq_aggregate_field* fields, int32_t field_count, uint32_t flags)
{
  if (!tree)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "aggregates: no cluster tree given");
  }
  if (field_count < 0 || (field_count && !fields))
  {
    return sqi_fail(
      context, SQ_INVALID_ARGUMENT, "aggregates: %d fields, none given", (int)field_count);
  }
  if (flags & ~SQ_AGGREGATES_REFERENCE)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT,
      "aggregates: flags %x, allowed is SQ_AGGREGATES_REFERENCE", (unsigned)flags);
  }
  if (areas && check_values(context, tree, "areas", areas, area_type, 1) != SQ_OK)
  {
    return SQ_INVALID_ARGUMENT;
  }
  return check_fields(context, tree, fields, field_count);
}

/** Copies what a field is, and makes room for its values. */
static sq_status add_field(
  sq_context* context, sq_aggregates* aggregates, const sq_aggregate_field* field)
{
  sq_aggregate_field* mine = aggregates->fields + aggregates->field_count++;
  size_t length = strlen(field->name) + 1;
  memset(mine, 0, sizeof(*mine));
  mine->type = field->type;
  mine->components = field->components;
  char* name = NULL;
  void* data = NULL;
  sq_status status = SQI_NEW(context, &name, (int64_t)length);
  if (status == SQ_OK)
  {
    memcpy(name, field->name, length);
    mine->name = name;
    status = sqi_alloc(
      context, aggregates->node_count * field->components, sq_type_bytes(field->type), &data);
    mine->data = data;
  }
  return status;
}

static sq_status allocate(sq_context* context, sq_aggregates* a, const sq_cluster_tree* tree,
  const sq_aggregate_field* fields, int32_t field_count)
{
  a->type = tree->tree.type;
  a->dimension = tree->tree.dimension;
  a->node_count = tree->tree.topology.node_count;
  a->field_capacity = field_count;
  sq_status status =
    sqi_alloc(context, a->node_count * a->dimension, sq_type_bytes(a->type), &a->centroid);
  if (status == SQ_OK)
  {
    status = SQI_NEW(context, &a->fields, field_count);
  }
  for (int32_t f = 0; f < field_count && status == SQ_OK; ++f)
  {
    status = add_field(context, a, fields + f);
  }
  return status;
}

/** Means of the coordinates, then of every field. */
static sq_status aggregate(sq_context* context, sq_aggregates* a, const sum_job* common,
  const sq_aggregate_field* fields, uint32_t flags)
{
  sq_status status = SQ_OK;
  int reference = (flags & SQ_AGGREGATES_REFERENCE) != 0;
  for (int32_t f = -1; f < a->field_count && status == SQ_OK; ++f)
  {
    sum_job job = *common;
    job.values = f < 0 ? common->tree->points : fields[f].data;
    job.type = f < 0 ? a->type : fields[f].type;
    job.components = f < 0 ? a->dimension : fields[f].components;
    job.keep_bad = reference;
    job.otherwise = reference ? GIVE_ZERO : f < 0 ? GIVE_BOX_CENTRE : GIVE_NAN;
    job.out = f < 0 ? a->centroid : (void*)(uintptr_t)a->fields[f].data;
    double share = 0.9 / (a->field_count + 1.0);
    sqi_phase(context, "Aggregating fields", 0.1 + share * (f + 1.0), 0.1 + share * (f + 2.0));
    status = sum_field(context, &job);
  }
  return status;
}

sq_status sq_aggregates_build(sq_context* context, const sq_cluster_tree* tree, const void* areas,
  sq_type area_type, const sq_aggregate_field* fields, int32_t field_count, uint32_t flags,
  sq_aggregates** aggregates)
{
  if (aggregates)
  {
    *aggregates = NULL;
  }
  if (!context)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sqi_begin(context);
  if (!aggregates)
  {
    return sqi_fail(context, SQ_INVALID_ARGUMENT, "aggregates: no output given");
  }
  sq_aggregates* a = NULL;
  double* weights = NULL;
  sq_status status = check(context, tree, areas, area_type, fields, field_count, flags);
  if (status != SQ_OK)
  {
    return status;
  }
  int64_t rows = tree->tree.topology.item_count + 1;
  status = sqi_handle_new(context, sizeof(*a), (void**)&a);
  status = status == SQ_OK ? allocate(context, a, tree, fields, field_count) : status;
  status = status == SQ_OK ? SQI_NEW(context, &weights, rows) : status;
  if (status == SQ_OK)
  {
    sum_job w = { .tree = tree, .values = areas, .type = area_type, .components = 1 };
    w.type = areas ? area_type : SQ_FLOAT64;
    w.columns = 1;
    w.keep_bad = 1;
    w.sums = weights;
    sqi_phase(context, "Summing areas", 0.0, 0.1);
    status = sum_columns(context, &w);
  }
  if (status == SQ_OK)
  {
    sum_job common = { .tree = tree, .areas = areas, .area_type = area_type, .weights = weights };
    status = aggregate(context, a, &common, fields, flags);
  }
  SQI_FREE(context, weights, rows);
  if (status != SQ_OK)
  {
    sq_aggregates_destroy(a);
    a = NULL;
  }
  *aggregates = a;
  return status;
}

void sq_aggregates_destroy(sq_aggregates* aggregates)
{
  if (!aggregates)
  {
    return;
  }
  sq_allocator allocator = aggregates->allocator;
  if (aggregates->mapping)
  {
    aggregates->unmap(aggregates->mapping);
  }
  else
  {
    sqi_release(&allocator, aggregates->centroid, aggregates->node_count * aggregates->dimension,
      sq_type_bytes(aggregates->type));
  }
  for (int32_t f = 0; f < aggregates->field_count; ++f)
  {
    const sq_aggregate_field* field = aggregates->fields + f;
    char* name = (char*)(uintptr_t)field->name;
    SQI_RELEASE(&allocator, name, name ? (int64_t)strlen(name) + 1 : 0);
    if (!aggregates->mapping)
    {
      sqi_release(&allocator, (void*)(uintptr_t)field->data,
        aggregates->node_count * field->components, sq_type_bytes(field->type));
    }
  }
  SQI_RELEASE(&allocator, aggregates->fields, aggregates->field_capacity);
  SQI_RELEASE(&allocator, aggregates, 1);
}

sq_status sq_aggregates_get_view(const sq_aggregates* aggregates, sq_aggregates_view* view)
{
  if (!aggregates || !view)
  {
    return SQ_INVALID_ARGUMENT;
  }
  sq_aggregates_view v = { .type = aggregates->type,
    .dimension = aggregates->dimension,
    .node_count = aggregates->node_count,
    .node_centroid = aggregates->centroid,
    .field_count = aggregates->field_count,
    .fields = aggregates->fields };
  *view = v;
  return SQ_OK;
}
