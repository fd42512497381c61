#!/usr/bin/env bash
# Prints the path of OpenFOAM's motorBike.obj (331,653 triangles; GPL-3), fetched once from Debian's package
# openfoam-examples into a cache outside the repository.
set -euo pipefail

cache="${XDG_CACHE_HOME:-$HOME/.cache}/spatialqueries"
surface="$cache/motorBike.obj"
if [ ! -s "$surface" ]; then
  mkdir -p "$cache"
  scratch=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  cd "$scratch"
  # A package list may be missing or out of date, and then the download fails; updating it takes root.
  apt-get -o APT::Sandbox::User=root download -q openfoam-examples < /dev/null >&2 || {
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -q < /dev/null >&2
    apt-get -o APT::Sandbox::User=root download -q openfoam-examples < /dev/null >&2
  }
  dpkg-deb --fsys-tarfile openfoam-examples_*.deb | tar -x --wildcards '*/motorBike.obj.gz'
  gunzip -c "$(find . -name motorBike.obj.gz | head -n 1)" > motorBike.obj
  mv motorBike.obj "$surface"
fi
echo "$surface"
