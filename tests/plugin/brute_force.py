"""Slow, plain answers to compare with, in long double and written without the library's methods."""

import numpy as np

WIDE = np.longdouble


def _dot(a, b):
    return (a * b).sum(axis=-1)


def _segment(p, a, b):
    e = b - a
    ee = _dot(e, e)
    t = np.clip(np.where(ee > 0, _dot(p - a, e) / np.where(ee > 0, ee, 1), 0), 0, 1)
    return a + t[..., None] * e


def closest(queries, xyz, triangles):
    """Distance from every query to the triangles, the closest point, and all triangles at that distance (to rounding).

    The closest point of a triangle is the foot on its plane if that is inside, else the nearest on its three sides.
    """
    p = np.asarray(queries, float).astype(WIDE)[:, None]
    corner = np.asarray(xyz, float).astype(WIDE)[np.asarray(triangles)]
    a, b, c = (corner[None, :, k] for k in range(3))
    n = np.cross(b - a, c - a)
    nn = _dot(n, n)
    flat = nn == 0
    n = n / np.sqrt(np.where(flat, 1, nn))[..., None]
    foot = p - _dot(p - a, n)[..., None] * n
    inside = ~flat
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (_dot(np.cross(v - u, foot - u), n) >= 0)
    candidates = np.stack(
        [
            foot,
            *[np.broadcast_to(_segment(p, u, v), foot.shape) for u, v in ((a, b), (b, c), (c, a))],
        ]
    )
    d = np.sqrt(((candidates - p) ** 2).sum(axis=-1))
    d[0] = np.where(inside, d[0], np.inf)
    kind = d.argmin(axis=0)
    at = np.take_along_axis(candidates, kind[None, ..., None], 0)[0]
    d = d.min(axis=0)
    best = d.argmin(axis=1)
    rows = np.arange(len(d))
    low = d[rows, best]
    scale = max(np.abs(p).max(), np.abs(corner).max())
    ties = [np.nonzero(row <= m + 4e-16 * scale)[0] for row, m in zip(d, low)]
    return low.astype(float), at[rows, best].astype(float), ties


def winding(queries, xyz, triangles):
    """Exact generalised winding number (solid angles by van Oosterom and Strackee, 1983)."""
    corner = np.asarray(xyz, float).astype(WIDE)[np.asarray(triangles)]
    a, b, c = (
        corner[None, :, k] - np.asarray(queries, float).astype(WIDE)[:, None] for k in range(3)
    )
    la, lb, lc = (np.sqrt(_dot(v, v)) for v in (a, b, c))
    top = _dot(a, np.cross(b, c))
    low = la * lb * lc + _dot(a, b) * lc + _dot(b, c) * la + _dot(c, a) * lb
    return (2 * np.arctan2(top, low)).sum(axis=1).astype(float) / (4 * np.pi)


def signed_distance(queries, xyz, triangles):
    """For closed surfaces: negative where the winding number is above one half."""
    d, _, _ = closest(queries, xyz, triangles)
    return np.where(winding(queries, xyz, triangles) > 0.5, -d, d)


def hexahedron_weights(r, s, t):
    """Trilinear shape functions in VTK's order of corners."""
    return np.array(
        [
            (1 - r) * (1 - s) * (1 - t),
            r * (1 - s) * (1 - t),
            r * s * (1 - t),
            (1 - r) * s * (1 - t),
            (1 - r) * (1 - s) * t,
            r * (1 - s) * t,
            r * s * t,
            (1 - r) * s * t,
        ]
    )
