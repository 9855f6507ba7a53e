#!/usr/bin/env bash
# check_kernel_symbols.sh LEVEL OBJECT...: the kernels of a level define no symbol outside the namespace of that level.
#
# An inline function or variable that every level emits under one name is merged by the linker, which keeps any one of
# them: then the baseline kernels could run code for AVX-512. Exit status 77 (skipped) without nm.
set -euo pipefail
level=$1
shift
command -v nm >/dev/null || { echo "nm is not installed"; exit 77; }

# lanewise::LEVEL:: as compilers spell it, also in front of what is inside a function.
prefix="_Z[ZNK]*8lanewise${#level}${level}"
symbols=$(nm --defined-only --extern-only "$@" | awk 'NF > 1 { print $NF }')
if ! grep -q "^$prefix" <<<"$symbols"; then
  echo "$* defines nothing in lanewise::$level: is it the object of that level?"
  exit 1
fi
if shared=$(grep -v "^$prefix" <<<"$symbols"); then
  echo "symbols of $level that other code may share:"
  c++filt <<<"$shared" | sed 's/^/  /'
  echo "Inline it by force (LANEWISE_INLINE), put it into the namespace of the level, or define it in a .cpp file."
  exit 1
fi
