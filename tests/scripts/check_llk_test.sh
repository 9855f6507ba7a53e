#!/usr/bin/env bash
# check_llk_test.sh PROGRAM SOURCE: 'lanewise llk-test' with a test of our own (docs/llk-tests.md).
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
test=("$program" llk-test "$source/tests/section/kernels/double_test.cpp")
params=(--param TILES=1 --param IN=0x21000 --param OUT=0x41000)

# The address sanitizer keeps its own memory where a core has registers.
if "${test[@]}" "${params[@]}" 2>&1 | grep -q "are taken in this process"; then
  echo "skipped: the addresses of registers are taken in this process"
  exit 77
fi

expect 2 "there is no such test" "$program" llk-test missing.cpp
expect 2 "no checkout of tt-llk" "${test[@]}" --llk .
expect 2 "is no parameter" "${test[@]}" --param 2
expect 2 "give one of them" "${test[@]}" --build-header build.h "${params[@]}"
expect 2 "cannot read" "${test[@]}" --build-header missing.h
expect 2 "names no address and no file" "${test[@]}" "${params[@]}" --in tile.bin
expect 2 "goes beyond the end of L1" "${test[@]}" "${params[@]}" --out 0x200000:4=out.bin
expect 2 "names no field and number" "${test[@]}" "${params[@]}" --config ALU_ACC_CTRL_Fp32_enabled
expect 2 "ALU_ACC_CTRL_Fp32_enabled" "${test[@]}" "${params[@]}" --config ALU_ACC_CTRL_Fp32_enabled=7
expect 2 "no_such_field" "${test[@]}" "${params[@]}" --config no_such_field=1
expect 2 "g++ could not compile" "${test[@]}" --param TILES=1

# 1024 ones of BF16 become twos, on both chips and in any order.
printf '\x80\x3f%.0s' $(seq 1024) >ones.bin
printf '\x00\x40%.0s' $(seq 1024) >twos.bin
for chip in bh wh; do
  for order in round-robin random adversarial; do
    expect 0 "math: " "${test[@]}" "${params[@]}" --arch $chip --order $order --seed 5 --in 0x21000=ones.bin --out 0x41000:2048=out.bin
    expect 0 "pack: " "${test[@]}" "${params[@]}" --arch $chip --order $order --seed 5 --hazards
    cmp -s out.bin twos.bin || complain "$chip, $order: the tile is another one"
  done
done

cat >stuck.cpp <<'END'
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
#ifdef LLK_TRISC_MATH
  TTI_SEMWAIT(2, 16, 1);
  TTI_SEMGET(16);
#endif
}
END
expect 1 "a deadlock: nobody can go on" "$program" llk-test stuck.cpp
expect 1 "the thread of math waits for semaphore 4 to be above 0" "$program" llk-test stuck.cpp
