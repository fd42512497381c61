"""BVH Probe over {kind of data set} x {point, cell} x {type, components} x {empty, one, many} x {mode}.

Two unit cells in a row, as every kind of data set, hold arrays of every type; what comes out is compared with
trilinear interpolation in numpy.
"""

import itertools

import numpy as np
from vtkmodules.vtkCommonCore import vtkBitArray
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkExplicitStructuredGrid, vtkPolyData

import harness
import meshes
import vtk_data as vd

NODES = np.array([(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1, 2)], float)
FLOATS = (np.float32, np.float64)
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
COMPONENTS = (1, 3, 9)
KINDS = ("image", "rectilinear", "structured", "unstructured", "polydata", "composite", "explicit")


def lattice(x, y, z):
    """Points of a grid, x fastest."""
    return np.stack([a.ravel() for a in np.meshgrid(z, y, x, indexing="ij")][::-1], 1)


def boxes(dims):
    """Hexahedra of a grid of that many points."""
    nx, ny, nz = dims
    at = lambda i, j, k: i + nx * (j + ny * k)
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    return [
        [at(i + a, j + b, k + c) for c in (0, 1) for a, b in square]
        for k, j, i in itertools.product(range(nz - 1), range(ny - 1), range(nx - 1))
    ]


def explicit(dims, xyz):
    grid = vtkExplicitStructuredGrid()
    grid.SetDimensions(*dims)
    grid.SetPoints(vd.cloud(xyz).GetPoints())
    cells = vtkCellArray()
    for ids in boxes(dims):
        cells.InsertNextCell(8, ids)
    grid.SetCells(cells)
    return grid


def grid(kind, x, y, z):
    """Data of that kind over the points of a grid; polydata has the quads of its first layer."""
    dims, xyz = (len(x), len(y), len(z)), lattice(x, y, z)
    if kind == "image":
        step = [a[1] - a[0] if len(a) > 1 else 1.0 for a in (x, y, z)]
        return vd.image(dims, (x[0], y[0], z[0]), step)
    if kind == "rectilinear":
        return vd.rectilinear(x, y, z)
    if kind == "structured":
        return vd.structured(dims, xyz)
    if kind == "unstructured":
        return vd.unstructured(xyz, [(12, ids) for ids in boxes(dims)])
    if kind == "explicit":
        return explicit(dims, xyz)
    if kind == "polydata":
        quads = [ids[:4] for ids in boxes((len(x), len(y), 2))]
        return vd.polydata(lattice(x, y, z[:1]), quads)
    middle = len(x) // 2  # two blocks that share a layer of points
    return vd.multiblock(
        grid("rectilinear", x[: middle + 1], y, z), grid("unstructured", x[middle:], y, z)
    )


def bits(values):
    out = vtkBitArray()
    for v in values:
        out.InsertNextValue(int(v))
    return out


class Field:
    """Arrays of every type and width, as numbers of the nodes of NODES and of the two cells."""

    def __init__(self):
        r = np.random.RandomState(5)
        self.point, self.cell = {}, {}
        for numbers, count in ((self.point, len(NODES)), (self.cell, 2)):
            for kind, width in itertools.product(FLOATS + INTEGERS, COMPONENTS):
                name = "%s_%d" % (np.dtype(kind).name, width)
                numbers[name] = r.randint(1, 100, (count, width)).astype(kind)
            numbers["bit_1"] = r.randint(0, 2, (count, 1)).astype(np.uint8)

    def put_on(self, data):
        for leaf in vd.leaves(data):
            node = np.abs(vd.coordinates(leaf)[:, None] - NODES).sum(2).argmin(1)
            cell = (vd.centres(leaf)[:, 0] > 1).astype(int)
            for on, numbers, index in (("point", self.point, node), ("cell", self.cell, cell)):
                place = leaf.GetPointData() if on == "point" else leaf.GetCellData()
                mark = "p_" if on == "point" else "c_"
                for name, values in numbers.items():
                    rows = values[index]
                    if name == "bit_1":
                        array = bits(rows[:, 0])
                        array.SetName(mark + name)
                        place.AddArray(array)
                    else:
                        vd.add(leaf, on, **{mark + name: rows if rows.shape[1] > 1 else rows[:, 0]})
                vd.add(leaf, on, **{mark + "string": ["%s%d" % (on, i) for i in index]})
        return data


class Expected:
    """What numpy says: which cell, weights of its nodes, whether there is an answer."""

    def __init__(self, x, flat, mode):
        top = np.array([2.0, 1.0, 0.0 if flat else 1.0])
        at = np.clip(x, 0, top)
        self.valid = (x == at).all(1) if mode == 0 else np.ones(len(x), bool)
        self.cell = (at[:, 0] > 1).astype(int)
        u = at - np.stack([self.cell, 0 * self.cell, 0 * self.cell], 1)
        self.weights = np.zeros((len(x), len(NODES)))
        for i, j, k in itertools.product((0, 1), repeat=3):
            w = np.prod([np.where(b, u[:, d], 1 - u[:, d]) for d, b in enumerate((i, j, k))], 0)
            self.weights[np.arange(len(x)), self.cell + i + 3 * j + 6 * k] += w

    def interpolated(self, values):
        return self.weights @ values.astype(float)

    def missing(self, got):
        """What an output type has where there is no value."""
        if got.dtype.kind == "f":
            return np.nan
        return -1 if got.dtype.kind == "i" else np.iinfo(got.dtype).max


def queries(kind, how_many):
    """Data of a kind around the cells; a side of it sticks out."""
    if how_many == "empty":
        if kind == "explicit":
            kind = "unstructured"  # VTK 9.2 aborts where it copies an explicit grid without points
        data = vd.leaves(grid(kind, [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]))[0].NewInstance()
        return vd.multiblock(data) if kind == "composite" else data
    if how_many == "one" and kind != "composite" and kind != "polydata":
        return grid(kind, [0.15, 0.75], [0.2, 0.45], [0.0, 0.45])
    if how_many == "one":
        return vd.polydata([(0.15, 0.2, 0.0)], verts=[(0,)])
    return grid(kind, [0.15, 0.75, 1.35, 1.95, 2.55], [0.2, 0.45, 0.7], [0.0, 0.45, 0.9, 1.35])


class Matrix(harness.Case):
    field = Field()

    def check_leaf(self, out, block, leaf, source, mode, cells):
        x = vd.centres(leaf) if cells else vd.coordinates(leaf)
        want = Expected(x, source == "polydata", mode)
        of = (lambda n: out.cell(n, block)) if cells else (lambda n: out.point(n, block))
        mask = of("vtkValidCellMask" if cells else "vtkValidPointMask")
        np.testing.assert_array_equal(mask == 1, want.valid)
        for name, values in self.field.point.items():
            got = of("p_" + name)
            self.assertEqual(got.dtype, np.float32 if name.startswith("float32") else np.float64)
            numbers = want.interpolated(values)
            numbers[~want.valid] = np.nan
            numbers = numbers.reshape(got.shape)
            self.close(got, numbers, 1e-4 if got.dtype == np.float32 else 1e-11, name)
        for name, values in self.field.cell.items():
            got = of("c_" + name)
            self.assertEqual(got.dtype, values.dtype)
            numbers = values[want.cell].reshape(got.shape)
            numbers[~want.valid] = want.missing(got)
            np.testing.assert_array_equal(got, numbers, name)
        heaviest = want.weights.argmax(1)
        for name, index in (("p_string", heaviest), ("c_string", want.cell)):
            on = "point" if name[0] == "p" else "cell"
            text = ["%s%d" % (on, i) if ok else "" for i, ok in zip(index, want.valid)]
            self.assertEqual(list(of(name)), text, name)
        return len(x)

    def check_source(self, source):
        data = self.field.put_on(grid(source, [0.0, 1.0, 2.0], [0.0, 1.0], [0.0, 1.0]))
        f = harness.Filter("BVHProbe", Input=vd.cloud([(0.0, 0.0, 0.0)]), SourceMesh=data)
        asked = 0
        for kind, how_many in itertools.product(KINDS, ("empty", "one", "many")):
            f.feed(Input=queries(kind, how_many))
            for mode, cells in itertools.product((0, 1, 2), (0, 1)):
                with self.subTest(source=source, kind=kind, many=how_many, mode=mode, cells=cells):
                    out = f.apply(Mode=mode, InputElements=cells)
                    errors = [m for m in out.messages if "lie off the source surface" not in m[1]]
                    self.assertEqual(errors, [])
                    for i, leaf in enumerate(vd.leaves(out.data)):
                        asked += self.check_leaf(out, i, leaf, source, mode, cells)
        f.delete()
        self.assertGreater(asked, 1000)

    def test_image(self):
        self.check_source("image")

    def test_rectilinear(self):
        self.check_source("rectilinear")

    def test_structured(self):
        self.check_source("structured")

    def test_unstructured(self):
        self.check_source("unstructured")

    def test_polydata(self):
        self.check_source("polydata")

    def test_composite(self):
        self.check_source("composite")

    def test_explicit(self):
        self.check_source("explicit")


if __name__ == "__main__":
    harness.main()
