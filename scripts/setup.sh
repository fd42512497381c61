#!/usr/bin/env bash
# Installs what is missing to build, test and show the project on Debian 12 (as root or with sudo).
# Says nothing and needs no rights where everything is there.
set -euo pipefail

# Compilers, build tools, and what the core's tests and benchmarks need.
build=(cmake ninja-build gcc g++ clang clang-format libomp-dev pkg-config libjansson-dev libembree-dev python3 python3-numpy)

# ParaView, and what Debian's paraview-dev asks for when a plugin is configured.
paraview=(
  paraview-dev python3-paraview
  qtbase5-dev qttools5-dev libqt5svg5-dev libqt5x11extras5-dev libqt5xmlpatterns5-dev
  qtxmlpatterns5-dev-tools libqt5opengl5-dev libopenmpi-dev libglew-dev libdouble-conversion-dev
  libhdf5-openmpi-dev libnetcdf-dev libfreetype-dev libjpeg-dev libpng-dev libtiff-dev libogg-dev
  libtheora-dev libavcodec-dev libavformat-dev libavutil-dev libswscale-dev libgdal-dev
  libutfcpp-dev libgl2ps-dev liblz4-dev liblzma-dev libexpat1-dev libxml2-dev python3-dev
  zlib1g-dev libeigen3-dev libboost-dev)

# Running it: ranks, a display without a screen, and what drives and photographs the GUI.
run=(openmpi-bin xvfb xauth xdotool imagemagick x11-utils openbox wmctrl ca-certificates)

if ! command -v dpkg-query > /dev/null; then
  echo "setup.sh: needs Debian 12 (no dpkg-query here); install by hand: ${build[*]} ${paraview[*]} ${run[*]}" >&2
  exit 1
fi

wanted=("${build[@]}" "${paraview[@]}" "${run[@]}")
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2> /dev/null | sed -n 's/^installed //p' | sort -u)
mapfile -t missing < <(comm -13 <(echo "$installed") <(printf '%s\n' "${wanted[@]}" | sort -u))
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup.sh: run as root or install sudo; missing: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup.sh: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q < /dev/null
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}" < /dev/null
