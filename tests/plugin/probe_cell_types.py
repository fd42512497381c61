"""BVH Probe in curved cells: shape functions and parametric coordinates are VTK's, for every type and order."""

import itertools

import numpy as np
from vtkmodules.vtkCommonCore import mutable
import harness
import vtk_data as vd

INSIDE = 0
CURVE, TRIANGLE, QUAD, TETRA, HEXAHEDRON, WEDGE = range(6)
LAGRANGE, BEZIER = 68, 75
DIMENSION = (1, 2, 2, 3, 3, 3)
ORDERS = {
    CURVE: [(n, n, n) for n in range(1, 7)],
    TRIANGLE: [(n, n, n) for n in range(1, 7)],
    QUAD: [(n, n, n) for n in range(1, 7)] + [(3, 1, 1), (2, 5, 1)],
    TETRA: [(n, n, n) for n in range(1, 7)],
    HEXAHEDRON: [(n, n, n) for n in range(1, 7)] + [(1, 2, 3), (4, 1, 2)],
    WEDGE: [(n, n, n) for n in range(1, 7)] + [(3, 3, 1), (2, 2, 4)],
}
# Type, the shape of its domain, nodes.
QUADRATIC = (
    (21, CURVE, 3),
    (22, TRIANGLE, 6),
    (23, QUAD, 8),
    (24, TETRA, 10),
    (25, HEXAHEDRON, 20),
    (26, WEDGE, 15),
    (27, HEXAHEDRON, 13),
    (28, QUAD, 9),
    (29, HEXAHEDRON, 27),
    (30, QUAD, 6),
    (31, WEDGE, 12),
    (32, WEDGE, 18),
    (33, HEXAHEDRON, 24),
    (34, TRIANGLE, 7),
    (35, CURVE, 4),
)
# Base, apex, edges of the base, edges to the apex, middles of the base, of the triangles, of the pyramid.
BASE = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
APEX = np.array([(0, 0, 1)], float)
PYRAMID_19 = np.concatenate(
    [
        BASE,
        APEX,
        (BASE + np.roll(BASE, -1, 0)) / 2,
        (BASE + APEX) / 2,
        [(0, 0, 0)],
        (BASE + np.roll(BASE, -1, 0) + APEX) / 3,
        [(0, 0, 0.25)],
    ]
)


def point_count(shape, n):
    a, b, c = n
    return (
        a + 1,
        (a + 1) * (a + 2) // 2,
        (a + 1) * (b + 1),
        (a + 1) * (a + 2) * (a + 3) // 6,
        (a + 1) * (b + 1) * (c + 1),
        (a + 1) * (a + 2) // 2 * (c + 1),
    )[shape]


def in_domain(shape, r):
    total = {TRIANGLE: r[0] + r[1], TETRA: sum(r), WEDGE: r[0] + r[1]}.get(shape, 0)
    return total <= 1 + 1e-12


def grid_of(kind, xyz, degrees=None, weights=None):
    """One cell, with the unit arrays of its nodes as the components of `w` and a linear field `f`."""
    n = len(xyz)
    grid = vd.unstructured(xyz, [(kind, tuple(range(n)))])
    vd.add(grid, w=np.eye(n), f=field(np.asarray(xyz)))
    if degrees is not None:
        grid.GetCellData().SetHigherOrderDegrees(vd.array("degrees", np.array([degrees], float)))
    if weights is not None:
        grid.GetPointData().SetRationalWeights(vd.array("weights", np.asarray(weights, float)))
    return grid


def field(x):
    return 1.0 + x @ np.array([2.0, -3.0, 0.5])


def weights_of(cell, r):
    w = [0.0] * cell.GetNumberOfPoints()
    cell.EvaluateLocation(mutable(0), list(r), [0.0, 0.0, 0.0], w)
    return np.array(w)


def lattice(kind, shape, n, order):
    """Parameters of the nodes of a Lagrange cell, in its order: where each alone has a weight."""
    grid = grid_of(kind, np.zeros((n, 3)), order)
    cell, found = grid.GetCell(0), {}
    steps = [range(order[k] + 1) if k < DIMENSION[shape] else (0,) for k in range(3)]
    for at in itertools.product(*steps):
        r = [at[k] / order[k] for k in range(3)]
        if in_domain(shape, r):
            w = weights_of(cell, r)
            found[int(np.argmax(w))] = r
    assert len(found) == n, (kind, n, len(found))
    return np.array([found[i] for i in range(n)])


def fine_lattice(kind, n, shape, steps):
    """The same for cells whose nodes lie at multiples of 1 / steps, and do not fill a lattice."""
    cell, found = grid_of(kind, np.zeros((n, 3))).GetCell(0), {}
    for at in itertools.product(*[range(m + 1) for m in steps[: DIMENSION[shape]]]):
        r = np.array([at[k] / steps[k] if k < len(at) else 0 for k in range(3)])
        if in_domain(shape, r):
            w = weights_of(cell, r * (2, 1, 1) - (1, 0, 0) if kind == 35 else r)
            if abs(w.max() - 1) < 1e-9 and np.abs(w).sum() < 1 + 1e-9:
                found[int(np.argmax(w))] = r
    assert len(found) == n, (kind, n, len(found))
    return np.array([found[i] for i in range(n)])


def place(r, bend, rng):
    """Where nodes with parameters r go: a skew map, and each up to `bend` off it."""
    skew = np.array([[1.0, 0.1, -0.2], [0.3, 1.2, 0.1], [0.0, -0.2, 0.8]])
    return r @ skew + rng.uniform(-bend, bend, r.shape)


def parameters(shape, count, rng):
    """Random parameters of the domain; every third one on its boundary."""
    out = []
    while len(out) < count:
        r = rng.uniform(0, 1, 3)
        r[DIMENSION[shape] :] = 0
        if len(out) % 3 == 1:
            r = np.where(rng.uniform(0, 1, 3) < 0.5, np.floor(2 * r), r)
        if in_domain(shape, r):
            out.append(r)
    return np.array(out)


class Higher(harness.Case):
    def compare(self, grid, r, label, tolerance=1e-12):
        """Probes the images of parameters r and compares weights with VTK's."""
        cell = grid.GetCell(0)
        want = np.array([weights_of(cell, at) for at in r])
        x = want @ vd.coordinates(grid)
        out = harness.run(
            "BVHProbe",
            {"ComputeParametricCoordinates": 1},
            Input=vd.cloud(x),
            SourceMesh=grid,
        )
        self.quiet(out)
        self.assertTrue((out.point("SampleStatus") == INSIDE).all(), label)
        self.close(out.point("f"), field(x), 1e-12)
        got = out.point("w").reshape(len(r), -1)
        self.assertLess(np.abs(got - want).max(), tolerance, label)
        self.assertLess(np.abs(out.point("ParametricCoordinates") - r).max(), 1e-11, label)

    def one_order(self, shape, order, rng):
        n = point_count(shape, order)
        nodes = lattice(LAGRANGE + shape, shape, n, order)
        r = parameters(shape, 30, rng)
        uniform = len(set(order[: DIMENSION[shape]])) == 1
        for family in (LAGRANGE, BEZIER):
            kind = family + shape
            for bend in (0.0, 0.02 / max(order)):
                xyz = place(nodes, bend, rng)
                self.compare(grid_of(kind, xyz, order), r, (kind, order, bend))
            if uniform:
                self.compare(grid_of(kind, xyz), r, (kind, order, "no degrees"))
        xyz = place(nodes, 0.02 / max(order), rng)
        rational = grid_of(BEZIER + shape, xyz, order, rng.uniform(0.7, 1.4, n))
        self.compare(rational, r, (BEZIER + shape, order, "rational"))

    def test_curves(self):
        self.every_order(CURVE)

    def test_triangles(self):
        self.every_order(TRIANGLE)

    def test_quadrilaterals(self):
        self.every_order(QUAD)

    def test_tetrahedra(self):
        self.every_order(TETRA)

    def test_hexahedra(self):
        self.every_order(HEXAHEDRON)

    def test_wedges(self):
        self.every_order(WEDGE)

    def test_nodes_in_the_middle_of_faces_and_cells(self):
        """Lagrange triangles, tetrahedra and wedges of 7, 15 and 21 nodes."""
        rng = np.random.default_rng(11)
        kinds = ((TRIANGLE, 7, (6, 6, 6)), (TETRA, 15, (12, 12, 12)), (WEDGE, 21, (6, 6, 2)))
        for shape, n, steps in kinds:
            kind = LAGRANGE + shape
            nodes = fine_lattice(kind, n, shape, steps)
            for bend in (0.0, 0.01):
                grid = grid_of(kind, place(nodes, bend, rng))
                self.compare(grid, parameters(shape, 30, rng), (kind, n, bend))

    def test_quadratic_types(self):
        rng = np.random.default_rng(12)
        for kind, shape, n in QUADRATIC:
            nodes = fine_lattice(kind, n, shape, (6, 6, 6))
            x = nodes.copy()
            if kind == 27:  # collapsed towards its apex
                x[:, :2] += (0.5 - x[:, :2]) * x[:, 2:]
            for bend in (0.0, 0.01):
                grid = grid_of(kind, place(x, bend, rng))
                r = parameters(shape, 30, rng)
                if kind == 27:
                    r = r[r[:, 2] < 1]  # there all parameters are one point
                if kind == 35:
                    r[:, 0] = 2 * r[:, 0] - 1
                self.compare(grid, r, (kind, bend))

    def test_pyramid_of_19_nodes(self):
        rng = np.random.default_rng(13)
        for bend in (0.0, 0.01):
            grid = grid_of(37, place(PYRAMID_19, bend, rng))
            r = rng.uniform(0, 1, (60, 3))
            r[20:40:2, 0], r[30:50:2, 2] = 0, 0
            r[:, :2] = 0.5 + (r[:, :2] - 0.5) * (1 - r[:, 2:])
            r[:, 2] = 0.5 + 0.5 * r[:, 2]
            self.compare(grid, r, (37, bend))

    def test_quadratic_polygon(self):
        """The polygon of its corners and the middles of its edges in turn; one is pulled in, so it is not convex."""
        angle = 2 * np.pi * np.arange(10) / 10
        ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
        ring[3] *= 0.4
        grid = vd.unstructured(np.concatenate([ring[::2], ring[1::2]]), [(36, tuple(range(10)))])
        vd.add(grid, f=field(vd.coordinates(grid)))
        q = np.concatenate([ring, 0.999 * ring, 1.001 * ring, [(0, 0, 0), (0.1, 0.2, 0)]])
        out = harness.run("BVHProbe", {}, Input=vd.cloud(q), SourceMesh=grid)
        inside = np.ones(len(q), bool)
        inside[20:30] = False
        inside[23] = False
        self.assertEqual(out.point("SampleStatus").tolist(), np.where(inside, 0, 3).tolist())
        self.close(out.point("f")[inside], field(q)[inside], 1e-13)

    def test_orders_that_do_not_fit(self):
        """One clear message; orders beyond what the library knows are left out with a warning."""
        rng = np.random.default_rng(14)
        q = vd.cloud(np.zeros((1, 3)))
        wrong = ((72, 26, None), (72, 8, (2, 1, 1)), (73, 18, (1, 2, 2)), (69, 8, None))
        for kind, n, degrees in wrong:
            out = harness.run(
                "BVHProbe", {}, Input=q, SourceMesh=grid_of(kind, rng.random((n, 3)), degrees)
            )
            self.assertEqual(len(out.messages), 1, out.messages)
            self.assertIn("cell 0 of type %d has %d points" % (kind, n), out.messages[0][1])
        out = harness.run("BVHProbe", {}, Input=q, SourceMesh=grid_of(68, rng.random((18, 3))))
        self.assertEqual([kind for kind, _ in out.messages], ["warning"])
        self.assertIn("not supported", out.messages[0][1])

    def test_reuse_follows_orders_and_weights(self):
        """Other rational weights or orders are another mesh."""
        xyz = [(1, 0, 0), (0, 1, 0), (1, 1, 0)]
        grid = grid_of(BEZIER, np.array(xyz, float), None, (1.0, 1.0, np.sqrt(0.5)))
        circle = np.array([(np.cos(t), np.sin(t), 0) for t in (0.3, 0.7, 1.2)])
        probe = harness.Filter("BVHProbe", Input=vd.cloud(circle), SourceMesh=grid)
        self.assertEqual(probe.apply().point("SampleStatus").tolist(), [0, 0, 0])
        plain = grid_of(BEZIER, np.array(xyz, float), None, (1.0, 1.0, 1.0))
        self.assertEqual(
            probe.feed(SourceMesh=plain).apply().point("SampleStatus").tolist(), [3, 3, 3]
        )

    def every_order(self, shape):
        rng = np.random.default_rng(shape)
        for order in ORDERS[shape]:
            self.one_order(shape, order, rng)


if __name__ == "__main__":
    harness.main()
