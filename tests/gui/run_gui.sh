#!/usr/bin/env bash
# Drives the real ParaView on a display of its own: finds each filter by Ctrl+Space, chooses its second input, applies
# it, checks what came out, and takes a screenshot of the window with the properties panel.
# tests/gui/run_gui.sh PLUGIN_FOLDER OUTPUT_FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ -z "${SQ_GUI_INNER:-}" ]; then
  export SQ_GUI_INNER=1
  exec "$root/scripts/with_display.sh" 1600x1000 "$0" "$@"
fi

plugin=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
export SQ_GUI_DATA="$root/sample_data"
export SQ_GUI_REPORT="$out/report.json"
title='^ParaView [0-9.]*$'

fail() {
  echo "FAILED: $filter: $*" >&2
  import -window root "$out/failed.png" || true
  exit 1
}

# wait_for SECONDS WHAT COMMAND ...: until the command succeeds
wait_for() {
  local seconds=$1 what=$2
  shift 2
  for _ in $(seq $((seconds * 5))); do
    ! "$@" > /dev/null 2>&1 || return 0
    sleep 0.2
  done
  fail "$what"
}

window() { xdotool search --onlyvisible --name "$1"; }

# The report names the proxy and the array.
applied() {
  python3 -c '
import json, sys
report, proxy, array = sys.argv[1:]
sys.exit(not any(p["name"] == proxy and p["points"] and array in p["arrays"] for p in json.load(open(report))))
' "$SQ_GUI_REPORT" "$1" "$2"
}

click() {
  xdotool mousemove --window "$1" "$2" "$3" click 1
  sleep 0.5
}

drag() {
  xdotool mousemove "$1" "$2"
  sleep 0.3
  xdotool mousedown 1 mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2))
  sleep 0.3
  xdotool mousemove "$3" "$4"
  sleep 0.3
  xdotool mouseup 1
}

# The second port of the input dialog (500 x 400) gets the n-th source of the pipeline browser.
choose_second_input() {
  wait_for 20 "the dialog for the second input does not open" window "Change Input Dialog"
  local dialog
  dialog=$(window "Change Input Dialog" | head -n 1)
  sleep 1
  click "$dialog" 20 74
  click "$dialog" 250 $((26 + 22 * $1))
  click "$dialog" 363 377
}

# try_filter SEARCH_TEXT PROXY ACTIVE_SOURCE SECOND_INPUT ARRAY; second input: its place in the browser, 0 for none
try_filter() {
  filter=$2
  local second=$4 array=$5 log="$out/$2.log" main
  rm -f "$SQ_GUI_REPORT"
  SQ_GUI_ACTIVE=$3 PV_PLUGIN_PATH=$plugin paraview --dr --script="$here/session.py" > "$log" 2>&1 &
  paraview=$!
  wait_for 60 "the session does not start" test -s "$SQ_GUI_REPORT"
  wait_for 20 "no window" window "$title"
  main=$(window "$title" | head -n 1)
  wmctrl -i -r "$main" -b add,maximized_vert,maximized_horz
  sleep 3
  xdotool windowactivate --sync "$main"
  drag 296 700 540 700 # a wider panel
  drag 150 448 150 300 # and a taller one
  xdotool key ctrl+space
  sleep 1
  xdotool type --delay 40 "$1"
  sleep 1
  import -window root "$out/$filter-search.png"
  xdotool key Return
  [ "$second" = 0 ] || choose_second_input "$second"
  sleep 2
  xdotool key alt+a
  wait_for 30 "not created, or its output has no array $array" applied "$filter" "$array"
  sleep 4
  import -window root "$out/$filter.png"
  ! grep -E 'ERR\||ERROR' "$log" || fail "errors in the log"
  kill "$paraview"
  wait "$paraview" 2> /dev/null || true
  echo "passed: $filter"
}

export HOME
HOME=$(mktemp -d)
openbox > /dev/null 2>&1 &
manager=$!
paraview=
trap 'kill "$manager" $paraview 2> /dev/null || true; rm -rf "$HOME"' EXIT
sleep 1

try_filter "signed distance field" SignedDistanceField probe_plane 1 SignedDistance
try_filter "signed distance volume" SignedDistanceVolume ahmed_body 0 SignedDistance
try_filter "bvh probe" BVHProbe ahmed_flow 3 velocity
try_filter "surface check" SurfaceCheck ahmed_body_hole 0 Problem
try_filter "interaction plan" InteractionPlan ahmed_body 0 Evaluations
