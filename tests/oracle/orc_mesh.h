#ifndef ORC_MESH_H
#define ORC_MESH_H
/** Triangle meshes of the suite, and the operations that make variants of them. */
#include <stdint.h>

typedef struct orc_mesh
{
  double* points; /* 3 a point */
  int64_t* corners; /* 3 a triangle */
  int64_t point_count;
  int64_t triangle_count;
  int64_t point_capacity;
  int64_t triangle_capacity;
} orc_mesh;

/** What a mesh of the suite promises. */
enum
{
  ORC_CLOSED =
    1, /* every welded edge equally often in both directions: the winding number is whole off the surface */
  ORC_FLOAT32 = 2, /* all coordinates are float32 numbers, and are given as such */
  ORC_SIMPLE = 4 /* closed, and the pseudonormal of the closest point knows the side, too */
};

typedef struct orc_suite_entry
{
  const char* name;
  orc_mesh (*make)(void);
  unsigned flags;
} orc_suite_entry;

/** The suite; tests/README.md describes each. */
extern const orc_suite_entry orc_suite[];
extern const int orc_suite_count;

/** The mesh of that name; the name must exist. */
orc_mesh orc_suite_make(const char* name);

void orc_mesh_free(orc_mesh* mesh);
orc_mesh orc_mesh_copy(const orc_mesh* mesh);

/** Appends, and returns the id. */
int64_t orc_add_point(orc_mesh* mesh, double x, double y, double z);
int64_t orc_add_triangle(orc_mesh* mesh, int64_t a, int64_t b, int64_t c);
/** Two triangles of a quad in the order a b c d. */
void orc_add_quad(orc_mesh* mesh, int64_t a, int64_t b, int64_t c, int64_t d);
void orc_append(orc_mesh* mesh, const orc_mesh* other);
/** Both in one; takes what it is given. */
orc_mesh orc_joined(orc_mesh a, orc_mesh b);

/** Own points for every triangle, as an STL file has them. */
orc_mesh orc_soup(const orc_mesh* mesh);
/** Turns the faces round. */
void orc_reverse(orc_mesh* mesh);
void orc_scale(orc_mesh* mesh, double factor);
void orc_shift(orc_mesh* mesh, double x, double y, double z);
/** About the axis (1, 2, 3), by `degrees`. */
void orc_rotate(orc_mesh* mesh, double degrees);
void orc_round_to_float32(orc_mesh* mesh);

/** Corner k of triangle t. */
static inline const double* orc_corner(const orc_mesh* mesh, int64_t t, int k)
{
  return mesh->points + 3 * mesh->corners[3 * t + k];
}

void orc_bounds(const orc_mesh* mesh, double lo[3], double hi[3]);
double orc_diagonal(const orc_mesh* mesh);

/* Basic shapes, facing outward where they are closed. */
orc_mesh orc_make_box(const double lo[3], const double hi[3]);
orc_mesh orc_make_sphere(int rings, int segments);
orc_mesh orc_make_octasphere(int n);
orc_mesh orc_make_torus(double major, double minor, int nu, int nv);
/** `xy` counter-clockwise; capped by the fan from corner `hub`, which must see all others. */
orc_mesh orc_make_prism(const double* xy, int count, int hub, double z0, double z1);
orc_mesh orc_make_sheet(int nx, int ny, double z);
/** `count` separate triangles in the unit cube, longest edge about `size`, height about size x aspect. */
orc_mesh orc_make_triangle_soup(int count, uint64_t seed, double size, double aspect);

#endif
