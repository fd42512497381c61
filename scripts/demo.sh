#!/usr/bin/env bash
# Installs what is missing, builds Release, runs the filters on sample_data, and writes demo/*.png and a table.
# --motorbike: on OpenFOAM's motorBike surface instead (from Debian's package, kept outside the repository).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

surface=()
case "${1:-}" in
  "") ;;
  --motorbike) surface=(--surface) ;;
  *)
    echo "usage: scripts/demo.sh [--motorbike]" >&2
    exit 2
    ;;
esac

scripts/setup.sh
if [ ${#surface[@]} -gt 0 ]; then
  surface+=("$(scripts/fetch_motorbike.sh)")
fi

echo "Building (messages in build/demo.log) ..."
mkdir -p build demo
{
  cmake --preset release
  cmake --build --preset release --target SpatialQueries
} > build/demo.log 2>&1 || {
  tail -n 40 build/demo.log >&2
  exit 1
}

export PV_PLUGIN_PATH="$PWD/build/plugins/SpatialQueries"
scripts/with_display.sh pvbatch scripts/demo.py --data sample_data --out demo "${surface[@]}"
