"""BVH Probe beside VTK's own probes on 878,592 tetrahedra, or other cells: random points, points in grid order, an image.

    pvpython scripts/bench_probe.py --plugin SpatialQueries.so    BVH Probe and the VTK of this ParaView
    python3 scripts/bench_probe.py                                the VTK that this Python has

Prints a row a tool and task: points, wall and processor seconds of one execution with everything that it needs to build,
median of --runs, and millions of points per processor second. Slow tools get evenly chosen points and a coarser image
(--slow, --slow-side). --sides makes other meshes, --side another image; --cells other cells in the same boxes: hexahedra, a
mix of hexahedra, wedges, pyramids and tetrahedra, or the polyhedra that are the dual of the tetrahedra.
"""
import argparse
import statistics
import time

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints, vtkVersion
from vtkmodules.vtkCommonDataModel import (
    vtkCellArray,
    vtkCellTreeLocator,
    vtkImageData,
    vtkPolyData,
    vtkStaticCellLocator,
    vtkUnstructuredGrid,
)
from vtkmodules.vtkFiltersCore import vtkProbeFilter, vtkResampleWithDataSet

KUHN = ((1, 3), (1, 5), (2, 3), (2, 6), (4, 5), (4, 6))


def points_of(xyz):
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(xyz), deep=1))
    return points


def points_in_boxes(sides):
    """The corners of nx x ny x nz boxes of the unit cube, inner ones moved by up to a tenth of a box, and the corners' numbers."""
    nx, ny, nz = sides
    at = np.meshgrid(*[np.arange(n + 1) for n in (nz, ny, nx)], indexing="ij")[::-1]
    box = 1 / np.array(sides)
    inner = np.all([(a > 0) & (a < n) for a, n in zip(at, sides)], 0)[..., None]
    moved = np.random.RandomState(1).uniform(-0.1, 0.1, inner.shape[:3] + (3,)) * box
    xyz = (np.stack(at, -1) * box + inner * moved).reshape(-1, 3)
    k, j, i = np.meshgrid(*[np.arange(n) for n in (nz, ny, nx)], indexing="ij")
    corner = [((k + (m >> 2)) * (ny + 1) + j + (m >> 1 & 1)) * (nx + 1) + i + (m & 1) for m in range(8)]
    return xyz, np.stack(corner, -1)


def tetrahedra(corner):
    """Kuhn's six tetrahedra in every box."""
    return np.stack([corner[..., [0, a, b, 7]] for a, b in KUHN], -2).reshape(-1, 4)


def mixed_cells(corner, xyz):
    """Slabs along z of hexahedra, wedges, pyramids around a point more, tetrahedra: (type, ids) in turn, and all points."""
    n = len(corner)
    ends = [n * 40 // 74, n * 60 // 74, n * 67 // 74]
    box, wedge, pyramid, tetra = np.split(corner, ends)
    centre = len(xyz) + np.arange(pyramid[..., 0].size).reshape(pyramid.shape[:-1] + (1,))
    xyz = np.concatenate([xyz, xyz[pyramid].mean(-2).reshape(-1, 3)])
    faces = ((0, 2, 6, 4), (0, 4, 5, 1), (1, 5, 7, 3), (2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5))
    with_centre = np.concatenate([pyramid, centre], -1)
    sides = [with_centre[..., face[::-1] + (8,)] for face in faces[:5]]
    # Towards the tetrahedra the last layer has two of them, on either side of Kuhn's diagonal.
    sides.append(with_centre[:-1][..., faces[5][::-1] + (8,)])
    caps = [with_centre[-1:][..., ids] for ids in ((4, 5, 7, 8), (4, 7, 6, 8))]
    cells = [
        (12, box[..., [0, 1, 3, 2, 4, 5, 7, 6]]),
        *[(13, wedge[..., ids]) for ids in ([0, 2, 1, 4, 6, 5], [1, 2, 3, 5, 6, 7])],
        *[(14, side) for side in sides],
        *[(10, cap) for cap in caps],
        (10, tetrahedra(tetra)),
    ]
    return xyz, [(kind, ids.reshape(-1, ids.shape[-1])) for kind, ids in cells]


def dual_faces(sides):
    """The faces of the polyhedra around the inner vertices of Kuhn's tetrahedra: rings of these, as arrays of a row a vertex."""
    nx, ny, nz = sides
    corners = [((m & 1), (m >> 1 & 1), (m >> 2)) for m in range(8)]
    tets = [[np.array(corners[m]) for m in (0, a, b, 7)] for a, b in KUHN]
    around = [(-c, t, np.mean(tets[t], 0) - c) for t in range(6) for c in tets[t]]
    k, j, i = np.meshgrid(*[np.arange(1, n) for n in (nz, ny, nx)], indexing="ij")
    rings = []
    for step in np.ndindex(3, 3, 3):
        step = np.array(step) - 1
        if (step.min() < 0) == (step.max() > 0):
            continue
        holds = [any((step == c + box).all() for c in tets[t]) for box, t, _ in around]
        u = np.cross(step, (0.3, -0.7, 0.55))
        v = np.cross(step, u)
        ring = [a for a, has in zip(around, holds) if has]
        ring.sort(key=lambda a: np.arctan2(a[2] @ v, a[2] @ u))
        ids = [6 * (((k + b[2]) * ny + j + b[1]) * nx + i + b[0]) + t for b, t, _ in ring]
        rings.append(np.stack([a.ravel() for a in ids], -1))
    return rings


def set_polyhedra(mesh, rings):
    count = len(rings[0])
    ids = np.sort(np.concatenate(rings, -1), -1)
    ids = ids[np.diff(ids, prepend=-1, axis=-1) > 0].reshape(count, -1)
    types = numpy_to_vtk(np.full(count, 42, np.uint8), deep=1)
    if hasattr(mesh, "SetPolyhedralCells"):
        sizes = np.tile([r.shape[1] for r in rings], count)
        faces = cell_array(np.concatenate(rings, -1).ravel(), sizes)
        mesh.SetPolyhedralCells(types, cells_of(ids), cells_of(np.arange(count * len(rings)).reshape(count, -1)), faces)
        return
    parts = [np.full((count, 1), len(rings))]
    for ring in rings:
        parts += [np.full((count, 1), ring.shape[1]), ring]
    stream = np.concatenate(parts, -1)
    at = np.arange(count) * stream.shape[1]
    mesh.SetCells(types, cells_of(ids), id_array(at), id_array(stream.ravel()))


def id_array(ids):
    return numpy_to_vtkIdTypeArray(np.ascontiguousarray(ids, np.int64), deep=1)


def cell_array(ids, sizes):
    cells = vtkCellArray()
    cells.SetData(id_array(np.concatenate([[0], np.cumsum(sizes)])), id_array(ids))
    return cells


def cells_of(ids):
    return cell_array(ids.ravel(), np.full(len(ids), ids.shape[1]))


def make_mesh(sides, kind):
    xyz, corner = points_in_boxes(sides)
    mesh = vtkUnstructuredGrid()
    if kind == "polyhedra":
        tets = tetrahedra(corner)
        xyz = xyz[tets].mean(1)
        set_polyhedra(mesh, dual_faces(sides))
    else:
        cells = [(10, tetrahedra(corner))]
        if kind == "hexahedra":
            cells = [(12, corner[..., [0, 1, 3, 2, 4, 5, 7, 6]].reshape(-1, 8))]
        elif kind == "mixed":
            xyz, cells = mixed_cells(corner, xyz)
        types = np.concatenate([np.full(len(ids), t, np.uint8) for t, ids in cells])
        sizes = np.concatenate([np.full(len(ids), ids.shape[1]) for _, ids in cells])
        mesh.SetCells(
            numpy_to_vtk(types, deep=1), cell_array(np.concatenate([ids.ravel() for _, ids in cells]), sizes)
        )
    mesh.SetPoints(points_of(xyz))
    field = numpy_to_vtk(np.sin(7 * xyz[:, 0]) + xyz[:, 1] * xyz[:, 2], deep=1)
    field.SetName("f")
    mesh.GetPointData().AddArray(field)
    return mesh


def cloud(xyz):
    data = vtkPolyData()
    data.SetPoints(points_of(xyz))
    return data


def make_image(side):
    image = vtkImageData()
    image.SetDimensions(side, side, side)
    image.SetSpacing(*[1 / (side - 1)] * 3)
    return image


def make_inputs(count, side, slow, slow_side, margin):
    """Task: (data for fast tools, data for slow ones). `margin`: around what the mesh surely holds."""
    random = np.random.RandomState(2).uniform(margin, 1 - margin, (count, 3))
    n = round(count ** (1 / 3))
    line = np.linspace(0.003 + margin, 0.997 - margin, n)
    grid = np.stack([a.ravel() for a in np.meshgrid(line, line, line, indexing="ij")[::-1]], 1)
    few = max(1, count // slow)
    return {
        "random": (cloud(random), cloud(random[::few])),
        "grid order": (cloud(grid), cloud(grid[: max(1, len(grid) // few)])),
        "image": (make_image(side), make_image(slow_side)),
    }


def vtk_filter(make, prototype):
    def run(data, mesh):
        one = make()
        (one.SetInputDataObject if make is vtkResampleWithDataSet else one.SetInputData)(data)
        one.SetSourceData(mesh)
        if make is vtkResampleWithDataSet:
            one.MarkBlankPointsAndCellsOff()  # VTK 9.2 crashes on points without cells
        if prototype:
            (getattr(one, "SetCellLocator", None) or one.SetCellLocatorPrototype)(prototype())
        one.Update()

    return run


def plugin_filter(library):
    from paraview import simple

    simple.LoadPlugin(library, remote=False, ns=simple.__dict__)

    def run(data, mesh):
        ports = []
        for one in (data, mesh):
            producer = simple.TrivialProducer()
            producer.GetClientSideObject().SetOutput(one)
            ports.append(producer)
        probe = simple.BVHProbe(Input=ports[0], SourceMesh=ports[1])
        probe.UpdatePipeline()
        for proxy in (probe, *ports):
            simple.Delete(proxy)

    return run


def measure(run, data, mesh, runs):
    wall, processor = [], []
    for _ in range(runs):
        start = time.perf_counter(), time.process_time()
        run(data, mesh)
        wall.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    return statistics.median(wall), statistics.median(processor)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin")
    parser.add_argument("--sides", type=int, nargs=3, default=(44, 52, 64))
    parser.add_argument(
        "--cells", default="tetrahedra", choices=["tetrahedra", "hexahedra", "mixed", "polyhedra"]
    )
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--slow", type=int, default=50_000)
    parser.add_argument("--slow-side", type=int, default=128)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tool", default="", help="only tools whose name contains this")
    parser.add_argument("--task", default="", help="only tasks whose name contains this")
    args = parser.parse_args()
    version = vtkVersion().GetVTKVersion()
    is_slow = tuple(int(v) for v in version.split(".")[:2]) < (9, 7)
    margin = 1 / min(args.sides) if args.cells == "polyhedra" else 0
    inputs = make_inputs(args.points, args.side, args.slow, args.slow_side, margin)
    mesh = make_mesh(args.sides, args.cells)
    tools = {
        "vtkProbeFilter": vtk_filter(vtkProbeFilter, None),
        "vtkProbeFilter, static locator": vtk_filter(vtkProbeFilter, vtkStaticCellLocator),
        "vtkProbeFilter, tree locator": vtk_filter(vtkProbeFilter, vtkCellTreeLocator),
        "vtkResampleWithDataSet": vtk_filter(vtkResampleWithDataSet, None),
    }
    if args.plugin:
        tools = {"BVH Probe": plugin_filter(args.plugin), **tools}
    print("%d %s, VTK %s, median of %d runs" % (mesh.GetNumberOfCells(), args.cells, version, args.runs))
    print("%-32s %-11s %9s %9s %9s %9s" % ("tool", "points", "count", "wall s", "cpu s", "M/cpu s"))
    for task, (fast, slow) in inputs.items():
        for name, run in tools.items():
            if args.tool not in name or args.task not in task:
                continue
            data = slow if is_slow and name != "BVH Probe" else fast
            count = data.GetNumberOfPoints()
            wall, cpu = measure(run, data, mesh, args.runs)
            print("%-32s %-11s %9d %9.2f %9.2f %9.3f" % (name, task, count, wall, cpu, count / cpu * 1e-6), flush=True)


main()
