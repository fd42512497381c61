"""Interaction Plan with a kernel, and the Sweep: potentials and errors against sums made entry by entry in numpy."""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData

import harness
import meshes
import reference_plan
import vtk_data as vd
from reference_plan import Cluster, Plan

COLUMNS = ["OpeningAngle", "LeafSize", "ExpandMode", "Evaluations", "FractionOfDense", "PlanBytes"]
COLUMNS += ["Seconds", "RmsError", "MaxError", "ParetoOptimal"]
NAMES = ["Potential", "DirectPotential", "RelativeError"]


def rms(x):
    return np.sqrt(np.mean(np.square(x)))


class Sums(harness.Case):
    """All kernels; scale: the largest potential."""

    def check(self, f, plan, strengths, length=1.0, only=None, **settings):
        for number, kernel in reference_plan.kernels(length).items():
            if only and number not in only:
                continue
            with self.subTest(kernel=number):
                out = f.apply(Kernel=number, KernelLength=length, **settings)
                streams = plan.potential(strengths, kernel)
                want = streams.sum(axis=0)
                exact = reference_plan.direct(plan.T.points, plan.S.points, strengths, kernel)
                scale = np.abs(exact).max()
                self.close(out.point("Potential"), want, 1e-12 * scale)
                self.close(out.point("DirectPotential"), exact, 1e-12 * scale)
                relative = np.abs(want - exact) / np.abs(exact)
                self.close(out.point("RelativeError"), relative, 1e-9)
                self.assertEqual(out.active(), "Potential")
                self.check_errors(f.table(3), plan, streams, exact, relative, strengths, kernel)

    def check_errors(self, row, plan, streams, exact, relative, strengths, kernel):
        self.close(row["RmsError"], [rms(streams.sum(axis=0) - exact) / rms(exact)], 1e-9)
        self.close(row["MaxError"], [relative.max()], 1e-9)
        ranked = np.sort(relative)
        for share in (50, 90, 99):
            at = int(np.ceil(share / 100 * len(ranked))) - 1
            self.close(row["Error%d" % share], [ranked[at]], 1e-9)
        cover = plan.cover()
        pairs = np.array([[kernel(t - s) for s in plan.S.points] for t in plan.T.points])
        for s, name in ((1, "NearFarError"), (2, "FarNearError"), (3, "FarFarError")):
            own = (cover[s] * pairs * strengths).sum(axis=1)
            self.close(row[name], [rms(streams[s] - own) / rms(exact)], 1e-9, name)

    def test_kernels(self):
        t, s = meshes.random_points(30, 0, 1, 61), meshes.random_points(42, 0, 1, 62)
        rng = np.random.RandomState(63)
        q, w = rng.uniform(0.5, 1.5, 42), rng.uniform(0.5, 1.5, 42)
        f = harness.Filter(
            "InteractionPlan",
            {
                "LeafSize": 4,
                "OpeningAngle": 1.5,
                "ErrorTargets": 0,
                "SourcesAreaArray": ["POINTS", "w"],
                "SourcesStrengthArray": ["POINTS", "q"],
            },
            Input=vd.cloud(t),
            Sources=vd.add(vd.cloud(s), q=q, w=w),
        )
        plan = Plan(Cluster(t, 4), Cluster(s, 4, w), 1.5)
        self.check(f, plan, q, 0.7)
        f.delete()

    def test_one_set_with_itself(self):
        """Self pairs count 0 where the kernel is infinite; both sides have the centroids of the areas."""
        x = meshes.random_points(45, 0, 1, 64)
        rng = np.random.RandomState(65)
        q, w = rng.normal(size=45), rng.uniform(0.1, 3, 45)
        data = vd.add(vd.cloud(x), q=q, w=w)
        f = harness.Filter(
            "InteractionPlan",
            {
                "LeafSize": 3,
                "ErrorTargets": 0,
                "AreaArray": ["POINTS", "w"],
                "StrengthArray": ["POINTS", "q"],
            },
            Input=data,
        )
        T = Cluster(x, 3, w)
        for expand in (0, 1, 2):
            self.check(f, Plan(T, T, 1.0, expand), q, ExpandFarTargets=expand)
        f.delete()

    def test_all_exact_at_theta_0(self):
        x = meshes.random_points(40, 0, 1, 66)
        f = harness.Filter(
            "InteractionPlan",
            {"OpeningAngle": 0, "Kernel": 1, "LeafSize": 8, "ErrorTargets": 0},
            Input=vd.cloud(x),
        )
        out = f.apply()
        self.close(out.point("RelativeError"), np.zeros(40), 1e-14)
        row = f.table(3)
        for name in ("NearFarError", "FarNearError", "FarFarError"):
            self.assertEqual(row[name].tolist(), [0.0])
        f.delete()

    def test_cells_as_sources(self):
        """Areas of triangles weigh the centroids."""
        t, source = meshes.random_points(25, -2, 2, 67), meshes.sphere(rings=5, segments=8)
        f = harness.Filter(
            "InteractionPlan",
            {"SourcesElements": 1, "OpeningAngle": 2, "ErrorTargets": 0},
            Input=vd.cloud(t),
            Sources=source,
        )
        xyz = vd.points(source)
        corner = np.array([xyz[vd.cell_ids(source, c)] for c in range(source.GetNumberOfCells())])
        n = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        area = np.sqrt((n * n).sum(axis=1)) / 2
        plan = Plan(Cluster(t), Cluster(vd.centres(source), 1, area), 2.0)
        self.check(f, plan, np.ones(len(area)), only=(1, 3))
        f.delete()

    def test_targets_and_sources_of_different_types(self):
        """Points stored as float beside double ones (every image) count as double ones, either way round."""
        single = np.float32(meshes.random_points(30, 0, 1, 64))
        double = meshes.random_points(42, 0, 1, 65)
        as_double = vd.cloud(single.astype(float))
        for name in ("InteractionPlan", "InteractionPlanSweep"):
            for targets, sources, plain in (
                (vd.cloud(single, dtype=np.float32), vd.cloud(double), (as_double, vd.cloud(double))),
                (vd.cloud(double), vd.cloud(single, dtype=np.float32), (vd.cloud(double), as_double)),
            ):
                f = harness.Filter(name, {"Kernel": 1}, Input=targets, Sources=sources)
                g = harness.Filter(name, {"Kernel": 1}, Input=plain[0], Sources=plain[1])
                got, want = f.apply(), g.apply()
                self.quiet(got)
                if name == "InteractionPlan":
                    for key in ("Potential", "Evaluations", "DirectPotential"):
                        np.testing.assert_array_equal(got.point(key), want.point(key))
                else:
                    key = "RmsError"
                    np.testing.assert_array_equal(f.table(0)[key], g.table(0)[key])
                f.delete()
                g.delete()
        # Empty targets, whatever they are stored in.
        f = harness.Filter("InteractionPlan", Input=vd.cloud([]), Sources=vd.cloud(single, dtype=np.float32))
        self.quiet(f.apply())
        f.delete()

    def test_strengths_in_single_precision(self):
        x = meshes.random_points(30, 0, 1, 68)
        q = np.random.RandomState(69).uniform(1, 2, 30).astype(np.float32)
        f = harness.Filter(
            "InteractionPlan",
            {"Kernel": 1, "StrengthArray": ["POINTS", "q"], "ErrorTargets": 0},
            Input=vd.add(vd.cloud(x), q=q),
        )
        T = Cluster(x)
        want = Plan(T, T).potential(q, reference_plan.kernels(1)[1]).sum(axis=0)
        self.close(f.apply().point("Potential") / want, np.ones(30), 1e-6)
        f.delete()


class Errors(harness.Case):
    def test_how_many_targets_are_compared(self):
        x = meshes.random_points(101, 0, 1, 70)
        f = harness.Filter("InteractionPlan", {"Kernel": 1}, Input=vd.cloud(x))
        for wanted, ids in (
            (0, range(101)),
            (1000, range(101)),
            (5, [0, 25, 50, 75, 100]),
            (3, [0, 50, 100]),
        ):
            out = f.apply(ErrorTargets=wanted)
            compared = np.nonzero(~np.isnan(out.point("DirectPotential")))[0]
            self.assertEqual(compared.tolist(), list(ids))
            compared = np.nonzero(~np.isnan(out.point("RelativeError")))[0]
            self.assertEqual(compared.tolist(), list(ids))
            self.assertFalse(np.isnan(out.point("Potential")).any())
        f.delete()

    def test_no_kernel_no_sums(self):
        x = meshes.random_points(20, 0, 1, 71)
        f = harness.Filter("InteractionPlan", Input=vd.add(vd.cloud(x), Potential=x[:, 0].copy()))
        out = f.apply()
        self.assertEqual(out.point("Potential").tolist(), x[:, 0].tolist())
        self.assertFalse({"DirectPotential", "RelativeError"} & set(out.points()))
        self.assertTrue(all(np.isnan(f.table(3)[n][0]) for n in ("RmsError", "MaxError")))
        out = f.apply(Kernel=1)
        self.close(out.point("Potential_input"), x[:, 0])
        self.assertLessEqual(set(NAMES), set(out.points()))
        f.delete()

    def test_lengths_that_will_not_do(self):
        f = harness.Filter("InteractionPlan", {"Kernel": 3}, Input=meshes.box())
        self.one_message(f.apply(KernelLength=0.0), "Kernel: .*length")
        self.quiet(f.apply(Kernel=1))
        f.delete()

    def test_strengths_that_will_not_do(self):
        data = vd.add(meshes.box(), q=np.array([1, np.inf] + [1.0] * 6))
        f = harness.Filter("InteractionPlan", {"StrengthArray": ["POINTS", "q"]}, Input=data)
        self.one_message(f.apply(), "Input: StrengthArray: .*point 1")
        self.one_message(f.apply(StrengthArray=["POINTS", "x"]), "Input: StrengthArray: no point")
        f.delete()
        f = harness.Filter(
            "InteractionPlan",
            {"SourcesStrengthArray": ["POINTS", "q"]},
            Input=meshes.box(),
            Sources=data,
        )
        self.one_message(f.apply(), "Sources: SourcesStrengthArray: .*point 1")
        f.delete()

    def test_any_thread_count(self):
        x = meshes.fibonacci(1500)
        f = harness.Filter("InteractionPlan", {"Kernel": 1, "LeafSize": 8}, Input=vd.cloud(x))
        first = f.apply(Threads=1)
        arrays = {n: first.point(n).tobytes() for n in first.points()}
        for threads in (2, 7):
            f.delete()
            f = harness.Filter("InteractionPlan", {"Kernel": 1, "LeafSize": 8}, Input=vd.cloud(x))
            out = f.apply(Threads=threads)
            for name, data in arrays.items():
                self.assertEqual(out.point(name).tobytes(), data, name)
        f.delete()


class Sweep(harness.Case):
    def table(self, f, **settings):
        out = f.apply(**settings)
        self.quiet(out)
        return vd.columns(out.data)

    def test_rows_are_those_of_the_plan(self):
        x = meshes.random_points(80, 0, 1, 72)
        data = vd.add(vd.cloud(x), q=np.random.RandomState(73).uniform(0.5, 1.5, 80))
        arrays = {"AreaArray": ["POINTS", "q"], "StrengthArray": ["POINTS", "q"]}
        f = harness.Filter("InteractionPlanSweep", arrays, Input=data)
        got = self.table(
            f, OpeningAngles=[0.5, 2.0], LeafSizes=[1, 7], ExpandModes=[0, 1, 2], ErrorTargets=0
        )
        self.assertEqual(list(got), COLUMNS)
        self.assertEqual(len(got["Seconds"]), 12)
        plan = harness.Filter("InteractionPlan", {"Kernel": 1, "ErrorTargets": 0, **arrays}, Input=data)
        seen = set()
        for i in range(12):
            key = got["OpeningAngle"][i], int(got["LeafSize"][i]), int(got["ExpandMode"][i])
            seen.add(key)
            plan.apply(OpeningAngle=key[0], LeafSize=key[1], ExpandFarTargets=key[2])
            row = plan.table(3)
            for name in ("Evaluations", "FractionOfDense", "PlanBytes", "RmsError", "MaxError"):
                self.assertEqual(got[name][i], row[name][0], (key, name))
            self.assertGreater(got["Seconds"][i], 0)
        self.assertEqual(len(seen), 12)
        cost, error = got["Evaluations"], got["RmsError"]
        for i in range(12):
            beaten = (cost <= cost[i]) & (error <= error[i])
            beaten &= (cost < cost[i]) | (error < error[i])
            self.assertEqual(got["ParetoOptimal"][i], 0 if beaten.any() else 1)
        self.assertTrue(0 < got["ParetoOptimal"].sum() < 12)
        f.delete()
        plan.delete()

    def test_defaults(self):
        f = harness.Filter("InteractionPlanSweep", Input=vd.cloud(meshes.random_points(30, 0, 1, 74)))
        got = self.table(f)
        self.assertEqual(sorted(set(got["OpeningAngle"])), [0.5, 1, 2, 5])
        self.assertEqual(sorted(set(got["LeafSize"])), [1, 16])
        self.assertEqual(sorted(set(got["ExpandMode"])), [0, 2])
        self.assertEqual(len(got["Seconds"]), 16)
        f.delete()

    def test_sources_and_no_kernel(self):
        t, s = meshes.random_points(20, 0, 1, 75), meshes.random_points(33, 0, 1, 76)
        f = harness.Filter(
            "InteractionPlanSweep", {"Kernel": 0}, Input=vd.cloud(t), Sources=vd.cloud(s)
        )
        got = self.table(f, OpeningAngles=[1.0], LeafSizes=[3], ExpandModes=[0])
        plan = Plan(Cluster(t, 3), Cluster(s, 3))
        self.assertEqual(got["Evaluations"].tolist(), [sum(plan.entries())])
        self.assertTrue(np.isnan(got["RmsError"][0]))
        self.assertEqual(got["ParetoOptimal"].tolist(), [0])
        f.delete()

    def test_empty(self):
        f = harness.Filter("InteractionPlanSweep", Input=vtkPolyData())
        got = self.table(f, OpeningAngles=[1.0, 2.0])
        self.assertEqual(list(got), COLUMNS)
        self.assertEqual(got["Evaluations"].tolist(), [0] * 8)
        f.delete()

    def test_table_of_the_reference(self):
        """Costs measured with the reference: Fibonacci sphere of 2000 points, strengths 0.5 to 1.5, areas = strengths."""
        x = meshes.fibonacci(2000).astype(np.float32)
        q = np.random.RandomState(77).uniform(0.5, 1.5, 2000).astype(np.float32)
        f = harness.Filter(
            "InteractionPlanSweep",
            {"AreaArray": ["POINTS", "q"], "StrengthArray": ["POINTS", "q"], "ErrorTargets": 0},
            Input=vd.add(vd.cloud(x, dtype=np.float32), q=q),
        )
        measured = {  # (theta, leaf, expand): evaluations / dense, bytes / dense, rms, largest error
            (0.25, 1, 0): ("0.260", "4.16", 6.9e-4, 3.6e-3),
            (0.5, 1, 0): ("0.113", "1.81", 1.4e-3, 6.0e-3),
            (1.0, 1, 0): ("0.0458", "0.73", 2.8e-3, 1.0e-2),
            (1.5, 1, 0): ("0.0279", "0.45", 3.5e-3, 1.1e-2),
            (10.0, 1, 0): ("0.0060", "0.10", 1.5e-2, 5.6e-2),
            (1.0, 4, 0): ("0.0927", "2.04", 3.2e-3, 1.1e-2),
            (1.0, 16, 0): ("0.218", "4.07", 3.8e-3, 1.8e-2),
            (1.0, 32, 0): ("0.338", "5.74", 3.3e-3, 1.8e-2),
            (1.0, 1, 1): ("0.182", "2.91", 1.2e-3, 4.3e-3),
            (10.0, 1, 1): ("0.0436", "0.70", 7.4e-3, 3.6e-2),
        }
        got = self.table(
            f,
            OpeningAngles=[0.25, 0.5, 1.0, 1.5, 10.0],
            LeafSizes=[1],
            ExpandModes=[0, 1],
        )
        more = self.table(f, OpeningAngles=[1.0], LeafSizes=[4, 16, 32], ExpandModes=[0])
        rows = [{k: t[k][i] for k in COLUMNS} for t in (got, more) for i in range(len(t["Seconds"]))]
        found = 0
        for row in rows:
            key = row["OpeningAngle"], row["LeafSize"], row["ExpandMode"]
            if key not in measured:
                continue
            found += 1
            share, size, error, largest = measured[key]
            with self.subTest(key):
                for value, text in (
                    (row["FractionOfDense"], share),
                    (row["PlanBytes"] / 4e6, size),
                ):
                    digits = len(text.split(".")[1])
                    self.assertEqual("%.*f" % (digits, value), text)
                self.assertLess(abs(row["RmsError"] / error - 1), 0.2)
                self.assertLess(abs(np.log2(row["MaxError"] / largest)), 1)
        self.assertEqual(found, len(measured))
        f.delete()


if __name__ == "__main__":
    harness.main()
