"""Times of the reference's release on the CPU and, in the same run on the same inputs, of this library.

    PYTHON tests/bench/reference_times.py [--ours build/tests/bench/sq_tree_bench] [--only WORD ...] [--list]

PYTHON has nvidia-physicsnemo (pip install nvidia-physicsnemo). Without --ours the reference is timed alone. Float32 inputs;
medians of --runs runs after one that warms up; a case is stopped early where a run takes longer than --patience seconds, and one that
takes that long warming up is not run again.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--ours", help="the program sq_tree_bench")
parser.add_argument("--only", nargs="*", default=[], help="cases whose name contains one of the words")
parser.add_argument("--list", action="store_true", help="names of the cases")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--patience", type=float, default=20.0)
parser.add_argument("--large", action="store_true", help="with plans of several GiB, of minutes")
parser.add_argument("--queries", type=int, default=100_000, help="points to locate, sample or measure; a million: minutes")
arguments = parser.parse_args()

os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
warnings.filterwarnings("ignore")
try:
    import numpy as np
    import torch
    import physicsnemo
    from physicsnemo.mesh import Mesh
    from physicsnemo.mesh.sampling.sample_data import find_containing_cells, sample_data_at_points
    from physicsnemo.mesh.spatial.bvh import BVH
    from physicsnemo.mesh.spatial.cluster_tree import ClusterTree
    from physicsnemo.mesh.spatial.sdf import signed_distance_field
except ImportError as error:
    sys.exit(f"nvidia-physicsnemo is not installed in {sys.executable}: {error}")
torch.set_num_threads(arguments.threads)
work = pathlib.Path(tempfile.mkdtemp(prefix="sq-times-"))
QUERIES = arguments.queries


def surface(nu, nv):
    """A bumpy sphere of 2 nu nv triangles, with small holes at the poles."""
    u = np.arange(nu) * (2 * np.pi / nu)
    v = (np.arange(nv + 1) + 0.5) * (np.pi / (nv + 1))
    u, v = np.meshgrid(u, v, indexing="ij")
    r = 1 + 0.1 * np.sin(5 * u) * np.sin(4 * v)
    xyz = np.stack([r * np.sin(v) * np.cos(u), r * np.sin(v) * np.sin(u), r * np.cos(v)], -1).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(nu), np.arange(nv), indexing="ij"))
    a, b = i * (nv + 1) + j, (i + 1) % nu * (nv + 1) + j
    cells = np.concatenate([np.stack([a, a + 1, b], -1), np.stack([b, a + 1, b + 1], -1)])
    return xyz.astype(np.float32), cells


def kuhn(*n):
    """n0 x n1 x n2 unit cubes of six tetrahedra."""
    size = [m + 1 for m in n]
    xyz = np.stack(np.meshgrid(*(np.arange(m) for m in size), indexing="ij"), -1).reshape(-1, 3)
    strides = [size[1] * size[2], size[2], 1]
    base = (np.stack(np.meshgrid(*(np.arange(m) for m in n), indexing="ij"), -1) @ strides).ravel()
    cells = []
    for axes in itertools.permutations(range(3)):
        steps = np.cumsum([0] + [strides[a] for a in axes])
        cells.append(base[:, None] + steps)
    return xyz.astype(np.float32), np.stack(cells, 1).reshape(-1, 4)


def sphere(n):
    i = np.arange(n)
    z, angle = 1 - (2 * i + 1) / n, np.pi * (1 + 5**0.5) * (i + 0.5)
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], -1).astype(np.float32)


def uniform(seed, n, lo, hi):
    return np.random.default_rng(seed).uniform(lo, hi, (n, 3)).astype(np.float32)


def written(name, array, head=()):
    """The array as a file for sq_tree_bench."""
    path = work / name
    if not path.exists():
        path.write_bytes(np.array(head, dtype=np.int64).tobytes() + np.ascontiguousarray(array).tobytes())
    return str(path)


def on_cells(name, operation, make, queries, reference):
    """reference(mesh, queries) returns what is timed."""
    def prepare():
        xyz, cells = make()
        q = queries(xyz, cells)
        mesh = Mesh(points=torch.from_numpy(xyz), cells=torch.from_numpy(cells))
        mesh.point_data["values"] = torch.zeros(len(xyz))
        mesh.cell_data["values"] = torch.zeros(len(cells))
        key = f"{len(cells)}"
        files = [written(f"points{key}", xyz), written(f"cells{key}", cells.astype(np.int64), [cells.shape[1]]),
                 written(f"queries{key}{queries.__name__}", q)]
        return reference(mesh, torch.from_numpy(q)), [operation], files
    return name, prepare


def on_points(name, operations, points, leaf, theta, reference):
    """reference(points, tree) returns what is timed."""
    def prepare():
        x = points()
        file = written(f"{name.replace(' ', '_').replace('/', '_')}", x)
        tensor = torch.from_numpy(x)
        tree = ClusterTree.from_points(tensor, leaf_size=leaf)
        return reference(tensor, tree), operations, [file, str(leaf), str(theta)]
    return name, prepare


def centroids(xyz, cells):
    chosen = np.random.default_rng(3).integers(0, len(cells), QUERIES)
    return xyz[cells[chosen]].mean(1, dtype=np.float32)


def inside(xyz, cells):
    return (np.random.default_rng(4).uniform(0, 1, (QUERIES, 3)) * xyz.max(0)).astype(np.float32)


def box(xyz, cells):
    return uniform(5, QUERIES, -1.5, 1.5)


def near(xyz, cells):
    return (centroids(xyz, cells) + uniform(6, QUERIES, -0.01, 0.01) / 3**0.5).astype(np.float32)


def small_surface():
    return surface(158, 158)


def middle_surface():
    return surface(224, 223)


def large_surface():
    return surface(708, 707)


def tetrahedra():
    return kuhn(44, 52, 64)


def small_tetrahedra():
    return kuhn(12, 12, 12)


def build(mesh, queries):
    return lambda: BVH.from_mesh(Mesh(points=mesh.points, cells=mesh.cells)).node_left_child.numel()


def candidates(mesh, queries):
    bvh = BVH.from_mesh(mesh)
    return lambda: bvh.find_candidate_cells(queries).indices.numel()


def contain(mesh, queries):
    bvh = BVH.from_mesh(mesh)
    return lambda: int((find_containing_cells(mesh, queries, bvh=bvh)[0] >= 0).sum())


def sample(source):
    def reference(mesh, queries):
        bvh = BVH.from_mesh(mesh)
        return lambda: int(sample_data_at_points(mesh, queries, data_source=source, bvh=bvh)["values"].isfinite().sum())
    return reference


def distance(winding):
    def reference(mesh, queries):
        return lambda: int((signed_distance_field(mesh, queries, use_sign_winding_number=winding)[0] < 0).sum())
    return reference


def plan(theta):
    def reference(points, tree):
        def run():
            p = tree.find_dual_interaction_pairs(tree, theta=theta)
            return sum(p.get(k).numel() for k in ("near_source_ids", "nf_target_ids", "fn_source_ids", "far_source_node_ids"))
        return run
    return reference


def cluster(leaf):
    return lambda points, tree: lambda: ClusterTree.from_points(points, leaf_size=leaf).node_left_child.numel()


def aggregates(points, tree):
    areas = torch.ones(len(points))
    return lambda: tree.compute_source_aggregates(points, areas).node_centroid.shape[0]


def cube(n):
    return lambda: uniform(1, n, 0, 1)


def ball(n):
    return lambda: sphere(n)


PLAN = ["plan", "count"]
CASES = [
    on_cells("bvh, 99904 triangles", "bvh", middle_surface, box, build),
    on_cells("bvh, 1001112 triangles", "bvh", large_surface, box, build),
    on_cells("bvh, 878592 tetrahedra", "bvh", tetrahedra, inside, build),
    on_cells("candidates, 1001112 triangles, at centroids", "candidates", large_surface, centroids, candidates),
    on_cells("candidates, 878592 tetrahedra", "candidates", tetrahedra, inside, candidates),
    on_cells("candidates, Kuhn 12^3", "candidates", small_tetrahedra, inside, candidates),
    on_cells("containing cells, 878592 tetrahedra", "locate", tetrahedra, inside, contain),
    on_cells("sample points, 878592 tetrahedra", "locate", tetrahedra, inside, sample("points")),
    on_cells("sample cells, 878592 tetrahedra", "locate", tetrahedra, inside, sample("cells")),
    on_cells("distance, 49928 triangles, box", "distance", small_surface, box, distance(False)),
    on_cells("distance, 49928 triangles, box, winding", "distance_winding", small_surface, box, distance(True)),
    on_cells("distance, 49928 triangles, near", "distance", small_surface, near, distance(False)),
    on_cells("distance, 49928 triangles, near, winding", "distance_winding", small_surface, near, distance(True)),
    on_cells("distance, 1001112 triangles, box", "distance", large_surface, box, distance(False)),
    on_cells("distance, 1001112 triangles, near", "distance", large_surface, near, distance(False)),
    on_points("cluster tree, 100000, leaf 1", ["cluster"], cube(100_000), 1, 1.0, cluster(1)),
    on_points("cluster tree, 1000000, leaf 1", ["cluster"], cube(1_000_000), 1, 1.0, cluster(1)),
    on_points("aggregates, 1000000, leaf 1", ["aggregates"], cube(1_000_000), 1, 1.0, aggregates),
    on_points("aggregates, 1000000, leaf 32", ["aggregates"], cube(1_000_000), 32, 1.0, aggregates),
    on_points("plan, sphere 10000, leaf 1, theta 1", PLAN, ball(10_000), 1, 1.0, plan(1.0)),
    on_points("plan, sphere 100000, leaf 1, theta 1", PLAN + ["evaluate"], ball(100_000), 1, 1.0, plan(1.0)),
]
LARGE = [
    on_points("plan, sphere 100000, leaf 32, theta 1", PLAN + ["evaluate"], ball(100_000), 32, 1.0, plan(1.0)),
    on_points("plan, cube 25000, leaf 32, theta 1", PLAN, cube(25_000), 32, 1.0, plan(1.0)),
]


def median_time(run):
    start = time.perf_counter()
    count = run()
    first = time.perf_counter() - start
    times = [first] if first > arguments.patience else []
    while len(times) < arguments.runs and (not times or times[-1] < arguments.patience):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2], count


def main():
    cases = CASES + (LARGE if arguments.large else [])
    cases = [c for c in cases if not arguments.only or any(word in c[0] for word in arguments.only)]
    if arguments.list:
        print("\n".join(name for name, _ in cases))
        return
    load = os.getloadavg()[0]
    print(f"nvidia-physicsnemo {physicsnemo.__version__}, torch {torch.__version__}, {arguments.threads} threads, {QUERIES} queries, load {load:.1f}")
    print(f"{'case':46}{'reference, s':>14}{'ours, s':>12}{'ratio':>9}{'counts':>24}")
    for name, prepare in cases:
        run, operations, files = prepare()
        seconds, count = median_time(run)
        if not arguments.ours:
            print(f"{name:46}{seconds:14.4f}{'':21}{count:>24}", flush=True)
        for operation in operations if arguments.ours else []:
            out = subprocess.run([arguments.ours, operation, str(arguments.runs), str(arguments.threads), *files],
                                 capture_output=True, text=True, check=True).stdout.split()
            what = name if operation == operations[0] else f"  {operation}"
            print(f"{what:46}{seconds:14.4f}{float(out[0]):12.4f}{seconds / float(out[0]):9.1f}{f'{count} {out[2]}':>24}", flush=True)
    for file in work.iterdir():
        file.unlink()
    work.rmdir()


if __name__ == "__main__":
    main()
