"""A mesh of polyhedra as OpenFOAM's polyDualMesh makes them: the dual of a mesh of tetrahedra.

A cell around every vertex of the tetrahedra, its corners in their centres; on the boundary also the vertex itself,
the middles of its boundary edges and triangles. Faces between cells are polygons that are not flat.
"""

import itertools

import numpy as np

import vtk_data as vd

KUHN = [
    [(0, 0, 0)] + [tuple(np.cumsum(np.eye(3, dtype=int)[list(p)], 0)[k]) for k in range(3)]
    for p in itertools.permutations(range(3))
]


def tetrahedra(n, jitter=0.15, seed=3):
    """n^3 cubes over the unit cube, six tetrahedra each; inner vertices are moved by up to `jitter` of a cube."""
    grid = np.stack(np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij"), -1).reshape(-1, 3)
    inner = ((grid > 0) & (grid < n)).all(axis=1)
    move = np.random.default_rng(seed).uniform(-jitter, jitter, grid.shape) * inner[:, None]
    number = lambda p: (p[0] * (n + 1) + p[1]) * (n + 1) + p[2]
    tets = [
        [number(np.add(cube, corner)) for corner in tet]
        for cube in itertools.product(range(n), repeat=3)
        for tet in KUHN
    ]
    return (grid + move) / n, tets


class Dual:
    """Points and the faces of the cell around every vertex."""

    def __init__(self, xyz, tets):
        self.xyz, self.points, self.ids = np.asarray(xyz), [], {}
        self.faces = [[] for _ in xyz]
        triangles, edges = {}, {}
        for t, tet in enumerate(tets):
            for tri in itertools.combinations(sorted(tet), 3):
                triangles.setdefault(tri, []).append(t)
            for edge in itertools.combinations(sorted(tet), 2):
                edges.setdefault(edge, []).append(t)
        self.tets, self.triangles = tets, triangles
        self.boundary = {tri for tri, sides in triangles.items() if len(sides) == 1}
        for edge, around in edges.items():
            ring = self.ring(edge, around)
            self.faces[edge[0]].append(ring)
            self.faces[edge[1]].append(ring[::-1])
        for tri in self.boundary:
            for k in range(3):
                a, b, c = tri[k], tri[(k + 1) % 3], tri[(k + 2) % 3]
                corners = [(a,), tuple(sorted((a, b))), tri, tuple(sorted((a, c)))]
                self.faces[a].append([self.point(p) for p in corners])

    def point(self, key):
        """The mean of vertices; one point for each set of them."""
        if key not in self.ids:
            self.ids[key] = len(self.points)
            self.points.append(self.xyz[list(key)].mean(axis=0))
        return self.ids[key]

    def ring(self, edge, around):
        """The face across an edge: the tetrahedra around it in turn, from the boundary to the boundary."""
        at, ends = {t: [] for t in around}, []
        for t in around:
            for v in self.tets[t]:
                if v not in edge:
                    tri = tuple(sorted(edge + (v,)))
                    at[t].append(tri)
                    if tri in self.boundary:
                        ends.append((t, tri))
        t, tri = ends[0] if ends else (around[0], at[around[0]][0])
        out = [self.point(tuple(sorted(edge))), self.point(tri)] if ends else []
        for _ in around:
            out.append(self.point(tuple(sorted(self.tets[t]))))
            tri = [other for other in at[t] if other != tri][0]
            t = sum(self.triangles[tri]) - t if len(self.triangles[tri]) == 2 else t
        return out + [self.point(tri)] if ends else out


def dual(n, **how):
    """The polyhedra as a vtkUnstructuredGrid."""
    mesh = Dual(*tetrahedra(n, **how))
    return vd.unstructured(mesh.points, [(vd.POLYHEDRON, faces) for faces in mesh.faces])
