#include "sqi_edges.h"
#include "sqi_alloc.h"
#include "sqi_parallel.h"

#include <stdatomic.h>
#include <string.h>

#define GRAIN 4096
/** Edges of a vertex that are sorted on the stack; the few vertices with more take turns with one scratch. */
#define FEW 64

/** An edge at the vertex at work, seen from there. */
typedef struct edge_use
{
  int32_t other; /* the higher vertex of the edge */
  int32_t third; /* the vertex across */
  uint32_t edge; /* 3 t + k */
} edge_use;

typedef struct edge_work
{
  const sqi_triangles* mesh;
  const sqi_corner_lists* lists;
  sqi_edges* edges;
  int64_t* joints; /* by chunk: how many joints, then the number of its first */
  int64_t* members; /* by chunk: the same for their users */
  int filling; /* the second time round, joints are written */
  _Atomic int64_t boundary;
  _Atomic int64_t non_manifold;
  _Atomic int64_t inconsistent;
  _Atomic int64_t unbalanced;
  _Atomic int64_t duplicates;
} edge_work;

/** What one chunk has found. */
typedef struct edge_tally
{
  int64_t joints;
  int64_t members;
  int64_t boundary;
  int64_t non_manifold;
  int64_t inconsistent;
  int64_t unbalanced;
  int64_t duplicates;
} edge_tally;

static int compare_uses(const void* a, const void* b)
{
  const edge_use *x = (const edge_use*)a, *y = (const edge_use*)b;
  if (x->other != y->other)
  {
    return x->other < y->other ? -1 : 1;
  }
  if (x->third != y->third)
  {
    return x->third < y->third ? -1 : 1;
  }
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static void sift_down(edge_use* a, int64_t root, int64_t n)
{
  edge_use value = a[root];
  for (int64_t child; (child = 2 * root + 1) < n; root = child)
  {
    child += child + 1 < n && compare_uses(&a[child + 1], &a[child]) > 0;
    if (compare_uses(&a[child], &value) <= 0)
    {
      break;
    }
    a[root] = a[child];
  }
  a[root] = value;
}

/** In place and without memory, which qsort() does not promise. */
static void sort_uses(edge_use* a, int64_t n)
{
  if (n <= FEW)
  {
    for (int64_t i = 1; i < n; ++i)
    {
      edge_use value = a[i];
      int64_t k = i;
      for (; k && compare_uses(&a[k - 1], &value) > 0; --k)
      {
        a[k] = a[k - 1];
      }
      a[k] = value;
    }
    return;
  }
  for (int64_t i = n / 2; i-- > 0;)
  {
    sift_down(a, i, n);
  }
  for (int64_t i = n - 1; i > 0; --i)
  {
    edge_use top = a[0];
    a[0] = a[i];
    a[i] = top;
    sift_down(a, 0, i);
  }
}

/** The edges from vertex v to higher vertices, each use once. */
static int64_t collect(const edge_work* w, int32_t v, edge_use* uses)
{
  int64_t n = 0;
  for (uint32_t i = w->lists->start[v]; i < w->lists->start[v + 1]; ++i)
  {
    uint32_t c = w->lists->corners[i];
    uint32_t after = sqi_next_corner(c), before = sqi_previous_corner(c);
    int32_t a = sqi_corner_vertex(w->mesh, after), b = sqi_corner_vertex(w->mesh, before);
    if (a > v)
    {
      edge_use use = { a, b, c };
      uses[n++] = use;
    }
    if (b > v)
    {
      edge_use use = { b, a, before };
      uses[n++] = use;
    }
  }
  sort_uses(uses, n);
  return n;
}

/** The edge runs from the lower vertex to the higher one. */
static int runs_up(const edge_work* w, const edge_use* use)
{
  return sqi_corner_vertex(w->mesh, use->edge) != use->other;
}

static void write_joint(edge_work* w, edge_tally* t, int32_t v, const edge_use* uses, int64_t n)
{
  sqi_edges* e = w->edges;
  e->start[t->joints] = t->members;
  e->ends[2 * t->joints] = v;
  e->ends[2 * t->joints + 1] = uses[0].other;
  for (int64_t i = 0; i < n; ++i)
  {
    e->members[t->members + i] = (int32_t)(uses[i].edge / 3);
    e->across[uses[i].edge] = (int32_t)(-2 - t->joints);
  }
}

/** One edge with all its uses. */
static void take_edge(edge_work* w, edge_tally* t, int32_t v, const edge_use* uses, int64_t n)
{
  int64_t flat = 0, up = 0;
  for (int64_t i = 0; i < n; ++i)
  {
    up += runs_up(w, &uses[i]);
    uint32_t triangle = uses[i].edge / 3;
    flat += w->mesh->flat[triangle];
    /* Once a triangle: at the edge of its two lowest vertices. */
    if (i && !w->mesh->flat[triangle] && uses[i].third > uses[i].other &&
      uses[i].third == uses[i - 1].third && !w->mesh->flat[uses[i - 1].edge / 3])
    {
      ++t->duplicates;
      if (w->mesh->duplicate)
      {
        w->mesh->duplicate[triangle] = 1;
      }
    }
  }
  t->boundary += n == 1;
  t->non_manifold += n > 2;
  t->inconsistent += n == 2 && up != 1;
  t->unbalanced += 2 * up != n;
  if (n > 2 || flat)
  {
    if (w->filling)
    {
      write_joint(w, t, v, uses, n);
    }
    ++t->joints;
    t->members += n;
  }
  else if (n == 2)
  {
    w->edges->across[uses[0].edge] = (int32_t)(uses[1].edge / 3);
    w->edges->across[uses[1].edge] = (int32_t)(uses[0].edge / 3);
  }
}

static void take_vertex(edge_work* w, edge_tally* t, int32_t v, edge_use* uses)
{
  int64_t n = collect(w, v, uses);
  for (int64_t i = 0, stop; i < n; i = stop)
  {
    for (stop = i + 1; stop < n && uses[stop].other == uses[i].other; ++stop)
    {
    }
    take_edge(w, t, v, uses + i, stop - i);
  }
}

static int64_t valence(const edge_work* w, int64_t v)
{
  return (int64_t)w->lists->start[v + 1] - w->lists->start[v];
}

static void begin_chunk(const edge_work* w, int64_t chunk, edge_tally* t)
{
  memset(t, 0, sizeof(*t));
  t->joints = w->filling ? w->joints[chunk] : 0;
  t->members = w->filling ? w->members[chunk] : 0;
}

static void end_chunk(edge_work* w, int64_t chunk, const edge_tally* t)
{
  if (w->filling)
  {
    return;
  }
  w->joints[chunk] = t->joints;
  w->members[chunk] = t->members;
  atomic_fetch_add(&w->boundary, t->boundary);
  atomic_fetch_add(&w->non_manifold, t->non_manifold);
  atomic_fetch_add(&w->inconsistent, t->inconsistent);
  atomic_fetch_add(&w->unbalanced, t->unbalanced);
  atomic_fetch_add(&w->duplicates, t->duplicates);
}

static sq_status take_vertices(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  edge_work* w = (edge_work*)data;
  edge_use uses[FEW];
  edge_tally t;
  begin_chunk(w, begin / GRAIN, &t);
  for (int64_t v = begin; v < end; ++v)
  {
    if (2 * valence(w, v) <= FEW)
    {
      take_vertex(w, &t, (int32_t)v, uses);
    }
  }
  end_chunk(w, begin / GRAIN, &t);
  return SQ_OK;
}

/** The vertices that take_vertices() leaves out, as one more chunk. */
static sq_status take_hubs(sq_context* context, edge_work* w, int64_t chunk)
{
  int64_t most = 0;
  for (int64_t v = 0; v < w->mesh->vertex_count; ++v)
  {
    most = valence(w, v) > most ? valence(w, v) : most;
  }
  edge_tally t;
  begin_chunk(w, chunk, &t);
  edge_use* uses = NULL;
  sq_status s = 2 * most > FEW ? SQI_NEW(context, &uses, 2 * most) : SQ_OK;
  for (int64_t v = 0; v < w->mesh->vertex_count && uses; ++v)
  {
    if (2 * valence(w, v) > FEW)
    {
      take_vertex(w, &t, (int32_t)v, uses);
    }
  }
  SQI_FREE(context, uses, 2 * most);
  end_chunk(w, chunk, &t);
  return s;
}

static int64_t to_starts(int64_t* counts, int64_t n)
{
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i)
  {
    int64_t count = counts[i];
    counts[i] = total;
    total += count;
  }
  return total;
}

static sq_status take_all(sq_context* context, edge_work* w, int64_t chunks)
{
  sq_status s = sqi_parallel_for(context, w->mesh->vertex_count, GRAIN, take_vertices, w);
  return s == SQ_OK ? take_hubs(context, w, chunks) : s;
}

static sq_status write_joints(sq_context* context, edge_work* w, int64_t chunks)
{
  sqi_edges* e = w->edges;
  int64_t joints = to_starts(w->joints, chunks + 1);
  int64_t members = to_starts(w->members, chunks + 1);
  if (!joints)
  {
    return SQ_OK;
  }
  e->joint_count = joints;
  e->member_count = members;
  sq_status s = SQI_NEW(context, &e->start, joints + 1);
  s = s == SQ_OK ? SQI_NEW(context, &e->members, members) : s;
  s = s == SQ_OK ? SQI_NEW(context, &e->ends, 2 * joints) : s;
  if (s != SQ_OK)
  {
    return s;
  }
  e->start[joints] = members;
  w->filling = 1;
  return take_all(context, w, chunks);
}

sq_status sqi_edges_build(
  sq_context* context, const sqi_triangles* mesh, const sqi_corner_lists* lists, sqi_edges* edges)
{
  memset(edges, 0, sizeof(*edges));
  edge_work w;
  memset(&w, 0, sizeof(w));
  w.mesh = mesh;
  w.lists = lists;
  w.edges = edges;
  int64_t count = 3 * (int64_t)mesh->triangle_count;
  int64_t chunks = ((int64_t)mesh->vertex_count + GRAIN - 1) / GRAIN;
  sq_status s = SQI_NEW(context, &edges->across, count);
  s = s == SQ_OK ? SQI_NEW(context, &w.joints, chunks + 1) : s;
  s = s == SQ_OK ? SQI_NEW(context, &w.members, chunks + 1) : s;
  if (s == SQ_OK && count)
  {
    memset(edges->across, 0xff, (size_t)count * sizeof(*edges->across)); /* SQI_EDGE_BOUNDARY */
  }
  s = s == SQ_OK ? take_all(context, &w, chunks) : s;
  edges->boundary = w.boundary;
  edges->non_manifold = w.non_manifold;
  edges->inconsistent = w.inconsistent;
  edges->unbalanced = w.unbalanced;
  edges->duplicates = w.duplicates;
  s = s == SQ_OK ? write_joints(context, &w, chunks) : s;
  SQI_FREE(context, w.joints, chunks + 1);
  SQI_FREE(context, w.members, chunks + 1);
  return s;
}

void sqi_edges_free(const sq_allocator* allocator, int32_t triangle_count, sqi_edges* edges)
{
  SQI_RELEASE(allocator, edges->across, 3 * (int64_t)triangle_count);
  SQI_RELEASE(allocator, edges->start, edges->joint_count + 1);
  SQI_RELEASE(allocator, edges->members, edges->member_count);
  SQI_RELEASE(allocator, edges->ends, 2 * edges->joint_count);
  edges->across = NULL;
  edges->start = NULL;
  edges->members = NULL;
  edges->ends = NULL;
}
