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
expect 2 "no checkout of tt-metal, nor of tt-llk: tt_llk_blackhole" "${test[@]}" --llk .
expect 2 "is no parameter" "${test[@]}" --param 2
expect 2 "give one of them" "${test[@]}" --build-header build.h "${params[@]}"
expect 2 "cannot read" "${test[@]}" --build-header missing.h
expect 2 "names no address and no file" "${test[@]}" "${params[@]}" --in tile.bin
expect 2 "goes beyond the end of L1" "${test[@]}" "${params[@]}" --out 0x200000:4=out.bin
expect 2 "names no field and number" "${test[@]}" "${params[@]}" --config ALU_ACC_CTRL_Fp32_enabled
expect 2 "ALU_ACC_CTRL_Fp32_enabled" "${test[@]}" "${params[@]}" --config ALU_ACC_CTRL_Fp32_enabled=7
expect 2 "no_such_field" "${test[@]}" "${params[@]}" --config no_such_field=1
expect 2 "g++ could not compile" "${test[@]}" --param TILES=1
: >empty.cpp
expect 2 "empty.cpp: error: section unpack: there is no function run_kernel()" "$program" llk-test empty.cpp "${params[@]}"

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

# Races (docs/races.md): none here, and where a core reads what another one stores, both lines, with and without --races.
for chip in bh wh; do
  expect 0 "$chip: 51 orders of the threads end the same" "${test[@]}" "${params[@]}" --arch $chip --races --schedules 50 --in 0x21000=ones.bin
done
expect 2 "leave --order out" "${test[@]}" "${params[@]}" --races --order random
cat >racy.cpp <<'END'
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
volatile unsigned* at(unsigned long a) { return reinterpret_cast<volatile unsigned*>(a); }
void run_kernel(RUNTIME_PARAMETERS) {
#if defined(LLK_TRISC_UNPACK)
  at(0x30000)[0] = 560;
#elif defined(LLK_TRISC_MATH)
  TTI_NOP;
  at(0x30004)[0] = at(0x30000)[0];
#endif
}
END
for how in "--races" ""; do
  expect 1 "L1 from 0x30004 to 0x30005" "$program" llk-test racy.cpp $how
done
expect 1 "the core of T1 reads, line 10" "$program" llk-test racy.cpp --races
also "so time keeps round robin's order"
# Of two instructions, the sections as programs of the cores tell the time: 60 NOPs are between.
cat >stores.cpp <<'END'
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
#define STORE(value)                                             \
  TTI_SETDMAREG(0, value, 0, 0);                                 \
  TTI_SETDMAREG(0, 0x3000, 0, 4);                                \
  TTI_SETDMAREG(0, 0, 0, 5);                                     \
  TTI_SETDMAREG(0, 0, 0, 8);                                     \
  TTI_STOREIND(1, 0, 1, 8, 0, 0, 2)
void run_kernel(RUNTIME_PARAMETERS) {
#if defined(LLK_TRISC_UNPACK)
  STORE(1);
#elif defined(LLK_TRISC_PACK)
  for (int i = 0; i < 60; ++i) TTI_NOP;
  STORE(2);
#endif
}
END
for chip in $(in_turn 0 bh wh); do
  "$program" llk-test stores.cpp --races --json --arch $chip >stores.json || true # status 1: a race
  python3 - <<'END' || complain "$chip: the cycles of two stores are others: $(cat stores.json)"
import json
found = json.load(open("stores.json"))
(run,) = found["in_time"]
assert (found["race"]["first"]["line"], found["race"]["second"]["line"]) == (12, 15)
assert 60 <= run["second"] - run["first"] < 200 and found["time"] == "keeps"
END
done
# Of two cores' own accesses, too, behind others that nobody needs: 60 NOPs are between.
cat >looks.cpp <<'END'
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
volatile unsigned* at(unsigned long a) { return reinterpret_cast<volatile unsigned*>(a); }
void run_kernel(RUNTIME_PARAMETERS) {
#if defined(LLK_TRISC_UNPACK)
  at(0x30010)[0] = 1;
  at(0x30000)[0] = 560;
#elif defined(LLK_TRISC_MATH)
  for (int i = 0; i < 3; ++i) at(0x30020)[0];
  for (int i = 0; i < 60; ++i) TTI_NOP;
  at(0x30030)[0] = at(0x30000)[0];
  at(0x30034)[0] = at(0x30000)[0];
#endif
}
END
for chip in $(in_turn 1 bh wh); do
  "$program" llk-test looks.cpp --races --json --arch $chip >looks.json || true # status 1: a race
  python3 - <<'END' || complain "$chip: the cycles of a core's own accesses are others: $(cat looks.json)"
import json
found = json.load(open("looks.json"))
(run,), race = found["in_time"], found["race"]
assert [(race[each]["is_core"], race[each]["line"]) for each in ("first", "second")] == [(True, 8), (True, 12)]
assert 60 <= run["second"] - run["first"] < 400 and found["time"] == "keeps"
END
done
# In parts (docs/parts.md): the same, with the status.
"$program" llk-test racy.cpp --races >whole.txt 2>&1 || true
for part in 1 2; do
  "$program" llk-test racy.cpp --races --part $part/2 --part-file p$part >part.txt || complain "part $part of a search: $(cat part.txt)"
  [ "$(wc -l <part.txt)" = 1 ] || complain "a part prints more than that it is done: $(cat part.txt)"
done
"$program" merge p2 p1 >merged.txt 2>&1 && complain "the merge of a race has status 0"
cmp -s merged.txt whole.txt || complain "the parts of a search do not give what one search does"
expect 0 "pack: " "$program" llk-test racy.cpp --order priority --seed 719 --summary summary.md
expect 1 "L1 from 0x30004 to 0x30005" "$program" llk-test racy.cpp $how --summary summary.md
printf '%s\n\n' '### lanewise llk-test: racy.cpp (bh): passed' '### lanewise llk-test: racy.cpp (bh): failed' | cmp -s - <(grep -v '^    ' summary.md | head -4) ||
  complain "the summary: $(cat summary.md)"
grep -q '^    racy.cpp: .*L1 from 0x30004 to 0x30005' summary.md || complain "the summary lacks what was told: $(cat summary.md)"
also "the core of T0 writes, line 7"
expect 0 "pack: " "$program" llk-test racy.cpp --order priority --seed 719
# As JSON it is the whole output, with the same two lines; and a test without a race has none.
expect 1 '"differs"' "$program" llk-test racy.cpp --races --json
"$program" llk-test racy.cpp --races --json >races.json || true # status 1: a race
python3 - races.json <<'END' || complain "the JSON of races is another one: $(cat races.json)"
import json, sys
races = json.load(open(sys.argv[1]))
touches = {(t["thread"], t["is_core"], t["line"], t["writes"]) for t in (races["race"]["first"], races["race"]["second"])}
assert touches == {(0, True, 7, True), (1, True, 10, False)}, touches
assert races["differences"] == ["L1 from 0x30004 to 0x30005"] and races["unknown"] == 0
END
expect 0 '"schedules": 51' "${test[@]}" "${params[@]}" --races --schedules 50 --json --in 0x21000=ones.bin
"${test[@]}" "${params[@]}" --races --schedules 50 --json --in 0x21000=ones.bin >none.json
python3 - none.json <<'END' || complain "the JSON of a test without races is another one: $(cat none.json)"
import json, sys
races = json.load(open(sys.argv[1]))
assert "race" not in races and "differs" not in races and races["mends"] == [] and races["differences"] == []
END
expect 2 "give --time or --races" "${test[@]}" "${params[@]}" --json
expect 2 "give --time" "${test[@]}" "${params[@]}" --tiles 8
expect 2 "give --time" "${test[@]}" "${params[@]}" --timeline 8
expect 2 "give --time" "${test[@]}" "${params[@]}" --gather on

# Zones of a profiler as LLK has one: KERNEL around each section, and no cycle.
zones=("${test[@]}" "${params[@]}" --in 0x21000=ones.bin -I "$source/tests/section/kernels" --zones zones.json)
expect 0 "pack: " "${zones[@]}"
grep -q '"events": \[\]' zones.json || complain "without LLK_PROFILER there are zones: $(cat zones.json)"
expect 0 "pack: " "${zones[@]}" --define LLK_PROFILER
for text in '"source": "lanewise-model"' '"LLK_PROFILER:a_file.cpp:7:KERNEL"' '"kind": "zone_end"' '"marker": "KERNEL"' '"cycle": null'; do
  grep -qF "$text" zones.json || complain "zones.json lacks $text: $(cat zones.json)"
done
grep -q '"cycle": [0-9]' zones.json && complain "a cycle is known: $(cat zones.json)"
[ "$(grep -c '"kind"' zones.json)" = 6 ] || complain "these are not three zones: $(cat zones.json)"
expect 2 "none/zones.json" "$program" llk-test "$source/tests/section/kernels/double_test.cpp" "${params[@]}" --zones none/zones.json

# What the sections leave behind: a field that is set, one that is not, a counter.
cat >leaves.cpp <<'END'
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
#ifdef LLK_TRISC_MATH
  TTI_SETC16(1, 64);
  TTI_INCRWC(0, 8, 0, 0);
#endif
}
END
for chip in bh wh; do
  expect 0 "pack: " "$program" llk-test leaves.cpp --arch $chip --state state.json
  for text in '"T1 DEST_TARGET_REG_CFG_MATH_Offset": 64' '"T0 DEST_TARGET_REG_CFG_MATH_Offset": 0' '"ALU_ACC_CTRL_Fp32_enabled": 0' \
    '"T1 RWC Dst": 8' '"addr_mod": {' '"sync": {'; do
    grep -qF "$text" state.json || complain "$chip: state.json lacks $text"
  done
  grep -q '"T[012] GPR' state.json && complain "$chip: GPRs are no part of what is left behind"
done
expect 2 "none/state.json" "$program" llk-test leaves.cpp --state none/state.json

# A host that takes part: L1 is a file. The section waits for a word with a plain load, then with one that computes at once, which no
# mov is, answers each time, and ends; what it waits for for too long is told.
cat >host.cpp <<'END'
#include "build.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
#ifdef LLK_TRISC_MATH
  auto* const l1 = reinterpret_cast<unsigned*>(0x30000);
  while (*const_cast<volatile unsigned*>(l1) != 41) asm volatile("nop");
  l1[1] = 42;
  bool is_43 = false;
  while (!is_43) asm volatile("cmpl $43, %1" : "=@cce"(is_43) : "m"(*l1) : "memory");
  l1[1] = 44;
#endif
}
END
# word N: a word of the file; word N VALUE: puts it there.
word() {
  if [ $# = 1 ]; then od -An -tu4 -j $((0x30000 + 4 * $1)) -N 4 l1.bin | tr -d ' '; return; fi
  printf "\\x$(printf %02x "$2")\\0\\0\\0" | dd of=l1.bin bs=1 seek=$((0x30000 + 4 * $1)) conv=notrunc status=none
}
# comes N VALUE: waits until it is there, half a minute at most.
comes() {
  for _ in $(seq 600); do
    [ "$(word "$1")" = "$2" ] && return
    sleep 0.05
  done
  complain "word $1 is $(word "$1") instead of $2"
}
for chip in bh wh; do
  rm -f l1.bin
  truncate --size $([ $chip = bh ] && echo 1572864 || echo 1499136) l1.bin
  "$program" llk-test host.cpp --arch $chip --compile >compiled.txt
  "$program" llk-test host.cpp --arch $chip --l1 l1.bin >hosted.txt 2>&1 &
  hosted=$!
  word 0 41
  comes 1 42
  word 0 43
  comes 1 44
  wait $hosted || complain "$chip: status $?: $(cat hosted.txt)"
done
expect 1 "a change at address 0x00030000" "$program" llk-test host.cpp --arch wh --l1 l1.bin
expect 2 "is not as long as L1, which has 1572864 bytes" "$program" llk-test host.cpp --arch bh --l1 l1.bin
expect 2 "cannot open none.bin" "$program" llk-test host.cpp --l1 none.bin
expect 2 "leave one of them out" "$program" llk-test host.cpp --l1 l1.bin --races
expect 2 "write into the file before" "$program" llk-test host.cpp --l1 l1.bin --in 0x21000=ones.bin

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
also "the thread of math waits for semaphore 4 to be above 0"

# Ctrl-C: what the sections have done until then is written, and it is told, whether a section or the tile is at work.
busy_tile="for (int i = 0; i < 9; ++i) reinterpret_cast<volatile unsigned*>(0xFFB80000)[i] = i < 2 ? 127 : 0x02000000;
for (;;) TTI_MOP(1, 0, 0);"
for work in "for (volatile unsigned k = 0;; k = k + 1) {}" "$busy_tile"; do
  printf '#include "build.h"\n#include "ckernel_ops.h"\n#include "tensix.h"\nvoid run_kernel(RUNTIME_PARAMETERS) {\n' >endless.cpp
  printf '#ifdef LLK_TRISC_MATH\n*reinterpret_cast<volatile unsigned*>(0x30000) = 77;\n%s\n#endif\n}\n' "$work" >>endless.cpp
  "$program" llk-test endless.cpp --compile >compiled.txt
  rm -f left.bin
  setsid timeout -s INT 2 "$program" llk-test endless.cpp --out 0x30000:4=left.bin --kernel-time 100 >stopped.txt 2>&1 && complain "stopped: status 0"
  grep -q "stopped before the end" stopped.txt || complain "it is not told that it was stopped: $(cat stopped.txt)"
  [ "$(od -An -tu4 left.bin | tr -d ' ')" = 77 ] || complain "what was stored before the end is lost"
done

# A checkout of tt-metal with headers of our own: a test finds those of each of its folders, and the macros of its build, on both
# chips, whichever part of the checkout is named, and with neither of them named.
llk=metal/tt_metal/tt-llk
header() { mkdir -p "$(dirname "$1")" && echo "#pragma once
#define $2" >"$1"; }
for chip in blackhole wormhole_b0; do
  mkdir -p $llk/tt_llk_$chip/common/inc/sfpu metal/tt_metal/hw/ckernels/$chip/metal/llk_api/llk_sfpu
  header $llk/tt_llk_$chip/llk_lib/our_library.h OUR_LIBRARY
  header $llk/tt_llk_$chip/common/inc/sfpu/our_function.h OUR_FUNCTION
  header metal/tt_metal/hw/ckernels/$chip/metal/llk_api/our_api.h OUR_API
  header metal/tt_metal/hw/inc/internal/tt-1xx/${chip%_b0}/our_chip.h OUR_CHIP
done
header $llk/tests/helpers/include/our_helper.h OUR_HELPER
header metal/tt_metal/hw/inc/api/our_print.h OUR_PRINT
header metal/tt_metal/hostdevcommon/api/our_common.h OUR_COMMON
mkdir -p $llk/tests/sources
cat >$llk/tests/sources/folders_test.cpp <<'END'
#include "build.h"
#include "tensix.h"
#include "our_library.h"
#include "our_function.h"
#include "our_api.h"
#include "our_chip.h"
#include "our_helper.h"
#include "api/our_print.h"
#include "our_common.h"
#if !defined(KERNEL_BUILD) || PROCESSOR_INDEX != COMPILE_FOR_TRISC + 2
#error "not as tt-metal builds it"
#endif
void run_kernel(RUNTIME_PARAMETERS params) { static_assert(RuntimeParams::ANSWER == 42); }
END
folders=("$program" llk-test $llk/tests/sources/folders_test.cpp --param ANSWER=42)
for chip in bh wh; do
  for named in "" "--llk metal" "--llk metal/tt_metal" "--llk $llk"; do
    # shellcheck disable=SC2086
    expect 0 "pack: " "${folders[@]}" --arch $chip $named
  done
done
expect 2 "is missing" "${folders[@]}" --llk metal/tt_metal/hw
mkdir $llk/tests/sources/quasar && cp $llk/tests/sources/folders_test.cpp $llk/tests/sources/quasar/folders_quasar_test.cpp
expect 2 "a test for Quasar, which is not there" "$program" llk-test $llk/tests/sources/quasar/folders_quasar_test.cpp

# Until 2025 sections had no parameters, and then the address of them; fused tests have a reference.
for parameters in "" "const volatile struct RuntimeParams* params" "const volatile struct RuntimeParams& params"; do
  printf '#include "build.h"\n#include "tensix.h"\nvoid run_kernel(%s) {}\n' "$parameters" >older.cpp
  expect 0 "pack: " "$program" llk-test older.cpp
done

# The word of an instruction need not be a constant to g++, whichever constraint the tree has for it (0x02000000 is a NOP).
for constraint in i n; do
  cat >word.cpp <<END
#include "build.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
  for (volatile unsigned k = 0; k < 3; k = k + 1) __asm__ __volatile__(".ttinsn %0" : : "$constraint"((0x02000000 | (k >> 8))));
}
END
  expect 0 "math: 3 instructions" "$program" llk-test word.cpp
done

# What has not changed since is not given to g++ again; what has, is. A header that comes to stand before another is a change.

mkdir -p first second out && echo '#define WORD 1' >second/word.h
cat >noted.cpp <<'END'
#include <cstdint>
#include "build.h"
#include "tensix.h"
#include "word.h"
void run_kernel(RUNTIME_PARAMETERS) {
#ifdef LLK_TRISC_PACK
  *reinterpret_cast<volatile std::uint32_t*>(0x30000) = WORD;
#endif
}
END
cat >no_compiler <<'END'
#!/bin/sh
[ "$1" = --version ] && exec g++ --version
exit 1
END
chmod +x no_compiler
sleep 1.1 # younger files are not trusted
noted=("$program" llk-test noted.cpp -I first -I second --out 0x30000:4=out/word.bin)
word() { od -An -tu4 out/word.bin | tr -d ' '; }
expect 0 "pack: " "${noted[@]}"
CXX=$PWD/no_compiler expect 0 "pack: " "${noted[@]}"
[ "$(word)" = 1 ] || complain "the first header's word is $(word)"
echo '#define WORD 22' >second/word.h
CXX=$PWD/no_compiler expect 2 "could not compile" "${noted[@]}"
expect 0 "pack: " "${noted[@]}"
[ "$(word)" = 22 ] || complain "the changed header's word is $(word)"
echo '#define WORD 333' >first/word.h
expect 0 "pack: " "${noted[@]}"
[ "$(word)" = 333 ] || complain "the word of the header that came before is $(word)"

# As programs of the cores: the same tile comes of it, SFPI included, and the notes say what is assumed.
if command -v riscv64-unknown-elf-g++ >/dev/null; then
  for chip in bh wh; do
    rm -f out.bin
    expect 0 "pack: " "${test[@]}" "${params[@]}" --arch $chip --cores rv32 --in 0x21000=ones.bin --out 0x41000:2048=out.bin
    cmp -s out.bin twos.bin || complain "$chip: the cores' programs leave another tile"
  done
  expect 0 "assumed of SFPI code" "${test[@]}" "${params[@]}" --cores rv32 --in 0x21000=ones.bin
  also "assumed of the cores' code"
  expect 0 ".elf" "${test[@]}" "${params[@]}" --cores rv32 --compile
  expect 0 "pack: " "${zones[@]}" --define LLK_PROFILER --cores rv32
  [ "$(grep -c '"kind"' zones.json)" = 6 ] || complain "the cores' programs have other zones: $(cat zones.json)"
  expect 2 "leave --cores out" "${test[@]}" "${params[@]}" --cores rv32 --races

  # In time: the same tile, four of them with a steady state, and in each form of the output the same cycles.
  for chip in bh wh; do
    rm -f out.bin
    timed=("${test[@]}" --param TILES=8 --param IN=0x21000 --param OUT=0x41000 --arch $chip --time)
    expect 0 "bounds it" "${timed[@]}" --in 0x21000=ones.bin --out 0x41000:2048=out.bin
    cmp -s out.bin twos.bin || complain "$chip: in time, the cores leave another tile"
    expect 0 "over the second half of 8 tiles" "${timed[@]}"
    expect 0 "over the second half of 16 tiles" "${timed[@]}" --tiles 16
    expect 0 "assumed of the cores' code" "${timed[@]}"
    expect 0 "The last 3 of" "${timed[@]}" --timeline 3
    "${timed[@]}" -I "$source/tests/section/kernels" --define LLK_PROFILER --zones zones.json --timeline 1000000 --perfetto trace.json \
      --state state.json --json >time.json || complain "$chip: no JSON of a run in time"
    python3 - time.json zones.json trace.json <<'END' || complain "$chip: the forms of a run in time do not agree"
import json, sys
time, zones, trace = (json.load(open(name)) for name in sys.argv[1:])
assert time["source"] == zones["source"] == trace["otherData"]["source"] == "lanewise-model"
assert len(time["ends"]) == 8 and time["per_tile"]["is_steady"]
assert time["per_tile"]["cycles"] * 4 == time["ends"][7] - time["ends"][3]
for thread, section in enumerate(("unpack", "math", "pack")):
    whole = [zone for zone in time["zones"] if zone["thread"] == thread and zone["name"] == "KERNEL"]
    events = [event["cycle"] for event in zones["sections"][section]["events"]]
    assert len(whole) == 1 and [whole[0]["begin"], whole[0]["end"]] == events, (whole, events)
    assert 0 < events[1] - events[0] <= time["cycles"]
    issued = [each for each in time["timeline"] if each["thread"] == thread]
    assert len(issued) == time["threads"][thread]["issued"]
    assert sum(each["waited"] for each in issued) == sum(time["threads"][thread]["waited"].values())
drawn = [event for event in trace["traceEvents"] if event["ph"] == "X"]
assert sum(event["name"] == "KERNEL" for event in drawn) == 3
tracks = {event["tid"]: event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "thread_name"}
waits = [event for event in drawn if event["name"].startswith("waits for")]
of_threads = [event for event in waits if not tracks[event["tid"]].startswith("core of")]
assert len(of_threads) == sum(each["waited"] != 0 for each in time["timeline"])
for thread in range(3):
    of_core = [event for event in drawn if tracks[event["tid"]] == f"core of T{thread}"]
    own = sum(event["dur"] for event in of_core if event["name"] == "own code")
    core = time["threads"][thread]["core"]
    assert own == core["own"] and sum(event["dur"] for event in of_core) == core["own"] + core["waited"]
END
    grep -q '"cycle": null' zones.json && complain "$chip: a zone in time has no cycle"
    grep -q '"sync"' state.json || complain "$chip: cores in time leave no state"
  done
  "${test[@]}" "${params[@]}" --time --json --gather on >on.json
  "${test[@]}" "${params[@]}" --time --json >off.json
  cmp -s on.json off.json && complain "gathering makes no difference, not even in what is assumed"
  grep -q "gathering of pushes is on" on.json || complain "that pushes are gathered is not said"
  expect 0 '"arch": "wh"' "${test[@]}" "${params[@]}" --time --json --arch wh
  expect 2 "leave one of them out" "${test[@]}" "${params[@]}" --time --races
  expect 2 "leave --order out" "${test[@]}" "${params[@]}" --time --order random
  expect 2 "none/trace.json" "${test[@]}" "${params[@]}" --time --perfetto none/trace.json
  # Ctrl-C ends cores that compute and do nothing else, in time.
  sed -i -e 's/^for (int i.*/for (volatile unsigned k = 0;; k = k + 1) {}/' -e '/TTI_MOP/d' endless.cpp
  "$program" llk-test endless.cpp --time --kernel-time 100 --compile >compiled.txt
  rm -f left.bin
  setsid timeout -k 30 -s INT 2 "$program" llk-test endless.cpp --time --kernel-time 100 --out 0x30000:4=left.bin >stopped.txt 2>&1 &&
    complain "stopped in time: status 0"
  grep -q "stopped before the end" stopped.txt || complain "it is not told that it was stopped in time: $(cat stopped.txt)"
  [ "$(od -An -tu4 left.bin | tr -d ' ')" = 77 ] || complain "what was stored before the end in time is lost"
  # What a core does in another way than the host is told, but in time, where there is no host.
  cat >wider.cpp <<'END'
#include "build.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
#ifdef LLK_TRISC_MATH
  *reinterpret_cast<volatile unsigned*>(0x30000) = sizeof(long);
#endif
}
END
  expect 1 "leaves 0x04 at 0x30000 of L1, and the sections on the host 0x08" "$program" llk-test wider.cpp --cores rv32
  expect 0 "assumed of the cores' code" "$program" llk-test wider.cpp --time --out 0x30000:1=left.bin
  [ "$(od -An -tu1 left.bin | tr -d ' ')" = 4 ] || complain "in time, the cores leave something else"
  sed -i 's/\*reinterpret.*/for (unsigned k = 0; k < sizeof(long); ++k) asm volatile(".ttinsn %0" : : "i"((0x02000000)));/' wider.cpp
  expect 1 "executes 4 instructions by the cores' code, and 8 by its section on the host" "$program" llk-test wider.cpp --cores rv32
  sed -i -e 's/^#include "tensix.h"/&\n#include "sfpi.h"/' -e 's/for (unsigned k.*/if (sizeof(long) == 4) sfpi::dst_reg[0] = sfpi::vFloat(1.5f);/' wider.cpp
  expect 1 "more than the 0 stretches of SFPI code" "$program" llk-test wider.cpp --cores rv32
  sed -i 's/== 4/== 8/' wider.cpp
  expect 1 "comes to 0 stretches of SFPI code, and its section on the host to 1" "$program" llk-test wider.cpp --cores rv32
else
  PATH=/usr/bin:/bin expect 2 "gcc-riscv64-unknown-elf" "${test[@]}" "${params[@]}" --cores rv32
fi
