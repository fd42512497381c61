#include "sqi_cell_faces.h"

#include <math.h>

/** Six times the volume between the face and the point `origin`, coordinates scaled by `scale`. */
static double face_volume(const sqi_face_walk* w, const double origin[3], double scale)
{
  double volume = 0.0, p[3][3];
  for (int32_t k = 0; k < w->size; ++k)
  {
    double* x = p[k < 2 ? k : 2];
    sqi_point(&w->cells->points, sqi_face_point(w, k), x);
    for (int d = 0; d < 3; ++d)
    {
      x[d] = (0.5 * x[d] - 0.5 * origin[d]) * scale;
    }
    if (k >= 2)
    {
      volume += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
        p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
        p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
      p[1][0] = p[2][0], p[1][1] = p[2][1], p[1][2] = p[2][2];
    }
  }
  return volume;
}

/** The first point of the cell, and a power of two that brings its size to about 1. */
static double cell_frame(const sq_cells* cells, int64_t c, double origin[3])
{
  double largest = 0.0;
  sqi_face_walk w;
  sqi_face_begin(&w, cells, c);
  for (int first = 1; sqi_face_next(&w);)
  {
    for (int32_t k = 0; k < w.size; ++k, first = 0)
    {
      double x[3];
      sqi_point(&cells->points, sqi_face_point(&w, k), first ? origin : x);
      for (int d = 0; d < 3 && !first; ++d)
      {
        largest = fmax(largest, fabs(0.5 * x[d] - 0.5 * origin[d]));
      }
    }
  }
  return largest < 0x1p-1000 ? 0x1p1000 : ldexp(1.0, -ilogb(largest));
}

/** How face g runs along an edge that it shares with face f: -1 the other way (as it should), 1 the same way, 0 no such edge. */
static int common_edge(const sqi_face_walk* f, const sqi_face_walk* g)
{
  for (int32_t i = 0; i < f->size; ++i)
  {
    int64_t a = sqi_face_point(f, i), b = sqi_face_point(f, i + 1 < f->size ? i + 1 : 0);
    for (int32_t j = 0; j < g->size; ++j)
    {
      int64_t u = sqi_face_point(g, j), v = sqi_face_point(g, j + 1 < g->size ? j + 1 : 0);
      if (a != b && u == b && v == a)
      {
        return -1;
      }
      if (a != b && u == a && v == b)
      {
        return 1;
      }
    }
  }
  return 0;
}

/** Gives the faces that hang together with face `seed` directions that fit, in `queue`; returns how many they are. */
static int32_t spread(
  const sqi_face_walk* faces, int32_t count, int32_t seed, int8_t* outward, int32_t* queue)
{
  int32_t filled = 1;
  queue[0] = seed;
  outward[seed] = 1;
  for (int32_t at = 0; at < filled; ++at)
  {
    for (int32_t g = 0; g < count; ++g)
    {
      int way = outward[g] ? 0 : common_edge(&faces[queue[at]], &faces[g]);
      if (way)
      {
        outward[g] = (int8_t)(-way * outward[queue[at]]);
        queue[filled++] = g;
      }
    }
  }
  return filled;
}

void sqi_orient_faces(
  const sq_cells* cells, int64_t c, sqi_face_walk* faces, int32_t* queue, int8_t* outward)
{
  double origin[3] = { 0.0, 0.0, 0.0 };
  double scale = cell_frame(cells, c, origin);
  int32_t count = 0;
  sqi_face_walk w;
  sqi_face_begin(&w, cells, c);
  for (; sqi_face_next(&w); ++count)
  {
    faces[count] = w;
    outward[count] = 0;
  }
  int32_t done = 0;
  for (int32_t seed = 0; seed < count && done < count; ++seed)
  {
    if (outward[seed])
    {
      continue;
    }
    int32_t n = spread(faces, count, seed, outward, queue);
    double volume = 0.0;
    for (int32_t i = 0; i < n; ++i)
    {
      volume += outward[queue[i]] * face_volume(&faces[queue[i]], origin, scale);
    }
    for (int32_t i = 0; i < n && volume < 0.0; ++i)
    {
      outward[queue[i]] = (int8_t)-outward[queue[i]];
    }
    done += n;
  }
}
