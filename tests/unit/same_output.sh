#!/bin/sh
# Two programs print the same, and something. Usage: same_output.sh PROGRAM PROGRAM
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$1" >"$folder/a" || { cat "$folder/a"; exit 1; }
"$2" >"$folder/b" || { cat "$folder/b"; exit 1; }
diff "$folder/a" "$folder/b" || exit 1
[ -s "$folder/a" ] && echo "$(wc -l <"$folder/a") lines are the same"
