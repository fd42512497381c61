"""vtkSQSignedDistanceFunction: the numbers of Signed Distance Field; Clip, Cut and Sample with it."""

import numpy as np
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkFloatArray, vtkSMPTools
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkFiltersCore import vtkCutter
from vtkmodules.vtkFiltersGeneral import vtkClipDataSet
from vtkmodules.vtkImagingHybrid import vtkSampleFunction

import harness
import meshes
import vtk_data as vd
from locator_tools import wrapped


def function(surface, **settings):
    f = wrapped("vtkSQSignedDistanceFunction")()
    f.SetSurface(surface)
    for name, value in settings.items():
        getattr(f, "Set" + name)(value)
    return f


def batch(f, q, dtype=np.float64, out=vtkDoubleArray):
    values = out()
    f.EvaluateFunction(vd.array("q", np.asarray(q, dtype)), values)
    return np.array([values.GetValue(i) for i in range(values.GetNumberOfTuples())])


OPEN_BOX = meshes.box(drop=(0, 1))
SURFACES = {
    "sphere": (meshes.sphere(rings=12, segments=16), {}),
    "soup": (meshes.box(soup=True), {}),
    "soup as it is": (meshes.box(soup=True), {"MergePoints": 0}),
    "open box": (OPEN_BOX, {}),
    "open box, exact sum": (OPEN_BOX, {"SignMethod": 2, "WindingAccuracy": 0.0}),
    "pseudonormal": (OPEN_BOX, {"SignMethod": 1}),
    "unsigned": (OPEN_BOX, {"SignMethod": 3}),
    "inward": (meshes.box(inward=True), {"FlipInsideOut": 1}),
    "solids": (meshes.mixed(), {}),
    "two blocks": (vd.multiblock(meshes.box(), meshes.box((3, 0, 0), (4, 1, 1))), {}),
}


class Values(harness.Case):
    def queries(self):
        q = meshes.random_points(400, (-1.5, -1.5, -1.5), (5, 2, 2), 7)
        return np.concatenate([q, meshes.BOX_CORNERS, [(0.5, 0.5, 1.0), (0, 0, 0.5)]])

    def test_as_the_filter(self):
        """The same bits, one by one and all at once; the gradient too."""
        q = self.queries()
        for name, (surface, settings) in SURFACES.items():
            out = harness.run(
                "SignedDistanceField",
                dict(settings, ComputeGradient=1),
                Surface=surface,
                Input=vd.cloud(q),
            )
            want, gradient = out.point("SignedDistance"), out.point("DistanceGradient")
            f = function(surface, **settings)
            single = np.array([f.EvaluateFunction(list(x)) for x in q])
            self.assertEqual(single.tobytes(), want.tobytes(), name)
            self.assertEqual(batch(f, q).tobytes(), want.tobytes(), name)
            self.assertEqual(f.FunctionValue(list(q[3])), want[3])
            for x, g in zip(q, gradient):
                got = [0.0] * 3
                f.EvaluateGradient(list(x), got)
                np.testing.assert_array_equal(got, g)
            self.assertTrue((want < 0).any() or settings.get("SignMethod") == 3, name)

    def test_known(self):
        f = function(meshes.box())
        for x, d in (((0.5, 0.5, 0.25), -0.25), ((2, 0.5, 0.5), 1.0), ((1, 0.3, 0.3), 0.0)):
            self.assertEqual(f.EvaluateFunction(list(x)), d)
        g = [0.0] * 3
        f.EvaluateGradient([0.5, 0.5, 0.9], g)
        self.close(g, (0, 0, 1))

    def test_arrays_of_other_types(self):
        f = function(SURFACES["sphere"][0])
        q = meshes.random_points(50, -2, 2).astype(np.float32)
        self.close(batch(f, q, np.float32, vtkFloatArray), batch(f, q), 1e-6)
        self.assertEqual(batch(f, np.zeros((0, 3))).shape, (0,))
        harness.MESSAGES.drain()
        self.assertTrue(np.isnan(batch(f, np.zeros((5, 2)))).all())
        self.assertEqual(len(harness.MESSAGES.drain()), 1)

    def test_transform(self):
        f = function(meshes.box())
        move = vtkTransform()
        move.Translate(-10, 0, 0)
        f.SetTransform(move)
        self.assertEqual(f.FunctionValue([10.5, 0.5, 0.75]), -0.25)
        values = vtkDoubleArray()
        f.FunctionValue(vd.array("q", np.array([(10.5, 0.5, 0.75), (12.0, 0.5, 0.5)])), values)
        self.close([values.GetValue(i) for i in range(2)], [-0.25, 1.0])

    def test_not_finite(self):
        f = function(meshes.box())
        for x in ((np.nan, 0, 0), (0, np.inf, 0)):
            self.assertTrue(np.isnan(f.EvaluateFunction(list(x))))
            g = [1.0] * 3
            f.EvaluateGradient(list(x), g)
            self.close(g, (0, 0, 0))


class Building(harness.Case):
    def test_follows_the_surface_and_the_settings(self):
        surface = meshes.box()
        f = function(surface)
        x = [0.5, 0.5, 0.75]
        self.assertEqual(f.EvaluateFunction(x), -0.25)
        before = f.GetMTime()
        for i, p in enumerate(vd.coordinates(surface)):
            surface.GetPoints().SetPoint(i, *(2 * p))
        surface.GetPoints().Modified()
        surface.Modified()
        self.assertGreater(f.GetMTime(), before)
        self.assertEqual(f.EvaluateFunction(x), -0.5)
        f.FlipInsideOutOn()
        self.assertEqual(f.EvaluateFunction(x), 0.5)
        f.SetSignMethod(3)
        self.assertEqual(f.EvaluateFunction([0.5, 0.5, -1.0]), 1.0)
        f.SetSurface(meshes.box((0, 0, 0), (9, 9, 9)))
        self.assertEqual(f.EvaluateFunction([0.5, 0.5, -2.0]), 2.0)

    def test_blocks(self):
        blocks = SURFACES["two blocks"][0]
        f = function(blocks)
        self.assertEqual(f.EvaluateFunction([3.5, 0.5, 0.5]), -0.5)
        block = blocks.GetBlock(1)
        for i, p in enumerate(vd.coordinates(block)):
            block.GetPoints().SetPoint(i, *(p + (1, 0, 0)))
        block.GetPoints().Modified()
        block.Modified()
        self.assertEqual(f.EvaluateFunction([3.5, 0.5, 0.5]), 0.5)

    def test_one_message(self):
        for surface, text in ((None, "no Surface is set"), (vd.array, "is a vtkTable")):
            f = wrapped("vtkSQSignedDistanceFunction")()
            if surface is not None:
                from vtkmodules.vtkCommonDataModel import vtkTable

                f.SetSurface(vtkTable())
            harness.MESSAGES.drain()
            for _ in range(3):
                self.assertTrue(np.isnan(f.EvaluateFunction([0.0, 0.0, 0.0])))
            self.assertTrue(np.isnan(batch(f, np.zeros((4, 3)))).all())
            messages = harness.MESSAGES.drain()
            self.assertEqual(len(messages), 1, messages)
            self.assertIn(text, messages[0][1])

    def test_empty_surface(self):
        f = function(vd.polydata([]))
        self.assertTrue(np.isnan(f.EvaluateFunction([0.0, 0.0, 0.0])))
        self.assertEqual(harness.MESSAGES.drain(), [])

    def test_print(self):
        self.assertIn("SignMethod: 0", str(function(meshes.box())))


class Users(harness.Case):
    def sphere(self):
        return meshes.sphere(rings=40, segments=60)

    def test_clip(self):
        mesh = meshes.hexahedra(12, size=3.0)
        surface = meshes.sphere(rings=40, segments=60, centre=(1.5, 1.5, 1.5))
        clip = vtkClipDataSet()
        clip.SetInputData(mesh)
        clip.SetClipFunction(function(surface))
        clip.InsideOutOn()
        clip.Update()
        out = clip.GetOutput()
        used = set()
        for c in range(out.GetNumberOfCells()):
            ids = out.GetCell(c).GetPointIds()
            used |= {ids.GetId(k) for k in range(ids.GetNumberOfIds())}
        xyz = vd.coordinates(out)[sorted(used)]
        r = np.linalg.norm(xyz - 1.5, axis=1)
        self.assertGreater(len(xyz), 300)
        self.assertLess(r.max(), 1.02)
        self.assertGreater((r > 0.97).sum(), 200)

    def test_cut(self):
        mesh = meshes.hexahedra(12, size=3.0)
        surface = meshes.sphere(rings=40, segments=60, centre=(1.5, 1.5, 1.5))
        cut = vtkCutter()
        cut.SetInputData(mesh)
        cut.SetCutFunction(function(surface))
        cut.SetValue(0, 0.25)
        cut.Update()
        r = np.linalg.norm(vd.coordinates(cut.GetOutput()) - 1.5, axis=1)
        self.assertGreater(len(r), 300)
        self.close(r, np.full(len(r), 1.25), 0.02)

    def test_sample(self):
        """As Signed Distance Volume on the same grid, from one thread and from seven."""
        surface = self.sphere()
        runs = []
        for threads in (1, 7):
            vtkSMPTools.Initialize(threads)
            sample = vtkSampleFunction()
            sample.SetImplicitFunction(function(surface))
            sample.SetModelBounds(-2, 2, -2, 2, -2, 2)
            sample.SetSampleDimensions(17, 17, 17)
            sample.SetOutputScalarTypeToDouble()
            sample.ComputeNormalsOff()
            sample.Update()
            runs.append(vd.values(sample.GetOutput().GetPointData(), "scalars"))
        vtkSMPTools.Initialize(0)
        self.assertEqual(runs[0].tobytes(), runs[1].tobytes())
        volume = harness.run(
            "SignedDistanceVolume",
            {
                "UseInputBounds": 0,
                "SamplingBounds": [-2, 2, -2, 2, -2, 2],
                "SamplingDimensions": [17, 17, 17],
                "OutputType": "Double",
            },
            Input=surface,
        )
        self.close(runs[0], volume.point("SignedDistance"), 0.0)


if __name__ == "__main__":
    harness.main()
