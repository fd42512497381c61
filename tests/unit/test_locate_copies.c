/**
 * Meshes with many duplicate (ghost) cells, on grids: rasterising gives the bits of searching, and both the answers of the real
 * cells alone, or where none of these is found those of the duplicates alone.
 */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_bag.h"
#include "sqt_grid.h"

#include <stdlib.h>
#include <string.h>

static sq_locate_options options_of(int k)
{
  static const double tolerances[3] = { 1e-6, 0.0, 0.05 };
  sq_locate_options o = sq_locate_options_default();
  o.mode = (sq_locate_mode)(k % 3);
  o.multiple_cells = (sq_multiple_cells)(k / 3 % 3);
  o.tolerance = tolerances[k % 3 ? k % 2 : k / 2 % 3];
  o.max_distance = k % 4 ? (double)INFINITY : 0.05;
  return o;
}

/** The index of the cells that are duplicates (1), or of those that are not (0); `bits` stay with it. */
static sq_mesh_index* index_of(
  sq_context* c, const sq_cells* mesh, const uint8_t* ghost, int copies, uint8_t* bits)
{
  sq_cells block = *mesh;
  block.ghost = bits;
  for (int64_t i = 0; i < mesh->count; ++i)
  {
    int copy = ghost[i] & SQ_GHOST_DUPLICATE_CELL;
    bits[i] = (uint8_t)(copy != copies ? SQ_GHOST_HIDDEN_CELL : ghost[i] - copy);
  }
  return sqt_index(c, &block, 1);
}

/** Which answer counts at a query: 1 that of the duplicates, 0 that of the real cells, -1 both may, being as near up to rounding. */
static int part_of(
  const sq_location_view* real, const sq_location_view* copy, int64_t q, sq_locate_mode mode)
{
  int real_holds = mode != SQ_LOCATE_NEAREST && real->status[q] <= SQ_SAMPLE_TOLERANCE;
  int copy_holds = mode != SQ_LOCATE_NEAREST && copy->status[q] <= SQ_SAMPLE_TOLERANCE;
  if (real_holds || copy->status[q] == SQ_SAMPLE_OUTSIDE)
  {
    return 0;
  }
  if (copy_holds || real->status[q] == SQ_SAMPLE_OUTSIDE)
  {
    return 1;
  }
  double nearer = real->distance[q] - copy->distance[q];
  return !(nearer > 0.0) ? 0 : nearer > 1e-14 ? 1 : -1;
}

/** Every answer is that of the real cells, or where they have none that of the duplicates; of nearest ones that of the nearer. */
static void check_parts(const sq_location_view* all, const sq_location_view* real,
  const sq_location_view* copy, sq_locate_mode mode, int* taken)
{
  for (int64_t q = 0; q < all->count; ++q)
  {
    int use = part_of(real, copy, q, mode);
    if (use < 0)
    {
      continue;
    }
    const sq_location_view* want = use ? copy : real;
    int ok = CHECK_INT(all->status[q], want->status[q]);
    ok &= CHECK_INT(all->cell[q], want->cell[q]);
    ok &= CHECK(!memcmp(all->distance + q, want->distance + q, sizeof(double)));
    ok &= CHECK(!memcmp(all->parametric + 3 * q, want->parametric + 3 * q, 3 * sizeof(double)));
    int64_t from = all->node_offsets[q], begin = want->node_offsets[q];
    int64_t count = all->node_offsets[q + 1] - from;
    ok &= CHECK_INT(count, want->node_offsets[q + 1] - begin);
    ok = ok &&
      CHECK(!memcmp(
        all->node_weights + from, want->node_weights + begin, (size_t)count * sizeof(double)));
    CHECK_TEXT(ok, "point %d, of a %s", (int)q, use ? "duplicate" : "real cell");
    taken[use] += want->status[q] != SQ_SAMPLE_OUTSIDE;
  }
}

static void check_mesh(const sq_cells* mesh, uint64_t seed)
{
  orc_random r = { seed };
  sq_context* c = sqt_context(2, NULL, NULL);
  uint8_t* ghost = (uint8_t*)calloc(3 * (size_t)mesh->count, 1);
  int taken[2] = { 0, 0 };
  for (int64_t i = 0; i < mesh->count; ++i)
  {
    ghost[i] = (uint8_t)((mesh->ghost ? mesh->ghost[i] & ~SQ_GHOST_DUPLICATE_CELL : 0) |
      (orc_below(&r, 10) < 3 ? SQ_GHOST_DUPLICATE_CELL : 0));
  }
  sq_cells block = *mesh;
  block.ghost = ghost;
  sq_mesh_index* all = sqt_index(c, &block, 1);
  sq_mesh_index* real = index_of(c, mesh, ghost, 0, ghost + mesh->count);
  sq_mesh_index* copy = index_of(c, mesh, ghost, 1, ghost + 2 * mesh->count);
  for (int k = (int)seed % 2; k < 9; k += 2)
  {
    sq_locate_options o = options_of(k);
    sqt_grid g = sqt_make_grid(k % 3);
    sqt_thin_grid(&g, 6);
    sqt_check_grid(c, all, &block, &g, &o);
    sq_location_view v[3];
    sq_location* l[3] = { sqt_rasterise(c, all, &g, &o), sqt_search(c, real, &g, &o),
      sqt_search(c, copy, &g, &o) };
    sq_location* rows = NULL;
    CHECK_STATUS(sq_location_expand(c, l[0], &rows), SQ_OK);
    CHECK_STATUS(sq_location_get_view(rows, v), SQ_OK);
    CHECK_STATUS(sq_location_get_view(l[1], v + 1), SQ_OK);
    CHECK_STATUS(sq_location_get_view(l[2], v + 2), SQ_OK);
    check_parts(v, v + 1, v + 2, o.mode, taken);
    sq_location_destroy(rows);
    for (int i = 0; i < 3; ++i)
    {
      sq_location_destroy(l[i]);
    }
  }
  CHECK(taken[0] > 0 && taken[1] > 0);
  sq_mesh_index_destroy(all);
  sq_mesh_index_destroy(real);
  sq_mesh_index_destroy(copy);
  free(ghost);
  sq_context_destroy(c);
}

/** Tetrahedra, hexahedra, wedges, pyramids and voxels that fill a block. */
static void linear_solids(void)
{
  for (int kind = 0; kind < ORC_ZOO_KINDS; ++kind)
  {
    orc_zoo zoo = orc_make_zoo((orc_zoo_kind)kind, 5, 9);
    sq_cells block = sqt_cells_of_zoo(&zoo);
    check_mesh(&block, 3u + (unsigned)kind);
    orc_zoo_free(&zoo);
  }
}

static void every_type(void)
{
  static sqt_bag bag;
  for (int global = 0; global < 2; ++global)
  {
    sqt_make_bag(&bag, 10 + (uint64_t)global, global);
    check_mesh(&bag.cells, 20u + (unsigned)global);
  }
}

static const sqt_case cases[] = {
  { "linear solids", linear_solids },
  { "every type", every_type },
};
SQT_MAIN(cases)
