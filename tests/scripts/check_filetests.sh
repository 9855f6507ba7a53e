#!/usr/bin/env bash
# check_filetests.sh PROGRAM SOURCE_DIR: what the compiler makes of kernels, word for word.
#
# tests/filetests/*.cpp is one kernel per pass: its comment '// run: OPTIONS' says how it is run on both chips, and what is
# printed stands in the comment behind '// expected:'. Beside them lies the code of every example, as EXAMPLE.tt.
# LANEWISE_BLESS=1 writes what is printed now; look at it before it is committed.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
bless=${LANEWISE_BLESS-}
shown=80

# printed KERNEL OPTIONS...: what both chips get, one after the other.
printed() {
  local kernel=$1 chip
  shift
  for chip in bh wh; do
    printf '%s\n' "-- $chip"
    "$program" run "$kernel" --arch "$chip" "$@" 2>&1 || printf 'status %s\n' $?
  done
}

# compare NAME EXPECTED ACTUAL
compare() {
  diff -u --label "$1, expected" --label "$1, now" "$2" "$3" && return
  complain "$1; if it is right, run this check again with LANEWISE_BLESS=1"
}

cd "$source/tests/filetests"
for kernel in *.cpp; do
  options=$(sed -n 's,^// run: ,,p' "$kernel")
  [ -n "$options" ] || { complain "$kernel has no line '// run: OPTIONS'"; continue; }
  # shellcheck disable=SC2086  # options are words
  printed "$kernel" $options --emit words | sed '/^0x/d; s,^,// ,; s, *$,,' >"$work/now"
  if [ -n "$bless" ]; then
    sed '/^\/\/ expected:/,$d' "$kernel" >"$work/kernel"
    { cat "$work/kernel"; printf '// expected:\n'; cat "$work/now"; } >"$kernel"
    continue
  fi
  sed '1,/^\/\/ expected:/d' "$kernel" >"$work/expected"
  compare "tests/filetests/$kernel" "$work/expected" "$work/now"
done

for example in "$source"/examples/*.cpp; do
  name=$(basename "$example" .cpp)
  printed "$example" --emit asm >"$work/all"
  # The beginning to read, the rest as a number: examples unroll to thousands of words.
  { head -n "$shown" "$work/all"; printf '; %s lines in all, cksum %s\n' "$(wc -l <"$work/all")" "$(cksum <"$work/all" | cut -d' ' -f1)"; } >"$work/now"
  if [ -n "$bless" ]; then
    cp "$work/now" "examples/$name.tt"
    continue
  fi
  if [ ! -e "examples/$name.tt" ]; then
    complain "tests/filetests/examples/$name.tt is missing"
    continue
  fi
  compare "examples/$name.cpp" "examples/$name.tt" "$work/now"
done
