#!/usr/bin/env bash
# Runs a command with an X display of its own: scripts/with_display.sh [WIDTHxHEIGHT] COMMAND ...
# xvfb-run -a will not do: two runs that start together can get one number, and its server resets whenever the last
# client leaves, so that the next one may be refused (ParaView opens and closes a window before it opens its own).
set -euo pipefail

size=1600x1200
if [[ "${1:-}" =~ ^[0-9]+x[0-9]+$ ]]; then
  size=$1
  shift
fi

number=$(mktemp)
Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset 3> "$number" 2> /dev/null &
server=$!
trap 'kill "$server" 2> /dev/null || true; rm -f "$number"' EXIT
for _ in $(seq 300); do
  [ ! -s "$number" ] || break
  sleep 0.1
done
if [ ! -s "$number" ]; then
  echo "with_display.sh: Xvfb did not start" >&2
  exit 1
fi

DISPLAY=":$(cat "$number")" "$@"
