"""The reference's trees in numpy: Morton order, midpoint topology, boxes, candidates; written from its description."""

import numpy as np


def morton_order(points):
    """Stable order of (n, D) floats by Morton code, the first axis least significant."""
    n, dimension = points.shape
    bits = min(62, 63 // dimension)
    codes = np.zeros(n, np.int64)
    finite = np.isfinite(points).all(axis=0)
    with np.errstate(all="ignore"):
        for d in np.nonzero(finite)[0]:
            x = points[:, d]
            lo = x.min()
            extent = x.max() - lo
            if not np.isfinite(extent):
                continue
            extent = extent if extent != 0 else x.dtype.type(1)
            t = (x - lo) / extent * x.dtype.type(2**bits - 1)
            q = np.clip(t.astype(np.int64), 0, 2**bits - 1)
            for b in range(bits):
                codes |= ((q >> b) & 1) << (b * dimension + d)
    return np.argsort(codes, kind="stable")


class Tree:
    """Topology over n positions: left, right, start, count, depth, parent of every node."""

    def __init__(self, n, leaf_size):
        self.left, self.right, self.start, self.count, self.depth = [], [], [], [], []
        self.parent = []
        if n:
            self._add(0, n, 0, -1)
        frontier = [0] if n else []
        while frontier:
            inner = [i for i in frontier if self.count[i] > leaf_size]
            lefts, rights = [], []
            for i in inner:
                half = self.count[i] // 2
                self.left[i] = self._add(self.start[i], half, self.depth[i] + 1, i)
                self.right[i] = self._add(
                    self.start[i] + half, self.count[i] - half, self.depth[i] + 1, i
                )
                lefts.append(self.left[i])
                rights.append(self.right[i])
            frontier = lefts + rights
        for name in ("left", "right", "start", "count", "depth", "parent"):
            setattr(self, name, np.array(getattr(self, name), np.int64))

    def _add(self, start, count, depth, parent):
        self.left.append(-1)
        self.right.append(-1)
        self.start.append(start)
        self.count.append(count)
        self.depth.append(depth)
        self.parent.append(parent)
        return len(self.left) - 1

    def items(self, order, node):
        return order[self.start[node] : self.start[node] + self.count[node]]

    def boxes(self, order, lo, hi):
        """Least and largest corner of every node from those of the items."""
        if not len(self.left):
            return np.zeros((0, lo.shape[1]), lo.dtype), np.zeros((0, lo.shape[1]), lo.dtype)
        rows = [self.items(order, i) for i in range(len(self.left))]
        return np.array([lo[r].min(axis=0) for r in rows]), np.array(
            [hi[r].max(axis=0) for r in rows]
        )


def candidates(tree, order, box_lo, box_hi, query, tolerance, limit=None):
    """Ascending ids, and whether the limit left one out."""
    if not len(tree.left) or np.isnan(query).any():
        return [], False
    leaves = np.nonzero(tree.left < 0)[0]
    near = ((query >= box_lo[leaves] - tolerance) & (query <= box_hi[leaves] + tolerance)).all(
        axis=1
    )
    deepest = tree.depth.max()
    upper = [
        c for i in leaves[near] if tree.depth[i] < deepest for c in tree.items(order, i).tolist()
    ]
    lower = [
        c for i in leaves[near] if tree.depth[i] == deepest for c in tree.items(order, i).tolist()
    ]
    every = sorted(upper + lower)
    if limit is None:
        return every, False
    taken = upper if len(upper) >= limit else every
    return sorted(taken)[:limit], len(every) > min(limit, len(taken))


def surface_area(lo, hi):
    e = hi.astype(float) - lo.astype(float)
    return 2 * (e[:, 0] * e[:, 1] + e[:, 1] * e[:, 2] + e[:, 2] * e[:, 0])
