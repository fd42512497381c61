"""Pictures of the trees of the sample data; those of plans come from docs/recipes.

    PV_PLUGIN_PATH=... pvbatch scripts/tree_pictures.py --data sample_data --out docs [NAME ...]
"""
import argparse
import os
import sys

from paraview.simple import *  # noqa: F401,F403

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import demo_pictures as pictures  # noqa: E402

CENTRE, HEIGHT = (0.52, 0.0, 0.12), 0.95
FROM_FRONT = (-1.0, -0.9, 0.55)


def colour_cells(shown, view, array, preset, value_range, title, labels):
    """As pictures.colour(), for an array of the cells."""
    ColorBy(shown, ("CELLS", array), separate=True)
    table = GetColorTransferFunction(array, shown, separate=True)
    table.ApplyPreset(preset, True)
    table.RescaleTransferFunction(*value_range)
    pictures.scalar_bar(shown, view, table, title, labels)
    return shown


def bvh_boxes(body, folder):
    view = pictures.new_view()
    pictures.solid(view, body, pictures.BODY)
    for depth in range(1, 7):
        tree = BVHBoxes(Input=body, MinimumDepth=depth, MaximumDepth=depth)
        shown = Show(tree, view)
        shown.LineWidth = 14.0 - 2.0 * depth
        shown.Ambient, shown.Diffuse = 1.0, 0.0
        colour_cells(shown, view, "Depth", "Viridis (matplotlib)", (1, 6), "Depth of the node", "%.0f")
        shown.SetScalarBarVisibility(view, depth == 6)
    pictures.title(view, "BVH Boxes: the nodes of depth 1 to 6 over 41,400 triangles")
    pictures.look(view, CENTRE, FROM_FRONT, HEIGHT, parallel=False)
    return pictures.save(view, folder, "bvh_boxes.png")


def cluster_tree(body, folder):
    """Boxes are shrunk for the picture, since siblings touch."""
    view = pictures.new_view()
    tree = ClusterTree(Input=body, InputElements="Cells", MinimumDepth=7, MaximumDepth=7)
    tree.BoxType = "Solid"
    tree.UpdatePipeline()
    lo, hi = tree.CellData["TotalArea"].GetRange()
    shown = Show(Shrink(Input=tree, ShrinkFactor=0.85), view)
    title = "Area of the triangles of a node [m^2]"
    colour_cells(shown, view, "TotalArea", "Viridis (matplotlib)", (lo, hi), title, "%.3f")
    shown.Ambient, shown.Diffuse = 0.35, 0.75
    pictures.title(view, "Cluster Tree: the 128 nodes of depth 7, each of 323 or 324 triangles")
    pictures.look(view, CENTRE, FROM_FRONT, HEIGHT, parallel=False)
    return pictures.save(view, folder, "cluster_tree.png")


def bvh_candidates(body, folder):
    """How many leaf boxes hold each point of the symmetry plane."""
    view = pictures.new_view()
    data = os.path.dirname(body.FileName[0])
    flow = XMLUnstructuredGridReader(FileName=[os.path.join(data, "ahmed_flow.vtu")])
    plane = XMLImageDataReader(FileName=[os.path.join(data, "probe_plane.vti")])
    found = BVHCandidates(SourceMesh=flow, Input=plane, LimitCandidates=0)
    found.UpdatePipeline()
    shown = Show(found, view)
    shown.SetRepresentationType("Slice")
    most = found.PointData["CandidateCount"].GetRange()[1]
    title = "Cells in whose box a point lies"
    pictures.colour(shown, view, "CandidateCount", "Viridis (matplotlib)", (0, most), title, "%.0f")
    pictures.title(view, "BVH Candidates: 31,137 points of the symmetry plane in 19,440 cells")
    b = plane.GetDataInformation().GetBounds()
    pictures.look(view, [(b[0] + b[1]) / 2, 0.0, (b[4] + b[5]) / 2 - 0.08], (0, -1, 0), 1.3 * (b[5] - b[4]))
    return pictures.save(view, folder, "bvh_candidates.png")


ALL = {"bvh_candidates": bvh_candidates, "bvh_boxes": bvh_boxes, "cluster_tree": cluster_tree}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("names", nargs="*", choices=[[], *ALL])
    args = parser.parse_args()
    body = XMLPolyDataReader(FileName=[os.path.join(args.data, "ahmed_body.vtp")])
    for name in args.names or ALL:
        print(ALL[name](body, args.out))


main()
