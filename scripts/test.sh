#!/usr/bin/env bash
# Configures and builds Release in build/, and runs every test. Arguments go to CTest (-R name ...).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset release
cmake --build --preset release
ctest --preset release --output-on-failure "$@"
