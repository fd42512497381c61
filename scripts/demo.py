"""The demo: signed distance, its volume, a surface check, probing and the cost of it, on one surface.

    PV_PLUGIN_PATH=... pvbatch scripts/demo.py --data sample_data --out demo [--surface motorBike.obj]
"""
import argparse
import math
import os
import sys
import time

import numpy as np
from paraview.simple import *  # noqa: F401,F403
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkImplicitPolyDataDistance

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import demo_pictures as pictures  # noqa: E402
import query_points  # noqa: E402
from demo_table import Table  # noqa: E402

UNIFORM_POINTS = 1_000_000
STOCK_POINTS = 2_000
BRUTE_FORCE_PAIRS = 8_000_000


def output(proxy, port=0):
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def field(data, name):
    array = data.GetFieldData().GetArray(name)
    return array.GetTuple1(0) if array else None


def point_array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def coordinates(data):
    if hasattr(data, "GetSpacing"):
        (nx, ny, nz), origin, step = data.GetDimensions(), data.GetOrigin(), data.GetSpacing()
        k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
        return np.stack([i.ravel(), j.ravel(), k.ravel()], axis=1) * step + origin
    return vtk_to_numpy(data.GetPoints().GetData()).astype(float)


def points_source(points):
    """A pipeline source of bare points."""
    data = vtkPolyData()
    holder = vtkPoints()
    holder.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    data.SetPoints(holder)
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    return source


def plane_source(low, high, y, step):
    """A rectangle at constant y with points about `step` apart."""
    nx, nz = (int(math.ceil((high[i] - low[i]) / step)) for i in (0, 2))
    return Plane(Origin=[low[0], y, low[2]], Point1=[high[0], y, low[2]], Point2=[low[0], y, high[2]],
                 XResolution=nx, YResolution=nz)


def brute_force_distance(triangles, point):
    """Distance from a point to triangles [n, 3, 3]: the least over corners, edges and faces, each by definition."""
    a, b, c = (triangles[:, i] for i in range(3))
    best = np.inf
    for start, end in ((a, b), (b, c), (c, a)):
        along = end - start
        length2 = (along * along).sum(axis=1)
        t = ((point - start) * along).sum(axis=1) / np.where(length2 > 0, length2, 1.0)
        nearest = start + np.clip(t, 0.0, 1.0)[:, None] * along
        best = min(best, np.sqrt(((point - nearest) ** 2).sum(axis=1)).min())
    normal = np.cross(b - a, c - a)
    length = np.sqrt((normal * normal).sum(axis=1))
    over = np.ones(len(triangles), bool)
    for start, end in ((a, b), (b, c), (c, a)):
        over &= (np.cross(normal, end - start) * (point - start)).sum(axis=1) >= 0
    over &= length > 0
    heights = abs(((point - a[over]) * normal[over]).sum(axis=1)) / length[over]
    return min(best, heights.min()) if len(heights) else best


class Demo:
    def __init__(self, args):
        self.out = args.out
        self.data = args.data
        self.table = Table()
        self.motorbike = args.surface is not None
        path = args.surface or os.path.join(args.data, "ahmed_body.vtp")
        self.surface = OpenDataFile(path)
        self.surface_data = output(self.surface)
        self.name = "motorBike" if self.motorbike else "Ahmed body"
        self.size = "%s triangles" % format(self.surface_data.GetNumberOfCells(), ",d")
        bounds = self.surface_data.GetBounds()
        self.low, self.high = np.array(bounds[0::2]), np.array(bounds[1::2])
        self.centre = 0.5 * (self.low + self.high)
        self.extent = self.high - self.low
        # The motorBike's triangles face inward: its SurfaceSignedVolume is negative.
        self.side = {"FlipInsideOut": 1} if self.motorbike else {}

    def distance(self, points, **settings):
        return SignedDistanceField(Input=points, Surface=self.surface, **self.side, **settings)

    def add_row(self, step, source, data, mask="vtkValidPointMask", errors=None, against=""):
        valid = data.GetPointData().GetArray(mask)
        self.table.add(step, source, data.GetNumberOfPoints(), field(data, "BuildSeconds"),
                       field(data, "QuerySeconds"), int(vtk_to_numpy(valid).sum()) if valid else None, errors, against)

    def slice_of_distance(self):
        margin = 0.24 * self.extent.max()
        y = float(self.centre[1])
        low, high = self.low - margin, self.high + margin
        plane = self.distance(plane_source(low, high, y, self.extent.max() / 400))
        data = output(plane)
        self.add_row("Signed Distance Field, slice", self.size, data)
        centre, height = [0.5 * (low[0] + high[0]), y, 0.5 * (low[2] + high[2])], 1.45 * (high[2] - low[2])
        centre[2] -= 0.04 * height  # room for the bar
        half_range = round(0.19 * self.extent.max() / 0.05) * 0.05
        pictures.distance_slice(self.out, plane, centre, height, half_range,
                                "Signed Distance Field: %s, %s points on the plane y = %.3g m"
                                % (self.name, format(data.GetNumberOfPoints(), ",d"), y + 0.0))

    def uniform_points(self):
        triangles = query_points.triangle_corners(self.surface_data)
        points = query_points.uniform(triangles, UNIFORM_POINTS)
        found = self.distance(points_source(points), SignMethod="Pseudonormal")
        data = output(found)
        distances = point_array(data, "SignedDistance")
        checked = max(1, BRUTE_FORCE_PAIRS // len(triangles))
        exact = np.array([brute_force_distance(triangles, p) for p in points[:checked]])
        self.add_row("Signed Distance Field, 2x box", self.size, data,
                     errors=abs(abs(distances[:checked]) - exact),
                     against="|distance| against all triangles in turn, %d of the points" % checked)
        self.stock_distance(points[:STOCK_POINTS])
        Delete(found)

    def stock_distance(self, points):
        start = time.perf_counter()
        stock = vtkImplicitPolyDataDistance()
        stock.SetInput(self.surface_data)
        built = time.perf_counter()
        for point in points:
            stock.EvaluateFunction(point)
        done = time.perf_counter()
        self.table.add("vtkImplicitPolyDataDistance", self.size, len(points), built - start, done - built,
                       against="the first %s of the same points, stock VTK, one thread" % format(len(points), ",d"))

    def volume(self):
        cells = 100
        dimensions = [max(2, int(round(cells * e / self.extent.max())) + 1) for e in 1.2 * self.extent]
        volume = SignedDistanceVolume(Input=self.surface, SamplingDimensions=dimensions, **self.side)
        data = output(volume)
        self.add_row("Signed Distance Volume", self.size, data)
        height = 0.82 * float(np.sqrt((self.extent ** 2).sum()))
        pictures.zero_surface(self.out, volume, self.surface, self.low[0] + 0.4 * self.extent[0], self.centre, height,
                              "Signed Distance Volume, %d x %d x %d: its zero surface (blue) continues the %s (grey)"
                              % (*dimensions, self.name))
        return volume

    def probed_mesh(self, volume):
        """The mesh to probe: the sample flow mesh, or the air around the surface cut out of the volume."""
        if not self.motorbike:
            return OpenDataFile(os.path.join(self.data, "ahmed_flow.vtu"))
        air = Clip(Input=volume, ClipType="Scalar", Scalars=["POINTS", "SignedDistance"], Invert=0)
        air.Value = 0.0  # afterwards: choosing the array resets it
        return Calculator(Input=air, ResultArrayName="linear",
                          Function="1 + 2*coordsX - 3*coordsY + 4*coordsZ", ResultArrayType="Double")

    def add_probe_row(self, step, size, data):
        inside = point_array(data, "SampleStatus") == 0
        x, y, z = coordinates(data)[inside].T
        errors = abs(point_array(data, "linear")[inside] - (1 + 2 * x - 3 * y + 4 * z))
        self.add_row(step, size, data, errors=errors,
                     against="the field 1 + 2 x - 3 y + 4 z against the formula, where a cell contains the point")

    def probe_uniform(self, mesh, size):
        bounds = np.array(output(mesh).GetBounds())
        points = np.random.default_rng(1984).uniform(bounds[0::2], bounds[1::2], (UNIFORM_POINTS, 3))
        probe = BVHProbe(SourceMesh=mesh, Input=points_source(points))
        self.add_probe_row("BVH Probe, the mesh's box", size, output(probe))
        Delete(probe)

    def probe(self, volume):
        mesh = self.probed_mesh(volume)
        size = "%s cells" % format(output(mesh).GetNumberOfCells(), ",d")
        if self.motorbike:
            margin = 0.1 * self.extent.max()
            plane = plane_source(self.low - margin, self.high + margin, float(self.centre[1]), self.extent.max() / 400)
        else:
            plane = OpenDataFile(os.path.join(self.data, "probe_plane.vti"))
        probe = BVHProbe(SourceMesh=mesh, Input=plane)
        self.add_probe_row("BVH Probe, plane", size, output(probe))
        self.probe_uniform(mesh, size)
        centre, height = self.centre - (0.0, 0.0, 0.05 * self.extent[0]), 1.4 * self.extent.max()
        if self.motorbike:
            pictures.probe(self.out, probe, self.surface, "SignedDistance", (0.0, 0.5),
                           "Signed distance [m]", "%.2f", centre, height,
                           "BVH Probe: %s of air around the %s" % (size, self.name))
        else:
            pictures.probe(self.out, probe, self.surface, "velocity", (0.0, 50.0), "Velocity [m/s]", "%.0f",
                           (0.68, 0.0, 0.29), 1.5, "BVH Probe: hexahedra, wedges, pyramids and tetrahedra, "
                           "%s, on the symmetry plane" % size, component="Magnitude")
        self.cost(mesh, plane, size)

    def cost(self, mesh, plane, size):
        probe = BVHProbe(SourceMesh=mesh, Input=plane, TraversalStatistics=1)
        data = output(probe)
        work = point_array(data, "BVHNodesVisited") + point_array(data, "BVHCellsTested")
        self.add_row("BVH Probe, with statistics", size, data)
        combined = Calculator(Input=probe, ResultArrayName="Nodes visited + cells tested",
                              Function="BVHNodesVisited + BVHCellsTested")
        bounds = data.GetBounds()
        centre = [0.5 * (bounds[2 * i] + bounds[2 * i + 1]) for i in range(3)]
        outline = Slice(Input=self.surface)
        outline.SliceType.Origin, outline.SliceType.Normal = centre, [0.0, 1.0, 0.0]
        pictures.traversal_cost(self.out, combined, outline, "Nodes visited + cells tested", (0.0, float(work.max())),
                                centre, 1.08 * max(1.4 * (bounds[5] - bounds[4]), (bounds[1] - bounds[0]) * 9 / 16),
                                "BVH Probe, TraversalStatistics: work per query, %.1f on average" % work.mean())

    def check(self):
        """Of the motorBike, or of the body with a hole: the sample body itself has nothing to show."""
        surface, name = self.surface, self.name
        if not self.motorbike:
            surface, name = OpenDataFile(os.path.join(self.data, "ahmed_body_hole.vtp")), "body with a hole"
        check = SurfaceCheck(Input=surface)
        data = output(check)
        codes = vtk_to_numpy(data.GetCellData().GetArray("Problem"))
        self.table.add("Surface Check", "%s triangles" % format(output(surface).GetNumberOfCells(), ",d"),
                       output(surface).GetNumberOfPoints(), field(data, "BuildSeconds"))
        direction = (-1.0, -0.9, 0.55) if self.motorbike else (-0.8, 1.3, 0.5)  # the hole is on the left side
        pictures.surface_check(self.out, surface, check, np.bincount(codes.astype(int), minlength=6), self.centre,
                               direction, 0.78 * float(np.sqrt((self.extent ** 2).sum())), name)

    def run(self):
        self.slice_of_distance()
        self.uniform_points()
        volume = self.volume()
        self.check()
        self.probe(volume)
        print("\n%s: %s, %s points" % (self.name, self.size, format(self.surface_data.GetNumberOfPoints(), ",d")))
        print(self.table.text())
        print("\nPictures: " + ", ".join(sorted(os.path.join(self.out, name) for name in os.listdir(self.out)
                                                if name.endswith(".png"))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--surface")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    Demo(args).run()


main()
