"""BVH Boxes: nodes, boxes, tables and statistics against a tree built in numpy."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import reference_tree
import vtk_data as vd

ARRAYS = ["NodeId", "ParentId", "Depth", "IsLeaf", "FirstCell", "CellCount"]
ARRAYS += ["SurfaceArea", "SiblingOverlap"]
NODES = ["node_aabb_min", "node_aabb_max", "node_left_child", "node_right_child"]
NODES += ["leaf_start", "leaf_count"]
STATISTICS = ["Nodes", "Leaves", "Depth", "SAHCost", "Overlap", "Bytes", "BuildSeconds"]


def cell_corners(data):
    """Coordinates of the nodes of every cell."""
    xyz = vd.points(data)
    return [xyz[vd.cell_ids(data, c)] for c in range(data.GetNumberOfCells())]


class Expected:
    """The tree over the cells of a data set, in its own float type."""

    def __init__(self, data, leaf_size=1, drop=()):
        corners = cell_corners(data)
        self.cells = np.array([c for c in range(len(corners)) if c not in drop], np.int64)
        kept = [corners[c] for c in self.cells]
        kind = vd.points(data).dtype.type
        centre = np.array(
            [sum(x[1:], x[0]) / kind(len(x)) for x in kept], kind
        ).reshape(-1, 3)
        self.lo = np.array([x.min(axis=0) for x in kept], kind).reshape(-1, 3)
        self.hi = np.array([x.max(axis=0) for x in kept], kind).reshape(-1, 3)
        self.order = reference_tree.morton_order(centre)
        self.tree = reference_tree.Tree(len(kept), leaf_size)
        self.box = self.tree.boxes(self.order, self.lo, self.hi)


def shapes():
    xyz, tri = meshes.sphere_triangles(7, 11)
    for dtype in (np.float32, np.float64):
        yield vd.polydata(xyz, tri, dtype=dtype)
    yield meshes.mixed()
    yield meshes.hexahedra(3)


class Nodes(harness.Case):
    def check(self, f, want, out):
        """The polydata shows the nodes that are asked for, each with its box and its numbers."""
        tree, (lo, hi) = want.tree, want.box
        ids = out.cell("NodeId")
        self.assertEqual(out.cells(), ARRAYS)
        self.assertEqual(out.cell("ParentId").tolist(), tree.parent[ids].tolist())
        self.assertEqual(out.cell("Depth").tolist(), tree.depth[ids].tolist())
        self.assertEqual(out.cell("IsLeaf").tolist(), (tree.left[ids] < 0).astype(int).tolist())
        self.assertEqual(out.cell("FirstCell").tolist(), tree.start[ids].tolist())
        self.assertEqual(out.cell("CellCount").tolist(), tree.count[ids].tolist())
        self.close(out.cell("SurfaceArea"), reference_tree.surface_area(lo, hi)[ids], 1e-12)
        corners = vd.points(out.data).reshape(-1, 8, 3)
        self.assertEqual(corners.dtype, lo.dtype)
        self.close(corners.min(axis=1), lo[ids])
        self.close(corners.max(axis=1), hi[ids])

    def test_every_node(self):
        for data in shapes():
            for leaf_size in (1, 3, 1000):
                with self.subTest(data.GetClassName(), leaf_size=leaf_size):
                    f = harness.Filter("BVHBoxes", Input=data)
                    out = f.apply(LeafSize=leaf_size, MaximumDepth=100)
                    want = Expected(data, leaf_size)
                    self.assertEqual(out.cell("NodeId").tolist(), list(range(len(want.tree.left))))
                    self.check(f, want, out)
                    self.assertEqual(out.active("cell"), "Depth")
                    self.quiet(out)
                    f.delete()

    def test_depths_and_leaves(self):
        data = meshes.sphere(rings=7, segments=11)
        want = Expected(data)
        f = harness.Filter("BVHBoxes", Input=data)
        depth, leaf = want.tree.depth, want.tree.left < 0
        for lo, hi, only in ((0, 8, 0), (2, 2, 0), (0, 100, 1), (7, 7, 1), (5, 3, 0), (99, 100, 0)):
            out = f.apply(MinimumDepth=lo, MaximumDepth=hi, LeavesOnly=only)
            shown = (depth >= lo) & (depth <= hi) & (leaf | (not only))
            self.assertEqual(out.cell("NodeId").tolist(), np.nonzero(shown)[0].tolist())
            self.check(f, want, out)
        f.delete()

    def test_sibling_overlap(self):
        """Shared volume over the smaller one's; the root has none."""
        data = meshes.hexahedra(2)
        f = harness.Filter("BVHBoxes", {"MaximumDepth": 99}, Input=data)
        got = f.apply().cell("SiblingOverlap")
        tree, (lo, hi) = Expected(data).tree, Expected(data).box
        volume = (hi - lo).prod(axis=1)
        want = np.zeros(len(got))
        for i in range(1, len(got)):
            pair = [tree.left[tree.parent[i]], tree.right[tree.parent[i]]]
            shared = np.maximum(hi[pair].min(axis=0) - lo[pair].max(axis=0), 0).prod()
            want[i] = shared / volume[pair].min()
        self.close(got, want, 1e-15)
        f.delete()


class Shapes(harness.Case):
    """How a box is drawn."""

    def test_wireframe(self):
        """One closed line over all 12 edges and no other."""
        out = harness.run("BVHBoxes", Input=meshes.box((0, 0, 0), (1, 2, 3)))
        self.assertEqual(out.data.GetNumberOfCells(), out.data.GetNumberOfLines())
        xyz = vd.points(out.data)
        for c in range(out.data.GetNumberOfCells()):
            ids = vd.cell_ids(out.data, c)
            self.assertEqual(ids[0], ids[-1])
            edges = {tuple(sorted(e)) for e in zip(ids[:-1], ids[1:])}
            self.assertEqual(len(edges), 12)
            for a, b in edges:
                bits = int(a - ids.min()) ^ int(b - ids.min())
                self.assertIn(bits, (1, 2, 4))
                self.assertLessEqual(np.count_nonzero(xyz[a] != xyz[b]), 1)

    def test_solid(self):
        """A strip of 14 points whose triangles close up and face outward."""
        out = harness.run("BVHBoxes", {"BoxType": 1}, Input=meshes.box((5, 0, 0), (6, 2, 3)))
        self.assertEqual(out.data.GetNumberOfCells(), out.data.GetNumberOfStrips())
        xyz = vd.points(out.data)
        root = vd.cell_ids(out.data, 0)
        self.assertEqual(len(root), 14)
        triangles = [
            root[[i, i + 1, i + 2]] if i % 2 == 0 else root[[i + 1, i, i + 2]] for i in range(12)
        ]
        edges = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
        self.assertEqual(len(set(edges)), 36)
        self.assertEqual({(b, a) for a, b in edges}, set(edges))
        volume = sum(np.linalg.det(xyz[t] - (5, 0, 0)) for t in triangles) / 6
        self.close(volume, 6, 1e-12)


class Tables(harness.Case):
    def test_exported_tree(self):
        for data in shapes():
            f = harness.Filter("BVHBoxes", {"ExportTree": 1, "LeafSize": 3}, Input=data)
            f.apply()
            tables, want = f.tables(1), Expected(data, 3)
            self.assertEqual(list(tables), ["Nodes", "Order"])
            self.assertEqual(list(tables["Nodes"]), NODES)
            self.assertEqual(list(tables["Order"]), ["sorted_cell_order"])
            nodes, tree = tables["Nodes"], want.tree
            leaf = tree.left < 0
            self.assertEqual(tables["Order"]["sorted_cell_order"].tolist(), want.order.tolist())
            self.assertEqual(nodes["node_left_child"].tolist(), tree.left.tolist())
            self.assertEqual(nodes["node_right_child"].tolist(), tree.right.tolist())
            self.assertEqual(nodes["leaf_start"].tolist(), np.where(leaf, tree.start, -1).tolist())
            self.assertEqual(nodes["leaf_count"].tolist(), np.where(leaf, tree.count, 0).tolist())
            self.close(nodes["node_aabb_min"], want.box[0])
            self.close(nodes["node_aabb_max"], want.box[1])
            f.delete()

    def test_tables_without_export_have_no_rows(self):
        f = harness.Filter("BVHBoxes", Input=meshes.box())
        f.apply()
        self.assertEqual({k: list(t) for k, t in f.tables(1).items()}["Nodes"], NODES)
        self.assertEqual({len(c) for t in f.tables(1).values() for c in t.values()}, {0})
        f.delete()

    def test_statistics(self):
        data = meshes.sphere(rings=7, segments=11)
        f = harness.Filter("BVHBoxes", {"LeafSize": 3}, Input=data)
        f.apply()
        row, want = f.table(2), Expected(data, 3)
        tree, (lo, hi) = want.tree, want.box
        leaf, area = tree.left < 0, reference_tree.surface_area(lo, hi)
        self.assertEqual(list(row), STATISTICS)
        self.assertEqual({len(c) for c in row.values()}, {1})
        self.assertEqual((row["Nodes"][0], row["Leaves"][0]), (len(leaf), leaf.sum()))
        self.assertEqual(row["Depth"][0], tree.depth.max())
        cost = (area[~leaf].sum() + (area * tree.count)[leaf].sum()) / area[0]
        self.close(row["SAHCost"], [cost], 1e-12 * cost)
        shared = 0.0
        for i in np.nonzero(~leaf)[0]:
            pair = [tree.left[i], tree.right[i]]
            shared += np.maximum(hi[pair].min(axis=0) - lo[pair].max(axis=0), 0).prod()
        overlap = shared / (hi - lo)[0].prod()
        self.close(row["Overlap"], [overlap], 1e-12 * overlap)
        self.assertGreater(row["Bytes"][0], 0)
        self.assertGreater(row["BuildSeconds"][0], 0)
        f.delete()


class Inputs(harness.Case):
    def test_empty(self):
        """No cells: no nodes, every array and table, no message."""
        for data in (vtkPolyData(), vd.cloud([(0, 0, 0)]), vd.multiblock(None, vtkPolyData())):
            f = harness.Filter("BVHBoxes", {"ExportTree": 1}, Input=data)
            out = f.apply()
            self.assertEqual(out.data.GetNumberOfCells(), 0)
            self.assertEqual(out.cells(), ARRAYS)
            self.assertEqual(list(f.tables(1)["Nodes"]), NODES)
            self.assertEqual(f.table(2)["Nodes"].tolist(), [0])
            self.quiet(out)
            f.delete()

    def test_blocks_are_one_mesh(self):
        a, b = meshes.box(), meshes.box((3, 0, 0), (4, 1, 1))
        both = vd.polydata(
            np.concatenate([vd.points(a), vd.points(b)]),
            [vd.cell_ids(a, c) for c in range(12)] + [vd.cell_ids(b, c) + 8 for c in range(12)],
        )
        f = harness.Filter(
            "BVHBoxes", {"ExportTree": 1}, Input=vd.multiblock(a, None, vd.multiblock(b))
        )
        out, want = f.apply(MaximumDepth=99), Expected(both)
        self.assertEqual(out.cell("NodeId").tolist(), list(range(len(want.tree.left))))
        order = f.tables(1)["Order"]
        self.assertEqual(order["sorted_cell_order"].tolist(), want.order.tolist())
        self.assertEqual(order["CellId"].tolist(), (want.order % 12).tolist())
        # Flat index: root 0, a 1, None 2, the inner multiblock 3, b 4.
        self.assertEqual(order["CellBlock"].tolist(), np.where(want.order < 12, 1, 4).tolist())
        f.delete()

    def test_cells_left_out(self):
        """Ghosts silently, non-finite corners with one warning that counts them."""
        xyz = np.concatenate([meshes.BOX_CORNERS, [(np.nan, 0, 0)]])
        data = vd.polydata(xyz, [(0, 1, 8), *meshes.BOX_TRIANGLES])
        ghosts = np.zeros(13, np.uint8)
        ghosts[[4, 7]] = 1, 32
        vd.add(data, "cell", vtkGhostType=ghosts)
        f = harness.Filter("BVHBoxes", {"ExportTree": 1}, Input=data)
        out = f.apply(MaximumDepth=99)
        order = f.tables(1)["Order"]["sorted_cell_order"]
        want = Expected(data, 1, (0, 4, 7))
        self.assertEqual(order.tolist(), want.cells[want.order].tolist())
        self.assertEqual(out.field("SkippedElements").tolist(), [1])
        self.one_message(out, "1 cells of Input have a coordinate that is not finite")
        self.quiet(f.apply(MaximumDepth=3))
        f.delete()

    def test_reuse(self):
        f = harness.Filter("BVHBoxes", Input=meshes.box())
        self.assertEqual(f.apply().field("BVHReused").tolist(), [0])
        for change in ({"MaximumDepth": 2}, {"BoxType": 1}, {"ExportTree": 1}, {"LeavesOnly": 1}):
            self.assertEqual(f.apply(**change).field("BVHReused").tolist(), [1])
        self.assertEqual(f.apply(LeafSize=2).field("BVHReused").tolist(), [0])
        f.feed(Input=meshes.box())
        self.assertEqual(f.apply().field("BVHReused").tolist(), [1])
        f.feed(Input=meshes.box((0, 0, 0), (2, 1, 1)))
        self.assertEqual(f.apply().field("BVHReused").tolist(), [0])
        for name in ("SearchReused", "BuildSeconds", "QuerySeconds", "PeakBytes", "DeviceUsed"):
            self.assertEqual(len(f.apply().field(name)), 1)
        f.delete()


if __name__ == "__main__":
    harness.main()
