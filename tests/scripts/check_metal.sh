#!/usr/bin/env bash
# check_metal.sh PROGRAM SOURCE: operations of a checkout of tt-metal, as docs/metal.md states them. The checkout is one of
# our own headers in the same folders.
program=$1
source "$(dirname "$0")/expect.sh"

"$(dirname "$0")/metal_tree.sh" metal
run=("$program" run --metal metal)
expect 0 "-1  BF80      -1  BF80" "${run[@]}" --op elu --arch bh,wh --in value:-1 --quiet --show 1
expect 0 "-0.5  BF00    -0.5  BF00" "${run[@]}" --op elu --arch bh,wh --in value:-1 --quiet --show 1 --param alpha=0.5
expect 0 "-0.5  BF000000" "${run[@]}" --op elu --in value:-1 --quiet --show 1 --param alpha=0.5 --format fp32
expect 0 "9  4110" "${run[@]}" --op square --in value:3 --quiet --show 1
expect 0 "elu     1      float    alpha=1     elu     bh wh" "$program" list metal
expect 0 '"call": "calculate_elu<false, false, 8>(0x3F800000u)"' "$program" list metal --json
expect 0 "cycles" "$program" time --metal metal --op square --view none
expect 0 "nothing found in 146 instructions" "$program" check --metal metal --op square
expect 0 "Proved: 65536 inputs, equal bit for bit" "$program" tune --metal metal --op square --emit asm
also "ckernel_sfpu_square.h: 32 rows"
expect 0 "ULP" "$program" sweep --metal metal --op square --ref 'x*x' --no-decades
expect 0 "faithful (0.973 ULP before rounding); specials as the reference; 129 cycles per tile" "$program" score --metal metal --op square --ref 'x*x'
expect 0 "square  bh    bf16" "$program" llk metal --kernel square --arch bh
also "2 runs: 0 ok, 2 ran without a bound, 0 failed"
expect 0 "no reference" "$program" llk metal --arch bh
expect 0 '| square    | bh   | 1 / 0.991 | 1 / 0.991 |' "$program" accuracy --metal metal --format silicon --kernel square --arch bh
expect 0 "\`x * x\`" "$program" accuracy --metal metal --kernel square --arch bh
expect 0 '"verdict": "within 2 ULP everywhere"' "$program" accuracy --metal metal --format report-index --kernel square --arch bh
expect 0 '  - {in: Float16_b, out: Float16_b, approx: "No", dest: "No", arch: BLACKHOLE, max_ulp: 2}  # max 1 ULP' "$program" accuracy --metal metal --format budget-yaml --kernel square --arch bh
expect 0 "Blackhole,Float16_b,Float16_b,No,square,TILE_LOOP,129.00,0.00,modelled by Lanewise" "$program" accuracy --metal metal --format perf-csv --kernel square
expect 0 '{Float16_b, Float16_b, false, 4, "", Unit::PerTile, 129.00, 0.00}, // square_tile/math on bh, modelled by Lanewise' "$program" accuracy --metal metal --format tt-lang --kernel square
# Against an earlier run, or a published index.
square=("$program" accuracy --metal metal --kernel square --arch bh)
"${square[@]}" --json >before.json
expect 0 "nothing is worse than in before.json" "${square[@]}" --against before.json
sed 's/"largest": 1,/"largest": 0.5,/' before.json >better.json
expect 1 'square  bh    largest error    0.5     1' "${square[@]}" --against better.json
sed -E 's/"cycles": [0-9.]+/"cycles": 127/' before.json >faster.json
expect 1 'square  bh    cycles of a tile    127   129' "${square[@]}" --against faster.json
expect 0 "nothing is worse" "${square[@]}" --against faster.json --max-cycles +2%
"${square[@]}" --format report-index >index.json
expect 0 "nothing is worse than in index.json" "${square[@]}" --against index.json
echo 'Square: [{in: Float16_b, max_ulp: 1, arch: Blackhole}]' >budget.yaml
expect 0 "nothing is worse than in budget.yaml" "${square[@]}" --against budget.yaml
printf 'Square: [{max_ulp: 0, arch: blackhole}]\nTopk: [{max_ulp: 0}]\n' >small.yaml
expect 1 'square  bh    largest error      0     1' "${square[@]}" --against small.yaml
also 'not known here: Topk'
printf 'Square:\n  - {max_ulp: few}\n' >wrong.yaml
expect 2 "wrong.yaml:2: error: Square: max_ulp is 'few'; give a whole number of steps, from 0" "${square[@]}" --against wrong.yaml
echo 'Square: [{max_ulp: 1}]' >wormhole.yaml # rows without arch hold there alone
expect 2 "has none of these kernels" "${square[@]}" --against wormhole.yaml
echo nonsense >nonsense.json; echo '{}' >empty.json
expect 2 "this is no JSON object" "${square[@]}" --against nonsense.json
expect 2 "these are no figures of kernels" "${square[@]}" --against empty.json
expect 2 "--max-cycles takes a share such as +2%, not '2'" "${square[@]}" --against before.json --max-cycles 2
expect 2 "name it with --against" "${square[@]}" --max-cycles +2%
# A kernel of one's own with the checkout's headers.
echo '#include "ckernel_sfpu_elu.h"
void kernel() { ckernel::sfpu::calculate_elu<false>(0x3F000000u); }' >own.cpp
expect 0 "-0.5  BF00" "${run[@]}" own.cpp --in value:-1 --quiet --show 1

# Two checkouts, two operations of one, and a kernel beside an operation: the second negates what lies below zero.
cp -r metal after
sed -i 's/x = x \* alpha/x = -x/' after/tt_metal/hw/ckernels/*/metal/llk_api/llk_sfpu/ckernel_sfpu_elu.h
elu=("$program" diff --op elu --metal metal)
expect 1 "second: elu, after" "${elu[@]}" --metal-b after --arch bh,wh --inputs range:-1:1
expect 0 "first: elu, metal" "${elu[@]}" --metal-b after --arch bh,wh --inputs range:0:1
expect 1 "second: square" "${elu[@]}" --op-b square --inputs range:0:4
expect 1 "second: elu, alpha=0.5" "${elu[@]}" --param alpha=2 --param-b alpha=0.5 --inputs range:-1:1
expect 0 "second: elu" "${elu[@]}" --param alpha=0.5 --param-b alpha=0.5
expect 0 "second: elu" "$program" diff own.cpp --faces rc --metal metal --op-b elu --param-b alpha=0.5
expect 1 "second: own.cpp, after" "$program" diff own.cpp --metal metal --metal-b after --inputs range:-1:1
expect 2 "there is nothing to compare with" "${elu[@]}"
expect 2 "no program is named" "$program" diff --metal metal --metal-b after
expect 2 "did you mean elu" "${elu[@]}" --op-b elo
expect 2 "the tiles of the two have different formats, bf16 and uint32" "${elu[@]}" --op-b add_int32
expect 2 "there are two programs" "${elu[@]}" own.cpp --op-b square

# Integers are two's complement: 5 - 7.
for chip in blackhole wormhole_b0; do
  cat >metal/tt_metal/tt-llk/tt_llk_$chip/common/inc/sfpu/ckernel_sfpu_add_int.h <<'KERNEL'
#pragma once
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS, InstrModLoadStore INSTRUCTION_MODE, bool SIGN_MAGNITUDE_FORMAT>
inline void _add_int_(const std::uint32_t dst_index_in0, const std::uint32_t dst_index_in1, const std::uint32_t dst_index_out) {
  for (int d = 0; d < ITERATIONS; d++) {
    TT_SFPLOAD(0, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_in0 * 64);
    TT_SFPLOAD(1, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_in1 * 64);
    TTI_SFPIADD(0, 0, 1, 4);
    TT_SFPSTORE(1, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_out * 64);
    dst_reg++;
  }
}
}
KERNEL
done
expect 0 "FFFFFFFE" "${run[@]}" --op add_int32 --in value:5 --in value:4294967289 --quiet --show 1 --arch bh,wh

# An operation's formats and tiles are the tuner's, too.
expect 0 "Proved: both programs compute the same expressions of their inputs" "$program" tune --metal metal --op add_int32 --emit asm
expect 2 "no program is named" "$program" tune --metal metal
expect 2 "there are two programs" "$program" tune own.cpp --metal metal --op elu

# Every operation through the tuner.
corpus=("$program" tune --corpus metal --jobs 2)
expect 0 "| square    | bf16   | bh   | 4.0 |  129 |         1 |         32 |     1 | issue slots | optimal " "${corpus[@]}" --resume kept.ndjson --page tuned.html --arch bh,wh
also "Of 6 kernels, in their configurations, 6 are taken; 0 are refused, 0 do not compile."
also "Of 6 that were searched, 6 are faster"
also "optimal, proved by its expressions"
grep -qF "<td>square</td>" tuned.html || complain "no row on the page"
cp kept.ndjson before.ndjson
expect 0 '"geometric_mean": 0.' "${corpus[@]}" --resume kept.ndjson --arch bh,wh --json
cmp -s <(sort kept.ndjson) <(sort before.ndjson) || complain "results that are kept were tuned again"
expect 2 "this is of another tuning: steps is 20000 there, 7 here" "${corpus[@]}" --resume kept.ndjson --steps 7
expect 0 "add_int32 | uint32 | bh" "${corpus[@]}" --kernel add_int32 --prove all
also "optimal, proved by its expressions"
expect 2 "there is no kernel 'squar'" "${corpus[@]}" --kernel squar
# Patches, where they cannot be: one line, and nothing is written.
echo text >taken
patch_error() {
  expect 2 "$1" "$program" tune --emit patch "${@:2}"
  [ "$(wc -l <<<"$expected_output")" = 1 ] || complain "tune --emit patch ${*:2}: $expected_output"
  [ ! -e patches ] || complain "tune --emit patch ${*:2} has made a folder"
}
patch_error "--emit patch is for the headers of a checkout; name one with --corpus DIR"
patch_error "name one with --corpus DIR" own.cpp -o patches
patch_error "name one with --corpus DIR" -o patches
patch_error "name one with --corpus DIR" --metal metal --op elu -o patches
patch_error "--emit patch writes a file for each header; name a folder with -o FOLDER" --corpus metal
patch_error "taken: " --corpus metal -o taken
patch_error "there is no such folder" --corpus nowhere -o patches
patch_error "there is no kernel 'squar'" --corpus metal --kernel squar -o patches
for option in "--page p.html" "--resume kept" "--part 1/2" "--part-file part"; do
  # shellcheck disable=SC2086
  patch_error "--page, --resume and --part are for the table of a checkout" --corpus metal -o patches $option
done
expect 2 "--corpus prints no 'tti'; it takes --emit patch" "${corpus[@]}" --emit tti -o patches
expect 2 "--svg shows a front, which --max-ulp asks for" "$program" tune own.cpp --svg front.svg
expect 2 "excludes --corpus" "${corpus[@]}" own.cpp

# What cannot be.
expect 2 "the checkout has no operation 'squar'; did you mean square" "${run[@]}" --op squar
expect 2 "the operation elu has no parameter 'beta'; it has alpha" "${run[@]}" --op elu --param beta=1
expect 2 "'half' is no number for alpha" "${run[@]}" --op elu --param alpha=half
expect 2 "--param takes NAME=VALUE, not 'alpha'" "${run[@]}" --op elu --param alpha
expect 2 "there are two programs" "${run[@]}" own.cpp --op elu
expect 2 "no program is named" "$program" run
expect 2 "none is named; name one of tt-metal with --metal DIR" "$program" run --op elu
expect 2 "--param is for operations" "${run[@]}" own.cpp --param alpha=1
expect 2 "there is no such folder" "$program" run --metal nowhere --op elu
expect 2 "nor of tt-llk: tt_llk_blackhole/common/inc/sfpu is missing" "$program" list .
expect 2 "name a checkout of it with --metal DIR" "$program" accuracy --format silicon

# An editor: clang reads the kernels with the flags that are written.
expect 0 "compile_flags.txt: clangd and clang read kernels here for Blackhole now" "$program" clangd metal
folder=metal/tt_metal/hw/ckernels/blackhole/metal/llk_api/llk_sfpu
(cd metal && expect 0 "" clang++ -fsyntax-only @compile_flags.txt "../$folder/ckernel_sfpu_elu.h" "../$folder/ckernel_sfpu_square.h")
mkdir own && cp "$2"/examples/{gelu.cpp,elementary.h} own
expect 0 "own/compile_flags.txt" "$program" clangd own/gelu.cpp --arch wh
(cd own && expect 0 "" clang++ -fsyntax-only @compile_flags.txt gelu.cpp)
echo '-Wall' >own/compile_flags.txt
expect 2 "something else has written it; move it away, or let --force replace it" "$program" clangd own
[ "$(cat own/compile_flags.txt)" = -Wall ] || complain "the file of somebody else has changed"
expect 0 "own/compile_flags.txt" "$program" clangd own --force
expect 2 "there is no such file or folder" "$program" clangd nowhere
"$program" clangd own --json | python3 -c '
import json, os, sys
written = json.load(sys.stdin)
assert written["arch"] == "bh" and written["files"][-1] == "own/compile_flags.txt", written
assert len(written["files"]) == 3 and all(map(os.path.isfile, written["files"])), written' || complain "clangd --json"
