"""BVH Probe in whole meshes: polyhedra as OpenFOAM has them, Lagrange and Bezier cells of VTK's cell type source."""

import numpy as np
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

import dual_mesh
import harness
import meshes
import vtk_data as vd

SOURCE_TYPES = {
    "Lagrange triangle": 69,
    "Lagrange quadrilateral": 70,
    "Lagrange tetrahedron": 71,
    "Lagrange hexahedron": 72,
    "Lagrange wedge": 73,
    "Bezier triangle": 76,
    "Bezier quadrilateral": 77,
    "Bezier tetrahedron": 78,
    "Bezier hexahedron": 79,
    "Bezier wedge": 80,
    "triquadratic pyramid": 37,
    "quadratic pyramid": 27,
}


def cell_type_source(kind, order, blocks=2):
    """A block of such cells over [0, blocks]^3, or the square."""
    source = vtkCellTypeSource()
    source.SetCellType(kind)
    source.SetCellOrder(order)
    source.SetBlocksDimensions(blocks, blocks, blocks)
    source.SetOutputPrecision(1)
    source.Update()
    out = source.GetOutput()
    for attributes in (out.GetPointData(), out.GetCellData()):
        while attributes.GetNumberOfArrays():
            attributes.RemoveArray(0)
    return out


def with_field(mesh, **more):
    return vd.add(mesh, f=meshes.linear(vd.coordinates(mesh)), **more)


def probe(queries, mesh, **settings):
    return harness.run("BVHProbe", settings, Input=vd.cloud(queries), SourceMesh=mesh)


class Meshes(harness.Case):
    def inside(self, q, mesh, label, tolerance=1e-12):
        out = probe(q, mesh)
        self.quiet(out)
        self.assertEqual((out.point("SampleStatus") != 0).sum(), 0, label)
        self.close(out.point("f"), meshes.linear(q), tolerance, label)
        return out

    def test_dual_of_tetrahedra(self):
        """Every point of the cube is in a polyhedron; values are linear, corners and faces included."""
        mesh = with_field(dual_mesh.dual(5))
        self.assertEqual(mesh.GetNumberOfCells(), 6**3)
        q = meshes.random_points(3000, 0, 1, 31)
        q[:300, 0], q[300:600, 1] = 0, 1
        out = self.inside(q, mesh, "random")
        self.assertGreater(len(set(out.point("CellId"))), 200)
        self.inside(vd.coordinates(mesh), mesh, "corners")
        beyond = probe(q[:300] - (0.01, 0, 0), mesh)
        self.assertEqual(set(beyond.point("SampleStatus")), {3})

    def test_values_are_those_of_the_cell(self):
        """The box of the cell that is named holds the point, and inside of the mesh it is the only one."""
        mesh = dual_mesh.dual(4)
        vd.add(mesh, "cell", c=np.arange(mesh.GetNumberOfCells()))
        q = meshes.random_points(500, 0, 1, 32)
        out = probe(q, mesh, ComputeContainingCellCount=1)
        self.assertEqual(set(out.point("ContainingCellCount")), {1})
        np.testing.assert_array_equal(out.point("c"), out.point("CellId"))
        for x, cell in zip(q, out.point("CellId")):
            bounds = np.array(mesh.GetCell(int(cell)).GetBounds()).reshape(3, 2)
            self.assertTrue((x >= bounds[:, 0] - 1e-12).all() and (x <= bounds[:, 1] + 1e-12).all())

    def test_cell_type_source(self):
        """Blocks of straight cells of several types and orders: every point found, linear fields exact."""
        rng = np.random.default_rng(33)
        for name, kind in SOURCE_TYPES.items():
            for order in (1, 2, 3, 4) if kind > 60 else (2,):
                mesh = with_field(cell_type_source(kind, order))
                lo, hi = np.array(mesh.GetBounds()).reshape(3, 2).T
                q = rng.uniform(lo, hi, (300, 3))
                q[:60, :2] = rng.integers(0, 3, (60, 2))
                q[:, 2] = np.where(hi[2] > lo[2], q[:, 2], lo[2])
                self.inside(q, mesh, "%s of order %d" % (name, order))

    def test_bent_cell_type_source(self):
        """Nodes go to a smooth bend of the block: images of the bend lie near the cells, and linear fields stay exact."""
        bend = lambda x: x + 0.08 * np.sin(2.0 * x[:, [1, 2, 0]]) + 0.05 * np.cos(3.0 * x[:, [2, 0, 1]])
        rng = np.random.default_rng(34)
        for kind in (71, 72, 73, 37):
            for order in (2, 3, 4) if kind > 60 else (2,):
                straight = cell_type_source(kind, order)
                mesh = vd.unstructured(bend(vd.coordinates(straight)), [])
                mesh.SetCells(straight.GetCellTypesArray(), straight.GetCells())
                with_field(mesh)
                q = bend(rng.uniform(0.02, 1.98, (400, 3)))
                self.inside(q, mesh, "type %d, order %d" % (kind, order))


if __name__ == "__main__":
    harness.main()
