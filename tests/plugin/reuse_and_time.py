"""When the built structure is kept, time steps of two inputs, progress texts, and abort."""

import gc
import os
import time

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import vtk_data as vd


def copy(data):
    out = data.NewInstance()
    out.DeepCopy(data)
    return out


class Reuse(harness.Case):
    def reused(self, f, **settings):
        return int(f.apply(**settings).field("BVHReused")[0])

    def test_field_keeps_its_surface(self):
        box = meshes.box()
        f = harness.Filter("SignedDistanceField", Input=vd.cloud([(2, 2, 2)]), Surface=box)
        self.assertEqual(self.reused(f), 0)
        self.assertEqual(self.reused(f.feed(Input=vd.cloud([(0.5, 0.5, 0.75), (3, 3, 3)]))), 1)
        for change in (
            {"SignMethod": 3},
            {"SignMethod": 1},
            {"LimitDistance": 1, "MaxDistance": 1.0},
            {"ComputeGradient": 1},
            {"FlipInsideOut": 1},
            {"Threads": 1},
        ):
            self.assertEqual(self.reused(f, **change), 1, change)
        self.assertEqual(self.reused(f, MergePoints=0), 0)
        self.assertEqual(self.reused(f, MergePoints=1), 0)
        self.assertEqual(self.reused(f, MergeTolerance=1e-6), 0)
        f.delete()

    def both(self):
        yield "SignedDistanceField", "Surface", meshes.box(), "SignedDistance"
        yield "BVHProbe", "SourceMesh", vd.add(meshes.hexahedra(2), f=np.arange(27.0)), "f"

    def test_equal_content_is_kept(self):
        for name, port, mesh, _ in self.both():
            with self.subTest(name):
                f = harness.Filter(name, Input=vd.cloud([(0.2, 0.3, 0.4)]), **{port: mesh})
                self.assertEqual(self.reused(f), 0)
                self.assertEqual(self.reused(f.feed(**{port: copy(mesh)})), 1)
                coloured = vd.add(copy(mesh), extra=np.arange(float(mesh.GetNumberOfPoints())))
                self.assertEqual(self.reused(f.feed(**{port: coloured})), 1)
                f.delete()

    def test_other_content_is_not(self):
        for name, port, mesh, _ in self.both():
            with self.subTest(name):
                f = harness.Filter(name, Input=vd.cloud([(0.2, 0.3, 0.4)]), **{port: mesh})
                self.assertEqual(self.reused(f), 0)
                moved = copy(mesh)
                moved.GetPoints().SetPoint(0, -0.1, 0, 0)
                self.assertEqual(self.reused(f.feed(**{port: moved})), 0)
                hidden = vd.add(
                    copy(moved),
                    "cell",
                    vtkGhostType=np.uint8([32] + [0] * (mesh.GetNumberOfCells() - 1)),
                )
                self.assertEqual(self.reused(f.feed(**{port: hidden})), 0)
                self.assertEqual(self.reused(f.feed(**{port: vd.multiblock(mesh, copy(mesh))})), 0)
                self.assertEqual(self.reused(f.feed(**{port: vd.multiblock(copy(mesh), mesh)})), 1)
                f.delete()

    def test_points_changed_in_place(self):
        box = meshes.box()
        f = harness.Filter("SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 3)]), Surface=box)
        self.close(f.apply().point("SignedDistance"), [2])
        for i in range(4, 8):
            x, y, _ = box.GetPoint(i)
            box.GetPoints().SetPoint(i, x, y, 2)
        box.GetPoints().Modified()
        out = f.feed(Surface=box).apply()
        self.close(out.point("SignedDistance"), [1])
        self.assertEqual(out.field("BVHReused").tolist(), [0])
        f.delete()

    def test_cells_changed(self):
        f = harness.Filter(
            "SignedDistanceField",
            {"SignMethod": 3},
            Input=vd.cloud([(0.5, 0.5, 3)]),
            Surface=meshes.box(),
        )
        self.close(f.apply().point("SignedDistance"), [2])
        out = f.feed(Surface=meshes.box(drop=(2, 3))).apply()
        self.close(out.point("SignedDistance"), [np.sqrt(4.25)], 1e-15)
        self.assertEqual(out.field("BVHReused").tolist(), [0])
        f.delete()

    def test_new_values_on_a_kept_mesh(self):
        """The mesh is kept and the data that it came with is gone; values are the new ones."""
        first = vd.add(meshes.hexahedra(4), f=np.zeros(125))
        f = harness.Filter(
            "BVHProbe", Input=vd.cloud(meshes.random_points(500, 0, 1, 51)), SourceMesh=first
        )
        self.close(f.apply().point("f"), np.zeros(500))
        for k in range(3):
            mesh = meshes.hexahedra(4)
            vd.add(mesh, f=meshes.linear(vd.coordinates(mesh), a=k))
            f.feed(SourceMesh=mesh)
            first = None
            gc.collect()
            out = f.apply()
            self.assertEqual(out.field("BVHReused").tolist(), [1])
            self.close(
                out.point("f"), meshes.linear(meshes.random_points(500, 0, 1, 51), a=k), 1e-13
            )
        f.delete()

    def test_probe_options_reuse(self):
        f = harness.Filter(
            "BVHProbe", Input=vd.cloud([(0.5, 0.5, 3)]), SourceMesh=meshes.hexahedra(2)
        )
        self.assertEqual(self.reused(f), 0)
        for change in (
            {"Mode": 1},
            {"Mode": 2},
            {"Tolerance": 0.5},
            {"CategoricalData": 1},
            {"NearestBy": 1},
            {"Threads": 2},
        ):
            self.assertEqual(self.reused(f, **change), 1, change)
        f.delete()

    def test_located_cells_are_reused_for_new_arrays(self):
        """SearchReused: the same queries in the same mesh are not searched again; anything else is."""
        q = meshes.random_points(300, 0, 1, 53)
        f = harness.Filter("BVHProbe", Input=vd.cloud(q), SourceMesh=meshes.hexahedra(3))

        def searched(**settings):
            return int(f.apply(**settings).field("SearchReused")[0])

        self.assertEqual(searched(), 0)
        for k in (1, 2):
            mesh = meshes.hexahedra(3)
            out = f.feed(
                SourceMesh=vd.add(mesh, f=meshes.linear(vd.coordinates(mesh), a=k))
            ).apply()
            self.assertEqual(out.field("SearchReused").tolist(), [1])
            self.close(out.point("f"), meshes.linear(q, a=k), 1e-13)
        f.feed(Input=vd.add(vd.cloud(q), other=q[:, 0].copy()))
        self.assertEqual(searched(), 1)
        self.assertEqual(searched(FillMissing=1, MissingValue=2.0), 1)
        self.assertEqual(searched(Tolerance=0.01), 0)
        self.assertEqual(searched(Mode=1), 0)
        self.assertEqual(searched(MultipleCells=1), 0)
        f.feed(Input=vd.cloud(q + 1e-3))
        self.assertEqual(searched(), 0)
        moved = vd.unstructured(
            vd.coordinates(mesh) * 1.1,
            [(12, [mesh.GetCell(c).GetPointId(k) for k in range(8)]) for c in range(27)],
        )
        out = f.feed(SourceMesh=moved).apply()
        self.assertEqual((out.field("BVHReused")[0], out.field("SearchReused")[0]), (0, 0))
        f.delete()

    def test_statistics_are_not_passed_on(self):
        """A filter behind another one reports its own."""
        first = harness.Filter(
            "SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 3)]), Surface=meshes.box()
        )
        first.apply()
        first.apply(SignMethod=3)
        second = harness.Filter("BVHProbe", Input=first.proxy, SourceMesh=meshes.hexahedra(2))
        self.assertEqual(first.apply().field("BVHReused").tolist(), [1])
        self.assertEqual(second.apply().field("BVHReused").tolist(), [0])
        self.assertEqual(len(second.apply().field("QuerySeconds")), 1)
        second.delete()
        first.delete()


INFORMATION = """
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
steps = {steps}
info.Remove(executive.TIME_STEPS())
for t in steps:
    info.Append(executive.TIME_STEPS(), t)
info.Set(executive.TIME_RANGE(), [steps[0], steps[-1]], 2)
"""
DATA = """
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
t = info.Get(executive.UPDATE_TIME_STEP()) if info.Has(executive.UPDATE_TIME_STEP()) else {first}
import sys
sys.path.insert(0, {folder!r})
import meshes, vtk_data
self.GetOutput().ShallowCopy({make})
"""


def moving(steps, make):
    """A source with time steps; `make` is an expression of t."""
    source = simple.ProgrammableSource()
    source.OutputDataSetType = "vtkPolyData"
    source.ScriptRequestInformation = INFORMATION.format(steps=list(steps))
    source.Script = DATA.format(
        first=steps[0], make=make, folder=os.path.dirname(os.path.abspath(__file__))
    )
    return source


BOX = "meshes.box((0, 0, t), (1, 1, 1 + t))"
POINT = "vtk_data.cloud([(0.5, 0.5, 10 + t)])"


class Time(harness.Case):
    def steps(self, proxy):
        proxy.UpdatePipelineInformation()
        info = proxy.GetClientSideObject().GetOutputInformation(0)
        pipeline = vtkStreamingDemandDrivenPipeline
        got = info.Get(pipeline.TIME_STEPS()) if info.Has(pipeline.TIME_STEPS()) else ()
        return list(got or ()), (
            list(info.Get(pipeline.TIME_RANGE()) or ()) if info.Has(pipeline.TIME_RANGE()) else []
        )

    def test_union_of_both_inputs(self):
        for name, port in (("SignedDistanceField", "Surface"), ("BVHProbe", "SourceMesh")):
            for first, second, want in (
                ((0, 1, 2), (0.5, 1, 3), [0, 0.5, 1, 2, 3]),
                (None, (0.5, 1, 3), [0.5, 1, 3]),
                ((0, 1, 2), None, [0, 1, 2]),
                ((4,), (1,), [1, 4]),
            ):
                with self.subTest(name, first=first, second=second):
                    points = moving(first, POINT) if first else vd.cloud([(0, 0, 9)])
                    mesh = moving(second, BOX) if second else meshes.box()
                    f = harness.Filter(name, Input=points, **{port: mesh})
                    self.assertEqual(self.steps(f.proxy), (want, [want[0], want[-1]]))
                    f.delete()

    def test_single_input_passes(self):
        f = harness.Filter(
            "SignedDistanceVolume", {"SamplingDimensions": [3, 3, 3]}, Input=moving((0, 2, 5), BOX)
        )
        self.assertEqual(self.steps(f.proxy), ([0, 2, 5], [0, 5]))
        f.delete()

    def test_no_time_no_steps(self):
        f = harness.Filter("SignedDistanceField", Input=vd.cloud([(0, 0, 9)]), Surface=meshes.box())
        self.assertEqual(self.steps(f.proxy)[0], [])
        f.delete()

    def test_values_follow_the_time(self):
        f = harness.Filter(
            "SignedDistanceField", Input=moving((0, 1, 2), POINT), Surface=moving((0, 4), BOX)
        )
        for t in (0, 1, 2):  # the point is at 10 + t, the lid at 1 + t, each at the time asked for
            out = f.apply(time=t)
            self.close(out.point("SignedDistance"), [9])
        f.delete()
        f = harness.Filter(
            "SignedDistanceField", Input=moving((0, 1, 2), POINT), Surface=meshes.box()
        )
        for t in (0, 2, 1):
            self.close(f.apply(time=t).point("SignedDistance"), [9 + t])
        self.assertEqual(f.apply(time=0).field("BVHReused").tolist(), [1])
        f.delete()

    def test_probe_in_time(self):
        source = "vtk_data.add(meshes.hexahedra(2), f=meshes.linear(vtk_data.coordinates(meshes.hexahedra(2)), d=t))"
        mesh = moving((0, 1, 2), source)
        mesh.OutputDataSetType = "vtkUnstructuredGrid"
        f = harness.Filter("BVHProbe", Input=vd.cloud([(0.25, 0.25, 0.25)]), SourceMesh=mesh)
        for k, t in enumerate((0, 2, 1)):
            out = f.apply(time=t)
            self.close(out.point("f"), meshes.linear([(0.25, 0.25, 0.25)], d=t), 1e-14)
            self.assertEqual(out.field("BVHReused").tolist(), [int(k > 0)])
        f.delete()


class Watch:
    """What a filter reports while it runs; asks it to stop once the text is `stop`."""

    def __init__(self, f, stop=None):
        self.algorithm, self.stop, self.seen, self.asked = f.algorithm, stop, [], None
        self.tag = self.algorithm.AddObserver("ProgressEvent", self.take)

    def take(self, algorithm, _event):
        self.seen.append((algorithm.GetProgress(), algorithm.GetProgressText()))
        if self.stop and self.asked is None and self.stop in (algorithm.GetProgressText() or ""):
            self.asked = time.perf_counter()
            algorithm.SetAbortExecute(1)

    def remove(self):
        self.algorithm.RemoveObserver(self.tag)


class Heavy:
    """Inputs that keep each filter busy for a second or so; made once."""

    def __init__(self):
        self.body = meshes.sphere(rings=100, segments=200)
        self.cloud = vd.cloud(meshes.random_points(200000, -1, 1, 52))
        self.mesh = meshes.hexahedra(24, 2.0)
        vd.add(self.mesh, f=np.arange(25.0**3))

    def filter(self, name):
        if name == "SignedDistanceVolume":
            return harness.Filter(name, {"SamplingDimensions": [70, 70, 70]}, Input=self.body)
        if name == "SignedDistanceField":
            return harness.Filter(name, Input=self.cloud, Surface=self.body)
        return harness.Filter(name, {"Mode": 2}, Input=self.cloud, SourceMesh=self.mesh)


RESULT = {
    "SignedDistanceField": "SignedDistance",
    "SignedDistanceVolume": "SignedDistance",
    "BVHProbe": "f",
}


class Progress(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.heavy = Heavy()

    def test_not_too_often(self):
        """At most 200 reports a run, however many operations and blocks it has; each phase is named."""
        clouds = [vd.cloud(meshes.random_points(200, -1, 1, seed)) for seed in range(150)]
        blocks = vd.multiblock(*clouds)
        for name, settings, inputs in (
            ("SignedDistanceField", {}, {"Input": blocks, "Surface": meshes.sphere()}),
            ("BVHProbe", {"Mode": 2}, {"Input": blocks, "SourceMesh": self.heavy.mesh}),
            ("InteractionPlan", {"Kernel": 1, "PairsOf": 1, "ExportPlan": 1}, {"Input": clouds[0]}),
            ("InteractionPlanSweep", {}, {"Input": clouds[0]}),
        ):
            f = harness.Filter(name, settings, **inputs)
            watch = Watch(f)
            self.quiet(f.apply())
            self.assertTrue(3 <= len(watch.seen) <= 200, (name, len(watch.seen)))
            self.assertGreaterEqual(len({text for _, text in watch.seen}), 3)
            reached = [fraction for fraction, _ in watch.seen]
            self.assertEqual(reached, sorted(reached))
            self.assertEqual(reached[-1], 1.0)
            f.delete()

    def test_phases(self):
        for name in RESULT:
            with self.subTest(name):
                f = self.heavy.filter(name)
                watch = Watch(f)
                f.apply()
                share = [s for s, _ in watch.seen]
                texts = [t for _, t in watch.seen if t]
                self.assertIn("Building BVH", texts)
                self.assertIn("Querying", texts)
                self.assertLess(texts.index("Building BVH"), texts.index("Querying"))
                self.assertTrue(all(0 <= s <= 1 for s in share))
                self.assertEqual(share, sorted(share))
                self.assertTrue(10 <= len(share) <= 250, len(share))
                watch.seen.clear()
                f.apply(Threads=1)
                self.assertNotIn("Building BVH", [t for _, t in watch.seen])
                watch.remove()
                f.delete()


class Abort(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.heavy = Heavy()

    def test_stops_soon_and_leaves_nothing_partial(self):
        for name, result in RESULT.items():
            for phase in ("Building BVH", "Querying"):
                with self.subTest(name, phase=phase):
                    delays = []
                    for _ in range(
                        3
                    ):  # the best of three: other work on the machine is not the filter's delay
                        f = self.heavy.filter(name)
                        watch = Watch(f, phase)
                        out = f.apply()
                        self.assertIsNotNone(watch.asked, "the phase was never reported")
                        delays.append(time.perf_counter() - watch.asked)
                        if out.data is not None and out.data.GetNumberOfPoints():
                            self.assertNotIn(result, out.points())
                            self.assertNotIn("vtkValidPointMask", out.points())
                        self.assertEqual([m for m in out.messages if m[0] == "error"], [])
                        watch.remove()
                        # Asked again it does the whole work, and rightly.
                        if not delays[1:]:
                            f.algorithm.SetAbortExecute(0)
                            out = f.apply(Threads=2)
                            self.assertTrue(np.isfinite(out.point(result)).all())
                        f.delete()
                    self.assertLess(min(delays), 0.1)

    def test_arrays_of_before_do_not_survive(self):
        f = self.heavy.filter("SignedDistanceField")
        f.apply()
        watch = Watch(f, "Querying")
        out = f.apply(SignMethod=3)
        if out.data is not None and out.data.GetNumberOfPoints():
            self.assertNotIn("SignedDistance", out.points())
        watch.remove()
        f.delete()


class Vanishing(harness.Case):
    def test_filter_outlives_its_inputs(self):
        f = harness.Filter("SignedDistanceField", Input=vd.cloud([(2, 2, 2)]), Surface=meshes.box())
        f.apply()
        f.feed(Surface=vtkPolyData(), Input=vtkPolyData())
        gc.collect()
        self.assertEqual(len(f.apply().point("SignedDistance")), 0)
        f.delete()


if __name__ == "__main__":
    harness.main()
