"""The pictures of the demo: what is shown how. Nothing is computed here but contours for display."""
import os

from paraview.simple import *  # noqa: F401,F403
from vtkmodules.vtkImagingCore import vtkImageShrink3D
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

SIZE = (1600, 900)
INK = [0.10, 0.12, 0.16]
BODY = [0.86, 0.87, 0.89]


def new_view():
    view = CreateRenderView(ViewSize=list(SIZE))
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    view.EnableRayTracing = 0
    return view


def title(view, text):
    shown = Show(Text(Text=text), view)
    shown.Color = INK
    shown.FontSize = 22
    shown.WindowLocation = "Upper Center"


def look(view, centre, direction, height, parallel=True):
    """Points the camera at `centre` from `direction`; `height` is what fits into the picture's height."""
    distance = 4.0 * height
    length = sum(d * d for d in direction) ** 0.5
    view.CameraParallelProjection = 1 if parallel else 0
    view.CameraFocalPoint = list(centre)
    view.CameraPosition = [c + distance * d / length for c, d in zip(centre, direction)]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraParallelScale = 0.5 * height
    view.CameraViewAngle = 14.25  # 2 atan(1/8): the same height at the focal point as in parallel projection


def colour(shown, view, array, preset, value_range, bar_title, labels="%.2f", component=None):
    ColorBy(shown, ("POINTS", array) if component is None else ("POINTS", array, component), separate=True)
    table = GetColorTransferFunction(array, shown, separate=True)
    table.ApplyPreset(preset, True)
    table.RescaleTransferFunction(*value_range)
    table.NanOpacity = 0.0
    bar = GetScalarBar(table, view)
    bar.Title = bar_title
    bar.ComponentTitle = ""
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Any Location"
    bar.Position = [0.3, 0.05]
    bar.ScalarBarLength = 0.4
    bar.TitleColor = bar.LabelColor = INK
    bar.TitleFontSize = bar.LabelFontSize = 18
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = labels
    shown.SetScalarBarVisibility(view, True)
    shown.Ambient, shown.Diffuse, shown.Specular = 1.0, 0.0, 0.0  # the colour of the map, whatever the light


def solid(view, source, rgb, opacity=1.0):
    shown = Show(source, view)
    shown.ColorArrayName = ["POINTS", ""]
    shown.AmbientColor = shown.DiffuseColor = list(rgb)
    shown.Opacity = opacity
    shown.Ambient, shown.Diffuse = 0.25, 0.85
    return shown


def lines(view, source, width, rgb=INK, opacity=1.0):
    """`width` is in pixels of the rendering, twice as many as in the picture: see save()."""
    shown = solid(view, source, rgb, opacity)
    shown.LineWidth = width
    shown.Ambient, shown.Diffuse = 1.0, 0.0
    return shown


def contour(source, array, values):
    return Contour(Input=source, ContourBy=["POINTS", array], Isosurfaces=list(values))


def save(view, folder, name):
    """Rendered at twice the size and averaged, for smooth edges and lines."""
    path = os.path.join(folder, name)
    SaveScreenshot(path, view, ImageResolution=[2 * n for n in SIZE])
    Delete(view)
    reader, half, writer = vtkPNGReader(), vtkImageShrink3D(), vtkPNGWriter()
    reader.SetFileName(path)
    half.SetInputConnection(reader.GetOutputPort())
    half.SetShrinkFactors(2, 2, 1)
    half.AveragingOn()
    half.Update()
    writer.SetInputConnection(half.GetOutputPort())
    writer.SetFileName(path)
    writer.Write()
    return path


def distance_slice(folder, plane, centre, height, half_range, text):
    """Signed distance on a plane: diverging colours about 0, thin iso-lines, thick zero line."""
    view = new_view()
    shown = Show(plane, view)
    colour(shown, view, "SignedDistance", "Cool to Warm", (-half_range, half_range), "Signed distance [m]")
    step = half_range / 10
    thin = [step * i for i in range(-20, 31) if i != 0]
    lines(view, contour(plane, "SignedDistance", thin), 2.0, opacity=0.55)
    lines(view, contour(plane, "SignedDistance", [0.0]), 9.0)
    title(view, text)
    look(view, centre, (0, -1, 0), height)
    return save(view, folder, "distance_slice.png")


def zero_surface(folder, volume, surface, seam, centre, height, text):
    """The surface up to x = seam, and behind it the volume's zero surface with its triangles."""
    view = new_view()
    front = Clip(Input=surface, ClipType="Plane")
    rear = Clip(Input=contour(volume, "SignedDistance", [0.0]), ClipType="Plane", Invert=0)
    for part in (front, rear):
        part.ClipType.Origin, part.ClipType.Normal = [seam, 0.0, 0.0], [1.0, 0.0, 0.0]
    solid(view, front, BODY)
    shown = solid(view, rear, [0.55, 0.72, 0.90])
    shown.SetRepresentationType("Surface With Edges")
    shown.EdgeColor = [0.27, 0.45, 0.66]
    title(view, text)
    look(view, centre, (-1.0, -0.9, 0.55), height, parallel=False)
    return save(view, folder, "zero_surface.png")


def probe(folder, plane, surface, array, value_range, bar_title, labels, centre, height, text, component=None):
    """A probed field on a plane that cuts the surface; missed points are transparent."""
    view = new_view()
    shown = Show(plane, view)
    colour(shown, view, array, "Viridis (matplotlib)", value_range, bar_title, labels, component)
    solid(view, surface, BODY)
    title(view, text)
    look(view, centre, (-0.75, -1.0, 0.45), height, parallel=False)
    return save(view, folder, "probe.png")


def traversal_cost(folder, plane, outline, array, value_range, centre, height, text):
    """How much work every query was."""
    view = new_view()
    shown = Show(plane, view)
    colour(shown, view, array, "Inferno (matplotlib)", value_range, array, "%.0f")
    if outline is not None:
        lines(view, outline, 4.0, rgb=[1.0, 1.0, 1.0])
    title(view, text)
    look(view, centre, (0, -1, 0), height)
    return save(view, folder, "traversal_cost.png")


# By Problem code: what a title calls it, and its colour.
PROBLEMS = (("boundary edges", [0.85, 0.16, 0.11]), ("non-manifold edges", [0.13, 0.35, 0.75]),
            ("inconsistent edges", [0.60, 0.20, 0.65]), ("degenerate triangles", [0.95, 0.75, 0.10]),
            ("duplicate triangles", [0.95, 0.55, 0.20]), ("crossing triangles", [0.10, 0.55, 0.35]))


def surface_check(folder, surface, problems, counts, centre, direction, height, name):
    """The surface, and on it what is wrong, a colour for each problem; `counts` by Problem code."""
    view = new_view()
    solid(view, surface, BODY)
    for code, (_, rgb) in enumerate(PROBLEMS):
        if counts[code]:
            part = Threshold(Input=problems, Scalars=["CELLS", "Problem"])
            part.LowerThreshold = part.UpperThreshold = code  # afterwards: choosing the array resets them
            if code < 3:
                lines(view, part, 9.0 if counts[code] < 1000 else 2.0, rgb)
            else:
                solid(view, part, rgb)
    found = ", ".join("%s %s" % (format(counts[i], ",d"), what) for i, (what, _) in enumerate(PROBLEMS) if counts[i])
    title(view, "Surface Check of the %s: %s" % (name, found))
    look(view, centre, direction, height, parallel=False)
    return save(view, folder, "surface_check.png")
