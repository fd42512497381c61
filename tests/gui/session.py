"""Run by `paraview --script`: loads the sample data and reports, after every rendering, what is in the pipeline.

SQ_GUI_DATA: folder of the sample data; SQ_GUI_ACTIVE: the source to select; SQ_GUI_REPORT: the file to write.
"""
import json
import os

from paraview import servermanager
from paraview.simple import *  # noqa: F401,F403

DATA = os.environ["SQ_GUI_DATA"]
REPORT = os.environ["SQ_GUI_REPORT"]
SOURCES = (("ahmed_body", "ahmed_body.vtp"), ("ahmed_flow", "ahmed_flow.vtu"), ("probe_plane", "probe_plane.vti"),
           ("ahmed_body_hole", "ahmed_body_hole.vtp"))


def report(*_):
    """Every proxy in the pipeline with the arrays of its first output, once it has been applied."""
    found = []
    for proxy in GetSources().values():
        information = proxy.SMProxy.GetDataInformation(0)
        kinds = information.GetPointDataInformation(), information.GetCellDataInformation()
        found.append({"name": proxy.GetXMLName(),
                      "points": information.GetNumberOfPoints(),
                      "arrays": [k.GetArrayInformation(i).GetName() for k in kinds for i in range(k.GetNumberOfArrays())]})
    with open(REPORT + ".new", "w") as file:
        json.dump(found, file)
    os.replace(REPORT + ".new", REPORT)


def main():
    view = GetActiveViewOrCreate("RenderView")
    for name, file in SOURCES:
        source = OpenDataFile(os.path.join(DATA, file))
        RenameSource(name, source)
        if name == "ahmed_body":
            Show(source, view)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [-1.5, -2.2, 1.1], [0.7, 0.0, 0.2], [0.0, 0.0, 1.0]
    SetActiveSource(FindSource(os.environ["SQ_GUI_ACTIVE"]))
    Render(view)
    view.SMProxy.AddObserver("EndEvent", report)
    report()


main()
