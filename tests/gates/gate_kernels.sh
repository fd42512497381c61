#!/bin/sh
# Every core/kernels/sqk_*.h compiles by itself as C17, as C++17 and, where nvcc is, as CUDA: the CUDA backend
# never needs a second formula. Usage: gate_kernels.sh ROOT CC CXX
root=$1
cc=$2
cxx=$3
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror -Wno-unused-function -Wno-unused-const-variable"
include="-I$root/core/include -I$root/core/kernels"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
count=0

nvcc=$(command -v nvcc)
for place in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda; do
  if [ -z "$nvcc" ] && [ -n "$place" ] && [ -x "$place/bin/nvcc" ]; then
    nvcc=$place/bin/nvcc
  fi
done

try() {
  what=$1
  shift
  if ! "$@" >"$folder/log" 2>&1; then
    echo "$name does not compile as $what:"
    cat "$folder/log"
    failed=1
  fi
}

for header in "$root"/core/kernels/sqk_*.h; do
  [ -e "$header" ] || continue
  name=$(basename "$header")
  count=$((count + 1))
  echo "#include \"$name\"" >"$folder/one.c"
  cp "$folder/one.c" "$folder/one.cpp"
  cat "$folder/one.c" >>"$folder/all.cu"
  # shellcheck disable=SC2086
  {
    try C17 "$cc" -std=c17 -ffp-contract=off $warnings -Wc++-compat -Wstrict-prototypes $include -fsyntax-only "$folder/one.c"
    try C++17 "$cxx" -std=c++17 -ffp-contract=off $warnings $include -fsyntax-only "$folder/one.cpp"
  }
done
if [ "$count" = 0 ]; then
  echo "no kernel found"
  exit 1
fi
if [ -n "$nvcc" ]; then
  name="one or more of the kernels"
  # shellcheck disable=SC2086
  try CUDA "$nvcc" -std=c++17 --fmad=false --Werror all-warnings --diag-suppress 177 $include -c -o "$folder/all.o" "$folder/all.cu"
fi
[ -n "$nvcc" ] && cuda="and CUDA" || cuda="(no nvcc here: CUDA not tried)"
[ "$failed" = 0 ] && echo "$count kernels compile as C17, C++17 $cuda"
exit $failed
