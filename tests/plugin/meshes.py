"""Small meshes whose answers are known: boxes, spheres, and grids of every linear cell type."""

import numpy as np

import vtk_data as vd

BOX_CORNERS = np.array(
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], float
)
BOX_QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
BOX_TRIANGLES = [t for a, b, c, d in BOX_QUADS for t in ((a, b, c), (a, c, d))]


def box(
    lo=(0, 0, 0), hi=(1, 1, 1), quads=False, soup=False, inward=False, dtype=np.float64, drop=()
):
    """Closed box, outward unless `inward`; cells 2q and 2q+1 lie on side q (-z +z -y +x +y -x)."""
    xyz = np.asarray(lo, float) + BOX_CORNERS * (np.asarray(hi, float) - np.asarray(lo, float))
    faces = [list(f) for f in (BOX_QUADS if quads else BOX_TRIANGLES)]
    faces = [f[::-1] if inward else f for i, f in enumerate(faces) if i not in drop]
    if soup:
        xyz = np.concatenate([xyz[f] for f in faces])
        faces = np.arange(len(xyz)).reshape(len(faces), -1).tolist()
    return vd.polydata(xyz, faces, dtype=dtype)


def box_distance(q, lo=(0, 0, 0), hi=(1, 1, 1)):
    """Exact signed distance to a box."""
    lo, hi = np.asarray(lo, float), np.asarray(hi, float)
    gap = np.maximum(lo - q, q - hi)
    outside = np.sqrt((np.maximum(gap, 0) ** 2).sum(axis=1))
    return np.where((gap < 0).all(axis=1), gap.max(axis=1), outside)


def sphere_triangles(rings=16, segments=24, radius=1.0, centre=(0, 0, 0)):
    """Points and triangles of a closed latitude-longitude sphere, outward."""
    theta = np.pi * np.arange(1, rings) / rings
    phi = 2 * np.pi * np.arange(segments) / segments
    ring = [(np.sin(t) * np.cos(f), np.sin(t) * np.sin(f), np.cos(t)) for t in theta for f in phi]
    xyz = np.array([(0, 0, 1)] + ring + [(0, 0, -1)]) * radius + np.asarray(centre, float)
    last, tri = len(xyz) - 1, []
    for j in range(segments):
        k = (j + 1) % segments
        tri.append((0, 1 + j, 1 + k))
        for i in range(rings - 2):
            a, b = 1 + i * segments, 1 + (i + 1) * segments
            tri += [(a + j, b + j, b + k), (a + j, b + k, a + k)]
        a = 1 + (rings - 2) * segments
        tri.append((a + j, last, a + k))
    return xyz, np.array(tri)


def sphere(dtype=np.float64, **shape):
    xyz, tri = sphere_triangles(**shape)
    return vd.polydata(xyz, tri, dtype=dtype)


def hexahedra(n=2, size=1.0):
    """n^3 hexahedra over [0, size]^3, x fastest."""
    t = np.linspace(0, size, n + 1)
    z, y, x = np.meshgrid(t, t, t, indexing="ij")
    p, r, s = lambda i, j, k: i + j * (n + 1) + k * (n + 1) ** 2, n + 1, (n + 1) ** 2
    cells = []
    for k in range(n):
        for j in range(n):
            for i in range(n):
                a = p(i, j, k)
                cells.append(
                    (12, [a, a + 1, a + 1 + r, a + r, a + s, a + 1 + s, a + 1 + r + s, a + r + s])
                )
    return vd.unstructured(np.stack([x.ravel(), y.ravel(), z.ravel()], 1), cells)


# The six tetrahedra of Kuhn's triangulation: one a path from corner 000 to 111 along the axes.
KUHN = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]


def tetrahedra():
    """The unit cube as six tetrahedra."""
    return vd.unstructured(BOX_CORNERS, [(10, t) for t in KUHN])


def mixed():
    """[0, 5] x [0, 1]^2, a unit cube each of: a hexahedron, a voxel, wedges, pyramids with two tetrahedra, tetrahedra.

    Faces match: 17 cells, of which 0 is the hexahedron, 1 the voxel, 2-3 wedges, 4-8 pyramids, 9-16 tetrahedra.
    """
    xyz = np.concatenate([BOX_CORNERS + (x, 0, 0) for x in range(5)] + [[(3.5, 0.5, 0.5)]])
    cells = [(12, range(8)), (11, [8 + i for i in (0, 1, 3, 2, 4, 5, 7, 6)])]
    # VTK's wedge: the first triangle faces away from the second; the base of a pyramid faces its apex.
    cells += [(13, [16 + i for i in w]) for w in ((0, 2, 1, 4, 6, 5), (0, 3, 2, 4, 7, 6))]
    cells += [
        (14, [24 + i for i in quad[::-1]] + [40]) for k, quad in enumerate(BOX_QUADS) if k != 3
    ]
    cells += [(10, [24 + i for i in t] + [40]) for t in ((1, 6, 2), (1, 5, 6))]
    cells += [(10, [32 + i for i in t]) for t in KUHN]
    return vd.unstructured(xyz, cells)


def linear(xyz, a=1.0, b=2.0, c=4.0, d=0.5):
    """A field that every linear element reproduces."""
    xyz = np.asarray(xyz, float)
    return a * xyz[:, 0] + b * xyz[:, 1] + c * xyz[:, 2] + d


def random_points(n, lo, hi, seed=1):
    return np.random.RandomState(seed).uniform(lo, hi, (n, 3))


def fibonacci(n):
    """n directions spread over the sphere."""
    z = 1 - (2 * np.arange(n) + 1) / n
    a = np.pi * (1 + np.sqrt(5)) * (np.arange(n) + 0.5)
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(a), r * np.sin(a), z], 1)
