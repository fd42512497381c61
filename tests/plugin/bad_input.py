"""Input that is wrong: each gets one clear message or the contract's answer; no crash, no silent 0."""

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMolecule, vtkPolyData, vtkTable, vtkUnstructuredGrid

import harness
import meshes
import vtk_data as vd

PORTS = (("SignedDistanceField", "Input", "Surface"), ("BVHProbe", "Input", "SourceMesh"))
RESULT = {"SignedDistanceField": "SignedDistance", "BVHProbe": "Distance"}


def table():
    out = vtkTable()
    out.AddColumn(vd.array("x", np.arange(3.0)))
    return out


def pair(name, data, mesh, **settings):
    inputs = dict(zip([p for p in PORTS if p[0] == name][0][1:], (data, mesh)))
    return harness.run(name, settings, **inputs)


class WrongType(harness.Case):
    """ParaView's own type check stands before the filter: an error, no result, and the filter lives on."""

    def test_table(self):
        for name, *_ in PORTS:
            for data, mesh in ((table(), meshes.box()), (vd.cloud([(0, 0, 0)]), table())):
                with self.subTest(name, data=data.GetClassName()):
                    first, second = [p for p in PORTS if p[0] == name][0][1:]
                    f = harness.Filter(name, **{first: data, second: mesh})
                    out = f.apply()
                    self.assertGreaterEqual(len([m for m in out.messages if m[0] == "error"]), 1)
                    if out.data is not None and out.data.IsA("vtkDataSet"):
                        self.assertNotIn(RESULT[name], out.points())
                    f.delete()

    def test_table_as_surface_of_a_volume(self):
        f = harness.Filter("SignedDistanceVolume", {"SamplingDimensions": [3, 3, 3]}, Input=table())
        out = f.apply()
        self.assertGreaterEqual(len([m for m in out.messages if m[0] == "error"]), 1)
        f.delete()

    def test_table_inside_a_composite(self):
        """A block that is no data set is no part of the mesh; the others count."""
        blocks = vd.multiblock(meshes.box(), vtkMolecule())
        out = pair("SignedDistanceField", vd.cloud([(0.5, 0.5, 3)]), blocks)
        self.close(out.point("SignedDistance"), [2])


class Finite(harness.Case):
    """Whatever the numbers, a number that is not finite in stays out of the answers for others."""

    def test_all_points_nan(self):
        for name, *_ in PORTS:
            mesh = vd.polydata(np.full((3, 3), np.nan), [(0, 1, 2)])
            out = pair(name, vd.cloud([(0, 0, 0), (np.nan,) * 3]), mesh)
            self.assertEqual(out.point("vtkValidPointMask").tolist(), [0, 0])
            self.close(out.point(RESULT[name]), [np.nan] * 2)
            self.assertEqual(out.field("SkippedElements").tolist(), [1])
            self.assertEqual(len(out.messages), 1, out.messages)

    def test_coordinates_of_1e300(self):
        for name, *_ in PORTS:
            box = meshes.box((-1e300,) * 3, (1e300,) * 3)
            out = pair(
                name,
                vd.cloud([(0, 0, 2e300), (1e308, 0, 0), (0, 0, 0)]),
                box,
                **({"Mode": 1} if name == "BVHProbe" else {})
            )
            d = np.abs(out.point(RESULT[name]))
            self.close(d / [1e300, 1e308 - 1e300, 1e300], [1, 1, 1], 1e-9)

    def test_far_and_near_together(self):
        """One triangle at 1e300: the distances near the origin are right, or a message says that they are not."""
        xyz = np.concatenate([meshes.BOX_CORNERS, [(1e300, 0, 0), (1e300, 1, 0), (1e300, 0, 1)]])
        box = vd.polydata(xyz, meshes.BOX_TRIANGLES + [(8, 9, 10)])
        out = pair(
            "SignedDistanceField", vd.cloud([(0.5, 0.5, 2), (0.5, 0.5, 0.75)]), box, SignMethod=3
        )
        if not out.messages:
            self.close(out.point("SignedDistance"), [1, 0.25], 1e-15)


class Degenerate(harness.Case):
    def test_only_zero_area_triangles(self):
        xyz = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (5, 5, 5)]
        mesh = vd.polydata(xyz, [(0, 1, 2), (3, 3, 3)])
        out = pair("SignedDistanceField", vd.cloud([(1, 2, 0), (5, 5, 6)]), mesh, SignMethod=3)
        self.close(out.point("SignedDistance"), [2, 1], 1e-15)
        for method in (0, 1):  # no side can be told: the magnitude is right all the same
            out = pair(
                "SignedDistanceField", vd.cloud([(1, 2, 0), (5, 5, 6)]), mesh, SignMethod=method
            )
            self.close(np.abs(out.point("SignedDistance")), [2, 1], 1e-15)

    def test_one_triangle(self):
        mesh = vd.polydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        for name, *_ in PORTS:
            out = pair(name, vd.cloud([(0.2, 0.2, 0)]), mesh)
            self.assertEqual(out.point("vtkValidPointMask").tolist(), [1])
        out = pair(
            "SignedDistanceField", vd.cloud([(0.2, 0.2, 1), (0.2, 0.2, -1)]), mesh, SignMethod=1
        )
        self.close(out.point("SignedDistance"), [1, -1])
        self.one_message(out, "(?i)open|boundary|closed")

    def test_cells_without_points(self):
        """Empty cells take no part."""
        mesh = vd.unstructured(
            meshes.BOX_CORNERS, [(0, ())] + [(5, t) for t in meshes.BOX_TRIANGLES]
        )
        out = pair("SignedDistanceField", vd.cloud([(0.5, 0.5, 3)]), mesh)
        self.close(out.point("SignedDistance"), [2])
        self.assertGreaterEqual(out.point("ClosestCellId")[0], 1)
        data = vd.unstructured(meshes.BOX_CORNERS, [(0, ()), (12, range(8))])
        out = pair("BVHProbe", data, data, InputElements=1)
        self.assertEqual(out.cell("vtkValidCellMask").tolist(), [0, 1])

    def test_points_without_cells(self):
        for name, *_ in PORTS:
            out = pair(name, vd.cloud([(0, 0, 0)]), vd.cloud([(0, 0, 0), (1, 0, 0)]))
            self.assertEqual(out.point("vtkValidPointMask").tolist(), [0])
            self.close(out.point(RESULT[name]), [np.nan])
            self.quiet(out)


class BadIds(harness.Case):
    """Cells that name points which do not exist: one error, nothing is read outside the arrays."""

    def test_out_of_range(self):
        for bad in (3, 10**9, -1):
            mesh = vd.polydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 2)])
            mesh.GetPolys().GetConnectivityArray().SetTuple1(4, bad)
            for name, *_ in PORTS:
                with self.subTest(name, bad=bad):
                    out = pair(name, vd.cloud([(0.2, 0.2, 1)]), mesh)
                    self.assertEqual([kind for kind, _ in out.messages], ["error"], out.messages)
                    self.assertIn("1", out.messages[0][1])  # names the cell
                    if out.data.GetNumberOfPoints() and RESULT[name] in out.points():
                        self.close(out.point(RESULT[name]), [np.nan])


class Settings(harness.Case):
    def test_negative_band_is_clamped(self):
        out = pair(
            "SignedDistanceField",
            vd.cloud([(0.5, 0.5, 3), (0.5, 0.5, 1)]),
            meshes.box(),
            LimitDistance=1,
            MaxDistance=-1.0,
        )
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [0, 1])

    def test_volume_of_no_samples(self):
        out = harness.run(
            "SignedDistanceVolume", {"SamplingDimensions": [0, 3, 3]}, Input=meshes.box()
        )
        self.assertGreaterEqual(min(out.data.GetDimensions()), 1)

    def test_volume_of_numbers_that_are_not_finite(self):
        nan, inf = float("nan"), float("inf")
        for text, settings in (
            ("Padding", {"Padding": nan}),
            ("VoxelSize", {"SamplingType": 1, "VoxelSize": nan}),
            ("SamplingBounds", {"UseInputBounds": 0, "SamplingBounds": [-inf, 1, 0, 1, 0, 1]}),
        ):
            settings["SamplingDimensions"] = [3, 3, 3]
            out = harness.run("SignedDistanceVolume", settings, Input=meshes.box())
            self.assertTrue(out.messages, text)
            for kind, message in out.messages:
                self.assertEqual(kind, "error")
                self.assertRegex(message, "Signed Distance Volume: .*%s.* finite" % text)
            self.assertEqual(out.data.GetNumberOfPoints(), 0)

    def test_gpu_where_there_is_none(self):
        """Automatic falls back silently; GPU is an error that says why."""
        f = harness.Filter(
            "SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 3)]), Surface=meshes.box()
        )
        for device in ("Automatic", "CPU"):
            out = f.apply(Device=device)
            self.close(out.point("SignedDistance"), [2])
            self.quiet(out)
        used = out.field("DeviceUsed").tolist()
        out = f.apply(Device="GPU")
        if out.messages or out.field("DeviceUsed").tolist() == used:  # no usable device here
            self.one_message(out, "(?i)gpu")
            self.assertEqual(out.messages[0][0], "error")
        f.delete()


class Repeated(harness.Case):
    def test_bad_then_good(self):
        """An error leaves nothing behind."""
        f = harness.Filter(
            "SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 3)]), Surface=meshes.box()
        )
        good = f.apply().point("SignedDistance")
        bad = vd.polydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        bad.GetPolys().GetConnectivityArray().SetTuple1(2, 77)
        f.feed(Surface=bad).apply()
        out = f.feed(Surface=meshes.box()).apply()
        self.close(out.point("SignedDistance"), good)
        self.quiet(out)
        f.delete()

    def test_deleted_while_inputs_live(self):
        body = simple.Sphere()
        for _ in range(3):
            f = simple.SignedDistanceField(Input=body, Surface=body)
            f.UpdatePipeline()
            simple.Delete(f)
        simple.Delete(body)

    def test_empty_everything(self):
        for name, *_ in PORTS:
            for data in (vtkPolyData(), vtkUnstructuredGrid()):
                self.quiet(pair(name, data, vtkPolyData()))


if __name__ == "__main__":
    harness.main()
