#!/usr/bin/env bash
# check_llk.sh PROGRAM: 'lanewise llk' on a checkout of our own, which has one kernel.
program=$1
source "$(dirname "$0")/expect.sh"

# kernel BODY: a checkout whose abs does that to the vector v.
kernel() {
  mkdir -p tt/tt_llk_blackhole/common/inc/sfpu
  cat >tt/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_abs.h <<EOF
#pragma once
#include "sfpi.h"
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS>
inline void _calculate_abs_(const int iterations) {
  for (int d = 0; d < iterations; d++) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = $1;
    sfpi::dst_reg++;
  }
}
} // namespace ckernel::sfpu
EOF
}

mkdir empty
expect 2 "no such folder" "$program" llk missing
expect 2 "tt_llk_blackhole/common/inc/sfpu is missing" "$program" llk empty
kernel "sfpi::abs(v)"
expect 2 "tt_llk_wormhole_b0/common/inc/sfpu is missing" "$program" llk tt
expect 2 "no kernel 'nonsense'" "$program" llk tt --arch bh --kernel nonsense
expect 2 "no chip 'qs'" "$program" llk tt --arch qs
expect 2 "does not know Grayskull" "$program" llk tt --arch gs
expect 2 "no checkout of tt-llk is named" "$program" llk
expect 0 "_calculate_abs_<true, 8>(8)" "$program" llk --list
expect 0 "2 runs: 2 ok" "$program" llk tt --arch bh --kernel abs
expect 0 '"verdict": "ok"' "$program" llk tt --arch bh --kernel abs --json
expect 0 "2 runs: 2 ok, 0 failed; 1 of 1 headers" "$program" llk tt --arch bh --kernel abs
also "abs     bh           1     2  ok"

# Headers that nothing is known about, and a new function in one that is: named, in text and JSON.
folder=tt/tt_llk_blackhole/common/inc/sfpu
echo 'inline void _calculate_novel_() {}' >$folder/ckernel_sfpu_novel.h
echo 'inline void _calculate_abs_again_() {}' >>$folder/ckernel_sfpu_abs.h
expect 2 "header 'novel' has no reference" "$program" llk tt --arch bh --kernel novel
expect 0 "1 of 2 headers" "$program" llk tt --arch bh --kernel abs
also "abs     bh           1     2  ok; no reference for _calculate_abs_again_"
# Without --kernel every header has its line. The other kernels are not in this checkout, so they fail.
expect 1 "novel   bh           0     0  no reference for _calculate_novel_" "$program" llk tt --arch bh
expect 1 '"verdict": "no reference"' "$program" llk tt --arch bh --json
rm $folder/ckernel_sfpu_novel.h

# The table does not depend on how many kernels are checked at a time, and a signal leaves what there is.
"$program" llk tt --arch bh --jobs 1 >one.txt || true
"$program" llk tt --arch bh --jobs 3 >three.txt || true
cmp one.txt three.txt || complain "--jobs changes the table"
grep -q "abs " one.txt || complain "the table is empty"
expect 2 "not in range" "$program" llk tt --jobs 0
kernel "({ for (volatile long i = 0; i < 4000000000; ++i) {} v; })"
timeout -s TERM 1 "$program" llk tt --arch bh --kernel abs >stopped.txt 2>&1 && complain "a stopped table has status 0"
grep -q "stopped before the end: 0 of 1 kernels were checked" stopped.txt || complain "it is not told that it was stopped: $(tail -2 stopped.txt)"

kernel "v"
expect 1 "32514 of 65282 are wrong" "$program" llk tt --arch bh --kernel abs
kernel "no_such_function(v)"
expect 1 "no_such_function" "$program" llk tt --arch bh --kernel abs
expect 0 "tt_llk_wormhole_b0" "$program" llk --help
