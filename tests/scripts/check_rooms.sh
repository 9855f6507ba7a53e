#!/usr/bin/env bash
# check_rooms.sh SOURCE: a room of src/ includes only what stands before it in LANEWISE_ROOMS (cmake/library.cmake), the rooms of
# a wing stand together there, and every C++ file lies in one of those rooms, in src/cli, src/browser, src/python, tests, bench, fuzz or examples.
# A file opens the namespace lanewise::<name of its room>, and a test of a room that of no other room; base, chip/isa and chip/machine
# also hold what all others speak of, in plain lanewise, and rooms with kernels have a namespace per level. A few files stand in
# for functions of other rooms.
set -euo pipefail
cd "$1"
# list_of NAME: the words of set(NAME ...).
list_of() { sed -n "/^set($1/,/)/p" cmake/library.cmake | tr -d '()' | sed "s/^set *$1//" | tr -s ' \n' ' '; }
rooms=$(list_of LANEWISE_ROOMS)
levels=$(list_of LANEWISE_LEVEL_ROOMS)
[ "$(wc -w <<<"$rooms")" -gt 10 ] || { echo "cmake/library.cmake has no list of rooms"; exit 1; }

# src/source/sfpi/include/ is what kernels include, the interface to the recorder among it; it stands before all.
find . \( -path ./build -o -path ./kernel_cache \) -prune -o \( -name '*.cpp' -o -name '*.h' -o -name '*.def' \) -print | grep -v '^./src/source/sfpi/include/' |
  awk -v rooms="$rooms cli browser python" -v levels=" $levels " -v stand_ins=" src/cli/first_missing.cpp src/browser/missing.cpp src/browser/precision.cpp src/browser/commands.cpp " '
    # The room of a path from src/: the longest folder of it that is one; "" where there is none.
    function room_of(path) {
      while (sub(/\/[^\/]*$/, "", path)) if (path in place) return path
      return ""
    }
    function name_of(room) { sub(/.*\//, "", room); return room }
    # Whether a file of a room may open the namespace lanewise::SPACE (SPACE: its first part, "" for plain lanewise).
    function may_open(room, space) {
      if (space == "") return room ~ /^(base|chip\/isa|chip\/machine)$/
      if (space ~ /^(LANEWISE_LEVEL|baseline|v3|v4)$/) return index(levels, " " room " ")
      return space == name_of(room)
    }
    # The first part of the namespace that a line opens behind lanewise; "-" where it opens none.
    function opened(text) {
      if (text !~ /^(inline )?namespace lanewise(::[A-Za-z0-9_:]+)? *\{/) return "-"
      sub(/^(inline )?namespace lanewise(::)?/, "", text); sub(/[^A-Za-z0-9_].*/, "", text)
      return text
    }
    function complain(text) { print text; bad = 1 }
    BEGIN {
      n = split(rooms, list, " ")
      for (i = 1; i <= n; ++i) {
        place[list[i]] = i; named[name_of(list[i])] = 1
        split(list[i], parts, "/"); wing = parts[1]
        if (wing != last && wing in seen) complain("cmake/library.cmake: rooms of other wings stand between those of " wing)
        seen[wing] = 1; last = wing
      }
      others = " tests bench fuzz examples "
    }
    { file = substr($0, 3); top = file; sub(/\/.*/, "", top)
      tested = file; sub(/^tests\//, "", tested); sub(/\/.*/, "", tested)
      if (top == "tests" && tested in named) {
        line = 0
        while ((getline text < file) > 0) {
          ++line; space = opened(text)
          if (space != tested && space in named) complain(file ":" line ": a test of " tested " in the namespace of " space)
        }
        close(file)
      }
      if (index(others, " " top " ")) next
      room = top == "src" ? room_of(substr(file, 5)) : ""
      if (room == "") { complain(file ": lies in no room of cmake/library.cmake"); next }
      line = 0
      while ((getline text < file) > 0) {
        ++line; space = opened(text)
        if (space != "-" && !may_open(room, space) && !index(stand_ins, " " file " ")) {
          complain(file ":" line ": " room " has the namespace lanewise::" name_of(room) ", not " (space == "" ? "lanewise" : "lanewise::" space))
        }
        if (text !~ /^ *# *include "[a-z]+\// || text ~ /"source\/sfpi\/include\//) continue
        target = text; sub(/^[^"]*"/, "", target); sub(/".*/, "", target); target = room_of(target)
        if (target != "" && place[target] > place[room]) {
          complain(file ":" line ": " room " stands before " target ", and must not include it")
        }
      }
      close(file) }
    END { exit bad }'
