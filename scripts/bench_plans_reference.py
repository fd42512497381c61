#!/usr/bin/env python3
"""Times the reference's interaction plans (nvidia-physicsnemo from PyPI, with torch) and this library's, in turn, in one run.

usage: bench_plans_reference.py BUILD_FOLDER [--threads N] [--runs N] [--only WORD]

Both get the same points, bit for bit, and the same number of threads. A row: task, entries, then seconds on the clock (processor
seconds) of the reference, and of building and counting here, each with the ratio reference / ours; medians.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

TASKS = {"sphere 100k leaf 1": ("sphere", 100000, 1, 1.0), "sphere 100k leaf 32": ("sphere", 100000, 32, 1.0),
         "cube 25k leaf 32": ("cube", 25000, 32, 1.0)}


def points(kind, n):
    import torch
    if kind == "sphere":
        i = torch.arange(n, dtype=torch.float64)
        z = 1 - (2 * i + 1) / n
        angle, r = math.pi * (1 + math.sqrt(5)) * (i + 0.5), torch.sqrt(1 - z * z)
        return torch.stack([r * torch.cos(angle), r * torch.sin(angle), z], 1).float()
    state, mask, out = 1, (1 << 64) - 1, []
    for _ in range(3 * n):     # Vigna's splitmix64
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out.append(((z ^ (z >> 31)) >> 40) / 2 ** 24)
    return torch.tensor(out, dtype=torch.float32).reshape(n, 3)


def ours(program, task, threads):
    """Rows of one run, by what was done."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, "--runs", "1", "--threads", str(threads), "--only", task, "--json", file.name], check=True,
                       stdout=subprocess.DEVNULL)
        rows = [json.loads(line) for line in file.read().decode().splitlines()]
    return {row["task"].split()[0]: row for row in rows if row["task"].split(" ", 1)[1] == task}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    import torch
    from physicsnemo.mesh.spatial.cluster_tree import ClusterTree
    torch.set_num_threads(a.threads)
    program = os.path.join(a.build, "tests", "bench", "sq_bench_plans")
    for task, (kind, n, leaf, theta) in TASKS.items():
        if a.only not in task:
            continue
        tree = ClusterTree.from_points(points(kind, n), leaf_size=leaf)
        rounds = {"reference": [], "build": [], "count": []}
        for _ in range(a.runs):
            wall, processor = time.perf_counter(), time.process_time()
            plan = tree.find_dual_interaction_pairs(tree, theta=theta)
            rounds["reference"].append((time.perf_counter() - wall, time.process_time() - processor))
            entries = sum(len(x) for x in (plan.near_target_ids, plan.nf_target_ids, plan.fn_target_node_ids,
                                           plan.far_target_node_ids))
            del plan
            rows = ours(program, task, a.threads)
            for what in ("build", "count"):
                assert rows[what]["entries"] == entries, "%s: %d entries, the reference has %d" % (
                    task, rows[what]["entries"], entries)
                rounds[what].append((rows[what]["seconds"], rows[what]["processor_seconds"]))
        median = {k: [statistics.median(r[clock] for r in v) for clock in (0, 1)] for k, v in rounds.items()}
        theirs = median["reference"]
        line = "%-22s %11d entries  reference %.3f (%.3f)" % (task, entries, *theirs)
        for what in ("build", "count"):
            mine = median[what]
            line += "  %s %.3f (%.3f) x %.1f (%.1f)" % (what, *mine, theirs[0] / mine[0], theirs[1] / mine[1])
        print(line, flush=True)


if __name__ == "__main__":
    main()
