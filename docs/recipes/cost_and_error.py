"""Error against cost over opening angle, leaf size and expansion: a chart to choose the settings of a plan from.

As a macro: Macros > Import new macro, then select a pipeline item and click on it.
In a batch: pvbatch docs/recipes/cost_and_error.py DATA PICTURE
"""
import sys

from paraview.simple import *  # noqa: F401,F403

BATCH = sys.argv[1:] if sys.argv and sys.argv[0].endswith(".py") else []

source = OpenDataFile(BATCH[0]) if BATCH else GetActiveSource()
sweep = InteractionPlanSweep(Input=source)
sweep.OpeningAngles = [0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 10.0]
sweep.LeafSizes, sweep.ExpandModes = [1, 16], [0, 2]
sweep.UpdatePipeline()
best = ThresholdTable(Input=sweep, Column="ParetoOptimal", MinValue=1, MaxValue=1)

view = CreateView("XYChartView")
view.ViewSize = [1600, 900]
if not BATCH:
    AssignViewToLayout(view, CreateLayout("Cost And Error"))
view.ChartTitle = "Interaction plan: error against cost (1/r)"
view.BottomAxisTitle, view.LeftAxisTitle = "Evaluations as a share of all pairs", "rms error / rms of the exact sums"
view.BottomAxisLogScale = view.LeftAxisLogScale = 1
for table, label, colour, size in (
    (sweep, "all settings", ["0.29", "0.47", "0.66"], 9),
    (best, "nothing is both cheaper and better", ["0.85", "0.33", "0.12"], 15),
):
    shown = Show(table, view, "XYChartRepresentation")
    shown.UseIndexForXAxis, shown.XArrayName = 0, "FractionOfDense"
    shown.SeriesVisibility = ["RmsError"]
    shown.SeriesLabel = ["RmsError", label]
    shown.SeriesColor = ["RmsError"] + colour
    shown.SeriesLineStyle = ["RmsError", "0"]
    shown.SeriesMarkerStyle = ["RmsError", "4"]
    shown.SeriesMarkerSize = ["RmsError", str(size)]
if BATCH:
    SaveScreenshot(BATCH[1], view, ImageResolution=[1600, 900])
else:
    SetActiveSource(source)
    Render(view)
