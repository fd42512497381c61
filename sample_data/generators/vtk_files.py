"""Writing the sample data as VTK XML (inline binary, compressed) and binary STL."""
import struct

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter, vtkXMLPolyDataWriter, vtkXMLUnstructuredGridWriter


def named(array, name):
    out = numpy_to_vtk(np.ascontiguousarray(array), deep=True)
    out.SetName(name)
    return out


def vtk_points(points):
    out = vtkPoints()
    out.SetData(numpy_to_vtk(np.ascontiguousarray(points, np.float32), deep=True))
    return out


def cell_array(sizes, ids):
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    out = vtkCellArray()
    out.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True),
                numpy_to_vtkIdTypeArray(np.ascontiguousarray(ids, np.int64).ravel(), deep=True))
    return out


def write(writer, data, path):
    writer.SetInputData(data)
    writer.SetFileName(str(path))
    # Inline, not appended: with expat 2.6, and Debian 12's patched 2.5, VTK 9.2 cannot read appended data (VTK #19258).
    writer.SetDataModeToBinary()
    writer.SetCompressorTypeToZLib()
    writer.SetCompressionLevel(9)
    if writer.Write() != 1:
        raise OSError("cannot write %s" % path)


def write_triangles(path, points, triangles):
    data = vtkPolyData()
    data.SetPoints(vtk_points(points))
    data.SetPolys(cell_array(np.full(len(triangles), 3), triangles))
    write(vtkXMLPolyDataWriter(), data, path)


def write_line(path, points):
    data = vtkPolyData()
    data.SetPoints(vtk_points(points))
    data.SetLines(cell_array([len(points)], np.arange(len(points))))
    write(vtkXMLPolyDataWriter(), data, path)


def write_image(path, origin, spacing, dimensions):
    data = vtkImageData()
    data.SetOrigin(origin)
    data.SetSpacing(spacing)
    data.SetDimensions(dimensions)
    write(vtkXMLImageDataWriter(), data, path)


def write_mesh(path, points, cells, point_arrays, cell_arrays):
    data = vtkUnstructuredGrid()
    data.SetPoints(vtk_points(points))
    types = np.array([kind for kind, _ in cells], np.uint8)
    ids = np.concatenate([np.array(ids) for _, ids in cells])
    data.SetCells(numpy_to_vtk(types, deep=True), cell_array([len(ids) for _, ids in cells], ids))
    for name, array in point_arrays.items():
        data.GetPointData().AddArray(named(array, name))
    for name, array in cell_arrays.items():
        data.GetCellData().AddArray(named(array, name))
    data.GetPointData().SetActiveScalars(next(iter(point_arrays)))
    write(vtkXMLUnstructuredGridWriter(), data, path)


def write_stl(path, points, triangles):
    """Binary STL: every triangle with its own corners; facet normals as the format wants them."""
    corners = points[triangles].astype("<f4")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    rows = np.zeros(len(triangles), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    rows["normal"] = normals / np.where(lengths > 0, lengths, 1)
    rows["corners"] = corners
    with open(path, "wb") as file:
        file.write(b"Ahmed body, SAE 840300, as triangle soup".ljust(80))
        file.write(struct.pack("<I", len(rows)))
        file.write(rows.tobytes())
