"""How many kernel evaluations a plan spends on every target, as colours on the surface.

As a macro: Macros > Import new macro, then select a pipeline item and click on it.
In a batch: pvbatch docs/recipes/evaluation_heat_map.py DATA PICTURE
"""
import sys

from paraview.simple import *  # noqa: F401,F403

OPENING_ANGLE, LEAF_SIZE = 1.0, 1
BATCH = sys.argv[1:] if sys.argv and sys.argv[0].endswith(".py") else []

source = OpenDataFile(BATCH[0]) if BATCH else GetActiveSource()
view = CreateRenderView(ViewSize=[1600, 900]) if BATCH else GetActiveViewOrCreate("RenderView")
plan = InteractionPlan(Input=source, OpeningAngle=OPENING_ANGLE, LeafSize=LEAF_SIZE)
plan.UpdatePipeline()
Hide(source, view)
shown = Show(plan, view)
ColorBy(shown, ("POINTS", "Evaluations"), separate=True)
colours = GetColorTransferFunction("Evaluations", shown, separate=True)
colours.ApplyPreset("Inferno (matplotlib)", True)
colours.RescaleTransferFunction(*plan.PointData["Evaluations"].GetRange())
colours.MapControlPointsToLogSpace()
colours.UseLogScale = 1
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "Evaluations per target", ""
if BATCH:  # on white
    bar.TitleColor = bar.LabelColor = [0.1, 0.12, 0.16]
shown.SetScalarBarVisibility(view, True)
view.ResetCamera()
if BATCH:
    view.UseColorPaletteForBackground, view.Background = 0, [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    centre = list(view.CameraFocalPoint)
    view.CameraPosition = [c + d for c, d in zip(centre, (-1.0, -0.9, 0.55))]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.ResetCamera()
    GetActiveCamera().Dolly(1.35)
    SaveScreenshot(BATCH[1], view, ImageResolution=[1600, 900])
else:
    Render(view)
