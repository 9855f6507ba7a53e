#!/usr/bin/env bash
# check_format.sh SOURCE [--write]: every C++ file is as clang-format leaves it; with --write, clang-format changes those that
# are not, and their names are printed.
set -euo pipefail
cd "$1"
files() {
  find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' \) -printf '%P\0' | sort -z
}
if [ "${2-}" != --write ]; then
  files | xargs -0 clang-format --dry-run --Werror
  exit
fi
before=$(mktemp)
trap 'rm -f "$before"' EXIT
files | xargs -0 sha256sum >"$before"
files | xargs -0 clang-format -i
sha256sum --check --quiet "$before" 2>/dev/null | sed 's/: FAILED$//' || true
