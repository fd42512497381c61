#include "sqi_triangulate.h"

#include <math.h>

/** Twice the signed area of the triangle of three corners. */
static double area2(const sqi_clip_corner* a, const sqi_clip_corner* b, const sqi_clip_corner* c)
{
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static int same_place(const sqi_clip_corner* a, const sqi_clip_corner* b)
{
  return a->x == b->x && a->y == b->y;
}

/** Corners seen along the axis closest to the normal, counter-clockwise; 0 where there is no normal. */
static int project(const double* xyz, int32_t n, sqi_clip_corner* corners)
{
  double largest = 0.0;
  for (int32_t i = 0; i < 3 * n; ++i)
  {
    largest = fmax(largest, fabs(0.5 * xyz[i] - 0.5 * xyz[i % 3]));
  }
  if (largest < 0x1p-1000)
  {
    return 0;
  }
  /* Halves and a power of two keep the products in range wherever the coordinates are. */
  double scale = ldexp(0.5, -ilogb(largest));
  double normal[3] = { 0.0, 0.0, 0.0 };
  for (int32_t i = 1; i + 1 < n; ++i)
  {
    double u[3], v[3];
    for (int k = 0; k < 3; ++k)
    {
      u[k] = (0.5 * xyz[3 * i + k] - 0.5 * xyz[k]) * scale;
      v[k] = (0.5 * xyz[3 * i + 3 + k] - 0.5 * xyz[k]) * scale;
    }
    normal[0] += u[1] * v[2] - u[2] * v[1];
    normal[1] += u[2] * v[0] - u[0] * v[2];
    normal[2] += u[0] * v[1] - u[1] * v[0];
  }
  int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
  axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
  if (normal[axis] == 0.0)
  {
    return 0;
  }
  int x = (axis + 1) % 3, y = (axis + 2) % 3;
  if (normal[axis] < 0.0)
  {
    int other = x;
    x = y;
    y = other;
  }
  for (int32_t i = 0; i < n; ++i)
  {
    corners[i].x = (0.5 * xyz[3 * i + x] - 0.5 * xyz[x]) * scale;
    corners[i].y = (0.5 * xyz[3 * i + y] - 0.5 * xyz[y]) * scale;
  }
  return 1;
}

static void update_reflex(sqi_clip_corner* corners, int32_t i)
{
  corners[i].reflex =
    area2(&corners[corners[i].previous], &corners[i], &corners[corners[i].next]) <= 0.0;
}

/** A convex corner whose triangle holds no other corner; only reflex corners can be the first inside. */
static int is_ear(const sqi_clip_corner* corners, int32_t i)
{
  if (corners[i].reflex)
  {
    return 0;
  }
  const sqi_clip_corner* a = &corners[corners[i].previous];
  const sqi_clip_corner* b = &corners[i];
  const sqi_clip_corner* c = &corners[b->next];
  for (int32_t m = c->next; m != b->previous; m = corners[m].next)
  {
    const sqi_clip_corner* p = &corners[m];
    if (p->reflex && !same_place(p, a) && !same_place(p, b) && !same_place(p, c) &&
      area2(a, b, p) >= 0.0 && area2(b, c, p) >= 0.0 && area2(c, a, p) >= 0.0)
    {
      return 0;
    }
  }
  return 1;
}

/** The first ear from corner `start` on; where there is none a corner without area, else `start`. */
static int32_t find_ear(const sqi_clip_corner* corners, int32_t start)
{
  int32_t i = start;
  do
  {
    if (is_ear(corners, i))
    {
      return i;
    }
    i = corners[i].next;
  } while (i != start);
  do
  {
    if (area2(&corners[corners[i].previous], &corners[i], &corners[corners[i].next]) == 0.0)
    {
      return i;
    }
    i = corners[i].next;
  } while (i != start);
  return start;
}

static void fan(int32_t n, int32_t* triangles)
{
  for (int32_t i = 1; i + 1 < n; ++i)
  {
    *triangles++ = 0;
    *triangles++ = i;
    *triangles++ = i + 1;
  }
}

void sqi_clip_ears(const double* xyz, int32_t n, sqi_clip_corner* corners, int32_t* triangles)
{
  if (n == 3 || !project(xyz, n, corners))
  {
    fan(n, triangles);
    return;
  }
  for (int32_t i = 0; i < n; ++i)
  {
    corners[i].previous = i ? i - 1 : n - 1;
    corners[i].next = i + 1 < n ? i + 1 : 0;
  }
  for (int32_t i = 0; i < n; ++i)
  {
    update_reflex(corners, i);
  }
  int32_t start = 0;
  for (int32_t left = n; left > 2; --left)
  {
    int32_t ear = left > 3 ? find_ear(corners, start) : corners[start].next;
    int32_t before = corners[ear].previous, after = corners[ear].next;
    *triangles++ = before;
    *triangles++ = ear;
    *triangles++ = after;
    corners[before].next = after;
    corners[after].previous = before;
    update_reflex(corners, before);
    update_reflex(corners, after);
    start = ear == start ? after : start;
  }
}
