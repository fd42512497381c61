"""Times of NVIDIA PhysicsNeMo's trees beside ours, one after the other in one run, with as many threads.

    python3 scripts/bench_trees_reference.py build/tests/bench/sq_bench_trees [threads]

Needs torch and nvidia-physicsnemo (PyPI). Each task is timed alternately, so that a busy machine hurts both; the table has the
median of five rounds on the clock and in processor seconds, and the ratios reference / ours.
"""
import itertools
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from physicsnemo.mesh import Mesh
from physicsnemo.mesh.spatial.bvh import BVH
from physicsnemo.mesh.spatial.cluster_tree import ClusterTree

ROUNDS = 5


def bumpy_sphere(nu, nv):
    j, i = torch.meshgrid(torch.arange(nv + 1), torch.arange(nu), indexing="ij")
    a = 2 * math.pi * i.double() / nu
    b = math.pi * (j + 0.01) / (nv + 0.02)
    r = 1 + 0.1 * torch.sin(7 * a) * torch.sin(5 * b)
    points = torch.stack([r * torch.sin(b) * torch.cos(a), r * torch.sin(b) * torch.sin(a), r * torch.cos(b)], -1)
    j, i = torch.meshgrid(torch.arange(nv), torch.arange(nu), indexing="ij")
    p, q = j * nu + i, j * nu + (i + 1) % nu
    cells = torch.stack([torch.stack([p, p + nu, q], -1), torch.stack([q, p + nu, q + nu], -1)], -2)
    return Mesh(points=points.reshape(-1, 3).float(), cells=cells.reshape(-1, 3))


def kuhn(*size):
    axes = [torch.arange(n + 1) for n in size]
    points = torch.stack(torch.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3).float()
    strides = [(size[1] + 1) * (size[2] + 1), size[2] + 1, 1]
    cubes = torch.stack(torch.meshgrid(*[torch.arange(n) for n in size], indexing="ij"), -1).reshape(-1, 3)
    base = (cubes * torch.tensor(strides)).sum(-1)
    cells = []
    for order in itertools.permutations(range(3)):
        steps = torch.tensor([0] + [strides[d] for d in order]).cumsum(0)
        cells.append(base[:, None] + steps)
    return Mesh(points=points, cells=torch.stack(cells, 1).reshape(-1, 4))


def bvh_of(mesh):
    # A mesh of its own, so that nothing is cached.
    return BVH.from_mesh(Mesh(points=mesh.points, cells=mesh.cells))


def tasks():
    torch.manual_seed(1)
    points, areas = torch.rand(1000000, 3), torch.rand(1000000)
    tree = ClusterTree.from_points(points, areas=areas)
    for name, mesh in ("triangles", bumpy_sphere(708, 707)), ("tetrahedra", kuhn(44, 52, 64)), ("kuhn 12", kuhn(12, 12, 12)):
        bvh = bvh_of(mesh)
        if name == "kuhn 12":
            queries = 12 * torch.rand(100000, 3)
        else:
            queries = mesh.points[mesh.cells[torch.randint(0, len(mesh.cells), (100000,))]].mean(1)
        yield f"bvh {name}", lambda: bvh_of(mesh)
        yield f"candidates {name}", lambda: bvh.find_candidate_cells(queries)
    yield "cluster tree", lambda: ClusterTree.from_points(points, areas=areas)
    yield "aggregates", lambda: tree.compute_source_aggregates(points, areas)


def ours(program, threads, task):
    with tempfile.NamedTemporaryFile("r", suffix=".json") as rows:
        command = [program, "--threads", str(threads), "--runs", "3", "--only", task, "--json", rows.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = [json.loads(line) for line in rows]
    row = next(r for r in found if r["task"] == task)
    return row["seconds"], row["processor_seconds"]


def theirs(run):
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def main():
    program = sys.argv[1]
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    torch.set_num_threads(threads)
    print(f"{threads} threads; seconds on the clock (processor seconds): reference, ours, ratio")
    for task, run in tasks():
        run()
        rounds = [(theirs(run), ours(program, threads, task)) for _ in range(ROUNDS)]
        median = [[statistics.median(r[side][clock] for r in rounds) for clock in (0, 1)] for side in (0, 1)]
        (a, pa), (b, pb) = median
        print(f"{task:24s} {a:8.4f} ({pa:7.4f})  {b:8.4f} ({pb:7.4f})  {a / b:6.1f} ({pa / pb:5.1f})", flush=True)


if __name__ == "__main__":
    main()
