"""Cell locators asked from Python: one call, one answer."""

import os
import sys

import numpy as np
from vtkmodules.vtkCommonCore import reference, vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkGenericCell

import harness


def wrapped(name):
    """A class of the plugin, from the Python module beside its library."""
    folder = os.path.dirname(os.path.abspath(harness.ARGUMENTS[0]))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    from spatialqueries import vtkSQFilters

    return getattr(vtkSQFilters, name)


class Asker:
    """A locator over a data set."""

    def __init__(self, locator, data):
        self.locator, self.data, self.cell = locator, data, vtkGenericCell()
        locator.SetDataSet(data)
        locator.BuildLocator()

    def find(self, x, tolerance=0.0):
        """(cell, weights of its points, parametric coordinates, sub id)."""
        pcoords, sub = [0.0] * 3, reference(0)
        weights = [0.0] * max(1, self.data.GetMaxCellSize())
        cell = self.locator.FindCell(list(x), tolerance**2, self.cell, sub, pcoords, weights)
        count = self.cell.GetNumberOfPoints() if cell >= 0 else 0
        return cell, np.array(weights[:count]), np.array(pcoords), int(sub)

    def closest(self, x, radius=None):
        """(cell, distance, point, inside); cell -1 for none."""
        at, cell, sub = [0.0] * 3, reference(-1), reference(0)
        d2, inside = reference(0.0), reference(0)
        found = self.locator.FindClosestPointWithinRadius(
            list(x), np.inf if radius is None else radius, at, self.cell, cell, sub, d2, inside
        )
        if not found:
            return -1, np.nan, np.full(3, np.nan), 0
        return int(cell), float(d2) ** 0.5, np.array(at), int(inside)

    def first(self, a, b, tolerance=0.0):
        """(cell, t, point, parametric coordinates); cell -1 for none."""
        t, at, pcoords = reference(0.0), [0.0] * 3, [0.0] * 3
        sub, cell = reference(0), reference(-1)
        hit = self.locator.IntersectWithLine(
            list(a), list(b), tolerance, t, at, pcoords, sub, cell, self.cell
        )
        return (int(cell), float(t), np.array(at), np.array(pcoords)) if hit else (-1,) + (None,) * 3

    def all(self, a, b, tolerance=0.0, boxes=False):
        """(cells, points)."""
        points, ids = vtkPoints(), vtkIdList()
        points.SetDataTypeToDouble()
        self.locator.IntersectWithLine(
            list(a), list(b), tolerance, points, ids, None if boxes else self.cell
        )
        count = ids.GetNumberOfIds()
        return (
            [ids.GetId(i) for i in range(count)],
            np.array([points.GetPoint(i) for i in range(count)]).reshape(-1, 3),
        )

    def _ids(self, call):
        ids = vtkIdList()
        call(ids)
        return [ids.GetId(i) for i in range(ids.GetNumberOfIds())]

    def along_line(self, a, b, tolerance=0.0):
        return self._ids(
            lambda ids: self.locator.FindCellsAlongLine(list(a), list(b), tolerance, ids)
        )

    def in_box(self, box):
        return self._ids(lambda ids: self.locator.FindCellsWithinBounds(list(box), ids))

    def along_plane(self, origin, normal, tolerance=0.0):
        return self._ids(
            lambda ids: self.locator.FindCellsAlongPlane(list(origin), list(normal), tolerance, ids)
        )
