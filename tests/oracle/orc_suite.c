/** The suite of surface meshes; tests/README.md says what each is for. */
#include "orc_suite_parts.h"

#include <stdlib.h>
#include <string.h>

const orc_suite_entry orc_suite[] = {
  { "cube", orc_suite_cube, ORC_CLOSED | ORC_SIMPLE },
  { "turned box", orc_suite_turned_box, ORC_CLOSED | ORC_SIMPLE },
  { "sphere", orc_suite_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "octasphere", orc_suite_octasphere, ORC_CLOSED | ORC_SIMPLE },
  { "torus", orc_suite_torus, ORC_CLOSED | ORC_SIMPLE },
  { "rough sphere", orc_suite_rough_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "L prism", orc_suite_l_prism, ORC_CLOSED | ORC_SIMPLE },
  { "fin", orc_suite_fin, ORC_CLOSED | ORC_SIMPLE },
  { "wedge of 10 degrees", orc_suite_wedge_10_degrees, ORC_CLOSED | ORC_SIMPLE },
  { "airfoil", orc_suite_airfoil, ORC_CLOSED | ORC_SIMPLE },
  { "T-junction", orc_suite_t_junction, ORC_CLOSED | ORC_SIMPLE },
  { "T-junction, turned", orc_suite_turned_t_junction, ORC_CLOSED | ORC_SIMPLE },
  { "cube with a needle, 1e-9", orc_suite_cube_needle_9, ORC_CLOSED | ORC_SIMPLE },
  { "cube with a needle, 1e-13", orc_suite_cube_needle_13, ORC_CLOSED | ORC_SIMPLE },
  { "hollow sphere", orc_suite_hollow_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "two spheres", orc_suite_two_spheres, ORC_CLOSED | ORC_SIMPLE },
  { "cubes share a corner", orc_suite_cubes_share_corner, ORC_CLOSED },
  { "cubes share an edge", orc_suite_cubes_share_edge, ORC_CLOSED },
  { "cubes share a face", orc_suite_cubes_share_face, ORC_CLOSED },
  { "overlapping cubes", orc_suite_overlapping_cubes, ORC_CLOSED },
  { "ball in a ball", orc_suite_ball_in_ball, ORC_CLOSED },
  { "slab 1e-3", orc_suite_slab_3, ORC_CLOSED | ORC_SIMPLE },
  { "slab 1e-6", orc_suite_slab_6, ORC_CLOSED | ORC_SIMPLE },
  { "slab 1e-9", orc_suite_slab_9, ORC_CLOSED | ORC_SIMPLE },
  { "sphere at 1e6", orc_suite_far_sphere, ORC_CLOSED | ORC_SIMPLE },
  { "cube at 1e6", orc_suite_far_cube, ORC_CLOSED | ORC_SIMPLE },
  { "torus x 1e-6", orc_suite_tiny_torus, ORC_CLOSED | ORC_SIMPLE },
  { "torus x 1e6", orc_suite_huge_torus, ORC_CLOSED | ORC_SIMPLE },
  { "box x 1e-20", orc_suite_minute_cube, ORC_CLOSED | ORC_SIMPLE },
  { "box x 1e18", orc_suite_giant_cube, ORC_CLOSED | ORC_SIMPLE },
  { "balls of 1e3 and 1e-3", orc_suite_six_decades, ORC_CLOSED | ORC_SIMPLE },
  { "sphere, float32", orc_suite_float_sphere, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "torus, float32", orc_suite_float_torus, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "airfoil, float32", orc_suite_float_airfoil, ORC_CLOSED | ORC_SIMPLE | ORC_FLOAT32 },
  { "one triangle", orc_suite_one_triangle, 0 },
  { "random triangles", orc_suite_random_triangles, 0 },
  { "small triangles", orc_suite_small_triangles, 0 },
  { "slivers 1e-4", orc_suite_slivers, 0 },
  { "needles 1e-9", orc_suite_needles_9, 0 },
  { "needles 1e-13", orc_suite_needles_13, 0 },
  { "shrinking chain", orc_suite_shrinking_chain, 0 },
  { "plane", orc_suite_plane, 0 },
  { "open box", orc_suite_open_box, 0 },
  { "sphere with a flipped face", orc_suite_flipped_face, 0 },
  { "sheets 1e-3 apart", orc_suite_sheets_3, 0 },
  { "sheets 1e-6 apart", orc_suite_sheets_6, 0 },
  { "sheets 1e-9 apart", orc_suite_sheets_9, 0 },
  { "degenerate triangles only", orc_suite_degenerate_only, 0 },
  { "small triangles far away", orc_suite_small_far_triangles, 0 },
  { "every triangle thrice", orc_suite_every_triangle_thrice, 0 },
  { "triangles, float32", orc_suite_float_triangles, ORC_FLOAT32 },
};
const int orc_suite_count = (int)(sizeof(orc_suite) / sizeof(*orc_suite));

orc_mesh orc_suite_make(const char* name)
{
  for (int i = 0; i < orc_suite_count; ++i)
  {
    if (!strcmp(orc_suite[i].name, name))
    {
      return orc_suite[i].make();
    }
  }
  abort();
}
