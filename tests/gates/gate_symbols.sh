#!/bin/sh
# The plugin exports no symbol of the library. Usage: gate_symbols.sh BUILD_FOLDER
plugin=$(find "$1" -name 'SpatialQueries.so' | head -1)
if [ -z "$plugin" ]; then
  echo "SKIPPED: no plugin in $1"
  exit 77
fi
exported=$(nm -D --defined-only "$plugin" | awk '{ print $3 }')
if ! echo "$exported" | grep -q .; then
  echo "nm found no exported symbol at all in $plugin"
  exit 1
fi
found=$(echo "$exported" | grep -E '^sq[ick]?_')
if [ -n "$found" ]; then
  echo "exported from $plugin:"
  echo "$found"
  exit 1
fi
echo "no sq_ symbol among $(echo "$exported" | wc -l)"
