#ifndef SQI_SURFACE_H
#define SQI_SURFACE_H
/** The inside of a surface. */
#include "sqi_edges.h"
#include "sqi_triangle_index.h"
#include "sqi_winding.h"
#include "sqk_plane.h"

#include <stdatomic.h>

typedef struct sqi_sdf_reference sqi_sdf_reference;

/**
 * Feature normals. Faces have none stored: three corners give it, and they have been read for the hit. An edge takes the normals
 * of its triangles, found by `edges.across` (12 bytes a triangle; normals of the edges would need 36 to 72 and could
 * not be evaluated to rounding near the surface). A vertex has the sum of its triangles' normals times angles, found by `lists`.
 */
struct sq_surface
{
  sq_allocator allocator;
  sq_surface_report report;
  double* vertices;
  int32_t* corners;
  int32_t* weld; /* as sqi_triangles */
  int32_t vertex_count;
  int32_t triangle_count;
  /* Where a triangle comes from. */
  int64_t* cells;
  int32_t* subs; /* NULL: all 0 */
  int64_t* block_start; /* before the triangles are put in the order of global ids */
  int32_t* blocks; /* of each triangle, where they are in that order; else NULL */
  int32_t block_count;
  uint8_t* marks; /* by triangle: SQI_DEGENERATE, SQI_DUPLICATE, SQI_CROSSING */
  int64_t*
    component_crossings; /* by component: pairs within it; NULL where no two triangles cross */
  /* Feature normals. */
  double unit; /* a power of two that brings the coordinates into range */
  double centre[3]; /* of the box */
  double radius; /* of the sphere around it */
  sqi_edges edges;
  sqi_corner_lists lists;
  double*
    vertex_normals; /* 3 a vertex, of the vertex that stands for a cluster; made as they are asked for */
  uint8_t* has_normal; /* by vertex: it has been made */
  /* Flat triangles, ascending, and the flat triangles at each vertex that has some. */
  int32_t* flats;
  int32_t flat_count;
  int32_t* hinge_vertices; /* ascending */
  int64_t* hinge_start; /* hinge_count + 1 */
  int32_t* hinge_flats;
  int32_t hinge_count;
  int64_t hinge_flat_count;
  sqi_triangle_index* index;
  sqi_sdf_reference* reference; /* NULL: the exact mode */
  int facing; /* where Automatic is the pseudonormal: as sqi_components_facing() */
  int is_whole; /* the winding number is a whole number off the surface */
  _Atomic(sqi_winding*) winding; /* NULL until a run needs it */
};

static inline int32_t sqi_surface_weld(const sq_surface* s, int32_t v)
{
  return s->weld ? s->weld[v] : v;
}

/** The block of a triangle before any reordering: the last that starts at or before it, which skips empty blocks. */
static inline int32_t sqi_surface_block_in_order(const sq_surface* s, int32_t t)
{
  int32_t low = 0, high = s->block_count - 1;
  while (low < high)
  {
    int32_t middle = low + (high - low + 1) / 2;
    if (s->block_start[middle] <= t)
    {
      low = middle;
    }
    else
    {
      high = middle - 1;
    }
  }
  return low;
}

static inline int32_t sqi_surface_block_of(const sq_surface* s, int32_t t)
{
  return s->blocks ? s->blocks[t] : sqi_surface_block_in_order(s, t);
}

/** The vertex of corner k of triangle t. */
static inline const double* sqi_surface_corner(const sq_surface* s, int32_t t, int k)
{
  return s->vertices + 3 * (int64_t)s->corners[3 * (int64_t)t + k];
}

/** Bits of sq_surface.marks, beside those of sqi_triangles.marks. */
#define SQI_CROSSING 4

/** Relative spacing of stored coordinates. */
#define SQI_FLOAT32_ULP 0x1p-23
#define SQI_FLOAT64_ULP 0x1p-52

/**
 * Everything that does not need the index: measures, edges, normals, components, crossings, the report and the choice of sign.
 * `ulps` is the relative spacing of the stored coordinates of each block. `bvh` comes out as a tree over the triangles
 * for sqi_triangle_index_build(); the caller releases it, after an error too.
 */
sq_status sqi_surface_add_topology(
  sq_context* context, sq_surface* surface, const double* ulps, sqi_bvh* bvh);

/** Area, volume, which triangles are flat or degenerate, and the unit of the coordinates. `flat` has a byte a triangle. */
sq_status sqi_surface_measure(
  sq_context* context, sq_surface* surface, const double* ulps, uint8_t* flat);

/** One triangle; `ulp` is the relative spacing of its coordinates. */
typedef struct sqi_triangle_measure
{
  double area; /* in squared units of the surface */
  int is_resolved; /* large beside the spacing of its coordinates */
  int is_degenerate; /* no higher than rounding of its coordinates as stored */
  int has_no_area; /* no higher than rounding of double */
  /*
   * Without a normal: where coordinates are coarse but the triangle is not small, its direction means nothing. Where all of
   * the surface is as coarse, only its triangles say which way it faces, and they are taken exactly.
   */
  int is_flat;
} sqi_triangle_measure;
sqi_triangle_measure sqi_surface_measure_triangle(
  const sq_surface* surface, int32_t triangle, double ulp);

/** Six times the volume between a triangle and `origin`, both in units of the surface. */
double sqi_surface_volume6(const sq_surface* surface, int32_t triangle, const double origin[3]);

/** Room for the normals of vertices, none of which is made. */
sq_status sqi_surface_open_normals(sq_context* context, sq_surface* surface);

/**
 * The sum at the vertex that stands for a cluster: made when it is first asked for, on any thread, as most queries ask for few of
 * them; all are more work than the tree of their triangles.
 */
void sqi_surface_vertex_normal(const sq_surface* surface, int32_t vertex, double normal[3]);

/** The lists of flat triangles. */
sq_status sqi_surface_add_flats(sq_context* context, sq_surface* surface, const uint8_t* flat);

/**
 * The rim, the edges used more in one direction than in the other, without the triangles of `left_out` (a byte each; NULL: none):
 * by triangle the length of its rim edges, times how much more. The edge is counted at the lowest triangle that uses it.
 * `edges`: how many there are. Vertices must not be welded within a tolerance.
 */
sq_status sqi_surface_find_rim(sq_context* context, const sq_surface* surface,
  const uint8_t* left_out, double* rim, int64_t* edges);

/** A point and the surface near its closest point. Vectors are in units of sqi_side.unit. */
typedef struct sqi_side
{
  double unit;
  double side; /* > 0 outside, < 0 inside, 0 on the surface or undecided */
  double normal[3]; /* pseudonormal at the closest point, of any length; 0 where there is none */
  double direction[3]; /* from the closest point to the query, of any length; 0 on the surface */
  double distance; /* >= 0 where it is known better than the hit says, else < 0 */
  int is_impossible; /* no point on this side has that feature closest */
} sqi_side;

/** What the feature of the hit says about the query x; sets all members. */
void sqi_surface_side(
  const sq_surface* surface, const double x[3], const sqi_hit* hit, sqi_side* side);

/** Whether rounding may have given the hit to the wrong feature, so that the side may be wrong. */
int sqi_surface_is_doubtful(const double x[3], const sqi_hit* hit, const sqi_side* side);

/**
 * A closer look where rounding may have given the hit to the wrong feature: the triangles around it are measured again with twice
 * the digits. 1 where `better` is another hit.
 */
int sqi_surface_resolve(
  const sq_surface* surface, const double x[3], const sqi_hit* hit, sqi_hit* better);

/** Normal and side from everything around the closest point, where flat triangles meet it. */
void sqi_surface_side_at_flats(
  const sq_surface* surface, const double x[3], const sqi_hit* hit, sqi_side* side);

/** The plane of triangle t, and x from its point `base`, all in `unit`. */
static inline void sqi_surface_plane(const sq_surface* s, int32_t t, double unit,
  const double base[3], const double x[3], sqk_plane* plane)
{
  sqk_plane_of(sqi_surface_corner(s, t, 0), sqi_surface_corner(s, t, 1),
    sqi_surface_corner(s, t, 2), base, x, unit, plane);
}

/** Whether triangle t is flat. */
int sqi_surface_is_flat(const sq_surface* surface, int32_t t);

/** Position of a vertex in hinge_vertices, -1 where no flat triangle has it. */
int32_t sqi_surface_find_hinge(const sq_surface* surface, int32_t vertex);

#endif
