"""Same bits for any number of threads and order of queries; state files; Python traces."""

import os
import tempfile

import numpy as np
from paraview import simple, smtrace

import harness
import meshes
import vtk_data as vd


def queries(n, lo, hi, seed):
    """Uniform, near the surface of the unit sphere, and odd ones."""
    far = meshes.random_points(n, lo, hi, seed)
    near = meshes.fibonacci(n) * (1 + 1e-3 * np.random.RandomState(seed).uniform(-1, 1, (n, 1)))
    odd = [(0, 0, 0), (np.nan, 0, 0), (1e6, -1e6, 1e6), (0, 0, 1), (np.inf, 1, 1)]
    return np.concatenate([far, near, odd])


SPHERE = {"rings": 40, "segments": 60}


class SameBits(harness.Case):
    def arrays(self, out):
        place = out.leaf().GetPointData()
        return {name: vd.values(place, name) for name in vd.names(place)}

    def equal(self, a, b, order=slice(None)):
        self.assertEqual(sorted(a), sorted(b))
        for name in a:
            x, y = np.asarray(a[name])[order], np.asarray(b[name])
            self.assertEqual((x.dtype, x.shape), (y.dtype, y.shape), name)
            self.assertEqual(x.tobytes(), y.tobytes(), name)

    def check(self, name, settings, cloud, **inputs):
        """1, 2 and 7 threads, and the queries in another order."""
        ask = {"Input": vd.cloud(cloud)} if cloud is not None else {}
        runs = [
            self.arrays(harness.run(name, dict(settings, Threads=t), **ask, **inputs))
            for t in (1, 2, 7, 0)
        ]
        self.assertGreater(len(runs[0]), 1)
        for other in runs[1:]:
            self.equal(runs[0], other)
        if cloud is not None:
            order = np.random.RandomState(1).permutation(len(cloud))
            shuffled = self.arrays(
                harness.run(name, settings, Input=vd.cloud(cloud[order]), **inputs)
            )
            self.equal(runs[0], shuffled, order)
            some = order[:777]
            part = self.arrays(harness.run(name, settings, Input=vd.cloud(cloud[some]), **inputs))
            self.equal(runs[0], part, some)

    def test_field(self):
        self.check(
            "SignedDistanceField",
            {"ComputeGradient": 1},
            queries(3000, -2, 2, 61),
            Surface=meshes.sphere(**SPHERE),
        )
        band = {"LimitDistance": 1, "MaxDistance": 0.01, "ComputeGradient": 1}
        self.check(
            "SignedDistanceField", band, queries(3000, -2, 2, 62), Surface=meshes.sphere(**SPHERE)
        )

    def test_volume(self):
        settings = {"SamplingDimensions": [33, 34, 35], "OutputType": 1}
        self.check("SignedDistanceVolume", settings, None, Input=meshes.sphere(**SPHERE))

    def test_probe(self):
        mesh = meshes.hexahedra(9)
        vd.add(mesh, f=np.sin(37 * vd.coordinates(mesh)), s=["n%d" % i for i in range(1000)])
        vd.add(mesh, "cell", c=np.arange(729))
        extra = {"ComputeParametricCoordinates": 1, "ComputeContainingCellCount": 1}
        for mode in (0, 1, 2):
            self.check(
                "BVHProbe", dict(extra, Mode=mode), queries(2000, -0.2, 1.2, 63), SourceMesh=mesh
            )
        self.check("BVHProbe", dict(extra, MultipleCells=1), vd.coordinates(mesh), SourceMesh=mesh)
        sphere = meshes.sphere(**SPHERE)
        vd.add(sphere, f=np.sin(37 * vd.coordinates(sphere)))
        self.check("BVHProbe", {"Mode": 1}, queries(2000, -2, 2, 64), SourceMesh=sphere)


class State(harness.Case):
    def pipeline(self):
        """Sources, and each filter with settings that are not the defaults."""
        body = simple.Sphere(
            registrationName="Body", ThetaResolution=17, PhiResolution=13, Radius=0.7
        )
        mesh = simple.Wavelet(registrationName="Mesh", WholeExtent=[-4, 4, -4, 4, -4, 4])
        plane = simple.Plane(registrationName="Plane", XResolution=20, YResolution=20)
        plane.Origin, plane.Point1, plane.Point2 = [-2, -2, 0.1], [2, -2, 0.1], [-2, 2, 0.1]
        field = simple.SignedDistanceField(registrationName="Field", Input=plane, Surface=body)
        field.SignMethod, field.LimitDistance, field.MaxDistance = "Pseudonormal", 1, 0.6
        field.ComputeGradient, field.ResultArrayName = 1, "Wall"
        volume = simple.SignedDistanceVolume(registrationName="Volume", Input=body)
        volume.SamplingDimensions, volume.Padding, volume.OutputType = [9, 8, 7], 0.3, "Double"
        probe = simple.BVHProbe(registrationName="Probe", Input=plane, SourceMesh=mesh)
        probe.Mode, probe.Tolerance, probe.SampledArrayPrefix = (
            "Containing Cell Else Nearest",
            1e-4,
            "m_",
        )
        return field, volume, probe

    def results(self, filters):
        out = []
        for f in filters:
            f.UpdatePipeline()
            data = f.GetClientSideObject().GetOutputDataObject(0).GetPointData()
            out.append({name: vd.values(data, name) for name in vd.names(data)})
        return out

    def test_saved_and_loaded_again(self):
        before = self.results(self.pipeline())
        self.assertIn("Wall", before[0])
        self.assertIn("m_RTData", before[2])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipeline.pvsm")
            simple.SaveState(path)
            for proxy in list(simple.GetSources().values())[::-1]:
                simple.Delete(proxy)
            self.assertEqual(len(simple.GetSources()), 0)
            simple.LoadState(path)
        loaded = [simple.FindSource(name) for name in ("Field", "Volume", "Probe")]
        self.assertNotIn(None, loaded)
        self.assertEqual(loaded[0].SignMethod, "Pseudonormal")
        self.assertEqual(loaded[0].MaxDistance, 0.6)
        self.assertEqual(list(loaded[1].SamplingDimensions), [9, 8, 7])
        self.assertEqual(loaded[2].SampledArrayPrefix, "m_")
        after = self.results(loaded)
        for a, b in zip(before, after):
            self.assertEqual(sorted(a), sorted(b))
            for name in a:
                np.testing.assert_array_equal(a[name], b[name])
        for proxy in list(simple.GetSources().values())[::-1]:
            simple.Delete(proxy)

    def test_missing_number_survives(self):
        """NaN cannot be written to a state file; FillMissing and MissingValue say it instead."""
        plane = simple.Plane(registrationName="Plane")
        probe = simple.BVHProbe(registrationName="Probe", Input=plane, SourceMesh=simple.Wavelet())
        probe.FillMissing, probe.MissingValue = 1, -12.5
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipeline.pvsm")
            simple.SaveState(path)
            for proxy in list(simple.GetSources().values())[::-1]:
                simple.Delete(proxy)
            simple.LoadState(path)
        again = simple.FindSource("Probe")
        self.assertEqual((again.FillMissing, again.MissingValue), (1, -12.5))
        for proxy in list(simple.GetSources().values())[::-1]:
            simple.Delete(proxy)

    def test_trace(self):
        """A trace names filters, ports and properties by their labels, and runs again."""
        body = simple.Sphere(registrationName="Body")
        plane = simple.Plane(registrationName="Plane")
        for source in (body, plane):
            source.UpdatePipeline()
        smtrace.start_trace(preamble="")
        made = [
            simple.SignedDistanceField(
                registrationName="Field",
                Input=plane,
                Surface=body,
                SignMethod="Unsigned",
                MergePoints=0,
            ),
            simple.BVHProbe(
                registrationName="Probe",
                Input=plane,
                SourceMesh=body,
                Mode="Nearest Cell",
                ComputeCellId=0,
            ),
            simple.SignedDistanceVolume(
                registrationName="Volume", Input=body, OutputType="Double", Padding=0.5
            ),
        ]
        text = smtrace.stop_trace()
        one_line = " ".join(text.split())
        for line in (
            "SignedDistanceField(registrationName='Field', Input=plane, Surface=body)",
            "field.SignMethod = 'Unsigned'",
            "field.MergePoints = 0",
            "BVHProbe(registrationName='Probe', SourceMesh=body, Input=plane)",
            "probe.Mode = 'Nearest Cell'",
            "probe.ComputeCellId = 0",
            "SignedDistanceVolume(registrationName='Volume', Input=body)",
            "volume.OutputType = 'Double'",
            "volume.Padding = 0.5",
        ):
            self.assertIn(line, one_line)
        for f in made:
            simple.Delete(f)
        again = {}
        exec(compile(text, "trace", "exec"), again)
        self.assertEqual(again["field"].SignMethod, "Unsigned")
        self.assertEqual(again["field"].MergePoints, 0)
        self.assertEqual(again["probe"].Mode, "Nearest Cell")
        self.assertEqual((again["volume"].OutputType, again["volume"].Padding), ("Double", 0.5))
        for f in (again["field"], again["probe"], again["volume"], plane, body):
            simple.Delete(f)

    def test_input_is_the_selected_source_when_not_named(self):
        """The pipeline's active item becomes Input, as with every filter of ParaView."""
        body = simple.Sphere()
        volume = simple.SignedDistanceVolume()
        self.assertIsNotNone(volume.Input)
        for f in (volume, body):
            simple.Delete(f)


if __name__ == "__main__":
    harness.main()
