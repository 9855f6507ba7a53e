#!/usr/bin/env bash
# check_plant.sh SOURCE: every planted fault applies, and plant.py says so of those that do not. Each room has some.
set -euo pipefail
cd "$1"
plant=tests/faults/plant.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf '%s\n' "$*"; exit 1; }
# refuses WHAT TEXT: of a list with this in it.
refuses() {
  printf '%s\n' "$2" >"$work/list"
  if python3 "$plant" --applies --faults "$work/list" >"$work/out" 2>&1; then fail "$1: taken as good"; fi
  grep -q "$1" "$work/out" || { cat "$work/out"; fail "does not say: $1"; }
}

python3 "$plant" --applies
[ -z "$(python3 "$plant" --list | sort | uniq -d)" ] || fail "two faults have one name"

python3 "$plant" --rooms || fail "a room has too few faults"
printf '%s\n' $'== a src/study/tune/place.cpp x\n- b\n+ c' >"$work/list"
if python3 "$plant" --rooms --faults "$work/list" >"$work/out"; then fail "rooms without a fault: taken as good"; fi
grep -q '^ *1 study/tune: at least' "$work/out" || { cat "$work/out"; fail "does not count a room's faults"; }
grep -q '^ *0 base/graph: at least' "$work/out" || { cat "$work/out"; fail "does not name a room without faults"; }

refuses 'occurs 0 times' $'== a tests/faults/plant.py x\n- no such \x74ext\n+ other'
refuses 'times in' $'== a tests/faults/plant.py x\n- import\n+ other'
refuses 'changes nothing' $'== a tests/faults/plant.py x\n- import fnmatch\n+ import fnmatch'
refuses 'there is no file' $'== a tests/faults/none.py x\n- import fnmatch\n+ other'
refuses 'more than one fault' $'== a b c\n- d\n+ e\n== a b c\n- d\n+ e'
refuses 'neither a head' $'== a b\n- d\n+ e'

# All have had their turn after as many days as it takes.
count=$(python3 "$plant" --list | wc -l)
days=$(((count + 4) / 5))
for ((day = 0; day < days; ++day)); do
  python3 "$plant" --list --chosen 5 --date "$(date -d "2026-01-01 + $day days" +%F)"
done | sort -u | wc -l >"$work/seen"
[ "$(cat "$work/seen")" -eq "$count" ] || fail "some faults are not chosen within $days days"
