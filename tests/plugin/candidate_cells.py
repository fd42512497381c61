"""BVH Candidates: lists, the limit, tolerances, blocks and ids against a tree built in numpy."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkUnstructuredGrid

import harness
import meshes
import reference_tree
import vtk_data as vd

COLUMNS = ["QueryId", "CellId"]


class Expected:
    """The reference's lists for queries in a mesh of one block."""

    def __init__(self, mesh, leaf_size=1):
        xyz = vd.points(mesh)
        corners = [xyz[vd.cell_ids(mesh, c)] for c in range(mesh.GetNumberOfCells())]
        lo = np.array([x.min(axis=0) for x in corners])
        hi = np.array([x.max(axis=0) for x in corners])
        kind = xyz.dtype.type
        centre = np.array([sum(x[1:], x[0]) / kind(len(x)) for x in corners], kind)
        self.order = reference_tree.morton_order(centre)
        self.tree = reference_tree.Tree(len(corners), leaf_size)
        self.box = self.tree.boxes(self.order, lo, hi)

    def lists(self, queries, tolerance=1e-6, limit=None):
        found = [
            reference_tree.candidates(self.tree, self.order, *self.box, q, tolerance, limit)
            for q in queries
        ]
        return [f[0] for f in found], [int(f[1]) for f in found]


def rows(lists):
    return [[q, c] for q, cells in enumerate(lists) for c in cells]


class Lists(harness.Case):
    def check(self, f, queries, want, on="point", **settings):
        out = f.apply(**settings)
        lists, truncated = want
        get = out.point if on == "point" else out.cell
        self.assertEqual(get("CandidateCount").tolist(), [len(x) for x in lists])
        self.assertEqual(get("CandidatesTruncated").tolist(), truncated)
        table = f.table(1)
        self.assertEqual(list(table), COLUMNS)
        self.assertEqual(np.stack([table[c] for c in COLUMNS], 1).tolist(), rows(lists))
        self.assertEqual(out.active(on), "CandidateCount")
        self.quiet(out)
        return sum(truncated)

    def test_limits_and_leaf_sizes(self):
        mesh = meshes.hexahedra(3)
        q = np.concatenate([meshes.random_points(150, -0.2, 1.2, 81), vd.points(mesh)])
        f = harness.Filter("BVHCandidates", Input=vd.cloud(q), SourceMesh=mesh)
        cut = 0
        for leaf_size in (1, 2, 5, 100):
            want = Expected(mesh, leaf_size)
            self.check(f, q, want.lists(q), LeafSize=leaf_size, LimitCandidates=0)
            for limit in (0, 1, 3, 7, 32):
                with self.subTest(leaf_size=leaf_size, limit=limit):
                    cut += self.check(
                        f,
                        q,
                        want.lists(q, limit=limit),
                        LimitCandidates=1,
                        MaxCandidates=limit,
                    )
        self.assertGreater(cut, 100)
        f.delete()

    def test_single_precision(self):
        """Boxes and tolerance of a float mesh are floats; queries are compared as they are."""
        xyz, tri = meshes.sphere_triangles(6, 9)
        for dtype in (np.float32, np.float64):
            mesh = vd.polydata(xyz, tri, dtype=dtype)
            q = np.concatenate([meshes.random_points(200, -1.1, 1.1, 82), vd.points(mesh)])
            f = harness.Filter(
                "BVHCandidates", {"LimitCandidates": 0}, Input=vd.cloud(q), SourceMesh=mesh
            )
            self.check(f, q, Expected(mesh).lists(q, dtype(1e-6)))
            f.delete()

    def test_tolerance(self):
        box = vd.unstructured(meshes.BOX_CORNERS * (2, 1, 2), [(12, range(8))])
        q = [(2.2, 0.5, 1), (2.29, 0.5, 1), (2.31, 0.5, 1), (2.5, 0.5, 1), (-0.3, -0.3, -0.3)]
        f = harness.Filter("BVHCandidates", Input=vd.cloud(q), SourceMesh=box)

        def count(**settings):
            return f.apply(**settings).point("CandidateCount").tolist()

        self.assertEqual(count(), [0, 0, 0, 0, 0])
        self.assertEqual(count(Tolerance=0.3), [1, 1, 0, 0, 1])
        # A tenth of the diagonal of 3.
        self.assertEqual(count(ToleranceType=0, Tolerance=0.1), [1, 1, 0, 0, 1])
        self.assertEqual(count(Tolerance=0.2), [1, 1, 1, 1, 1])
        f.delete()

    def test_cell_centres_ask(self):
        mesh, data = meshes.hexahedra(3), meshes.mixed()
        centres = vd.centres(data)
        f = harness.Filter(
            "BVHCandidates",
            {"InputElements": 1, "LimitCandidates": 0},
            Input=data,
            SourceMesh=mesh,
        )
        self.check(f, centres, Expected(mesh).lists(centres), on="cell")
        f.delete()

    def test_any_thread_count(self):
        mesh = meshes.hexahedra(4)
        f = harness.Filter(
            "BVHCandidates", Input=vd.cloud(meshes.random_points(3000, 0, 1, 83)), SourceMesh=mesh
        )
        f.apply(Threads=1)
        first = f.table(1)
        for threads in (2, 7):
            f.apply(Threads=threads, LimitCandidates=1)
            for name, column in f.table(1).items():
                self.assertEqual(column.tobytes(), first[name].tobytes())
        f.delete()


class Blocks(harness.Case):
    def test_blocks_are_one_mesh(self):
        left = vd.unstructured(meshes.BOX_CORNERS, [(12, range(8))])
        right = vd.unstructured(meshes.BOX_CORNERS + (1, 0, 0), [(12, range(8)), (12, range(8))])
        source = vd.multiblock(None, left, vd.multiblock(vtkPolyData(), right))
        f = harness.Filter(
            "BVHCandidates",
            Input=vd.multiblock(
                vd.cloud([(0.5, 0.5, 0.5)]), None, vd.cloud([(9, 9, 9), (1, 0.5, 0.5)])
            ),
            SourceMesh=source,
        )
        out = f.apply()
        table = f.table(1)
        self.assertEqual(out.point("CandidateCount", 0).tolist(), [1])
        self.assertEqual(out.point("CandidateCount", 2).tolist(), [0, 3])
        self.assertEqual(table["QueryId"].tolist(), [0, 1, 1, 1])
        self.assertEqual(table["QueryBlock"].tolist(), [1, 3, 3, 3])
        # Flat index: root 0, None 1, left 2, the inner multiblock 3 with 4 and 5.
        self.assertEqual(table["CellBlock"].tolist(), [2, 2, 5, 5])
        self.assertEqual(table["CellId"].tolist(), [0, 0, 0, 1])
        self.quiet(out)
        f.delete()

    def test_global_ids(self):
        mesh = meshes.hexahedra(2)
        mesh.GetCellData().SetGlobalIds(vd.array("g", np.arange(8)[::-1] + 100, ids=True))
        f = harness.Filter("BVHCandidates", Input=vd.cloud([(0.5, 0.5, 0.5)]), SourceMesh=mesh)
        f.apply()
        table = f.table(1)
        self.assertEqual(table["CellId"].tolist(), list(range(8)))
        self.assertEqual(table["CellGlobalId"].tolist(), list(range(107, 99, -1)))
        f.delete()

    def test_ghosts(self):
        mesh = vd.add(meshes.hexahedra(2), "cell", vtkGhostType=np.uint8([1, 32] + [0] * 6))
        f = harness.Filter("BVHCandidates", Input=vd.cloud([(0.5, 0.5, 0.5)]), SourceMesh=mesh)
        f.apply()
        self.assertEqual(f.table(1)["CellId"].tolist(), list(range(2, 8)))
        f.delete()


class Inputs(harness.Case):
    def test_no_source(self):
        f = harness.Filter("BVHCandidates", Input=vd.cloud([(0, 0, 0)]))
        out = f.apply()
        self.one_message(out, "no SourceMesh is set")
        self.assertEqual(out.point("CandidateCount").tolist(), [0])
        self.assertEqual(out.point("CandidatesTruncated").tolist(), [0])
        self.assertEqual({k: len(v) for k, v in f.table(1).items()}, dict.fromkeys(COLUMNS, 0))
        f.delete()

    def test_empty(self):
        for data in (vtkPolyData(), vtkUnstructuredGrid()):
            for mesh in (vtkPolyData(), meshes.box()):
                f = harness.Filter("BVHCandidates", Input=data, SourceMesh=mesh)
                out = f.apply()
                self.quiet(out)
                self.assertEqual(len(out.point("CandidateCount")), 0)
                self.assertEqual(list(f.table(1)), COLUMNS)
                f.delete()

    def test_not_finite(self):
        """A cell that is not finite is left out with a warning, a query that is not has no candidates."""
        xyz = np.concatenate([meshes.BOX_CORNERS, [(np.nan, 0, 0)]])
        mesh = vd.unstructured(xyz, [(5, (0, 1, 8)), (12, range(8))])
        q = [(np.nan, 0.5, 0.5), (0.5, 0.5, 0.5), (np.inf, 0, 0)]
        f = harness.Filter("BVHCandidates", Input=vd.cloud(q), SourceMesh=mesh)
        out = f.apply()
        self.one_message(out, "1 cells of SourceMesh have a coordinate that is not finite")
        self.assertEqual(out.field("SkippedElements").tolist(), [1])
        self.assertEqual(out.point("CandidateCount").tolist(), [0, 1, 0])
        self.assertEqual(f.table(1)["CellId"].tolist(), [1])
        f.delete()

    def test_names_of_the_input(self):
        data = vd.add(vd.cloud([(0.5, 0.5, 0.5)]), CandidateCount=np.array([7.5]), own=np.ones(1))
        out = harness.run("BVHCandidates", Input=data, SourceMesh=meshes.hexahedra(1))
        self.assertEqual(out.point("CandidateCount").tolist(), [1])
        self.assertEqual(out.point("CandidateCount_input").tolist(), [7.5])
        self.assertEqual(out.point("own").tolist(), [1])

    def test_reuse(self):
        mesh = meshes.hexahedra(3)
        f = harness.Filter("BVHCandidates", Input=vd.cloud([(0.5, 0.5, 0.5)]), SourceMesh=mesh)

        def reused(**settings):
            out = f.apply(**settings)
            return int(out.field("BVHReused")[0]), int(out.field("SearchReused")[0])

        self.assertEqual(reused(), (0, 0))
        f.feed(Input=vd.add(vd.cloud([(0.5, 0.5, 0.5)]), extra=np.ones(1)))
        self.assertEqual(reused(), (1, 1))
        self.assertEqual(reused(MaxCandidates=3), (1, 0))
        self.assertEqual(reused(LeafSize=2), (0, 0))
        f.feed(SourceMesh=vd.add(meshes.hexahedra(3), f=np.ones(64)))
        self.assertEqual(reused(), (1, 1))
        f.delete()


if __name__ == "__main__":
    harness.main()
