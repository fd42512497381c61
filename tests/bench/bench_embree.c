#include "bench_embree.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK 1024
#define THREADS_MAX 256
#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

struct bench_embree
{
  RTCDevice device;
  RTCScene scene;
  float* vertices;
  const int32_t* corners;
};

typedef struct vector
{
  float x, y, z;
} vector;

typedef struct nearest
{
  const bench_embree* embree;
  float distance;
} nearest;

const char* bench_embree_version(void)
{
  return TEXT(RTC_VERSION_MAJOR) "." TEXT(RTC_VERSION_MINOR) "." TEXT(RTC_VERSION_PATCH);
}

bench_embree* bench_embree_build(const bench_surface* surface, int32_t threads)
{
  bench_embree* e = (bench_embree*)calloc(1, sizeof(*e));
  char config[64];
  if (!e)
  {
    return NULL;
  }
  snprintf(config, sizeof(config), "threads=%d", (int)threads);
  e->device = rtcNewDevice(config);
  e->scene = rtcNewScene(e->device);
  e->corners = surface->corners;
  rtcSetSceneBuildQuality(e->scene, RTC_BUILD_QUALITY_HIGH);
  rtcSetSceneFlags(e->scene, RTC_SCENE_FLAG_ROBUST);
  RTCGeometry geometry = rtcNewGeometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  e->vertices = (float*)rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
    RTC_FORMAT_FLOAT3, 3 * sizeof(float), (size_t)surface->vertex_count);
  for (int64_t i = 0; i < 3 * surface->vertex_count; ++i)
  {
    e->vertices[i] = (float)surface->vertices[i];
  }
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, surface->corners,
    0, 3 * sizeof(int32_t), (size_t)surface->triangle_count);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(e->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(e->scene);
  return e;
}

static vector subtract(vector a, vector b)
{
  vector r = { a.x - b.x, a.y - b.y, a.z - b.z };
  return r;
}

static vector add_scaled(vector a, float t, vector b)
{
  vector r = { a.x + t * b.x, a.y + t * b.y, a.z + t * b.z };
  return r;
}

static float dot(vector a, vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** As in Embree's tutorial closest_point, after Ericson. */
static vector closest_on_triangle(vector p, vector a, vector b, vector c)
{
  vector ab = subtract(b, a), ac = subtract(c, a);
  vector ap = subtract(p, a), bp = subtract(p, b), cp = subtract(p, c);
  float d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f)
  {
    return a;
  }
  float d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0f && d4 <= d3)
  {
    return b;
  }
  float d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0f && d5 <= d6)
  {
    return c;
  }
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
  {
    return add_scaled(a, d1 / (d1 - d3), ab);
  }
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
  {
    return add_scaled(a, d2 / (d2 - d6), ac);
  }
  float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f)
  {
    return add_scaled(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), subtract(c, b));
  }
  float scale = 1.0f / (va + vb + vc);
  return add_scaled(add_scaled(a, vb * scale, ab), vc * scale, ac);
}

static bool test_triangle(struct RTCPointQueryFunctionArguments* args)
{
  nearest* n = (nearest*)args->userPtr;
  const int32_t* ids = n->embree->corners + 3 * (int64_t)args->primID;
  vector corner[3];
  for (int k = 0; k < 3; ++k)
  {
    const float* v = n->embree->vertices + 3 * (int64_t)ids[k];
    corner[k].x = v[0], corner[k].y = v[1], corner[k].z = v[2];
  }
  vector p = { args->query->x, args->query->y, args->query->z };
  vector off = subtract(closest_on_triangle(p, corner[0], corner[1], corner[2]), p);
  float distance = sqrtf(dot(off, off));
  if (distance < args->query->radius)
  {
    args->query->radius = distance;
    n->distance = distance;
    return true;
  }
  return false;
}

typedef struct job
{
  const bench_embree* embree;
  const bench_points* points;
  float* distance;
  _Atomic int64_t next;
} job;

static void* work(void* data)
{
  job* j = (job*)data;
  struct RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  int64_t begin;
  while ((begin = atomic_fetch_add(&j->next, CHUNK)) < j->points->count)
  {
    int64_t end = begin + CHUNK < j->points->count ? begin + CHUNK : j->points->count;
    for (int64_t i = begin; i < end; ++i)
    {
      const double* x = j->points->x + 3 * i;
      struct RTCPointQuery query = { (float)x[0], (float)x[1], (float)x[2], 0.0f, INFINITY };
      nearest n = { j->embree, INFINITY };
      rtcPointQuery(j->embree->scene, &query, &context, test_triangle, &n);
      j->distance[i] = n.distance;
    }
  }
  return NULL;
}

void bench_embree_query(
  const bench_embree* embree, const bench_points* points, int32_t threads, float* distance)
{
  job j = { embree, points, distance, 0 };
  pthread_t others[THREADS_MAX];
  int32_t started = 0;
  while (started < threads - 1 && started < THREADS_MAX &&
    !pthread_create(&others[started], NULL, work, &j))
  {
    ++started;
  }
  work(&j);
  while (started)
  {
    pthread_join(others[--started], NULL);
  }
}

void bench_embree_destroy(bench_embree* embree)
{
  if (embree)
  {
    rtcReleaseScene(embree->scene);
    rtcReleaseDevice(embree->device);
    free(embree);
  }
}
