"""Writes docs/probe_cell_types.png: which cell BVH Probe finds in a plane through polyhedra and through curved Lagrange cells.

Run from the top of the repository, after the build:
    scripts/with_display.sh pvpython scripts/cell_types_picture.py build/plugins/SpatialQueries/SpatialQueries.so
"""
import os
import sys

import numpy as np
from paraview.simple import *  # noqa: F401,F403
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(TOP, "scripts"), os.path.join(TOP, "tests", "plugin")]
import demo_pictures as picture  # noqa: E402
import dual_mesh  # noqa: E402
import vtk_data as vd  # noqa: E402


def bend(x):
    """A quarter of a thick tube."""
    angle, radius = 0.5 * np.pi * x[:, 0], 0.45 + 0.55 * x[:, 2]
    wave = 0.06 * np.sin(2 * np.pi * x[:, 0]) * np.sin(2 * np.pi * x[:, 1])
    return np.stack([(radius + wave) * np.sin(angle), x[:, 1], (radius + wave) * np.cos(angle)], 1)


def lagrange(kind, order, blocks):
    source = vtkCellTypeSource()
    source.SetCellType(kind)
    source.SetCellOrder(order)
    source.SetBlocksDimensions(*blocks)
    source.SetOutputPrecision(1)
    source.Update()
    straight = source.GetOutput()
    mesh = vd.unstructured(bend(vd.coordinates(straight) / np.array(blocks)) + (1.25, 0, 0), [])
    mesh.SetCells(straight.GetCellTypesArray(), straight.GetCells())
    return mesh


def producer(data):
    out = TrivialProducer()
    out.GetClientSideObject().SetOutput(data)
    out.UpdatePipeline()
    return out


def shades(mesh):
    """A number a cell, neighbours far apart."""
    return vd.add(mesh, "cell", shade=(np.arange(mesh.GetNumberOfCells()) * 0.618034) % 1.0)


def main():
    LoadPlugin(sys.argv[1], remote=False, ns=globals())
    view = picture.new_view()
    meshes = [shades(dual_mesh.dual(5)), shades(lagrange(72, 3, (3, 3, 2)))]
    for mesh, lo in zip(meshes, (0.0, 1.2)):
        source = producer(mesh)
        plane = vd.image((401, 1, 401), (lo, 0.49, -0.05), (1.1 / 400, 1, 1.1 / 400))
        probe = BVHProbe(SourceMesh=source, Input=producer(plane))
        valid = Threshold(Input=probe, Scalars=["POINTS", "vtkValidPointMask"])
        valid.LowerThreshold = valid.UpperThreshold = 1
        shown = Show(valid, view)
        shown.SetRepresentationType("Surface")
        ColorBy(shown, ("POINTS", "shade"), separate=True)
        table = GetColorTransferFunction("shade", shown, separate=True)
        table.ApplyPreset("Rainbow Desaturated", True)
        table.RescaleTransferFunction(0, 1)
        shown.SetScalarBarVisibility(view, False)
        shown.InterpolateScalarsBeforeMapping = 0
        shown.Ambient, shown.Diffuse, shown.Specular = 1.0, 0.0, 0.0
        behind = Show(source, view)
        behind.SetRepresentationType("Wireframe")
        behind.NonlinearSubdivisionLevel = 3
        behind.ColorArrayName = ["POINTS", ""]
        behind.AmbientColor = behind.DiffuseColor = picture.INK
        behind.LineWidth, behind.Opacity = 2.0, 0.35
    text = "The cell that holds each point of a plane: polyhedra, Lagrange hexahedra of order 3"
    picture.title(view, text)
    picture.look(view, (1.15, 0.5, 0.52), (0.25, -1.0, 0.3), 1.55)
    picture.save(view, os.path.join(TOP, "docs"), "probe_cell_types.png")


main()
