"""BVH Probe: every kind of data set on either port, composites, elements, ghosts and non-finite cells."""

import numpy as np
from vtkmodules.vtkCommonCore import mutable
from vtkmodules.vtkCommonDataModel import (
    VTK_XYZ_GRID,
    vtkAMRBox,
    vtkAMRUtilities,
    vtkMultiBlockDataSet,
    vtkOverlappingAMR,
    vtkPartitionedDataSet,
    vtkPartitionedDataSetCollection,
    vtkPolyData,
    vtkUniformGrid,
)

import harness
import meshes
import vtk_data as vd


def with_field(mesh):
    vd.add(mesh, f=meshes.linear(vd.coordinates(mesh)))
    return vd.add(mesh, "cell", c=np.arange(mesh.GetNumberOfCells(), dtype=np.int32))


def probe(queries, source, **settings):
    data = queries if hasattr(queries, "IsA") else vd.cloud(queries)
    return harness.run("BVHProbe", settings, Input=data, SourceMesh=source)


def grids():
    """The unit cube as an image, a rectilinear and a structured grid of 2 x 3 x 2 cells."""
    image = vd.image((3, 4, 3), spacing=(1 / 2, 1 / 3, 1 / 2))
    rect = vd.rectilinear([0, 0.3, 1], [0, 0.2, 0.5, 1], [0, 0.9, 1])
    return image, rect, vd.structured((3, 4, 3), vd.coordinates(rect))


class Sources(harness.Case):
    def test_grids(self):
        q = meshes.random_points(300, 0, 1, 41)
        border = np.stack(np.meshgrid([0, 0.3, 0.5, 1], [0, 0.2, 1], [0, 0.9, 1]), -1).reshape(
            -1, 3
        )
        q = np.concatenate([q, border, [(1.1, 0.5, 0.5)]])
        for source in grids():
            with self.subTest(source.GetClassName()):
                out = probe(q, with_field(source))
                self.assertEqual(out.point("vtkValidPointMask").tolist(), [1] * (len(q) - 1) + [0])
                self.close(out.point("f")[:-1], meshes.linear(q[:-1]), 1e-13)
                for i in range(300):  # away from the faces VTK's own search agrees
                    found = source.FindCell(
                        list(q[i]), None, 0, 1e-12, mutable(0), [0.0] * 3, [0.0] * 8
                    )
                    self.assertEqual(out.point("c")[i], found)

    def test_flat_grids(self):
        """Images of one slice are pixels or lines in space."""
        q = [(0.25, 0.75, 2), (0.25, 0.75, 2.1)]
        out = probe(q, with_field(vd.image((3, 3, 1), (0, 0, 2), (0.5, 0.5, 1))))
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0])
        self.assertEqual(out.point("c").tolist(), [2, -1])
        out = probe(
            [(3, 0.3, 2), (3, 0.8, 2), (2, 0.3, 2)],
            with_field(vd.image((1, 3, 1), (3, 0, 2), (1, 0.5, 1))),
        )
        self.assertEqual(out.point("c").tolist(), [0, 1, -1])

    def test_blanked_cells_of_an_image(self):
        source = with_field(vd.image((4, 2, 2)))
        vd.add(source, "cell", vtkGhostType=np.uint8([0, 32, 0]))
        out = probe([(0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (1, 0.5, 0.5), (2, 0.5, 0.5)], source)
        self.assertEqual(out.point("CellId").tolist(), [0, -1, 0, 2])

    def test_poly_data(self):
        xyz = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0), (2, 1, 0), (9, 9, 9)]
        source = with_field(
            vd.polydata(xyz, polys=[(0, 1, 2, 3)], strips=[(1, 2, 4, 5)], verts=[(6,)])
        )
        out = probe([(0.3, 0.6, 0), (1.7, 0.4, 0), (3, 0, 0)], source)
        self.assertEqual(out.point("c").tolist(), [1, 2, -1])
        self.close(out.point("f")[:2], meshes.linear([(0.3, 0.6, 0), (1.7, 0.4, 0)]), 1e-14)

    def test_32_bit_ids_and_float_points(self):
        xyz, tri = meshes.sphere_triangles(8, 10)
        q = xyz[tri].mean(axis=1)
        for width in (32, 64):
            for dtype in (np.float32, np.float64):
                source = vd.add(
                    vd.polydata(xyz, tri, width=width, dtype=dtype), "cell", c=np.arange(len(tri))
                )
                centre = vd.centres(source)
                out = probe(vd.cloud(centre, dtype=dtype), source)
                self.assertEqual(out.point("c").tolist(), list(range(len(tri))))
                self.close(centre, q, 1e-6)


class Composite(harness.Case):
    def blocks(self):
        left = with_field(vd.unstructured(meshes.BOX_CORNERS, [(12, range(8))]))
        right = with_field(vd.unstructured(meshes.BOX_CORNERS + (1, 0, 0), [(12, range(8))]))
        vd.add(left, only=np.full(8, 3.0))
        return left, right

    def test_blocks_are_one_mesh(self):
        left, right = self.blocks()
        tree = vd.multiblock(None, left, vd.multiblock(vtkPolyData(), right))
        q = [(0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (1, 0.5, 0.5), (3, 0, 0)]
        out = probe(q, tree)
        self.close(out.point("f"), [*meshes.linear(q[:3]), np.nan], 1e-14)
        # Flat index: root 0, None 1, left 2, the inner multiblock 3 with 4 and 5. A common face: lowest block.
        self.assertEqual(out.point("CellBlock").tolist(), [2, 5, 2, -1])
        self.assertEqual(out.point("CellId").tolist(), [0, 0, 0, -1])
        self.quiet(out)

    def test_array_of_some_blocks(self):
        """Missing in the others, with a mask of its own."""
        out = probe([(0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (3, 0, 0)], vd.multiblock(*self.blocks()))
        self.close(out.point("only"), [3, np.nan, np.nan])
        self.assertEqual(out.point("only_valid").tolist(), [1, 0, 0])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 1, 0])
        self.assertNotIn("f_valid", out.points())

    def test_partitioned_collection(self):
        left, right = self.blocks()
        collection = vtkPartitionedDataSetCollection()
        parts = vtkPartitionedDataSet()
        parts.SetPartition(0, left)
        parts.SetPartition(1, right)
        collection.SetPartitionedDataSet(0, parts)
        out = probe([(0.5, 0.5, 0.5), (1.5, 0.5, 0.5)], collection)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 1])
        block = out.point("CellBlock")
        self.assertEqual(block[0], block[1])

    def test_no_block_array_without_blocks(self):
        self.assertNotIn("CellBlock", probe([(0.5, 0.5, 0.5)], self.blocks()[0]).points())

    def test_input_keeps_its_structure(self):
        inner = vd.multiblock(vd.cloud([(9, 9, 9)]), None, names=("far", "none"))
        tree = vd.multiblock(
            vd.cloud([(0.5, 0.5, 0.5), (2, 2, 2)]),
            inner,
            vd.image((2, 2, 1)),
            names=("a", "b", "c"),
        )
        out = probe(tree, self.blocks()[0])
        self.assertEqual(
            [leaf and leaf.GetClassName() for leaf in vd.leaves(out.data)],
            ["vtkPolyData", "vtkPolyData", None, "vtkImageData"],
        )
        self.assertEqual(out.data.GetMetaData(1).Get(vtkMultiBlockDataSet.NAME()), "b")
        self.assertEqual(out.point("vtkValidPointMask", 0).tolist(), [1, 0])
        self.assertEqual(out.point("vtkValidPointMask", 1).tolist(), [0])
        self.assertEqual(out.point("vtkValidPointMask", 3).tolist(), [1, 1, 1, 1])
        self.assertEqual(out.field("ValidPoints").tolist(), [5])
        self.assertEqual(out.field("MissedPoints").tolist(), [2])


class Elements(harness.Case):
    def test_cells(self):
        data = vd.image((4, 3, 2), (-0.4, 0, 0), (0.5, 0.4, 1))
        vd.add(data, "cell", mine=np.arange(6.0), f=np.full(6, 8.0))
        vd.add(data, onpoints=np.arange(24.0))
        out = probe(data, with_field(meshes.hexahedra(2)), InputElements=1)
        centre = vd.centres(data)
        inside = ((centre >= 0) & (centre <= 1)).all(axis=1)
        self.assertTrue(0 < inside.sum() < 6)
        self.assertEqual(out.points(), ["onpoints"])
        self.assertEqual(out.type("vtkValidCellMask", "cell"), "vtkCharArray")
        np.testing.assert_array_equal(out.cell("vtkValidCellMask") == 1, inside)
        self.close(out.cell("f"), np.where(inside, meshes.linear(centre), np.nan), 1e-14)
        self.close(out.cell("f_input"), np.full(6, 8.0))
        self.close(out.cell("mine"), np.arange(6.0))
        self.assertEqual(out.cell("CellId").dtype, np.int64)
        self.assertEqual(out.active("cell"), "f")
        self.assertEqual(out.field("ValidPoints").tolist(), [int(inside.sum())])

    def test_every_kind_of_data_set(self):
        source = with_field(meshes.hexahedra(2, 6.0))
        for data in (
            *grids(),
            meshes.mixed(),
            meshes.sphere(rings=5, segments=6, centre=(2, 2, 2)),
            vd.cloud([(1, 2, 3)]),
        ):
            with self.subTest(data.GetClassName()):
                out = probe(data, source)
                self.assertEqual(out.leaf().GetClassName(), data.GetClassName())
                self.close(out.point("f"), meshes.linear(vd.coordinates(data)), 1e-13)
                out = probe(data, source, InputElements=1)
                self.close(out.cell("f"), meshes.linear(vd.centres(data)), 1e-13)

    def test_extents_that_do_not_start_at_zero(self):
        data = vd.image((1, 1, 1), (0.1, 0.2, 0.3), (0.25, 0.25, 0.25))
        data.SetExtent(1, 2, 0, 2, -1, 1)
        out = probe(data, with_field(meshes.hexahedra(2)))
        self.close(out.point("f"), meshes.linear(vd.coordinates(data)), 1e-14)
        self.assertEqual(out.data.GetExtent(), (1, 2, 0, 2, -1, 1))


class Ghosts(harness.Case):
    def pair(self, first):
        """Two unit squares side by side; the first has the ghost bits `first`."""
        xyz = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]
        mesh = with_field(vd.unstructured(xyz, [(9, (0, 1, 4, 3)), (9, (1, 2, 5, 4))]))
        return vd.add(mesh, "cell", vtkGhostType=np.uint8([first, 0]))

    def test_hidden_cells_never_match(self):
        q = [(0.5, 0.5, 0), (1.5, 0.5, 0), (1, 0.5, 0), (1, 1, 0)]
        out = probe(q, self.pair(32))
        self.assertEqual(out.point("CellId").tolist(), [-1, 1, 1, 1])
        out = probe(q, self.pair(32), Mode=1)
        self.assertEqual(out.point("CellId").tolist(), [1, 1, 1, 1])
        self.close(out.point("Distance"), [0.5, 0, 0, 0])

    def test_duplicates_never_win_over_real_cells(self):
        self.assertEqual(
            probe([(1, 0.5, 0), (1.5, 0.5, 0)], self.pair(1)).point("CellId").tolist(), [1, 1]
        )
        twice = np.concatenate([meshes.BOX_CORNERS, meshes.BOX_CORNERS])
        mesh = with_field(vd.unstructured(twice, [(12, range(8)), (12, range(8, 16))]))
        vd.add(mesh, "cell", vtkGhostType=np.uint8([1, 0]))
        out = probe([(0.5, 0.5, 0.5)], mesh, ComputeContainingCellCount=1)
        self.assertEqual(out.point("CellId").tolist(), [1])
        self.assertEqual(out.point("ContainingCellCount").tolist(), [1])

    def test_hidden_points_hide_cells_of_structured_data(self):
        """PLOT3D's iblank: VTK's own IsCellVisible() says so, and no other data set has the rule."""
        q = vd.coordinates(vd.image((3, 2, 2), (0.5, 0.25, 0.25), (1, 0.5, 0.5)))
        for grid in (
            vd.image((4, 2, 2)),
            vd.rectilinear([0, 1, 2, 3], [0, 1], [0, 1]),
            vd.structured((4, 2, 2), vd.coordinates(vd.image((4, 2, 2)))),
        ):
            with self.subTest(grid.GetClassName()):
                f = harness.Filter("BVHProbe", Input=vd.cloud(q), SourceMesh=with_field(grid))
                self.assertEqual(f.apply().point("CellId").tolist(), [0, 1, 2] * 4)
                hidden = np.zeros(16, np.uint8)
                hidden[[1, 5]] = 2
                seen = grid.NewInstance()
                seen.DeepCopy(grid)
                vd.add(seen, vtkGhostType=hidden)
                vd.add(seen, "cell", vtkGhostType=np.uint8([1, 0, 0]))
                self.assertEqual([seen.IsCellVisible(i) for i in range(3)], [0, 0, 1])
                out = f.feed(SourceMesh=seen).apply()
                self.assertEqual(out.field("BVHReused").tolist(), [0])
                self.assertEqual(out.point("CellId").tolist(), [-1, -1, 2] * 4)
                centres = {"InputElements": 1, "MaximumDepth": 0}
                tree = harness.run("ClusterTree", centres, Input=seen)
                self.assertEqual(tree.cell("PointCount").tolist(), [1])
                boxes = harness.run("BVHBoxes", {"MaximumDepth": 0}, Input=seen)
                self.assertEqual(boxes.cell("CellCount").tolist(), [1])
                f.delete()

    def test_refined_cells_never_match(self):
        """Of the levels of AMR the finest answers."""
        amr = vtkOverlappingAMR()
        amr.Initialize(2, [1, 1])
        amr.SetOrigin([0, 0, 0])
        amr.SetGridDescription(VTK_XYZ_GRID)
        for level, size in enumerate((1.0, 0.5)):
            grid = vtkUniformGrid()
            grid.SetSpacing(size, size, size)
            grid.SetDimensions(5, 5, 5)
            vd.add(grid, "cell", level=np.full(64, level, np.int32))
            amr.SetSpacing(level, [size] * 3)
            amr.SetAMRBox(level, 0, vtkAMRBox((0, 0, 0), (3, 3, 3)))
            amr.SetDataSet(level, 0, grid)
        amr.SetRefinementRatio(0, 2)
        vtkAMRUtilities.BlankCells(amr)
        out = probe([(0.6, 0.6, 0.6), (3.5, 3.5, 3.5), (1.9, 0.1, 0.1), (5, 5, 5)], amr)
        self.assertEqual(out.point("level").tolist(), [1, 0, 1, -1])
        self.assertEqual(out.point("CellBlock").tolist(), [1, 0, 1, -1])
        for name, column in (("BVHBoxes", "CellCount"), ("ClusterTree", "PointCount")):
            centres = {"InputElements": 1} if name == "ClusterTree" else {}
            tree = harness.run(name, dict(centres, MaximumDepth=0), Input=amr)
            self.assertEqual(tree.cell(column).tolist(), [64 - 8 + 64])

    def test_duplicates_answer_where_no_real_cell_does(self):
        """Also on an image, whose points are rastered; a real cell within tolerance goes first."""
        mesh = vd.add(meshes.hexahedra(2), "cell", vtkGhostType=np.uint8([1, 0, 1, 0, 0, 1, 33, 1]))
        with_field(mesh)
        image = vd.image((5, 5, 5), spacing=(0.25,) * 3)
        q = vd.coordinates(image)
        # Of the cells around a point the lowest real one, else the lowest duplicate one; never cell 6.
        want = []
        for x in q:
            sides = [{0} if c < 0.5 else {1} if c > 0.5 else {0, 1} for c in x]
            around = {i + 2 * j + 4 * k for i in sides[0] for j in sides[1] for k in sides[2]} - {6}
            real = around & {1, 3, 4}
            want.append(min(real or around or {-1}))
        for data in (image, vd.cloud(q)):
            out = probe(data, mesh)
            self.assertEqual(out.point("CellId").tolist(), want)
            found = np.array(want) >= 0
            self.close(out.point("f"), np.where(found, meshes.linear(q), np.nan), 1e-14)
            out = probe(data, mesh, Mode=1)
            self.assertEqual((out.point("Distance") == 0).tolist(), found.tolist())
        q = [(0.5 - 1e-9, 0.2, 0.2), (0.2, 0.2, -1), (0.9, 0.2, -1), (0.5, 0.2, -1)]
        out = probe(q, mesh, Mode=2)
        self.assertEqual(out.point("CellId").tolist(), [1, 0, 1, 1])
        self.assertEqual(out.point("SampleStatus").tolist(), [1, 2, 2, 2])


class GlobalIds(harness.Case):
    def source(self):
        mesh = with_field(meshes.hexahedra(2))
        mesh.GetCellData().SetGlobalIds(vd.array("number", range(107, 99, -1), ids=True))
        return mesh

    def test_reported_beside_the_local_id(self):
        out = probe([(0.2, 0.2, 0.2), (0.8, 0.2, 0.2), (3, 3, 3)], self.source())
        self.assertEqual(out.point("CellId").tolist(), [0, 1, -1])
        self.assertEqual(out.point("CellGlobalId").tolist(), [107, 106, -1])
        self.assertEqual(out.type("CellGlobalId"), "vtkIdTypeArray")
        self.assertIsNone(out.leaf().GetPointData().GetGlobalIds())
        self.assertNotIn("CellGlobalId", probe([(0.2, 0.2, 0.2)], meshes.hexahedra(2)).points())

    def test_ties_take_the_lowest_global_id(self):
        out = probe([(0.5, 0.5, 0.5), (0.5, 0.2, 0.2)], self.source())
        self.assertEqual(out.point("CellGlobalId").tolist(), [100, 106])
        self.assertEqual(out.point("CellId").tolist(), [7, 1])
        out = probe([(0.5, 0.5, 2)], self.source(), Mode=1)
        self.assertEqual(out.point("CellGlobalId").tolist(), [100])


class NonFinite(harness.Case):
    def test_source_corners(self):
        """A cell with a corner that is no point is left out, counted, and named in one warning."""
        for bad in (np.nan, np.inf, -np.inf):
            xyz = np.concatenate([[(0, bad, 0)], meshes.BOX_CORNERS])
            cells = [(10, (1, 2, 3, 0))] + [(10, [v + 1 for v in t]) for t in meshes.KUHN]
            mesh = with_field(vd.unstructured(xyz, cells))
            q = meshes.random_points(200, 0, 1, 42)
            for mode in (0, 1):
                out = probe(q, mesh, Mode=mode)
                self.close(out.point("f"), meshes.linear(q), 1e-13)
                self.assertGreaterEqual(out.point("CellId").min(), 1)
                self.assertEqual(out.field("SkippedElements").tolist(), [1])
                self.assertEqual(len(out.messages), 1, out.messages)

    def test_flat_cells_claim_nothing_off_their_plane(self):
        """A tetrahedron and a hexahedron without volume, listed first, do not shadow the real cell."""
        xyz = np.concatenate(
            [meshes.BOX_CORNERS, [(0, 0, 0.5), (1, 0, 0.5), (1, 1, 0.5), (0, 1, 0.5)]]
        )
        cells = [(10, (8, 9, 10, 11)), (12, (8, 9, 10, 11, 8, 9, 10, 11)), (12, range(8))]
        mesh = with_field(vd.unstructured(xyz, cells))
        out = probe([(0.5, 0.25, 0.6), (0.2, 0.7, 0.4)], mesh)
        self.assertEqual(out.point("CellId").tolist(), [2, 2])

    def test_upside_down_cells(self):
        """Cells of negative volume hold the same points."""
        mesh = meshes.mixed()
        turned = []
        swap = {
            10: (1, 0, 2, 3),
            11: (1, 0, 3, 2, 5, 4, 7, 6),
            12: (4, 5, 6, 7, 0, 1, 2, 3),
            13: (3, 4, 5, 0, 1, 2),
            14: (3, 2, 1, 0, 4),
        }
        for c in range(mesh.GetNumberOfCells()):
            ids = mesh.GetCell(c).GetPointIds()
            turned.append((mesh.GetCellType(c), [ids.GetId(k) for k in swap[mesh.GetCellType(c)]]))
        mesh = with_field(vd.unstructured(vd.coordinates(mesh), turned))
        q = meshes.random_points(500, (0, 0, 0), (5, 1, 1), 43)
        out = probe(q, mesh)
        self.assertTrue((out.point("vtkValidPointMask") == 1).all())
        self.close(out.point("f"), meshes.linear(q), 1e-13)

    def test_sizes_from_tiny_to_huge(self):
        for size in (1e-150, 1e-20, 1e20, 1e150):
            with self.subTest(size=size):
                mesh = meshes.tetrahedra()
                big = vd.unstructured(meshes.BOX_CORNERS * size, [(10, t) for t in meshes.KUHN])
                q = meshes.random_points(100, 0, 1, 44)
                vd.add(big, f=meshes.linear(meshes.BOX_CORNERS))
                out = probe(q * size, big)
                self.close(out.point("f"), meshes.linear(q), 1e-12)
                self.assertEqual(
                    out.point("CellId").tolist(), probe(q, mesh).point("CellId").tolist()
                )


if __name__ == "__main__":
    harness.main()
