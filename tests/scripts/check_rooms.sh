#!/usr/bin/env bash
# check_rooms.sh SOURCE: a room of src/ includes only what stands before it in LANEWISE_ROOMS (cmake/library.cmake), the rooms of
# a wing stand together there, and every C++ file lies in one of those rooms, in src/cli, src/python, tests, bench, fuzz or examples.
set -euo pipefail
cd "$1"
rooms=$(sed -n '/^set(LANEWISE_ROOMS/,/)/p' cmake/library.cmake | tr -d '()' | sed 's/^set *LANEWISE_ROOMS//' | tr -s ' \n' ' ')
[ "$(wc -w <<<"$rooms")" -gt 10 ] || { echo "cmake/library.cmake has no list of rooms"; exit 1; }

# src/source/sfpi/include/ is what kernels include, the interface to the recorder among it; it stands before all.
find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' -o -name '*.def' \) -print | grep -v '^./src/source/sfpi/include/' |
  awk -v rooms="$rooms cli python" '
    # The room of a path from src/: the longest folder of it that is one; "" where there is none.
    function room_of(path) {
      while (sub(/\/[^\/]*$/, "", path)) if (path in place) return path
      return ""
    }
    function complain(text) { print text; bad = 1 }
    BEGIN {
      n = split(rooms, list, " ")
      for (i = 1; i <= n; ++i) {
        place[list[i]] = i
        split(list[i], parts, "/"); wing = parts[1]
        if (wing != last && wing in seen) complain("cmake/library.cmake: rooms of other wings stand between those of " wing)
        seen[wing] = 1; last = wing
      }
      others = " tests bench fuzz examples "
    }
    { file = substr($0, 3); top = file; sub(/\/.*/, "", top)
      if (index(others, " " top " ")) next
      room = top == "src" ? room_of(substr(file, 5)) : ""
      if (room == "") { complain(file ": lies in no room of cmake/library.cmake"); next }
      line = 0
      while ((getline text < file) > 0) {
        ++line
        if (text !~ /^ *# *include "[a-z]+\// || text ~ /"source\/sfpi\/include\//) continue
        target = text; sub(/^[^"]*"/, "", target); sub(/".*/, "", target); target = room_of(target)
        if (target != "" && place[target] > place[room]) {
          complain(file ":" line ": " room " stands before " target ", and must not include it")
        }
      }
      close(file) }
    END { exit bad }'
