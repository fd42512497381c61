"""What one target sees: near leaves in red, far nodes in blue, darker the higher they stand in the tree; in orange leaves
whose points it sees from the centroid of its own node.

As a macro: Macros > Import new macro, then select points (or the pipeline item alone) and click on it.
In a batch: pvbatch docs/recipes/interaction_list.py DATA PICTURE
"""
import sys

from paraview import servermanager
from paraview.simple import *  # noqa: F401,F403

OPENING_ANGLE, LEAF_SIZE = 1.0, 16
BATCH = sys.argv[1:] if sys.argv and sys.argv[0].endswith(".py") else []


def centre_of(proxy):
    b = proxy.GetDataInformation().GetBounds()
    return [(b[0] + b[1]) / 2, (b[2] + b[3]) / 2, (b[4] + b[5]) / 2]


def picked(source):
    """The middle of what is selected, else a corner of the box."""
    selection = source.SMProxy.GetSelectionInput(source.Port)
    if selection:
        return centre_of(ExtractSelection(Input=source, Selection=servermanager._getPyProxy(selection)))
    b = source.GetDataInformation().GetBounds()
    return [b[0], b[2], b[5]]


def some_boxes(tree, nodes, view):
    ids = [n for node in sorted(nodes) for n in (0, node)]
    chosen = IDSelectionSource(FieldType="CELL", IDs=ids)
    return Show(ExtractSelection(Input=tree, Selection=chosen), view)


source = OpenDataFile(BATCH[0]) if BATCH else GetActiveSource()
source.UpdatePipeline()
view = CreateRenderView(ViewSize=[1600, 900]) if BATCH else GetActiveViewOrCreate("RenderView")
plan = InteractionPlan(Input=source, OpeningAngle=OPENING_ANGLE, LeafSize=LEAF_SIZE)
plan.PairsOf, plan.TargetPoint = "Target At Point", picked(source)
plan.UpdatePipeline()
pairs = servermanager.Fetch(plan, idx=2).GetCellData()
near, far, shared = set(), set(), set()
kinds = (near, far, shared, far)  # by stream: near, near-far, far-near, far
for i in range(pairs.GetArray("Stream").GetNumberOfTuples()):
    stream, node = (int(pairs.GetArray(a).GetTuple1(i)) for a in ("Stream", "SourceNode"))
    kinds[stream].add(node)

# All nodes are shown, so a box has the number of its node.
tree = ClusterTree(Input=source, LeafSize=LEAF_SIZE, MinimumDepth=0, MaximumDepth=64)
if far:
    blue = some_boxes(tree, far, view)
    ColorBy(blue, ("CELLS", "Depth"), separate=True)
    colours = GetColorTransferFunction("Depth", blue, separate=True)
    blue.RescaleTransferFunctionToDataRange()
    lo, hi = blue.Input.CellData["Depth"].GetRange()
    colours.ColorSpace = "RGB"
    colours.RGBPoints = [lo, 0.03, 0.19, 0.42, (lo + hi) / 2, 0.26, 0.57, 0.78, max(hi, lo + 1), 0.78, 0.86, 0.94]
    blue.SetScalarBarVisibility(view, True)
    blue.LineWidth = 2.0
    bar = GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "Depth of far nodes", ""
    if BATCH:  # on white
        bar.TitleColor = bar.LabelColor = [0.1, 0.12, 0.16]
for nodes, colour, width in ((shared, [0.99, 0.55, 0.24], 2.0), (near, [0.84, 0.10, 0.11], 5.0)):
    if nodes:
        shown = some_boxes(tree, nodes, view)
        shown.ColorArrayName = ["CELLS", ""]
        shown.AmbientColor = shown.DiffuseColor = colour
        shown.LineWidth = width
body = Show(source, view)
body.ColorArrayName = ["POINTS", ""]
body.Opacity = 0.35
target = Show(PointSource(Center=list(plan.TargetPoint), NumberOfPoints=1), view)
target.PointSize, target.RenderPointsAsSpheres = 18.0, 1
target.AmbientColor = target.DiffuseColor = [0.84, 0.10, 0.11]
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
    SetActiveSource(source)
    Render(view)
