"""Signed Distance Field: band, gradient, output arrays and their names, types and elements."""

import numpy as np

import harness
import meshes
import vtk_data as vd

ALWAYS = [
    "SignedDistance",
    "vtkValidPointMask",
    "ClosestPoint",
    "ClosestCellId",
    "ClosestSubId",
    "ClosestBarycentric",
]
NAN3 = [np.nan] * 3


def distance(queries, surface=None, **settings):
    surface = meshes.box() if surface is None else surface
    data = queries if hasattr(queries, "IsA") else vd.cloud(queries)
    return harness.run("SignedDistanceField", settings, Input=data, Surface=surface)


class Band(harness.Case):
    #     inside far        inside near       at the limit      beyond          on the surface
    q = [(0.5, 0.5, 0.5), (0.5, 0.5, 0.875), (0.5, 0.5, 1.25), (0.5, 0.5, 1.5), (0.5, 0.25, 1)]
    want = np.array([-0.5, -0.125, 0.25, 0.5, 0])

    def test_inclusive_and_by_magnitude(self):
        out = distance(self.q, LimitDistance=1, MaxDistance=0.25)
        keep = [0, 1, 1, 0, 1]
        self.assertEqual(out.point("vtkValidPointMask").tolist(), keep)
        inside = np.array(keep, bool)
        self.close(out.point("SignedDistance"), np.where(inside, self.want, np.nan), 1e-15)
        self.assertTrue((out.point("ClosestCellId")[~inside] == -1).all())
        self.assertTrue((out.point("ClosestSubId")[~inside] == -1).all())
        self.assertTrue((out.point("ClosestCellId")[inside] >= 0).all())
        for name in ("ClosestPoint", "ClosestBarycentric"):
            self.assertTrue(np.isnan(out.point(name)[~inside]).all())
            self.assertTrue(np.isfinite(out.point(name)[inside]).all())

    def test_signed_fill(self):
        out = distance(self.q, LimitDistance=1, MaxDistance=0.25, OutOfBandValue=1)
        self.close(out.point("SignedDistance"), [-0.25, -0.125, 0.25, 0.25, 0], 1e-15)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [0, 1, 1, 0, 1])
        self.assertEqual(out.point("ClosestCellId")[[0, 3]].tolist(), [-1, -1])

    def test_signed_fill_of_an_unsigned_field_is_positive(self):
        out = distance(self.q, LimitDistance=1, MaxDistance=0.25, OutOfBandValue=1, SignMethod=3)
        self.close(out.point("SignedDistance"), [0.25, 0.125, 0.25, 0.25, 0], 1e-15)

    def test_width_zero_keeps_the_surface(self):
        out = distance(self.q, LimitDistance=1, MaxDistance=0.0)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [0, 0, 0, 0, 1])
        self.close(out.point("SignedDistance"), [np.nan] * 4 + [0])

    def test_no_limit_unless_asked_for(self):
        out = distance(self.q, LimitDistance=0, MaxDistance=0.25)
        self.close(out.point("SignedDistance"), self.want, 1e-15)

    def test_same_numbers_as_without(self):
        q = meshes.random_points(2000, -1, 2, 8)
        sphere = meshes.sphere(rings=12, segments=20, radius=0.6, centre=(0.5, 0.5, 0.5))
        full = distance(q, sphere)
        part = distance(q, sphere, LimitDistance=1, MaxDistance=0.2, ComputeGradient=1)
        d = full.point("SignedDistance")
        keep = np.abs(d) <= 0.2
        np.testing.assert_array_equal(part.point("vtkValidPointMask") == 1, keep)
        np.testing.assert_array_equal(part.point("SignedDistance"), np.where(keep, d, np.nan))
        np.testing.assert_array_equal(
            part.point("ClosestCellId"), np.where(keep, full.point("ClosestCellId"), -1)
        )
        self.assertTrue(np.isnan(part.point("DistanceGradient")[~keep]).all())


class Gradient(harness.Case):
    def test_off_the_surface(self):
        q = np.array([(0.5, 0.5, 2), (0.5, 0.5, 0.9), (2, 2, 0.5), (-1, -1, -1), (0.5, 0.25, 0.75)])
        want = np.array([(0, 0, 1), (0, 0, 1), (1, 1, 0), (-1, -1, -1), (0, -1, 0)], float)
        want /= np.sqrt((want**2).sum(axis=1))[:, None]
        g = distance(q[:4], ComputeGradient=1).point("DistanceGradient")
        self.close(g, want[:4], 1e-15)
        # Inside, where two walls tie, either is a gradient: the lowest triangle decides and ClosestPoint tells.
        out = distance(q[4:], ComputeGradient=1)
        self.close(out.point("DistanceGradient"), (out.point("ClosestPoint") - q[4:]) / 0.25, 1e-15)

    def test_on_the_surface_it_is_the_pseudonormal(self):
        q = np.array([(0.5, 0.25, 1), (1, 0.3, 1), (1, 1, 1), (0, 0, 0), (0, 0.5, 0)])
        want = np.array([(0, 0, 1), (1, 0, 1), (1, 1, 1), (-1, -1, -1), (-1, 0, -1)], float)
        want /= np.sqrt((want**2).sum(axis=1))[:, None]
        for soup in (False, True):
            g = distance(q, meshes.box(soup=soup), ComputeGradient=1).point("DistanceGradient")
            self.close(g, want, 1e-15)

    def test_close_to_the_wall(self):
        q = np.array([(0.5, 0.25, 1 + 1e-9), (0.5, 0.25, 1 - 1e-9), (1 + 1e-9, 1 + 1e-9, 0.5)])
        want = np.array([(0, 0, 1), (0, 0, 1), (np.sqrt(0.5), np.sqrt(0.5), 0)])
        self.close(distance(q, ComputeGradient=1).point("DistanceGradient"), want, 1e-7)

    def test_flip_and_unsigned(self):
        q = np.array([(0.5, 0.5, 2), (0.5, 0.5, 0.9)])
        inward = meshes.box(inward=True)
        self.close(
            distance(q, inward, ComputeGradient=1, FlipInsideOut=1).point("DistanceGradient"),
            [(0, 0, 1)] * 2,
            1e-15,
        )
        self.close(
            distance(q, inward, ComputeGradient=1).point("DistanceGradient"),
            [(0, 0, -1)] * 2,
            1e-15,
        )
        self.close(
            distance(q, ComputeGradient=1, SignMethod=3).point("DistanceGradient"),
            [(0, 0, 1), (0, 0, -1)],
            1e-15,
        )

    def test_agrees_with_differences(self):
        xyz, tri = meshes.sphere_triangles(12, 20)
        sphere, h = vd.polydata(xyz, tri), 1e-6
        q = meshes.random_points(100, -1.5, 1.5, 10)
        g = distance(q, sphere, ComputeGradient=1).point("DistanceGradient")
        self.close(np.sqrt((g**2).sum(axis=1)), np.ones(len(q)), 1e-14)
        steps = np.concatenate([q + s * h * np.eye(3)[k] for k in range(3) for s in (1, -1)])
        d = distance(steps, sphere).point("SignedDistance").reshape(3, 2, -1)
        numeric = ((d[:, 0] - d[:, 1]) / (2 * h)).T
        # Where the closest feature changes within the step the field has a kink; few points are that unlucky.
        good = np.abs(numeric - g).max(axis=1) < 1e-5
        self.assertGreater(good.mean(), 0.97)


class Arrays(harness.Case):
    q = [(0.5, 0.5, 0.5), (2, 2, 2)]

    def test_names_types_and_shapes(self):
        out = distance(self.q)
        self.assertEqual(sorted(out.points()), sorted(ALWAYS))
        self.assertEqual(out.cells(), [])
        for name in ("SignedDistance", "ClosestPoint", "ClosestBarycentric"):
            self.assertEqual(out.type(name), "vtkDoubleArray")
        for name in ("ClosestCellId", "ClosestSubId"):
            self.assertEqual(out.type(name), "vtkIdTypeArray")
        self.assertEqual(out.type("vtkValidPointMask"), "vtkCharArray")
        self.assertEqual(out.point("ClosestPoint").shape, (2, 3))
        self.assertEqual(out.point("ClosestBarycentric").shape, (2, 3))
        self.assertEqual(out.active(), "SignedDistance")
        self.assertIsNone(out.leaf().GetPointData().GetGlobalIds())
        self.assertIsNone(out.leaf().GetPointData().GetNormals())

    def test_switches(self):
        out = distance(self.q, ComputeClosestPoint=0)
        self.assertEqual(sorted(out.points()), sorted(set(ALWAYS) - {"ClosestPoint"}))
        out = distance(self.q, ComputeClosestCell=0)
        self.assertEqual(
            sorted(out.points()), ["ClosestPoint", "SignedDistance", "vtkValidPointMask"]
        )
        out = distance(self.q, ComputeGradient=1)
        self.assertEqual(sorted(out.points()), sorted(ALWAYS + ["DistanceGradient"]))
        self.assertEqual(out.type("DistanceGradient"), "vtkDoubleArray")

    def test_result_name(self):
        out = distance(self.q, ResultArrayName="WallDistance")
        self.close(out.point("WallDistance"), [-0.5, np.sqrt(3)], 1e-15)
        self.assertNotIn("SignedDistance", out.points())
        self.assertEqual(out.active(), "WallDistance")

    def test_result_name_of_another_result(self):
        names = ["", "ClosestPoint", "ClosestBarycentric", "vtkValidPointMask", "vtkGhostType"]
        for name in names + ["ClosestCellId", "ClosestSubId"]:
            out = distance(self.q, ResultArrayName=name)
            self.one_message(out, 'ResultArrayName: "%s"' % name)
            self.assertEqual(out.messages[0][0], "error")
            self.assertEqual(out.points(), [])
        # What is not computed has no name to keep.
        out = distance(self.q, ResultArrayName="ClosestPoint", ComputeClosestPoint=0)
        self.close(out.point("ClosestPoint"), [-0.5, np.sqrt(3)], 1e-15)

    def test_input_arrays_pass_and_clashes_are_renamed(self):
        data = vd.cloud(self.q)
        vd.add(
            data,
            a=np.array([1, 2], np.int16),
            SignedDistance=np.array([7.0, 8.0]),
            ClosestCellId=np.array([[1, 2], [3, 4]]),
        )
        vd.add(data, vtkValidPointMask=np.array([0, 0], np.int8), s=["x", "y"])
        vd.add(data, "field", note=["kept"], BVHReused=np.array([5]), PeakBytes=np.array([5]))
        data.GetPointData().SetActiveScalars("a")
        data.GetPointData().SetNormals(vd.array("n", np.array([(0, 0, 1.0)] * 2)))
        out = distance(data)
        self.close(out.point("SignedDistance"), [-0.5, np.sqrt(3)], 1e-15)
        self.close(out.point("SignedDistance_input"), [7, 8])
        self.assertEqual(out.point("ClosestCellId_input").tolist(), [[1, 2], [3, 4]])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 1])
        self.assertEqual(out.point("s"), ["x", "y"])
        self.assertEqual(out.point("a").dtype, np.int16)
        self.assertEqual(out.active(), "SignedDistance")
        self.assertEqual(out.leaf().GetPointData().GetNormals().GetName(), "n")
        self.assertEqual(out.field("note"), ["kept"])
        self.assertEqual(out.field("BVHReused").tolist(), [0])
        self.assertGreater(out.field("PeakBytes")[0], 5)
        self.quiet(out)
        # The input itself is as it was.
        self.assertEqual(vd.values(data.GetPointData(), "SignedDistance").tolist(), [7, 8])
        self.assertEqual(data.GetPointData().GetScalars().GetName(), "a")

    def test_surface_arrays_are_not_sampled(self):
        box = vd.add(meshes.box(), colour=np.arange(8.0))
        self.assertNotIn("colour", distance(self.q, box).points())

    def test_field_data(self):
        out = distance(self.q)
        for name in (
            "BVHReused",
            "BuildSeconds",
            "QuerySeconds",
            "PeakBytes",
            "DeviceUsed",
            "SkippedElements",
        ):
            self.assertIn(name, out.fields())
        self.assertEqual(out.field("BVHReused").tolist(), [0])
        self.assertEqual(out.field("SkippedElements").tolist(), [0])
        for name in ("BuildSeconds", "QuerySeconds"):
            self.assertTrue(0 <= out.field(name)[0] < 60)
        self.assertGreater(out.field("PeakBytes")[0], 0)


class Elements(harness.Case):
    def test_cells(self):
        """Queries are the means of the nodes; results are cell arrays with their own mask."""
        xyz = [
            (0, 0, 2),
            (3, 0, 2),
            (0, 3, 2),
            (0.5, 0.5, 0.5),
            (5, 5, 5),
            (0.1, 0.2, 0.3),
            (0.9, 0.8, 0.7),
        ]
        data = vd.polydata(xyz, polys=[(0, 1, 2)], verts=[(3,)], lines=[(5, 6)])
        vd.add(data, "cell", keep=np.array([1.0, 2.0, 3.0]))
        q = vd.centres(data)
        out = distance(data, InputElements=1)
        self.assertEqual(
            sorted(set(out.cells())),
            sorted(set(ALWAYS) - {"vtkValidPointMask"} | {"vtkValidCellMask", "keep"}),
        )
        self.assertEqual(out.points(), [])
        self.close(out.cell("SignedDistance"), meshes.box_distance(q), 1e-15)
        self.assertEqual(out.cell("vtkValidCellMask").tolist(), [1, 1, 1])
        self.assertEqual(out.type("vtkValidCellMask", "cell"), "vtkCharArray")
        self.assertEqual(out.active("cell"), "SignedDistance")
        self.close(out.cell("keep"), [1, 2, 3])

    def test_cells_of_every_kind_of_data_set(self):
        image = vd.image((3, 2, 4), (-0.5, 0.2, -1), (0.7, 0.5, 0.6))
        x, y, z = np.array([-1.0, 0.3, 0.4]), np.array([0.1, 0.8]), np.array([0.0, 0.5, 2.0])
        rect = vd.rectilinear(x, y, z)
        structured = vd.structured(
            (3, 2, 4), vd.coordinates(image) + 0.1 * np.sin(vd.coordinates(image)[:, ::-1])
        )
        for data in (
            image,
            rect,
            structured,
            meshes.mixed(),
            vd.image((3, 4, 1)),
            vd.image((5, 1, 1), (-1, 0.5, 0.5)),
        ):
            with self.subTest(data.GetClassName()):
                out = distance(data, InputElements=1)
                self.close(out.cell("SignedDistance"), meshes.box_distance(vd.centres(data)), 2e-15)
                self.assertEqual(out.leaf().GetClassName(), data.GetClassName())
                out = distance(data)
                self.close(
                    out.point("SignedDistance"), meshes.box_distance(vd.coordinates(data)), 2e-15
                )
                self.assertEqual(out.leaf().GetNumberOfCells(), data.GetNumberOfCells())

    def test_blanked_and_ghost_points_pass(self):
        data = vd.image((3, 3, 1), (0, 0, 2))
        ghost = np.array([0, 0, 0, 0, 2, 0, 0, 0, 0], np.uint8)
        vd.add(data, vtkGhostType=ghost)
        out = distance(data)
        np.testing.assert_array_equal(out.point("vtkGhostType"), ghost)


if __name__ == "__main__":
    harness.main()
