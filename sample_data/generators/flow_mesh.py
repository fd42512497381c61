"""The mixed flow mesh: all four linear solid cells, conforming, with a made-up flow.

The layers next to the wall are split into wedges, a box of the wake into tetrahedra, and every other
hexahedron that touches a split face into pyramids and tetrahedra about its centre, so that all faces match.
"""
import numpy as np

import ahmed_surface as body
import flow_lattice

TETRA, HEXAHEDRON, WEDGE, PYRAMID = 10, 12, 13, 14  # VTK's cell types
OUTER, WALL, TRANSITION, WAKE = 0, 1, 2, 3  # values of `material`

# Faces of VTK's hexahedron, counter-clockwise seen from outside.
HEX_FACES = ((0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7))
HALVES = ((0, 2, 1, 4, 6, 5), (0, 3, 2, 4, 7, 6))  # the two wedges of a hexahedron, split along 0-2 and 4-6


def face_key(face):
    return tuple(sorted(face))


def split_faces(hexahedra, wall, wake):
    """The diagonal of every face that is split, by the face's sorted corners."""
    diagonals = {}
    for cell in hexahedra[wall].tolist():
        diagonals[face_key(cell[:4])] = (cell[0], cell[2])
        diagonals[face_key(cell[4:])] = (cell[4], cell[6])
    for cell in hexahedra[wake].tolist():
        for local in HEX_FACES:
            face = [cell[i] for i in local]
            lowest = face.index(min(face))
            diagonals.setdefault(face_key(face), (face[lowest], face[(lowest + 2) % 4]))
    return diagonals


def split_about_centre(cell, centre, diagonals):
    """Pyramids on the whole faces of a hexahedron, two tetrahedra on each split face."""
    for local in HEX_FACES:
        a, b, c, d = (cell[i] for i in local)
        diagonal = diagonals.get(face_key((a, b, c, d)))
        if diagonal is None:
            yield PYRAMID, (d, c, b, a, centre)
            continue
        if a not in diagonal:
            a, b, c, d = b, c, d, a
        yield TETRA, (a, c, b, centre)
        yield TETRA, (a, d, c, centre)


def flow_mesh():
    """(points in integer units, depth of each point, [(type, ids)], material of each cell)."""
    points, hexahedra, wall, wake, depth = flow_lattice.lattice()
    diagonals = split_faces(hexahedra, wall, wake)
    cells, material, centres = [], [], []
    for number, cell in enumerate(hexahedra.tolist()):
        if wall[number]:
            cells += [(WEDGE, tuple(cell[i] for i in half)) for half in HALVES]
            material += [WALL, WALL]
        elif any(face_key([cell[i] for i in local]) in diagonals for local in HEX_FACES):
            parts = list(split_about_centre(cell, len(points) + len(centres), diagonals))
            centres.append(number)
            cells += parts
            material += [WAKE if wake[number] else TRANSITION] * len(parts)
        else:
            cells.append((HEXAHEDRON, tuple(cell)))
            material.append(OUTER)
    corners = hexahedra[centres]
    points = np.concatenate([points, points[corners].sum(axis=1) // 8])
    depth = np.concatenate([depth, depth[corners].sum(axis=1) / 8.0])
    return points, depth, cells, np.array(material, np.int32)


# The made-up flow: a source in the nose and a sink behind the rear over the ground, in air at 40 m/s, slowed
# down towards the wall and in the wake. Only +, -, *, / and square roots, so that every machine gets the same bits.
SPEED, DENSITY = 40.0, 1.2
STRENGTH = 0.3
POLES = [(0.13, 0.19, 1.0), (0.13, -0.19, 1.0), (0.98, 0.17, -1.0), (0.98, -0.17, -1.0)]  # x, z, sign; mirrored


def flow_fields(points, depth):
    """(velocity, pressure, linear) at points in metres; `linear` is 1 + 2 x - 3 y + 4 z, exactly."""
    x, y, z = points.T
    velocity = np.stack([np.full(len(x), SPEED), np.zeros(len(x)), np.zeros(len(x))], axis=1)
    for pole_x, pole_z, sign in POLES:
        away = np.stack([x - pole_x, y, z - pole_z], axis=1)
        r2 = away[:, 0] * away[:, 0] + away[:, 1] * away[:, 1] + away[:, 2] * away[:, 2]
        velocity += (sign * STRENGTH / (r2 * np.sqrt(r2)))[:, None] * away
    u, v, w = velocity.T
    pressure = 0.5 * DENSITY * (SPEED * SPEED - (u * u + v * v + w * w))
    slow = 0.03 / (depth + 0.03)
    behind = np.maximum(x - body.LENGTH, 0.0)
    later = behind / (behind + 0.25)
    across = (y * y) / 0.04 + (z - 0.14) * (z - 0.14) / 0.02
    slow = slow * (1.0 - later) * (1.0 - later) + 2.2 * later * (1.0 - later) / ((1.0 + across) * (1.0 + across))
    velocity = velocity * (1.0 - slow)[:, None]
    return velocity.astype(np.float32), pressure.astype(np.float32), 1.0 + 2.0 * x - 3.0 * y + 4.0 * z
