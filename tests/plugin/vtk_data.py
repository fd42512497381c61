"""numpy <-> VTK: data sets from plain arrays, and plain arrays from data sets."""

import numpy as np
from vtkmodules.util.numpy_support import get_vtk_array_type, numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList, vtkIdTypeArray, vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import (
    vtkCellArray,
    vtkDataObjectTreeIterator,
    vtkImageData,
    vtkMultiBlockDataSet,
    vtkPolyData,
    vtkRectilinearGrid,
    vtkStructuredGrid,
    vtkUnstructuredGrid,
)

POLYHEDRON = 42


def array(name, values, ids=False):
    """A VTK array of the same number type; a list of str becomes a vtkStringArray."""
    if isinstance(values, list) and values and isinstance(values[0], str):
        out = vtkStringArray()
        for v in values:
            out.InsertNextValue(v)
    elif ids:
        out = vtkIdTypeArray()
        for v in values:
            out.InsertNextValue(int(v))
    else:
        values = np.ascontiguousarray(values)
        out = numpy_to_vtk(values, deep=1, array_type=get_vtk_array_type(values.dtype))
    out.SetName(name)
    return out


def add(data, on="point", **arrays):
    """Puts arrays on a data set and returns it."""
    place = {"point": data.GetPointData, "cell": data.GetCellData, "field": data.GetFieldData}[on]()
    for name, values in arrays.items():
        place.AddArray(array(name, values))
    return data


def _points(xyz, dtype):
    data = np.ascontiguousarray(np.asarray(xyz, float).reshape(-1, 3), dtype)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(data, deep=1, array_type=get_vtk_array_type(data.dtype)))
    return points


def _cells(lists, width):
    cells = vtkCellArray()
    if width == 32:
        cells.Use32BitStorage()
    for ids in lists:
        cells.InsertNextCell(len(ids), [int(i) for i in ids])
    return cells


def polydata(xyz, polys=(), lines=(), verts=(), strips=(), dtype=np.float64, width=64):
    """Lists of point ids for every kind of cell; VTK numbers vertices, lines, polygons, strips."""
    out = vtkPolyData()
    out.SetPoints(_points(xyz, dtype))
    for put, lists in (
        (out.SetVerts, verts),
        (out.SetLines, lines),
        (out.SetPolys, polys),
        (out.SetStrips, strips),
    ):
        if len(lists):
            put(_cells(lists, width))
    return out


def cloud(xyz, dtype=np.float64):
    """Points to ask at, without cells."""
    return polydata(xyz, dtype=dtype)


def unstructured(xyz, cells, dtype=np.float64):
    """`cells` is a list of (VTK cell type, ids); a polyhedron has the list of its faces."""
    out = vtkUnstructuredGrid()
    out.SetPoints(_points(xyz, dtype))
    out.Allocate(len(cells))
    for kind, ids in cells:
        lst = vtkIdList()
        if kind == POLYHEDRON:
            lst.InsertNextId(len(ids))
            for face in ids:
                lst.InsertNextId(len(face))
                for i in face:
                    lst.InsertNextId(int(i))
        else:
            for i in ids:
                lst.InsertNextId(int(i))
        out.InsertNextCell(kind, lst)
    return out


def image(dims, origin=(0, 0, 0), spacing=(1, 1, 1)):
    out = vtkImageData()
    out.SetDimensions(*dims)
    out.SetOrigin(*[float(v) for v in origin])
    out.SetSpacing(*[float(v) for v in spacing])
    return out


def rectilinear(x, y, z):
    out = vtkRectilinearGrid()
    out.SetDimensions(len(x), len(y), len(z))
    for values, put in (
        (x, out.SetXCoordinates),
        (y, out.SetYCoordinates),
        (z, out.SetZCoordinates),
    ):
        put(numpy_to_vtk(np.asarray(values, float), deep=1))
    return out


def structured(dims, xyz):
    out = vtkStructuredGrid()
    out.SetDimensions(*dims)
    out.SetPoints(_points(xyz, np.float64))
    return out


def multiblock(*blocks, names=()):
    out = vtkMultiBlockDataSet()
    out.SetNumberOfBlocks(len(blocks))
    for i, block in enumerate(blocks):
        out.SetBlock(i, block)
    for i, name in enumerate(names):
        out.GetMetaData(i).Set(out.NAME(), name)
    return out


def coordinates(data):
    """Points of any data set as (n, 3) doubles."""
    n = data.GetNumberOfPoints()
    return np.array([data.GetPoint(i) for i in range(n)], float).reshape(n, 3)


def points(data):
    """Points of a point set as stored, (n, 3)."""
    stored = data.GetPoints()
    return vtk_to_numpy(stored.GetData()).copy() if stored else np.zeros((0, 3))


def cell_ids(data, c):
    """Point ids of a cell."""
    ids = vtkIdList()
    data.GetCellPoints(c, ids)
    return np.array([ids.GetId(k) for k in range(ids.GetNumberOfIds())], np.int64)


def centres(data):
    """Mean of the nodes of every cell."""
    xyz, ids, out = coordinates(data), vtkIdList(), []
    for c in range(data.GetNumberOfCells()):
        data.GetCellPoints(c, ids)
        out.append(xyz[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]].mean(axis=0))
    return np.array(out, float).reshape(-1, 3)


def leaves(data):
    """All leaves of a data object in order, empty ones as None."""
    if not data.IsA("vtkCompositeDataSet"):
        return [data]
    it, out = vtkDataObjectTreeIterator(), []
    it.SetDataSet(data)
    it.SkipEmptyNodesOff()
    it.InitTraversal()
    while not it.IsDoneWithTraversal():
        out.append(it.GetCurrentDataObject())
        it.GoToNextItem()
    return out


def names(attributes):
    return [attributes.GetArrayName(i) for i in range(attributes.GetNumberOfArrays())]


def values(attributes, name):
    """One array as numpy; strings as a list."""
    found = attributes.GetAbstractArray(name)
    if found.IsA("vtkStringArray"):
        return [found.GetValue(i) for i in range(found.GetNumberOfValues())]
    return vtk_to_numpy(found).copy()


def columns(table):
    """The columns of a vtkTable as numpy arrays, by name."""
    return {n: values(table.GetRowData(), n) for n in names(table.GetRowData())}
