/** Times one operation on inputs that reference_times.py has written, so that the reference and the core see the same ones. */
#include <spatialqueries/sq_bvh.h>
#include <spatialqueries/sq_cluster_tree.h>
#include <spatialqueries/sq_mesh_index.h>
#include <spatialqueries/sq_plan_evaluate.h>
#include <spatialqueries/sq_surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS_MAX 101

static const char HELP[] =
  "usage: sq_tree_bench OPERATION RUNS THREADS ARGUMENTS\n"
  "  bvh candidates locate distance distance_winding   POINTS CELLS QUERIES\n"
  "  cluster aggregates plan count evaluate            POINTS LEAF THETA\n"
  "POINTS, QUERIES: raw float32 x y z; CELLS: raw int64, preceded by the number of points of a "
  "cell.\n"
  "Prints median seconds, the most bytes held while running, and a count that shows what was "
  "done.\n";

typedef struct inputs
{
  sq_context* context;
  sq_points points;
  sq_cells cells;
  sq_points queries;
  int64_t leaf_size;
  double theta;
  sq_bvh* bvh;
  sq_mesh_index* index;
  sq_cluster_tree* tree;
  sq_aggregates* aggregates;
  double* values; /* room for one a point */
  double* distances; /* 4 a query */
  int64_t* ids; /* 1 a query */
} inputs;

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* read_file(const char* path, int64_t* bytes)
{
  FILE* f = fopen(path, "rb");
  if (!f)
  {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  *bytes = ftell(f);
  rewind(f);
  void* data = malloc((size_t)*bytes + 1);
  if (!data || fread(data, 1, (size_t)*bytes, f) != (size_t)*bytes)
  {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(f);
  return data;
}

static sq_points read_points(const char* path)
{
  int64_t bytes = 0;
  sq_points p = { read_file(path, &bytes), 0, SQ_FLOAT32, 3 };
  p.count = bytes / 12;
  return p;
}

static void read_cells(inputs* in, const char* path)
{
  int64_t bytes = 0;
  const int64_t* data = (const int64_t*)read_file(path, &bytes);
  in->cells.points = in->points;
  in->cells.cell_size = (int32_t)data[0];
  in->cells.type = data[0] == 3 ? SQ_CELL_TRIANGLE : SQ_CELL_TETRA;
  in->cells.id_type = SQ_INT64;
  in->cells.connectivity = data + 1;
  in->cells.connectivity_count = bytes / 8 - 1;
  in->cells.count = in->cells.connectivity_count / data[0];
}

static void need(const inputs* in, sq_status status)
{
  if (status != SQ_OK)
  {
    fprintf(stderr, "%s: %s\n", sq_status_text(status), sq_context_message(in->context));
    exit(1);
  }
}

static int64_t run_bvh(inputs* in)
{
  sq_bvh* bvh = NULL;
  sq_bvh_view v;
  need(in, sq_bvh_build(in->context, &in->cells, 1, NULL, &bvh));
  sq_bvh_get_view(bvh, &v);
  sq_bvh_destroy(bvh);
  return v.node_count;
}

static int64_t run_candidates(inputs* in)
{
  sq_lists* lists = NULL;
  sq_lists_view v;
  need(in, sq_bvh_find_candidates(in->context, in->bvh, &in->queries, NULL, &lists, NULL));
  sq_lists_get_view(lists, &v);
  int64_t total = v.offsets[v.count];
  sq_lists_destroy(lists);
  return total;
}

/** Containing cells, and the values there of a field of the points. */
static int64_t run_locate(inputs* in)
{
  sq_location* location = NULL;
  sq_location_view v;
  const sq_field field = { in->values, SQ_FLOAT64, in->points.count };
  const double missing = (double)NAN;
  need(in, sq_locate(in->context, in->index, &in->queries, NULL, &location));
  need(in,
    sq_location_apply(in->context, location, SQ_ASSOCIATION_POINTS, SQ_COMBINE_WEIGHTED, &field, 1,
      1, SQ_FLOAT64, &missing, in->distances, NULL));
  sq_location_get_view(location, &v);
  int64_t found = 0;
  for (int64_t i = 0; i < v.count; ++i)
  {
    found += v.cell[i] >= 0;
  }
  sq_location_destroy(location);
  return found;
}

/** The surface is built each time, as the reference does. */
static int64_t run_distance(inputs* in, sq_sign_method method)
{
  sq_surface* surface = NULL;
  sq_distance_options o = sq_distance_options_default();
  sq_distance_outputs out;
  memset(&out, 0, sizeof(out));
  out.distance = in->distances;
  out.closest_point = in->distances + in->queries.count;
  out.cell = in->ids;
  o.sign_method = method;
  need(in, sq_surface_build(in->context, &in->cells, 1, NULL, &surface));
  need(in, sq_surface_distance(in->context, surface, &in->queries, &o, &out));
  sq_surface_destroy(surface);
  int64_t inside = 0;
  for (int64_t i = 0; i < in->queries.count; ++i)
  {
    inside += out.distance[i] < 0.0;
  }
  return inside;
}

static int64_t run_distance_default(inputs* in)
{
  return run_distance(in, SQ_SIGN_AUTOMATIC);
}

static int64_t run_distance_winding(inputs* in)
{
  return run_distance(in, SQ_SIGN_WINDING_NUMBER);
}

static sq_cluster_tree* build_tree(const inputs* in)
{
  sq_cluster_tree_options o = sq_cluster_tree_options_default();
  sq_cluster_tree* tree = NULL;
  o.leaf_size = in->leaf_size;
  need(in, sq_cluster_tree_build(in->context, &in->points, NULL, &o, &tree));
  return tree;
}

static int64_t run_cluster(inputs* in)
{
  sq_cluster_tree_view v;
  sq_cluster_tree* tree = build_tree(in);
  sq_cluster_tree_get_view(tree, &v);
  sq_cluster_tree_destroy(tree);
  return v.node_count;
}

static int64_t run_aggregates(inputs* in)
{
  sq_aggregates* a = NULL;
  sq_aggregates_view v;
  need(in, sq_aggregates_build(in->context, in->tree, NULL, SQ_FLOAT32, NULL, 0, 0, &a));
  sq_aggregates_get_view(a, &v);
  sq_aggregates_destroy(a);
  return v.node_count;
}

static sq_plan_options plan_options(const inputs* in)
{
  sq_plan_options o = sq_plan_options_default();
  o.theta = in->theta;
  o.max_bytes = -1;
  return o;
}

static int64_t run_plan(inputs* in)
{
  sq_plan_options o = plan_options(in);
  sq_plan* plan = NULL;
  sq_plan_view v;
  need(in, sq_plan_build(in->context, in->tree, in->tree, &o, &plan));
  sq_plan_get_view(plan, &v);
  sq_plan_destroy(plan);
  return v.near_count + v.nf_count + v.fn_count + v.far_count;
}

static int64_t run_count(inputs* in)
{
  sq_plan_options o = plan_options(in);
  sq_plan_totals totals;
  need(in, sq_plan_count(in->context, in->tree, in->tree, &o, &totals, NULL));
  return totals.evaluations;
}

static int64_t run_evaluate(inputs* in)
{
  sq_plan_options o = plan_options(in);
  sq_plan_field field = { sq_kernel_default(), NULL, SQ_FLOAT32, in->aggregates, NULL };
  need(in, sq_plan_evaluate(in->context, in->tree, in->tree, &o, &field, in->values));
  return in->points.count;
}

static const struct operation
{
  const char* name;
  int64_t (*run)(inputs*);
  int of_cells;
} operations[] = {
  { "bvh", run_bvh, 1 },
  { "candidates", run_candidates, 1 },
  { "locate", run_locate, 1 },
  { "distance", run_distance_default, 1 },
  { "distance_winding", run_distance_winding, 1 },
  { "cluster", run_cluster, 0 },
  { "aggregates", run_aggregates, 0 },
  { "plan", run_plan, 0 },
  { "count", run_count, 0 },
  { "evaluate", run_evaluate, 0 },
};

static int compare(const void* a, const void* b)
{
  double p = *(const double*)a;
  double q = *(const double*)b;
  return (p > q) - (p < q);
}

/** Structures that are not part of what is timed. */
static void prepare(inputs* in, const struct operation* op)
{
  in->values = (double*)calloc((size_t)in->points.count + 1, sizeof(double));
  in->distances = (double*)malloc((4 * (size_t)in->queries.count + 1) * sizeof(double));
  in->ids = (int64_t*)malloc(((size_t)in->queries.count + 1) * sizeof(int64_t));
  if (op->run == run_candidates)
  {
    need(in, sq_bvh_build(in->context, &in->cells, 1, NULL, &in->bvh));
  }
  if (op->run == run_locate)
  {
    need(in, sq_mesh_index_build(in->context, &in->cells, 1, &in->index));
  }
  if (!op->of_cells && op->run != run_cluster)
  {
    in->tree = build_tree(in);
    need(in,
      sq_aggregates_build(in->context, in->tree, NULL, SQ_FLOAT32, NULL, 0, 0, &in->aggregates));
  }
}

static void time_it(inputs* in, const struct operation* op, int runs)
{
  double times[RUNS_MAX];
  int64_t peak = 0;
  int64_t count = 0;
  for (int i = 0; i < runs; ++i)
  {
    double start = seconds();
    count = op->run(in);
    times[i] = seconds() - start;
    int64_t bytes = sq_context_peak_bytes(in->context);
    peak = bytes > peak ? bytes : peak;
  }
  qsort(times, (size_t)runs, sizeof(double), compare);
  printf("%.6f %lld %lld\n", times[runs / 2], (long long)peak, (long long)count);
}

static const struct operation* find_operation(const char* name)
{
  for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); ++i)
  {
    if (!strcmp(name, operations[i].name))
    {
      return operations + i;
    }
  }
  return NULL;
}

int main(int argc, char** argv)
{
  inputs in;
  memset(&in, 0, sizeof(in));
  const struct operation* op = argc == 7 ? find_operation(argv[1]) : NULL;
  int runs = op ? atoi(argv[2]) : 0;
  if (runs < 1 || runs > RUNS_MAX)
  {
    fputs(HELP, stderr);
    return 2;
  }
  sq_context_options o = sq_context_options_default();
  o.threads = atoi(argv[3]);
  need(&in, sq_context_create(&o, &in.context));
  in.points = read_points(argv[4]);
  if (op->of_cells)
  {
    read_cells(&in, argv[5]);
    in.queries = read_points(argv[6]);
  }
  else
  {
    in.leaf_size = atoll(argv[5]);
    in.theta = atof(argv[6]);
  }
  prepare(&in, op);
  time_it(&in, op, runs);
  return 0;
}
