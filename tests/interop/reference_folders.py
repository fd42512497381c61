"""Folders travel between the core and the reference's release both ways. Usage: reference_folders.py INTEROP_FOLDERS

The argument is the program of interop_folders.c. Exits with 77 where nvidia-physicsnemo is not installed in this Python.
"""
import filecmp
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
try:
    import numpy as np
    import torch
    from physicsnemo.mesh import Mesh
    from physicsnemo.mesh.spatial.bvh import BVH
    from physicsnemo.mesh.spatial.cluster_tree import ClusterTree
    from tensordict import TensorDict
except ImportError as error:
    print(f"SKIPPED: nvidia-physicsnemo is not installed in {sys.executable} ({error}); "
          "give -DSQ_REFERENCE_PYTHON=<a Python that has it> to CMake")
    sys.exit(77)

MASK = (1 << 64) - 1
failures = 0


def check(ok, text):
    global failures
    if not ok:
        failures += 1
        print(f"FAIL {text}")


def fnv(data):
    hash_ = 0xcbf29ce484222325
    for byte in data:
        hash_ = ((hash_ ^ byte) * 0x100000001b3) & MASK
    return hash_


def folder_hash(path):
    """That of sqt_hash_folder."""
    hash_ = 0
    for name in sorted(os.listdir(os.fsencode(path))):
        inner = os.path.join(os.fsencode(path), name)
        content = folder_hash(inner) if os.path.isdir(inner) else fnv(pathlib.Path(os.fsdecode(inner)).read_bytes())
        hash_ = fnv(struct.pack("<QQQ", hash_, fnv(name), content))
    return hash_


def numbers(seed, count, dtype=torch.float32):
    """Those of sqt_golden_numbers: splitmix64."""
    out = []
    for i in range(1, count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        out.append((z >> 40) / 2.0**24 if dtype == torch.float32 else (z >> 11) / 2.0**53)
    return torch.tensor(out, dtype=torch.float64).to(dtype)


def points(seed, count, dimension, dtype=torch.float32):
    return numbers(seed, count * dimension, dtype).reshape(count, dimension)


def kuhn(n):
    xyz = torch.tensor(list(itertools.product(range(n + 1), repeat=3)), dtype=torch.float32)
    strides = [(n + 1)**2, n + 1, 1]
    cells = []
    for corner in itertools.product(range(n), repeat=3):
        for axes in itertools.permutations(range(3)):
            cell = [sum(c * s for c, s in zip(corner, strides))]
            for axis in axes:
                cell.append(cell[-1] + strides[axis])
            cells.append(cell)
    return Mesh(points=xyz, cells=torch.tensor(cells))


def structures():
    """The ones of sqt_tree_folders.c, by the same names."""
    seven = ClusterTree.from_points(points(1, 7, 3), leaf_size=2)
    none = ClusterTree.from_points(torch.zeros(0, 3), leaf_size=1)
    nothing = Mesh(points=torch.zeros(0, 3), cells=torch.zeros(0, 4, dtype=torch.int64))
    worked = torch.tensor([[1, 0], [0.25, 0.5], [0, 0]], dtype=torch.float32)
    fields = {"pressure": numbers(5, 7), "wall shear": points(6, 7, 3, torch.float64), "\u03c1/\u03c1\u221e": numbers(7, 7)}
    areas = numbers(9, 7)
    return {
        "worked": ClusterTree.from_points(worked, areas=torch.tensor([1.0, 2.0, 3.0]), leaf_size=1),
        "seven": seven,
        "hundred32": ClusterTree.from_points(points(1, 100, 3), leaf_size=4),
        "hundred64": ClusterTree.from_points(points(1, 100, 3, torch.float64), leaf_size=4),
        "line": ClusterTree.from_points(points(1, 100, 1), leaf_size=4),
        "one": ClusterTree.from_points(points(1, 1, 3), leaf_size=1),
        "none": none,
        "bvh_kuhn": BVH.from_mesh(kuhn(3), leaf_size=3),
        "bvh_kuhn1": BVH.from_mesh(kuhn(3), leaf_size=1),
        "bvh_none": BVH.from_mesh(nothing),
        "agg_plain": seven.compute_source_aggregates(points(1, 7, 3), areas),
        "agg_fields": seven.compute_source_aggregates(points(1, 7, 3), areas, TensorDict(fields, batch_size=[7])),
        "plan_seven": seven.find_dual_interaction_pairs(seven, theta=2.0),
        "plan_none": none.find_dual_interaction_pairs(seven, theta=2.0),
    }


def arrays_of(structure):
    """(name, tensor) of all arrays, fields of aggregates as field_0, field_1, ..."""
    for name, value in structure.items():
        if isinstance(value, torch.Tensor):
            yield name, value
        elif value is not None:
            for i, field in enumerate(value.values()):
                yield f"field_{i}", field


def raw(tensor):
    return np.ascontiguousarray(tensor.cpu().numpy()).tobytes()


def candidates_of(bvh):
    """Lines as interop_folders prints them."""
    queries = points(7, 200, 3) * 3.0 * 1.25 - 0.125 * 3.0
    for cap in (None, 1, 4, 32):
        lists = bvh.find_candidate_cells(queries, max_candidates_per_point=cap)
        yield f"candidates {-1 if cap is None else cap} {fnv(raw(lists.offsets)):016x} {fnv(raw(lists.indices)):016x}"


def same_files(a, b):
    seen = [sorted(p.relative_to(root) for p in root.rglob("*")) for root in (a, b)]
    return seen[0] == seen[1] and all(
        (a / p).is_dir() or filecmp.cmp(a / p, b / p, shallow=False) for p in seen[0])


def show(program, structure, folder):
    run = subprocess.run([program, "show", type(structure).__name__, folder], capture_output=True, text=True, check=False)
    return run.stdout.split("\n")[:-1] if run.returncode == 0 else [f"error: {run.stdout}{run.stderr}"]


def lines_of(structure):
    lines = [f"{name} {fnv(raw(value)):016x}" for name, value in arrays_of(structure)]
    return lines + (list(candidates_of(structure)) if isinstance(structure, BVH) else [])


def evaluate(plan, tree, aggregates):
    """1 / r by the four streams, in double."""
    x = tree.source_points.double().numpy()
    q = numbers(11, len(x), torch.float64).numpy()
    centroid = aggregates.node_centroid.double().numpy()
    order = tree.sorted_source_order.numpy()
    starts, counts = tree.node_range_start.numpy(), tree.node_range_count.numpy()
    below = [order[s:s + c] for s, c in zip(starts, counts)]
    strength = np.array([q[ids].sum() for ids in below])

    def inverse(a, b):
        r = np.linalg.norm(a - b)
        return 1.0 / r if r > 0 else 0.0

    p = {name: value.numpy() for name, value in plan.items()}
    phi = np.zeros(len(x))
    for t, s in zip(p["near_target_ids"], p["near_source_ids"]):
        phi[t] += q[s] * inverse(x[t], x[s])
    for t, s in zip(p["nf_target_ids"], p["nf_source_node_ids"]):
        phi[t] += strength[s] * inverse(x[t], centroid[s])
    for t, s, start, count in zip(p["fn_target_node_ids"], p["fn_source_ids"], p["fn_broadcast_starts"],
                                  p["fn_broadcast_counts"]):
        phi[p["fn_broadcast_targets"][start:start + count]] += q[s] * inverse(centroid[t], x[s])
    for t, s in zip(p["far_target_node_ids"], p["far_source_node_ids"]):
        phi[below[t]] += strength[s] * inverse(centroid[t], centroid[s])
    return phi


def main():
    program = sys.argv[1]
    built = structures()
    with tempfile.TemporaryDirectory() as work:
        ours, theirs, stale = (pathlib.Path(work) / name for name in ("ours", "theirs", "stale"))
        ours.mkdir()
        theirs.mkdir()
        subprocess.run([program, "save", ours], check=True)
        for name, structure in built.items():
            structure.save(theirs / name)
            print(f"{name} {folder_hash(theirs / name):#018x}")
            check(same_files(ours / name, theirs / name), f"{name}: not the files that the reference saves")
            loaded = type(structure).load(ours / name)
            check(type(loaded) is type(structure), f"{name}: opened there as {type(loaded)}")
            check(lines_of(loaded) == lines_of(structure), f"{name}: opened there with other arrays")
            check(show(program, structure, theirs / name) == lines_of(structure), f"{name}: opened here with other arrays")
        # A smaller structure saved in place over a larger one leaves files that are too long.
        built["hundred32"].save(stale)
        built["seven"].save(stale)
        long = stale / "_tensordict" / "node_left_child.memmap"
        check(long.stat().st_size > 7 * 8, "the reference shortens files now")
        check(show(program, built["seven"], stale) == lines_of(built["seven"]), "files that are too long: other arrays")
        # A plan that was saved here gives the same potential there.
        run = subprocess.run([program, "potential", ours / "plan_seven", theirs / "seven", ours / "agg_plain"],
                             capture_output=True, text=True, check=False)
        here = np.array([float(word) for word in run.stdout.split()]) if run.returncode == 0 else np.zeros(0)
        there = evaluate(*(type(built[k]).load(ours / k) for k in ("plan_seven", "seven", "agg_plain")))
        check(here.shape == there.shape and np.allclose(here, there, rtol=1e-12, atol=0), f"potential: {here} {there}")
    print(f"{failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
