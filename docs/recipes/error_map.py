"""How wrong the sums of a plan are at every target: |potential - exact| / |exact| of 1/r, on a logarithmic scale.

As a macro: Macros > Import new macro, then select a pipeline item and click on it.
In a batch: pvbatch docs/recipes/error_map.py DATA PICTURE
"""
import sys

from paraview.simple import *  # noqa: F401,F403

OPENING_ANGLE, LEAF_SIZE, KERNEL = 1.0, 1, "1/r"
ALL_UP_TO = 50000  # exact sums cost targets x sources; of more points only that many are compared
BATCH = sys.argv[1:] if sys.argv and sys.argv[0].endswith(".py") else []

source = OpenDataFile(BATCH[0]) if BATCH else GetActiveSource()
source.UpdatePipeline()
view = CreateRenderView(ViewSize=[1600, 900]) if BATCH else GetActiveViewOrCreate("RenderView")
plan = InteractionPlan(Input=source, OpeningAngle=OPENING_ANGLE, LeafSize=LEAF_SIZE, Kernel=KERNEL)
plan.ErrorTargets = 0 if source.GetDataInformation().GetNumberOfPoints() <= ALL_UP_TO else ALL_UP_TO
plan.UpdatePipeline()
Hide(source, view)
shown = Show(plan, view)
ColorBy(shown, ("POINTS", "RelativeError"), separate=True)
colours = GetColorTransferFunction("RelativeError", shown, separate=True)
colours.ApplyPreset("Viridis (matplotlib)", True)
high = plan.PointData["RelativeError"].GetRange()[1]
if high > 0:  # theta 0: all exact
    colours.RescaleTransferFunction(1e-3 * high, high)
    colours.MapControlPointsToLogSpace()
    colours.UseLogScale = 1
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "Relative error", ""
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.0e", "%.0e"
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
