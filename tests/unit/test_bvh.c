/** The BVH: the reference's values, and what must hold of every tree. */
#include "orc_random.h"
#include "sq_test.h"
#include "sqt_tree_mesh.h"

#include "spatialqueries/sq_morton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void golden(void)
{
  const struct
  {
    int kuhn;
    int64_t leaf_size;
    int64_t nodes;
    uint64_t order, left, lo, hi;
  } golden[] = {
    { 0, 1, 139, 0x2b9e8e2683cbec24, 0xf6a421b4b9be9fac, 0x73f779a6d842f408, 0x937a862c0fbbcfb5 },
    { 0, 3, 63, 0x2b9e8e2683cbec24, 0x6fc25dc4f50bb87a, 0x6cf67f260fd9bc85, 0x6651447c474f1158 },
    { 1, 1, 323, 0x9f6896de762ba8a4, 0xecfc7741ebf67f5f, 0x2982de871c71c3a8, 0xb454d6cb1c41cf05 },
    { 1, 3, 127, 0x9f6896de762ba8a4, 0xae053e4ba252097a, 0x09b32419ff7267a8, 0x476d4f29c33ea185 },
  };
  const int threads[] = { 1, 2, 7 };
  for (int i = 0; i < 12; ++i)
  {
    sq_context* c = sqt_context(threads[i / 4], NULL, NULL);
    sqt_simplices mesh = golden[i % 4].kuhn ? sqt_kuhn(3) : sqt_grid(7, 5);
    sq_bvh_options o = { golden[i % 4].leaf_size, 0 };
    sq_bvh_view v;
    sq_bvh* bvh = sqt_bvh(c, &mesh.cells, 1, &o, &v);
    CHECK_INT(v.node_count, golden[i % 4].nodes);
    CHECK(v.type == SQ_FLOAT32 && v.dimension == mesh.cells.points.dimension);
    CHECK_HASH(SQT_HASH(v.sorted_cell_order, v.cell_count), golden[i % 4].order);
    CHECK_HASH(SQT_HASH(v.node_left_child, v.node_count), golden[i % 4].left);
    CHECK_HASH(sqt_hash(v.node_aabb_min, v.node_count * v.dimension * 4), golden[i % 4].lo);
    CHECK_HASH(sqt_hash(v.node_aabb_max, v.node_count * v.dimension * 4), golden[i % 4].hi);
    sq_bvh_destroy(bvh);
    sqt_simplices_free(&mesh);
    sq_context_destroy(c);
  }
}

static const sqt_case cases[] = {
  { "golden", golden },
};
SQT_MAIN(cases)
