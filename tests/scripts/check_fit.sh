#!/usr/bin/env bash
# check_fit.sh PROGRAM SOURCE: what 'lanewise fit' prints, writes and refuses, as docs/fit.md states it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

# The kernel that is written is the one that was swept: a sweep of the file has the same figures, chip by chip.
figures() { grep -E '"(largest_ulp|largest_exact_ulp|mean_ulp|at|cycles)"' "$1" | sed 's/^ *//; s/,$//'; }
same_as_sweep() { # FUNCTION RANGE OPTIONS...
  local function=$1 range=$2
  shift 2
  "$program" fit "$function" --range "$range" "$@" --out fit.cpp --json >fit.json || complain "fit $function"
  "$program" score fit.cpp --ref "$function" --inputs "range:$range" --arch bh,wh --json >score.json || complain "score of $function"
  [ "$(figures fit.json | wc -l)" = 10 ] || complain "fit $function --json has not five figures for each chip"
  diff <(figures fit.json) <(figures score.json) || complain "the figures of $function are not those of a sweep"
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
expect 2 "is undefined at x = -1" "$program" fit 'log(x)' --range -1:1
expect 2 "is infinite at x = 0, in the range from -1 to 1" "$program" fit '1/x' --range -1:1
expect 2 "has a pole at or near x = 0.3" "$program" fit '1/(x - 0.3)' --range -1:1 --lut fp32 --format fp32
expect 2 "not in range" "$program" fit 'exp(x)' --range 0:1 --format fp32 --samples 0
expect 2 "no/folder" "$program" fit 'exp(x)' --range 0:1 --out no/folder/fit.cpp
[ ! -e no ] || complain "something was written"
