"""BVH Probe beside VTK's own probes on 878,592 tetrahedra: random points, points in grid order, an image.

    pvpython scripts/bench_probe.py --plugin SpatialQueries.so    BVH Probe and the VTK of this ParaView
    python3 scripts/bench_probe.py                                the VTK that this Python has

Prints a row a tool and task: points, wall and processor seconds of one execution with everything that it needs to build,
median of --runs, and millions of points per processor second. Slow tools get evenly chosen points and a coarser image
(--slow, --slow-side). --sides makes other meshes, --side another image.
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


def make_mesh(sides):
    """Kuhn's six tetrahedra in each of nx x ny x nz boxes of the unit cube, inner points moved by up to a tenth of a box."""
    nx, ny, nz = sides
    at = np.meshgrid(*[np.arange(n + 1) for n in (nz, ny, nx)], indexing="ij")[::-1]
    box = 1 / np.array(sides)
    inner = np.all([(a > 0) & (a < n) for a, n in zip(at, sides)], 0)[..., None]
    moved = np.random.RandomState(1).uniform(-0.1, 0.1, inner.shape[:3] + (3,)) * box
    xyz = (np.stack(at, -1) * box + inner * moved).reshape(-1, 3)
    k, j, i = np.meshgrid(*[np.arange(n) for n in (nz, ny, nx)], indexing="ij")
    corner = [((k + (m >> 2)) * (ny + 1) + j + (m >> 1 & 1)) * (nx + 1) + i + (m & 1) for m in range(8)]
    paths = [np.stack([corner[0], corner[a], corner[b], corner[7]], -1) for a, b in KUHN]
    ids = np.stack(paths, -2).reshape(-1).astype(np.int64)
    mesh, cells = vtkUnstructuredGrid(), vtkCellArray()
    mesh.SetPoints(points_of(xyz))
    cells.SetData(
        numpy_to_vtkIdTypeArray(np.arange(0, len(ids) + 1, 4), deep=1),
        numpy_to_vtkIdTypeArray(ids, deep=1),
    )
    mesh.SetCells(10, cells)
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


def make_inputs(count, side, slow, slow_side):
    """Task: (data for fast tools, data for slow ones)."""
    random = np.random.RandomState(2).uniform(0, 1, (count, 3))
    n = round(count ** (1 / 3))
    line = np.linspace(0.003, 0.997, n)
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
    inputs = make_inputs(args.points, args.side, args.slow, args.slow_side)
    mesh = make_mesh(args.sides)
    tools = {
        "vtkProbeFilter": vtk_filter(vtkProbeFilter, None),
        "vtkProbeFilter, static locator": vtk_filter(vtkProbeFilter, vtkStaticCellLocator),
        "vtkProbeFilter, tree locator": vtk_filter(vtkProbeFilter, vtkCellTreeLocator),
        "vtkResampleWithDataSet": vtk_filter(vtkResampleWithDataSet, None),
    }
    if args.plugin:
        tools = {"BVH Probe": plugin_filter(args.plugin), **tools}
    print("%d tetrahedra, VTK %s, median of %d runs" % (mesh.GetNumberOfCells(), version, args.runs))
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
