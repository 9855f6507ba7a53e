#!/usr/bin/env bash
# check_format.sh SOURCE: every C++ file is as clang-format leaves it.
set -euo pipefail
cd "$1"
find isa semantics machine timing compiler sfpi lab report cli tests examples bench fuzz -name '*.cpp' -o -name '*.h' | sort |
  xargs clang-format --dry-run --Werror
