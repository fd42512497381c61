/** How good a tree is: areas of boxes, and what siblings share. */
#include "sqi_alloc.h"
#include "sqi_context.h"
#include "sqi_real.h"
#include "sqi_reference_tree.h"

#include <math.h>

/** Nodes of one chunk. */
#define CHUNK (1 << 13)

typedef struct partial
{
  int64_t leaves;
  double cost;
  double overlap;
} partial;

typedef struct measure_job
{
  const sqi_tree* tree;
  double unit[3]; /* half extents of the root; 1 in an axis in which it is flat */
  int flat; /* axes in which it is */
  double largest; /* half extent of the root */
  double root_area; /* in units of `largest`; 0: it is a line along an axis or a point */
  double* area;
  double* overlap;
  partial* partials; /* one a chunk, so that sums have one order */
} measure_job;

/** Half extents; 0 beyond the dimension. Halves, so that no finite box overflows. */
static void half_extents(const sqi_tree* t, int64_t node, double half[3])
{
  for (int32_t d = 0; d < 3; ++d)
  {
    int64_t at = node * t->dimension + d;
    half[d] = d < t->dimension
      ? 0.5 * sqi_real(t->aabb_max, t->type, at) - 0.5 * sqi_real(t->aabb_min, t->type, at)
      : 0.0;
  }
}

static double area_of(int32_t dimension, const double e[3])
{
  return dimension == 3 ? 2.0 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0])
    : dimension == 2    ? 2.0 * (e[0] + e[1])
                        : e[0];
}

/** Area of a box; where the root has none the length. In units of the root's largest half extent; 1 where all is one point. */
static double relative_area(const measure_job* job, int64_t node)
{
  double e[3];
  half_extents(job->tree, node, e);
  if (job->largest == 0.0)
  {
    return 1.0;
  }
  for (int32_t d = 0; d < 3; ++d)
  {
    e[d] /= job->largest;
  }
  return job->root_area == 0.0 ? fmax(e[0], fmax(e[1], e[2])) : area_of(job->tree->dimension, e);
}

/** A product of extents: coefficient * h^power, for boxes that are thickened by h -> 0. */
typedef struct measure
{
  double coefficient;
  int power;
} measure;

static void extend(measure* m, double extent)
{
  m->power += extent == 0.0;
  m->coefficient *= extent == 0.0 ? 1.0 : extent < 0.0 ? 0.0 : extent;
}

/** a / b for h -> 0, where a is no larger than b. */
static double ratio(measure a, measure b)
{
  return a.power > b.power || a.coefficient == 0.0 ? 0.0 : a.coefficient / b.coefficient;
}

typedef struct shared_space
{
  double of_smaller; /* as a fraction of the smaller child */
  double of_root;
} shared_space;

static shared_space children_share(const measure_job* job, int64_t left)
{
  const sqi_tree* t = job->tree;
  shared_space none = { 0.0, 0.0 };
  measure both = { 1.0, 0 }, one = both, other = both, in_root = both, root = { 1.0, job->flat };
  for (int32_t d = 0; d < t->dimension; ++d)
  {
    double lo[2], hi[2];
    for (int32_t k = 0; k < 2; ++k)
    {
      lo[k] = 0.5 * sqi_real(t->aabb_min, t->type, (left + k) * t->dimension + d);
      hi[k] = 0.5 * sqi_real(t->aabb_max, t->type, (left + k) * t->dimension + d);
    }
    if (!(lo[0] <= hi[0] && lo[1] <= hi[1]))
    {
      return none; /* the NaN box of skipped points */
    }
    double shared = fmin(hi[0], hi[1]) - fmax(lo[0], lo[1]);
    double joined = fmax(hi[0], hi[1]) - fmin(lo[0], lo[1]);
    /* Every axis in units of the two together: nothing underflows, and ratios stay. */
    double unit = joined > 0.0 ? joined : 1.0;
    extend(&both, shared / unit);
    extend(&one, (hi[0] - lo[0]) / unit);
    extend(&other, (hi[1] - lo[1]) / unit);
    extend(&in_root, shared / job->unit[d]);
  }
  int swap =
    one.power < other.power || (one.power == other.power && one.coefficient > other.coefficient);
  shared_space s = { ratio(both, swap ? other : one), ratio(in_root, root) };
  return s;
}

static void measure_node(const measure_job* job, int64_t node, partial* sum)
{
  const sqi_midpoint_tree* t = &job->tree->topology;
  int64_t count = t->leaf_count[node], left = t->left_child[node];
  double part = relative_area(job, node);
  sum->leaves += left < 0;
  /* Not so for the NaN box of skipped points. */
  sum->cost += part >= 0.0 ? (left < 0 ? part * (double)count : part) : 0.0;
  if (job->area)
  {
    double e[3];
    half_extents(job->tree, node, e);
    double scale = job->tree->dimension == 3 ? 4.0 : 2.0;
    job->area[node] = scale * area_of(job->tree->dimension, e);
  }
  if (left >= 0)
  {
    shared_space s = children_share(job, left);
    sum->overlap += s.of_root;
    if (job->overlap)
    {
      job->overlap[left] = job->overlap[left + 1] = s.of_smaller;
    }
  }
}

static sq_status measure_body(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  measure_job* job = (measure_job*)data;
  partial sum = { 0, 0.0, 0.0 };
  for (int64_t node = begin; node < end; ++node)
  {
    measure_node(job, node, &sum);
  }
  job->partials[begin / CHUNK] = sum;
  return SQ_OK;
}

/** The unit of areas, and of what is shared. */
static void measure_root(measure_job* job)
{
  double e[3];
  half_extents(job->tree, 0, e);
  job->largest = fmax(e[0], fmax(e[1], e[2]));
  for (int32_t d = 0; d < 3; ++d)
  {
    job->flat += d < job->tree->dimension && e[d] == 0.0;
    job->unit[d] = e[d] == 0.0 ? 1.0 : e[d];
    e[d] = job->largest == 0.0 ? 0.0 : e[d] / job->largest;
  }
  job->root_area = area_of(job->tree->dimension, e);
}

sq_status sqi_tree_measure(sq_context* context, const sqi_tree* tree, int64_t bytes,
  sq_bvh_statistics* statistics, double* node_surface_area, double* node_sibling_overlap)
{
  int64_t nodes = tree->topology.node_count;
  int64_t chunks = (nodes + CHUNK - 1) / CHUNK;
  sq_bvh_statistics s = { nodes, 0, tree->topology.max_depth, 0.0, 0.0, bytes };
  measure_job job = { .tree = tree, .area = node_surface_area, .overlap = node_sibling_overlap };
  sqi_phase(context, "Measuring boxes", 0.0, 1.0);
  sq_status status = SQI_NEW(context, &job.partials, chunks);
  if (status == SQ_OK && nodes)
  {
    measure_root(&job);
    if (node_sibling_overlap)
    {
      node_sibling_overlap[0] = 0.0;
    }
    status = sqi_parallel_for(context, nodes, CHUNK, measure_body, &job);
  }
  for (int64_t c = 0; c < chunks && status == SQ_OK; ++c)
  {
    s.leaves += job.partials[c].leaves;
    s.sah_cost += job.partials[c].cost;
    s.overlap += job.partials[c].overlap;
  }
  if (status == SQ_OK && nodes)
  {
    double root = relative_area(&job, 0);
    s.sah_cost /= root;
    s.overlap = root == root ? s.overlap : root;
  }
  if (status == SQ_OK && statistics)
  {
    *statistics = s;
  }
  SQI_FREE(context, job.partials, chunks);
  return status;
}
