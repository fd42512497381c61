"""Checks the sample data: pvpython check_sample_data.py REPOSITORY

The surfaces are closed, manifold, oriented outward and of the expected size; the flow mesh has all four solid
cells, positive volumes and matching faces and fills the box around the body; and the committed files hold, bit
for bit, what the generators write.
"""
import collections
import pathlib
import sys
import tempfile

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkSTLReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

READERS = {".vtp": vtkXMLPolyDataReader, ".vtu": vtkXMLUnstructuredGridReader, ".vti": vtkXMLImageDataReader,
           ".stl": vtkSTLReader}
SIZE_LIMIT = 4 << 20  # bytes of all files together
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def read(path):
    reader = READERS[path.suffix]()
    if path.suffix == ".stl":
        reader.MergingOff()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def arrays(data):
    """Everything a file holds, by name."""
    found = {}
    if hasattr(data, "GetPoints") and data.GetPoints():
        found["points"] = vtk_to_numpy(data.GetPoints().GetData())
    for kind in ("Polys", "Lines", "Cells"):
        cells = getattr(data, "Get" + kind, lambda: None)()
        if cells:
            found[kind + " offsets"] = vtk_to_numpy(cells.GetOffsetsArray())
            found[kind + " ids"] = vtk_to_numpy(cells.GetConnectivityArray())
    if hasattr(data, "GetCellTypesArray"):
        found["types"] = vtk_to_numpy(data.GetCellTypesArray())
    if hasattr(data, "GetSpacing"):
        found["lattice"] = np.array(data.GetOrigin() + data.GetSpacing() + data.GetDimensions())
    for kind in ("Point", "Cell"):
        attributes = getattr(data, "Get%sData" % kind)()
        for i in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(i)
            found["%s array %s" % (kind, array.GetName())] = vtk_to_numpy(array)
    return found


def surface(data):
    found = arrays(data)
    triangles = found["Polys ids"].reshape(-1, 3)
    check((np.diff(found["Polys offsets"]) == 3).all(), "all cells are triangles")
    return found["points"].astype(float), triangles


def edge_uses(triangles):
    """How often every edge is used in its direction, and in the other: two counters by (low, high)."""
    forward, backward = collections.Counter(), collections.Counter()
    for a, b, c in triangles.tolist():
        for p, q in ((a, b), (b, c), (c, a)):
            if p < q:
                forward[p, q] += 1
            else:
                backward[q, p] += 1
    return forward, backward


def volume(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


def components(count, triangles):
    parent = list(range(count))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i
    for a, b, c in triangles.tolist():
        parent[root(a)] = parent[root(b)] = root(c)
    return len({root(i) for i in triangles.ravel().tolist()})


def check_body(folder):
    points, triangles = surface(read(folder / "ahmed_body.vtp"))
    forward, backward = edge_uses(triangles)
    check(38000 < len(triangles) < 45000, "the body has about 40,000 triangles")
    check(max(forward.values()) == 1 and forward == backward, "the body is closed, manifold and oriented")
    check(components(len(points), triangles) == 1, "the body is one component")
    check(len(np.unique(points, axis=0)) == len(points), "the body has no double points")
    check(set(triangles.ravel().tolist()) == set(range(len(points))), "the body uses all its points")
    a, b, c = (points[triangles[:, i]] for i in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    check(areas.min() > 1e-6, "no triangle of the body is degenerate")

    size = points.max(axis=0) - points.min(axis=0)
    check(np.allclose(size, (1.044, 0.389, 0.338), atol=1e-5, rtol=0), "length, width and height are published ones")
    # Of sections 2 (w - i) by (h - 2 i), where the front is inset by i: the box less nose and slant, plus the legs.
    w, h, r = 0.389, 0.288, 0.1
    nose = (w + h) * 2 * r ** 2 * (1 - np.pi / 4) - 4 * r ** 3 * (5 / 3 - np.pi / 2)
    slant = w * 0.5 * 0.222 ** 2 * np.sin(np.radians(25)) * np.cos(np.radians(25))
    legs = 4 * np.pi * 0.015 ** 2 * 0.05
    expected = 1.044 * w * h - nose - slant + legs
    check(abs(volume(points, triangles) / expected - 1) < 2e-4, "the body's volume is right and positive")

    nose_points = points[(points[:, 0] < 0.0999) & (points[:, 0] > 1e-4) & (points[:, 2] > 0.0501)]
    inset_y = 0.1945 - abs(nose_points[:, 1])
    inset_z = np.minimum(nose_points[:, 2] - 0.05, 0.338 - nose_points[:, 2])
    inset = np.minimum(inset_y, inset_z)
    radius = np.hypot(r - nose_points[:, 0], r - inset)
    check(len(nose_points) > 1000 and abs(radius - r).max() < 1e-5, "the front edges have a radius of 100 mm")
    return points, triangles


def check_soup(folder, points, triangles):
    soup_points, soup = surface(read(folder / "ahmed_body_soup.stl"))
    check(len(soup_points) == 3 * len(soup), "the soup shares no points")
    check((soup_points[soup] == points[triangles]).all(), "the soup has the body's triangles")


def check_hole(folder, body_triangles):
    _, triangles = surface(read(folder / "ahmed_body_hole.vtp"))
    forward, backward = edge_uses(triangles)
    rim = [edge for edge in set(forward) | set(backward) if forward[edge] + backward[edge] == 1]
    ends = collections.Counter(end for edge in rim for end in edge)
    check(0 < len(body_triangles) - len(triangles) < 1000, "the hole is a few hundred triangles")
    check(len(rim) > 20 and set(ends.values()) == {2}, "the hole has one closed rim")
    check(max(forward.values()) == 1 and max(backward.values()) == 1, "the body with a hole is oriented")


def cell_faces(grid):
    """Outward faces of every cell as VTK lists them, with the cell's volume from them (fan of each face)."""
    points = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)
    for number in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(number)
        faces = []
        for i in range(cell.GetNumberOfFaces()):
            ids = cell.GetFace(i).GetPointIds()
            faces.append([ids.GetId(k) for k in range(ids.GetNumberOfIds())])
        about = points[faces[0][0]]
        total = 0.0
        for face in faces:
            corners = points[face] - about
            middle = corners.mean(axis=0)
            for k in range(len(face)):
                total += np.linalg.det([middle, corners[k], corners[(k + 1) % len(face)]])
        yield number, faces, total / 6.0


def corner_jacobians(points, cells, neighbours):
    """Smallest determinant over the corners; `neighbours` lists a corner and its next ones along 1, 2, 3."""
    smallest = np.inf
    for corner, a, b, c in neighbours:
        p = points[cells[:, corner]]
        edges = np.stack([points[cells[:, i]] - p for i in (a, b, c)], axis=1)
        smallest = min(smallest, np.linalg.det(edges).min())
    return smallest


def check_flow(folder):
    grid = read(folder / "ahmed_flow.vtu")
    found = arrays(grid)
    points, types = found["points"].astype(float), found["types"]
    check(set(types.tolist()) == {10, 12, 13, 14}, "tetrahedra, hexahedra, wedges and pyramids are all there")

    faces, volumes = collections.defaultdict(list), np.empty(len(types))
    for number, cell_face_list, cell_volume in cell_faces(grid):
        volumes[number] = cell_volume
        for face in cell_face_list:
            faces[tuple(sorted(face))].append(face)
    check(volumes.min() > 0, "all cells of the flow mesh have a positive volume")
    check(max(len(uses) for uses in faces.values()) == 2, "no face of the flow mesh is used more than twice")
    check(all(opposite(*uses) for uses in faces.values() if len(uses) == 2), "shared faces are seen from both sides")

    boundary = [face for face, uses in faces.items() if len(uses) == 1]
    low, high = np.array([-0.75, -0.9, 0.0]), np.array([2.5, 0.9, 1.2])
    corners = [points[list(face)] for face in boundary]
    on_box = np.array([((abs(c - low) < 1e-5).all(axis=0) | (abs(c - high) < 1e-5).all(axis=0)).any() for c in corners])
    inside = np.array([(c[:, 0].min() > -1e-5) & (c[:, 0].max() < 1.0441) & (abs(c[:, 1]).max() < 0.1946)
                       & (c[:, 2].max() < 0.3381) for c in corners])
    check((on_box ^ inside).all(), "the boundary is the box and the body: no hanging faces")

    offsets, ids = found["Cells offsets"], found["Cells ids"]
    hexahedra = np.stack([ids[offsets[:-1][types == 12] + i] for i in range(8)], axis=1)
    corner_steps = [(0, 1, 3, 4), (1, 2, 0, 5), (2, 3, 1, 6), (3, 0, 2, 7),
                    (4, 7, 5, 0), (5, 4, 6, 1), (6, 5, 7, 2), (7, 6, 4, 3)]
    check(corner_jacobians(points, hexahedra, corner_steps) > 0, "hexahedra have positive Jacobians at all corners")
    check(len(np.unique(points, axis=0)) == len(points), "the flow mesh has no double points")

    x, y, z = points.T
    check((found["Point array linear"] == 1 + 2 * x - 3 * y + 4 * z).all(), "the linear field is exact at the points")
    check(found["Point array velocity"].shape == (len(points), 3), "velocity is a vector")
    check(np.issubdtype(found["Cell array material"].dtype, np.integer), "material is an integer")
    check(set(found["Cell array material"].tolist()) == {0, 1, 2, 3}, "there are four materials")
    check((found["Cell array cell_number"] == np.arange(len(types))).all(), "cells know their number")
    check(all(np.isfinite(array).all() for array in found.values()), "all values are finite")
    return collections.Counter(types.tolist())


def opposite(a, b):
    """True where b runs through the corners of a in the other direction."""
    start = b.index(a[0])
    return [b[start - k] for k in range(len(b))] == a


def check_same(committed, generated):
    names = sorted(path.name for path in committed.iterdir() if path.suffix in READERS)
    written = sorted(path.name for path in generated.iterdir())
    check(names == written, "the generators write exactly the committed files")
    for name in names:
        a, b = arrays(read(committed / name)), arrays(read(generated / name))
        check(a.keys() == b.keys(), name + " holds the same arrays as committed")
        for key in a.keys() & b.keys():
            same = a[key].dtype == b[key].dtype and a[key].shape == b[key].shape and (a[key] == b[key]).all()
            check(same, "%s: %s is the committed one" % (name, key))
    check(sum((committed / name).stat().st_size for name in names) < SIZE_LIMIT, "the files are small together")


def main():
    repository = pathlib.Path(sys.argv[1])
    folder = repository / "sample_data"
    sys.path.insert(0, str(folder / "generators"))
    import generate
    points, triangles = check_body(folder)
    check_soup(folder, points, triangles)
    check_hole(folder, triangles)
    counts = check_flow(folder)
    with tempfile.TemporaryDirectory() as scratch:
        generate.generate(scratch)
        check_same(folder, pathlib.Path(scratch))
    print("body: %d triangles; flow mesh: %d cells, by type %s" % (len(triangles), sum(counts.values()), dict(counts)))
    print("%d checks failed" % len(failures))
    sys.exit(1 if failures else 0)


main()
