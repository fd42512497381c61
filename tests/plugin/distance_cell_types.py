"""Signed distance of curved cells: surfaces along their nodes, solids by the corners of their faces."""

import numpy as np

import harness
import vtk_data as vd

# Nodes of a unit square (or triangle) for each type; the corners first.
EDGES = [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
TRIANGLE = [(0, 0), (1, 0), (0, 1)]
SIDES = [(0.5, 0), (0.5, 0.5), (0, 0.5)]
THIRD = [(1, 0), (2, 0), (2, 1), (1, 2), (0, 2), (0, 1), (1, 1)]
ORDER_4_2 = [(i / 4, 0) for i in (1, 2, 3)] + [(1, 0.5)] + [(i / 4, 1) for i in (1, 2, 3)]
ORDER_4_2 += [(0, 0.5)] + [(i / 4, 0.5) for i in (1, 2, 3)]
FLAT = {
    "quadratic triangle": (22, TRIANGLE + SIDES, None),
    "quadratic quad": (23, SQUARE + EDGES, None),
    "biquadratic quad": (28, SQUARE + EDGES + [(0.5, 0.5)], None),
    "quadratic linear quad": (30, SQUARE + [(0.5, 0), (0.5, 1)], None),
    "biquadratic triangle": (34, TRIANGLE + SIDES + [(1 / 3, 1 / 3)], None),
    "quadratic polygon": (36, SQUARE + EDGES, None),
    "Lagrange triangle 1": (69, TRIANGLE, None),
    "Lagrange triangle 3": (69, TRIANGLE + [(i / 3, j / 3) for i, j in THIRD], None),
    "Lagrange triangle 7 nodes": (69, TRIANGLE + SIDES + [(1 / 3, 1 / 3)], None),
    "Lagrange quad 2": (70, SQUARE + EDGES + [(0.5, 0.5)], None),
    "Lagrange quad 4 2": (70, SQUARE + ORDER_4_2, (4, 2, 1)),
}
CORNERS_ONLY = {
    "Bezier triangle 3": (76, TRIANGLE + [(i / 3, j / 3) for i, j in THIRD], None),
    "Bezier quad 2": (77, SQUARE + EDGES + [(0.5, 0.5)], None),
}
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
CUBE_EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)]
CUBE_EDGES += [(0, 4), (1, 5), (2, 6), (3, 7)]


def patch(kind, nodes, degrees, height=None):
    xyz = np.array([tuple(p) + (0.0,) for p in nodes])
    if height is not None:
        xyz[:, 2] = height(xyz)
    grid = vd.unstructured(xyz, [(kind, tuple(range(len(xyz))))])
    if degrees:
        grid.GetCellData().SetHigherOrderDegrees(vd.array("degrees", np.array([degrees], float)))
    return grid


def distance(queries, surface, **settings):
    return harness.run(
        "SignedDistanceField", settings, Input=vd.cloud(queries), Surface=surface
    )


class Curved(harness.Case):
    def test_flat_patches(self):
        """The area is covered once, in one direction."""
        for name, (kind, nodes, degrees) in {**FLAT, **CORNERS_ONLY}.items():
            out = distance([(0.2, 0.3, 0.5), (0.2, 0.3, -0.25)], patch(kind, nodes, degrees))
            self.quiet(out)
            self.close(np.abs(out.point("SignedDistance")), [0.5, 0.25], 1e-15, name)
            self.close(out.field("SurfaceArea"), [0.5 if (0, 1) == nodes[2] else 1.0], 1e-14, name)
            self.assertEqual(out.field("SurfaceInconsistentEdges")[0], 0, name)
            self.assertEqual(out.field("SurfaceDegenerateTriangles")[0], 0, name)
            self.assertEqual(out.point("ClosestCellId").tolist(), [0, 0], name)

    def test_nodes_lie_on_bent_patches(self):
        for name, (kind, nodes, degrees) in FLAT.items():
            grid = patch(kind, nodes, degrees, lambda x: 0.3 * x[:, 0] ** 2 - 0.2 * x[:, 1] ** 2)
            out = distance(vd.coordinates(grid), grid)
            self.close(out.point("SignedDistance"), np.zeros(len(nodes)), 0.0, name)

    def test_corners_lie_on_bezier_patches(self):
        for name, (kind, nodes, degrees) in CORNERS_ONLY.items():
            grid = patch(kind, nodes, degrees, lambda x: x[:, 0] * x[:, 1])
            corners = 3 if kind == 76 else 4
            out = distance(vd.coordinates(grid)[:corners], grid)
            self.close(out.point("SignedDistance"), np.zeros(corners), 0.0, name)

    def test_curves(self):
        """Distance to the polyline through the nodes; of a Bezier curve to its chord."""
        for kind, nodes, want in (
            (21, [(0, 0, 0), (2, 0, 0), (1, 1, 0)], 1.0),
            (35, [(0, 0, 0), (3, 0, 0), (1, 1, 0), (2, 1, 0)], 1.0),
            (68, [(0, 0, 0), (4, 0, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0)], 1.0),
            (75, [(0, 0, 0), (4, 0, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0)], 2.0),
        ):
            x = 0.5 * (nodes[0][0] + nodes[1][0])
            grid = vd.unstructured(nodes, [(kind, tuple(range(len(nodes))))])
            out = distance([(x, 2, 0)], grid, SignMethod=3)
            self.close(out.point("SignedDistance"), [want], 1e-15, str(kind))

    def test_boundary_of_curved_solids(self):
        """By the corners of its faces: an inner face of a quadratic and a linear hexahedron is none."""
        cube = np.array(CUBE, float)
        middles = np.array([(cube[a] + cube[b]) / 2 for a, b in CUBE_EDGES])
        right = cube[[1, 2, 5, 6]] + (1, 0, 0)
        xyz = np.concatenate([cube, middles, right])
        linear = (1, 20, 21, 2, 5, 22, 23, 6)
        grid = vd.unstructured(xyz, [(25, tuple(range(20))), (12, linear)])
        out = distance([(0.9, 0.5, 0.5), (1.5, 0.5, 0.75), (2.5, 0.5, 0.5)], grid)
        self.quiet(out)
        self.close(out.point("SignedDistance"), [-0.5, -0.25, 0.5], 1e-15)
        self.close(out.field("SurfaceArea"), [10.0], 1e-14)
        self.assertEqual(out.field("SurfaceIsClosed")[0], 1)


if __name__ == "__main__":
    harness.main()
