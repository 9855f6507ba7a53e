#!/usr/bin/env bash
# check_format.sh SOURCE: every C++ file is as clang-format leaves it.
set -euo pipefail
cd "$1"
find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' \) -print | sort |
  xargs clang-format --dry-run --Werror
