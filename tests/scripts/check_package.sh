#!/usr/bin/env bash
# check_package.sh SOURCE BUILD: installs the project into an empty folder, and builds and runs a program that finds it there.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake -S "$source/tests/consumer" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
  ninja -C "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
output=$("$work/build/consumer")
printf '%s\n' "$output"
[ "$output" = "-2.5 becomes 2.5" ]
"$work/prefix/bin/lanewise" --version

# The installed program finds the headers that kernels include.
printf '#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f; }\n' >"$work/kernel.cpp"
LANEWISE_CACHE="$work/cache" "$work/prefix/bin/lanewise" run "$work/kernel.cpp" --in value:3 --show 1 | grep -q '6  40C0'
