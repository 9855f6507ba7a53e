#!/usr/bin/env bash
# check_fit.sh PROGRAM SOURCE: what 'lanewise fit' prints, writes and refuses, as docs/fit.md states it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

# The kernel that is written is the one that was swept: a sweep of the file says the same.
json() { python3 -c 'import json, sys; d = json.load(sys.stdin)
for key in sys.argv[1].split("/"): d = d[int(key) if key.isdigit() else key]
print(d)' "$1"; }
same_as_sweep() { # FUNCTION RANGE OPTIONS...
  local function=$1 range=$2 chip
  shift 2
  "$program" fit "$function" --range "$range" "$@" --out fit.cpp --json >fit.json || complain "fit $function"
  "$program" sweep fit.cpp --ref "$function" --inputs "range:$range" --arch bh,wh --json >sweep.json || complain "sweep $function"
  for chip in 0 1; do
    [ "$(json "chips/$chip/largest_ulp" <fit.json)" = "$(json "chips/$chip/errors/largest_ulp" <sweep.json)" ] ||
      complain "the largest ULP of $function is not that of a sweep, on chip $chip"
    [ "$(json "chips/$chip/cycles" <fit.json)" = "$(json "chips/$chip/cycles" <sweep.json)" ] ||
      complain "the cycles of $function are not those of a sweep, on chip $chip"
  done
  [ "$(json kernel <fit.json)" = "$(cat fit.cpp)" ] || complain "the kernel of $function in JSON is not that of the file"
}
same_as_sweep 'exp(x)' 0:1 --degree 3
same_as_sweep 'sin(x)' -1.5:1.5 --degree 5 --powers odd --coefficients bf16
same_as_sweep 'tanh(x)' -4:4 --lut fp16-4

# Without --out, what is printed below the tables is the kernel.
"$program" fit 'exp(x)' --range 0:1 --out fit.cpp >/dev/null
"$program" fit 'exp(x)' --range 0:1 | sed -n '/^\/\/ exp/,$p' | cmp - fit.cpp || complain "the printed kernel is another one"

expect 0 "a sample" "$program" fit 'exp(x)' --range 0:1 --format fp32 --samples 1000 --arch wh
expect 2 "1:0" "$program" fit 'exp(x)' --range 1:0
expect 2 "is not a range" "$program" fit 'exp(x)' --range 1
expect 2 "both finite" "$program" fit 'exp(x)' --range 0:inf
expect 2 "column 6" "$program" fit 'exp(x' --range 0:1
expect 2 "contradict" "$program" fit 'exp(x)' --range 0:1 --relative --absolute
expect 2 "there is no table" "$program" fit 'exp(x)' --range 0:1 --lut fp8
expect 2 "--coefficients fp32, bf16 or fp16" "$program" fit 'exp(x)' --range 0:1 --coefficients fp8
expect 2 "whole numbers" "$program" fit 'exp(x)' --range 0:1 --format int32
expect 2 "'floor'" "$program" fit 'floor(x)' --range 0:4
expect 2 "finds no polynomial" "$program" fit 'log(x)' --range -1:1
expect 2 "no/folder" "$program" fit 'exp(x)' --range 0:1 --out no/folder/fit.cpp
[ ! -e no ] || complain "something was written"
