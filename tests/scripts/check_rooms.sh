#!/usr/bin/env bash
# check_rooms.sh SOURCE: a room includes only what stands before it in LANEWISE_ROOMS (cmake/library.cmake), and every
# folder with sources is a room of that list, cli, python, tests, bench, fuzz or examples.
set -euo pipefail
cd "$1"
rooms=$(sed -n '/^set(LANEWISE_ROOMS /,/)/p' cmake/library.cmake | tr -d '()' | sed 's/^set *LANEWISE_ROOMS//' | tr -s ' \n' ' ')
[ "$(wc -w <<<"$rooms")" -gt 10 ] || { echo "cmake/library.cmake has no list of rooms"; exit 1; }

# source/sfpi/include/ is what kernels include, the interface to the recorder among it; it stands before all.
find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' -o -name '*.def' \) -print | grep -v '^./sfpi/include/' |
  awk -v rooms="$rooms cli" '
    BEGIN {
      n = split(rooms, list, " ")
      for (i = 1; i <= n; ++i) place[list[i]] = i
      others = " python tests bench fuzz examples "
    }
    { file = substr($0, 3); room = file; sub(/\/.*/, "", room)
      if (index(others, " " room " ")) next
      if (!(room in place)) { print file ": " room " is no room of cmake/library.cmake"; bad = 1; next }
      line = 0
      while ((getline text < file) > 0) {
        ++line
        if (text ~ /^#include "sfpi\/include\//) continue
        if (text !~ /^#include "[a-z]+\//) continue
        target = text; sub(/^#include "/, "", target); sub(/\/.*/, "", target)
        if (target in place && place[target] > place[room]) {
          print file ":" line ": " room " stands before " target ", and must not include it"; bad = 1
        }
      }
      close(file) }
    END { exit bad }'
