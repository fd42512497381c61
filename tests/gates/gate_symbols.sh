#!/bin/sh
# Neither the plugin nor the library of its filters exports a symbol of the core or of Jansson. Usage: gate_symbols.sh BUILD_FOLDER
for name in SpatialQueries.so libvtkSQFilters.so; do
  library=$(find "$1" -name "$name" | head -1)
  if [ -z "$library" ]; then
    echo "SKIPPED: no $name in $1"
    exit 77
  fi
  exported=$(nm -D --defined-only "$library" | awk '{ print $3 }')
  if ! echo "$exported" | grep -q .; then
    echo "nm found no exported symbol at all in $library"
    exit 1
  fi
  found=$(echo "$exported" | grep -E '^(sq[ick]?|json|jansson)_')
  if [ -n "$found" ]; then
    echo "exported from $library:"
    echo "$found"
    exit 1
  fi
  echo "$name: none among $(echo "$exported" | wc -l) symbols"
done
