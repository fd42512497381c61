/** The basic shapes. */
#include "orc_mesh.h"
#include "orc_random.h"

#include <math.h>
#include <stddef.h>

static const double PI = 3.14159265358979323846;
static const orc_mesh EMPTY = { NULL, NULL, 0, 0, 0, 0 };

orc_mesh orc_make_box(const double lo[3], const double hi[3])
{
  orc_mesh m = EMPTY;
  for (int i = 0; i < 8; ++i)
  {
    orc_add_point(&m, i & 1 ? hi[0] : lo[0], i & 2 ? hi[1] : lo[1], i & 4 ? hi[2] : lo[2]);
  }
  orc_add_quad(&m, 0, 2, 3, 1);
  orc_add_quad(&m, 4, 5, 7, 6);
  orc_add_quad(&m, 0, 1, 5, 4);
  orc_add_quad(&m, 2, 6, 7, 3);
  orc_add_quad(&m, 0, 4, 6, 2);
  orc_add_quad(&m, 1, 3, 7, 5);
  return m;
}

orc_mesh orc_make_sphere(int rings, int segments)
{
  orc_mesh m = EMPTY;
  orc_add_point(&m, 0.0, 0.0, 1.0);
  for (int i = 1; i < rings; ++i)
  {
    double t = PI * i / rings;
    for (int j = 0; j < segments; ++j)
    {
      double p = 2.0 * PI * j / segments;
      orc_add_point(&m, sin(t) * cos(p), sin(t) * sin(p), cos(t));
    }
  }
  int64_t south = orc_add_point(&m, 0.0, 0.0, -1.0);
  for (int j = 0; j < segments; ++j)
  {
    int k = (j + 1) % segments;
    orc_add_triangle(&m, 0, 1 + j, 1 + k);
    for (int i = 0; i + 2 < rings; ++i)
    {
      int64_t a = 1 + (int64_t)i * segments;
      orc_add_quad(&m, a + j, a + segments + j, a + segments + k, a + k);
    }
    orc_add_triangle(&m, south - segments + j, south, south - segments + k);
  }
  return m;
}

/** Point (i, j) of a face of the octahedron: i steps along one edge, j along the other, projected. */
static int64_t add_octasphere_point(orc_mesh* m, int n, const int signs[3], int i, int j)
{
  double p[3] = { signs[0] * (double)i, signs[1] * (double)j, signs[2] * (double)(n - i - j) };
  double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  for (int k = 0; k < 3; ++k)
  {
    p[k] /= r;
  }
  for (int64_t v = 0; v < m->point_count; ++v)
  {
    const double* q = m->points + 3 * v;
    if (q[0] == p[0] && q[1] == p[1] && q[2] == p[2])
    {
      return v;
    }
  }
  return orc_add_point(m, p[0] + 0.0, p[1] + 0.0, p[2] + 0.0);
}

orc_mesh orc_make_octasphere(int n)
{
  orc_mesh m = EMPTY;
  for (int face = 0; face < 8; ++face)
  {
    int s[3] = { face & 1 ? -1 : 1, face & 2 ? -1 : 1, face & 4 ? -1 : 1 };
    int outward = s[0] * s[1] * s[2] > 0;
    for (int i = 0; i < n; ++i)
    {
      for (int j = 0; i + j < n; ++j)
      {
        int64_t a = add_octasphere_point(&m, n, s, i, j);
        int64_t b = add_octasphere_point(&m, n, s, i + 1, j);
        int64_t c = add_octasphere_point(&m, n, s, i, j + 1);
        orc_add_triangle(&m, a, outward ? b : c, outward ? c : b);
        if (i + j + 2 <= n)
        {
          int64_t d = add_octasphere_point(&m, n, s, i + 1, j + 1);
          orc_add_triangle(&m, b, outward ? d : c, outward ? c : d);
        }
      }
    }
  }
  return m;
}

orc_mesh orc_make_torus(double major, double minor, int nu, int nv)
{
  orc_mesh m = EMPTY;
  for (int i = 0; i < nu; ++i)
  {
    for (int j = 0; j < nv; ++j)
    {
      double u = 2.0 * PI * i / nu;
      double v = 2.0 * PI * j / nv;
      double r = major + minor * cos(v);
      orc_add_point(&m, r * cos(u), r * sin(u), minor * sin(v));
    }
  }
  for (int i = 0; i < nu; ++i)
  {
    int64_t a = (int64_t)i * nv;
    int64_t b = (int64_t)((i + 1) % nu) * nv;
    for (int j = 0; j < nv; ++j)
    {
      int k = (j + 1) % nv;
      orc_add_quad(&m, a + j, b + j, b + k, a + k);
    }
  }
  return m;
}

orc_mesh orc_make_prism(const double* xy, int count, int hub, double z0, double z1)
{
  orc_mesh m = EMPTY;
  for (int i = 0; i < count; ++i)
  {
    orc_add_point(&m, xy[2 * i], xy[2 * i + 1], z0);
    orc_add_point(&m, xy[2 * i], xy[2 * i + 1], z1);
  }
  for (int i = 0; i < count; ++i)
  {
    int64_t a = 2 * (int64_t)i;
    int64_t b = 2 * (int64_t)((i + 1) % count);
    orc_add_quad(&m, a, b, b + 1, a + 1);
  }
  for (int i = 1; i + 1 < count; ++i)
  {
    int64_t h = 2 * (int64_t)hub;
    int64_t a = 2 * (int64_t)((hub + i) % count);
    int64_t b = 2 * (int64_t)((hub + i + 1) % count);
    orc_add_triangle(&m, h, b, a);
    orc_add_triangle(&m, h + 1, a + 1, b + 1);
  }
  return m;
}

orc_mesh orc_make_sheet(int nx, int ny, double z)
{
  orc_mesh m = EMPTY;
  for (int j = 0; j <= ny; ++j)
  {
    for (int i = 0; i <= nx; ++i)
    {
      orc_add_point(&m, (double)i / nx, (double)j / ny, z);
    }
  }
  for (int j = 0; j < ny; ++j)
  {
    for (int i = 0; i < nx; ++i)
    {
      int64_t a = (int64_t)j * (nx + 1) + i;
      orc_add_quad(&m, a, a + 1, a + nx + 2, a + nx + 1);
    }
  }
  return m;
}

orc_mesh orc_make_triangle_soup(int count, uint64_t seed, double size, double aspect)
{
  orc_mesh m = EMPTY;
  orc_random r = { seed };
  for (int t = 0; t < count; ++t)
  {
    double p[3];
    double e[3];
    double f[3];
    for (int k = 0; k < 3; ++k)
    {
      p[k] = orc_unit(&r);
      e[k] = orc_between(&r, -0.5, 0.5) * size;
    }
    double along = orc_between(&r, 0.2, 0.8);
    for (int k = 0; k < 3; ++k)
    {
      f[k] = along * e[k] + orc_between(&r, -0.5, 0.5) * size * aspect;
    }
    int64_t a = orc_add_point(&m, p[0], p[1], p[2]);
    int64_t b = orc_add_point(&m, p[0] + e[0], p[1] + e[1], p[2] + e[2]);
    int64_t c = orc_add_point(&m, p[0] + f[0], p[1] + f[1], p[2] + f[2]);
    orc_add_triangle(&m, a, b, c);
  }
  return m;
}
