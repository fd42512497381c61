"""Runs the cases of tests/data/cases: public fault reports turned into numbers (see README.md there).

Arguments after the plugin: the JSON files.
"""

import json
import os

import numpy as np

import harness
import vtk_data as vd


def numbers(values):
    """Nested lists to doubles; "NaN", "Inf" and "-Inf" stand for those numbers."""
    if isinstance(values, list):
        return [numbers(v) for v in values]
    return float(values)


def build_array(name, spec):
    if spec["type"] == "string":
        return vd.array(name, spec["values"])
    dtype = np.dtype(spec["type"])
    values = numbers(spec["values"]) if dtype.kind == "f" else spec["values"]
    return vd.array(name, np.array(values, dtype))


def build_cells(spec):
    # Points that no cell uses, so that ids are large.
    points = [[0.0] * 3] * spec.get("unused", 0) + numbers(spec["points"])
    dtype = np.dtype(spec.get("precision", "float64"))
    cells = spec.get("cells", [])
    if spec.get("type", "polydata") == "unstructured":
        return vd.unstructured(points, cells, dtype=dtype)
    kinds = {"verts": (1, 2), "lines": (3, 4), "polys": (5, 7, 9), "strips": (6,)}
    lists = {k: [ids for t, ids in cells if t in types] for k, types in kinds.items()}
    return vd.polydata(points, dtype=dtype, width=spec.get("id_width") or 64, **lists)


def build(spec):
    """A data set, or a multiblock of them, from its JSON form."""
    if spec is None:
        return None
    if "blocks" in spec:
        return vd.multiblock(*[build(b) for b in spec["blocks"]])
    kind = spec.get("type", "polydata")
    if kind == "image":
        out = vd.image(spec["dims"], numbers(spec["origin"]), numbers(spec["spacing"]))
    elif kind == "rectilinear":
        out = vd.rectilinear(*[numbers(spec[c]) for c in "xyz"])
    elif kind == "structured":
        out = vd.structured(spec["dims"], numbers(spec["points"]))
    else:
        out = build_cells(spec)
    for on, place in (("point", out.GetPointData()), ("cell", out.GetCellData())):
        for name, array in spec.get(on + "_data", {}).items():
            place.AddArray(build_array(name, array))
        if on + "_ghost" in spec:
            place.AddArray(vd.array("vtkGhostType", np.array(spec[on + "_ghost"], np.uint8)))
    if "active" in spec:
        out.GetPointData().SetActiveScalars(spec["active"])
    return out


class Result:
    """The arrays of all leaves, one after the other."""

    def __init__(self, out, filter_):
        self.out, self.filter = out, filter_
        self.leaves = [leaf for leaf in vd.leaves(out.data) if leaf is not None]

    def places(self, on):
        return [
            leaf.GetPointData() if on == "point" else leaf.GetCellData() for leaf in self.leaves
        ]

    def has(self, name, on="point"):
        return any(p.HasArray(name) for p in self.places(on))

    def get(self, name, on="point"):
        parts = [vd.values(p, name) for p in self.places(on) if p.HasArray(name)]
        if not parts:
            raise KeyError("no array %s; messages: %s" % (name, self.out.messages))
        return np.concatenate(parts) if len(parts) > 1 else np.asarray(parts[0])


class Checks:
    """One method a check; each returns None or what is wrong."""

    def __init__(self, result):
        self.result = result

    @staticmethod
    def near(got, want, check):
        got, want = np.asarray(got, float), np.asarray(want, float)
        with np.errstate(all="ignore"):
            room = check.get("abs", 0) + check.get("rel", 0) * np.abs(want)
            return (got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= room)

    def values(self, c):
        want = np.array(numbers(c["values"]))
        got = self.result.get(c["array"], c.get("on", "point"))
        if c.get("prefix"):
            got = got[: len(want)]
        if got.size != want.size:
            return "%s has the shape %s instead of %s" % (c["array"], got.shape, want.shape)
        good = self.near(got.reshape(want.shape), want, c)
        if not good.all():
            at = tuple(np.argwhere(~good)[0])
            where = c["array"], (~good).sum(), good.size, at, got.reshape(want.shape)[at], want[at]
            return "%s: %d of %d differ, first at %s: %r instead of %r" % where

    def values_in(self, c):
        got = self.result.get(c["array"], c.get("on", "point"))
        for i, allowed in enumerate(c["sets"]):
            if not any(self.near(got[i], numbers(a), c).all() for a in allowed):
                return "%s: entry %d is %s, allowed %s" % (c["array"], i, got[i], allowed)

    def mask(self, c):
        return self.values(dict(c, array="vtkValidPointMask"))

    def between(self, c):
        got = self.result.get(c["array"]).astype(float)
        bad = ~((got >= float(c.get("min", "-inf"))) & (got <= float(c.get("max", "inf"))))
        bad &= ~(np.isnan(got) & bool(c.get("nan_ok")))
        return "%s: %s" % (c["array"], got[bad][0]) if bad.any() else None

    def unit_length(self, c):
        length = np.sqrt((self.result.get(c["array"]) ** 2).sum(axis=1))
        return None if np.abs(length - 1).max() <= c.get("tol", 1e-6) else "lengths %s" % length

    def same_grouping(self, c):
        got = self.result.get(c["array"]).tolist()
        pairs = set(zip(got, c["values"]))
        same = len(pairs) == len(set(got)) == len(set(c["values"])) and len(got) == len(c["values"])
        same = same and all((g == -1) == (w == -1) for g, w in pairs)
        return None if same else "%s is %s" % (c["array"], got)

    def present(self, c):
        gone = [n for n in c["arrays"] if not self.result.has(n, c.get("on", "point"))]
        return "missing: %s" % gone if gone else None

    def absent(self, c):
        left = [n for n in c["arrays"] if self.result.has(n)]
        return "unexpected: %s" % left if left else None

    def active_scalars(self, c):
        got = self.result.out.active()
        return None if got == c["name"] else "active scalars are %s" % got

    def type(self, c):
        plain = {
            "vtkTypeInt32Array": "vtkIntArray",
            "vtkTypeFloat64Array": "vtkDoubleArray",
            "vtkTypeFloat32Array": "vtkFloatArray",
        }
        for name, want in c["arrays"].items():
            got = self.result.places("point")[0].GetAbstractArray(name).GetClassName()
            if plain.get(got, got) not in (want if isinstance(want, list) else [want]):
                return "%s is a %s" % (name, got)

    def messages(self, c):
        for level in ("error", "warning"):
            if level + "s" in c:
                want = c[level + "s"]
                lo, hi = want if isinstance(want, list) else (want, want)
                got = [text for kind, text in self.result.out.messages if kind.endswith(level)]
                if not lo <= len(got) <= hi:
                    return "%d %ss: %s" % (len(got), level, got)

    def field_data(self, c):
        got = float(self.result.out.field(c["name"])[0])
        lo, hi = c.get("min", c.get("value")), c.get("max", c.get("value"))
        return None if lo <= got <= hi else "%s is %g" % (c["name"], got)

    def table(self, c):
        got = self.result.filter.table(c["port"])[c["column"]]
        want = np.array(numbers(c["values"]), float)
        got = got[: len(want)] if c.get("prefix") else got
        good = got.shape == want.shape and self.near(got, want, c).all()
        return None if good else "%s is %s instead of %s" % (c["column"], got, want)

    def problem_counts(self, c):
        """Cells by problem, in the order of the codes."""
        got = np.bincount(self.result.get("Problem", "cell").astype(int), minlength=6).tolist()
        return None if got == c["values"] else "problems %s instead of %s" % (got, c["values"])

    def bytes(self):
        """Every point and cell array of the output, in order."""
        return [
            (on, name, np.ascontiguousarray(vd.values(place, name)))
            for on in ("point", "cell")
            for place in self.result.places(on)
            for name in vd.names(place)
        ]

    def same_bits(self, c):
        """Again with other numbers of threads, and with the points in another order."""
        f = self.result.filter
        first = self.bytes()
        for threads in c["threads"]:
            self.result = Result(f.apply(Threads=threads), f)
            for (on, name, a), (_, _, b) in zip(first, self.bytes()):
                if a.tobytes() != b.tobytes():
                    return "%s array %s differs with %d threads" % (on, name, threads)
        if "shuffle" not in c:
            return None
        points = vd.points(f.inputs["Input"])
        order = np.random.RandomState(c["shuffle"]).permutation(len(points))
        f.feed(Input=vd.cloud(points[order], dtype=points.dtype))
        self.result = Result(f.apply(), f)
        for (_, name, a), (_, _, b) in zip(first, self.bytes()):
            if a[order].tobytes() != b.tobytes():
                return "%s differs with the points in another order" % name

    def same_blocks(self, c):
        got = len(vd.leaves(self.result.out.data))
        return None if got == c["leaves"] else "%d leaves" % got


# The port that a case's mesh goes to; its queries go to Input.
PORTS = {
    "SignedDistanceField": "Surface",
    "BVHProbe": "SourceMesh",
    "BVHCandidates": "SourceMesh",
    "ClusterTree": "Input",
    "InteractionPlan": "Sources",
    "SurfaceCheck": "Input",
}


def run(case):
    """All steps on one and the same filter; returns what is wrong."""
    port = PORTS[case["filter"]]
    wrong, f = [], None
    for number, step in enumerate(case["steps"]):
        inputs = {p: build(step[k]) for k, p in (("mesh", port), ("queries", "Input")) if k in step}
        if f is None:
            f = harness.Filter(case["filter"], **inputs)
        else:
            f.feed(**inputs)
        checks = Checks(Result(f.apply(**step.get("settings", {})), f))
        for c in step["expect"]:
            try:
                why = getattr(checks, c["check"])(c)
            except KeyError as missing:
                why = str(missing)
            if why:
                wrong.append("step %d, %s: %s" % (number, c["check"], why))
    f.delete()
    return wrong


class Known(harness.Case):
    def test_all(self):
        count = 0
        for path in harness.ARGUMENTS[1:]:
            with open(path, encoding="utf-8") as file:
                cases = json.load(file)
            for case in cases:
                count += 1
                with self.subTest(os.path.basename(path), id=case["id"], why=case["why"]):
                    wrong = run(case)
                    self.assertFalse(wrong, "; ".join(wrong))
        self.assertGreater(count, 0)


if __name__ == "__main__":
    harness.main()
