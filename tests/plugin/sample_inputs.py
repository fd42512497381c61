"""The three filters on the sample data: a closed body, the same as soup, one with a hole, a mixed flow mesh.

Arguments after the plugin: the folder sample_data.
"""

import os

import numpy as np
from paraview import simple
from vtkmodules.vtkIOGeometry import vtkSTLReader
from vtkmodules.vtkIOXML import (
    vtkXMLImageDataReader,
    vtkXMLPolyDataReader,
    vtkXMLUnstructuredGridReader,
)

import brute_force
import harness
import meshes
import vtk_data as vd

READERS = {
    ".vtp": vtkXMLPolyDataReader,
    ".vtu": vtkXMLUnstructuredGridReader,
    ".vti": vtkXMLImageDataReader,
    ".stl": vtkSTLReader,
}


def read(name):
    reader = READERS[os.path.splitext(name)[1]]()
    if name.endswith(".stl"):
        reader.MergingOff()
    reader.SetFileName(os.path.join(harness.ARGUMENTS[1], name))
    reader.Update()
    return reader.GetOutput()


def triangles(surface):
    ids = vd.vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    return vd.vtk_to_numpy(surface.GetPoints().GetData()).astype(float), ids


class Body(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.body = read("ahmed_body.vtp")
        cls.xyz, cls.tri = triangles(cls.body)
        lo, hi = cls.xyz.min(axis=0), cls.xyz.max(axis=0)
        cls.lo, cls.hi = lo - (hi - lo) / 2, hi + (hi - lo) / 2

    def field(self, q, surface=None, **settings):
        return harness.run(
            "SignedDistanceField",
            settings,
            Input=vd.cloud(q),
            Surface=self.body if surface is None else surface,
        )

    def test_against_brute_force(self):
        q = meshes.random_points(12, self.lo, self.hi, 91)
        q = np.concatenate([q, np.linspace((0.1, 0.0, 0.2), (0.9, 0.1, 0.25), 6)])
        near = self.xyz[self.tri[:: len(self.tri) // 10]].mean(axis=1)
        q = np.concatenate([q, near + 1e-4 * np.random.RandomState(2).uniform(-1, 1, near.shape)])
        out = self.field(q)
        want, _, ties = brute_force.closest(q, self.xyz, self.tri)
        inside = brute_force.winding(q, self.xyz, self.tri) > 0.5
        self.assertTrue(5 < inside.sum() < len(q) - 5)
        d = out.point("SignedDistance")
        self.close(d, np.where(inside, -want, want), 4 * np.spacing(2.0))
        for i, allowed in enumerate(ties):
            self.assertIn(out.point("ClosestCellId")[i], allowed)
        self.quiet(out)

    def test_soup_gives_the_same(self):
        q = meshes.random_points(5000, self.lo, self.hi, 92)
        soup = read("ahmed_body_soup.stl")
        self.assertEqual(soup.GetNumberOfPoints(), 3 * len(self.tri))
        a, b = self.field(q), self.field(q, soup)
        np.testing.assert_array_equal(a.point("SignedDistance"), b.point("SignedDistance"))
        np.testing.assert_array_equal(a.point("ClosestCellId"), b.point("ClosestCellId"))
        self.quiet(b)

    def test_hole_warns_once(self):
        q = meshes.random_points(500, self.lo, self.hi, 93)
        out = self.field(q, read("ahmed_body_hole.vtp"), SignMethod=1)
        self.one_message(out, "(?i)open|boundary|closed")
        self.assertTrue(np.isfinite(out.point("SignedDistance")).all())
        out = self.field(q, read("ahmed_body_hole.vtp"))
        self.quiet(out)
        self.assertEqual(out.field("SignMethodUsed").tolist(), [2])

    def test_lipschitz_in_a_volume(self):
        settings = {"SamplingDimensions": [61, 41, 41], "OutputType": 1}
        out = harness.run("SignedDistanceVolume", settings, Input=self.body)
        d = out.point("SignedDistance").reshape(41, 41, 61)
        for axis, step in zip((2, 1, 0), out.data.GetSpacing()):
            self.assertLessEqual(np.abs(np.diff(d, axis=axis)).max(), step * (1 + 1e-12))
        self.assertLess(d.min(), -0.1)

    def test_all_the_vertices_are_on_it(self):
        out = self.field(self.xyz)
        self.close(out.point("SignedDistance"), np.zeros(len(self.xyz)))


class Flow(harness.Case):
    def test_linear_field_on_the_plane(self):
        mesh, plane = read("ahmed_flow.vtu"), read("probe_plane.vti")
        out = harness.run("BVHProbe", Input=plane, SourceMesh=mesh)
        q, found = vd.coordinates(plane), out.point("vtkValidPointMask") == 1
        self.assertTrue(0.3 < found.mean() < 1)
        want = 1 + 2 * q[:, 0] - 3 * q[:, 1] + 4 * q[:, 2]
        self.close(out.point("linear"), np.where(found, want, np.nan), 1e-12 * np.abs(want).max())
        np.testing.assert_array_equal(
            out.point("cell_number"), np.where(found, out.point("CellId"), -1)
        )
        self.assertEqual(out.kind("material"), "int")
        self.assertEqual(set(out.point("material")) - {-1}, {0, 1, 2, 3})
        self.assertEqual(out.field("ValidPoints").tolist(), [int(found.sum())])
        self.assertEqual(out.point("velocity").shape, (len(q), 3))
        self.quiet(out)

    def test_missed_points_are_the_body_and_beyond(self):
        """A point is missed where the nearest cell is farther than nothing."""
        mesh, line = read("ahmed_flow.vtu"), read("probe_line.vtp")
        inside = harness.run("BVHProbe", Input=line, SourceMesh=mesh)
        near = harness.run("BVHProbe", {"Mode": 1}, Input=line, SourceMesh=mesh)
        missed = inside.point("vtkValidPointMask") == 0
        self.assertTrue(missed.any() and not missed.all())
        np.testing.assert_array_equal(
            near.point("Distance") > 0, missed | (inside.point("SampleStatus") == 1)
        )
        np.testing.assert_array_equal(
            near.point("CellId")[~missed], inside.point("CellId")[~missed]
        )

    def test_every_node_and_centre_is_found(self):
        mesh = read("ahmed_flow.vtu")
        out = harness.run("BVHProbe", Input=mesh, SourceMesh=mesh)
        self.assertTrue((out.point("vtkValidPointMask") == 1).all())
        self.close(out.point("pressure"), vd.values(mesh.GetPointData(), "pressure"), 1e-2)
        self.close(out.point("linear"), vd.values(mesh.GetPointData(), "linear"), 1e-12 * 60)
        out = harness.run("BVHProbe", {"InputElements": 1}, Input=mesh, SourceMesh=mesh)
        np.testing.assert_array_equal(out.cell("CellId"), np.arange(mesh.GetNumberOfCells()))


class Readers(harness.Case):
    def test_as_a_person_does_it(self):
        """Open the files, apply the filters by name, read the result."""
        folder = harness.ARGUMENTS[1]
        body = simple.OpenDataFile(os.path.join(folder, "ahmed_body.vtp"))
        plane = simple.OpenDataFile(os.path.join(folder, "probe_plane.vti"))
        for reader in (body, plane):
            reader.UpdatePipeline()
        field = simple.SignedDistanceField(Input=plane, Surface=body)
        field.UpdatePipeline()
        lo, hi = field.PointData["SignedDistance"].GetRange()
        self.assertTrue(lo < -0.1 and hi > 0.5)
        self.assertGreater(field.MaxDistance, 0)  # a tenth of the extent, ready for LimitDistance
        for proxy in (field, plane, body):
            simple.Delete(proxy)


if __name__ == "__main__":
    harness.main()
