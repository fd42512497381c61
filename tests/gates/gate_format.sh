#!/bin/sh
# Every C and C++ source is as clang-format 14 writes it. Usage: gate_format.sh ROOT
cd "$1" || exit 1
for tool in clang-format-14 clang-format; do
  if command -v "$tool" >/dev/null && "$tool" --version | grep -q 'version 14\.'; then
    found=$tool
    break
  fi
done
if [ -z "$found" ]; then
  echo "SKIPPED: clang-format 14 is not installed"
  exit 77
fi
files=$(find core cuda plugin tests \( -name '*.c' -o -name '*.h' -o -name '*.cxx' -o -name '*.cu' \) 2>/dev/null)
if [ -z "$files" ]; then
  echo "no source found"
  exit 1
fi
# shellcheck disable=SC2086
"$found" --dry-run -Werror --style=file $files || exit 1
echo "$(echo "$files" | wc -l) files are formatted"
