"""The filters on several ranks: every rank gets its answers and none waits for another.

Run as `mpirun -np N pvbatch [--symmetric] ranks_smoke.py TESTS_PLUGIN_FOLDER BODY`, the plugin on
PV_PLUGIN_PATH: the one way of loading it that every rank takes part in. Ranks hold different numbers
of points, cells and blocks, among them none at all. What is checked does not depend on how a surface
is spread over ranks: each has the whole one, or asks only for its own arrays.
"""

import os
import sys

import numpy as np
from paraview import servermanager, simple

FOLDER, BODY = (os.path.abspath(a) for a in sys.argv[1:3])
sys.path.insert(0, FOLDER)
import harness  # noqa: E402
import meshes  # noqa: E402
import vtk_data as vd  # noqa: E402

MODULE = servermanager.vtkProcessModule.GetProcessModule()
RANK, RANKS = MODULE.GetPartitionId(), MODULE.GetNumberOfLocalPartitions()
CHECKS = harness.Case()


def check_whole_surface_on_every_rank():
    """As many queries as the rank's number, so none on rank 0."""
    q = meshes.random_points(500 * RANK, -1, 2, 70 + RANK)
    f = harness.Filter("SignedDistanceField", Input=vd.cloud(q), Surface=meshes.box())
    out = f.apply()
    CHECKS.close(out.point("SignedDistance"), meshes.box_distance(q), 2e-15)
    CHECKS.assertEqual(out.messages, [])


def check_probe_of_a_mesh_on_every_rank():
    mesh = meshes.mixed()
    vd.add(mesh, f=meshes.linear(vd.coordinates(mesh)))
    q = meshes.random_points(300 * (RANKS - RANK), (0, 0, 0), (5, 1, 1), 80 + RANK)
    blocks = vd.multiblock(*[vd.cloud(q)] * (RANK + 1))
    f = harness.Filter("BVHProbe", Input=blocks, SourceMesh=mesh)
    out = f.apply()
    for k in range(RANK + 1):
        CHECKS.close(out.point("f", k), meshes.linear(q), 1e-13)


def check_surface_on_one_rank_only():
    """The last rank alone has a surface: its distance everywhere, or an error; never another number."""
    surface = meshes.box() if RANK == RANKS - 1 else vd.polydata([])
    f = harness.Filter("SignedDistanceField", Input=vd.cloud([(0.5, 0.5, 2.0)]), Surface=surface)
    out = f.apply()
    if any(kind == "error" for kind, _ in out.messages):
        CHECKS.assertNotIn("SignedDistance", out.points())
    else:
        CHECKS.close(out.point("SignedDistance"), [1])


def check_report_is_on_rank_0():
    """The same open box on every rank: shown once. One on each rank alone: an error, and nothing."""
    f = harness.Filter("SurfaceCheck", Input=meshes.box(drop=(2, 3)))
    out = f.apply()
    CHECKS.assertEqual(out.messages, [])
    table, cells = (f.algorithm.GetOutputDataObject(port) for port in (1, 2))
    CHECKS.assertEqual(table.GetNumberOfColumns(), 11)
    shown = (out.data.GetNumberOfCells(), table.GetNumberOfRows(), cells.GetNumberOfCells())
    CHECKS.assertEqual(shown, (4, 2, 10) if RANK == 0 else (0, 0, 0))
    CHECKS.assertIn("Problem", out.cells())
    CHECKS.assertIn("Problem", vd.names(cells.GetCellData()))
    out = harness.run("SurfaceCheck", Input=meshes.box(hi=(1 + RANK, 1, 1)))
    CHECKS.assertEqual([kind for kind, _ in out.messages], ["error"])
    CHECKS.assertEqual(out.cells(), [])


def sources():
    """ParaView's own sources, which split themselves over the ranks, and a reader, which does not."""
    wavelet = simple.Wavelet(WholeExtent=[-5, 5, -5, 5, -5, 5])
    body = simple.XMLPolyDataReader(FileName=[BODY])
    cells = simple.Tetrahedralize(Input=wavelet)
    field = simple.SignedDistanceField(Input=wavelet, Surface=body)
    field.SignMethod = "Unsigned"
    volume = simple.SignedDistanceVolume(Input=body)
    volume.SamplingDimensions, volume.SignMethod = [12, 8, 8], "Unsigned"
    probe = simple.BVHProbe(Input=wavelet, SourceMesh=cells)
    return field, volume, probe, simple.SurfaceCheck(Input=body)


def check_split_sources():
    """Nothing hangs, and every point has an answer, on whichever rank it is."""
    *filters, report = sources()
    field, volume, probe = filters
    for f in [*filters, report]:
        f.UpdatePipeline()
    CHECKS.assertEqual(harness.MESSAGES.drain(), [])
    if not MODULE.GetSymmetricMPIMode():
        for f, least in zip(filters, (11**3, 12 * 8 * 8, 11**3)):
            CHECKS.assertGreaterEqual(f.GetDataInformation().GetNumberOfPoints(), least)
        CHECKS.assertEqual(probe.PointData["vtkValidPointMask"].GetRange(), (1, 1))
        table = report.GetDataInformation(1)
        CHECKS.assertEqual(table.GetNumberOfRows(), 2)
        CHECKS.assertEqual(
            probe.PointData["RTData"].GetRange(), probe.PointData["RTData_input"].GetRange()
        )
        return
    for f in (field, volume):
        data = f.GetClientSideObject().GetOutputDataObject(0).GetPointData()
        CHECKS.assertTrue(np.isfinite(vd.values(data, "SignedDistance")).all())
    data = probe.GetClientSideObject().GetOutputDataObject(0).GetPointData()
    CHECKS.close(vd.values(data, "RTData"), vd.values(data, "RTData_input"), 1e-3)


def main():
    CHECKS.assertTrue(hasattr(simple, "BVHProbe"), "PV_PLUGIN_PATH does not lead to the plugin")
    if MODULE.GetSymmetricMPIMode():
        check_whole_surface_on_every_rank()
        check_probe_of_a_mesh_on_every_rank()
        check_surface_on_one_rank_only()
        check_report_is_on_rank_0()
    check_split_sources()
    harness.STREAM.write("rank %d of %d: done\n" % (RANK, RANKS))


main()
