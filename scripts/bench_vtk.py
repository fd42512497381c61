"""Stock VTK's closest point and signed distance, as JSON lines: the measure beside sq_bench.

    pvpython scripts/bench_vtk.py MESH.vtp|MESH.obj NAME OUT.jsonl

Queries are every n-th of the points that sq_bench gets, one thread. A call from Python costs about a microsecond,
a few per cent of the fastest row at most.
"""
import json
import statistics
import sys
import time

import numpy as np
from vtkmodules.vtkCommonCore import mutable, vtkVersion
from vtkmodules.vtkCommonDataModel import vtkGenericCell, vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkImplicitPolyDataDistance
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

import query_points

RUNS = 5
COUNT = 1_000_000  # points of a set
SIGNED_POINTS, CLOSEST_POINTS = 1_000, 20_000  # of which VTK gets so many


def read(path):
    reader = vtkOBJReader() if path.endswith(".obj") else vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def median_of(call):
    return statistics.median(timed(call)[0] for _ in range(RUNS))


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


def loop(function, points):
    def run():
        for point in points:
            function(point)
    return run


def main():
    path, name, out = sys.argv[1:]
    mesh = read(path)
    corners = query_points.triangle_corners(mesh)
    tools = (("vtkImplicitPolyDataDistance", "signed distance", signed_distance, SIGNED_POINTS),
             ("vtkStaticCellLocator", "closest point", closest_point, CLOSEST_POINTS))
    with open(out, "a") as lines:
        for tool, task, build, count in tools:
            build_seconds = median_of(lambda: build(mesh))
            function = build(mesh)
            for kind, points in query_points.SETS.items():
                chosen = points(corners, COUNT)
                chosen = chosen[np.linspace(0, len(chosen) - 1, count).astype(np.int64)].tolist()
                seconds = median_of(loop(function, chosen))
                row = {"tool": tool, "version": vtkVersion().GetVTKVersion(), "task": task, "mesh": name,
                       "triangles": len(corners), "points": kind, "count": count, "threads": 1, "runs": RUNS,
                       "build_seconds": build_seconds, "query_seconds": seconds,
                       "queries_per_second": count / seconds}
                lines.write(json.dumps(row) + "\n")
                lines.flush()


main()
