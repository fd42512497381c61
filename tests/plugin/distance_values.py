"""Signed Distance Field: the numbers, against closed forms and brute force."""

import numpy as np

import harness
import meshes
import brute_force
import vtk_data as vd


def distance(surface, queries, **settings):
    return harness.run("SignedDistanceField", settings, Input=vd.cloud(queries), Surface=surface)


class Box(harness.Case):
    """A box has a closed form, features of every kind, and ties."""

    lo, hi = (-1.0, -0.5, 0.25), (2.0, 1.5, 1.25)
    q = meshes.random_points(2000, (-3, -3, -3), (4, 4, 4))

    def test_closed_form(self):
        want = meshes.box_distance(self.q, self.lo, self.hi)
        self.assertGreater((want < 0).sum(), 20)
        for shape in ({}, {"quads": True}, {"soup": True}):
            with self.subTest(**shape):
                out = distance(meshes.box(self.lo, self.hi, **shape), self.q)
                self.close(out.point("SignedDistance"), want, 4e-15)
                self.assertTrue((out.point("vtkValidPointMask") == 1).all())
                self.quiet(out)

    def test_on_faces_edges_and_corners_zero(self):
        box = meshes.box(self.lo, self.hi)
        q = np.concatenate([vd.coordinates(box), [(0.5, 0.5, 1.25), (2, 0, 1), (-1, -0.5, 0.75)]])
        d = distance(box, q).point("SignedDistance")
        self.close(d, np.zeros(len(q)))
        self.assertFalse(np.signbit(d).any())

    def test_beside_sharp_features(self):
        """Closest to an edge or corner no single face normal knows the side."""
        e = 1e-9
        q = np.array(
            [
                (2 + e, 1.5 + e, 1.25 + e),
                (2 - e, 1.5 - e, 1.25 - e),
                (2 + e, 1.5 - e, 0.5),
                (0, 1.5 + e, 1.25 - 2 * e),
            ]
        )
        for soup in (False, True):
            d = distance(meshes.box(self.lo, self.hi, soup=soup), q).point("SignedDistance")
            self.close(d, meshes.box_distance(q, self.lo, self.hi), 1e-15)

    def test_flip_inside_out(self):
        inward = meshes.box(self.lo, self.hi, inward=True)
        want = meshes.box_distance(self.q, self.lo, self.hi)
        self.close(distance(inward, self.q).point("SignedDistance"), -want, 4e-15)
        self.close(distance(inward, self.q, FlipInsideOut=1).point("SignedDistance"), want, 4e-15)

    def test_sign_methods(self):
        want = meshes.box_distance(self.q, self.lo, self.hi)
        box = meshes.box(self.lo, self.hi)
        self.close(distance(box, self.q, SignMethod=1).point("SignedDistance"), want, 4e-15)
        self.close(distance(box, self.q, SignMethod=3).point("SignedDistance"), np.abs(want), 4e-15)


class Sphere(harness.Case):
    def test_brute_force(self):
        """Distance, sign and closest cell; the sphere's poles and equator tie often."""
        for where, radius, centre in (
            ("unit", 1.0, (0, 0, 0)),
            ("small, far away", 1e-3, (500, -300, 20)),
            ("large", 1e5, (1e5, 0, 0)),
        ):
            with self.subTest(where):
                xyz, tri = meshes.sphere_triangles(10, 16, radius, centre)
                q = np.asarray(centre) + meshes.random_points(400, -2, 2, 7) * radius
                q = np.concatenate([q, [centre], xyz[::9], xyz[tri[::11]].mean(axis=1)])
                want, _, ties = brute_force.closest(q, xyz, tri)
                inside = brute_force.winding(q, xyz, tri) > 0.5
                out = distance(vd.polydata(xyz, tri), q)
                scale = np.abs(q).max()
                d = out.point("SignedDistance")
                self.close(np.abs(d), want, 4 * np.spacing(scale))
                clear = want > 1e-12 * scale
                np.testing.assert_array_equal((d < 0)[clear], inside[clear])
                cell = out.point("ClosestCellId")
                for i, allowed in enumerate(ties):
                    self.assertIn(cell[i], allowed, "query %d" % i)

    def test_analytic(self):
        """A fine sphere lies within its sagitta of the true one."""
        xyz, tri = meshes.sphere_triangles(60, 120)
        q = meshes.random_points(1000, -2, 2, 3)
        d = distance(vd.polydata(xyz, tri), q).point("SignedDistance")
        true = np.sqrt((q**2).sum(axis=1)) - 1
        sagitta = 1 - np.cos(np.pi / 120) * np.cos(np.pi / 120)
        self.assertTrue((d >= true - 1e-12).all())
        self.assertTrue((d <= true + sagitta + 1e-12).all())

    def test_lipschitz_on_grid(self):
        n = 25
        grid = vd.image((n, n, n), (-1.5,) * 3, (3 / (n - 1),) * 3)
        out = harness.run(
            "SignedDistanceField", Input=grid, Surface=meshes.sphere(rings=9, segments=12)
        )
        d = out.point("SignedDistance").reshape(n, n, n)
        for axis in range(3):
            self.assertLessEqual(np.abs(np.diff(d, axis=axis)).max(), 3 / (n - 1) + 1e-12)


class ClosestPoint(harness.Case):
    """ClosestPoint, ClosestCellId, ClosestSubId and ClosestBarycentric tell one story."""

    def check(self, surface, triangles_of, q):
        out = distance(surface, q)
        d, at = out.point("SignedDistance"), out.point("ClosestPoint")
        self.close(np.sqrt(((q - at) ** 2).sum(axis=1)), np.abs(d), 1e-14)
        w = out.point("ClosestBarycentric")
        self.assertTrue((w >= 0).all())
        self.close(w.sum(axis=1), np.ones(len(q)), 4e-16)
        xyz = vd.coordinates(surface)
        for i, (c, s) in enumerate(zip(out.point("ClosestCellId"), out.point("ClosestSubId"))):
            self.close(w[i] @ xyz[triangles_of(c)[s]], at[i], 1e-14, "query %d" % i)

    def test_triangles(self):
        box = meshes.box()
        q = meshes.random_points(300, -1, 2, 5)
        self.check(box, lambda c: [list(meshes.BOX_TRIANGLES[c])], q)

    def test_quads_split_along_first_diagonal(self):
        box = meshes.box(quads=True)
        q = meshes.random_points(300, -1, 2, 5)
        self.check(
            box, lambda c: [[meshes.BOX_QUADS[c][k] for k in t] for t in ((0, 1, 2), (0, 2, 3))], q
        )

    def test_strip(self):
        xyz = [(0, 0, 0), (0, 1, 0), (1, 0, 0.2), (1, 1, 0), (2, 0, 0), (2, 1, 0.3)]
        strip = vd.polydata(xyz, strips=[range(6)])
        q = meshes.random_points(200, (-1, -1, -1), (3, 2, 1), 9)
        ids = [[k, k + 1, k + 2] for k in range(4)]
        out = distance(strip, q, SignMethod=3)
        want, _, ties = brute_force.closest(q, xyz, ids)
        self.close(out.point("SignedDistance"), want, 4e-15)
        for i, allowed in enumerate(ties):
            self.assertIn(out.point("ClosestSubId")[i], allowed)

    def test_ties_take_the_lowest_id(self):
        """All twelve triangles are as near to the centre of a cube; six at a corner seen from outside."""
        out = distance(meshes.box(), [(0.5, 0.5, 0.5), (2, 2, 2), (-1, -1, -1), (2, 0.5, 2)])
        at_corner = [next(i for i, t in enumerate(meshes.BOX_TRIANGLES) if v in t) for v in (6, 0)]
        on_edge = next(i for i, t in enumerate(meshes.BOX_TRIANGLES) if 5 in t and 6 in t)
        self.assertEqual(out.point("ClosestCellId").tolist(), [0, *at_corner, on_edge])

    def test_unused_points_and_duplicates_keep_original_ids(self):
        xyz = [(9, 9, 9), (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0), (0, 1, 0), (-1, 0, 0)]
        two = vd.polydata(xyz, [(1, 2, 3), (4, 5, 6)], verts=[(0,)], lines=[(0, 1)])
        out = distance(two, [(0.2, 0.2, 1), (-0.2, 0.2, 1), (9, 9, 9)])
        self.assertEqual(out.point("ClosestCellId").tolist(), [2, 3, 2])
        self.close(out.point("SignedDistance")[:2], [1, 1])


class Degenerate(harness.Case):
    def test_zero_area_triangles_are_their_segment_or_point(self):
        xyz = [(0, 0, 0), (4, 0, 0), (1, 0, 0), (9, 9, 9)]
        q = np.array([(2, 3, 0), (6, 0, 0), (9, 9, 10), (0.5, -1, 0)], float)
        cells = [(0, 1, 2), (3, 3, 3), (0, 2, 2)]
        out = distance(vd.polydata(xyz, cells), q, SignMethod=3)
        self.close(out.point("SignedDistance"), [3, 2, 1, 1], 1e-15)
        self.assertEqual(out.point("ClosestCellId").tolist(), [0, 0, 1, 0])

    def test_t_junction_closed_by_a_zero_area_triangle_stays_closed(self):
        """One quad of the box is cut at a point in the middle of an edge; a triangle without area joins it."""
        xyz = np.concatenate([meshes.BOX_CORNERS, [(0.5, 0, 1)]])
        cells = [t for t in meshes.BOX_TRIANGLES if set(t) != {0, 5, 4}]
        cells += [(0, 5, 8), (0, 8, 4), (5, 4, 8)]
        q = np.concatenate(
            [
                meshes.random_points(500, -0.5, 1.5, 2),
                [(0.5, -0.01, 1.01), (0.5, 0.01, 0.99), (0.6, -0.1, 1.1)],
            ]
        )
        out = distance(vd.polydata(xyz, cells), q)
        self.close(out.point("SignedDistance"), meshes.box_distance(q), 2e-15)
        self.quiet(out)

    def test_needles(self):
        """Heights of 1e-9 and 1e-13 of the length keep their exact distance."""
        for height in (1e-9, 1e-13):
            xyz = np.array([(0.1, 0.2, 0.3), (1.3, 0.7, -0.4), (0.7, 0.45, -0.05 + height)])
            q = np.concatenate(
                [meshes.random_points(100, -1, 2, 11), xyz.mean(axis=0)[None] + 1e-6]
            )
            want, _, _ = brute_force.closest(q, xyz, [(0, 1, 2)])
            d = distance(vd.polydata(xyz, [(0, 1, 2)]), q, SignMethod=3).point("SignedDistance")
            self.close(d, want, 4 * np.spacing(2.0))

    def test_single_triangle(self):
        xyz = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        q = meshes.random_points(200, -2, 2, 4)
        want, at, _ = brute_force.closest(q, xyz, [(0, 1, 2)])
        out = distance(vd.polydata(xyz, [(0, 1, 2)]), q, SignMethod=3)
        self.close(out.point("SignedDistance"), want, 2e-15)
        self.close(out.point("ClosestPoint"), at, 2e-15)

    def test_huge_and_tiny(self):
        for size in (1e-150, 1e-30, 1e30, 1e150, 1e300):
            with self.subTest(size=size):
                q = meshes.random_points(50, -1, 2, 6)
                d = distance(meshes.box(hi=(size,) * 3), q * size).point("SignedDistance")
                self.close(d / size, meshes.box_distance(q), 4e-15)


if __name__ == "__main__":
    harness.main()
