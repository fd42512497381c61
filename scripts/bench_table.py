"""The table of a benchmark's JSON lines: python3 scripts/bench_table.py RESULTS.jsonl"""
import json
import sys


def main():
    with open(sys.argv[1]) as file:
        rows = [json.loads(line) for line in file]
    machine = rows.pop(0)
    print("%(machine)s, %(cores)s cores, %(date)s, commit %(commit)s; median of 5 runs" % machine)
    print("%-16s %-8s %-28s %-12s %7s %9s %8s %10s" % (
        "task", "points", "tool", "version", "threads", "queries", "build s", "queries/s"))
    for mesh in dict.fromkeys(row["mesh"] for row in rows):
        of_mesh = [row for row in rows if row["mesh"] == mesh]
        print("\n%s: %s triangles" % (mesh, format(of_mesh[0]["triangles"], ",d")))
        for key in dict.fromkeys((row["task"], row["points"]) for row in of_mesh):
            same = [row for row in of_mesh if (row["task"], row["points"]) == key]
            for row in sorted(same, key=lambda row: -row["queries_per_second"]):
                print("%-16s %-8s %-28s %-12s %7d %9d %8.3f %10s" % (
                    row["task"], row["points"], row["tool"], row["version"], row["threads"], row["count"],
                    row["build_seconds"], format(round(row["queries_per_second"]), ",d")))


main()
