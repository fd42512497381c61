"""BVH Probe on images and rectilinear grids: the cells are rasterised, with the answers of a search for every point."""

import numpy as np

import harness
import meshes
import vtk_data as vd

OPTIONS = {"ComputeParametricCoordinates": 1, "ComputeContainingCellCount": 1}


def source(mesh):
    mesh = vd.add(mesh, f=np.sin(9 * vd.coordinates(mesh)), g=vd.coordinates(mesh)[:, 0].astype("f"))
    count = mesh.GetNumberOfCells()
    return vd.add(mesh, "cell", c=np.arange(count), s=["cell %d" % i for i in range(count)])


def jittered(n=5):
    """Warped hexahedra."""
    mesh = meshes.hexahedra(n)
    xyz = vd.coordinates(mesh) + meshes.random_points((n + 1) ** 3, -0.03, 0.03, 7)
    for i, x in enumerate(xyz):
        mesh.GetPoints().SetPoint(i, *x)
    return source(mesh)


def turned():
    image = vd.image((6, 5, 4), (0.1, 0.2, 0.05), (0.15, 0.2, 0.3))
    image.SetDirectionMatrix(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1)
    return image


def mirrored():
    image = vd.image((6, 5, 4), (0.9, 0.2, 0.05), (0.15, 0.2, 0.3))
    image.SetDirectionMatrix(-1, 0, 0, 0, 1, 0, 0, 0, 1)
    return image


def grids():
    yield "image", vd.image((9, 8, 7), (-0.1, -0.05, 0), (0.13, 0.17, 0.19))
    yield "negative spacing", vd.image((9, 8, 7), (1.1, -0.05, 0), (-0.13, 0.17, 0.19))
    yield "on the nodes", vd.image((11, 11, 11), (0, 0, 0), (0.1, 0.1, 0.1))
    yield "one slice", vd.image((30, 30, 1), (0, 0, 0.3), (0.04, 0.04, 1))
    yield "one row", vd.image((1, 50, 1), (0.2, 0, 0.3), (1, 0.03, 1))
    yield "turned", turned()
    yield "mirrored", mirrored()
    r = np.random.RandomState(3)
    yield "uneven", vd.rectilinear(*[np.sort(r.uniform(-0.1, 1.1, n)) for n in (12, 9, 10)])
    yield "disordered", vd.rectilinear(*[r.uniform(-0.1, 1.1, n) for n in (12, 9, 10)])
    shifted = vd.image((1, 1, 1), (0.1, 0.2, 0.3), (0.11, 0.12, 0.13))
    shifted.SetExtent(-3, 5, 2, 6, -1, 4)
    yield "shifted extent", shifted


class Grids(harness.Case):
    def same(self, grid, points, cells, **settings):
        """The arrays of the grid have the bits of those of the same points one by one."""
        settings = dict(OPTIONS, **settings)
        a = harness.run("BVHProbe", dict(settings, InputElements=cells), Input=grid, SourceMesh=self.mesh)
        b = harness.run("BVHProbe", settings, Input=vd.cloud(points), SourceMesh=self.mesh)
        names = b.points()
        self.assertEqual(
            sorted(a.cells() if cells else a.points()),
            sorted(n.replace("PointMask", "CellMask") if cells else n for n in names),
        )
        for name in names:
            got = a.cell(name.replace("PointMask", "CellMask")) if cells else a.point(name)
            np.testing.assert_array_equal(got, b.point(name), name)
        self.assertEqual(a.field("ValidPoints").tolist(), b.field("ValidPoints").tolist())
        return a

    def test_same_as_points(self):
        self.mesh = jittered()
        for name, grid in grids():
            for mode, multiple in ((0, 0), (0, 1), (2, 2), (1, 0)):
                with self.subTest(name, mode=mode):
                    self.same(grid, vd.coordinates(grid), 0, Mode=mode, MultipleCells=multiple)

    def test_cell_centres(self):
        self.mesh = jittered()
        for name, grid in grids():
            with self.subTest(name):
                self.same(grid, vd.centres(grid), 1)

    def test_composite_source(self):
        self.mesh = vd.multiblock(jittered(), vd.multiblock(source(meshes.mixed())))
        grid = vd.image((25, 11, 11), (0, 0, 0), (0.1, 0.1, 0.1))
        out = self.same(grid, vd.coordinates(grid), 0)
        self.assertEqual(sorted(set(out.point("CellBlock"))), [1, 3])

    def test_empty(self):
        self.mesh = jittered()
        out = harness.run("BVHProbe", {}, Input=vd.image((0, 0, 0)), SourceMesh=self.mesh)
        self.quiet(out)
        self.assertIn("f", out.points())


class Reuse(harness.Case):
    def test_new_data_on_a_kept_mesh(self):
        """Static mesh, changing values: neither built nor searched again; a moved mesh is both."""
        mesh = meshes.hexahedra(3)
        xyz = vd.coordinates(mesh)
        grid = vd.image((5, 5, 5), (0.05, 0.1, 0.15), (0.2, 0.2, 0.2))
        f = harness.Filter("BVHProbe", Input=grid, SourceMesh=vd.add(mesh, f=meshes.linear(xyz)))
        flags = lambda out: [int(out.field(n)[0]) for n in ("BVHReused", "SearchReused")]
        self.assertEqual(flags(f.apply()), [0, 0])
        for step in range(3):
            copy = mesh.NewInstance()
            copy.DeepCopy(mesh)
            out = f.feed(SourceMesh=vd.add(copy, f=meshes.linear(xyz, d=step))).apply()
            self.assertEqual(flags(out), [1, 1])
            self.close(out.point("f"), meshes.linear(vd.coordinates(grid), d=step), 1e-13)
        moved = vd.add(meshes.hexahedra(3, 2.0), f=meshes.linear(2 * xyz))
        out = f.feed(SourceMesh=moved).apply()
        self.assertEqual(flags(out), [0, 0])
        self.close(out.point("f"), meshes.linear(vd.coordinates(grid)), 1e-13)
        self.assertEqual(flags(f.apply(Tolerance=1e-3)), [1, 0])
        equal = vd.image((5, 5, 5), (0.05, 0.1, 0.15), (0.2, 0.2, 0.2))
        self.assertEqual(flags(f.feed(Input=equal).apply()), [1, 1])
        other = vd.image((5, 5, 5), (0.05, 0.1, 0.15), (0.2, 0.2, 0.25))
        out = f.feed(Input=other).apply()
        self.assertEqual(flags(out), [1, 0])
        self.close(out.point("f"), meshes.linear(vd.coordinates(other)), 1e-13)
        # Points do without the tree, as the image has; the nearest cell is searched for.
        points = meshes.random_points(50, 0.1, 0.9, 3)
        seconds = lambda out: out.field("BuildSeconds")[0]
        self.assertEqual(seconds(out), 0)
        for cloud in (points, points + 0.01):
            out = f.feed(Input=vd.cloud(cloud)).apply()
            self.assertEqual(flags(out), [1, 0])
            self.assertEqual(seconds(out), 0)
            self.close(out.point("f"), meshes.linear(cloud), 1e-13)
        self.assertEqual(flags(f.apply(Mode=2)), [1, 0])
        out = f.apply(Mode=1)
        # What is kept stays, the tree is added to it.
        self.assertEqual(flags(out), [1, 0])
        self.assertGreater(seconds(out), 0)
        out = f.feed(Input=vd.cloud(points)).apply()
        self.assertEqual(flags(out), [1, 0])
        self.assertEqual(seconds(out), 0)
        self.assertEqual(flags(f.feed(Input=other).apply()), [1, 0])
        f.delete()


if __name__ == "__main__":
    harness.main()
