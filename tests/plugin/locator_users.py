"""BVH Cell Locator in the filters that take a locator: Resample With Dataset, vtkProbeFilter, the stream tracer.

The argument after the plugin: known cases of point location (tests/data/cases).
"""

import json
import os
import tempfile

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonCore import vtkSMPTools
from vtkmodules.vtkCommonDataModel import vtkCellLocatorStrategy, vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkProbeFilter
from vtkmodules.vtkFiltersFlowPaths import (
    vtkCompositeInterpolatedVelocityField,
    vtkStreamTracer,
)

import harness
import known_cases
import meshes
import vtk_data as vd
from locator_tools import wrapped

BVH = "BVH Cell Locator"


def resample(mesh, q, locator, tolerance=None):
    """Resample With Dataset; a tolerance of None is its own."""
    settings = {"CellLocator": locator, "ComputeTolerance": int(tolerance is None)}
    settings["Tolerance"] = tolerance or 0.0
    return harness.run(
        "ResampleWithDataset", settings, SourceDataArrays=mesh, DestinationMesh=vd.cloud(q)
    )


class Resample(harness.Case):
    def test_the_list_has_it(self):
        source = simple.Wavelet()
        stock = simple.ResampleWithDataset(SourceDataArrays=source, DestinationMesh=source)
        offered = stock.GetProperty("CellLocator").Available
        self.assertIn(BVH, offered)
        self.assertIn("Static Cell Locator", offered)
        # Nothing that was there before changes.
        self.assertIn("StaticCellLocator", type(stock.CellLocator).__name__)
        stock.CellLocator = BVH
        self.assertIn("BVHCellLocator", type(stock.CellLocator).__name__)
        for f in (stock, source):
            simple.Delete(f)

    def test_as_the_static_locator(self):
        """The same values where that one is right: well inside, all linear cells."""
        for mesh, hi in ((meshes.mixed(), (5, 1, 1)), (meshes.hexahedra(5), (1, 1, 1))):
            xyz = vd.coordinates(mesh)
            vd.add(mesh, f=meshes.linear(xyz), v=xyz * (1, 2, 3))
            q = meshes.random_points(500, 0.01, np.array(hi) - 0.01, 4)
            for tolerance in (None, 0.0):
                got = resample(mesh, q, BVH, tolerance)
                want = resample(mesh, q, "Static Cell Locator", tolerance)
                self.quiet(got)
                self.assertTrue(got.point("vtkValidPointMask").all())
                self.close(got.point("f"), want.point("f"), 1e-12)
                self.close(got.point("f"), meshes.linear(q), 1e-12)
                self.close(got.point("v"), want.point("v"), 1e-12)

    def test_known_cases(self):
        """Public reports of lost points: each is found, and none that should not be."""
        with open(harness.ARGUMENTS[1]) as file:
            cases = json.load(file)
        more = 0
        seen = set()
        for case in cases:
            step = case["steps"][0]
            wanted = [e["values"] for e in step["expect"] if e["check"] == "mask"]
            mesh = known_cases.build(step["mesh"])
            points = step["queries"].get("points")
            inside = points is not None and mesh.IsA("vtkPointSet") and mesh.GetNumberOfCells() > 0
            if not case["id"].startswith("PRB") or not wanted or not inside:
                continue
            settings = step["settings"]
            tolerance = settings.get("Tolerance", 1e-6)
            if settings.get("ToleranceType", 0) == 0:
                tolerance *= mesh.GetCell(0).GetLength2() ** 0.5
            # The stock filter looks no further where no point lies in the bounds of the mesh: one does.
            q = np.array(known_cases.numbers(points) + [mesh.GetCenter()], float)
            got = resample(mesh, q, BVH, tolerance).point("vtkValidPointMask")[:-1]
            static = resample(mesh, q, "Static Cell Locator", tolerance)
            self.assertEqual(list(got), wanted[0], case["id"])
            more += int(got.sum()) - int(static.point("vtkValidPointMask")[:-1].sum())
            seen.add(case["id"])
        self.assertTrue({"PRB-01", "PRB-01b", "PRB-02", "PRB-06", "PRB-07", "PRB-09"} <= seen, seen)
        self.assertGreater(more, 0)

    def test_state_file(self):
        source = simple.Wavelet(registrationName="Mesh", WholeExtent=[-3, 3, -3, 3, -3, 3])
        tets = simple.Tetrahedralize(registrationName="Tets", Input=source)
        plane = simple.Plane(registrationName="Plane", XResolution=9, YResolution=9)
        stock = simple.ResampleWithDataset(
            registrationName="Stock", SourceDataArrays=tets, DestinationMesh=plane
        )
        stock.CellLocator = BVH
        stock.UpdatePipeline()
        before = vd.values(stock.GetClientSideObject().GetOutputDataObject(0).GetPointData(), "RTData")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipeline.pvsm")
            simple.SaveState(path)
            for proxy in list(simple.GetSources().values())[::-1]:
                simple.Delete(proxy)
            simple.LoadState(path)
        again = simple.FindSource("Stock")
        self.assertIn("BVHCellLocator", type(again.CellLocator).__name__)
        again.UpdatePipeline()
        after = vd.values(again.GetClientSideObject().GetOutputDataObject(0).GetPointData(), "RTData")
        np.testing.assert_array_equal(before, after)
        for proxy in list(simple.GetSources().values())[::-1]:
            simple.Delete(proxy)


class Probe(harness.Case):
    def probe(self, mesh, q, locator):
        one = vtkProbeFilter()
        one.SetInputData(vd.cloud(q))
        one.SetSourceData(mesh)
        one.SetCellLocatorPrototype(locator)
        one.ComputeToleranceOff()
        one.SetTolerance(1e-9)
        one.Update()
        return one.GetOutput().GetPointData()

    def test_threads(self):
        """The same bits from one thread and from seven, and those of BVH Probe."""
        mesh = meshes.hexahedra(8)
        vd.add(mesh, f=np.sin(9 * vd.coordinates(mesh)[:, 0]))
        q = meshes.random_points(20000, -0.1, 1.1, 6)
        runs = []
        for threads in (1, 7):
            vtkSMPTools.Initialize(threads)
            data = self.probe(mesh, q, wrapped("vtkSQBVHCellLocator")())
            runs.append([vd.values(data, name) for name in ("f", "vtkValidPointMask")])
        vtkSMPTools.Initialize(0)
        for a, b in zip(*runs):
            self.assertEqual(a.tobytes(), b.tobytes())
        out = harness.run(
            "BVHProbe",
            {"ToleranceType": "Absolute", "Tolerance": 1e-9, "FillMissing": 1},
            SourceMesh=mesh,
            Input=vd.cloud(q),
        )
        np.testing.assert_array_equal(runs[0][1], out.point("vtkValidPointMask"))
        self.close(runs[0][0], out.point("f"), 1e-14)


class StreamTracer(harness.Case):
    def lines(self, mesh, locator, seeds):
        strategy = vtkCellLocatorStrategy()
        strategy.SetCellLocator(locator)
        field = vtkCompositeInterpolatedVelocityField()
        field.SetFindCellStrategy(strategy)
        tracer = vtkStreamTracer()
        tracer.SetInputData(mesh)
        tracer.SetSourceData(vd.cloud(seeds))
        tracer.SetInterpolatorPrototype(field)
        tracer.SetInputArrayToProcess(0, 0, 0, 0, "u")
        tracer.SetIntegratorTypeToRungeKutta4()
        tracer.SetIntegrationDirectionToForward()
        tracer.SetIntegrationStepUnit(1)
        tracer.SetInitialIntegrationStep(0.01)
        tracer.SetMaximumPropagation(0.5)
        tracer.Update()
        return tracer.GetOutput()

    def test_circles(self):
        """A rigid rotation about the middle of the mesh: radii are kept, and the lines are those of the static locator."""
        mesh = meshes.hexahedra(6)
        xyz = vd.coordinates(mesh) - 0.5
        vd.add(mesh, u=np.stack([-xyz[:, 1], xyz[:, 0], 0 * xyz[:, 0]], 1))
        seeds = 0.5 + np.array([(0.1, 0, 0), (0.2, 0.1, 0.1), (0, 0.3, -0.2)])
        got = self.lines(mesh, wrapped("vtkSQBVHCellLocator")(), seeds)
        want = self.lines(mesh, vtkStaticCellLocator(), seeds)
        self.assertEqual(got.GetNumberOfCells(), 3)
        self.assertGreater(got.GetNumberOfPoints(), 100)
        self.close(vd.coordinates(got), vd.coordinates(want), 1e-9)
        for c in range(3):
            x = vd.coordinates(got.GetCell(c).GetPoints())[:, :2] - 0.5
            r = np.linalg.norm(x, axis=1)
            self.close(r, np.full(len(r), r[0]), 1e-6)  # points of lines are float


if __name__ == "__main__":
    harness.main()
