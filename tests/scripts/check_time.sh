#!/usr/bin/env bash
# check_time.sh PROGRAM SOURCE: what 'lanewise time' prints and writes, as docs/timing.md and docs/cli.md state it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

printf 'SFPLOAD L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\nINCRWC DstInc=2\n' >identity.tt
printf 'SFPLOAD L3, SRCB, 3, 0\nSFPLUTFP32 L3, 2\nSFPSTORE L3, SRCB, 3, 0\n' >tanh.tt
printf 'SFPMOV L0, L1, 0\n' >move.tt
printf 'SFPMADD\n' >unknown.tt

# The calibration table: k, and the tile with its harness (T6).
expect 0 "k = 3.000 cycles per row" "$program" time identity.tt --repeat 32
expect 0 "32 x 3.000 + 28.2 = 124.2 cycles" "$program" time identity.tt --repeat 32 --harness bh-copy
expect 0 "k = 4.000 cycles per row of 32 lanes = 3.000 slots + 1.000 stalls" "$program" time tanh.tt --repeat 32
expect 0 "cycles per word: k = 3.75" "$program" time identity.tt --arch wh
expect 0 "adds about 155 cycles to a tile" "$program" time identity.tt --rolled 3
expect 0 "which the constant of this harness has already" "$program" time identity.tt --rolled 24 --harness bh-copy
expect 0 "32 x 3.000 + 15 for the loop + 15.1 = 126.1 cycles" "$program" time identity.tt --rolled 24 --harness llk-bench
expect 0 "32 x 3.000 + 30.1 = 126.1 cycles" "$program" time identity.tt --harness llk-bench-pushed
expect 0 "32 x 3.000 + 32 passes x 1 + 55.8 = 183.8 cycles" "$program" time identity.tt --arch wh --harness wh-rolled
expect 0 "32 x 3.000 + 4 passes x 1 + 55.8 = 155.8 cycles" "$program" time identity.tt --arch wh --harness wh-rolled --rolled 24

# --cycles FIRST:LAST shows both.
expect 0 "identity.tt, cycles 2 to 4 of 96" "$program" time identity.tt --repeat 32 --cycles 2:4
expect 0 "identity.tt, cycles 5 to 5 of 96" "$program" time identity.tt --repeat 32 --cycles 5:5
expect 2 "--cycles takes a number, FIRST:LAST or 'all'" "$program" time identity.tt --cycles 5:4

# One number per tile, whoever prints it: what runs once and what the library does around the kernel is no part of it.
# 32 rows of four instructions, and the slot in which the loop is recorded for REPLAY (T1).
cat >ckernel_sfpu_it.h <<'END'
#pragma once
#include "sfpi.h"
inline void init_it() { sfpi::vConstFloatPrgm0 = 2.0f; sfpi::vConstFloatPrgm1 = 3.0f; }
inline void calculate_it() {
  for (int i = 0; i < 8; ++i) { sfpi::vFloat v = sfpi::dst_reg[0]; sfpi::dst_reg[0] = sfpi::abs(v); sfpi::dst_reg++; }
}
END
kernel=(ckernel_sfpu_it.h --call 'calculate_it()' --init 'init_it()')
expect 0 "A tile in the steady state: 129 cycles" "$program" time "${kernel[@]}" --view none
expect 0 "A tile in the steady state: 129 cycles" "$program" time "${kernel[@]}" --view none --repeat 3
expect 0 "32 x 4.031 + 15.1 = 144.1 cycles" "$program" time "${kernel[@]}" --view none --harness llk-bench
expect 0 "cycles per tile            129" "$program" sweep "${kernel[@]}" --ref 'abs(x)'
expect 0 "cycles per tile            129" "$program" sweep ckernel_sfpu_it.h --call 'calculate_it()' --ref 'abs(x)'
expect 0 ", 129 cycles per tile" "$program" check "${kernel[@]}"
expect 0 "cycles per tile          129     129          same" "$program" diff ckernel_sfpu_it.h ckernel_sfpu_it.h --call 'calculate_it()' --init-b 'init_it()'
printf 'SFPLOAD L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\nSFPSTORE L0, SRCB, 3, 0\nINCRWC DstInc=2\n' >twice.tt
expect 0 "A tile in the steady state: 128 cycles" "$program" time twice.tt --view none

# What cannot be timed has no numbers.
printf '9a000000\n' >undefined.hex
printf 'SFPLOAD L0, SRCB, 3, 0\nSFPGT L0, L0, 1\nSFPSTORE L0, SRCB, 3, 0\n' >bh_only.tt
"$program" asm bh_only.tt -o bh_only.hex
printf 'REPLAY 0, 32, 0, 1\n.repeat 32\nSFPNOP\n.endr\n.repeat 400000\nREPLAY 0, 32, 0, 0\n.endr\n' >long.tt
for untimed in undefined.hex "bh_only.hex --arch wh" long.tt; do
  # shellcheck disable=SC2086
  expect 1 "not timed" "$program" time $untimed
  # shellcheck disable=SC2086
  if "$program" time $untimed 2>&1 | grep -q 'cycles per row\|The program:'; then
    complain "numbers for $untimed"
  fi
done
expect 1 '"failure": "not timed' "$program" time undefined.hex --json
expect 1 "not timed" "$program" time undefined.hex --html untimed.html
[ ! -e untimed.html ] || complain "a page of what cannot be timed"
expect 0 "wh: identity.tt" "$program" time identity.tt --arch bh,wh
expect 0 "ns at 1.35 GHz" "$program" time identity.tt

# Views and ranges.
expect 0 "SFPSTORE L3, 0, 3, 0  . =W" "$program" time tanh.tt
expect 0 "line issued" "$program" time tanh.tt --view units
expect 0 "cycles 10 to 19 of" "$program" time tanh.tt --repeat 32 --cycles 10:19
expect 0 "cycles 0 to 127 of 127" "$program" time tanh.tt --repeat 32 --cycles all
expect 0 "No row is stored" "$program" time move.tt --view none
expect 0 "k = " "$program" time "$source/examples/gelu.cpp" --arch bh,wh
expect 0 "dst_reg[0]" "$program" time "$source/examples/gelu.cpp"
expect 0 '"lanewise-time"' "$program" time identity.tt --json
printf 'SFPNOP\n' | expect 0 "The program: 1 cycles" "$program" time -

# Files: the trace is JSON with slices, written whole or not at all.
expect 0 "" "$program" time tanh.tt --perfetto trace.json --html page.html
grep -q '"ph":"X"' trace.json || complain "no slice in the trace"
expect 2 "error" "$program" time tanh.tt --perfetto no/such/folder/trace.json
expect 2 "unknown.tt:1" "$program" time unknown.tt --html none.html --perfetto none.json
[ ! -e none.html ] && [ ! -e none.json ] || complain "files in spite of an error"

# What cannot be timed has no numbers.
printf '9a000000\n' >undefined.hex
expect 1 "not timed" "$program" time undefined.hex
expect 1 "not timed" "$program" time undefined.hex --html untimed.html
[ ! -e untimed.html ] || complain "a page of what cannot be timed"

# Bad input: one message, status 2.
expect 2 "error" "$program" time
expect 2 "error" "$program" time missing.tt
expect 2 "no chip 'qs'" "$program" time identity.tt --arch qs
expect 2 "does not know Grayskull" "$program" time identity.tt --arch gs
expect 2 "--cycles" "$program" time identity.tt --cycles 9:3
expect 2 "--cycles" "$program" time identity.tt --cycles 0
expect 2 "--cycles" "$program" time identity.tt --cycles x
expect 2 "no harness 'card'" "$program" time identity.tt --harness card
expect 2 "measured on Wormhole" "$program" time identity.tt --harness wh-replay
expect 2 "--repeat 0" "$program" time identity.tt --repeat 0
expect 2 "too many" "$program" time identity.tt --repeat 100000000
expect 2 "view" "$program" time identity.tt --view picture

# MOP is expanded in every pass: 64 MVMUL, ZEROACC and SETRWC.
expect 0 "slots (instructions)                             528          66" \
  "$program" time "$source/examples/matmul_bh.tt" --repeat 8 --view none

# What a change gives: three instructions a row are 96 cycles a tile, and with a stall 128.
expect 0 "A tile in the steady state: 96 cycles, then 128: 32 more (+33.3 %)." "$program" time identity.tt tanh.tt
expect 0 "A tile in the steady state: 96 cycles, then 96: no change." "$program" time identity.tt identity.tt
expect 0 '"format": "lanewise-time-change"' "$program" time identity.tt tanh.tt --json --arch bh,wh
expect 2 "show one program" "$program" time identity.tt tanh.tt --html page.html
expect 2 "standard input is one program" "$program" time - -
expect 2 "SFPMADD" "$program" time identity.tt unknown.tt

# The same of a whole tile: half of the fidelity phases are half of the Matrix Unit's work.
sed 's/PHASES    4/PHASES    2/' "$source/examples/tile/matmul_bh.tt" >phases.tt
matmul=$source/examples/tile/matmul_bh.tt
expect 0 "Bounded by issue of T1 (65.0 of " \
  "$program" tile "$matmul" phases.tt --time --tiles 64
expect 0 "L1 at the end has other bits." "$program" tile "$matmul" phases.tt --time
expect 0 "L1 at the end has the same bits." "$program" tile "$matmul" "$matmul" --time
expect 0 '"same_l1": false' "$program" tile "$matmul" phases.tt --time --json
expect 2 "two programs are compared in time" "$program" tile "$matmul" phases.tt
expect 2 "show one program" "$program" tile "$matmul" phases.tt --time --timeline 3
expect 2 "missing.tt" "$program" tile "$matmul" missing.tt --time
