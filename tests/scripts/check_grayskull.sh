#!/usr/bin/env bash
# check_grayskull.sh PROGRAM SOURCE: what the commands do with --arch gs, as docs/grayskull.md states it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
kernel=$source/examples/grayskull/sigmoid.cpp
run=("$program" run "$kernel" --arch gs)

# Results say what they are made of wherever they are shown; those of other chips say nothing.
arithmetic="binary32 arithmetic cut to 19 bits, as SFPI 5.0's emulator computes"
expect 0 "gs: note: results are $arithmetic" "${run[@]}"
expect 0 "note: results are $arithmetic" "$program" sweep "$kernel" --arch gs --ref 'sigmoid(x)'
expect 0 "\"gs\": \"$arithmetic" "$program" sweep "$kernel" --arch gs --ref 'sigmoid(x)' --json
expect 0 "note: results are $arithmetic" "$program" diff "$kernel" "$kernel" --arch gs
expect 0 "" "$program" sweep "$kernel" --arch gs --ref 'sigmoid(x)' --html page.html
grep -q "$arithmetic" page.html || complain "the page does not say what its results are made of"
printf 'SFPLOAD L0, 1, 0\nNOP\nNOP\nSFPSTORE L0, 0, 0\n' >copy.tt
"$program" sweep copy.tt --arch bh --ref x 2>&1 | grep -q "results are" && complain "a note for Blackhole"

# A copy of 16-bit numbers is exact. (The reference takes denormals as zeros; they are counted apart.)
expect 0 "gs: 65026 results, largest 0 ULP, mean 0; apart from these, 254 of 254 denormal inputs differ" \
  "$program" sweep copy.tt --arch gs --ref x

# A trace shows numbers of 19 bits.
expect 0 "L3 = 1F800 (0.5) in all lanes" "${run[@]}" --in zero --trace

# Words, and words read back.
echo 'SFPLUT L3, 4' >lut.tt
expect 0 "73340000" "$program" asm lut.tt --arch gs
expect 0 "SFPLUT L3, 4" "$program" dis 73340000 --arch gs
expect 0 ".word 0x92000000" "$program" dis 92000000 --arch gs

# What is not known is refused by name.
for command in time check tune; do
  expect 2 "'$command' does not know Grayskull: no public source gives the latencies and hazards" "$program" "$command" copy.tt --arch gs
done
expect 2 "leave out --hazards=model" "${run[@]}" --hazards=model
expect 2 "SFPI 7.38 does not know Grayskull" "${run[@]}" --sfpi 7.38
for format in fp32 fp16 int32; do
  expect 2 "Grayskull has no $format in Dst" "${run[@]}" --format "$format"
done
echo 'SFPXOR L0, L1' >xor.tt
expect 2 "SFPXOR" "$program" run xor.tt --arch gs
