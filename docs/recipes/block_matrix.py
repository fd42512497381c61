"""The plan as a matrix of blocks, targets down and sources across in tree order: share of each of the four streams.

As a macro: Macros > Import new macro, then select a pipeline item and click on it.
In a batch: pvbatch docs/recipes/block_matrix.py DATA PICTURE
"""
import sys

from paraview.simple import *  # noqa: F401,F403

OPENING_ANGLE, LEAF_SIZE = 1.0, 16
STREAMS = ("NearShare", "NearFarShare", "FarNearShare", "FarFarShare")
BATCH = sys.argv[1:] if sys.argv and sys.argv[0].endswith(".py") else []

source = OpenDataFile(BATCH[0]) if BATCH else GetActiveSource()
plan = InteractionPlan(Input=source, OpeningAngle=OPENING_ANGLE, LeafSize=LEAF_SIZE)
plan.UpdatePipeline()
matrix = OutputPort(plan, 5)
bounds = matrix.GetDataInformation().GetBounds()
view = CreateRenderView(ViewSize=[1200, 1200])
if not BATCH:
    AssignViewToLayout(view, CreateLayout("Block Matrix"))
view.InteractionMode, view.OrientationAxesVisibility = "2D", 0
view.UseColorPaletteForBackground, view.Background = 0, [1.0, 1.0, 1.0]
for i, stream in enumerate(STREAMS):
    shown = Show(matrix, view) if i == 0 else Show(PassArrays(Input=matrix, CellDataArrays=STREAMS), view)
    shown.SetRepresentationType("Surface")
    ColorBy(shown, ("CELLS", stream), separate=True)
    colours = GetColorTransferFunction(stream, shown, separate=True)
    colours.ColorSpace = "RGB"
    colours.RGBPoints = [0.0, 0.96, 0.97, 0.99, 0.5, 0.42, 0.68, 0.84, 1.0, 0.03, 0.19, 0.42]
    shown.Ambient, shown.Diffuse = 1.0, 0.0
    x, y = 1.1 * bounds[1] * (i % 2), -1.1 * bounds[3] * (i // 2)
    shown.Position = [x, y + bounds[3], 0.0]
    shown.Scale = [1.0, -1.0, 1.0]  # the first target is the top row
    name = Show(Text(Text=stream), view)
    name.WindowLocation = "Any Location"
    name.Position = [0.04 + 0.48 * (i % 2), 0.965 - 0.49 * (i // 2)]
    name.Color, name.FontSize = [0.1, 0.12, 0.16], 24
middle = [1.05 * bounds[1], -0.05 * bounds[3], 0.0]
view.CameraParallelProjection = 1
view.CameraFocalPoint = middle
view.CameraPosition = middle[:2] + [10 * max(bounds)]
view.CameraViewUp = [0.0, 1.0, 0.0]
view.CameraParallelScale = 1.14 * bounds[3]
if BATCH:
    SaveScreenshot(BATCH[1], view, ImageResolution=[1200, 1200])
else:
    SetActiveSource(source)
    Render(view)
