#ifndef SQK_POLYHEDRON_FACES_H
#define SQK_POLYHEDRON_FACES_H
/**
 * The surface of a polyhedron from its faces, once a build: faces are turned to one orientation, flat ones cut by ears,
 * warped ones made a fan around the mean of their nodes.
 *
 * A face list is a number of faces, then for each its number of nodes and the nodes (local ids). A surface is a
 * number of triangles, a number of middles, three corners a triangle, and for each middle a number of nodes and the nodes.
 */
#include "sqk_polygon.h"

/** A face is flat where no node is farther from its plane than this part of its size, or than its coordinates' rounding. */
#define SQK_POLYHEDRON_FLAT 1e-12

SQK_INLINE int sqk_polyhedron_is_flat(const double* p, int n, double rounding)
{
  double normal[3], size = 0.0, off = 0.0, largest = sqk_cell_max_abs(p, 3 * n);
  sqk_polygon_normal(p, n, normal);
  double length = sqrt(sqk_dot3(normal, normal));
  for (int i = 1; i < n; ++i)
  {
    double d[3];
    sqk_sub3(p + 3 * i, p, d);
    size = fmax(size, sqk_cell_max_abs(d, 3));
    off = fmax(off, fabs(sqk_dot3(d, normal)));
  }
  return n <= 3 || off <= (SQK_POLYHEDRON_FLAT * size + 4.0 * rounding * largest) * length;
}

/** The coordinates of face `face` (its number of nodes, then the nodes) of a cell with points p. */
SQK_INLINE void sqk_polyhedron_face_points(const double* p, const int32_t* face, double* out)
{
  for (int i = 0; i < face[0]; ++i)
  {
    sqk_set3(p + 3 * face[1 + i], out + 3 * i);
  }
}

/** Whether face `f` goes along edge a to b: 1, against it: -1, or neither: 0. */
SQK_INLINE int sqk_polyhedron_along(const int32_t* f, int32_t a, int32_t b)
{
  for (int i = 0; i < f[0]; ++i)
  {
    int32_t u = f[1 + i], v = f[1 + (i + 1) % f[0]];
    if ((u == a && v == b) || (u == b && v == a))
    {
      return u == a ? 1 : -1;
    }
  }
  return 0;
}

SQK_INLINE void sqk_polyhedron_turn(int32_t* face)
{
  for (int i = 1, k = face[0]; i < k; ++i, --k)
  {
    int32_t swap = face[i];
    face[i] = face[k], face[k] = swap;
  }
}

/** Turns the neighbours of face `at` that are not `done` to its orientation and puts them on the queue; its new end. */
SQK_INLINE int sqk_polyhedron_spread(
  int32_t* faces, const int32_t* start, int count, int at, int32_t* queue, int end, int32_t* done)
{
  const int32_t* f = faces + start[at];
  for (int i = 0; i < f[0]; ++i)
  {
    int32_t a = f[1 + i], b = f[1 + (i + 1) % f[0]];
    for (int g = 0; g < count; ++g)
    {
      int along = done[g] ? 0 : sqk_polyhedron_along(faces + start[g], a, b);
      if (along > 0)
      {
        sqk_polyhedron_turn(faces + start[g]);
      }
      if (along)
      {
        done[g] = 1;
        queue[end++] = g;
      }
    }
  }
  return end;
}

/** Turns faces so that every edge is used in both directions; `work` has room for three numbers a face. */
SQK_INLINE void sqk_polyhedron_orient(int32_t* faces, int32_t* work)
{
  int count = faces[0], at = 1;
  int32_t *start = work, *queue = work + count, *done = work + 2 * count;
  for (int f = 0; f < count; ++f)
  {
    start[f] = at;
    done[f] = 0;
    at += faces[at] + 1;
  }
  int begin = 0, end = 0;
  for (int seed = 0; seed < count; ++seed)
  {
    if (!done[seed])
    {
      done[seed] = 1;
      queue[end++] = seed;
    }
    for (; begin < end; ++begin)
    {
      end = sqk_polyhedron_spread(faces, start, count, queue[begin], queue, end, done);
    }
  }
}

/** Numbers that the surface of a face list takes; `q` is scratch for the points of a face. */
SQK_INLINE int64_t sqk_polyhedron_surface_size(
  const double* p, const int32_t* faces, double rounding, double* q, int32_t* middle_count)
{
  int64_t size = 2;
  const int32_t* face = faces + 1;
  *middle_count = 0;
  for (int f = 0; f < faces[0]; ++f, face += face[0] + 1)
  {
    sqk_polyhedron_face_points(p, face, q);
    int flat = sqk_polyhedron_is_flat(q, face[0], rounding);
    size += face[0] < 3 ? 0 : flat ? 3 * (int64_t)(face[0] - 2) : 4 * (int64_t)face[0] + 1;
    *middle_count += face[0] >= 3 && !flat;
  }
  return size;
}

/** Writes the surface of `count` nodes p; faces are oriented already. `ring` is scratch for the nodes of a face. */
SQK_INLINE void sqk_polyhedron_surface(const double* p, int count, const int32_t* faces,
  double rounding, double* q, int32_t* ring, int32_t* surface)
{
  int32_t* corner = surface + 2;
  const int32_t* face = faces + 1;
  surface[0] = surface[1] = 0;
  for (int f = 0; f < faces[0]; ++f, face += face[0] + 1)
  {
    int n = face[0];
    sqk_polyhedron_face_points(p, face, q);
    if (n >= 3 && sqk_polyhedron_is_flat(q, n, rounding))
    {
      sqk_polygon_cut(q, n, ring, corner);
      for (int i = 0; i < 3 * (n - 2); ++i)
      {
        corner[i] = face[1 + corner[i]];
      }
      corner += 3 * (n - 2);
      surface[0] += n - 2;
    }
    else if (n >= 3)
    {
      for (int i = 0; i < n; ++i, corner += 3)
      {
        corner[0] = face[1 + i], corner[1] = face[1 + (i + 1) % n];
        corner[2] = count + surface[1];
      }
      surface[0] += n;
      ++surface[1];
    }
  }
  face = faces + 1;
  for (int f = 0; f < faces[0]; ++f, face += face[0] + 1)
  {
    sqk_polyhedron_face_points(p, face, q);
    if (face[0] >= 3 && !sqk_polyhedron_is_flat(q, face[0], rounding))
    {
      for (int i = 0; i <= face[0]; ++i)
      {
        *corner++ = face[i];
      }
    }
  }
}

#endif
