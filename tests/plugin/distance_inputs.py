"""Signed Distance Field: what may be a surface, composites on either side, empty, missing and non-finite data."""

import numpy as np
from vtkmodules.vtkCommonDataModel import (
    vtkMultiBlockDataSet,
    vtkPartitionedDataSet,
    vtkPartitionedDataSetCollection,
    vtkPolyData,
    vtkUnstructuredGrid,
)

import brute_force
import harness
import meshes
import vtk_data as vd

ALL = [
    "SignedDistance",
    "vtkValidPointMask",
    "ClosestPoint",
    "ClosestCellId",
    "ClosestSubId",
    "ClosestBarycentric",
]


def distance(queries, surface, **settings):
    data = queries if hasattr(queries, "IsA") else vd.cloud(queries)
    return harness.run("SignedDistanceField", settings, Input=data, Surface=surface)


class Surfaces(harness.Case):
    q = meshes.random_points(300, -1, 2, 12)
    want = meshes.box_distance(q)

    def test_cells_of_two_dimensions_in_any_data_set(self):
        """A polygon, a quad, a strip, a pixel and triangles close a cube; a vertex, a line and a tetrahedron are no surface."""
        xyz = np.concatenate([meshes.BOX_CORNERS, [(0.5, 0.5, 0.5), (3, 3, 3)]])
        cells = [(1, [9]), (3, [8, 9]), (10, [0, 1, 2, 9])]
        cells += [(7, [0, 3, 2, 1]), (9, [4, 5, 6, 7]), (6, [0, 1, 4, 5]), (8, [1, 2, 5, 6])]
        cells += [(5, t) for t in meshes.BOX_TRIANGLES[8:]]
        out = distance(self.q, vd.unstructured(xyz, cells))
        self.close(out.point("SignedDistance"), self.want, 2e-15)
        self.assertGreaterEqual(out.point("ClosestCellId").min(), 3)
        self.quiet(out)

    def test_concave_polygon(self):
        """An L as caps of a prism; the notch is outside."""
        plan = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
        n = len(plan)
        for turn in range(n):  # whichever corner comes first
            order = np.roll(np.arange(n), turn)
            xyz = np.array([(*plan[i], z) for z in (0, 1) for i in order])
            faces = [list(range(n))[::-1], list(range(n, 2 * n))]
            faces += [[i, (i + 1) % n, (i + 1) % n + n, i + n] for i in range(n)]
            out = distance(
                [(1.5, 1.5, 0.5), (0.5, 0.5, 0.5), (1.2, 1.4, 1), (1.5, 0.75, 2)],
                vd.polydata(xyz, faces),
            )
            self.close(out.point("SignedDistance"), [0.5, -0.5, 0.2, 1], 1e-15)
            self.quiet(out)

    def test_boundary_of_a_volume_mesh(self):
        """Without 2-D cells: the faces that one 3-D cell alone has; the id is that cell's."""
        for mesh in (meshes.hexahedra(3), meshes.tetrahedra()):
            out = distance(self.q, mesh)
            self.close(out.point("SignedDistance"), self.want, 2e-15)
            self.quiet(out)
        out = distance([(0.9, 0.9, 2), (0.1, 0.9, 1.5), (0.1, 0.1, -1)], meshes.hexahedra(2))
        self.assertEqual(out.point("ClosestCellId").tolist(), [7, 6, 0])
        size = (5, 1, 1)
        out = distance(self.q * size, meshes.mixed())
        self.close(out.point("SignedDistance"), meshes.box_distance(self.q * size, hi=size), 8e-15)

    def test_structured_surfaces(self):
        """A flat image is a sheet of pixels; a solid one has a boundary."""
        sheet = vd.image((4, 3, 1), (0, 0, 0.5), (0.5, 0.5, 1))
        q = np.array([(0.7, 0.7, 2), (-3, 0, 0.5), (1.5, 1, -0.5)])
        self.close(distance(q, sheet, SignMethod=3).point("SignedDistance"), [1.5, 3, 1], 1e-15)
        self.close(
            distance(self.q, vd.image((3, 3, 3), spacing=(0.5,) * 3)).point("SignedDistance"),
            self.want,
            2e-15,
        )

    def test_lines_and_vertices_only(self):
        """Unsigned distance to them, and it says so once."""
        xyz = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (9, 9, 9)]
        out = distance(
            [(1, 1, 1), (9, 9, 8), (3, 3, 0), (2, 0, 0)],
            vd.polydata(xyz, lines=[(0, 1, 2)], verts=[(3,)]),
        )
        self.close(out.point("SignedDistance"), [np.sqrt(2), 1, np.sqrt(2), 0], 1e-15)
        self.assertEqual(out.point("ClosestCellId").tolist(), [1, 0, 1, 1])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1] * 4)
        self.one_message(out, "(?i)lines")

    def test_float32(self):
        """The stored coordinates are what is measured; answers are in double."""
        rounded = np.float32([0.1, 0.2, 0.3]).astype(float), np.float32([1.1, 1.7, 1.3]).astype(
            float
        )
        box = meshes.box((0.1, 0.2, 0.3), (1.1, 1.7, 1.3), dtype=np.float32)
        out = distance(self.q, box)
        self.close(out.point("SignedDistance"), meshes.box_distance(self.q, *rounded), 4e-15)
        data = vd.cloud(self.q, dtype=np.float32)
        out = distance(data, meshes.box())
        self.close(out.point("SignedDistance"), meshes.box_distance(vd.coordinates(data)), 4e-15)
        self.assertEqual(out.type("SignedDistance"), "vtkDoubleArray")

    def test_cell_ids_of_32_bits(self):
        xyz, tri = meshes.sphere_triangles(8, 12)
        a, b = (distance(self.q, vd.polydata(xyz, tri, width=w)) for w in (32, 64))
        for name in ALL:
            np.testing.assert_array_equal(a.point(name), b.point(name))

    def test_merge_points_and_tolerance(self):
        """Corners 1e-9 apart are welded by a tolerance of 1e-8 of the diagonal and are open without."""
        soup = meshes.box(soup=True)
        shaken = vd.coordinates(soup) + np.random.RandomState(3).uniform(-1, 1, (36, 3)) * 5e-10
        faces = np.arange(36).reshape(12, 3)
        out = distance(self.q, vd.polydata(shaken, faces), MergeTolerance=1e-8)
        self.close(out.point("SignedDistance"), self.want, 2e-9)
        self.quiet(out)
        self.quiet(distance(self.q, soup, SignMethod=1))
        for surface, settings in ((vd.polydata(shaken, faces), {}), (soup, {"MergePoints": 0})):
            out = distance(self.q, surface, SignMethod=1, **settings)
            self.one_message(out, "(?i)open|boundary|closed")
            out = distance(self.q, surface, **settings)
            self.close(out.point("SignedDistance"), self.want, 2e-9)
            self.assertEqual(out.field("SignMethodUsed").tolist(), [2])


class Warnings(harness.Case):
    def test_open_surface(self):
        q = [(0.5, 0.5, 3), (0.5, 0.5, -0.5)]
        open_box = meshes.box(drop=(2, 3))
        out = distance(q, open_box, SignMethod=1)
        self.one_message(out, "(?i)open|boundary|closed")
        self.assertIn("4", out.messages[0][1])  # the number of boundary edges
        self.close(np.abs(out.point("SignedDistance")), [np.sqrt(4.25), 0.5], 1e-15)
        for method in (0, 2):
            out = self.winding(q, open_box, SignMethod=method)
            self.close(out.point("SignedDistance"), [np.sqrt(4.25), 0.5], 1e-15)
        self.quiet(distance(q, open_box, SignMethod=3))

    def winding(self, q, surface, **settings):
        """What needs the winding number gets it, without a word."""
        out = distance(q, surface, **settings)
        self.quiet(out)
        self.assertEqual(out.field("SignMethodUsed").tolist(), [2])
        return out

    def test_not_oriented(self):
        cells = [list(t) for t in meshes.BOX_TRIANGLES]
        cells[5] = cells[5][::-1]
        turned = vd.polydata(meshes.BOX_CORNERS, cells)
        self.one_message(distance([(0.5, 0.5, 3)], turned, SignMethod=1), "inconsistent")
        self.winding([(0.5, 0.5, 3)], turned)

    def test_not_manifold(self):
        """Two boxes that share an edge: four triangles at it."""
        two = np.concatenate([meshes.BOX_CORNERS, meshes.BOX_CORNERS + (1, 1, 0)])
        cells = meshes.BOX_TRIANGLES + [tuple(v + 8 for v in t) for t in meshes.BOX_TRIANGLES]
        self.one_message(distance([(0.5, 0.5, 3)], vd.polydata(two, cells), SignMethod=1), "manifold")
        self.close(self.winding([(0.5, 0.5, 3)], vd.polydata(two, cells)).point("SignedDistance"), [2])


    def test_inward(self):
        """Closed, but turned inside out: said once, with what to do about it."""
        q, inward = [(0.5, 0.5, 0.5), (0.5, 0.5, 3)], meshes.box(inward=True)
        f = harness.Filter("SignedDistanceField", Input=vd.cloud(q), Surface=inward)
        out = f.apply()
        self.one_message(out, "inward.*-1.*FlipInsideOut")
        self.close(out.point("SignedDistance"), [0.5, -2])
        self.quiet(f.apply(ComputeGradient=1))
        f.delete()
        out = distance(q, inward, FlipInsideOut=1)
        self.quiet(out)
        self.close(out.point("SignedDistance"), [-0.5, 2])
        self.quiet(distance(q, inward, SignMethod=3))
        # A sheet laid double holds nothing; rounding of its volume is no reason for a word.
        both = [(0, 1, 2), (0, 2, 1)]
        self.quiet(distance(q, vd.polydata([(0.1, 0.7, 0.3), (1.3, 0, 0.9), (1, 1.7, 0)], both)))

    def test_float32_too_coarse(self):
        for offset, dtype, wanted in (
            (0, np.float32, 0),
            (1e3, np.float32, 0),
            (1e6, np.float32, 1),
            (1e6, np.float64, 0),
        ):
            xyz, faces = meshes.sphere_triangles(rings=12, segments=24)
            surface = vd.polydata((xyz + offset).astype(dtype), faces, dtype=dtype)
            out = distance([(offset, offset, offset)], surface)
            self.assertEqual(len(out.messages), wanted, (offset, out.messages))
            if wanted:
                self.assertRegex(out.messages[0][1], "[0-9]+ of 528 triangles .*float32")


class GlobalIds(harness.Case):
    def surface(self):
        box = meshes.box()
        box.GetCellData().SetGlobalIds(vd.array("number", range(111, 99, -1), ids=True))
        return box

    def test_reported_beside_the_local_id(self):
        out = distance([(0.4, 0.5, -1), (np.nan, 0, 0)], self.surface())
        self.assertEqual(out.point("ClosestCellId").tolist(), [0, -1])
        self.assertEqual(out.point("ClosestCellGlobalId").tolist(), [111, -1])
        self.assertEqual(out.type("ClosestCellGlobalId"), "vtkIdTypeArray")

    def test_ties_take_the_lowest_global_id(self):
        out = distance([(0.5, 0.5, 0.5)], self.surface())
        self.assertEqual(out.point("ClosestCellGlobalId").tolist(), [100])


class Composite(harness.Case):
    def test_input_keeps_its_structure(self):
        a, b = [(0.5, 0.5, 0.5), (2, 2, 2)], [(0.5, 0.5, 4)]
        inner = vd.multiblock(vd.cloud(b), None, vtkPolyData(), names=("in", "none", "empty"))
        tree = vd.multiblock(
            vd.cloud(a), inner, vd.image((2, 2, 1), (0, 0, 3)), names=("first", "second", "third")
        )
        out = distance(tree, meshes.box())
        self.assertTrue(out.data.IsA("vtkMultiBlockDataSet"))
        self.assertEqual(out.data.GetNumberOfBlocks(), 3)
        self.assertEqual(out.data.GetMetaData(1).Get(vtkMultiBlockDataSet.NAME()), "second")
        self.assertEqual(out.data.GetBlock(1).GetNumberOfBlocks(), 3)
        self.assertIsNone(out.data.GetBlock(1).GetBlock(1))
        kinds = [leaf and leaf.GetClassName() for leaf in vd.leaves(out.data)]
        self.assertEqual(kinds, ["vtkPolyData", "vtkPolyData", None, "vtkPolyData", "vtkImageData"])
        self.close(out.point("SignedDistance", 0), [-0.5, np.sqrt(3)], 1e-15)
        self.close(out.point("SignedDistance", 1), [3])
        self.close(out.point("SignedDistance", 4), [2] * 4)
        for block in (0, 1, 3, 4):  # every leaf has all arrays, the empty one too
            self.assertEqual(sorted(out.points(block)), sorted(ALL))
            self.assertEqual(out.active(block=block), "SignedDistance")
        self.assertIn("BVHReused", out.fields())
        self.quiet(out)

    def test_all_blocks_of_the_surface_are_one(self):
        """The nearest block answers, by its flat composite index."""
        right, top = meshes.box((3, 0, 0), (4, 1, 1)), meshes.box((0, 5, 0), (1, 6, 1))
        tree = vd.multiblock(meshes.box(), None, vd.multiblock(right, vtkPolyData()), top)
        q = np.array(
            [
                (2.9, 0.5, 0.5),
                (-0.1, 0.5, 0.5),
                (0.5, 4.9, 0.5),
                (1.9, 0.5, 0.5),
                (0.5, 5.5, 0.75),
                (2, 0.5, 0.5),
            ]
        )
        out = distance(q, tree)
        self.close(out.point("SignedDistance"), [0.1, 0.1, 0.1, 0.9, -0.25, 1], 1e-14)
        # Flat index: root 0, blocks 1 and 2, the inner multiblock 3 with 4 and 5, the last block 6. A tie: lowest block.
        self.assertEqual(out.point("ClosestCellBlock").tolist(), [4, 1, 6, 1, 6, 1])
        self.assertEqual(out.point("ClosestCellId")[5], 6)
        self.quiet(out)

    def test_one_body_cut_into_blocks_is_closed(self):
        """Points that coincide in different blocks are welded too."""
        faces = meshes.BOX_TRIANGLES
        tree = vd.multiblock(
            *[vd.polydata(meshes.BOX_CORNERS, faces[i : i + 4]) for i in (0, 4, 8)]
        )
        q = meshes.random_points(200, -1, 2, 13)
        out = distance(q, tree)
        self.close(out.point("SignedDistance"), meshes.box_distance(q), 2e-15)
        self.quiet(out)

    def test_partitioned_collection(self):
        """The block is the partitioned data set's index, whichever partition the cell is in."""
        collection = vtkPartitionedDataSetCollection()
        for i, xs in enumerate(((0, 10), (20,))):
            parts = vtkPartitionedDataSet()
            for k, x in enumerate(xs):
                parts.SetPartition(k, meshes.box((x, 0, 0), (x + 1, 1, 1)))
            collection.SetPartitionedDataSet(i, parts)
        q = [(-1, 0.5, 0.5), (12, 0.5, 0.5), (22, 0.5, 0.5)]
        out = distance(q, collection)
        self.close(out.point("SignedDistance"), [1, 1, 1], 1e-15)
        block = out.point("ClosestCellBlock")
        self.assertEqual(block[0], block[1])
        self.assertNotEqual(block[0], block[2])
        out = distance(collection, meshes.box())
        self.assertEqual(out.data.GetClassName(), "vtkPartitionedDataSetCollection")
        self.assertEqual(out.data.GetPartitionedDataSet(0).GetNumberOfPartitions(), 2)
        self.close(
            out.point("SignedDistance", 1),
            meshes.box_distance(vd.coordinates(vd.leaves(collection)[1])),
            1e-14,
        )

    def test_no_block_array_without_blocks(self):
        self.assertNotIn("ClosestCellBlock", distance([(2, 2, 2)], meshes.box()).points())


class Empty(harness.Case):
    def missed(self, out, n=2):
        self.assertEqual(sorted(set(out.points())), sorted(ALL))
        self.close(out.point("SignedDistance"), [np.nan] * n)
        self.assertEqual(out.point("ClosestCellId").tolist(), [-1] * n)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [0] * n)
        self.assertTrue(np.isnan(out.point("ClosestPoint")).all())

    def test_empty_surface(self):
        q = [(0, 0, 0), (1, 2, 3)]
        for surface in (
            vtkPolyData(),
            vtkUnstructuredGrid(),
            vd.cloud([(0, 0, 0), (1, 0, 0)]),
            vd.multiblock(None, vtkPolyData()),
        ):
            out = distance(q, surface)
            if surface.IsA("vtkMultiBlockDataSet"):
                self.assertEqual(out.point("ClosestCellBlock").tolist(), [-1, -1])
                out.leaf().GetPointData().RemoveArray("ClosestCellBlock")
            self.missed(out)
            self.assertEqual([m for m in out.messages if m[0] == "error"], [])

    def test_no_queries(self):
        for data in (vtkPolyData(), vtkUnstructuredGrid(), vd.multiblock(vtkPolyData())):
            out = distance(data, meshes.box())
            self.assertEqual(sorted(out.points()), sorted(ALL))
            self.assertEqual(len(out.point("SignedDistance")), 0)
            self.quiet(out)

    def test_unset_surface_gives_one_message(self):
        f = harness.Filter("SignedDistanceField", Input=vd.cloud([(0, 0, 0), (1, 2, 3)]))
        out = f.apply()
        self.missed(out)
        self.one_message(out, r"Signed Distance Field: no Surface is set \(Edit > Change Input\)")
        f.delete()

    def test_surface_vanishes_and_comes_back(self):
        f = harness.Filter(
            "SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 2)]), Surface=meshes.box()
        )
        self.close(f.apply().point("SignedDistance"), [1])
        self.close(f.feed(Surface=vtkPolyData()).apply().point("SignedDistance"), [np.nan])
        self.close(f.feed(Surface=meshes.box()).apply().point("SignedDistance"), [1])
        f.delete()


class NonFinite(harness.Case):
    def test_queries(self):
        q = [
            (0.5, 0.5, 2),
            (np.nan, 0, 0),
            (0.5, 0.5, 0.75),
            (0, 0, np.nan),
            (np.inf, 0, 0),
            (1, 1, -np.inf),
            (0.5, 0.5, -1),
        ]
        out = distance(q, meshes.box(), ComputeGradient=1)
        d, mask, cell = (
            out.point(n) for n in ("SignedDistance", "vtkValidPointMask", "ClosestCellId")
        )
        self.close(d[[0, 2, 6]], [1, -0.25, 1])
        self.assertEqual(mask[[0, 1, 2, 3, 6]].tolist(), [1, 0, 1, 0, 1])
        self.assertTrue(np.isnan(d[[1, 3]]).all())
        self.assertEqual(cell[[1, 3]].tolist(), [-1, -1])
        for i in (4, 5):  # infinitely far: so it says, or it is invalid
            self.assertFalse(np.isfinite(d[i]))

    def test_far_queries(self):
        far = np.array([(1e300, 0.5, 0.5), (0.5, -1e200, 0.5), (1e10, 1e10, 1e10)])
        d = distance(far, meshes.box()).point("SignedDistance")
        self.close(d / [1e300, 1e200, 1e10 * np.sqrt(3)], [1, 1, 1], 1e-9)

    def test_surface_corners(self):
        """A triangle with a corner that is no point is left out, counted, and named in one warning."""
        for bad in (np.nan, np.inf):
            xyz = np.concatenate([[(bad, 0, 0)], meshes.BOX_CORNERS])
            cells = [(0, 1, 2)] + [tuple(v + 1 for v in t) for t in meshes.BOX_TRIANGLES]
            q = meshes.random_points(100, -1, 2, 14)
            out = distance(q, vd.polydata(xyz, cells))
            self.close(out.point("SignedDistance"), meshes.box_distance(q), 2e-15)
            self.assertGreaterEqual(out.point("ClosestCellId").min(), 1)
            self.assertEqual(out.field("SkippedElements").tolist(), [1])
            self.assertEqual(len(out.messages), 1, out.messages)

    def test_ghost_cells_of_the_surface_take_no_part(self):
        for bit in (1, 32):
            xyz = np.concatenate([meshes.BOX_CORNERS, [(0, 0, 5), (1, 0, 5), (0, 1, 5)]])
            box = vd.polydata(xyz, [(8, 9, 10)] + meshes.BOX_TRIANGLES)
            vd.add(box, "cell", vtkGhostType=np.array([bit] + [0] * 12, np.uint8))
            out = distance([(0.25, 0.25, 4)], box)
            self.close(out.point("SignedDistance"), [3])
            self.quiet(out)

    def test_brute_force_agrees_with_itself(self):
        """The comparison used by the other files: distances and winding numbers of a box have closed forms."""
        q = meshes.random_points(50, -1, 2, 15)
        want = meshes.box_distance(q)
        self.close(
            brute_force.signed_distance(q, meshes.BOX_CORNERS, meshes.BOX_TRIANGLES), want, 2e-15
        )


if __name__ == "__main__":
    harness.main()
