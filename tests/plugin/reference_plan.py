"""Interaction plans in numpy, entry by entry, written from the description of the reference's dual traversal."""

import numpy as np

import reference_tree

STREAMS = ("near", "near_far", "far_near", "far")


class Cluster:
    """A cluster tree over (n, D) points with what the traversal asks of its nodes."""

    def __init__(self, points, leaf_size=1, areas=None):
        self.points = np.asarray(points, float)
        self.areas = np.ones(len(points)) if areas is None else np.asarray(areas, float)
        self.order = reference_tree.morton_order(self.points)
        self.tree = reference_tree.Tree(len(points), leaf_size)
        self.lo, self.hi = self.tree.boxes(self.order, self.points, self.points)
        self.size2 = np.array([squares(h - l) for l, h in zip(self.lo, self.hi)])
        nodes = range(len(self.tree.left))
        self.ids = [self.tree.items(self.order, i) for i in nodes]
        self.centroid = [
            (self.points[i].T * self.areas[i]).T.sum(axis=0) / self.areas[i].sum() for i in self.ids
        ]


def squares(v):
    total = 0.0
    for x in v:
        total = total + x * x
    return total


class Plan:
    """The four streams of targets T and sources S as lists of entries."""

    def __init__(self, T, S, theta=1.0, expand=0):
        self.T, self.S, self.theta2 = T, S, theta * theta
        self.near, self.near_far, self.far_near, self.far = [], [], [], []
        active = [(0, 0)] if len(T.points) and len(S.points) else []
        while active:
            active = [pair for t, s in active for pair in self._visit(t, s, expand)]
        if expand == 2:
            self.near += [(t, s) for _, s, targets in self.far_near for t in targets]
            self.far_near = []

    def _visit(self, t, s, expand):
        T, S = self.T, self.S
        gap = np.maximum(np.maximum(T.lo[t] - S.hi[s], S.lo[s] - T.hi[t]), 0)
        if squares(gap) * self.theta2 > (np.sqrt(T.size2[t]) + np.sqrt(S.size2[s])) ** 2:
            if expand:
                self.near_far += [(i, s) for i in T.ids[t]]
            else:
                self.far.append((t, s))
            return []
        leaf_t, leaf_s = T.tree.left[t] < 0, S.tree.left[s] < 0
        if leaf_t and leaf_s:
            self._leaves(t, s)
            return []
        split_t = not leaf_t and (leaf_s or T.size2[t] >= S.size2[s])
        split_s = not leaf_s and (leaf_t or S.size2[s] >= T.size2[t])
        targets = (T.tree.left[t], T.tree.right[t]) if split_t else (t,)
        sources = (S.tree.left[s], S.tree.right[s]) if split_s else (s,)
        return [(i, j) for i in targets for j in sources]

    def _leaves(self, t, s):
        T, S = self.T, self.S

        def away(x, cluster, node):
            d = x - np.clip(x, cluster.lo[node], cluster.hi[node])
            return squares(d) * self.theta2 > cluster.size2[node]

        left = []
        for i in T.ids[t]:
            if away(T.points[i], S, s):
                self.near_far.append((i, s))
            else:
                left.append(i)
        for j in S.ids[s]:
            if away(S.points[j], T, t):
                self.far_near.append((t, j, left))
            else:
                self.near += [(i, j) for i in left]

    def entries(self):
        return [len(getattr(self, name)) for name in STREAMS]

    def cover(self):
        """Number of times that each stream covers a (target, source) pair."""
        T, S = self.T, self.S
        out = np.zeros((4, len(T.points), len(S.points)), int)
        for t, s in self.near:
            out[0, t, s] += 1
        for t, s in self.near_far:
            out[1, t, S.ids[s]] += 1
        for _, s, targets in self.far_near:
            out[2, targets, s] += 1
        for t, s in self.far:
            out[3][np.ix_(T.ids[t], S.ids[s])] += 1
        return out

    def evaluations(self):
        """Share of every target in the evaluations of the kernel."""
        work = np.zeros(len(self.T.points))
        for t, _ in self.near + self.near_far:
            work[t] += 1
        for _, _, targets in self.far_near:
            work[targets] += 1 / max(len(targets), 1)
        for t, _ in self.far:
            work[self.T.ids[t]] += 1 / len(self.T.ids[t])
        return work

    def wasted(self):
        return sum(not targets for _, _, targets in self.far_near)

    def potential(self, strengths, kernel):
        """Sums by stream at every target, (4, targets)."""
        T, S, q = self.T, self.S, np.asarray(strengths, float)
        out = np.zeros((4, len(T.points)))
        for t, s in self.near:
            out[0, t] += q[s] * kernel(T.points[t] - S.points[s])
        for t, s in self.near_far:
            out[1, t] += q[S.ids[s]].sum() * kernel(T.points[t] - S.centroid[s])
        for t, s, targets in self.far_near:
            out[2, targets] += q[s] * kernel(T.centroid[t] - S.points[s])
        for t, s in self.far:
            out[3, T.ids[t]] += q[S.ids[s]].sum() * kernel(T.centroid[t] - S.centroid[s])
        return out


def kernels(length):
    """The kernels of the contract by their numbers, of a displacement."""

    def of(function, at_zero=0.0):
        def kernel(d):
            r = np.sqrt(squares(d))
            return function(r) if r > 0 else at_zero

        return kernel

    return {
        1: of(lambda r: 1 / r),
        2: of(lambda r: 1 / (r * r)),
        3: of(lambda r: np.exp(-((r / length) ** 2)), 1.0),
        4: of(lambda r: -np.log(r)),
        5: of(lambda r: (1 - np.exp(-((r / length) ** 2))) / (1 + (r / length) ** 2)),
    }


def direct(targets, sources, strengths, kernel):
    return np.array(
        [sum(q * kernel(t - s) for q, s in zip(strengths, sources)) for t in targets]
    )
