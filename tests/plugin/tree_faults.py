"""The trees and plans under wrong input, at any number of threads, saved and loaded, and stopped on the way."""

import os
import tempfile

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkTable, vtkUnstructuredGrid

import harness
import meshes
import vtk_data as vd

FILTERS = ("BVHCandidates", "BVHBoxes", "ClusterTree", "InteractionPlan", "InteractionPlanSweep")
# What every one of them shows when it has something to show.
SHOWN = {
    "BVHCandidates": {},
    "BVHBoxes": {"ExportTree": 1, "MaximumDepth": 30},
    "ClusterTree": {"ExportTree": 1, "MaximumDepth": 30},
    "InteractionPlan": {"Kernel": "1/r", "PairsOf": "All", "ExportPlan": 1, "LeafSize": 4},
    "InteractionPlanSweep": {"OpeningAngles": [1.0, 2.0], "LeafSizes": [4], "ErrorTargets": 20},
}


def make(name, data, settings=None, other=None):
    """The filter over one data set, which is both inputs where there are two (or `other` the second)."""
    ports = {"Input": data}
    if name == "BVHCandidates":
        ports["SourceMesh"] = other or data
    elif other is not None and name.startswith("InteractionPlan"):
        ports["Sources"] = other
    return harness.Filter(name, settings, **ports)


def outputs(f):
    return [
        f.algorithm.GetOutputDataObject(p) for p in range(f.algorithm.GetNumberOfOutputPorts())
    ]


def numbers(data):
    """All arrays of a data object by leaf, place and name, but those that measure time."""
    out = {}
    for i, leaf in enumerate(vd.leaves(data)):
        if leaf is None:
            continue
        if leaf.IsA("vtkTable"):
            places = {"row": leaf.GetRowData()}
        else:
            places = {"point": leaf.GetPointData(), "cell": leaf.GetCellData()}
            if leaf.IsA("vtkPointSet"):
                out[i, "points"] = vd.points(leaf).tobytes()
        for on, place in places.items():
            for name in vd.names(place):
                if "Seconds" not in name:
                    out[i, on, name] = np.asarray(vd.values(place, name)).tobytes()
    return out


def is_empty(data):
    """Nothing in it but, in tables, the heads of columns, and in an image its announced extent."""
    for leaf in vd.leaves(data):
        if leaf is None:
            continue
        if leaf.IsA("vtkTable"):
            if leaf.GetNumberOfRows():
                return False
        elif leaf.IsA("vtkImageData"):
            if vd.names(leaf.GetCellData()) or vd.names(leaf.GetPointData()):
                return False
        elif leaf.GetNumberOfPoints() or leaf.GetNumberOfCells():
            return False
    return True


def errors(out):
    return [text for kind, text in out.messages if kind == "error"]


def warnings(out):
    return [text for kind, text in out.messages if kind == "warning"]


class BadInput(harness.Case):
    def test_table(self):
        """An error, and after it the filter does its work."""
        table = vtkTable()
        table.AddColumn(vd.array("x", np.arange(3.0)))
        for name in FILTERS:
            with self.subTest(name):
                f = make(name, table, SHOWN[name])
                self.assertGreaterEqual(len(errors(f.apply())), 1)
                for data in outputs(f):
                    self.assertTrue(data is None or is_empty(data))
                f.delete()

    def test_nothing(self):
        """No message, no row, and no crash, whatever it is that is empty."""
        for name in FILTERS:
            for data in (
                vtkPolyData(),
                vtkUnstructuredGrid(),
                vd.multiblock(),
                vd.multiblock(None, vtkPolyData(), vd.multiblock(None)),
                vd.image((0, 0, 0)),
            ):
                with self.subTest(name, data=data.GetClassName()):
                    f = make(name, data, SHOWN[name])
                    self.quiet(f.apply())
                    f.delete()

    def test_no_point_is_finite(self):
        """At most one warning; nobody is paired, boxed or found."""
        for bad in (np.nan, np.inf, -np.inf):
            mesh = vd.polydata(np.full((5, 3), bad), [(0, 1, 2), (2, 3, 4)])
            for name in FILTERS:
                with self.subTest(name, bad=bad):
                    f = make(name, mesh, SHOWN[name])
                    out = f.apply()
                    self.assertEqual(errors(out), [])
                    self.assertEqual(len(warnings(out)), 1, out.messages)
                    if name == "BVHCandidates":
                        self.assertEqual(out.point("CandidateCount").tolist(), [0] * 5)
                    elif name == "InteractionPlan":
                        self.assertEqual(out.point("NearCount").tolist(), [0] * 5)
                        self.close(out.point("Potential"), [np.nan] * 5)
                    elif name == "ClusterTree":
                        order = f.tables(1)["Order"]["sorted_source_order"]
                        self.assertEqual(sorted(order.tolist()), list(range(5)))
                    elif name == "BVHBoxes":
                        self.assertEqual(out.data.GetNumberOfCells(), 0)
                    f.delete()

    def test_sizes_that_overflow_and_underflow(self):
        """Extents beyond the largest double and of the smallest: no message, and every point has its place."""
        xyz = meshes.random_points(40, -1, 1, 91)
        for size in (1e308, 1e200, 1e-200, 5e-324, 0.0):
            data = vd.polydata(xyz * size, [(i, i + 1, i + 2) for i in range(0, 37, 3)])
            for name in FILTERS:
                with self.subTest(name, size=size):
                    f = make(name, data, SHOWN[name])
                    out = f.apply()
                    self.assertEqual(errors(out), [])
                    if name == "ClusterTree":
                        leaf = out.cell("IsLeaf") == 1
                        self.assertEqual(out.cell("PointCount")[leaf].sum(), 40)
                    elif name == "InteractionPlan":
                        counts = ("NearCount", "NearFarCount", "FarNearCount", "FarFarCount")
                        total = sum(out.point(c).astype(int) for c in counts)
                        self.assertEqual(total.tolist(), [40] * 40)
                    f.delete()

    def test_ids_out_of_range(self):
        """One error that names the cell; nothing is read outside of the arrays."""
        for bad in (6, 10**12, -1):
            mesh = vd.polydata(meshes.BOX_CORNERS[:6], [(0, 1, 2), (3, 4, 5)])
            mesh.GetPolys().GetConnectivityArray().SetTuple1(4, bad)
            for name in ("BVHCandidates", "BVHBoxes"):
                with self.subTest(name, bad=bad):
                    asks = name == "BVHCandidates"
                    f = make(name, vd.cloud([(0, 0, 0)]) if asks else mesh, None, mesh)
                    out = f.apply()
                    self.assertEqual(len(errors(out)), 1, out.messages)
                    self.assertRegex(errors(out)[0], "cell 1")
                    for data in outputs(f):
                        self.assertTrue(data is None or is_empty(data))
                    f.delete()

    def test_arrays_that_are_none(self):
        """An area or a strength that is not there, no number, too short or of three components is one error."""
        data = vd.cloud(meshes.random_points(8, 0, 1, 92))
        vd.add(data, s=["a"] * 8, v=np.ones((8, 3)), nan=np.r_[np.nan, np.ones(7)], w=np.ones(8))
        for name in FILTERS[2:]:
            for prop in ("AreaArray",) if name == "ClusterTree" else ("AreaArray", "StrengthArray"):
                for array in ("gone", "s", "v"):
                    with self.subTest(name, prop=prop, array=array):
                        f = make(name, data, SHOWN[name])
                        f.set(**{prop: ["POINTS", array]})
                        out = f.apply()
                        self.assertEqual(len(errors(out)), 1, out.messages)
                        self.assertIn(array, errors(out)[0])
                        self.assertTrue(all(is_empty(o) for o in outputs(f) if o is not None))
                        good = f.apply(**{prop: ["POINTS", "w"]})
                        self.assertEqual(errors(good), [])
                        self.assertFalse(is_empty(good.data))
                        f.delete()

    def test_bad_then_good(self):
        """An error leaves nothing behind: the next answer is that of a fresh filter."""
        good = vd.unstructured(meshes.BOX_CORNERS, [(10, t) for t in meshes.KUHN])
        bad = vd.unstructured(meshes.BOX_CORNERS, [(10, t) for t in meshes.KUHN])
        bad.GetCells().GetConnectivityArray().SetTuple1(5, 77)
        for name in FILTERS[:2]:
            with self.subTest(name):
                port = "SourceMesh" if name == "BVHCandidates" else "Input"
                f = make(name, good, SHOWN[name])
                f.apply()
                want = [numbers(o) for o in outputs(f)]
                self.assertEqual(len(errors(f.feed(**{port: bad}).apply())), 1)
                self.quiet(f.feed(**{port: good}).apply())
                self.assertEqual([numbers(o) for o in outputs(f)], want)
                f.delete()


class Threads(harness.Case):
    def test_same_bits_on_every_port(self):
        n = 600
        cloud = np.concatenate([meshes.random_points(n, 0, 1, 93), np.full((40, 3), 0.25)])
        cloud = np.concatenate([cloud, [(np.nan, 0, 0), (1e6, 0, 0)]])
        data = vd.cloud(cloud, dtype=np.float32)
        vd.add(data, w=meshes.random_points(len(cloud), 0.5, 1, 94)[:, 0].copy())
        mesh = meshes.hexahedra(8)
        for name in FILTERS:
            with self.subTest(name):
                source = mesh if name.startswith("BVH") else None
                f = make(name, mesh if name == "BVHBoxes" else data, SHOWN[name], source)
                runs = []
                for threads in (1, 2, 7, 0):
                    f.apply(Threads=threads)
                    fresh = make(name, mesh if name == "BVHBoxes" else data, SHOWN[name], source)
                    self.assertEqual(errors(fresh.apply(Threads=threads)), [])
                    runs.append([numbers(o) for o in outputs(fresh)])
                    self.assertGreater(max(len(r) for r in runs[-1]), 3)
                    self.assertEqual(runs[-1], runs[0], threads)
                    fresh.delete()
                self.assertEqual([numbers(o) for o in outputs(f)], runs[0])
                f.delete()


class State(harness.Case):
    def test_saved_and_loaded_again(self):
        plane = simple.Plane(registrationName="Plane", XResolution=8, YResolution=7)
        other = dict(SHOWN)
        other["BVHCandidates"] = {"LeafSize": 3, "MaxCandidates": 5, "Tolerance": 0.125}
        other["BVHBoxes"] = {"BoxType": "Solid", "MinimumDepth": 2, "LeavesOnly": 1}
        other["ClusterTree"] = {"InputElements": "Cells", "Dimensions": 2, "LeafSize": 3}
        other["InteractionPlanSweep"]["ExpandModes"] = [1, 2]
        before = {}
        for name in FILTERS:
            ports = {"SourceMesh": plane} if name == "BVHCandidates" else {}
            f = getattr(simple, name)(registrationName=name, Input=plane, **ports)
            for prop, value in other[name].items():
                setattr(f, prop, value)
            f.UpdatePipeline()
            before[name] = numbers(f.GetClientSideObject().GetOutputDataObject(0))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trees.pvsm")
            simple.SaveState(path)
            self.clear()
            simple.LoadState(path)
        for name in FILTERS:
            with self.subTest(name):
                f = simple.FindSource(name)
                for prop, value in other[name].items():
                    got = getattr(f, prop)
                    self.assertEqual(list(got) if isinstance(value, list) else got, value, prop)
                f.UpdatePipeline()
                after = numbers(f.GetClientSideObject().GetOutputDataObject(0))
                self.assertGreater(len(after), 0)
                self.assertEqual(after, before[name])
        self.clear()

    def clear(self):
        for proxy in list(simple.GetSources().values())[::-1]:
            simple.Delete(proxy)
        self.assertEqual(len(simple.GetSources()), 0)


class Abort(harness.Case):
    """AbortExecute from an observer of progress, once in every phase."""

    def inputs(self, name):
        if name == "BVHBoxes":
            return meshes.hexahedra(7), None
        cloud = vd.cloud(meshes.random_points(700, 0, 1, 95))
        return cloud, meshes.hexahedra(6) if name == "BVHCandidates" else None

    def phases(self, name, data, other):
        f = make(name, data, SHOWN[name], other)
        seen = []
        f.algorithm.AddObserver("ProgressEvent", lambda a, _: seen.append(a.GetProgressText()))
        self.quiet(f.apply())
        want = [numbers(o) for o in outputs(f)]
        f.delete()
        return sorted({text for text in seen if text}), want

    def test_nothing_half_done_and_the_next_update_works(self):
        for name in FILTERS:
            data, other = self.inputs(name)
            phases, want = self.phases(name, data, other)
            self.assertGreater(len(phases), 3, name)
            stopped = 0
            for phase in phases:
                with self.subTest(name, phase=phase):
                    f = make(name, data, SHOWN[name], other)
                    asked = []

                    def stop(algorithm, _event, phase=phase, asked=asked):
                        if not asked and algorithm.GetProgressText() == phase:
                            asked.append(1)
                            algorithm.SetAbortExecute(1)

                    tag = f.algorithm.AddObserver("ProgressEvent", stop)
                    out = f.apply()
                    self.assertEqual(asked, [1])
                    self.assertEqual(errors(out), [])
                    got = [numbers(o) for o in outputs(f)]
                    # Asked at the last report of all there may be nothing left to stop.
                    if got != want:
                        stopped += 1
                        self.assertTrue(all(is_empty(o) for o in outputs(f)), got)
                    f.algorithm.RemoveObserver(tag)
                    f.algorithm.SetAbortExecute(0)
                    f.proxy.MarkModified(f.proxy)
                    f.algorithm.Modified()
                    self.quiet(f.apply())
                    self.assertEqual([numbers(o) for o in outputs(f)], want)
                    f.delete()
            self.assertGreaterEqual(stopped, len(phases) - 2, name)


if __name__ == "__main__":
    harness.main()
