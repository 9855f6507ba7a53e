#!/usr/bin/env bash
# check_tidy.sh SOURCE BUILD: clang-tidy over the library and the command line, on all cores.
set -euo pipefail
source=$1 build=$2
cd "$source"
ls isa/*.cpp semantics/*.cpp machine/*.cpp timing/*.cpp compiler/*.cpp sfpi/*.cpp lab/*.cpp report/*.cpp cli/*.cpp |
  xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null
