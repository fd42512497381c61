#!/bin/sh
# Every public header compiles by itself as C17 and as C++17 without a warning. Usage: gate_headers.sh ROOT CC CXX
root=$1
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
count=0
failed=0
for header in "$root"/core/include/spatialqueries/*.h; do
  [ -e "$header" ] || continue
  count=$((count + 1))
  line="#include \"spatialqueries/$(basename "$header")\""
  # shellcheck disable=SC2086
  {
    echo "$line" | "$2" -std=c17 $warnings -Wc++-compat -Wstrict-prototypes -I"$root/core/include" -fsyntax-only -x c - || failed=1
    echo "$line" | "$3" -std=c++17 $warnings -I"$root/core/include" -fsyntax-only -x c++ - || failed=1
  }
done
if [ "$count" = 0 ]; then
  echo "no header found"
  exit 1
fi
[ "$failed" = 0 ] && echo "$count headers compile as C17 and C++17"
exit $failed
