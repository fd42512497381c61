#include "sqi_mesh_index_faces.h"
#include "sqi_facets.h"
#include "sqi_view.h"
#include "sqk_polygon.h"

/** Local ids and coordinates of a face, in its direction or (`turned`) against it; 0 when a point is not the cell's. */
static int take_face(
  const sqi_mesh_cell* cell, const sqi_face_walk* face, int turned, const sqi_face_scratch* scratch)
{
  for (int32_t i = 0; i < face->size; ++i)
  {
    int64_t id = sqi_face_point(face, turned ? face->size - 1 - i : i);
    int32_t k = 0;
    while (k < cell->count && sqi_cell_point(cell->block, cell->offset, k) != id)
    {
      ++k;
    }
    if (k == cell->count)
    {
      return 0;
    }
    scratch->local[i] = k;
    sqk_set3(cell->points + 3 * k, scratch->points + 3 * i);
  }
  return 1;
}

static int is_flat(const sqi_mesh_cell* cell, const double* points, int32_t n)
{
  return sqk_polygon_is_flat(points, n, cell->block->points.type == SQ_FLOAT32 ? 0x1p-24 : 0x1p-53);
}

int64_t sqi_polyhedron_surface_size(
  const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* middle_count)
{
  int64_t size = 3;
  sqi_face_walk face;
  *middle_count = 0;
  sqi_face_begin(&face, cell->block, cell->id);
  while (sqi_face_next(&face))
  {
    if (!take_face(cell, &face, 0, scratch))
    {
      return -1;
    }
    int64_t n = face.size;
    int flat = is_flat(cell, scratch->points, face.size);
    size += n < 3 ? 0 : flat ? 3 * (n - 2) : 4 * n + 1;
    *middle_count += n >= 3 && !flat;
  }
  return size;
}

/** Adds the triangles of a face that has been taken; where the next ones go. */
static int32_t* add_triangles(const sqi_mesh_cell* cell, int32_t n, const sqi_face_scratch* scratch,
  int32_t* surface, int32_t* corner)
{
  const int32_t* local = scratch->local;
  if (is_flat(cell, scratch->points, n))
  {
    sqi_clip_ears(scratch->points, n, scratch->corners, corner);
    for (int32_t i = 0; i < 3 * (n - 2); ++i)
    {
      corner[i] = local[corner[i]];
    }
    surface[0] += n - 2;
    return corner + 3 * (n - 2);
  }
  for (int32_t i = 0; i < n; ++i, corner += 3)
  {
    corner[0] = local[i];
    corner[1] = local[i + 1 < n ? i + 1 : 0];
    corner[2] = cell->count + surface[1];
  }
  surface[0] += n;
  ++surface[1];
  return corner;
}

/**
 * Whether triangles run along every edge as often one way as the other: random numbers of the edges (splitmix64, Steele, Lea,
 * Flood, OOPSLA 2014), added and subtracted, leave nothing. Others pass with a probability of 2^-64.
 */
static int is_closed(const int32_t* corner, int32_t count)
{
  uint64_t sum = 0;
  for (int32_t i = 0; i < 3 * count; ++i)
  {
    uint64_t a = (uint64_t)corner[i], b = (uint64_t)corner[i % 3 < 2 ? i + 1 : i - 2];
    uint64_t z = (a < b ? a << 32 | b : b << 32 | a) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    sum += a < b ? z : a > b ? (uint64_t)0 - z : 0;
  }
  return sum == 0;
}

void sqi_polyhedron_surface(
  const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* surface)
{
  int32_t* corner = surface + 3;
  surface[0] = surface[1] = surface[2] = 0;
  sqi_orient_faces(cell->block, cell->id, scratch->faces, scratch->queue, scratch->outward);
  sqi_face_walk face;
  sqi_face_begin(&face, cell->block, cell->id);
  for (int32_t f = 0; sqi_face_next(&face); ++f)
  {
    (void)take_face(cell, &face, scratch->outward[f] < 0, scratch);
    if (face.size >= 3)
    {
      corner = add_triangles(cell, face.size, scratch, surface, corner);
    }
  }
  surface[2] = is_closed(surface + 3, surface[0]);
  sqi_face_begin(&face, cell->block, cell->id);
  while (sqi_face_next(&face))
  {
    (void)take_face(cell, &face, 0, scratch);
    if (face.size >= 3 && !is_flat(cell, scratch->points, face.size))
    {
      *corner++ = face.size;
      for (int32_t i = 0; i < face.size; ++i)
      {
        *corner++ = scratch->local[i];
      }
    }
  }
}

void sqi_cut_polygon(const sqi_mesh_cell* cell, const sqi_face_scratch* scratch, int32_t* triangles)
{
  if (cell->type == SQ_CELL_POLYGON)
  {
    sqi_clip_ears(cell->points, cell->count, scratch->corners, triangles);
    return;
  }
  for (int32_t i = 0; i < cell->count; ++i)
  {
    sqk_set3(
      cell->points + 3 * sqi_facet_ring(cell->type, cell->count, i), scratch->points + 3 * i);
  }
  sqi_clip_ears(scratch->points, cell->count, scratch->corners, triangles);
  for (int32_t i = 0; i < 3 * (cell->count - 2); ++i)
  {
    triangles[i] = sqi_facet_ring(cell->type, cell->count, triangles[i]);
  }
}
