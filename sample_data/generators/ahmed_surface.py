"""The Ahmed body: S. R. Ahmed, G. Ramm, G. Faltin, "Some Salient Features of the Time-Averaged Ground
Vehicle Wake", SAE paper 840300, 1984; the legs as in the later experiments with the same body.

x points downstream from the front, y to the left, z up from the ground; metres. Coordinates are integers
in units of 2^-18 m (4 micrometres) until they are written: welding is then exact, and float32 holds them.
"""
import math

import numpy as np

UNIT = 2.0 ** -18

LENGTH = 1.044
HALF_WIDTH = 0.389 / 2
BOTTOM = 0.050
TOP = BOTTOM + 0.288
RADIUS = 0.100
SLANT_ANGLE = math.radians(25.0)
SLANT_LENGTH = 0.222
SLANT_START = LENGTH - SLANT_LENGTH * math.cos(SLANT_ANGLE)
LEG_RADIUS = 0.015
LEG_CENTRES = [(x, y) for x in (0.202, 0.672) for y in (-0.1635, 0.1635)]


def snap(points):
    """Integer coordinates of points in metres."""
    return np.rint(np.asarray(points) / UNIT).astype(np.int64)


def stations(front, middle, slant):
    """The body's cross-sections from front to rear as rows (x, half width, bottom, top).

    All four edges of the front face have the radius; the roundings meet in mitred corners, so that every
    section is a rectangle.
    """
    rows = []
    for i in range(front + 1):
        angle = 0.5 * math.pi * i / front
        inset = RADIUS * (1.0 - math.sin(angle))
        rows.append((RADIUS * (1.0 - math.cos(angle)), HALF_WIDTH - inset, BOTTOM + inset, TOP - inset))
    for i in range(1, middle + 1):
        x = RADIUS + (SLANT_START - RADIUS) * i / middle
        rows.append((x, HALF_WIDTH, BOTTOM, TOP))
    for i in range(1, slant + 1):
        along = SLANT_LENGTH * i / slant
        rows.append((SLANT_START + along * math.cos(SLANT_ANGLE), HALF_WIDTH, BOTTOM,
                     TOP - along * math.sin(SLANT_ANGLE)))
    return np.array(rows)


def side(rows, count, name):
    """Points [station, along the side] of one side of the body."""
    x, w, bottom, top = (rows[:, i, None] for i in range(4))
    t = np.arange(count + 1) / count
    across = w * (2.0 * t - 1.0)
    up = bottom + (top - bottom) * t
    y = {"top": across, "bottom": across, "left": w + 0 * up, "right": -w + 0 * up}[name]
    z = {"top": top + 0 * across, "bottom": bottom + 0 * across, "left": up, "right": up}[name]
    return snap(np.stack(np.broadcast_arrays(x, y, z), axis=-1))


def cap(row, ny, nz):
    """Points [y, z] of the flat end at a station."""
    x, w, bottom, top = row
    y = w * (2.0 * np.arange(ny + 1)[:, None] / ny - 1.0)
    z = bottom + (top - bottom) * np.arange(nz + 1)[None, :] / nz
    return snap(np.stack(np.broadcast_arrays(x, y, z), axis=-1))


def patch_triangles(grid, flip=False, skip=None):
    """Corner coordinates of two triangles a quad of grid[u, v]; they face along du x dv, or against it."""
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    keep = np.ones(a.shape[:2], bool) if skip is None else ~skip
    triangles = np.concatenate([np.stack([a, b, c], 2)[keep], np.stack([a, c, d], 2)[keep]])
    if flip:
        triangles = triangles[:, ::-1]
    corners_differ = ((triangles[:, 0] != triangles[:, 1]).any(1)
                      & (triangles[:, 1] != triangles[:, 2]).any(1)
                      & (triangles[:, 2] != triangles[:, 0]).any(1))
    return triangles[corners_differ]


def block_around(grid, centre):
    """Index ranges (i0, i1, j0, j1) of the quads of the bottom that a leg at `centre` cuts into."""
    margin = 1.5 * LEG_RADIUS
    x, y = grid[:, 0, 0] * UNIT, grid[-1, :, 1] * UNIT
    i0, i1 = np.searchsorted(x, centre[0] - margin) - 1, np.searchsorted(x, centre[0] + margin)
    j0, j1 = np.searchsorted(y, centre[1] - margin) - 1, np.searchsorted(y, centre[1] + margin)
    return i0, i1, max(j0, 0), min(j1, len(y) - 1)


def leg(grid, block, centre, rings=2, layers=5):
    """One leg: from the rim of its block in the bottom to the circle, down to the ground, and its foot."""
    i0, i1, j0, j1 = block
    rim = np.concatenate([grid[i0:i1, j0], grid[i1, j0:j1], grid[i1:i0:-1, j1], grid[i0, j1:j0:-1]])
    rim = np.concatenate([rim, rim[:1]])
    angles = [math.atan2(y * UNIT - centre[1], x * UNIT - centre[0]) for x, y, _ in rim]
    circle = np.array([(centre[0] + LEG_RADIUS * math.cos(a), centre[1] + LEG_RADIUS * math.sin(a), BOTTOM)
                       for a in angles])
    rows = [rim]
    rows += [snap(rim * UNIT + (circle - rim * UNIT) * r / rings) for r in range(1, rings + 1)]
    rows += [snap(circle - (0.0, 0.0, BOTTOM * k / layers)) for k in range(1, layers + 1)]
    foot = np.array([centre[0], centre[1], 0.0])
    rows += [snap(np.broadcast_to(foot, circle.shape))]
    return patch_triangles(np.array(rows))


def weld(corners):
    """(points, ids) of corner coordinates [..., 3]; points in the order of their first use."""
    flat = corners.reshape(-1, 3)
    unique, first, inverse = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return unique[order], rank[inverse].reshape(corners.shape[:-1])


def ahmed_body(front=16, middle=80, slant=24, ny=42, nz=31):
    """(points, triangles) of the closed body with legs; integer coordinates, normals outward."""
    rows = stations(front, middle, slant)
    bottom = side(rows, ny, "bottom")
    in_block = np.zeros((bottom.shape[0] - 1, bottom.shape[1] - 1), bool)
    legs = []
    for centre in LEG_CENTRES:
        i0, i1, j0, j1 = block_around(bottom, centre)
        in_block[i0:i1, j0:j1] = True
        legs.append(leg(bottom, (i0, i1, j0, j1), centre))
    corners = [
        patch_triangles(cap(rows[0], ny, nz), flip=True),
        patch_triangles(side(rows, ny, "top")),
        patch_triangles(bottom, flip=True, skip=in_block),
        patch_triangles(side(rows, nz, "left"), flip=True),
        patch_triangles(side(rows, nz, "right")),
        patch_triangles(cap(rows[-1], ny, nz)),
    ] + legs
    return weld(np.concatenate(corners))


def cut_window(points, triangles):
    """The body without a rectangle of its left side, 160 mm by 120 mm: an open surface."""
    corners = points[triangles]
    centre = (corners.min(axis=1) + corners.max(axis=1)) * (0.5 * UNIT)  # the same for both halves of a quad
    window = ((centre[:, 1] > HALF_WIDTH - 0.001) & (abs(centre[:, 0] - 0.5) < 0.08)
              & (abs(centre[:, 2] - 0.19) < 0.06))
    return weld(points[triangles[~window]])
