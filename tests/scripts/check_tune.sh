#!/usr/bin/env bash
# check_tune.sh PROGRAM SOURCE: what 'lanewise tune' prints is applied: assembly, words and C++ do what the kernel does,
# bit for bit; what cannot be tuned is said, with the plain program. docs/tuning.md has the rest.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
kernels=$source/examples/tune
same="bits changed        0    0 %"

for kernel in abs relu round; do
  for arch in bh wh; do
    "$program" tune "$kernels/$kernel.cpp" --arch $arch --emit asm -o tuned.tt || complain "tune $kernel $arch"
    expect 0 "nothing found" "$program" check tuned.tt --arch $arch
    expect 0 "bits changed" "$program" diff "$kernels/$kernel.cpp" tuned.tt --arch $arch
  done
done

# Rows with v_if: assembly and words say themselves that flags are in use.
printf '#include "sfpi.h"\nusing namespace sfpi;\nvoid kernel() {\n  for (int i = 0; i < 32; ++i) {\n    vFloat x = dst_reg[0];\n    v_if (x < 0.0f) { x = x * 0.75f; }\n    v_endif;\n    dst_reg[0] = x;\n    dst_reg++;\n  }\n}\n' >leaky.cpp
for arch in bh wh; do
  "$program" tune leaky.cpp --no-macros --arch $arch --emit asm -o leaky.tt || complain "tune leaky $arch"
  expect 0 "$same" "$program" diff leaky.cpp leaky.tt --arch $arch
  "$program" tune leaky.cpp --no-macros --arch $arch --emit words -o leaky.hex || complain "tune leaky $arch words"
  expect 0 "$same" "$program" diff leaky.cpp leaky.hex --arch $arch
done

# The functions as they are pasted into a kernel, and the words.
printf '#include "ckernel.h"\n#include "sfpi.h"\n#include "tuned.h"\nvoid kernel() { round_init(); round_tile(); }\n' >pasted.cpp
"$program" tune "$kernels/round.cpp" --name round -o tuned.h || complain "tune round"
expect 0 "$same" "$program" diff "$kernels/round.cpp" pasted.cpp
"$program" tune "$kernels/round.cpp" --emit words -o tuned.hex || complain "tune round --emit words"
expect 0 "$same" "$program" diff "$kernels/round.cpp" tuned.hex

# The same as JSON, whose code is applied; a table has none, and neither has more than one chip.
"$program" tune "$kernels/abs.cpp" --arch wh --json --emit asm --ref 'abs(x)' -o abs.json || complain "tune --json"
python3 -c "import json; print(json.load(open('abs.json'))['code'], end='')" >abs_tuned.tt
expect 0 "$same" "$program" diff "$kernels/abs.cpp" abs_tuned.tt --arch wh
python3 -c "
import json
found = json.load(open('abs.json'))
assert found['chip'] == 'wh' and found['rows'] == 32 and not found['block'] and found['largest_ulp'] == 0, found
assert found['proved_by'] == 'all inputs' and found['inputs'] == 65536 and found['optimal'], found
assert found['tuned_cycles_per_tile'] < found['plain_cycles_per_tile'], found
" || complain "what the JSON of tune says"
expect 2 "--json shows what was found for one chip" "$program" tune "$kernels/abs.cpp" --arch bh,wh --json
expect 2 "--table is Markdown and has no JSON" "$program" tune "$kernels/abs.cpp" --table --json

# What 'check' finds of the kernel it finds of the tuned one, too, and both say so.
printf '.repeat 32\nSFPLOAD L0, SRCB, 7, 0\nSFPADDI 0x4040, L0, 0\nSFPNOP\nSFPARECIP 0, L0, L0, 2\nSFPSTORE L0, SRCB, 7, 0\nINCRWC DstInc=2\n.endr\n' >beyond.tt
"$program" tune beyond.tt --emit asm -o beyond_tuned.tt || complain "tune beyond.tt"
grep -qF "'check' finds only what it finds of the plain kernel (arecip-range)" beyond_tuned.tt || complain "what check finds: $(head -20 beyond_tuned.tt)"
expect 0 "$same" "$program" diff beyond.tt beyond_tuned.tt
for each in beyond beyond_tuned; do expect 0 "$each.tt: 0 hazards" "$program" check $each.tt; also "arecip-range"; done
expect 0 "'check' finds only what it finds of the plain kernel (arecip-range)" "$program" tune beyond.tt --max-ulp 4 --steps 2000
"$program" tune beyond.tt --json -o beyond.json || complain "tune beyond.tt --json"
python3 -c "import json; assert json.load(open('beyond.json'))['findings'] == ['arecip-range']" || complain "findings in the JSON of tune"

# A chain: what is printed does what both kernels do, in each form; what one overwrites of the other is named.
printf '#include "sfpi.h"\nusing namespace sfpi;\nvoid kernel() {\n  for (int i = 0; i < 32; ++i) {\n    vFloat x = dst_reg[0];\n    dst_reg[0] = -sfpi::abs(x);\n    dst_reg++;\n  }\n}\n' >both.cpp
printf '#include "ckernel.h"\n#include "sfpi.h"\n#include "chained.h"\nvoid kernel() { chained_init(); chained_tile(); }\n' >chained.cpp
for arch in bh wh; do
  expect 0 "Taken: fused" "$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --arch $arch --steps 2000 --emit asm
  "$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --arch $arch --steps 2000 --name chained -o chained.h || complain "tune chain $arch"
  expect 0 "$same" "$program" diff both.cpp chained.cpp --arch $arch
done
"$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --steps 2000 --emit words --arch bh -o chained.hex || complain "tune chain words"
expect 0 "$same" "$program" diff both.cpp chained.hex
expect 0 '"taken": "fused"' "$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --steps 2000 --arch bh --json
# Kernels that LLK calls on the faces of a tile, a call for each.
printf '#include "sfpi.h"\nusing namespace sfpi;\ntemplate <int N>\nvoid each_abs() {\n  for (int i = 0; i < N; ++i) {\n    vFloat x = dst_reg[0];\n    dst_reg[0] = sfpi::abs(x);\n    dst_reg++;\n  }\n}\ntemplate <int N>\nvoid each_negative() {\n  for (int i = 0; i < N; ++i) {\n    vFloat x = dst_reg[0];\n    dst_reg[0] = -x;\n    dst_reg++;\n  }\n}\n' >called.cpp
for arch in bh wh; do
  "$program" tune called.cpp called.cpp --call 'each_abs<8>()' --call 'each_negative<8>()' --arch $arch --steps 2000 --name chained -o chained.h || complain "tune chain of calls $arch"
  expect 0 "$same" "$program" diff both.cpp chained.cpp --arch $arch
done
expect 2 "a chain of 2 kernels has 3 --call" "$program" tune called.cpp called.cpp --call 'each_abs<8>()' --call 'each_abs<8>()' --call 'each_abs<8>()'
expect 2 "a chain has one operand" "$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --operands 2
expect 2 "--json shows what was found for one chip" "$program" tune "$kernels/abs.cpp" "$kernels/negative.cpp" --arch bh,wh --json

# Pairs of 32 bits: the same expressions, or z3, which proves what cannot be gone through, in every form.
printf '.repeat 32\nSFPLOAD L0, INT32, ADDR_MOD_7, 0\nSFPLOAD L1, INT32, ADDR_MOD_7, 64\nSFPSETSGN 0, L0, L2, ARG_IMM\nSFPIADD 0, L1, L2, ARG_LREG_DST | CC_NONE\nSFPXOR L0, L2\nSFPSTORE L2, INT32, ADDR_MOD_7, 0\nINCRWC DstInc=2\n.endr\n' >sums.tt
expect 0 "Proved: both programs compute the same expressions of their inputs; 1048576 inputs were compared as well" "$program" tune sums.tt --operands 2 --format int32
printf 'SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, INT32, ADDR_MOD_7, 0\nSFPLOAD L1, INT32, ADDR_MOD_7, 64\nSFPMOV L0, L2, 2\nSFPSETCC 0, L0, 0, 0\nSFPXOR L1, L2\nSFPENCC 3, 0, 10\nSFPSTORE L2, INT32, ADDR_MOD_7, 0\nINCRWC DstInc=2\n.endr\n' >pairs.tt
for form in tti asm words; do
  expect 0 "Proved by z3 over all pairs of inputs, equal bit for bit; 1048576 of them were compared as well" \
    "$program" tune pairs.tt --operands 2 --format int32 --emit $form
done
expect 0 "(optimal, proved by z3)" "$program" tune pairs.tt --operands 2 --format int32 --table
"$program" tune pairs.tt --operands 2 --format int32 --emit asm -o pairs_tuned.tt || complain "tune pairs"
expect 0 "$same" "$program" diff pairs.tt pairs_tuned.tt --operands 2 --format int32 --inputs sample:100000
# Without z3 it stays a sample, and the plain program.
mkdir -p empty
expect 1 "z3 cannot be run" env PATH="$PWD/empty" "$program" tune pairs.tt --operands 2 --format int32 --emit asm
also "1048576 pairs of a sample agree, which is no proof"
also "Not tuned; this is the plain program"
expect 2 "" "$program" tune pairs.tt --operands 2 --format int32 --solver-time 0

# Within an error: what is printed is within it, by a sweep of its own; the picture and the JSON have the same points.
"$program" tune "$kernels/exp2.cpp" --arch bh --ref 'exp2(x)' --max-ulp 8 --time-limit 12 --emit asm --svg front.svg -o near.tt || complain "tune --max-ulp"
expect 0 "largest" "$program" sweep near.tt --arch bh --ref 'exp2(x)' --max-ulp 8
grep -q "at most 8 ULP from exp2(x)" near.tt || complain "the text has no front"
grep -q "the plain kernel" near.tt || complain "the front has no plain kernel"
grep -q "prefers-color-scheme: dark" front.svg || complain "the picture is not dark where that is preferred"
"$program" tune "$kernels/square.cpp" --arch bh --max-ulp 0 --json -o front.json || complain "tune --json"
grep -q '"largest_ulp": 0.0' front.json || complain "the JSON has no error"
expect 1 "No faster program within 0.5 ULP was found" "$program" tune "$kernels/square.cpp" --arch bh --ref 'x + 1' --max-ulp 0.5 --time-limit 4
also "Not tuned; this is the plain program"
expect 2 "error: --name: '1e99' is no name of a function in C++" "$program" tune "$kernels/square.cpp" --name 1e99
expect 2 "error: --name: 'a b' is no name of a function in C++" "$program" tune "$kernels/square.cpp" --name 'a b'
expect 2 "--max-ulp has one operand" "$program" tune pairs.tt --max-ulp 1 --operands 2
expect 2 "give --format bf16, fp16" "$program" tune "$kernels/square.cpp" --max-ulp 1 --format fp32
expect 2 "not negative" "$program" tune "$kernels/square.cpp" --max-ulp=-1
expect 2 "--allow is for programs that are equal" "$program" tune "$kernels/square.cpp" --max-ulp 1 --allow nan
expect 2 "--allow is for programs of one or two operands" "$program" tune pairs.tt --operands 3 --allow nan
expect 2 "which --max-ulp asks for" "$program" tune "$kernels/square.cpp" --svg front.svg
expect 2 "the front of one program" "$program" tune "$kernels/square.cpp" "$kernels/abs.cpp" --max-ulp 1 --json

# What cannot be tuned: the reason, status 2, and the plain program.
printf '#include "sfpi.h"\nusing namespace sfpi;\nvoid kernel() {\n  vFloat sum = 0;\n  for (int i = 0; i < 32; ++i) {\n    sum += dst_reg[0];\n    dst_reg[0] = sum;\n    dst_reg++;\n  }\n}\n' >carried.cpp
for form in tti asm words; do
  expect 0 "Proved: same data flow" "$program" tune carried.cpp --emit $form
  also "row 1 computes something else than row 0"
done
"$program" tune carried.cpp --emit asm -o carried.tt || complain "tune carried"
expect 0 "$same" "$program" diff carried.cpp carried.tt
printf 'SFPLOAD L0, SRCB, 7, 0\nSFPTRANSP\nSFPCONFIG 0, 15, 0\nSFPSTORE L0, SRCB, 7, 0\n' >computed.tt
expect 2 "its configuration depends on what it computes" "$program" tune computed.tt
also "Not tuned; this is the plain program"
expect 2 "--allow has no 'inf'" "$program" tune "$kernels/abs.cpp" --allow inf
expect 2 "" "$program" tune "$kernels/abs.cpp" --time-limit 0
