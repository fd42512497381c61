#include "sqi_parallel.h"
#include "sqi_surface.h"

#define GRAIN 4096

typedef struct rim_work
{
  const sq_surface* surface;
  const uint8_t* left_out;
  double* rim;
  _Atomic int64_t edges;
} rim_work;

/** The ends of edge k of triangle t. */
static void ends_of(const sq_surface* s, int32_t t, int k, int32_t ends[2])
{
  ends[0] = s->corners[3 * (int64_t)t + k];
  ends[1] = s->corners[3 * (int64_t)t + (k + 1) % 3];
}

/** How often triangle t runs from a to b, less how often from b to a. */
static int net_use(const sq_surface* s, int32_t t, int32_t a, int32_t b)
{
  int net = 0;
  for (int k = 0; k < 3; ++k)
  {
    int32_t ends[2];
    ends_of(s, t, k, ends);
    net += ends[0] == a && ends[1] == b;
    net -= ends[0] == b && ends[1] == a;
  }
  return net;
}

static int is_left_out(const rim_work* w, int32_t t)
{
  return w->left_out && w->left_out[t];
}

/** The same for a joint, each triangle that counts once; 0 for all users of it but the first. */
static int64_t net_use_of_joint(const rim_work* w, int64_t joint, int32_t t, int32_t a, int32_t b)
{
  const sqi_edges* e = &w->surface->edges;
  int64_t net = 0;
  for (int64_t i = e->start[joint]; i < e->start[joint + 1]; ++i)
  {
    int32_t user = e->members[i];
    if (!is_left_out(w, user))
    {
      if (user < t)
      {
        return 0;
      }
      /* A triangle that uses an edge twice does so once in each direction. */
      net += net_use(w->surface, user, a, b);
    }
  }
  return net;
}

/** How often edge k of triangle t is used more in one direction than in the other; 0 where a lower triangle answers for it. */
static int64_t unbalance(const rim_work* w, int32_t t, int k)
{
  const sq_surface* s = w->surface;
  int32_t code = s->edges.across[3 * (int64_t)t + k];
  int32_t ends[2];
  ends_of(s, t, k, ends);
  if (ends[0] == ends[1])
  {
    return 0;
  }
  if (code >= 0)
  {
    /* Two users, neither of them flat, as those make a joint: both count. */
    return code > t ? 1 + net_use(s, code, ends[0], ends[1]) : 0;
  }
  return code == SQI_EDGE_BOUNDARY ? 1
                                   : net_use_of_joint(w, SQI_EDGE_JOINT(code), t, ends[0], ends[1]);
}

static double edge_length(const sq_surface* s, int32_t t, int k)
{
  double d[3];
  sqk_sub3(sqi_surface_corner(s, t, (k + 1) % 3), sqi_surface_corner(s, t, k), d);
  return sqk_length3(d);
}

static sq_status find_rim(void* data, int64_t begin, int64_t end, int32_t thread)
{
  (void)thread;
  rim_work* w = (rim_work*)data;
  int64_t edges = 0;
  for (int64_t i = begin; i < end; ++i)
  {
    int32_t t = (int32_t)i;
    w->rim[t] = 0.0;
    for (int k = 0; k < 3 && !is_left_out(w, t); ++k)
    {
      int64_t m = unbalance(w, t, k);
      w->rim[t] += m ? (double)(m < 0 ? -m : m) * edge_length(w->surface, t, k) : 0.0;
      edges += m != 0;
    }
  }
  atomic_fetch_add(&w->edges, edges);
  return SQ_OK;
}

sq_status sqi_surface_find_rim(sq_context* context, const sq_surface* surface,
  const uint8_t* left_out, double* rim, int64_t* edges)
{
  rim_work w = { surface, left_out, rim, 0 };
  sq_status s = sqi_parallel_for(context, surface->triangle_count, GRAIN, find_rim, &w);
  *edges = atomic_load(&w.edges);
  return s;
}
