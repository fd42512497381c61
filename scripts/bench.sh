#!/usr/bin/env bash
# Closest point and signed distance on the sample body and on motorBike, beside Embree 3 and VTK on the same points in
# the same order. Writes JSON lines into bench-results/ and prints a table. Wants an idle machine; takes some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

count=500000
scripts/setup.sh
motorbike=$(scripts/fetch_motorbike.sh)
mkdir -p build bench-results
{
  cmake --preset release
  cmake --build --preset release --target sq_bench
} > build/bench.log 2>&1 || {
  tail -n 40 build/bench.log >&2
  exit 1
}

results="bench-results/$(date +%Y%m%dT%H%M%S).jsonl"
printf '{"machine": "%s", "cores": %s, "date": "%s", "commit": "%s"}\n' \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(date +%F)" \
  "$(git rev-parse --short HEAD 2> /dev/null || echo unknown)" > "$results"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# measure NAME MESH_FOR_SQ_BENCH MESH_FOR_VTK: the same triangles in a format that each reads
measure() {
  echo "Measuring: $1 ..."
  pvpython scripts/query_points.py "$3" "$scratch" "$count"
  build/tests/bench/sq_bench --name "$1" --order given --json "$results" \
    --points "uniform=$scratch/uniform.f64" --points "near=$scratch/near.f64" --points "grid=$scratch/grid.f64" \
    "$2" > "$scratch/table"
  pvpython scripts/bench_vtk.py "$3" "$1" "$scratch" "$results"
}

measure "Ahmed body" sample_data/ahmed_body_soup.stl sample_data/ahmed_body.vtp
measure motorBike "$motorbike" "$motorbike"
python3 scripts/bench_table.py "$results"
echo "Written: $results"
