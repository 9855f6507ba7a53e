#!/usr/bin/env bash
# check_llk_state.sh PROGRAM SOURCE: 'lanewise llk-state' with headers of our own (docs/llk-state.md): each way of comparison, each
# form of output, read back.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
if "$program" llk-test "$source/tests/section/kernels/double_test.cpp" --param TILES=1 --param IN=0x21000 --param OUT=0x41000 2>&1 |
  grep -q "are taken in this process"; then
  echo "skipped: the addresses of registers are taken in this process"
  exit 77
fi

cat >ours.h <<'END'
#pragma once
#include "ckernel_ops.h"
#include "tensix.h"
inline void _llk_math_ours_init_(unsigned offset) {
  TT_SETC16(1, offset);
  TTI_SEMINIT(2, 1, 0x10);
}
inline void _llk_math_ours_uninit_() { TTI_SETC16(1, 0); }
inline void _llk_math_counts_() { TTI_INCRWC(0, 3, 0, 0); }
inline void _llk_math_stuck_() {
  TTI_SEMWAIT(2, 0x20, 1);
  TTI_SEMGET(0x20);
}
END
state=("$program" llk-state -I .)

expect 0 "1: math, _llk_math_ours_init_(5): 3 fields changed" "${state[@]}" '_llk_math_ours_init_(5)'
also "T1 DEST_TARGET_REG_CFG_MATH_Offset  0       5"
expect 0 "3: math, _llk_math_counts_(): 1 field changed" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_counts_()' '_llk_math_counts_()'
expect 0 "no fields changed" "${state[@]}" '_llk_math_ours_uninit_()'
expect 0 "no fields changed" "${state[@]}" '_llk_math_counts_()' --only configuration

# Two ways.
expect 1 "once and against end with 2 fields different" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_ours_uninit_()' --against ''
expect 1 "semaphore 4      1     0        1: _llk_math_ours_init_  the start" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_ours_uninit_()' --against ''
expect 0 "once and twice end in the same state" "${state[@]}" '_llk_math_ours_init_(5)' --twice
expect 1 "T1 RWC Dst  3     6      1: _llk_math_counts_  2: _llk_math_counts_" "${state[@]}" '_llk_math_counts_()' --twice
expect 1 "2: _llk_math_ours_init_  2: _llk_math_ours_init_" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_ours_init_(6)' --swap
expect 0 "same state" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_counts_()' --swap
expect 0 "in order and late end in the same state" "${state[@]}" '_llk_math_ours_init_(5); _llk_math_counts_()' --late --arch wh
expect 0 "once and against end in the same state" "${state[@]}" --before '_llk_math_ours_init_(5)' '_llk_math_ours_uninit_()' --against '_llk_math_ours_init_(0)'
expect 1 "a deadlock: nobody can go on" "${state[@]}" '_llk_math_stuck_()' --twice
if "${state[@]}" '_llk_math_stuck_()' --twice 2>/dev/null | grep -q state; then complain "a state in the middle is compared"; fi

# Every form says the same.
"${state[@]}" '_llk_math_ours_init_(5); _llk_math_counts_()' --against '_llk_math_ours_init_(6)' --json >two.json || true
"${state[@]}" '_llk_math_ours_init_(5); _llk_math_counts_()' --against '_llk_math_ours_init_(6)' --markdown >two.md || true
"${state[@]}" '_llk_math_ours_init_(5)' --json >one.json
"${state[@]}" '_llk_math_ours_init_(5)' --markdown >one.md
python3 - <<'END' || complain "a form of output is another one than it should be"
import json
two, one = json.load(open("two.json")), json.load(open("one.json"))
assert two["format"] == one["format"] == "lanewise-llk-state" and two["arch"] == "bh"
found = {each["field"]: (each["first"], each["second"], each["first_left_by"], each["second_left_by"]) for each in two["differences"]}
assert found == {"T1 DEST_TARGET_REG_CFG_MATH_Offset": (5, 6, 0, 0), "T1 RWC Dst": (3, 0, 1, None)}, found
assert [call["call"] for call in two["ways"][0]["calls"]] == ["_llk_math_ours_init_(5)", "_llk_math_counts_()"]
changes = {each["field"]: (each["kind"], each["before"], each["after"]) for each in one["ways"][0]["calls"][0]["changes"]}
assert changes == {"T1 DEST_TARGET_REG_CFG_MATH_Offset": ("configuration", 0, 5), "semaphore 4": ("sync", 0, 1),
                   "semaphore 4 max": ("sync", 1, 2)}, changes  # LLK sets the device up with 1
assert "differences" not in one
rows = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in open("two.md") if line.startswith("|")]
assert ["T1 RWC Dst", "3", "0", "2: _llk_math_counts_", "the start"] in rows, rows
rows = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in open("one.md") if line.startswith("|")]
assert ["semaphore 4 max", "1", "2"] in rows, rows
END

# A test: its own calls, with their lines.
cat >test.cpp <<'END'
#include <cstdint>
#include "build.h"
#include "ours.h"
void run_kernel(RUNTIME_PARAMETERS) {
#if defined(LLK_TRISC_MATH)
  _llk_math_ours_init_(5);
  _llk_math_ours_uninit_();
#endif
}
END
expect 0 "2: math, _llk_math_ours_uninit_(), line 7: 1 field changed" "$program" llk-state test.cpp
expect 2 "a test has one way" "$program" llk-state test.cpp --twice
echo 'void run_kernel() {}' >empty.cpp
expect 2 "calls nothing of LLK" "$program" llk-state empty.cpp

expect 2 "exclude each other" "${state[@]}" 'f()' --twice --swap
expect 2 "does not say on which thread" "${state[@]}" 'f()'
expect 2 "defines '_llk_math_none_'" "${state[@]}" '_llk_math_none_()'
expect 2 "do not close" "${state[@]}" '_llk_math_ours_init_(5'
expect 2 "there is no thread" "${state[@]}" 'f()' --thread maths
expect 2 "there is no kind of fields" "${state[@]}" '_llk_math_counts_()' --only config
expect 2 "call 1" "${state[@]}" '_llk_math_ours_init_()'
expect 2 "no call is given" "${state[@]}" ' ; '
