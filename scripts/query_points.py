"""The three sets of query points that the demo and the benchmark use; the same ones in every run.

    pvpython scripts/query_points.py MESH.vtp|MESH.obj FOLDER COUNT     # writes uniform.f64, near.f64, grid.f64
"""
import os
import sys

import numpy as np

SEED = 1984


def read_mesh(path):
    from vtkmodules.vtkIOGeometry import vtkOBJReader
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    reader = vtkOBJReader() if path.endswith(".obj") else vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def triangle_corners(data):
    """Corners [n, 3, 3] of a vtkPolyData of triangles, in double."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    ids = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    return vtk_to_numpy(data.GetPoints().GetData()).astype(float)[ids]


def twice_the_box(corners):
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return low - 0.5 * (high - low), high + 0.5 * (high - low)


def uniform(corners, count):
    """Anywhere in twice the bounding box."""
    return np.random.default_rng(SEED).uniform(*twice_the_box(corners), (count, 3))


def near(corners, count):
    """Within 1 % of the box diagonal of points of the surface, evenly by area."""
    random = np.random.default_rng(SEED + 1)
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(ab, ac)
    double_area = np.sqrt((normal * normal).sum(axis=1))
    chosen = np.searchsorted(np.cumsum(double_area), random.uniform(0, double_area.sum(), count))
    chosen = np.minimum(chosen, len(corners) - 1)
    u, v = random.uniform(size=(2, count, 1))
    outside = u + v > 1
    u, v = np.where(outside, 1 - u, u), np.where(outside, 1 - v, v)
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    reach = 0.01 * np.sqrt(((high - low) ** 2).sum()) * random.uniform(-1, 1, (count, 1))
    unit = normal[chosen] / np.maximum(double_area[chosen], 1e-300)[:, None]
    return a[chosen] + u * ab[chosen] + v * ac[chosen] + reach * unit


def grid(corners, count):
    """A regular grid over twice the bounding box with about `count` points, x fastest."""
    low, high = twice_the_box(corners)
    step = ((high - low).prod() / count) ** (1 / 3)
    axes = [np.linspace(l, h, max(2, int(round((h - l) / step)) + 1)) for l, h in zip(low, high)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)


SETS = {"uniform": uniform, "near": near, "grid": grid}


def write(path, folder, count):
    """Files of little-endian float64, three a point."""
    corners = triangle_corners(read_mesh(path))
    for name, points in SETS.items():
        points(corners, count).astype("<f8").tofile(os.path.join(folder, name + ".f64"))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]))
