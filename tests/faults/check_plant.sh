#!/usr/bin/env bash
# check_plant.sh SOURCE BUILD: every planted fault applies and BUILD has its tests, and plant.py says so of those of which that is not so.
# Each room has some.
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
python3 "$plant" --tests "$2"
printf '%s\n' $'== a.fault tests/faults/plant.py ^unit[.]nowhere$\n- b\n+ c' >"$work/list"
if python3 "$plant" --tests --faults "$work/list" "$2" >"$work/out"; then fail "a fault without a test: taken as good"; fi
grep -qF 'a.fault: no test is called ^unit[.]nowhere$' "$work/out" || { cat "$work/out"; fail "does not name a fault without a test"; }
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

# All have had their turn after as many days as it takes. One process counts the days; that the options mean the same is seen on one.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/faults python3 - "$plant" <<'END'
import datetime
import subprocess
import sys

import plant

faults = plant.read_faults(plant.FAULTS / "faults.txt")
start = datetime.date(2026, 1, 1)
days = [start + datetime.timedelta(day) for day in range((len(faults) + 4) // 5)]
chosen = [[fault.name for fault in plant.chosen_by_date(faults, 5, day)] for day in days]
if {name for names in chosen for name in names} != {fault.name for fault in faults}:
    sys.exit(f"some faults are not chosen within {len(days)} days")
printed = subprocess.run([sys.executable, sys.argv[1], "--list", "--chosen", "5", "--date", str(days[7])], check=True, capture_output=True,
                         text=True).stdout.split()
if printed != chosen[7]:
    sys.exit(f"--chosen 5 --date {days[7]} lists {printed}, not {chosen[7]}")
END
