"""The lattice of hexahedra under the flow mesh around the Ahmed body (without its legs).

Layers wrap the front and the four sides of the body out to a box, and go straight downstream from the rear;
the tube that continues the rear face is filled with a core of hexahedra.
"""
import numpy as np

import ahmed_surface as body

INLET, OUTLET, SIDE, ROOF = -0.75, 2.5, 0.9, 1.2  # the box; its floor is the ground, z = 0
LAYERS = np.array([0.0, 0.012, 0.03, 0.058, 0.1, 0.16, 0.25, 0.37, 0.53, 0.74, 1.0])
WALL_LAYERS = 2
WAKE_STATIONS = 12
TETRA_STATIONS = range(1, 6)  # stations behind the rear whose core becomes tetrahedra
FRONT, MIDDLE, SLANT, NY, NZ = 5, 12, 4, 8, 6


def sections():
    """Rows (x, half width, bottom, top) of the inner and the outer rectangle at every station."""
    rows = body.stations(FRONT, MIDDLE, SLANT)
    t = np.arange(1, WAKE_STATIONS + 1) / WAKE_STATIONS
    wake = np.repeat(rows[-1:], WAKE_STATIONS, axis=0)
    wake[:, 0] += (OUTLET - body.LENGTH) * (0.4 * t + 0.6 * t * t)
    inner = np.concatenate([rows, wake])

    outer = np.tile([0.0, SIDE, 0.0, ROOF], (len(inner), 1))
    outer[:, 0] = inner[:, 0]
    wrapped = 0.05  # where the layer from the end of the rounding meets the box
    outer[:FRONT + 1, 0] = INLET + (wrapped - INLET) * np.arange(FRONT + 1) / FRONT
    straight = np.arange(1, MIDDLE + 1) / MIDDLE
    outer[FRONT + 1:FRONT + MIDDLE + 1, 0] = wrapped + (body.SLANT_START - wrapped) * straight
    return inner, outer


def perimeter(rows):
    """Points [station, along the perimeter]: over the top, down the left, back below, up the right."""
    x, w, bottom, top = (rows[:, i, None] for i in range(4))
    a = np.arange(NY)[None, :] / NY
    b = np.arange(NZ)[None, :] / NZ
    zero_y, zero_z = 0.0 * a, 0.0 * b
    y = np.concatenate([w * (2 * a - 1), w + zero_z, w * (1 - 2 * a), -w + zero_z, -w], axis=1)
    z = np.concatenate([top + zero_y, top + (bottom - top) * b, bottom + zero_y,
                        bottom + (top - bottom) * b, top], axis=1)
    return np.stack([np.broadcast_to(x, y.shape), y, z], axis=-1)


def end(row):
    """Points [z, y] of the rectangle at a station."""
    x, w, bottom, top = row
    z = bottom + (top - bottom) * np.arange(NZ + 1)[:, None] / NZ
    y = w * (2.0 * np.arange(NY + 1)[None, :] / NY - 1.0)
    return np.stack(np.broadcast_arrays(x, y, z), axis=-1)


def layered(inner, outer):
    """Points [u, v, layer] between two sheets [u, v]."""
    s = LAYERS[None, None, :, None]
    return inner[:, :, None] + s * (outer - inner)[:, :, None]


def cells_of(grid):
    """Corners [cells, 8] of the hexahedra of grid[u, v, w], in VTK's order."""
    half = (slice(None, -1), slice(1, None))
    order = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    return np.stack([grid[half[i], half[j], half[k]] for i, j, k in order], axis=3)


def lattice():
    """(points, hexahedra, wall, wake, depth).

    Integer coordinates; `wall` and `wake` mark the hexahedra to be split; `depth` of a point is 0 on the body
    and in the tube behind it, 1 on the outer box.
    """
    inner, outer = sections()
    rear = FRONT + MIDDLE + SLANT
    ring = layered(perimeter(inner), perimeter(outer))
    front = layered(end(inner[0]), end(outer[0]))
    core = np.stack([end(row).transpose(1, 0, 2) for row in inner[rear:]])

    corners, depths, walls, wakes = [], [], [], []
    for grid, depth, wall, wake in ((ring, LAYERS, np.s_[:rear, :, :WALL_LAYERS], None),
                                    (front, LAYERS, np.s_[:, :, :WALL_LAYERS], None),
                                    (core, np.zeros(NZ + 1), None, list(TETRA_STATIONS))):
        cells = cells_of(body.snap(grid))
        marks = np.zeros((2,) + cells.shape[:3], bool)
        for mark, chosen in zip(marks, (wall, wake)):
            if chosen is not None:
                mark[chosen] = True
        corners.append(cells.reshape(-1, 8, 3))
        depths.append(cells_of(np.broadcast_to(depth, grid.shape[:3])).reshape(-1))
        walls.append(marks[0].ravel())
        wakes.append(marks[1].ravel())

    points, hexahedra = body.weld(np.concatenate(corners))
    point_depth = np.zeros(len(points))
    point_depth[hexahedra.ravel()] = np.concatenate(depths)
    return points, hexahedra, np.concatenate(walls), np.concatenate(wakes), point_depth
