"""Surface Check: what it finds, names and counts, on every kind of input, and what it keeps."""

import numpy as np
from vtkmodules.vtkCommonDataModel import VTK_TRIANGLE, vtkMultiBlockDataSet, vtkPolyData

import harness
import meshes
import vtk_data as vd

COLUMNS = [
    "Component",
    "BoundaryEdges",
    "NonManifoldEdges",
    "InconsistentEdges",
    "DegenerateTriangles",
    "DuplicateTriangles",
    "SelfIntersections",
    "Components",
    "Area",
    "SignedVolume",
    "IsClosed",
]
PROBLEM_ARRAYS = {"Problem", "CellId", "SubId", "ComponentId"}


class Result:
    """All three outputs of one update."""

    def __init__(self, f, **settings):
        self.problems = f.apply(**settings)
        self.messages = self.problems.messages
        self.table = f.algorithm.GetOutputDataObject(1)
        self.surface = harness.Output(f.algorithm.GetOutputDataObject(2), [])

    def column(self, name):
        return vd.values(self.table.GetRowData(), name)

    def row(self, i=0):
        return {name: self.column(name)[i] for name in COLUMNS}

    def counts(self):
        """Cells of Problems by code."""
        return np.bincount(self.problems.cell("Problem").astype(int), minlength=6).tolist()


def check(data, **settings):
    f = harness.Filter("SurfaceCheck", settings, Input=data)
    result = Result(f)
    result.filter = f  # so that the outputs live on
    return result


def triangles(*faces, extra=()):
    xyz = np.concatenate([meshes.BOX_CORNERS, np.array(extra, float).reshape(-1, 3)])
    return vd.polydata(xyz, [list(f) for f in faces])


class Findings(harness.Case):
    def test_good_surface(self):
        for soup in (False, True):
            r = check(meshes.box(soup=soup))
            self.assertEqual(r.messages, [])
            want = dict.fromkeys(COLUMNS, 0)
            want.update(Component=-1, Components=1, Area=6, SignedVolume=1, IsClosed=1)
            self.assertEqual(r.row(0), want)
            self.assertEqual(r.row(1), dict(want, Component=0))
            self.assertEqual(r.table.GetNumberOfRows(), 2)
            self.assertEqual(vd.names(r.table.GetRowData()), COLUMNS)
            self.assertEqual(r.problems.data.GetNumberOfCells(), 0)
            self.assertEqual(set(r.problems.cells()), PROBLEM_ARRAYS)
            self.assertEqual(set(r.surface.cell("Problem")), {-1})
            self.assertEqual(set(r.surface.cell("ComponentId")), {0})
            self.assertEqual(r.problems.active("cell"), "Problem")
            self.assertEqual(r.surface.active("cell"), "Problem")

    def test_hole(self):
        r = check(meshes.box(drop=(2, 3)))
        self.assertEqual(r.counts(), [4, 0, 0, 0, 0, 0])
        self.assertEqual(r.row()["BoundaryEdges"], 4)
        self.assertEqual(r.row()["IsClosed"], 0)
        xyz = vd.coordinates(r.problems.data)
        self.close(np.unique(xyz[:, 2]), [1])  # the rim of the lid
        self.assertEqual(len(xyz), 4)
        rim = {i for i, p in enumerate(r.surface.cell("Problem")) if p == 0}
        self.assertEqual(set(r.problems.cell("CellId")), rim)

    def test_every_problem_at_once(self):
        faces = [list(t) for t in meshes.BOX_TRIANGLES]
        faces[0] = faces[0][::-1]  # inconsistent with its three neighbours
        faces += [faces[5], [8, 9, 9], [10, 11, 12]]
        extra = [(5, 5, 5), (6, 6, 6), (0.2, 0.3, 0.5), (0.2, 0.3, 1.5), (0.3, 0.35, 1.5)]
        r = check(triangles(*faces, extra=extra))
        row = r.row()
        self.assertEqual(row["InconsistentEdges"], 3)
        self.assertEqual(row["DegenerateTriangles"], 1)
        self.assertEqual(row["DuplicateTriangles"], 1)
        self.assertEqual(row["NonManifoldEdges"], 3)
        self.assertEqual(row["BoundaryEdges"], 3)
        self.assertEqual(row["Components"], 3)
        self.assertEqual(r.counts()[:5], [3, 3, 3, 1, 1])
        crossing = r.problems.cell("CellId")[r.problems.cell("Problem") == 5].tolist()
        self.assertIn(14, crossing)
        self.assertEqual(len(crossing), 1 + row["SelfIntersections"])
        cells = r.surface.cell("Problem").tolist()
        self.assertEqual([cells[i] for i in (0, 12, 13, 14)], [2, 4, 3, 5])
        self.assertEqual(r.surface.cell("ComponentId")[12:].tolist(), [0, 1, 2])
        # Crossings between parts belong to the whole only.
        self.assertEqual(r.column("SelfIntersections")[1:].tolist(), [0, 0, 0])

    def test_quads_have_no_diagonals(self):
        r = check(meshes.box(quads=True, drop=(1,)))
        self.assertEqual(r.counts(), [4, 0, 0, 0, 0, 0])
        self.assertEqual(set(r.problems.cell("SubId")), {1})  # of the triangle with the upper edge
        self.assertEqual(set(r.problems.cell("CellId")), {1, 2, 3, 4})

    def test_merge_points(self):
        soup = meshes.box(soup=True)
        self.assertEqual(check(soup, MergePoints=0).row()["BoundaryEdges"], 36)
        xyz = vd.coordinates(soup) + np.random.RandomState(3).uniform(-1, 1, (36, 3)) * 5e-10
        shaken = vd.polydata(xyz, np.arange(36).reshape(12, 3))
        self.assertEqual(check(shaken).row()["BoundaryEdges"], 36)
        self.assertEqual(check(shaken, MergeTolerance=1e-8).row()["IsClosed"], 1)

    def test_volume_mesh(self):
        r = check(meshes.hexahedra(3))
        self.assertEqual(r.row()["IsClosed"], 1)
        self.close(r.row()["SignedVolume"], 1, 1e-14)
        component = r.surface.cell("ComponentId")
        self.assertEqual(component[13], -1)  # the cell in the middle has no face of the surface
        self.assertEqual(np.delete(component, 13).tolist(), [0] * 26)

    def test_counts_equal_those_of_the_distance(self):
        mesh = meshes.box(drop=(2,))
        r = check(mesh)
        out = harness.run("SignedDistanceField", Input=vd.cloud([(2, 2, 2)]), Surface=mesh)
        for name in COLUMNS:
            self.assertEqual(out.field("Surface" + name).tolist(), [r.row()[name]], name)


class Inputs(harness.Case):
    def test_empty(self):
        for data in (vtkPolyData(), vd.polydata([(0, 0, 0)]), vd.multiblock(None, vtkPolyData())):
            r = check(data)
            self.assertEqual(r.messages, [])
            self.assertLessEqual(PROBLEM_ARRAYS, set(r.problems.cells()))
            self.assertEqual(r.table.GetNumberOfRows(), 1)
            self.assertEqual(r.row(), dict.fromkeys(COLUMNS, 0) | {"Component": -1})
            for leaf in vd.leaves(r.surface.data):
                if leaf is not None:
                    self.assertLessEqual(
                        {"Problem", "ComponentId"}, set(vd.names(leaf.GetCellData()))
                    )

    def test_composite_is_one_surface(self):
        top, rest = meshes.box(drop=range(2, 12)), meshes.box(drop=(0, 1))
        tree = vd.multiblock(vd.multiblock(top, vtkPolyData()), None, rest)
        r = check(tree)
        self.assertEqual(r.row()["IsClosed"], 1)
        self.assertIsInstance(r.surface.data, vtkMultiBlockDataSet)
        self.assertEqual(r.surface.data.GetNumberOfBlocks(), 3)
        self.assertIn("BVHReused", r.surface.fields())
        r = check(vd.multiblock(None, vd.multiblock(rest)))
        self.assertEqual(r.counts()[0], 4)
        self.assertEqual(set(r.problems.cell("CellBlock")), {3})
        self.assertEqual(r.surface.cell("Problem", 1).tolist().count(-1), 6)

    def test_global_ids(self):
        box = meshes.box(drop=(0, 1))
        box.GetCellData().SetGlobalIds(vd.array("number", range(109, 99, -1), ids=True))
        r = check(box)
        got = r.problems.cell("CellGlobalId")
        self.assertEqual(got.tolist(), (109 - r.problems.cell("CellId")).tolist())
        self.assertEqual(r.problems.type("CellGlobalId", "cell"), "vtkIdTypeArray")

    def test_arrays_of_that_name(self):
        box = vd.add(meshes.box(), on="cell", Problem=np.arange(12), other=np.arange(12.0))
        r = check(box)
        self.assertEqual(set(r.surface.cell("Problem")), {-1})
        self.assertEqual(r.surface.cell("Problem_input").tolist(), list(range(12)))
        self.assertEqual(r.surface.cell("other").tolist(), list(range(12)))

    def test_not_finite(self):
        faces = list(meshes.BOX_TRIANGLES) + [(0, 1, 8)]
        r = check(triangles(*faces, extra=[(np.nan, 0, 0)]))
        self.one_message(r.problems, "not finite")
        self.assertEqual(r.row()["DegenerateTriangles"], 1)
        self.assertEqual(r.row()["IsClosed"], 1)
        self.close(r.row()["SignedVolume"], 1)
        self.assertEqual(r.surface.cell("Problem").tolist(), [-1] * 12 + [3])
        self.assertEqual(r.surface.cell("ComponentId").tolist(), [0] * 12 + [-1])
        self.assertEqual(r.problems.field("SkippedElements").tolist(), [1])

    def test_lines_only(self):
        r = check(vd.polydata([(0, 0, 0), (1, 0, 0)], lines=[(0, 1)]))
        self.one_message(r.problems, "lines and vertices")
        self.assertEqual(r.row(), dict.fromkeys(COLUMNS, 0) | {"Component": -1})
        self.assertEqual(r.surface.cell("Problem").tolist(), [-1])

    def test_unstructured_grid_with_other_cells(self):
        cells = [(VTK_TRIANGLE, t) for t in meshes.BOX_TRIANGLES] + [(3, (0, 6))]
        r = check(vd.unstructured(meshes.BOX_CORNERS, cells))
        self.assertEqual(r.row()["IsClosed"], 1)
        self.assertEqual(r.surface.cell("ComponentId").tolist(), [0] * 12 + [-1])

    def test_ghost_cells_take_no_part(self):
        box = meshes.box()
        vd.add(box, on="cell", vtkGhostType=np.array([1, 32] + [0] * 10, np.uint8))
        r = check(box)
        self.assertEqual(r.counts(), [4, 0, 0, 0, 0, 0])
        self.assertEqual(r.surface.cell("ComponentId")[:2].tolist(), [-1, -1])

    def test_float32_and_large_offset(self):
        xyz = (meshes.BOX_CORNERS + 1e6).astype(np.float32)
        r = check(vd.polydata(xyz, meshes.BOX_TRIANGLES, dtype=np.float32))
        self.one_message(r.problems, "12 of 12 triangles .*float32")
        r = check(vd.polydata(meshes.BOX_CORNERS + 1e6, meshes.BOX_TRIANGLES))
        self.assertEqual(r.messages, [])
        self.close(r.row()["SignedVolume"], 1, 1e-9)


class Kept(harness.Case):
    def test_reuse(self):
        f = harness.Filter("SurfaceCheck", Input=meshes.box(drop=(3,)))
        self.assertEqual(self.reused(f), [0, 0])
        self.assertEqual(self.reused(f, Threads=1), [1, 1])
        f.feed(Input=meshes.box(drop=(3,)))  # equal content
        self.assertEqual(self.reused(f), [1, 1])
        f.feed(Input=meshes.box())
        self.assertEqual(self.reused(f), [0, 0])
        self.assertEqual(Result(f).row()["IsClosed"], 1)
        self.assertEqual(self.reused(f, MergeTolerance=1e-6), [0, 0])
        f.delete()

    def reused(self, f, **settings):
        out = f.apply(**settings)
        return [int(out.field(n)[0]) for n in ("BVHReused", "SearchReused")]

    def test_fields(self):
        fields = check(meshes.box()).problems.fields()
        for name in ("BuildSeconds", "QuerySeconds", "PeakBytes", "DeviceUsed", "SkippedElements"):
            self.assertIn(name, fields)

    def test_same_bits_for_any_threads(self):
        xyz = meshes.random_points(3000, 0, 1, 5)
        soup = vd.polydata(xyz, np.arange(3000).reshape(-1, 3))
        runs = [check(soup, Threads=t) for t in (1, 2, 7)]
        self.assertGreater(runs[0].row()["SelfIntersections"], 1000)
        for r in runs[1:]:
            for name in COLUMNS:
                self.assertEqual(r.column(name).tobytes(), runs[0].column(name).tobytes(), name)
            for name in PROBLEM_ARRAYS:
                a, b = r.problems.cell(name), runs[0].problems.cell(name)
                self.assertEqual(a.tobytes(), b.tobytes(), name)

    def test_abort_leaves_nothing(self):
        xyz, faces = meshes.sphere_triangles(rings=300, segments=400)
        for phase in ("Building BVH", "Checking surface"):
            f = harness.Filter("SurfaceCheck", Input=vd.polydata(xyz, faces))
            seen = []

            def ask(algorithm, _event):
                seen.append(algorithm.GetProgressText())
                if seen[-1] == phase:
                    algorithm.SetAbortExecute(1)

            tag = f.algorithm.AddObserver("ProgressEvent", ask)
            r = Result(f)
            self.assertIn(phase, seen)
            self.assertEqual([m for m in r.messages if m[0] == "error"], [])
            self.assertEqual(r.table.GetNumberOfColumns(), 0)
            self.assertEqual(r.problems.cells(), [])
            self.assertEqual(r.surface.data.GetNumberOfCells(), 0)
            f.algorithm.RemoveObserver(tag)
            f.algorithm.SetAbortExecute(0)
            self.assertEqual(Result(f, Threads=2).row()["IsClosed"], 1)
            f.delete()


class Wrong(harness.Case):
    def test_gpu_where_there_is_none(self):
        r = check(meshes.box(), Device=2)
        self.one_message(r.problems, "GPU")
        self.assertEqual(r.problems.cells(), [])

    def test_ids_out_of_range(self):
        r = check(vd.polydata(meshes.BOX_CORNERS, [(0, 1, 77)]))
        self.one_message(r.problems, "Surface Check: Input: .*cell 0 .*allowed: 0 to 7")
        self.assertEqual(r.table.GetNumberOfRows(), 0)


if __name__ == "__main__":
    harness.main()
