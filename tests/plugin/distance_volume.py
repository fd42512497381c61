"""Signed Distance Volume: where the samples lie, the numbers there, and parts of the whole."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import vtk_data as vd

LO, HI = (-1.0, 0.0, 0.5), (2.0, 1.0, 2.5)


def volume(surface=None, **settings):
    return harness.run(
        "SignedDistanceVolume", settings, Input=meshes.box(LO, HI) if surface is None else surface
    )


class Samples(harness.Case):
    def test_dimensions_and_padding(self):
        out = volume(SamplingDimensions=[11, 21, 31], Padding=0.25)
        image = out.data
        self.assertEqual(image.GetClassName(), "vtkImageData")
        self.assertEqual(image.GetDimensions(), (11, 21, 31))
        pad = 0.25 * np.sqrt(9 + 1 + 4)
        lo, hi = np.array(LO) - pad, np.array(HI) + pad
        self.close(image.GetBounds(), np.stack([lo, hi], 1).ravel(), 1e-14)
        self.close(image.GetSpacing(), (hi - lo) / (10, 20, 30), 1e-15)
        self.close(
            out.point("SignedDistance"), meshes.box_distance(vd.coordinates(image), LO, HI), 1e-6
        )

    def test_defaults(self):
        f = harness.Filter("SignedDistanceVolume", Input=meshes.box(LO, HI))
        out = f.apply()
        self.assertEqual(out.data.GetDimensions(), (100, 100, 100))
        pad = 0.1 * np.sqrt(14)
        self.close(
            out.data.GetBounds(),
            np.stack([np.array(LO) - pad, np.array(HI) + pad], 1).ravel(),
            1e-14,
        )
        self.assertEqual(out.type("SignedDistance"), "vtkFloatArray")
        self.assertEqual(out.type("vtkValidPointMask"), "vtkCharArray")
        self.assertEqual(sorted(out.points()), ["SignedDistance", "vtkValidPointMask"])
        self.assertEqual(out.active(), "SignedDistance")
        self.assertEqual(out.cells(), [])
        self.quiet(out)
        f.delete()

    def test_voxel_size(self):
        """Cubic voxels of the size asked for; the samples reach across the padded box."""
        out = volume(SamplingType=1, VoxelSize=0.125, Padding=0.0)
        self.close(out.data.GetSpacing(), [0.125] * 3)
        self.assertEqual(out.data.GetDimensions(), (25, 9, 17))
        self.close(out.data.GetBounds(), np.stack([LO, HI], 1).ravel())
        self.close(
            out.point("SignedDistance"), meshes.box_distance(vd.coordinates(out.data), LO, HI), 1e-6
        )
        out = volume(SamplingType=1, VoxelSize=0.3, Padding=0.1)
        bounds = np.array(out.data.GetBounds()).reshape(3, 2)
        pad = 0.1 * np.sqrt(14)
        self.assertTrue((bounds[:, 0] <= np.array(LO) - pad + 1e-12).all())
        self.assertTrue((bounds[:, 1] >= np.array(HI) + pad - 1e-12).all())
        self.assertTrue((bounds[:, 1] - bounds[:, 0] < np.array(HI) - LO + 2 * pad + 2 * 0.3).all())
        self.close(out.data.GetSpacing(), [0.3] * 3)

    def test_own_bounds(self):
        out = volume(
            UseInputBounds=0, SamplingDimensions=[5, 4, 3], SamplingBounds=[-2, 3, 0, 1, 0.5, 4]
        )
        self.close(out.data.GetBounds(), [-2, 3, 0, 1, 0.5, 4], 1e-15)
        self.close(
            out.point("SignedDistance"), meshes.box_distance(vd.coordinates(out.data), LO, HI), 1e-6
        )
        out = volume(UseInputBounds=0, SamplingDimensions=[3, 3, 3])
        self.close(out.data.GetBounds(), [0, 1] * 3, 1e-15)

    def test_flat_and_single_samples(self):
        out = volume(
            UseInputBounds=0, SamplingDimensions=[6, 5, 1], SamplingBounds=[-2, 3, -1, 2, 1.0, 1.0]
        )
        self.assertEqual(out.data.GetDimensions(), (6, 5, 1))
        self.close(
            out.point("SignedDistance"), meshes.box_distance(vd.coordinates(out.data), LO, HI), 1e-6
        )


class Values(harness.Case):
    def test_float_is_the_rounded_double(self):
        both = [volume(SamplingDimensions=[20, 21, 22], OutputType=t) for t in (0, 1)]
        self.assertEqual(
            [o.type("SignedDistance") for o in both], ["vtkFloatArray", "vtkDoubleArray"]
        )
        single, double = (o.point("SignedDistance") for o in both)
        self.close(double, meshes.box_distance(vd.coordinates(both[1].data), LO, HI), 4e-15)
        np.testing.assert_array_equal(single, double.astype(np.float32))

    def test_same_numbers_as_the_field(self):
        sphere = meshes.sphere(rings=10, segments=14)
        out = volume(sphere, SamplingDimensions=[18, 17, 16], OutputType=1)
        field = harness.run("SignedDistanceField", Input=out.data, Surface=sphere)
        np.testing.assert_array_equal(out.point("SignedDistance"), field.point("SignedDistance"))
        self.assertLess(out.point("SignedDistance").min(), 0)

    def test_band_is_filled_with_the_signed_limit(self):
        settings = {"SamplingDimensions": [15, 15, 15], "Padding": 0.3, "OutputType": 1}
        full = volume(**settings).point("SignedDistance")
        out = volume(LimitDistance=1, MaxDistance=0.25, **settings)
        keep = np.abs(full) <= 0.25
        self.assertTrue(0 < keep.sum() < len(keep))
        np.testing.assert_array_equal(
            out.point("SignedDistance"), np.where(keep, full, np.copysign(0.25, full))
        )
        np.testing.assert_array_equal(out.point("vtkValidPointMask") == 1, keep)
        out = volume(LimitDistance=1, MaxDistance=0.25, OutOfBandValue=0, **settings)
        np.testing.assert_array_equal(out.point("SignedDistance"), np.where(keep, full, np.nan))

    def test_sign_options(self):
        settings = {"SamplingDimensions": [12, 12, 12], "OutputType": 1}
        full = volume(**settings).point("SignedDistance")
        inward = meshes.box(LO, HI, inward=True)
        np.testing.assert_array_equal(
            volume(inward, FlipInsideOut=1, **settings).point("SignedDistance"), full
        )
        np.testing.assert_array_equal(
            volume(SignMethod=3, **settings).point("SignedDistance"), np.abs(full)
        )

    def test_blocks_are_one_surface(self):
        two = vd.multiblock(meshes.box(), None, meshes.box((3, 0, 0), (4, 1, 1)))
        out = volume(two, SamplingDimensions=[30, 9, 9], OutputType=1)
        q = vd.coordinates(out.data)
        want = np.minimum(meshes.box_distance(q), meshes.box_distance(q, (3, 0, 0), (4, 1, 1)))
        self.assertEqual(out.data.GetClassName(), "vtkImageData")
        self.close(out.point("SignedDistance"), want, 4e-15)

    def test_zero_level_is_the_surface(self):
        """Marching through the volume gives back the area and the volume of a sphere."""
        from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkMassProperties, vtkTriangleFilter

        out = volume(meshes.sphere(rings=40, segments=80), SamplingDimensions=[60, 60, 60])
        contour, triangles, mass = vtkContourFilter(), vtkTriangleFilter(), vtkMassProperties()
        contour.SetInputData(out.data)
        contour.SetInputArrayToProcess(0, 0, 0, 0, "SignedDistance")
        contour.SetValue(0, 0.0)
        triangles.SetInputConnection(contour.GetOutputPort())
        mass.SetInputConnection(triangles.GetOutputPort())
        mass.Update()
        self.close(mass.GetVolume(), 4 / 3 * np.pi, 0.02)
        self.close(mass.GetSurfaceArea(), 4 * np.pi, 0.05)

    def test_field_data(self):
        out = volume(SamplingDimensions=[5, 5, 5])
        for name in (
            "BVHReused",
            "BuildSeconds",
            "QuerySeconds",
            "PeakBytes",
            "DeviceUsed",
            "SkippedElements",
        ):
            self.assertIn(name, out.fields())


class Parts(harness.Case):
    def test_only_what_is_asked_for(self):
        """A sub-extent has the bits of the whole, and nothing else is computed."""
        f = harness.Filter(
            "SignedDistanceVolume", {"SamplingDimensions": [14, 15, 16]}, Input=meshes.box(LO, HI)
        )
        whole = f.apply()
        full = whole.point("SignedDistance").reshape(16, 15, 14).copy()
        origin = vd.coordinates(whole.data).reshape(16, 15, 14, 3).copy()
        for extent in ((3, 9, 0, 14, 5, 7), (0, 0, 4, 4, 15, 15), (13, 13, 0, 14, 0, 15)):
            algorithm = f.algorithm
            algorithm.Modified()
            algorithm.UpdateExtent(extent)
            image = algorithm.GetOutputDataObject(0)
            self.assertEqual(image.GetExtent(), extent)
            i0, i1, j0, j1, k0, k1 = extent
            part = (slice(k0, k1 + 1), slice(j0, j1 + 1), slice(i0, i1 + 1))
            np.testing.assert_array_equal(
                vd.values(image.GetPointData(), "SignedDistance"), full[part].ravel()
            )
            self.close(vd.coordinates(image), origin[part].reshape(-1, 3))
        f.delete()

    def test_reuse(self):
        f = harness.Filter(
            "SignedDistanceVolume", {"SamplingDimensions": [5, 5, 5]}, Input=meshes.box(LO, HI)
        )
        self.assertEqual(f.apply().field("BVHReused").tolist(), [0])
        self.assertEqual(f.apply(SamplingDimensions=[6, 5, 5]).field("BVHReused").tolist(), [1])
        self.assertEqual(f.apply(SignMethod=3).field("BVHReused").tolist(), [1])
        self.assertEqual(f.feed(Input=meshes.box()).apply().field("BVHReused").tolist(), [0])
        f.delete()


class Odd(harness.Case):
    def test_empty_surface(self):
        """No number pretends to be a distance, and there is no message."""
        for surface in (vtkPolyData(), vd.cloud([(0, 0, 0)]), vd.multiblock(None)):
            out = volume(surface, SamplingDimensions=[4, 4, 4])
            self.assertIn("SignedDistance", out.points())
            self.assertIn("vtkValidPointMask", out.points())
            self.assertTrue(np.isnan(out.point("SignedDistance")).all())
            self.assertFalse(out.point("vtkValidPointMask").any())
            self.quiet(out)

    def test_open_surface_warns_once(self):
        settings = {"SamplingDimensions": [5, 5, 5]}
        self.one_message(
            volume(meshes.box(drop=(2, 3)), SignMethod=1, **settings), "(?i)open|boundary|closed"
        )
        out = volume(meshes.box(drop=(2, 3)), **settings)
        self.quiet(out)
        self.assertEqual(out.field("SignMethodUsed").tolist(), [2])

    def test_flat_surface_has_room_around_it(self):
        sheet = vd.polydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)])
        out = volume(sheet, SamplingDimensions=[5, 5, 5], SignMethod=3)
        self.close(out.data.GetBounds()[4:], [-0.1 * np.sqrt(2), 0.1 * np.sqrt(2)], 1e-15)
        self.assertTrue(np.isfinite(out.point("SignedDistance")).all())


if __name__ == "__main__":
    harness.main()
