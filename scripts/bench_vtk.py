"""Stock VTK's closest point and signed distance, as JSON lines with the keys of sq_bench.

    pvpython scripts/bench_vtk.py MESH.vtp|MESH.obj NAME POINTS_FOLDER OUT.jsonl

Queries are some of the points that sq_bench gets, evenly chosen, in their order; one thread. A call from Python costs
about a microsecond, a few per cent of the fastest row at most.
"""
import json
import os
import statistics
import sys
import time

import numpy as np
from vtkmodules.vtkCommonCore import mutable, vtkVersion
from vtkmodules.vtkCommonDataModel import vtkGenericCell, vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkImplicitPolyDataDistance

import query_points

RUNS = 5


def median_seconds(call):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def signed_distance(mesh):
    distance = vtkImplicitPolyDataDistance()
    distance.SetInput(mesh)
    return distance.EvaluateFunction


def closest_point(mesh):
    locator = vtkStaticCellLocator()
    locator.SetDataSet(mesh)
    locator.BuildLocator()
    cell, point = vtkGenericCell(), [0.0, 0.0, 0.0]
    cell_id, sub_id, distance2 = mutable(0), mutable(0), mutable(0.0)
    return lambda query: locator.FindClosestPoint(query, point, cell, cell_id, sub_id, distance2)


TOOLS = (("vtkImplicitPolyDataDistance", "signed distance", signed_distance, 1_000),
         ("vtkStaticCellLocator", "closest point", closest_point, 10_000))


def ask_all(function, points):
    for point in points:
        function(point)


def main():
    path, name, folder, out = sys.argv[1:]
    mesh = query_points.read_mesh(path)
    with open(out, "a") as lines:
        for tool, task, build, count in TOOLS:
            build_seconds = median_seconds(lambda: build(mesh))
            function = build(mesh)
            for kind in query_points.SETS:
                points = np.fromfile(os.path.join(folder, kind + ".f64"), "<f8").reshape(-1, 3)
                chosen = points[np.linspace(0, len(points) - 1, count).astype(np.int64)].tolist()
                seconds = median_seconds(lambda: ask_all(function, chosen))
                row = {"tool": tool, "version": vtkVersion().GetVTKVersion(), "task": task, "mesh": name,
                       "triangles": mesh.GetNumberOfCells(), "points": kind, "order": "given", "count": count,
                       "threads": 1, "runs": RUNS, "build_seconds": build_seconds, "query_seconds": seconds,
                       "queries_per_second": count / seconds}
                lines.write(json.dumps(row) + "\n")
                lines.flush()


main()
