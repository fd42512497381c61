"""BVH Probe: which arrays come out, their types, names, missing values and attributes."""

import numpy as np
from vtkmodules.vtkCommonCore import (
    vtkCharArray,
    vtkIdTypeArray,
    vtkLongArray,
    vtkLongLongArray,
    vtkSignedCharArray,
    vtkUnsignedLongArray,
    vtkUnsignedLongLongArray,
    vtkVariantArray,
)

import brute_force
import harness
import meshes
import vtk_data as vd

RESULTS = ["CellId", "Distance", "SampleStatus", "vtkValidPointMask"]
INSIDE, OUT = (0.25, 0.5, 0.75), (5, 5, 5)


def cube(on="point", **arrays):
    return vd.add(vd.unstructured(meshes.BOX_CORNERS, [(12, range(8))]), on, **arrays)


def probe(source, queries=(INSIDE, OUT), **settings):
    data = queries if hasattr(queries, "IsA") else vd.cloud(queries)
    return harness.run("BVHProbe", settings, Input=data, SourceMesh=source)


INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


def missing(dtype):
    return -1 if np.issubdtype(dtype, np.signedinteger) else np.iinfo(dtype).max


class Types(harness.Case):
    ramp = np.array([0, 10, 20, 30, 40, 50, 60, 70])
    at_inside = (0 * 0.75 + 10 * 0.25) * 0.5 * 0.25 + (30 * 0.75 + 20 * 0.25) * 0.5 * 0.25
    at_inside += (40 * 0.75 + 50 * 0.25) * 0.5 * 0.75 + (70 * 0.75 + 60 * 0.25) * 0.5 * 0.75

    def test_floats_keep_their_type(self):
        out = probe(cube(f4=np.float32(self.ramp), f8=np.float64(self.ramp)))
        self.assertEqual([out.kind(n) for n in ("f4", "f8")], ["float", "double"])
        self.close(out.point("f4"), [self.at_inside, np.nan], 1e-5)
        self.close(out.point("f8"), [self.at_inside, np.nan], 1e-14)

    def test_interpolated_integers_are_double(self):
        for dtype in INTEGERS:
            out = probe(cube(i=self.ramp.astype(dtype)))
            self.assertEqual(out.kind("i"), "double")
            self.close(out.point("i"), [self.at_inside, np.nan], 1e-13)

    def test_copied_integers_keep_their_type(self):
        """Cell arrays and categories; -1 or the largest value where missing."""
        for dtype in INTEGERS:
            with self.subTest(dtype.__name__):
                name = vd.array("i", np.array([7], dtype)).GetDataTypeAsString()
                out = probe(cube("cell", i=np.array([7], dtype)))
                self.assertEqual(out.kind("i"), name)
                self.assertEqual(out.point("i").tolist(), [7, missing(dtype)])
                # (0.25, 0.5, 0.75): nodes 4 and 7 weigh the same; the lowest id wins.
                out = probe(cube(i=self.ramp.astype(dtype)), CategoricalData=2)
                self.assertEqual(out.kind("i"), name)
                self.assertEqual(out.point("i").tolist(), [40, missing(dtype)])

    def test_classes_that_numpy_does_not_tell_apart(self):
        """long, long long and vtkIdType are all 64 bits; char and signed char are both 8."""
        signed = (vtkCharArray, vtkSignedCharArray, vtkLongArray, vtkLongLongArray, vtkIdTypeArray)
        unsigned = (vtkUnsignedLongArray, vtkUnsignedLongLongArray)
        for kind in signed + unsigned:
            with self.subTest(kind.__name__):
                values, source = kind(), cube()
                values.SetName("i")
                values.InsertNextTuple1(100)
                source.GetCellData().AddArray(values)
                out = probe(source)
                self.assertEqual(out.kind("i"), values.GetDataTypeAsString())
                self.assertEqual(
                    out.point("i").tolist(), [100, -1 if kind in signed else 2**64 - 1]
                )

    def test_types_do_not_depend_on_values_or_misses(self):
        for queries in ([INSIDE], [OUT], np.zeros((0, 3))):
            out = probe(cube("cell", i=np.int32([7])), queries)
            self.assertEqual(out.kind("i"), "int")
            out = probe(cube(i=np.int32(self.ramp)), queries)
            self.assertEqual(out.kind("i"), "double")

    def test_large_integers_are_exact(self):
        big = 2**60 + 12345
        out = probe(cube("cell", i=np.array([big])))
        self.assertEqual(out.point("i").tolist(), [big, -1])
        out = probe(cube(i=np.full(8, 2**24 + 1, np.int32), j=np.full(8, big)), CategoricalData=1)
        self.assertEqual(out.point("i").tolist(), [2**24 + 1, -1])
        self.assertEqual(out.point("j").tolist(), [big, -1])

    def test_categories(self):
        """0 interpolates all; 1 copies all arrays; 2 copies integers and strings."""
        source = cube(f=np.float64(self.ramp), i=np.int32(self.ramp))
        for mode, f, i in (
            (0, self.at_inside, self.at_inside),
            (1, 40, 40),
            (2, self.at_inside, 40),
        ):
            out = probe(source, CategoricalData=mode)
            self.close(out.point("f")[0], f, 1e-13)
            self.close(out.point("i")[0], i, 1e-13)

    def test_strings_are_copied(self):
        names = ["n%d" % i for i in range(8)]
        out = probe(vd.add(cube(name=names), "cell", zone=["inlet"]))
        self.assertEqual(out.point("name"), ["n4", ""])
        self.assertEqual(out.point("zone"), ["inlet", ""])

    def test_strings_are_never_active(self):
        """The first array that can be active is; a variant array is sampled without a message."""
        names = ["n%d" % i for i in range(8)]
        source = cube()
        variants = vtkVariantArray()
        variants.SetName("a")
        variants.SetNumberOfValues(8)
        source.GetPointData().AddArray(variants)
        out = probe(vd.add(source, name=names, z=np.arange(8.0)))
        self.quiet(out)
        self.assertEqual(out.active(), "z")
        for arrays in ({"name": names}, {}):
            alone = vd.add(cube(), **arrays)
            alone.GetPointData().AddArray(variants)
            out = probe(alone)
            self.quiet(out)
            self.assertIsNone(out.active())

    def test_vectors_and_tensors(self):
        v = meshes.BOX_CORNERS
        t = np.arange(72.0).reshape(8, 9)
        source = vd.add(cube(v=v, t=t, v4=np.float32(v)), "cell", cv=np.array([[1.0, 2.0, 3.0]]))
        source.GetPointData().GetArray("v").SetComponentName(0, "east")
        out = probe(source)
        self.close(out.point("v"), [INSIDE, [np.nan] * 3], 1e-15)
        self.close(out.point("v4"), [INSIDE, [np.nan] * 3], 1e-7)
        self.close(out.point("cv"), [[1, 2, 3], [np.nan] * 3])
        self.close(out.point("t")[0], brute_force.hexahedron_weights(*INSIDE) @ t, 1e-13)
        self.assertEqual(out.leaf().GetPointData().GetArray("v").GetComponentName(0), "east")

    def test_result_types(self):
        out = probe(cube(), ComputeContainingCellCount=1, ComputeParametricCoordinates=1)
        self.assertEqual(out.type("CellId"), "vtkIdTypeArray")
        self.assertEqual(out.type("vtkValidPointMask"), "vtkCharArray")
        self.assertEqual(out.type("SampleStatus"), "vtkUnsignedCharArray")
        self.assertEqual(out.type("Distance"), "vtkDoubleArray")
        self.close(out.point("ParametricCoordinates"), [INSIDE, [np.nan] * 3], 1e-14)

    def test_nan_in_one_array_stays_there(self):
        bad = np.float64(self.ramp)
        bad[4] = np.nan
        out = probe(cube(bad=bad, good=np.float64(self.ramp)))
        self.assertTrue(np.isnan(out.point("bad")[0]))
        self.close(out.point("good")[0], self.at_inside, 1e-13)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0])

    def test_large_offset_is_not_cut_to_float(self):
        out = probe(cube(p=101325.0 + 1e-6 * self.ramp))
        self.close(out.point("p")[0], 101325.0 + 1e-6 * self.at_inside, 1e-10)


class Switches(harness.Case):
    def source(self):
        return vd.add(cube(f=np.arange(8.0)), "cell", c=np.array([3.0]))

    def carrier(self):
        data = vd.polydata([INSIDE, OUT], verts=[(0,), (1,)])
        vd.add(data, own=np.array([1.0, 2.0]))
        vd.add(data, "cell", owncell=np.array([1.0, 2.0]))
        return vd.add(data, "field", note=["kept"])

    def test_all_by_default(self):
        out = probe(self.source(), self.carrier())
        self.assertEqual(sorted(out.points()), sorted(RESULTS + ["f", "c", "own"]))
        self.assertEqual(out.cells(), ["owncell"])
        self.assertIn("note", out.fields())
        self.quiet(out)

    def test_pass(self):
        out = probe(
            self.source(), self.carrier(), PassPointArrays=0, PassCellArrays=0, PassFieldArrays=0
        )
        self.assertEqual(sorted(out.points()), sorted(RESULTS + ["f", "c"]))
        self.assertEqual(out.cells(), [])
        self.assertNotIn("note", out.fields())
        self.assertIn("ValidPoints", out.fields())

    def test_sample(self):
        out = probe(self.source(), SamplePointArrays=0)
        self.assertEqual(sorted(out.points()), sorted(RESULTS + ["c"]))
        out = probe(self.source(), SampleCellArrays=0)
        self.assertEqual(sorted(out.points()), sorted(RESULTS + ["f"]))

    def test_compute(self):
        out = probe(cube(), ComputeCellId=0, ComputeDistance=0)
        self.assertEqual(sorted(out.points()), ["SampleStatus", "vtkValidPointMask"])
        out = probe(cube(), ComputeParametricCoordinates=1, ComputeContainingCellCount=1)
        self.assertEqual(
            sorted(out.points()), sorted(RESULTS + ["ParametricCoordinates", "ContainingCellCount"])
        )

    def test_statistics(self):
        source = meshes.hexahedra(6)
        q = meshes.random_points(100, 0, 1, 31)
        out = probe(source, q, TraversalStatistics=1)
        for name in ("BVHNodesVisited", "BVHCellsTested"):
            self.assertGreater(out.point(name).min(), 0)
        self.assertLess(out.point("BVHCellsTested").max(), 216)
        # Unseeded: the numbers of a query do not depend on its neighbours.
        again = probe(source, q[::-1], TraversalStatistics=1)
        np.testing.assert_array_equal(
            again.point("BVHNodesVisited")[::-1], out.point("BVHNodesVisited")
        )
        self.assertNotIn("BVHNodesVisited", probe(source, q).points())

    def test_field_data(self):
        out = probe(self.source())
        for name in (
            "BVHReused",
            "SearchReused",
            "BuildSeconds",
            "QuerySeconds",
            "PeakBytes",
            "DeviceUsed",
            "SkippedElements",
        ):
            self.assertIn(name, out.fields())
        self.assertEqual(out.field("ValidPoints").tolist(), [1])
        self.assertEqual(out.field("MissedPoints").tolist(), [1])
        self.assertEqual(out.field("SkippedElements").tolist(), [0])


class Names(harness.Case):
    def test_input_gives_way_to_sampled_arrays(self):
        data = vd.add(vd.cloud([INSIDE, OUT]), f=np.array([100.0, 200.0]), other=np.array([1, 2]))
        out = probe(cube(f=np.full(8, 3.0)), data)
        self.close(out.point("f"), [3, np.nan])
        self.close(out.point("f_input"), [100, 200])
        self.assertEqual(out.point("other").tolist(), [1, 2])
        self.assertNotIn("other_input", out.points())

    def test_input_gives_way_to_results(self):
        data = vd.add(
            vd.cloud([INSIDE, OUT]), CellId=np.array([8, 9]), Distance=np.array([8.0, 9.0])
        )
        vd.add(data, vtkValidPointMask=np.int8([0, 0]))
        out = probe(cube(), data)
        self.assertEqual(out.point("CellId").tolist(), [0, -1])
        self.assertEqual(out.point("CellId_input").tolist(), [8, 9])
        self.close(out.point("Distance"), [0, np.nan])
        self.close(out.point("Distance_input"), [8, 9])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0])

    def test_sampled_arrays_give_way_to_results(self):
        out = probe(
            cube(CellId=np.arange(8.0), Distance=np.full(8, 2.0), SampleStatus=np.full(8, 4.0))
        )
        self.assertEqual(out.point("CellId").tolist(), [0, -1])
        self.close(out.point("Distance"), [0, np.nan])
        self.close(out.point("Distance_source"), [2, np.nan])
        self.close(out.point("SampleStatus_source"), [4, np.nan])
        self.assertIn("CellId_source", out.points())

    def test_point_and_cell_array_of_one_name(self):
        out = probe(vd.add(cube(p=np.full(8, 1.0)), "cell", p=np.array([7.0]), q=np.array([3.0])))
        self.close(out.point("p"), [1, np.nan])
        self.close(out.point("p_cell"), [7, np.nan])
        self.close(out.point("q"), [3, np.nan])

    def test_prefix(self):
        data = vd.add(vd.cloud([INSIDE, OUT]), f=np.array([100.0, 200.0]))
        out = probe(
            vd.add(cube(f=np.full(8, 3.0)), "cell", c=np.array([4.0])),
            data,
            SampledArrayPrefix="src_",
        )
        self.close(out.point("src_f"), [3, np.nan])
        self.close(out.point("src_c"), [4, np.nan])
        self.close(out.point("f"), [100, 200])
        self.assertNotIn("f_input", out.points())
        self.assertEqual(out.point("CellId").tolist(), [0, -1])

    def test_never_sampled(self):
        source = cube(vtkValidPointMask=np.int8([1] * 8), vtkGhostType=np.zeros(8, np.uint8))
        vd.add(source, "cell", vtkValidCellMask=np.int8([1]), vtkGhostType=np.zeros(1, np.uint8))
        out = probe(source)
        self.assertEqual(sorted(out.points()), sorted(RESULTS))

    def test_no_attribute_flags(self):
        source = cube()
        data = source.GetPointData()
        data.SetNormals(vd.array("n", np.tile([0.0, 0.0, 1.0], (8, 1))))
        data.SetTCoords(vd.array("t", np.zeros((8, 2))))
        data.SetVectors(vd.array("v", np.ones((8, 3))))
        data.SetGlobalIds(vd.array("gid", range(8), ids=True))
        out = probe(source).leaf().GetPointData()
        for flagged in (out.GetNormals(), out.GetTCoords(), out.GetGlobalIds()):
            self.assertIsNone(flagged)
        self.assertTrue(out.HasArray("n") and out.HasArray("t"))

    def test_active_scalars(self):
        source = cube(a=np.arange(8.0), b=np.arange(8.0))
        source.GetPointData().SetActiveScalars("b")
        self.assertEqual(probe(source).active(), "b")
        self.assertEqual(probe(cube(a=np.arange(8.0), b=np.arange(8.0))).active(), "a")
        data = vd.add(vd.cloud([INSIDE]), mine=np.array([1.0]))
        data.GetPointData().SetActiveScalars("mine")
        self.assertEqual(probe(source, data).active(), "b")


class Missing(harness.Case):
    def source(self):
        return vd.add(
            cube(f=np.full(8, 3.0), v=np.ones((8, 3))),
            "cell",
            i=np.int32([4]),
            u=np.uint8([4]),
            s=["x"],
        )

    def test_nan_never_zero(self):
        out = probe(self.source())
        self.close(out.point("f"), [3, np.nan])
        self.close(out.point("v"), [[1] * 3, [np.nan] * 3])
        self.assertEqual(out.point("i").tolist(), [4, -1])
        self.assertEqual(out.point("u").tolist(), [4, 255])
        self.assertEqual(out.point("s"), ["x", ""])

    def test_fill(self):
        out = probe(self.source(), FillMissing=1, MissingValue=-999.0)
        self.close(out.point("f"), [3, -999])
        self.close(out.point("v"), [[1] * 3, [-999] * 3])
        self.assertEqual(out.point("i").tolist(), [4, -999])
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 0])
        self.assertEqual(out.point("CellId").tolist(), [0, -1])
        out = probe(self.source(), FillMissing=1)
        self.close(out.point("f"), [3, 0])
        self.close(probe(self.source(), FillMissing=0, MissingValue=-999.0).point("f"), [3, np.nan])

    def test_blanking(self):
        """Missed points are hidden, and so are the cells that use them; without the option nothing is."""
        image = vd.image((3, 2, 1), (0, 0, 0.5), (0.75, 1, 1))
        out = probe(self.source(), image, MarkBlankPointsAndCells=1)
        self.assertEqual(out.point("vtkValidPointMask").tolist(), [1, 1, 0, 1, 1, 0])
        self.assertEqual(out.point("vtkGhostType").tolist(), [0, 0, 2, 0, 0, 2])
        self.assertEqual(out.cell("vtkGhostType").tolist(), [0, 32])
        self.assertNotIn("vtkGhostType", probe(self.source(), image).points())


if __name__ == "__main__":
    harness.main()
