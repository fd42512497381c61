#include "orc_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Test meshes are small: running out of memory ends the test program. */
static void* grow(void* memory, int64_t count, size_t size)
{
  void* p = realloc(memory, (size_t)count * size);
  if (!p)
  {
    abort();
  }
  return p;
}

void orc_mesh_free(orc_mesh* mesh)
{
  free(mesh->points);
  free(mesh->corners);
  memset(mesh, 0, sizeof(*mesh));
}

orc_mesh orc_mesh_copy(const orc_mesh* mesh)
{
  orc_mesh copy = { NULL, NULL, 0, 0, 0, 0 };
  orc_append(&copy, mesh);
  return copy;
}

int64_t orc_add_point(orc_mesh* mesh, double x, double y, double z)
{
  if (mesh->point_count == mesh->point_capacity)
  {
    mesh->point_capacity = 2 * mesh->point_capacity + 16;
    mesh->points = (double*)grow(mesh->points, 3 * mesh->point_capacity, sizeof(double));
  }
  double* p = mesh->points + 3 * mesh->point_count;
  p[0] = x, p[1] = y, p[2] = z;
  return mesh->point_count++;
}

int64_t orc_add_triangle(orc_mesh* mesh, int64_t a, int64_t b, int64_t c)
{
  if (mesh->triangle_count == mesh->triangle_capacity)
  {
    mesh->triangle_capacity = 2 * mesh->triangle_capacity + 16;
    mesh->corners = (int64_t*)grow(mesh->corners, 3 * mesh->triangle_capacity, sizeof(int64_t));
  }
  int64_t* t = mesh->corners + 3 * mesh->triangle_count;
  t[0] = a, t[1] = b, t[2] = c;
  return mesh->triangle_count++;
}

void orc_add_quad(orc_mesh* mesh, int64_t a, int64_t b, int64_t c, int64_t d)
{
  orc_add_triangle(mesh, a, b, c);
  orc_add_triangle(mesh, a, c, d);
}

void orc_append(orc_mesh* mesh, const orc_mesh* other)
{
  int64_t shift = mesh->point_count;
  for (int64_t i = 0; i < other->point_count; ++i)
  {
    const double* p = other->points + 3 * i;
    orc_add_point(mesh, p[0], p[1], p[2]);
  }
  for (int64_t t = 0; t < other->triangle_count; ++t)
  {
    const int64_t* c = other->corners + 3 * t;
    orc_add_triangle(mesh, c[0] + shift, c[1] + shift, c[2] + shift);
  }
}

orc_mesh orc_joined(orc_mesh a, orc_mesh b)
{
  orc_append(&a, &b);
  orc_mesh_free(&b);
  return a;
}

orc_mesh orc_soup(const orc_mesh* mesh)
{
  orc_mesh soup = { NULL, NULL, 0, 0, 0, 0 };
  for (int64_t t = 0; t < mesh->triangle_count; ++t)
  {
    int64_t id[3];
    for (int k = 0; k < 3; ++k)
    {
      const double* p = orc_corner(mesh, t, k);
      id[k] = orc_add_point(&soup, p[0], p[1], p[2]);
    }
    orc_add_triangle(&soup, id[0], id[1], id[2]);
  }
  return soup;
}

void orc_reverse(orc_mesh* mesh)
{
  for (int64_t t = 0; t < mesh->triangle_count; ++t)
  {
    int64_t* c = mesh->corners + 3 * t;
    int64_t swap = c[1];
    c[1] = c[2];
    c[2] = swap;
  }
}

void orc_scale(orc_mesh* mesh, double factor)
{
  for (int64_t i = 0; i < 3 * mesh->point_count; ++i)
  {
    mesh->points[i] *= factor;
  }
}

void orc_shift(orc_mesh* mesh, double x, double y, double z)
{
  for (int64_t i = 0; i < mesh->point_count; ++i)
  {
    double* p = mesh->points + 3 * i;
    p[0] += x, p[1] += y, p[2] += z;
  }
}

void orc_rotate(orc_mesh* mesh, double degrees)
{
  double n = sqrt(14.0);
  double u[3] = { 1.0 / n, 2.0 / n, 3.0 / n };
  double c = cos(degrees * 3.14159265358979323846 / 180.0);
  double s = sin(degrees * 3.14159265358979323846 / 180.0);
  for (int64_t i = 0; i < mesh->point_count; ++i)
  {
    double* p = mesh->points + 3 * i;
    double x[3] = { p[0], p[1], p[2] };
    double along = (u[0] * x[0] + u[1] * x[1] + u[2] * x[2]) * (1.0 - c);
    for (int k = 0; k < 3; ++k)
    {
      int l = (k + 1) % 3;
      int m = (k + 2) % 3;
      p[k] = c * x[k] + s * (u[l] * x[m] - u[m] * x[l]) + along * u[k];
    }
  }
}

void orc_round_to_float32(orc_mesh* mesh)
{
  for (int64_t i = 0; i < 3 * mesh->point_count; ++i)
  {
    mesh->points[i] = (double)(float)mesh->points[i];
  }
}

void orc_bounds(const orc_mesh* mesh, double lo[3], double hi[3])
{
  for (int k = 0; k < 3; ++k)
  {
    lo[k] = INFINITY;
    hi[k] = -INFINITY;
  }
  for (int64_t i = 0; i < 3 * mesh->point_count; ++i)
  {
    double x = mesh->points[i];
    lo[i % 3] = x < lo[i % 3] ? x : lo[i % 3];
    hi[i % 3] = x > hi[i % 3] ? x : hi[i % 3];
  }
}

double orc_diagonal(const orc_mesh* mesh)
{
  double lo[3];
  double hi[3];
  orc_bounds(mesh, lo, hi);
  return hypot(hypot(hi[0] - lo[0], hi[1] - lo[1]), hi[2] - lo[2]);
}
