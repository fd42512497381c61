"""Interaction Plan: counts, pairs, summary, exported arrays and matrix against a plan made entry by entry in numpy."""

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import vtk_data as vd
from reference_plan import Cluster, Plan

COUNTS = ["NearCount", "NearFarCount", "FarNearCount", "FarFarCount"]
ENTRIES = ["NearEntries", "NearFarEntries", "FarNearEntries", "FarFarEntries"]
PAIRS = ["NearPairs", "NearFarPairs", "FarNearPairs", "FarFarPairs"]
SUMMARY = [*ENTRIES, *PAIRS, "DensePairs", "Evaluations", "FractionOfDense"]
SUMMARY += ["WastedFarNearEntries", "ExactShare", "PlanBytes", "TargetDepth", "SourceDepth"]
SUMMARY += ["Iterations", "BuildSeconds", "TraversalSeconds", "RmsError", "MaxError", "Error50"]
SUMMARY += ["Error90", "Error99", "NearFarError", "FarNearError", "FarFarError"]
SUMMARY += ["LoadMaxOverMean", "LoadGini", "SkippedTargets", "SkippedSources"]
ARRAYS = ["near_target_ids", "near_source_ids", "nf_target_ids", "nf_source_node_ids"]
ARRAYS += ["fn_target_node_ids", "fn_source_ids", "fn_broadcast_targets", "fn_broadcast_starts"]
ARRAYS += ["fn_broadcast_counts", "far_target_node_ids", "far_source_node_ids"]
PAIR_ARRAYS = ["Stream", "TargetNode", "SourceNode", "CoveredPairs", "OpeningRatio"]
PAIR_ARRAYS += ["TargetId", "SourceId"]


def gini(work):
    """By the mean absolute difference of all pairs."""
    return np.abs(work[:, None] - work[None, :]).mean() / (2 * work.mean())


def seen_from_sources(f):
    data = f.algorithm.GetOutputDataObject(1)
    return harness.Output(data, [])


class Base(harness.Case):
    def check_counts(self, f, out, plan):
        cover = plan.cover()
        self.assertTrue((cover.sum(axis=0) == 1).all())
        seen = seen_from_sources(f)
        for s, name in enumerate(COUNTS):
            self.assertEqual(out.point(name).tolist(), cover[s].sum(axis=1).tolist(), name)
            self.assertEqual(seen.point(name).tolist(), cover[s].sum(axis=0).tolist(), name)
        self.close(out.point("Evaluations"), plan.evaluations(), 1e-9)

    def check_summary(self, f, plan):
        row, cover, work = f.table(3), plan.cover(), plan.evaluations()
        self.assertEqual(list(row), SUMMARY)
        self.assertEqual([row[n][0] for n in ENTRIES], plan.entries())
        self.assertEqual([row[n][0] for n in PAIRS], cover.sum(axis=(1, 2)).tolist())
        dense = cover[0].size
        total = sum(plan.entries())
        self.assertEqual(row["DensePairs"][0], dense)
        self.assertEqual(row["Evaluations"][0], total)
        self.close(row["FractionOfDense"], [total / dense], 1e-15)
        self.assertEqual(row["WastedFarNearEntries"][0], plan.wasted())
        self.close([work.sum() + plan.wasted()], [total], 1e-6)
        exact = len(plan.near)
        exact += sum(len(plan.S.ids[s]) == 1 for _, s in plan.near_far)
        exact += sum(len(plan.T.ids[t]) == 1 == len(targets) for t, _, targets in plan.far_near)
        exact += sum(len(plan.T.ids[t]) == len(plan.S.ids[s]) == 1 for t, s in plan.far)
        self.close(row["ExactShare"], [exact / dense], 1e-12)
        lists = {tuple(t) for _, _, t in plan.far_near if t}
        if not lists:
            n = plan.entries()
            self.assertEqual(row["PlanBytes"][0], 16 * (n[0] + n[1] + n[3]) + 32 * n[2])
        self.assertEqual(row["TargetDepth"][0], plan.T.tree.depth.max())
        self.assertEqual(row["SourceDepth"][0], plan.S.tree.depth.max())
        self.close(row["LoadMaxOverMean"], [work.max() / work.mean()], 1e-9)
        self.close(row["LoadGini"], [gini(work)], 1e-9)
        self.assertTrue(np.isnan(row["RmsError"][0]))


class Counts(Base):
    def test_one_set_with_itself(self):
        q = meshes.random_points(60, 0, 1, 71)
        f = harness.Filter("InteractionPlan", Input=vd.cloud(q))
        for leaf_size in (1, 4, 100):
            for theta in (0.0, 0.6, 1.0, 3.0):
                for expand in (0, 1, 2):
                    with self.subTest(leaf_size=leaf_size, theta=theta, expand=expand):
                        out = f.apply(
                            OpeningAngle=theta, LeafSize=leaf_size, ExpandFarTargets=expand
                        )
                        T = Cluster(q, leaf_size)
                        plan = Plan(T, T, theta, expand)
                        self.check_counts(f, out, plan)
                        self.check_summary(f, plan)
                        self.assertEqual(out.active(), "Evaluations")
                        self.assertEqual(out.points(), [*COUNTS, "Evaluations"])
                        self.quiet(out)
        f.delete()

    def test_targets_and_sources(self):
        t, s = meshes.random_points(40, 0, 1, 72), meshes.random_points(55, (0.5, 0, 0), 2, 73)
        for axes in (3, 2, 1):
            f = harness.Filter(
                "InteractionPlan",
                {"LeafSize": 4, "Dimensions": axes, "OpeningAngle": 1.5},
                Input=vd.cloud(t),
                Sources=vd.cloud(s),
            )
            plan = Plan(Cluster(t[:, :axes], 4), Cluster(s[:, :axes], 4), 1.5)
            out = f.apply()
            self.check_counts(f, out, plan)
            self.check_summary(f, plan)
            self.quiet(out)
            f.delete()

    def test_cells(self):
        targets, sources = meshes.sphere(rings=5, segments=7), meshes.mixed()
        f = harness.Filter(
            "InteractionPlan",
            {"InputElements": 1, "SourcesElements": 1},
            Input=targets,
            Sources=sources,
        )
        out = f.apply()
        cover = Plan(Cluster(vd.centres(targets)), Cluster(vd.centres(sources))).cover()
        seen = seen_from_sources(f)
        for s, name in enumerate(COUNTS):
            self.assertEqual(out.cell(name).tolist(), cover[s].sum(axis=1).tolist())
            self.assertEqual(seen.cell(name).tolist(), cover[s].sum(axis=0).tolist())
        self.assertEqual(out.active("cell"), "Evaluations")
        f.delete()

    def test_blocks_keep_their_structure(self):
        q = meshes.random_points(50, 0, 1, 74)
        parts = vd.multiblock(vd.cloud(q[:20]), None, vd.multiblock(vd.cloud(q[20:])))
        f = harness.Filter("InteractionPlan", Input=parts)
        out = f.apply()
        T = Cluster(q)
        cover = Plan(T, T).cover()
        for s, name in enumerate(COUNTS):
            got = np.concatenate([out.point(name, 0), out.point(name, 2)])
            self.assertEqual(got.tolist(), cover[s].sum(axis=1).tolist())
        f.delete()

    def test_names_of_the_input(self):
        data = vd.add(vd.cloud(meshes.random_points(9, 0, 1, 75)), NearCount=np.arange(9.0))
        out = harness.run("InteractionPlan", Input=data)
        self.assertEqual(out.point("NearCount_input").tolist(), list(range(9)))


class Skipped(Base):
    def test_non_finite(self):
        q = meshes.random_points(30, 0, 1, 76)
        q[5, 0], q[17, 2] = np.nan, -np.inf
        good = np.isfinite(q).all(axis=1)
        f = harness.Filter("InteractionPlan", {"Kernel": 1, "LeafSize": 3}, Input=vd.cloud(q))
        out = f.apply()
        total = sum(out.point(name) for name in COUNTS)
        self.assertEqual(total.tolist(), np.where(good, 28, 0).tolist())
        self.assertEqual(np.isnan(out.point("Potential")).tolist(), (~good).tolist())
        row = f.table(3)
        self.assertEqual((row["SkippedTargets"][0], row["SkippedSources"][0]), (2, 2))
        self.assertEqual(row["DensePairs"][0], 28 * 28)
        self.one_message(out, "2 points of Input have a coordinate that is not finite")
        self.assertEqual(out.field("SkippedElements").tolist(), [2])
        f.delete()

    def test_ghosts_take_no_part(self):
        q = meshes.random_points(30, 0, 1, 77)
        ghosts = np.zeros(30, np.uint8)
        ghosts[[2, 11]] = 1, 2
        kept = np.nonzero(ghosts == 0)[0]
        f = harness.Filter(
            "InteractionPlan",
            {"ExportPlan": 1, "LeafSize": 3, "OpeningAngle": 1.5, "PairsOf": 3, "Kernel": 1},
            Input=vd.add(vd.cloud(q), vtkGhostType=ghosts),
        )
        out = f.apply()
        T = Cluster(q[kept], 3)
        cover = Plan(T, T, 1.5).cover()
        for s, name in enumerate(COUNTS):
            want = np.zeros(30, int)
            want[kept] = cover[s].sum(axis=1)
            self.assertEqual(out.point(name).tolist(), want.tolist())
        self.assertEqual(np.nonzero(np.isnan(out.point("Potential")))[0].tolist(), [2, 11])
        pairs = f.algorithm.GetOutputDataObject(2).GetCellData()
        for name in ("TargetId", "SourceId"):
            self.assertLessEqual(set(vd.values(pairs, name)), set(kept) | {-1})
        plan = {k: t[k] for k, t in f.tables(4).items()}
        for name in ("near_target_ids", "near_source_ids", "nf_target_ids", "fn_source_ids"):
            self.assertLessEqual(set(plan[name]), set(kept))
        near = sorted(zip(plan["near_target_ids"], plan["near_source_ids"]))
        self.assertEqual(near, sorted((kept[a], kept[b]) for a, b in Plan(T, T, 1.5).near))
        self.quiet(out)
        f.delete()


class Exported(Base):
    def test_arrays(self):
        t, s = meshes.random_points(37, 0, 1, 78), meshes.random_points(43, 0, 1, 79)
        f = harness.Filter(
            "InteractionPlan",
            {"ExportPlan": 1, "LeafSize": 4, "OpeningAngle": 1.5},
            Input=vd.cloud(t),
            Sources=vd.cloud(s),
        )
        for expand in (0, 1, 2):
            f.apply(ExpandFarTargets=expand)
            tables = f.tables(4)
            self.assertEqual(list(tables), ARRAYS)
            self.assertEqual([list(c) for c in tables.values()], [[n] for n in ARRAYS])
            a = {n: tables[n][n].tolist() for n in ARRAYS}
            plan = Plan(Cluster(t, 4), Cluster(s, 4), 1.5, expand)
            near = list(zip(a["near_target_ids"], a["near_source_ids"]))
            self.assertEqual(sorted(near), sorted(plan.near))
            self.assertEqual(a["near_source_ids"], sorted(a["near_source_ids"]))
            nf = list(zip(a["nf_target_ids"], a["nf_source_node_ids"]))
            self.assertEqual(sorted(nf), sorted(plan.near_far))
            far = list(zip(a["far_target_node_ids"], a["far_source_node_ids"]))
            self.assertEqual(sorted(far), sorted(plan.far))
            lists = a["fn_broadcast_targets"]
            fn = [
                (T, S, lists[b : b + n])
                for T, S, b, n in zip(
                    a["fn_target_node_ids"],
                    a["fn_source_ids"],
                    a["fn_broadcast_starts"],
                    a["fn_broadcast_counts"],
                )
            ]
            self.assertEqual(sorted(fn), sorted(plan.far_near))
            sizes = {n: 8 * len(v) for n, v in a.items()}
            self.assertEqual(f.table(3)["PlanBytes"][0], sum(sizes.values()))
        f.delete()

    def test_without_export_and_beyond_the_limit(self):
        q = meshes.random_points(50, 0, 1, 80)
        f = harness.Filter("InteractionPlan", Input=vd.cloud(q))
        f.apply()
        self.assertEqual({len(t[n]) for n, t in f.tables(4).items()}, {0})
        size = int(f.table(3)["PlanBytes"][0])
        self.quiet(f.apply(ExportPlan=1, MaxPlanBytes=size))
        self.assertGreater(len(f.tables(4)["far_target_node_ids"]["far_target_node_ids"]), 0)
        out = f.apply(MaxPlanBytes=size - 1)
        self.one_message(out, "ExportPlan: .*%d" % size)
        self.assertEqual({len(t[n]) for n, t in f.tables(4).items()}, {0})
        self.assertEqual(len(out.point("NearCount")), 50)
        f.delete()


class Pairs(Base):
    def setUp(self):
        self.t = meshes.random_points(35, 0, 1, 81)
        self.s = meshes.random_points(45, 0, 1, 82)
        self.plan = Plan(Cluster(self.t, 3), Cluster(self.s, 3), 1.5)
        self.f = harness.Filter(
            "InteractionPlan",
            {"LeafSize": 3, "OpeningAngle": 1.5},
            Input=vd.cloud(self.t),
            Sources=vd.cloud(self.s),
        )

    def tearDown(self):
        self.f.delete()

    def shown(self, **settings):
        out = self.f.apply(**settings)
        self.quiet(out)
        data = self.f.algorithm.GetOutputDataObject(2)
        self.assertEqual(vd.names(data.GetCellData()), PAIR_ARRAYS)
        got = {n: vd.values(data.GetCellData(), n) for n in PAIR_ARRAYS}
        lines = np.array([vd.cell_ids(data, c) for c in range(data.GetNumberOfCells())], int)
        ends = vd.points(data)[lines.reshape(-1, 2)]
        return got, ends, vd.values(data.GetFieldData(), "PairsTruncated").tolist()

    def entries(self, got):
        """What is shown as entries of the plan: (stream, target or node, source or node)."""
        out = []
        for i, stream in enumerate(got["Stream"]):
            target = got["TargetId" if stream < 2 else "TargetNode"][i]
            source = got["SourceId" if stream in (0, 2) else "SourceNode"][i]
            out.append((stream, target, source))
        return sorted(out)

    def wanted(self, reaches=lambda t: True):
        p = self.plan
        out = [(0, t, s) for t, s in p.near if reaches([t])]
        out += [(1, t, s) for t, s in p.near_far if reaches([t])]
        out += [(2, t, s) for t, s, targets in p.far_near if reaches(targets)]
        out += [(3, t, s) for t, s in p.far if reaches(p.T.ids[t])]
        return sorted(out)

    def test_nothing(self):
        got, ends, cut = self.shown()
        self.assertEqual((len(got["Stream"]), len(ends), cut), (0, 0, [0]))

    def test_all(self):
        got, ends, cut = self.shown(PairsOf=3)
        self.assertEqual(self.entries(got), self.wanted())
        self.assertEqual(cut, [0])
        self.assertEqual(got["CoveredPairs"].sum(), 35 * 45)
        p = self.plan
        for i, stream in enumerate(got["Stream"]):
            t, s = got["TargetNode"][i], got["SourceNode"][i]
            a = p.T.points[got["TargetId"][i]] if stream < 2 else p.T.centroid[t]
            b = p.S.points[got["SourceId"][i]] if stream in (0, 2) else p.S.centroid[s]
            self.close(ends[i], [a, b], 1e-14)

    def test_opening_ratio(self):
        got, _, _ = self.shown(PairsOf=3)
        p = self.plan
        for i, stream in enumerate(got["Stream"]):
            t, s = got["TargetNode"][i], got["SourceNode"][i]
            x = p.T.points[got["TargetId"][i]] if stream < 2 else None
            y = p.S.points[got["SourceId"][i]] if stream in (0, 2) else None
            if stream == 1:
                gap, size = x - np.clip(x, p.S.lo[s], p.S.hi[s]), np.sqrt(p.S.size2[s])
            elif stream == 2:
                gap, size = y - np.clip(y, p.T.lo[t], p.T.hi[t]), np.sqrt(p.T.size2[t])
            else:
                gap = np.maximum(np.maximum(p.T.lo[t] - p.S.hi[s], p.S.lo[s] - p.T.hi[t]), 0)
                size = np.sqrt(p.T.size2[t]) + np.sqrt(p.S.size2[s])
            with np.errstate(all="ignore"):
                want = size / np.sqrt((gap**2).sum())
            self.close([got["OpeningRatio"][i]], [want], 1e-12 * min(want, 1e300))
            if stream:
                self.assertLess(want, 1.5)

    def test_one_target(self):
        for target in (0, 17, 34):
            got, _, _ = self.shown(PairsOf=1, TargetId=target)
            self.assertEqual(self.entries(got), self.wanted(lambda t: target in t))
            place = (self.t[target] + (1e-9, 0, 0)).tolist()
            again, _, _ = self.shown(PairsOf=4, TargetPoint=place)
            self.assertEqual(self.entries(again), self.entries(got))

    def test_one_node(self):
        got, _, _ = self.shown(PairsOf=3)
        node = int(np.bincount(got["TargetNode"]).argmax())
        want = [e for e, t in zip(self.zipped(got), got["TargetNode"]) if t == node]
        some, _, _ = self.shown(PairsOf=2, TargetNode=node)
        self.assertEqual(sorted(self.zipped(some)), sorted(want))

    @staticmethod
    def zipped(got):
        return list(zip(*[got[n].tolist() for n in PAIR_ARRAYS]))

    def test_limit(self):
        got, _, cut = self.shown(PairsOf=3, MaxPairs=10)
        self.assertEqual((len(got["Stream"]), cut), (10, [1]))
        self.assertLessEqual(set(self.entries(got)), set(self.wanted()))

    def test_what_is_not_there(self):
        nodes = len(self.plan.T.tree.left)
        for settings, why in (
            ({"PairsOf": 1, "TargetId": 35}, "TargetId: is 35; allowed are 0 to 34"),
            ({"PairsOf": 2, "TargetNode": nodes}, "TargetNode: is %d; allowed" % nodes),
        ):
            out = self.f.apply(**settings)
            self.one_message(out, why)
            self.assertEqual(out.messages[0][0], "error")
        self.quiet(self.f.apply(PairsOf=0))


class Matrix(Base):
    def test_small(self):
        """One block a pair: the streams themselves, in tree order."""
        t, s = meshes.random_points(20, 0, 1, 83), meshes.random_points(31, 0, 1, 84)
        f = harness.Filter(
            "InteractionPlan", {"LeafSize": 3}, Input=vd.cloud(t), Sources=vd.cloud(s)
        )
        f.apply()
        image = f.algorithm.GetOutputDataObject(5)
        plan = Plan(Cluster(t, 3), Cluster(s, 3))
        cover = plan.cover()[:, plan.T.order][:, :, plan.S.order]
        self.assertEqual(image.GetDimensions(), (32, 21, 1))
        self.assertEqual(image.GetBounds(), (0, 31, 0, 20, 0, 0))
        for i, name in enumerate(("NearShare", "NearFarShare", "FarNearShare", "FarFarShare")):
            got = vd.values(image.GetCellData(), name).reshape(20, 31)
            self.close(got, cover[i], 0, name)
        f.delete()

    def test_downstream(self):
        """The pipeline knows the extent, so other filters and views get the whole image."""
        f = harness.Filter("InteractionPlan", Input=vd.cloud(meshes.random_points(30, 0, 1, 87)))
        after = simple.CellDatatoPointData(Input=simple.OutputPort(f.proxy, 5))
        after.UpdatePipeline()
        image = after.GetClientSideObject().GetOutputDataObject(0)
        self.assertEqual(image.GetDimensions(), (31, 31, 1))
        f.feed(Input=vd.cloud(meshes.random_points(12, 0, 1, 88)))
        after.UpdatePipeline()
        image = after.GetClientSideObject().GetOutputDataObject(0)
        self.assertEqual(image.GetDimensions(), (13, 13, 1))
        simple.Delete(after)
        f.delete()

    def test_binned(self):
        q = meshes.random_points(1100, 0, 1, 85)
        f = harness.Filter("InteractionPlan", Input=vd.cloud(q))
        out = f.apply()
        image = f.algorithm.GetOutputDataObject(5)
        self.assertEqual(image.GetDimensions(), (513, 513, 1))
        self.close(image.GetBounds(), (0, 1100, 0, 1100, 0, 0), 1e-9)
        shares = [vd.values(image.GetCellData(), n) for n in vd.names(image.GetCellData())]
        self.close(sum(shares), np.ones(512 * 512), 1e-5)
        rows = np.bincount(np.arange(1100) * 512 // 1100)
        weight = np.outer(rows, rows).ravel()
        for share, name in zip(shares, COUNTS):
            self.close([(share * weight).sum()], [out.point(name).sum()], 2.0)
        f.delete()


class Inputs(Base):
    def test_empty(self):
        for data in (vtkPolyData(), vd.multiblock(None, vtkPolyData())):
            for sources in (None, vtkPolyData(), vd.cloud([(0, 0, 0)])):
                ports = {"Input": data}
                if sources is not None:
                    ports["Sources"] = sources
                f = harness.Filter("InteractionPlan", {"Kernel": 1, "ExportPlan": 1}, **ports)
                out = f.apply()
                self.quiet(out)
                self.assertEqual(list(f.table(3)), SUMMARY)
                self.assertEqual(f.table(3)["DensePairs"].tolist(), [0])
                self.assertEqual(list(f.tables(4)), ARRAYS)
                f.delete()
        out = harness.run("InteractionPlan", Input=vd.cloud([(0, 0, 0)]), Sources=vtkPolyData())
        self.assertEqual([out.point(n).tolist() for n in COUNTS], [[0]] * 4)

    def test_one_point(self):
        out = harness.run("InteractionPlan", Input=vd.cloud([(1, 2, 3)]))
        self.assertEqual([out.point(n).tolist() for n in COUNTS], [[1], [0], [0], [0]])

    def test_opening_angles_that_will_not_do(self):
        for theta in (-1.0, float("nan"), float("inf")):
            f = harness.Filter("InteractionPlan", Input=vd.cloud([(0, 0, 0)]))
            out = f.apply(OpeningAngle=theta)
            self.one_message(out, "OpeningAngle: .*theta")
            self.assertEqual(out.messages[0][0], "error")
            self.quiet(f.apply(OpeningAngle=0.0))
            f.delete()

    def test_reuse(self):
        q = meshes.random_points(40, 0, 1, 86)
        f = harness.Filter("InteractionPlan", Input=vd.cloud(q))

        def reused(**settings):
            out = f.apply(**settings)
            return int(out.field("BVHReused")[0]), int(out.field("SearchReused")[0])

        self.assertEqual(reused(), (0, 0))
        self.assertEqual(reused(PairsOf=3), (1, 1))
        self.assertEqual(reused(ExportPlan=1), (1, 1))
        self.assertEqual(reused(OpeningAngle=2.0), (1, 0))
        self.assertEqual(reused(Kernel=1), (1, 0))
        self.assertEqual(reused(PairsOf=0), (1, 1))
        self.assertEqual(reused(KernelLength=2.0), (1, 0))
        self.assertEqual(reused(LeafSize=4), (0, 0))
        f.feed(Input=vd.add(vd.cloud(q), extra=q[:, 0].copy()))
        self.assertEqual(reused(), (1, 1))
        f.delete()


if __name__ == "__main__":
    harness.main()
