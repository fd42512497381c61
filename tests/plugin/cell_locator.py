"""BVH Cell Locator: every question beside VTK's own locators and beside BVH Probe; when it is built; what it is for."""

import numpy as np
from vtkmodules.vtkCommonCore import reference, vtkIdList, vtkPoints
from vtkmodules.vtkFiltersSources import vtkCellTypeSource
from vtkmodules.vtkCommonDataModel import (
    VTK_CONVEX_POINT_SET,
    vtkCellTreeLocator,
    vtkPolyData,
    vtkStaticCellLocator,
)

import harness
import meshes
import vtk_data as vd
from locator_tools import Asker, wrapped


def boxes(data):
    return np.array([data.GetCell(c).GetBounds() for c in range(data.GetNumberOfCells())])


SHEAR = np.array([[1, 0.2, 0.1], [0.3, 1, -0.2], [-0.1, 0.25, 0.9]])


def sheared():
    """The mixed mesh under a linear map: flat faces, none along the axes, so a hexahedron in place of the voxel."""
    mesh = meshes.mixed()
    cells = []
    for c in range(mesh.GetNumberOfCells()):
        points = mesh.GetCell(c).GetPointIds()
        ids = [points.GetId(k) for k in range(points.GetNumberOfIds())]
        if mesh.GetCellType(c) == 11:
            cells.append((12, [ids[k] for k in (0, 1, 3, 2, 4, 5, 7, 6)]))
        else:
            cells.append((mesh.GetCellType(c), ids))
    return vd.unstructured(vd.coordinates(mesh) @ SHEAR, cells)


def walls(name):
    """The outer surface of a solid mesh as triangles, on which VTK's locators are exact; None for surfaces."""
    hi = {"mixed": (5, 1, 1), "sheared": (5, 1, 1), "hexahedra": (1, 1, 1)}.get(name)
    if hi is None:
        return None
    surface = meshes.box((0, 0, 0), hi)
    if name != "sheared":
        return surface
    return vd.polydata(vd.coordinates(surface) @ SHEAR, meshes.BOX_TRIANGLES)


def pieces():
    """Vertices, a polyline, a triangle, a concave polygon and a strip."""
    xyz = [(0, 0, 0), (3, 3, 3), (0, 1, 0), (1, 1, 0), (1, 2, 0), (2, 0, 0), (3, 0, 0), (3, 1, 0)]
    xyz += [(0, 0, 1), (2, 0, 1), (2, 1, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1)]
    xyz += [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 1, 2)]
    return vd.polydata(
        xyz,
        polys=[(5, 6, 7), tuple(range(8, 14))],
        lines=[(2, 3, 4)],
        verts=[(0,), (1,)],
        strips=[tuple(range(14, 20))],
    )


MESHES = {
    "mixed": meshes.mixed,
    "sheared": sheared,
    "hexahedra": lambda: meshes.hexahedra(4),
    "sphere": lambda: meshes.sphere(rings=9, segments=13),
    "pieces": pieces,
}


def curved(kind, order):
    """Cells of a curved type over a box, every point moved a little."""
    source = vtkCellTypeSource()
    source.SetCellType(kind)
    source.SetCellOrder(order)
    source.SetBlocksDimensions(2, 2, 2)
    source.SetOutputPrecision(1)
    source.Update()
    data = source.GetOutput()
    for i, x in enumerate(vd.coordinates(data)):
        data.GetPoints().SetPoint(i, *(x + 0.04 * np.sin(3 * x[::-1] + 1)))
    return data


CURVED = {
    "quadratic hexahedra": lambda: curved(25, 2),
    "Lagrange tetrahedra": lambda: curved(71, 3),
    "Lagrange hexahedra": lambda: curved(72, 3),
}


class Beside(harness.Case):
    """Beside vtkStaticCellLocator and vtkCellTreeLocator, where these are right."""

    def askers(self, name):
        data = {**MESHES, **CURVED}[name]()
        ours = Asker(wrapped("vtkSQBVHCellLocator")(), data)
        return data, ours, Asker(vtkStaticCellLocator(), data)

    def points(self, data, n, seed):
        lo, hi = np.array(data.GetBounds()).reshape(3, 2).T
        return meshes.random_points(n, lo - 0.2 * (hi - lo), hi + 0.2 * (hi - lo), seed)

    def test_find_cell(self):
        for name in ("mixed", "sheared", "hexahedra"):
            data, ours, static = self.askers(name)
            tree = Asker(vtkCellTreeLocator(), data)
            xyz = vd.coordinates(data)
            found = 0
            for x in self.points(data, 400, 5):
                cell, weights, pcoords, _ = ours.find(x)
                want, w, p, _ = static.find(x)
                if cell < 0:
                    # VTK's cells take what is outside by a thousandth of their size.
                    for other in (static, tree):
                        want, w, _, _ = other.find(x)
                        self.assertTrue(want < 0 or w.min() < 0, (name, x))
                    continue
                found += 1
                self.assertGreaterEqual(tree.find(x)[0], 0)
                self.assertTrue(cell == want or w.min() < 0, (name, x))
                self.assertGreaterEqual(weights.min(), -1e-14)
                if cell == want:
                    self.close(pcoords, p, 1e-12)
                    self.close(weights, w, 1e-12)
                ids = data.GetCell(cell).GetPointIds()
                nodes = xyz[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
                self.close(weights @ nodes, x, 1e-13)
                self.assertEqual(ours.cell.GetCellType(), data.GetCellType(cell))
            self.assertGreater(found, 30)

    def test_find_cell_as_the_probe(self):
        """The same cell and weights as BVH Probe with the same absolute tolerance, on faces and outside too."""
        for name in list(MESHES) + list(CURVED):
            data, ours, _ = self.askers(name)
            xyz = vd.coordinates(data)
            vd.add(data, f=meshes.linear(xyz) ** 2)
            rng = np.random.RandomState(8)
            on = []
            for c in range(data.GetNumberOfCells()):
                ids = data.GetCell(c).GetPointIds()
                nodes = xyz[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
                n = 6 if name in MESHES else 2
                w = rng.dirichlet(np.ones(len(nodes)), n) * (rng.rand(n, len(nodes)) < 0.6) + 1e-9
                on.append((w / w.sum(axis=1, keepdims=True)) @ nodes)
            q = np.concatenate(on + [self.points(data, 100, 9), xyz[:60], xyz[:60] + 5e-4])
            for tolerance in (0.0, 1e-3):
                out = harness.run(
                    "BVHProbe",
                    {"ToleranceType": "Absolute", "Tolerance": tolerance},
                    SourceMesh=data,
                    Input=vd.cloud(q),
                )
                f = vd.values(data.GetPointData(), "f")
                for x, cell, value in zip(q, out.point("CellId"), out.point("f")):
                    got, weights, pcoords, _ = ours.find(x, tolerance)
                    self.assertEqual(got, cell, (name, x))
                    if cell >= 0:
                        ids = data.GetCell(cell).GetPointIds()
                        at = f[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
                        self.close(weights @ at, value, 1e-12)
                        self.assertTrue(np.isfinite(pcoords).all())

    def test_closest_point(self):
        for name in MESHES:
            data, ours, static = self.askers(name)
            wall = walls(name)
            if wall is not None:
                static = Asker(vtkStaticCellLocator(), wall)
            for x in self.points(data, 300, 6):
                cell, d, at, inside = ours.closest(x)
                # Inside a solid the distance is 0, and the locator finds it.
                want = 0.0 if wall is not None and ours.find(x)[0] >= 0 else static.closest(x)[1]
                self.close(d, want, 1e-12, "%s %s" % (name, x))
                self.close(np.linalg.norm(at - x), d, 1e-13)
                self.assertEqual(ours.cell.GetCellType(), data.GetCellType(cell))
                if data.GetCell(cell).GetCellDimension() == 3:
                    self.assertEqual(inside, d == 0.0)
                self.assertEqual(ours.closest(x, 0.99 * d)[0] >= 0, d == 0.0)
                self.assertEqual(ours.closest(x, 1.01 * d)[0], cell)

    def crossings(self, data, a, b):
        """{cell: t} of every cell that VTK's own test says is met; its locators lose some on the sphere."""
        met = {}
        for c in range(data.GetNumberOfCells()):
            t, sub = reference(0.0), reference(0)
            if data.GetCell(c).IntersectWithLine(
                list(a), list(b), 0.0, t, [0.0] * 3, [0.0] * 3, sub
            ):
                met[c] = float(t)
        return met

    def test_crossings(self):
        hits = 0
        for name in ("sheared", "hexahedra", "sphere"):
            data, ours, _ = self.askers(name)
            for a, b in zip(self.points(data, 200, 7), self.points(data, 200, 8)):
                want = self.crossings(data, a, b)
                hits += len(want)
                cells, at = ours.all(a, b)
                self.assertEqual(sorted(cells), sorted(want), (name, a, b))
                along = (at - a) @ (b - a) / ((b - a) @ (b - a))
                self.close(along, [want[c] for c in cells], 1e-12)
                self.assertTrue((np.diff(along) >= -1e-14).all())
                near = ours.along_line(a, b)
                self.assertEqual(len(set(near)), len(near))
                self.assertTrue(set(cells) <= set(near))
                self.assertEqual(ours.all(a, b, boxes=True)[0], near)
                cell, t, x, pcoords = ours.first(a, b)
                self.assertEqual(cell >= 0, bool(want))
                if cell >= 0:
                    self.close(t, min(want.values()), 1e-12)
                    self.close(x, a + t * (b - a), 1e-14)
                    self.close(want[cell], t, 1e-12)
                    back = [0.0] * 3
                    data.GetCell(cell).EvaluateLocation(
                        reference(0), list(pcoords), back, [0.0] * 8
                    )
                    self.close(back, x, 1e-12)
        self.assertGreater(hits, 300)

    def test_curved_cells(self):
        """A segment into a curved cell meets its face, where the closest point of a point outside lies too."""
        for name in CURVED:
            data, ours, _ = self.askers(name)
            centre, met = data.GetCenter(), 0
            for x in self.points(data, 120, 3):
                outside = ours.find(x)[0] < 0
                cell, t, at, _ = ours.first(x, centre)
                if not outside or cell < 0:
                    continue
                met += 1
                self.assertLess(ours.closest(at)[1], 1e-12)
                self.assertEqual(ours.find(at + 1e-6 * (np.array(centre) - x))[0] >= 0, True)
                self.assertEqual(ours.find(at - 1e-6 * (np.array(centre) - x))[0] >= 0, False)
                _, d, near, _ = ours.closest(x)
                self.assertLessEqual(d, np.linalg.norm(at - x) + 1e-12)
            self.assertGreater(met, 20)

    def test_along_the_plane_and_in_the_box(self):
        for name in MESHES:
            data, ours, _ = self.askers(name)
            box = boxes(data)
            for i, (x, y) in enumerate(zip(self.points(data, 60, 1), self.points(data, 60, 2))):
                lo, hi = np.minimum(x, y), np.maximum(x, y)
                bounds = np.stack([lo, hi], 1).ravel()
                want = ((box[:, 0::2] <= hi) & (box[:, 1::2] >= lo)).all(axis=1)
                self.assertEqual(ours.in_box(bounds), list(np.flatnonzero(want)))
                normal = (x - y) / np.linalg.norm(x - y)
                height = []
                for c in range(data.GetNumberOfCells()):
                    points = vd.coordinates(data.GetCell(c).GetPoints())
                    h = (points - x) @ normal
                    height.append(max(h.min(), -h.max(), 0.0))
                tolerance = 0.05 * (i % 2)
                want = np.flatnonzero(np.array(height) <= tolerance)
                self.assertEqual(ours.along_plane(x, normal, tolerance), list(want))

    def test_tolerances(self):
        """tol2 is the square of a distance, and the tolerance of a line one beside it."""
        _, ours, _ = self.askers("hexahedra")
        for off in (1e-9, 1e-6, 1e-3):
            x = (0.3, 0.4, 1.0 + off)
            self.assertEqual(ours.find(x, 0.99 * off)[0], -1)
            self.assertGreaterEqual(ours.find(x, 1.01 * off)[0], 0)
            a, b = (0.3, -1.0, 1.0 + off), (0.3, 2.0, 1.0 + off)
            self.assertEqual(ours.first(a, b, 0.99 * off)[0], -1)
            self.assertGreaterEqual(ours.first(a, b, 1.01 * off)[0], 0)
        _, ours, _ = self.askers("pieces")
        self.assertEqual(ours.first((0.5, 1.01, -1), (0.5, 1.01, 0.9))[0], -1)
        self.assertEqual(ours.first((0.5, 1.01, -1), (0.5, 1.01, 0.9), 0.02)[0], 2)
        self.assertEqual(ours.find((3.01, 3, 3), 0.02)[0], 1)

    def test_nothing(self):
        _, ours, _ = self.askers("mixed")
        bad = (np.nan, 0.5, 0.5)
        self.assertEqual(ours.find(bad)[0], -1)
        self.assertEqual(ours.closest(bad)[0], -1)
        self.assertEqual(ours.first(bad, (0.5, 0.5, 0.5))[0], -1)
        self.assertEqual(ours.all(bad, (0.5, 0.5, 0.5))[0], [])
        self.assertEqual(ours.along_plane(bad, (0, 0, 1)), [])
        self.assertEqual(ours.along_plane((0.5, 0.5, 0.5), (0, 0, 0)), [])
        self.assertEqual(ours.in_box([0, np.nan, 0, 1, 0, 1]), [])
        for empty in (vd.unstructured([], []), vd.polydata([(0, 0, 0)])):
            ours = Asker(wrapped("vtkSQBVHCellLocator")(), empty)
            self.assertEqual(ours.find((0, 0, 0))[0], -1)
            self.assertEqual(ours.closest((0, 0, 0))[0], -1)
        self.assertEqual(harness.MESSAGES.drain(), [])

    def test_hidden_cells(self):
        data = meshes.hexahedra(2)
        ghost = np.zeros(8, np.uint8)
        ghost[0], ghost[1] = 32, 1
        vd.add(data, "cell", vtkGhostType=ghost)
        ours = Asker(wrapped("vtkSQBVHCellLocator")(), data)
        self.assertEqual(ours.find((0.25, 0.25, 0.25))[0], -1)
        self.assertEqual(ours.find((0.75, 0.25, 0.25))[0], -1)
        self.assertEqual(ours.find((0.25, 0.25, 0.5))[0], 4)


class OtherCells(harness.Case):
    """Cells that the core does not know are found beside those that it knows."""

    def mesh(self):
        """A convex point set between two hexahedra: [0, 3] x [0, 1]^2."""
        xyz = np.concatenate([meshes.BOX_CORNERS + (x, 0, 0) for x in range(3)])
        cells = [(12, range(8)), (VTK_CONVEX_POINT_SET, range(8, 16)), (12, range(16, 24))]
        return vd.unstructured(xyz, cells)

    def test_all_questions(self):
        data = self.mesh()
        ours = Asker(wrapped("vtkSQBVHCellLocator")(), data)
        xyz = vd.coordinates(data)
        for x in meshes.random_points(300, (-0.5, -0.5, -0.5), (3.5, 1.5, 1.5), 3):
            cell, weights, _, _ = ours.find(x)
            inside = bool(((x >= 0) & (x <= (3, 1, 1))).all())
            self.assertEqual(cell, int(x[0]) if inside else -1)
            if cell >= 0:
                self.close(weights @ xyz[8 * cell : 8 * cell + 8], x, 1e-9)
            gap = np.maximum(np.maximum(-x, x - (3, 1, 1)), 0)
            cell, d, at, _ = ours.closest(x)
            self.close(d, np.linalg.norm(gap), 1e-9)
            self.assertEqual(ours.closest(x, 0.9 * d)[0] >= 0, inside)
        self.assertEqual(ours.find((1.0, 0.5, 0.5))[0], 0)
        self.assertEqual(ours.find((1.5, 0.5, 1 + 1e-4), 1e-3)[0], 1)
        self.assertEqual(ours.find((1.5, 0.5, 1 + 1e-2), 1e-3)[0], -1)
        cell, t, at, _ = ours.first((1.4, 0.6, 3), (1.4, 0.6, -1))
        self.assertEqual(cell, 1)
        self.close(t, 0.5, 1e-9)
        cells, at = ours.all((-1, 0.4, 0.6), (4, 0.4, 0.6))
        self.assertEqual(cells, [0, 1, 2])
        self.close(at[:, 0], [0, 1, 2], 1e-9)
        self.assertEqual(ours.first((-1, 0.4, 0.6), (4, 0.4, 0.6))[0], 0)
        self.assertEqual(ours.in_box([1.4, 1.6, 0.4, 0.6, 0.4, 0.6]), [1])
        self.assertIn(1, ours.along_plane((1.5, 0, 0), (1, 0, 0)))
        self.assertEqual(set(ours.along_line((-1, 0.4, 0.6), (4, 0.4, 0.6))), {0, 1, 2})

    def test_alone(self):
        xyz = meshes.BOX_CORNERS
        data = vd.unstructured(xyz, [(VTK_CONVEX_POINT_SET, range(8))])
        ours = Asker(wrapped("vtkSQBVHCellLocator")(), data)
        self.assertEqual(ours.find((0.5, 0.25, 0.5))[0], 0)
        cell, d, at, _ = ours.closest((0.5, 0.5, 3.0))
        self.assertEqual(cell, 0)
        self.close(d, 2.0, 1e-9)
        self.assertEqual(ours.closest((0.5, 0.5, 3.0), 1.9)[0], -1)
        self.assertEqual(ours.closest((1e6, 0.5, 3.0))[0], 0)

    def test_hidden(self):
        data = self.mesh()
        vd.add(data, "cell", vtkGhostType=np.array([0, 32, 0], np.uint8))
        ours = Asker(wrapped("vtkSQBVHCellLocator")(), data)
        self.assertEqual(ours.find((1.5, 0.5, 0.5))[0], -1)


class Building(harness.Case):
    def locator(self, data):
        return Asker(wrapped("vtkSQBVHCellLocator")(), data)

    def test_follows_the_data(self):
        data = meshes.hexahedra(2)
        ours = self.locator(data)
        self.assertEqual(ours.find((0.1, 0.1, 0.1))[0], 0)
        vd.add(data, f=np.zeros(27))
        data.Modified()
        self.assertEqual(ours.find((0.1, 0.1, 0.1))[0], 0)
        for i, x in enumerate(vd.coordinates(data)):
            data.GetPoints().SetPoint(i, *(x + 5))
        data.GetPoints().Modified()
        data.Modified()
        self.assertEqual(ours.find((0.1, 0.1, 0.1))[0], -1)
        self.assertEqual(ours.find((5.1, 5.1, 5.1))[0], 0)
        # Told to keep what it has, it does, until it is forced.
        ours.locator.UseExistingSearchStructureOn()
        for i, x in enumerate(vd.coordinates(data)):
            data.GetPoints().SetPoint(i, *(x - 5))
        data.GetPoints().Modified()
        ours.locator.BuildLocator()
        ours.locator.ForceBuildLocator()
        self.assertEqual(ours.find((0.1, 0.1, 0.1))[0], 0)

    def test_another_data_set(self):
        ours = self.locator(meshes.hexahedra(2))
        other = meshes.sphere()
        ours.locator.SetDataSet(other)
        ours.data = other
        self.assertEqual(ours.find((0.5, 0.5, 0.5))[0], -1)
        self.close(ours.closest((0, 0, 3))[1], 2.0, 1e-15)

    def test_freed_and_built_again(self):
        ours = self.locator(meshes.hexahedra(2))
        ours.locator.FreeSearchStructure()
        self.assertEqual(ours.find((0.1, 0.1, 0.1))[0], 0)
        ours.locator.Initialize()
        ours.locator.Update()
        self.assertEqual(ours.find((0.9, 0.9, 0.9))[0], 7)

    def test_without_data(self):
        locator = wrapped("vtkSQBVHCellLocator")()
        harness.MESSAGES.drain()
        locator.BuildLocator()
        messages = harness.MESSAGES.drain()
        self.assertEqual(len(messages), 1)
        self.assertIn("no data set", messages[0][1])

    def test_shallow_copy(self):
        first = self.locator(meshes.hexahedra(3))
        second = wrapped("vtkSQBVHCellLocator")()
        second.ShallowCopy(first.locator)
        self.assertIs(second.GetDataSet(), first.data)
        first.locator.FreeSearchStructure()
        moved = meshes.hexahedra(3, size=2.0)
        first.locator.SetDataSet(moved)
        first.locator.BuildLocator()
        ours = Asker(second, first.data)
        for x in meshes.random_points(50, 0, 1):
            self.assertEqual(ours.find(x)[0], Asker(vtkStaticCellLocator(), first.data).find(x)[0])
        harness.MESSAGES.drain()
        second.ShallowCopy(vtkStaticCellLocator())
        self.assertEqual(len(harness.MESSAGES.drain()), 1)

    def test_new_instance_and_print(self):
        first = self.locator(meshes.hexahedra(3))
        other = first.locator.NewInstance()
        self.assertEqual(other.GetClassName(), "vtkSQBVHCellLocator")
        self.assertIn("Cells: 27", str(first.locator))

    def test_representation(self):
        data = meshes.hexahedra(6)
        ours = self.locator(data)
        depth = ours.locator.GetLevel()
        self.assertGreater(depth, 1)
        counts = []
        for level in list(range(depth + 1)) + [-1]:
            drawn = vtkPolyData()
            ours.locator.GenerateRepresentation(level, drawn)
            self.close(drawn.GetBounds(), data.GetBounds(), 1e-5)
            self.assertEqual(drawn.GetNumberOfPoints() // 8, drawn.GetNumberOfPolys() // 6)
            counts.append(drawn.GetNumberOfPolys() // 6)
        self.assertEqual(counts[0], 1)
        self.assertEqual(counts[-1], counts[-2])
        self.assertTrue((np.diff(counts[:-1]) > 0).all())
        drawn = vtkPolyData()
        self.locator(vd.unstructured([], [])).locator.GenerateRepresentation(1, drawn)
        self.assertEqual(drawn.GetNumberOfCells(), 0)

    def test_cached_bounds(self):
        """CacheCellBounds, which other locators need for this, makes no difference."""
        for cached in (0, 1):
            locator = wrapped("vtkSQBVHCellLocator")()
            locator.SetCacheCellBounds(cached)
            self.assertFalse(locator.InsideCellBounds([0.1] * 3, 0))
            locator.SetDataSet(meshes.hexahedra(2))
            locator.BuildLocator()
            self.assertTrue(locator.InsideCellBounds([0.1] * 3, 0))
            self.assertTrue(locator.InsideCellBounds([0.5] * 3, 7))
            self.assertFalse(locator.InsideCellBounds([0.1] * 3, 7))
            self.assertFalse(locator.InsideCellBounds([np.nan, 0.1, 0.1], 0))
            self.assertFalse(locator.InsideCellBounds([0.1] * 3, 8))
            self.assertFalse(locator.InsideCellBounds([0.1] * 3, -1))

    def test_crossings_without_a_cell(self):
        """The form of vtkOBBTree: points and ids alone."""
        ours = self.locator(meshes.hexahedra(2))
        points, ids = vtkPoints(), vtkIdList()
        a, b = [-1, 0.3, 0.3], [2, 0.3, 0.3]
        self.assertEqual(ours.locator.IntersectWithLine(a, b, points, ids), 1)
        self.assertEqual([ids.GetId(i) for i in range(ids.GetNumberOfIds())], ours.all(a, b)[0])
        self.close([points.GetPoint(i)[0] for i in range(2)], [0, 0.5], 1e-7)
        self.assertEqual(ours.locator.IntersectWithLine(b, [3, 3, 3], points, None), 0)
        self.assertEqual(points.GetNumberOfPoints(), 0)
        self.assertEqual(harness.MESSAGES.drain(), [])

    def test_structured_data(self):
        for data in (vd.image((4, 4, 4)), vd.rectilinear([0, 1, 3], [0, 2, 3], [0, 3])):
            ours = self.locator(data)
            for x in meshes.random_points(40, 0, 3):
                room = (reference(0), [0.0] * 3, [0.0] * 8)
                self.assertEqual(ours.find(x)[0], data.FindCell(x, None, -1, 0, *room))


if __name__ == "__main__":
    harness.main()
