"""Writes the sample data: pvpython sample_data/generators/generate.py FOLDER"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ahmed_surface  # noqa: E402
import flow_mesh  # noqa: E402
import vtk_files  # noqa: E402


def generate(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unit = ahmed_surface.UNIT

    points, triangles = ahmed_surface.ahmed_body()
    vtk_files.write_triangles(folder / "ahmed_body.vtp", points * unit, triangles)
    vtk_files.write_stl(folder / "ahmed_body_soup.stl", points * unit, triangles)
    open_points, open_triangles = ahmed_surface.cut_window(points, triangles)
    vtk_files.write_triangles(folder / "ahmed_body_hole.vtp", open_points * unit, open_triangles)

    points, depth, cells, material = flow_mesh.flow_mesh()
    velocity, pressure, linear = flow_mesh.flow_fields(points * unit, depth)
    vtk_files.write_mesh(
        folder / "ahmed_flow.vtu", points * unit, cells,
        {"pressure": pressure, "velocity": velocity, "linear": linear},
        {"material": material, "cell_number": np.arange(len(cells), dtype=np.int64)})

    vtk_files.write_image(folder / "probe_plane.vti", (-0.5, 0.0, 0.0), (2.0 ** -7, 1.0, 2.0 ** -7), (321, 1, 97))
    t = np.arange(201) / 200.0
    line = np.stack([-0.5 + 2.75 * t, 0.0 * t, 0.04 + 0.4 * t], axis=1)
    vtk_files.write_line(folder / "probe_line.vtp", line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    generate(sys.argv[1])
