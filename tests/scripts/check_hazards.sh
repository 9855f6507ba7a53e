#!/usr/bin/env bash
# check_hazards.sh PROGRAM SOURCE: 'lanewise check' on programs, kernels and a checkout of our own, as docs/cli.md and
# docs/hazards.md state it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

printf 'SFPLOAD L0, FP32, 3, 0\nSFPMAD L0, L0, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n' >early.tt
printf 'SFPLOAD L0, FP32, 3, 0\nSFPMAD L0, L0, L9, L2, 0\nSFPNOP\nSFPSTORE L2, FP32, 3, 0\n' >padded.tt
printf 'SFPMAD L10, L10, L9, L2, 0\nSFPLOADI L2, 2, 0\n' >order.tt
printf 'SFPCONFIG 0x4, 15, 1\n' >leaves.tt
printf 'SFPPOPC 0\n' >popc.tt
printf 'MVMUL\nSFPLOAD L0, FP32, 3, 0\n' >matrix.tt
printf 'SFPABSS L0\n' >unknown.tt
printf '84800120 xyz\n' >bad.hex
printf '84019020\n72230000\n' >early.hex
cat >kernel.cpp <<'END'
#include "ckernel_ops.h"
#include "sfpi.h"
using namespace sfpi;
void kernel() {
  for (int i = 0; i < 32; ++i) { dst_reg[0] = dst_reg[0] * 2.0f + 1.0f; dst_reg++; }
}
void raw() {
  TTI_SFPMAD(0, 1, 9, 2, 0);
  TTI_SFPSTORE(2, 0, 3, 0);
}
END

# run: warns, computes what hardware would read, does not run, or does not look.
printf 'SFPLOADI L0, 0, 0x4000\nSFPMULI bf16(2), L0, 0\nSFPADDI bf16(1), L0, 0\nSFPNOP\nSFPSTORE L0, SRCB, 3, 0\n' >hasty.tt
expect 0 "mad-result" "$program" run hasty.tt --arch wh --show 1
also "0,0    5  40A0"
expect 0 "0,0    3  4040" "$program" run hasty.tt --arch wh --show 1 --hazards model
expect 1 "nothing was run" "$program" run hasty.tt --arch wh --hazards=error
expect 0 "0,0    5  40A0" "$program" run hasty.tt --arch bh --hazards=error --show 1
printf "CLEARDVALID FlipSrcA=1\nCLEARDVALID FlipSrcA=1\nMVMUL\n" >forever.tt
expect 0 "waits for a bank of SrcA" "$program" run forever.tt --show 1
expect 1 "waits for a bank of SrcA" "$program" run forever.tt --show 1 --hazards=error
expect 2 "use warn, model, error or off" "$program" run hasty.tt --hazards=stop
if "$program" run hasty.tt --arch wh --hazards=off 2>&1 | grep -q mad-result; then echo "--hazards=off looks"; exit 1; fi

# Findings, with the chip that they concern.
expect 0 "bh: early.tt: nothing found in 3 instructions" "$program" check early.tt
expect 1 "wh: early.tt: line 3, cycle 2: mad-result: SFPSTORE" "$program" check early.tt --arch wh
expect 1 "insert SFPNOP before line 3" "$program" check early.tt --arch bh,wh
expect 1 "silicon: the reader gets the value" "$program" check early.tt --arch wh
expect 0 "wh: padded.tt: nothing found" "$program" check padded.tt --arch wh
expect 1 "mad-result" "$program" check - --arch wh <early.tt
expect 1 "mad-result" "$program" check early.hex --arch wh
expect 1 "wh: padded.tt: nothing found" "$program" check early.tt padded.tt --arch wh
expect 0 "contract-lane-config" "$program" check leaves.tt
expect 1 "matrix-load" "$program" check matrix.tt
expect 1 "UndefinedBehavior: SFPPOPC" "$program" check popc.tt
expect 0 "warning: order.tt: line 2, cycle 1: write-order" "$program" check order.tt
expect 1 '"rule": "mad-result"' "$program" check early.tt --arch wh --json

# 'time' and 'run' count what 'check' counts, whatever the passes and inputs.
printf 'SFPENCC Imm2=3, Mod1=10\nSFPLOADI L0, 0, 0x4000\nSFPMAD L0, L10, L9, L2, 0\nSFPSTORE L2, SRCB, 3, 0\nSFPMAD L0, L10, L9, L2, 0\nSFPLOADI L2, 2, 0\nSFPCONFIG 0x4, 15, 1\nSFPSETCC 0, L0, 0, 6\n' >all.tt
counts=$({ "$program" check all.tt --arch wh || true; } | sed -n 's/^wh: all.tt: \([0-9].*\) in [0-9]* instructions.*/\1/p')
[ "$counts" = "2 hazards, 2 warnings" ] || complain "check says '$counts'"
expect 0 "$counts" "$program" run all.tt --arch wh --in special --show 1
expect 0 "contract-flags" "$program" run all.tt --arch wh --show 1
expect 0 "The checker: $counts;" "$program" time all.tt --arch wh --view none
expect 0 "The checker: $counts;" "$program" time all.tt --arch wh --view none --repeat 5
expect 0 '"warnings": 2' "$program" time all.tt --arch wh --json
expect 1 "nothing was run" "$program" run all.tt --arch wh --hazards=error

# Kernels.
expect 0 "bh: kernel.cpp: nothing found" "$program" check kernel.cpp --arch bh,wh
also "wh: kernel.cpp: nothing found"
expect 1 "kernel.cpp: line 9" "$program" check kernel.cpp --entry raw --arch wh

# |x| by macros that count instructions: their words stay as they are, and the last row is stored though no instruction of
# the Vector Unit follows.
cat >macros.cpp <<'END'
#include "ckernel_ops.h"
#include "sfpi.h"
void kernel() {
  TTI_SFPABS(0, 0, 12, 1); // template 0
  TTI_SFPLOADI(0, 10, 0x0004); // sequence 0: template 0 on Simple at once,
  TTI_SFPLOADI(0, 8, 0x0B00);  // and a store one instruction later
  TTI_SFPCONFIG(0, 4, 0);
  TTI_SFPCONFIG(0xF10, 8, 1); // stores as the load; all sub-units count instructions
  TTI_SFPNOP;
  for (int row = 0; row < 32; ++row) {
    TTI_SFPLOADMACRO(0, 0, 3, 0);
    TTI_INCRWC(0, 2, 0, 0);
    TTI_SFPNOP;
  }
}
END
for arch in bh wh; do
  expect 0 "$arch: macros.cpp: 0 hazards, 1 warning" "$program" check macros.cpp --arch $arch
  also "macro-left-armed"
  expect 0 "31,31  -1    1  3F80" "$program" run macros.cpp --in ramp:-8:-1 --show 2 --arch $arch
  expect 2 "the interpreter has no clock" "$program" run macros.cpp --in ramp --interpret --arch $arch
  if "$program" run macros.cpp --arch $arch --emit asm | grep -q REPLAY; then
    complain "words of the author became a REPLAY"
  fi
done

# What depends on the time of a push: |x| and a store two cycles later, and a register that a later word needs till then.
cat >pushed.tt <<'END'
SFPABS    L0, L12, 1
SFPLOADI  L0, 10, 0x0004
SFPLOADI  L0, 8, 0x1300
SFPCONFIG 0, 4, 0
SFPCONFIG 3, 8, 1
SFPNOP
SFPLOADMACRO 0, 0, FP32, 3, 0, 0
SFPNOP
SFPLOADI L0, 0, 0x3F80
SFPNOP
SFPNOP
END
sed '/^SFPLOADI L0, 0/d' pushed.tt >apart.tt
for arch in bh wh; do
  expect 1 "$arch: pushed.tt: line 9, cycle 8: late-push: SFPLOADI L0, 0, 0x3f80: if the core pushes it 1 cycle late, SFPSTORE that line 7 schedules" \
    "$program" check pushed.tt --arch $arch --perturb
  also "$arch: pushed.tt: pauses of 1 to 3 cycles before 3 of 11 pushed words"
  also "change the results"
  expect 0 "the results stay the same" "$program" check apart.tt --arch $arch --perturb
  expect 1 '"changed": 2' "$program" check pushed.tt --arch $arch --perturb --json
  expect 0 '"pauses": null' "$program" check apart.tt --arch $arch --json
done
# Of a macro that counts cycles that alone is told, unless all pauses are asked for.
printf 'SFPLOADI L1, 0, 0x3f80\nSFPLOADI L0, 2, 0x84\nSFPCONFIG 0, 4, 0\nSFPCONFIG 0, 8, 1\nSFPABS L1, L12, 1\nSFPLOADMACRO 0, 2, HI16, 3, 0, 0\nSFPSTORE L2, BF16, 3, 0\n' >counts.tt
expect 1 "macro-core-timing" "$program" check counts.tt
if "$program" check counts.tt | grep late-push >out.txt; then complain "a macro that counts cycles is told twice"; fi
expect 1 "line 7, cycle 6: late-push: SFPSTORE" "$program" check counts.tt --perturb
expect 0 "pauses change nothing: none of 1 pushed word finds anything under way" "$program" check leaves.tt --perturb
# Flags that nobody uses: as assembly starts.
printf 'SFPLOAD L0, SRCB, 3, 0\nSFPSETCC 0, L0, 0, 0\nSFPLOADI L0, 0, 0\nSFPSTORE L0, SRCB, 3, 0\n' >unused.tt
expect 1 "unused.tt: line 2, cycle 1: flags-unused" "$program" check unused.tt --arch bh,wh
expect 0 "flags-unused" "$program" run unused.tt --in ramp --show 1
# Words that mend the end of a program, as they are printed.
expect 0 "contract-lane-config: SFPCONFIG 0x4, 15, 1: leaves LaneConfig at 0x4; append SFPCONFIG 0x0, 15, 1 at the end" "$program" check leaves.tt

# A REPLAY that records too much, and a change that has no place among recorded words.
printf 'REPLAY 0, 3, 0, 1\nSFPNOP\nSFPNOP\nREPLAY 0, 2, 0, 0\n' >swallows.tt
expect 1 "swallows.tt:1: UndefinedBehavior: REPLAY: records 3 instructions, and number 3 of them is the REPLAY of line 4" \
  "$program" check swallows.tt
{ echo 'REPLAY 0, 3, 1, 1'; cat early.tt; } >recorded.tt
expect 1 "put SFPNOP or something independent between the two" "$program" check recorded.tt --arch wh

# State that nobody has programmed: by check, run and sweep, whatever --hazards says.
printf 'SFPADD L10, L9, L12, L0, 0\nSFPNOP\nSFPSTORE L0, SRCB, 3, 0\n' >constant.tt
printf 'SFPLOAD L0, SRCB, 3, 64\nSFPSTORE L0, SRCB, 3, 0\n' >second.tt
printf 'SFPLOAD L0, SRCB, 3, 0\nSFPSTOCHRND VC=L0, VD=L0, Mod1=1, RoundingMode=1\nSFPSTORE L0, SRCB, 3, 0\n' >dice.tt
expect 1 "unprogrammed-constant: SFPADD L10, L9, L12, L0, 0: reads L12 (vConstFloatPrgm0)" "$program" check constant.tt --arch bh,wh
expect 1 "constant.tt:1: UnpredictableValue: SFPADD: reads L12" "$program" run constant.tt --show 1
expect 1 "SFPCONFIG 0, 12, 0" "$program" run constant.tt --show 1 --hazards=off
expect 1 "reads L12" "$program" sweep constant.tt --ref x --inputs range:1:2
expect 1 "(tile 1), which no input has filled" "$program" run second.tt --in ramp --show 1
expect 0 "0,0" "$program" run second.tt --in ramp --in ramp --show 1
expect 1 "(tile 1), which no input has filled" "$program" sweep second.tt --ref x --inputs range:1:2
expect 0 "nothing found" "$program" check second.tt
expect 0 "warning: dice.tt: line 2, cycle 1: unprogrammed-prng" "$program" check dice.tt
expect 0 "nothing has seeded" "$program" run dice.tt --in ramp --show 1

# What only the interpreter tells of a kernel.
printf '#include "sfpi.h"\nusing namespace sfpi;\nvoid kernel() {\n  vFloat x = dst_reg[0], y;\n  v_if (x > 0.0f) { y = x; } v_endif;\n  dst_reg[0] = y;\n}\n' >copied.cpp
printf '#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[512] = sfpi::dst_reg[-5]; }\n' >outside.cpp
printf '#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[5000] = 1.0f; }\n' >wide.cpp
expect 1 "copied.cpp:6: UndefinedBehavior" "$program" check copied.cpp
expect 1 "copied.cpp:6: UndefinedBehavior" "$program" run copied.cpp --in ramp --show 1
expect 0 "hint: this stores 32 of a tile's 1024 elements" "$program" run copied.cpp --in value:1 --show 1
printf '#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[0] = 1.0f; sfpi::dst_reg[1] = 2.0f; }\n' >twice.cpp
if "$program" run twice.cpp --in value:1 2>&1 | grep "hint: this stores" >out.txt; then complain "a kernel of two stores gets the hint on one"; fi
expect 1 "outside.cpp:2: NonContractual: SFPLOAD: dst_reg[-5] lies outside of Dst" "$program" run outside.cpp --in ramp --show 1
also "(tile 15), which no input has filled"
expect 0 "dst_reg[-5] lies outside of Dst" "$program" check outside.cpp
expect 2 "wide.cpp:2: error: dst_reg[5000] needs an address that does not fit into the 13 bits" "$program" run wide.cpp
# What stands in an included header keeps its file and line.
cat >early.h <<'END'
#pragma once
inline void early() {
  TTI_SFPMAD(0, 1, 9, 2, 0);
  TTI_SFPSTORE(2, 0, 3, 0);
  TTI_SFPPOPC(0, 0, 0, 0);
}
END
printf '#include "ckernel_ops.h"\n#include "early.h"\nvoid kernel() { early(); }\n' >including.cpp
expect 1 "wh: early.h:4: cycle 1: mad-result: SFPSTORE L2, 0, 3, 0: reads L2 in the cycle after SFPMAD of early.h:3" \
  "$program" check including.cpp --arch wh
also "wh: early.h:5: UndefinedBehavior: SFPPOPC"
expect 1 '"file": "early.h"' "$program" check including.cpp --arch wh --json
expect 1 "wh: early.h:4: cycle 1: mad-result" "$program" run including.cpp --arch wh --show 1
expect 0 "; early.h:4: TTI_SFPSTORE(2, 0, 3, 0);" "$program" run including.cpp --arch wh --emit asm
expect 0 "early.h:4  SFPSTORE L2" "$program" time including.cpp --arch wh

# The controls: nothing may be said about them.
for example in "$source"/examples/*.tt "$source"/examples/*.hex "$source"/examples/*.cpp; do
  [ -e "$example" ] || continue
  chips=bh,wh
  case $example in
    *_bh.tt) chips=bh ;;
    *_wh.tt) chips=wh ;;
  esac
  expect 0 "nothing found" "$program" check "$example" --arch "$chips"
done

# Rules.
expect 0 "mad-result" "$program" check --rules
expect 0 '"id": "mad-result"' "$program" check --rules --json
expect 0 "silicon  the reader gets" "$program" check --rule mad-result
expect 2 "there is no rule 'nonsense'" "$program" check --rule nonsense
[ "$("$program" check --rules | wc -l)" -gt 50 ] || complain "too few rules"

# Bad input.
expect 2 "there is nothing to check" "$program" check
expect 2 "unknown.tt:1:1:" "$program" check unknown.tt
expect 2 "bad.hex:1:" "$program" check bad.hex
expect 2 "error" "$program" check missing.tt
expect 2 "no chip 'qs'" "$program" check early.tt --arch qs
expect 2 "does not know Grayskull" "$program" check early.tt --arch gs
expect 2 "error" "$program" check early.tt --format fp7
expect 2 "no_such_function" "$program" check kernel.cpp --entry no_such_function
expect 2 "tt_llk_blackhole" "$program" check "$work"

# A checkout with one kernel.
mkdir -p tt/tt_llk_blackhole/common/inc/sfpu
cat >tt/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_abs.h <<'END'
#pragma once
#include "sfpi.h"
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS>
inline void _calculate_abs_(const int iterations) {
  for (int d = 0; d < iterations; d++) {
    sfpi::vFloat v = sfpi::dst_reg[0];
    sfpi::dst_reg[0] = sfpi::abs(v);
    sfpi::dst_reg++;
  }
}
} // namespace ckernel::sfpu
END
expect 0 "abs, bh, bf16  nothing found" "$program" check tt --kernel abs
also "2 programs checked, 0 with hazards"
expect 0 '"variant": "fp32"' "$program" check tt --kernel abs --json
expect 0 "0 with hazards; 1 of 1 headers" "$program" check tt --kernel abs
expect 2 "tt_llk_wormhole_b0/common/inc/sfpu is missing" "$program" check tt --kernel abs --arch wh
expect 2 "no kernel 'nonsense'" "$program" check tt --kernel abs --kernel nonsense
echo 'inline void _calculate_novel_() {}' >tt/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_novel.h
expect 2 "header 'novel' has no reference" "$program" check tt --kernel novel
expect 0 "1 of 2 headers" "$program" check tt --kernel abs
