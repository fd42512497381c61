"""Cluster Tree: nodes, means, areas, tables against a tree built in numpy."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import reference_tree
import vtk_data as vd

ARRAYS = ["NodeId", "ParentId", "Depth", "IsLeaf", "FirstPoint", "PointCount"]
ARRAYS += ["Diameter", "TotalArea", "Centroid"]
NODES = ["node_aabb_min", "node_aabb_max", "node_left_child", "node_right_child"]
NODES += ["leaf_start", "leaf_count"]
NODES += ["node_diameter_sq", "node_range_start", "node_range_count", "node_total_area"]


class Expected:
    def __init__(self, xyz, leaf_size=1, areas=None):
        self.xyz = xyz
        self.areas = np.ones(len(xyz)) if areas is None else np.asarray(areas, float)
        self.order = reference_tree.morton_order(xyz)
        self.tree = reference_tree.Tree(len(xyz), leaf_size)
        self.box = self.tree.boxes(self.order, xyz, xyz)

    def means(self, values):
        """By a plain sum over the points of every node."""
        out = []
        for i in range(len(self.tree.left)):
            ids = self.tree.items(self.order, i)
            w = self.areas[ids]
            v = np.asarray(values, float)[ids]
            out.append((v.T * w).T.sum(axis=0) / w.sum())
        return np.array(out)

    def totals(self):
        return np.array(
            [self.areas[self.tree.items(self.order, i)].sum() for i in range(len(self.tree.left))]
        )


class Nodes(harness.Case):
    def check(self, out, want, tolerance):
        tree, (lo, hi) = want.tree, want.box
        self.assertEqual(out.cell("NodeId").tolist(), list(range(len(tree.left))))
        self.assertEqual(out.cell("ParentId").tolist(), tree.parent.tolist())
        self.assertEqual(out.cell("Depth").tolist(), tree.depth.tolist())
        self.assertEqual(out.cell("IsLeaf").tolist(), (tree.left < 0).astype(int).tolist())
        self.assertEqual(out.cell("FirstPoint").tolist(), tree.start.tolist())
        self.assertEqual(out.cell("PointCount").tolist(), tree.count.tolist())
        size = np.sqrt(((hi.astype(float) - lo) ** 2).sum(axis=1))
        self.close(out.cell("Diameter"), size, tolerance)
        totals = want.totals()
        self.close(out.cell("TotalArea") / totals, np.ones(len(totals)), tolerance)
        axes = want.xyz.shape[1]
        centroid = out.cell("Centroid")
        self.close(centroid[:, :axes], want.means(want.xyz), tolerance)
        self.close(centroid[:, axes:], np.zeros((len(centroid), 3 - axes)))
        corners = vd.points(out.data).reshape(-1, 8, 3)
        self.close(corners.min(axis=1)[:, :axes], lo)
        self.close(corners.max(axis=1)[:, :axes], hi)

    def test_points(self):
        for dtype, tolerance in ((np.float32, 2e-6), (np.float64, 1e-13)):
            q = meshes.random_points(200, -1, 2, 91).astype(dtype)
            for leaf_size in (1, 4, 300):
                for axes in (3, 2, 1):
                    with self.subTest(dtype.__name__, leaf_size=leaf_size, axes=axes):
                        f = harness.Filter("ClusterTree", Input=vd.cloud(q, dtype=dtype))
                        out = f.apply(LeafSize=leaf_size, Dimensions=axes, MaximumDepth=99)
                        self.assertEqual(out.cells(), ARRAYS)
                        self.check(out, Expected(q[:, :axes], leaf_size), tolerance)
                        self.assertEqual(out.active("cell"), "Depth")
                        self.quiet(out)
                        f.delete()

    def test_cells_weigh_their_measure(self):
        xyz, tri = meshes.sphere_triangles(9, 13)
        n = np.cross(xyz[tri[:, 1]] - xyz[tri[:, 0]], xyz[tri[:, 2]] - xyz[tri[:, 0]])
        surface = vd.polydata(xyz, tri)
        solid = meshes.mixed()
        volumes = [1, 1] + [1 / 2] * 2 + [1 / 6] * 5 + [1 / 12] * 2 + [1 / 6] * 6
        for data, areas in ((surface, np.sqrt((n * n).sum(axis=1)) / 2), (solid, volumes)):
            out = harness.run("ClusterTree", {"InputElements": 1, "MaximumDepth": 99}, Input=data)
            self.check(out, Expected(vd.centres(data), 1, areas), 1e-13)

    def test_area_array(self):
        q = meshes.random_points(60, 0, 1, 92)
        w = np.random.RandomState(3).uniform(0.5, 2, 60)
        for kind in (w, (10 * w).astype(np.int32)):
            data = vd.add(vd.cloud(q), w=kind)
            f = harness.Filter("ClusterTree", {"MaximumDepth": 99}, Input=data)
            out = f.apply(AreaArray=["POINTS", "w"])
            self.check(out, Expected(q, 1, kind), 1e-13)
            f.delete()

    def test_arrays_are_averaged_by_area(self):
        q = meshes.random_points(50, 0, 1, 93)
        w = np.random.RandomState(4).uniform(0.5, 2, 50)
        v = np.random.RandomState(5).normal(size=(50, 3))
        data = vd.cloud(q)
        arrays = {"w": w, "v": v, "small": v[:, 0].astype(np.float32), "n": np.arange(50)}
        vd.add(data, Depth=q[:, 0].copy(), name=["a"] * 50, vtkValidPointMask=np.ones(50), **arrays)
        f = harness.Filter(
            "ClusterTree", {"MaximumDepth": 99, "AreaArray": ["POINTS", "w"]}, Input=data
        )
        out, want = f.apply(), Expected(q, 1, w)
        for name, values in arrays.items():
            self.close(out.cell(name), want.means(values), 3e-6 if name == "small" else 1e-12, name)
        self.close(out.cell("Depth_input"), want.means(q[:, 0]), 1e-12)
        self.assertEqual(out.kind("Depth", "cell"), "int")
        self.assertEqual(out.kind("small", "cell"), "float")
        self.assertEqual(out.kind("n", "cell"), "double")
        self.assertEqual(len(out.cells()), len(ARRAYS) + 5)
        f.delete()

    def test_zero_areas(self):
        """Nodes that weigh nothing have their centroid in the middle of the box, and no mean."""
        q = np.array([(0, 0, 0), (1, 0, 0), (10, 0, 0), (12, 0, 0)], float)
        data = vd.add(vd.cloud(q), w=np.array([0.0, 0, 1, 3]), f=np.array([5.0, 6, 7, 8]))
        f = harness.Filter("ClusterTree", {"AreaArray": ["POINTS", "w"]}, Input=data)
        out = f.apply()
        self.close(out.cell("Centroid")[:3, 0], [11.5, 0.5, 11.5])
        self.close(out.cell("TotalArea")[:3], [4, 0, 4])
        self.close(out.cell("f")[:3], [7.75, np.nan, 7.75])
        f.delete()


class Tables(harness.Case):
    def test_exported_tree(self):
        q = meshes.random_points(37, -3, 5, 94)
        f = harness.Filter("ClusterTree", {"ExportTree": 1, "LeafSize": 3}, Input=vd.cloud(q))
        f.apply()
        tables, want = f.tables(1), Expected(q, 3)
        nodes, tree, leaf = tables["Nodes"], want.tree, want.tree.left < 0
        self.assertEqual(list(nodes), NODES)
        self.assertEqual(list(tables["Order"]), ["sorted_source_order"])
        self.assertEqual(tables["Order"]["sorted_source_order"].tolist(), want.order.tolist())
        for name, value in (("left_child", tree.left), ("right_child", tree.right)):
            self.assertEqual(nodes["node_" + name].tolist(), value.tolist())
        self.assertEqual(nodes["node_range_start"].tolist(), tree.start.tolist())
        self.assertEqual(nodes["node_range_count"].tolist(), tree.count.tolist())
        self.assertEqual(nodes["leaf_start"].tolist(), np.where(leaf, tree.start, -1).tolist())
        self.assertEqual(nodes["leaf_count"].tolist(), np.where(leaf, tree.count, 0).tolist())
        self.close(nodes["node_aabb_min"], want.box[0])
        self.close(nodes["node_aabb_max"], want.box[1])
        self.close(nodes["node_diameter_sq"], ((want.box[1] - want.box[0]) ** 2).sum(axis=1), 1e-13)
        self.close(nodes["node_total_area"], tree.count)
        row = f.table(2)
        self.assertEqual((row["Nodes"][0], row["Leaves"][0]), (len(leaf), leaf.sum()))
        self.assertEqual(row["Depth"][0], tree.depth.max())
        f.delete()

    def test_dimensions_of_the_columns(self):
        for axes in (1, 2, 3):
            f = harness.Filter(
                "ClusterTree", {"ExportTree": 1, "Dimensions": axes}, Input=meshes.box()
            )
            f.apply()
            self.assertEqual(f.tables(1)["Nodes"]["node_aabb_min"].reshape(15, -1).shape[1], axes)
            f.delete()


class Inputs(harness.Case):
    def test_empty(self):
        for data in (vtkPolyData(), vd.multiblock(), vd.multiblock(None, vtkPolyData())):
            for elements in (0, 1):
                f = harness.Filter(
                    "ClusterTree", {"ExportTree": 1, "InputElements": elements}, Input=data
                )
                out = f.apply()
                self.assertEqual(out.data.GetNumberOfCells(), 0)
                self.assertEqual(out.cells(), ARRAYS)
                self.assertEqual(list(f.tables(1)["Nodes"]), NODES)
                self.assertEqual(f.table(2)["Nodes"].tolist(), [0])
                self.quiet(out)
                f.delete()

    def test_blocks_are_one_set(self):
        q = meshes.random_points(40, 0, 1, 95)
        parts = [vd.add(vd.cloud(q[:15]), f=q[:15, 0]), vd.add(vd.cloud(q[15:]), f=q[15:, 0])]
        f = harness.Filter(
            "ClusterTree",
            {"ExportTree": 1, "MaximumDepth": 99},
            Input=vd.multiblock(parts[0], None, vd.multiblock(parts[1])),
        )
        out, want = f.apply(), Expected(q)
        self.close(out.cell("f"), want.means(q[:, 0]), 1e-13)
        order = f.tables(1)["Order"]
        self.assertEqual(order["sorted_source_order"].tolist(), want.order.tolist())
        local = np.where(want.order < 15, want.order, want.order - 15)
        self.assertEqual(order["PointId"].tolist(), local.tolist())
        self.assertEqual(order["PointBlock"].tolist(), np.where(want.order < 15, 1, 4).tolist())
        f.delete()

    def test_ghosts_take_no_part(self):
        q = meshes.random_points(30, 0, 1, 96)
        ghosts = np.zeros(30, np.uint8)
        ghosts[[0, 7, 29]] = 1, 2, 3
        kept = np.nonzero(ghosts == 0)[0]
        data = vd.add(vd.cloud(q), vtkGhostType=ghosts, f=q[:, 1].copy())
        f = harness.Filter("ClusterTree", {"ExportTree": 1, "MaximumDepth": 99}, Input=data)
        out, want = f.apply(), Expected(q[kept])
        self.assertEqual(out.cell("PointCount").tolist(), want.tree.count.tolist())
        self.close(out.cell("f"), want.means(q[kept, 1]), 1e-13)
        order = f.tables(1)["Order"]["sorted_source_order"]
        self.assertEqual(order.tolist(), kept[want.order].tolist())
        self.quiet(out)
        f.delete()

    def test_non_finite(self):
        """A place in the order, no part in boxes and means, one warning."""
        q = meshes.random_points(21, 0, 1, 97)
        q[4, 1], q[9, 2] = np.nan, np.inf
        good = np.isfinite(q).all(axis=1)
        f = harness.Filter(
            "ClusterTree",
            {"ExportTree": 1, "MaximumDepth": 99},
            Input=vd.add(vd.cloud(q), f=np.arange(21.0)),
        )
        out = f.apply()
        self.one_message(out, "2 points of Input have a coordinate that is not finite")
        self.assertEqual(out.field("SkippedElements").tolist(), [2])
        order = f.tables(1)["Order"]["sorted_source_order"]
        self.assertEqual(sorted(order.tolist()), list(range(21)))
        corners = vd.points(out.data).reshape(-1, 8, 3)
        self.assertTrue(np.isfinite(corners).all())
        for i, (a, n) in enumerate(zip(out.cell("FirstPoint"), out.cell("PointCount"))):
            ids = order[a : a + n]
            ids = ids[good[ids]]
            self.close(corners[i].min(axis=0), q[ids].min(axis=0))
            self.close(corners[i].max(axis=0), q[ids].max(axis=0))
            self.close(out.cell("Centroid")[i], q[ids].mean(axis=0), 1e-13)
            self.close(out.cell("f")[i], ids.mean(), 1e-12)
        # Of 41 nodes those that hold nothing else are not shown: they have no box.
        empty = [not good[order[a : a + 1]].any() for a in range(21)]
        self.assertLessEqual(out.data.GetNumberOfCells(), 41 - sum(empty))
        self.quiet(f.apply(MaximumDepth=1))
        f.delete()

    def test_areas_that_will_not_do(self):
        q = meshes.random_points(5, 0, 1, 98)
        data = vd.add(vd.cloud(q), v=q, w=np.array([1, 1, np.nan, 1, 1]))
        for name, why in (("v", "one component"), ("w", "point 2"), ("nothing", "one component")):
            f = harness.Filter("ClusterTree", {"AreaArray": ["POINTS", name]}, Input=data)
            out = f.apply()
            self.one_message(out, "Input: AreaArray: .*%s" % why)
            self.assertEqual(out.messages[0][0], "error")
            self.assertEqual(out.data.GetNumberOfCells(), 0)
            self.quiet(f.apply(AreaArray=["POINTS", "None"]))
            f.delete()

    def test_a_value_that_is_not_a_number_stays_where_it_is(self):
        """Only the nodes that hold the point lose their mean."""
        q = meshes.random_points(16, 0, 1, 99)
        values = np.arange(16.0)
        values[3] = np.nan
        f = harness.Filter(
            "ClusterTree",
            {"MaximumDepth": 99, "ExportTree": 1},
            Input=vd.add(vd.cloud(q), f=values),
        )
        out = f.apply()
        self.close(out.cell("f"), Expected(q).means(values), 1e-12)
        f.delete()

    def test_reuse(self):
        data = vd.add(vd.cloud(meshes.random_points(9, 0, 1, 90)), w=np.arange(1.0, 10))
        f = harness.Filter("ClusterTree", Input=data)

        def reused(**settings):
            return int(f.apply(**settings).field("BVHReused")[0])

        self.assertEqual(reused(), 0)
        self.assertEqual(reused(MaximumDepth=2, BoxType=1, ExportTree=1, Threads=1), 1)
        self.assertEqual(reused(LeafSize=2), 0)
        self.assertEqual(reused(Dimensions=2), 0)
        self.assertEqual(reused(AreaArray=["POINTS", "w"]), 0)
        again = vd.add(vd.cloud(vd.points(data)), w=np.arange(1.0, 10), extra=np.zeros(9))
        f.feed(Input=again)
        self.assertEqual(reused(), 1)
        f.feed(Input=vd.add(vd.cloud(vd.points(data)), w=np.arange(9.0)))
        self.assertEqual(reused(), 0)
        f.delete()


if __name__ == "__main__":
    harness.main()
