"""BVH Probe: which cell answers, with what status, distance and parametric coordinates, in every mode."""

import numpy as np
from vtkmodules.vtkCommonCore import mutable
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkUnstructuredGrid

import brute_force
import harness
import meshes
import vtk_data as vd

INSIDE, TOLERANCE, NEAREST, OUTSIDE, INVALID = range(5)


def with_field(mesh):
    """The linear field f at the points, the cell number c at the cells."""
    vd.add(mesh, f=meshes.linear(vd.coordinates(mesh)))
    return vd.add(mesh, "cell", c=np.arange(mesh.GetNumberOfCells(), dtype=np.int32))


def probe(queries, source, **settings):
    data = queries if hasattr(queries, "IsA") else vd.cloud(queries)
    return harness.run("BVHProbe", settings, Input=data, SourceMesh=source)


def tetrahedron_of(q, mesh, tolerance=1e-12):
    """For every query the cells of a mesh of tetrahedra that contain it, by barycentric coordinates."""
    xyz, found = vd.coordinates(mesh), [[] for _ in q]
    for c in range(mesh.GetNumberOfCells()):
        ids = mesh.GetCell(c).GetPointIds()
        p = xyz[[ids.GetId(k) for k in range(4)]]
        w = np.linalg.solve((p[1:] - p[0]).T, (q - p[0]).T).T
        w = np.concatenate([1 - w.sum(axis=1)[:, None], w], axis=1)
        for i in np.nonzero((w >= -tolerance).all(axis=1))[0]:
            found[i].append(c)
    return found


class Containing(harness.Case):
    def test_linear_field_in_every_linear_cell_type(self):
        mesh = with_field(meshes.mixed())
        q = meshes.random_points(3000, (0, 0, 0), (5, 1, 1), 21)
        out = probe(q, mesh)
        self.assertTrue((out.point("vtkValidPointMask") == 1).all())
        self.assertTrue((out.point("SampleStatus") == INSIDE).all())
        self.close(out.point("f"), meshes.linear(q), 1e-13)
        self.close(out.point("Distance"), np.zeros(len(q)))
        cell = out.point("CellId")
        np.testing.assert_array_equal(out.point("c"), cell)
        np.testing.assert_array_equal(
            np.floor(q[:, 0]), np.select([cell < 1, cell < 2, cell < 4, cell < 11], [0, 1, 2, 3], 4)
        )
        self.assertEqual(set(cell), set(range(17)))
        self.quiet(out)

    def test_containing_tetrahedron(self):
        mesh = with_field(meshes.tetrahedra())
        q = meshes.random_points(1000, 0, 1, 22)
        want = tetrahedron_of(q, mesh)
        self.assertEqual(probe(q, mesh).point("CellId").tolist(), [cells[0] for cells in want])

    def test_triangles_and_quads(self):
        """A surface holds the points that lie on it."""
        cells = [(5, (0, 1, 2)), (9, (1, 3, 4, 2))]
        mesh = with_field(
            vd.unstructured([(0, 0, 0), (2, 0, 0), (0, 2, 0), (5, 0, 0), (4, 3, 0)], cells)
        )
        q = [(0.5, 0.5, 0), (1.5, 0.25, 0), (3, 1, 0), (1, 1, 0), (4.9, 2, 0), (0.5, 0.5, 0.1)]
        out = probe(q, mesh)
        self.assertEqual(out.point("CellId").tolist(), [0, 0, 1, 0, -1, -1])
        self.close(out.point("f")[:4], meshes.linear(q[:4]), 1e-14)
        self.assertTrue(np.isnan(out.point("f")[4:]).all())

    def test_on_corners_edges_and_faces(self):
        """Every point of the closed mesh is found, last bits notwithstanding; ties go to the lowest id."""
        mesh = with_field(meshes.hexahedra(3, 0.3))
        t = np.linspace(0, 0.3, 7)
        q = np.stack(np.meshgrid(t, t, t), -1).reshape(-1, 3)
        out = probe(q, mesh, ComputeContainingCellCount=1)
        self.assertTrue((out.point("vtkValidPointMask") == 1).all())
        self.close(out.point("f"), meshes.linear(q), 1e-14)
        exact = probe(
            [(0.5, 0.5, 0.5), (0.5, 0.25, 0.25), (0.25, 0.25, 0.25), (1, 1, 1)],
            meshes.hexahedra(2),
            ComputeContainingCellCount=1,
        )
        self.assertEqual(exact.point("CellId").tolist(), [0, 0, 0, 7])
        self.assertEqual(exact.point("ContainingCellCount").tolist(), [8, 2, 1, 1])

    def test_warped_hexahedron(self):
        """Shape functions forward, then found again: parametric coordinates and values come back."""
        corner = meshes.BOX_CORNERS + 0.15 * np.random.RandomState(5).uniform(-1, 1, (8, 3))
        mesh = vd.unstructured(corner, [(12, range(8))])
        value = np.arange(8.0) ** 2
        vd.add(mesh, g=value)
        rst = meshes.random_points(500, 0, 1, 23)
        w = np.array([brute_force.hexahedron_weights(*p) for p in rst])
        out = probe(w @ corner, mesh, ComputeParametricCoordinates=1)
        self.assertTrue((out.point("vtkValidPointMask") == 1).all())
        self.close(out.point("g"), w @ value, 1e-10)
        self.close(out.point("ParametricCoordinates"), rst, 1e-11)

    def test_parametric_coordinates_are_those_of_vtk(self):
        mesh = meshes.mixed()
        q = meshes.random_points(300, (0, 0, 0), (5, 1, 1), 24)
        out = probe(q, mesh, ComputeParametricCoordinates=1)
        self.assertEqual(out.type("ParametricCoordinates"), "vtkDoubleArray")
        got = out.point("ParametricCoordinates")
        for i, c in enumerate(out.point("CellId")):
            sub, pcoords, closest, weights, d2 = (
                mutable(0),
                [0.0] * 3,
                [0.0] * 3,
                [0.0] * 8,
                mutable(0.0),
            )
            mesh.GetCell(c).EvaluatePosition(q[i], closest, sub, pcoords, d2, weights)
            self.close(got[i], pcoords, 1e-6, "query %d in cell %d" % (i, c))

    def test_missed_and_invalid(self):
        mesh = with_field(meshes.hexahedra(2))
        q = [(0.3, 0.3, 0.3), (2, 2, 2), (np.nan, 0.5, 0.5), (0.5, 0.5, -0.1)]
        out = probe(q, mesh, ComputeContainingCellCount=1, ComputeParametricCoordinates=1)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0, 0, 0])
        self.assertEqual(out.point("SampleStatus").tolist(), [INSIDE, OUTSIDE, INVALID, OUTSIDE])
        self.assertEqual(out.point("CellId").tolist(), [0, -1, -1, -1])
        self.assertEqual(out.point("ContainingCellCount").tolist(), [1, 0, 0, 0])
        self.close(out.point("Distance"), [0, np.nan, np.nan, np.nan])
        self.assertTrue(np.isnan(out.point("f")[1:]).all())
        self.assertEqual(out.point("c").tolist(), [0, -1, -1, -1])
        self.assertTrue(np.isnan(out.point("ParametricCoordinates")[1:]).all())
        self.assertEqual(out.field("ValidPoints").tolist(), [1])
        self.assertEqual(out.field("MissedPoints").tolist(), [3])
        infinite = probe([(np.inf, 0, 0), (0.3, 0.3, 0.3)], mesh).point("vtkValidPointMask")
        self.assertEqual(infinite.tolist(), [0, 1])


class Tolerance(harness.Case):
    def test_relative_is_a_fraction_of_the_cell_diagonal(self):
        for size in (1e-3, 1.0, 1e3):
            mesh = with_field(meshes.hexahedra(1, size))
            edge = 0.01 * np.sqrt(3) * size
            q = [(0.5 * size, 0.5 * size, size + k * edge) for k in (0.999, 1.001)]
            out = probe(q, mesh, Tolerance=0.01)
            self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0])
            self.assertEqual(out.point("SampleStatus").tolist(), [TOLERANCE, OUTSIDE])
            # The value is that of the closest point of the cell.
            self.close(
                out.point("f")[0], meshes.linear([(0.5 * size, 0.5 * size, size)])[0], 1e-11 * size
            )
            self.close(out.point("Distance")[0], 0.999 * edge, 1e-12 * size)

    def test_absolute_is_a_length(self):
        mesh = with_field(meshes.hexahedra(1, 100.0))
        q = [(50, 50, 100.049), (50, 50, 100.051), (100.03, 100.03, 50), (100.04, 100.04, 50)]
        out = probe(q, mesh, ToleranceType=1, Tolerance=0.05)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0, 1, 0])

    def test_default(self):
        mesh = with_field(meshes.hexahedra(1))
        out = probe([(0.5, 0.5, 1 + 1e-6), (0.5, 0.5, 1 + 3e-6)], mesh)
        self.assertEqual(out.point("SampleStatus").tolist(), [TOLERANCE, OUTSIDE])

    def test_zero_means_rounding_error(self):
        mesh = with_field(meshes.hexahedra(1))
        ulp = np.spacing(1.0)
        out = probe([(0.5, 0.5, 1 + ulp), (0.5, 0.5, 1 + 1e-12), (0.5, 0.5, 1)], mesh, Tolerance=0)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0, 1])

    def test_floor_follows_the_coarser_type(self):
        """Queries stored in float32 that round out of the mesh are found all the same."""
        mesh = with_field(meshes.hexahedra(1, 0.1))
        q = vd.cloud([(0.05, 0.05, np.nextafter(np.float32(0.1), np.float32(1)))], dtype=np.float32)
        self.assertGreater(vd.coordinates(q)[0, 2] - 0.1, 1e-9)
        self.assertEqual(probe(q, mesh, Tolerance=0).point("vtkValidPointMask").tolist(), [1])

    def test_inside_excludes_within_tolerance(self):
        """Close to a face the true cell answers, not the neighbour with the lower id."""
        mesh = with_field(meshes.hexahedra(2))
        out = probe(
            [(0.5 + 1e-8, 0.25, 0.25), (0.5 - 1e-8, 0.25, 0.25)],
            mesh,
            ComputeContainingCellCount=1,
            MultipleCells=1,
        )
        self.assertEqual(out.point("CellId").tolist(), [1, 0])
        self.assertEqual(out.point("ContainingCellCount").tolist(), [1, 1])
        self.assertEqual(out.point("SampleStatus").tolist(), [INSIDE, INSIDE])

    def test_off_a_surface(self):
        mesh = with_field(vd.polydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
        q = [(0.25, 0.25, 0.9e-3), (0.25, 0.25, 1.1e-3)]
        out = probe(q, mesh, ToleranceType=1, Tolerance=1e-3)
        self.assertEqual(out.point("SampleStatus").tolist(), [TOLERANCE, OUTSIDE])
        self.close(out.point("Distance")[0], 0.9e-3, 1e-15)


class Nearest(harness.Case):
    def test_distance_to_triangles(self):
        xyz, tri = meshes.sphere_triangles(9, 14)
        mesh = with_field(vd.polydata(xyz, tri))
        q = meshes.random_points(300, -2, 2, 25)
        want, at, ties = brute_force.closest(q, xyz, tri)
        out = probe(q, mesh, Mode=1)
        self.close(out.point("Distance"), want, 4 * np.spacing(2.0))
        self.close(out.point("f"), meshes.linear(at), 1e-14)
        for i, allowed in enumerate(ties):
            self.assertIn(out.point("CellId")[i], allowed)
        self.assertTrue((out.point("SampleStatus") == NEAREST).all())
        self.quiet(out)

    def test_volume(self):
        """0 inside; outside the value at the closest point, or the field continued."""
        mesh = with_field(meshes.mixed())
        q = meshes.random_points(500, (-1, -1, -1), (6, 2, 2), 26)
        d = np.maximum(meshes.box_distance(q, hi=(5, 1, 1)), 0)
        clamped = np.clip(q, 0, (5, 1, 1))
        out = probe(q, mesh, Mode=1)
        self.close(out.point("Distance"), d, 4e-15)
        self.close(out.point("f"), meshes.linear(clamped), 1e-13)
        np.testing.assert_array_equal(out.point("SampleStatus"), np.where(d > 0, NEAREST, INSIDE))
        out = probe(q, with_field(meshes.hexahedra(2)), Mode=1, OutsideValue=1)
        self.close(out.point("f"), meshes.linear(q), 1e-12)
        out = probe(q, with_field(meshes.tetrahedra()), Mode=1, OutsideValue=1)
        self.close(out.point("f"), meshes.linear(q), 1e-12)

    def test_limit_is_inclusive(self):
        mesh = with_field(meshes.hexahedra(2))
        q = [(0.5, 0.5, 1.25), (0.5, 0.5, 1.2500001), (0.3, 0.3, 0.3), (4, 4, 4)]
        for mode in (1, 2):
            out = probe(q, mesh, Mode=mode, LimitDistance=1, MaxDistance=0.25)
            self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0, 1, 0])
            self.assertEqual(
                out.point("SampleStatus").tolist(), [NEAREST, OUTSIDE, INSIDE, OUTSIDE]
            )
            self.close(out.point("Distance"), [0.25, np.nan, 0, np.nan])
        self.assertTrue(probe(q, mesh, Mode=1, MaxDistance=0.25).point("vtkValidPointMask").all())

    def test_containing_else_nearest(self):
        mesh = with_field(meshes.hexahedra(2))
        q = [(0.3, 0.3, 0.3), (0.5, 0.5, 3), (np.nan, 0, 0)]
        out = probe(q, mesh, Mode=2)
        self.assertEqual(out.point("SampleStatus").tolist(), [INSIDE, NEAREST, INVALID])
        self.close(out.point("Distance"), [0, 2, np.nan])
        self.close(out.point("f")[:2], meshes.linear([(0.3, 0.3, 0.3), (0.5, 0.5, 1)]), 1e-14)

    def test_by_centroid(self):
        """As the reference: the cell with the nearest mean of nodes, the value there, and the distance to it."""
        xyz = [(0, 0, 0), (10, 0, 0), (10, 1, 0), (0, 1, 0), (1, 3, 0), (2, 3, 0), (1, 4, 0)]
        mesh = with_field(vd.unstructured(xyz, [(9, (0, 1, 2, 3)), (5, (4, 5, 6))]))
        q = np.array([(0.5, 1.5, 0), (5, 0.5, 1), (4 / 3, 10 / 3, 0), (0.2, 0.2, 0)])
        centre = vd.centres(mesh)
        gap = np.sqrt(((q[:, None] - centre[None]) ** 2).sum(axis=2))
        cell = gap.argmin(axis=1)
        self.assertEqual(cell.tolist(), [1, 0, 1, 1])
        out = probe(q, mesh, Mode=1, NearestBy=1)
        np.testing.assert_array_equal(out.point("CellId"), cell)
        self.close(out.point("Distance"), gap.min(axis=1), 1e-14)
        self.close(out.point("f"), meshes.linear(centre)[cell], 1e-13)
        # MaxDistance is to the centroid too; OutsideValue changes nothing.
        out = probe(q, mesh, Mode=1, NearestBy=1, LimitDistance=1, MaxDistance=1.5, OutsideValue=1)
        np.testing.assert_array_equal(out.point("vtkValidPointMask") == 1, gap.min(axis=1) <= 1.5)
        self.close(
            out.point("f"),
            np.where(gap.min(axis=1) <= 1.5, meshes.linear(centre)[cell], np.nan),
            1e-13,
        )
        self.assertEqual(probe(q, mesh, Mode=1).point("CellId").tolist(), [0, 0, 1, 0])

    def test_ties_take_the_lowest_id(self):
        out = probe(
            [(0.5, 0.5, 2), (2, 2, 2), (0.5, 0.5, -3)], with_field(meshes.hexahedra(2)), Mode=1
        )
        self.assertEqual(out.point("CellId").tolist(), [4, 7, 0])

    def test_lines_and_vertices(self):
        mesh = with_field(
            vd.polydata([(0, 0, 0), (2, 0, 0), (5, 5, 5)], lines=[(0, 1)], verts=[(2,)])
        )
        out = probe([(1, 1, 0), (5, 5, 6), (3, 0, 0)], mesh, Mode=1)
        self.assertEqual(out.point("CellId").tolist(), [1, 0, 1])
        self.close(out.point("Distance"), [1, 1, 1], 1e-15)
        self.close(out.point("f"), meshes.linear([(1, 0, 0), (5, 5, 5), (2, 0, 0)]), 1e-14)


class MultipleCells(harness.Case):
    """Two overlapping cubes: one holds 1 (cell value 10), the other 5 (20)."""

    def overlapping(self):
        xyz = np.concatenate([meshes.BOX_CORNERS * (1.25, 1, 1), meshes.BOX_CORNERS + (1, 0, 0)])
        mesh = vd.unstructured(xyz, [(12, range(8)), (12, range(8, 16))])
        vd.add(mesh, p=np.repeat([1.0, 5.0], 8), i=np.repeat(np.int32([1, 4]), 8))
        return vd.add(mesh, "cell", c=np.int16([10, 21]), s=["left", "right"])

    q = [(1.125, 0.5, 0.5), (0.5, 0.5, 0.5), (1.5, 0.5, 0.5), (7, 7, 7)]

    def test_lowest_id(self):
        out = probe(self.q, self.overlapping(), MultipleCells=0, ComputeContainingCellCount=1)
        self.close(out.point("p"), [1, 1, 5, np.nan], 1e-15)
        self.assertEqual(out.point("c").tolist(), [10, 10, 21, -1])
        self.assertEqual(out.kind("c"), "short")
        self.assertEqual(out.point("ContainingCellCount").tolist(), [2, 1, 1, 0])

    def test_mean(self):
        out = probe(self.q, self.overlapping(), MultipleCells=1)
        self.close(out.point("p"), [3, 1, 5, np.nan], 1e-15)
        self.close(out.point("i"), [2.5, 1, 4, np.nan], 1e-15)
        self.close(out.point("c"), [15.5, 10, 21, np.nan], 1e-15)
        self.assertEqual(out.kind("c"), "double")
        self.assertEqual(out.point("s"), ["left", "left", "right", ""])
        self.assertEqual(out.point("CellId").tolist(), [0, 0, 1, -1])

    def test_mean_of_categories_is_a_double(self):
        """The type does not depend on how many cells hold a point; one cell's value is that cell's."""
        out = probe(self.q, self.overlapping(), MultipleCells=1, CategoricalData=1)
        self.close(out.point("i")[1:], [1, 4, np.nan], 1e-15)
        self.assertEqual(out.kind("i"), "double")

    def test_nan(self):
        out = probe(self.q, self.overlapping(), MultipleCells=2)
        self.close(out.point("p"), [np.nan, 1, 5, np.nan], 1e-15)
        self.assertEqual(out.point("c").tolist(), [-1, 10, 21, -1])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 1, 1, 0])
        self.assertEqual(out.point("CellId").tolist(), [0, 0, 1, -1])

    def test_blocks_follow_the_same_rule(self):
        left = vd.add(
            vd.unstructured(meshes.BOX_CORNERS * (1.25, 1, 1), [(12, range(8))]), p=np.full(8, 1.0)
        )
        right = vd.add(
            vd.unstructured(meshes.BOX_CORNERS + (1, 0, 0), [(12, range(8))]), p=np.full(8, 5.0)
        )
        for rule, value in ((0, 1), (1, 3), (2, np.nan)):
            out = probe(self.q, vd.multiblock(left, right), MultipleCells=rule)
            self.close(out.point("p"), [value, 1, 5, np.nan], 1e-15)


class Empty(harness.Case):
    arrays = ["CellId", "Distance", "SampleStatus", "vtkValidPointMask"]

    def test_empty_source(self):
        for source in (
            vtkPolyData(),
            vtkUnstructuredGrid(),
            vd.cloud([(0, 0, 0)]),
            vd.multiblock(None),
        ):
            for mode in (0, 1, 2):
                out = probe([(0, 0, 0), (1, 1, 1)], source, Mode=mode)
                self.assertLessEqual(set(self.arrays), set(out.points()))
                self.assertEqual(out.point("vtkValidPointMask").tolist(), [0, 0])
                self.assertEqual(out.point("CellId").tolist(), [-1, -1])
                self.assertEqual(out.field("MissedPoints").tolist(), [2])
                self.quiet(out)

    def test_no_queries(self):
        for data in (vtkPolyData(), vtkUnstructuredGrid(), vd.multiblock(vtkPolyData())):
            out = probe(data, with_field(meshes.hexahedra(1)))
            self.assertLessEqual(set(self.arrays + ["f", "c"]), set(out.points()))
            self.assertEqual(len(out.point("f")), 0)
            self.quiet(out)

    def test_unset_source_gives_one_message(self):
        f = harness.Filter("BVHProbe", Input=vd.cloud([(0, 0, 0)]))
        out = f.apply()
        self.assertLessEqual(set(self.arrays), set(out.points()))
        self.one_message(out, r"BVH Probe: no Source ?Mesh is set \(Edit > Change Input\)")
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [0])
        f.delete()

    def test_points_off_a_surface_warn_once(self):
        mesh = with_field(meshes.sphere(rings=16, segments=16))
        q = meshes.fibonacci(100)
        out = probe(q, mesh)
        missed = int((out.point("vtkValidPointMask") == 0).sum())
        self.assertGreater(missed, 50)
        self.one_message(
            out,
            "%d of 100 points lie off the source surface; set Mode to Containing Cell Else Nearest"
            % missed,
        )
        self.quiet(probe(q, mesh, Mode=2))
        self.quiet(probe(q * 3, with_field(meshes.hexahedra(1))))


if __name__ == "__main__":
    harness.main()
