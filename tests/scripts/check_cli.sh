#!/usr/bin/env bash
# check_cli.sh PROGRAM SOURCE: exit statuses, messages and files of the command line, as docs/cli.md states them.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

printf 'SFPLOAD L0, 0, 3, 0\nSFPABS L0, L0, FLOAT\nSFPSTORE L0, 0, 3, 0\n' >good.tt
printf 'SFPLOAD L0, 0, 3, 0\nSFPABSS L0, L0, 1\n' >unknown.tt
printf 'SFPPOPC 0\n' >popc.tt
printf 'XMOV 0, 1\n' >unexecuted.tt
printf '.cfg DEST_REGW_BASE_Base 4\nSFPNOP\n' >base.tt
printf 'SFPGT L0, L1, 1\n' >blackhole.tt
printf '.cfg NO_SUCH_FIELD 1\nSFPNOP\n' >config.tt
printf '7d000001 xyz\n' >bad.hex
printf 'case a/1\narch bh\nlreg 0 1 2 3\nend\n' >short.vec
printf 'case a/1\narch bh\nexec 8f000000\nexpect lreg 10 %s\nend\n' "$(yes 0 | head -32 | tr '\n' ' ')" >differs.vec

# Releases of SFPI: Inf == Inf since 7.75 (docs/comparisons.md).
cat >releases.cpp <<'END'
#include "sfpi.h"
void kernel() {
  for (int i = 0; i < 32; ++i) {
    sfpi::vFloat x = sfpi::dst_reg[0], y = 0.0f;
    v_if (x == x) { y = 1.0f; }
    v_endif;
    sfpi::dst_reg[0] = y;
    sfpi::dst_reg++;
  }
}
END
two="--sfpi 7.38,7.80"
expect 0 "bh: 1024 of 1024 elements differ between SFPI 7.38 and 7.80" "$program" run releases.cpp --in value:inf $two
expect 0 "wh: 0 of 1024 elements differ between SFPI 7.38 and 7.80" "$program" run releases.cpp --in value:1 --arch bh,wh $two
expect 0 '"sfpi": "7.38"' "$program" run releases.cpp --in value:1 --json $two
expect 0 "; Blackhole A0, SFPI 7.80" "$program" run releases.cpp --emit asm $two
expect 0 "0  0000" "$program" run releases.cpp --in value:inf --show 1 --sfpi 738
expect 0 "1  3F80" "$program" run releases.cpp --in value:inf --show 1 --sfpi 7.75.1
expect 0 "1  3F80" "$program" run releases.cpp --in value:inf --show 1
expect 1 "releases.cpp, SFPI 7.38" "$program" diff releases.cpp --sfpi 7.38 --sfpi-b 7.80
# A recording gives what the kernel gives, without g++ (docs/recordings.md).
"$program" run "$source/examples/softplus.cpp" --arch bh,wh --emit recording >softplus.recording
for command in "run --in ramp --arch bh,wh" "run --in random:7 --interpret" "run --emit asm -fno-combine" "time --arch wh" "check" "diff $source/examples/softplus.tt --inputs sample:50"; do
  words=($command)
  PATH=/nowhere "$program" "${words[0]}" softplus.recording "${words[@]:1}" >recorded.txt 2>&1 || true
  "$program" "${words[0]}" "$source/examples/softplus.cpp" "${words[@]:1}" >compiled.txt 2>&1 || true
  sed -i "s|softplus.recording|FILE|g; s|$source/examples/softplus.cpp|FILE|g" recorded.txt compiled.txt
  cmp -s recorded.txt compiled.txt || { complain "a recording differs: $command"; diff recorded.txt compiled.txt | head -5; }
done
"$program" run "$source/examples/softplus.cpp" --emit recording >one.recording
expect 2 "one.recording: error: the kernel was not recorded for Wormhole B0" "$program" run one.recording --arch wh
expect 2 "one.recording: error: --call and --init are for kernels in C++" "$program" run one.recording --call 'f()'
expect 2 "--sfpi and --faces are settled when a kernel is recorded" "$program" run one.recording --sfpi 7.38
expect 2 "a recording is read, not written" "$program" serve one.recording
printf '{}' >empty.recording
expect 2 "empty.recording: error: the recording cannot be used: it has no lanewise_recording" "$program" run empty.recording
expect 2 "a recording is for one release of SFPI" "$program" run releases.cpp --sfpi 7.38,7.80 --emit recording

# What is for kernels and ELF files is not taken in silence by assembly, but by the side of a comparison that it is not for.
printf 'SFPLOAD L0, 0, 7, 0\nSFPSTORE L0, 0, 7, 0\n' > plain.tt
expect 2 "plain.tt: error: --call and --init are for kernels in C++ and for ELF files" "$program" run plain.tt --call 'f(8)'
expect 2 "plain.tt: error: --call and --init are for kernels in C++ and for ELF files" "$program" time plain.tt --init 'g()'
expect 2 "plain.tt: error: --entry chooses a function of the vendor's assembly, and this has none" "$program" run plain.tt --entry f
printf '_Z1fv:\n\tsfpnop\n\tret\n' > one.s
expect 2 "one.s: error: there is no function g; it has _Z1fv" "$program" run one.s --entry g
expect 2 "one.s: error: there is no function g; it has _Z1fv" "$program" asm one.s --entry g
expect 1 "stores nothing" "$program" run one.s --entry f --in ramp
printf '#include "sfpi.h"\nvoid g(int) { sfpi::dst_reg[0] = sfpi::dst_reg[0]; sfpi::dst_reg++; }\n' > called.cpp
expect 0 "bits changed" "$program" diff plain.tt called.cpp --call 'g(1)' --faces whole --inputs sample:10
expect 2 "error: 'bogus' is not a format" "$program" lsp --format bogus
expect 2 "error: " "$program" lsp --faces bogus
expect 2 "there is nothing to compare with" "$program" diff releases.cpp
expect 2 "there is no SFPI '7.81'; use 5.0, which stands for all before 7.38, or 7.38 to 7.80" "$program" run releases.cpp --sfpi 7.81
expect 2 "--sfpi names 7.38 twice" "$program" run releases.cpp --sfpi 7.38,738
expect 2 "--out is for the result of one release" "$program" run releases.cpp --out one.npy $two
expect 2 "--sfpi names several releases" "$program" time releases.cpp $two
expect 2 "good.tt is no kernel" "$program" run good.tt $two

# Help and version.
expect 0 "conform" "$program" --help
expect 0 "--format" "$program" run --help
expect 0 "lanewise" "$program" --version
expect 0 "lanewise run examples/softplus.tt" "$program"

# What a user gave is repeated only so far, and every number is one.
long=$(head -c 100000 /dev/zero | tr '\0' x)
for echoes in "explain $long" "fp16c $long" "$long" "isa $long" "run good.tt --format $long" "run good.tt --in $long" "check --rule $long" \
  "run good.tt --$long" "tune good.tt --time-limit $long" "run $long.cpp --sfpi $long"; do
  # shellcheck disable=SC2086
  status=0
  "$program" $echoes >out.txt 2>&1 </dev/null || status=$?
  [ $status = 2 ] || complain "the status of ${echoes:0:40}"
  [ "$(wc -c <out.txt)" -lt 6000 ] || complain "${echoes:0:40} is repeated whole"
done
# Marks of encodings.
{ printf '\xEF\xBB\xBF'; cat good.tt; } >marked.tt
iconv -t UTF-16 good.tt >wide.tt
{ printf '\xEF\xBB\xBF'; cat short.vec; } >marked.vec
iconv -t UTF-16 short.vec >wide.vec
printf '\xEF\xBB\xBF#include "sfpi.h"\nvoid kernel() { sfpi::dst_reg[0] = 1.0f; }\n' >marked.cpp
printf '#include "sfpi.h"\nvoid kernel() {}\n' >idle.cpp
iconv -t UTF-16 idle.cpp >wide.cpp
expect 0 "0,0  -8    8  4100" "$program" run marked.tt --in ramp --show 1
expect 0 "bh: " "$program" run marked.cpp --in ramp
for wide in wide.tt wide.cpp "wide.tt --hex"; do
  # shellcheck disable=SC2086
  expect 2 "wide.${wide:5:2}" "$program" run $wide
  # shellcheck disable=SC2086
  also "is UTF-16 or UTF-32, as its byte-order mark says; save it as UTF-8"
done
expect 2 "save it as UTF-8" "$program" run - <wide.tt
expect 2 "save it as UTF-8" "$program" conform wide.vec
diff <("$program" conform short.vec 2>&1 | sed s/short//) <("$program" conform marked.vec 2>&1 | sed s/marked//) || complain "a mark of UTF-8 in a vector file"

# Nothing to run, and nothing to show.
: >empty.tt
printf '; nothing but a comment\n' >comment.tt
printf 'SFPLOAD L0, 0, 3, 0\n' >loads.tt
for command in run time check "sweep --ref x"; do
  # shellcheck disable=SC2086
  expect 2 "empty.tt: error: there is no instruction in it" "$program" $command empty.tt
done
expect 2 "there is no instruction in it" "$program" run comment.tt --hex
for command in asm tile; do
  expect 2 "empty.tt: error: there is no instruction in it" "$program" $command empty.tt
  expect 2 "comment.tt: error: there is no instruction in it" "$program" $command comment.tt
done

# What nobody has asked for, and what is none of an option's values, even where the program is no kernel.
mkdir folder
expect 2 "'lanewise run' has no use for 'more'" "$program" run good.tt more words
expect 2 "'lanewise clock' has no use for 'more'" "$program" clock more words
expect 2 "folder: error: this is a folder; give the path of a test" "$program" llk-test folder
expect 2 "--faces: error: " "$program" run good.tt --faces most
expect 2 "there is no SFPI 'newest'" "$program" time good.tt --sfpi newest
expect 2 "there is no pass" "$program" run good.tt --dump everything
expect 2 "--kernel chooses among the kernels of a checkout, and none is named" "$program" check good.tt --kernel gelu
expect 2 "--param is for operations" "$program" check good.tt --param alpha=1
expect 2 "good.tt: error: --entry chooses a function of the vendor's assembly, and this has none" "$program" asm good.tt --entry gelu
# Every command says in one line what is wrong with a folder, with nothing and with words without sense.
for command in run tile kernels program time check asm elf conform llk llk-test llk-diff list sweep diff merge serve score tune; do
  for words in folder empty.tt nonsense "nonsense and more" --nonsense; do
    [ "$command $words" != "check nonsense and more" ] || continue # a line for each target
    [ "$command $words" != "llk-test empty.tt" ] || continue       # g++ says more
    [ "$command $words" != "serve empty.tt" ] || continue          # a text to begin with
    status=0
    # shellcheck disable=SC2086
    "$program" $command $words >out.txt 2>&1 </dev/null || status=$?
    [ $status = 2 ] && [ "$(wc -l <out.txt)" = 1 ] && grep -q 'error: ' out.txt ||
      complain "$command $words: status $status, $(head -3 out.txt)"
  done
done
expect 1 "the program stores nothing: the result is what was in Dst before" "$program" run loads.tt --in ramp
expect 1 '"message": "the program stores nothing' "$program" run loads.tt --in ramp --json
expect 1 "the program stores nothing" "$program" run idle.cpp --in ramp

for number in nan inf -inf 1e999; do
  expect 2 "is no finite number" "$program" tune good.tt --time-limit=$number
  expect 2 "is no finite number" "$program" run good.tt --kernel-time=$number
  expect 2 "is no finite number" "$program" sweep good.tt --ref x --max-ulp=$number
done
expect 0 "kernels run confined: system calls" "$program" --version

# Kernels in C++ (docs/kernels.md).
cat >kernel.cpp <<'END'
#include "lanewise.h"
#include "sfpi.h"
using namespace sfpi;
template <int N> void scale(float by) {
  for (int i = 0; i < N; ++i) { dst_reg[0] = dst_reg[0] * by; dst_reg++; }
}
void kernel() { scale<32>(2.0f); }
void prints() { vFloat x = dst_reg[0]; lanewise::print(x, "the first rows"); dst_reg[0] = x; }
void too_many() {
  vFloat v[9];
  for (int i = 0; i < 9; ++i) v[i] = dst_reg[i];
  for (int i = 0; i < 9; ++i) dst_reg[i] = v[8 - i] * v[i];
}
void unset() {
  vFloat x;
  dst_reg[0] = x + 1.0f;
}
void never_computed() {
  vFloat x = dst_reg[0], y;
  v_if (x < 0.0f) { y = x * 2.0f; }
  v_endif;
  dst_reg[0] = y;
}
void crashes() { *static_cast<volatile int*>(nullptr) = 1; }
END
printf 'void kernel() { int x = "text"; }\n' >broken.cpp
printf '#include "sfpi.h"\nvoid kernel() { sfpi::vFloat x = sfpi::dst_reg[0]; v_if (x < 0.0f) { x = 0.0f; } }\n' >open.cpp
expect 0 "5: for (int i = 0" "$program" run kernel.cpp --in value:3 --show 1
expect 0 "6  40C0" "$program" run kernel.cpp --in value:3 --show 1 --arch wh
expect 0 "6  40C0" "$program" run kernel.cpp --in value:3 --show 1 --interpret
expect 0 "12  4140" "$program" run kernel.cpp --call 'scale<8>(4.0f)' --in value:3 --show 1
# A place in the text of an option is no line of the file.
expect 0 "in the call: NonContractual" "$program" run kernel.cpp --call 'dst_reg[700] = 1.0f'
expect 2 "in the call, number 2: Unsupported" \
  "$program" tune kernel.cpp --time-limit 1 --call 'dst_reg[0] = dst_reg[0] * 2.0f' \
  --call 'vFloat x = dst_reg[0]; dst_reg[0] = float_to_fp16b(x, 1); TTI_SFPLOADMACRO(0, 0, 3, 0)'
expect 0 "TTI_SFPLOAD(" "$program" run kernel.cpp --emit tti
expect 0 "FloatMul" "$program" run kernel.cpp --emit ir
expect 0 "--- bh: allocate" "$program" run kernel.cpp --emit asm --dump allocate
expect 0 "the first rows" "$program" run kernel.cpp --entry prints --in value:3
"$program" run kernel.cpp --emit asm >kernel.tt
expect 0 "6  40C0" "$program" run kernel.tt --in value:3 --show 1
expect 2 "come from line 11 (9 times)" "$program" run kernel.cpp --entry too_many
expect 2 "kernel.cpp:16: error" "$program" run kernel.cpp --entry unset
expect 1 "kernel.cpp:22: UndefinedBehavior" "$program" run kernel.cpp --entry never_computed --in ramp:1:2
expect 2 "SIGSEGV" "$program" run kernel.cpp --entry crashes
expect 2 "no_such_function" "$program" run kernel.cpp --entry no_such_function
# Confinement: the whole table is that of tests/sfpi/confinement_test.cpp; this is the way there.
printf '#include "sfpi.h"\n#include "confinement/hostile.h"\nvoid kernel() {\n  attack(getenv("ATTACK"));\n}\n' >hostile.cpp
for attack in kill-group kill-parent fork-bomb; do
  expect 2 "error: the kernel tried to" env ATTACK=$attack "$program" run hostile.cpp -I "$source/tests"
done
expect 2 "tried to open a socket" env ATTACK=socket "$program" check hostile.cpp -I "$source/tests"
expect 2 "broken.cpp:1:" "$program" run broken.cpp
expect 2 "open.cpp" "$program" run open.cpp
expect 2 "--faces" "$program" run kernel.cpp --faces x
expect 2 "-fno-nothing" "$program" run kernel.cpp -fno-nothing
expect 2 "no pass 'nothing'" "$program" run kernel.cpp --dump nothing
expect 2 "is no kernel" "$program" run good.tt --emit asm

# Bad input: one message, status 2.
expect 2 "no command 'nonsense'" "$program" nonsense
expect 2 "LANEWISE_SIMD" env LANEWISE_SIMD=v5 "$program" isa
expect 1 "DEST_REGW_BASE" "$program" run base.tt
expect 2 "error" "$program" run
expect 2 "error" "$program" run good.tt --arch qs
expect 2 "error" "$program" run good.tt --format fp7
# Formats of single tiles: -5 as int32 becomes -5.0.
printf 'SFPLOAD L0, INT32, 3, 0\nSFPCAST L0, L1, 0\nSFPSTORE L1, FP32, 3, 0\n' >cast.tt
expect 0 "-5  C0A00000" "$program" run cast.tt --in value:-5@int32 --format fp32 --show 1
expect 0 "3  00000003" "$program" run good.tt --in value:2 --in value:3@int32 --out-tile 1 --out-format int32 --show 1
expect 2 "same rows of Dst" "$program" run good.tt --in ramp@int32 --in ramp
expect 2 "int33" "$program" run good.tt --in ramp@int33
expect 2 "error" "$program" run good.tt --show none
expect 2 "error" "$program" run good.tt --in every-thing
expect 2 "error" "$program" run good.tt --out result.txt
expect 2 "error" "$program" run missing.tt
expect 2 "error" "$program" run .
expect 2 "unknown.tt:2:1:" "$program" run unknown.tt
also "SFPABS"
expect 2 "config.tt:1:" "$program" run config.tt
expect 2 "bad.hex:1:10:" "$program" run bad.hex
expect 2 "bh" "$program" run blackhole.tt --arch wh
expect 2 "short.vec:3:" "$program" conform short.vec
expect 2 "error" "$program" conform missing.vec
: >empty.vec
printf 'case a\narch bh\nexec 00000000\nexpect cc 0 0\nend\n' >opcode.vec
printf 'case a\narch bh\nexpect cc 0 0\nend\ncase a\n' >twice.vec
printf 'case a\narch bh\nexpect cc 0 0 \000 0\nend\n' >nul.vec
expect 2 "empty.vec:1:1: error: there is no case in the file" "$program" conform empty.vec
expect 2 "opcode.vec:3:6: error: 00000000 has opcode 00" "$program" conform opcode.vec
expect 2 "twice.vec:5:6: error: there is a case a already, in line 1" "$program" conform twice.vec
expect 2 "nul.vec:3:" "$program" conform nul.vec
expect 2 "/dev/zero:1:" "$program" conform /dev/zero
expect 2 "SFPMAD" "$program" explain SFPMADD
expect 2 "error" "$program" dis zz
expect 0 "warning: command line:2: 84f12340: SFPMAD has no field at bits 00F00000" "$program" dis 84012340 84f12340
printf 'SFPMAD L0, L1\n' >missing-operand.tt
expect 2 "missing-operand.tt:1:14: error: VC of SFPMAD is missing" "$program" run missing-operand.tt
printf '90f00900\n' >stray.hex
expect 1 "stray.hex:1: NonContractual: SFPCAST: sets bits 00F00000" "$program" run stray.hex
expect 2 "error" "$program" asm unknown.tt -o words.hex
[ ! -e words.hex ] || complain "asm wrote a file in spite of an error"

# Programs with faults: results are shown, the fault is named with its line, status 1.
expect 1 "popc.tt:1: UndefinedBehavior: SFPPOPC" "$program" run popc.tt
expect 1 "unexecuted.tt:1: Unsupported: XMOV" "$program" run unexecuted.tt
expect 1 "differs.vec:4: a/1: LReg[10] lane 0: expected 00000000, found 3f800000" "$program" conform differs.vec
also "1 cases, 1 differ"
# A file that agrees makes none good that does not, whichever comes last.
sed 's/ 0/ 3f800000/g' differs.vec >agrees.vec
expect 0 "1 cases, 0 differ" "$program" conform agrees.vec
expect 1 "agrees.vec: 1 cases, 0 differ" "$program" conform differs.vec agrees.vec

# What was meant.
expect 2 "there is no command 'rum'; did you mean run?" "$program" rum good.tt
expect 2 "there is no command 'tiem'; did you mean time?" "$program" tiem good.tt
expect 2 "there is no option '--formt'; did you mean --format?" "$program" run good.tt --formt bf16
expect 2 "there is no option '--formt'; did you mean --format?" "$program" run --formt=bf16
expect 2 "there is no option '--aRhc'; did you mean --arch?" "$program" sweep good.tt --ref x --aRhc bh
expect 2 "there is no option '--nothing-like-it'; 'lanewise time --help-all' lists what there is" "$program" time good.tt --nothing-like-it
expect 2 "there is no option '--jsno'; did you mean --json?" "$program" fp16c 1.5 --jsno
expect 2 "--arch names bh twice; name each chip once" "$program" run good.tt --arch bh,bh
expect 0 "3 instructions" "$program" run --arch bh good.tt --in ramp
expect 0 "3 instructions" "$program" run -I . good.tt --in ramp
expect 0 '"text": "SFPABS L0, L0, 1"' "$program" asm good.tt --json
also '"line": 2'
also '"modes": "FLOAT"'
also '"word": "7d000001"'
expect 0 '"word": "7d000001"' "$program" dis 7d000001 --json
expect 0 '"operation": ' "$program" explain SFPABS --json
expect 1 '"differing": 1' "$program" conform differs.vec --json
also '"place": "LReg[10]'

# Kernels: the result comes first, then at most 20 lines of listing.
listing() { "$program" run kernel.cpp --in value:3 --show 1 "$@" | sed '1,/^$/d'; }
expect 0 "element  in  out  bits" bash -c "'$program' run kernel.cpp --in value:3 --show 1 | head -1"
expect 0 " more words; --listing shows all" listing --call 'scale<3>(2.0f)' -fno-replay
[ "$(listing -fno-replay | wc -l)" = 20 ] || complain "the listing is longer than 20 lines"
[ "$(listing -fno-replay --arch bh,wh | wc -l)" -le 21 ] || complain "the listings of both chips are longer than 20 lines"
[ "$(listing -fno-replay --listing | wc -l)" -gt 100 ] || complain "--listing does not list all"
[ "$("$program" run kernel.cpp --in value:3 --show 1 --quiet | wc -l)" = 2 ] || complain "--quiet prints more than the table"
expect 2 "--quiet" "$program" run kernel.cpp --quiet --listing

# Programs and kernels that ask for more than a machine has.
printf '.mop 0 127\n.mop 1 127\n.mop 5 SFPNOP\n.mop 7 SFPNOP\n.mop 8 SFPNOP\n.repeat 1000000\nMOP 1, 0, 0\n.endr\n' >bomb.tt
printf 'template <int N, long P> struct B { static constexpr long v = B<N - 1, 2 * P>::v + B<N - 1, 2 * P + 1>::v; };\ntemplate <long P> struct B<0, P> { static constexpr long v = 1; };\nvoid kernel() { volatile long x = B<40, 1>::v; }\n' >templates.cpp
printf '#include "sfpi.h"\nvoid kernel() { volatile bool on = true; while (on) {} }\n' >endless.cpp
bounded() { ( ulimit -v 2000000; exec timeout 60 "$@" ); }
expect 1 "more than 2000000 instructions" bounded "$program" run bomb.tt
expect 2 "g++" timeout 60 "$program" run templates.cpp --kernel-time 2
expect 2 "endless.cpp:2: error: the kernel did not end within 2 s; look for a loop without end, or allow more with --kernel-time" \
  timeout 60 "$program" check endless.cpp --kernel-time 2
expect 130 "" timeout --preserve-status -s INT 3 "$program" run endless.cpp --kernel-time 1000
expect 2 "--kernel-memory" "$program" run kernel.cpp --kernel-memory 0
expect 2 "MiB of memory" "$program" run broken.cpp --kernel-memory 16

# Good input.
expect 0 "elements differ" "$program" run good.tt --in ramp --arch bh,wh
expect 0 '"differing": []' "$program" run good.tt --in ramp --arch bh,wh --json
# Elements spread evenly: the last is among them.
expect 0 "  31,31   8    8  4100" "$program" run good.tt --in ramp --show 2
expect 0 "SFPABS" "$program" run good.tt --in ramp --trace
expect 0 "" "$program" run good.tt --in ramp --out result.npy
expect 0 "" "$program" run good.tt --in result.npy --out again.npy
cmp -s result.npy again.npy || complain "abs of abs is not abs"
expect 0 "" "$program" run good.tt --in ramp --arch bh,wh --out both.npy
[ -e both.bh.npy ] && [ -e both.wh.npy ] || complain "--out with two chips"
expect 0 "7d000001" "$program" asm good.tt
expect 0 "FLOAT" "$program" dis 7d000001
expect 0 "SFPIADD" "$program" explain sfpiadd
expect 0 "MVMUL" "$program" isa
expect 0 '"mnemonic"' "$program" isa --json
"$program" asm good.tt -o good.hex && "$program" run good.hex --in ramp --show all | head -1025 >from_words
"$program" run good.tt --in ramp --show all | head -1025 | cmp -s - from_words ||
  complain "words and assembly give different results"

# A whole tile (docs/tile.md).
for chip in bh wh; do
  copy="$source/examples/tile/datacopy_$chip.tt"
  expect 0 "0,0          -8  C100" "$program" tile "$copy" --arch $chip --show 3
  expect 0 "" "$program" tile "$copy" --arch $chip --in 0x20000=random:7 --out 0x30000=copied.npy
  expect 0 "" "$program" tile "$copy" --arch $chip --in 0x20000=copied.npy --out 0x30000=again.npy --order random --seed 3
  cmp -s copied.npy again.npy || complain "a copy of a copy differs on $chip"
  expect 0 "T1 math" "$program" tile "$copy" --arch $chip --trace --order adversarial
  expect 0 '"trace"' "$program" tile "$copy" --arch $chip --trace --json
  expect 0 "orders of the threads end the same" "$program" tile "$copy" --arch $chip --races
  expect 0 "5 orders" "$program" tile "$copy" --arch $chip --races --schedules 4
  expect 0 "has no code of its own" "$program" tile "$copy" --arch $chip --time
  expect 0 "C100" "$program" tile "$copy" --arch $chip --time --perfetto trace.json --timeline 4
  python3 -c 'import json; assert json.load(open("trace.json"))["traceEvents"]' || complain "no trace of $copy"
  expect 0 '"bounded_by": "' "$program" tile "$copy" --arch $chip --time --json
  also '"executed"'
  expect 2 "give --time" "$program" tile "$copy" --arch $chip --tiles 4
  expect 2 "leave one of them out" "$program" tile "$copy" --arch $chip --time --races
  expect 2 "leave --order out" "$program" tile "$copy" --arch $chip --time --order random
  expect 0 "" "$program" tile "$copy" --arch $chip --save-l1 memory.bin
  expect 0 "C100" "$program" tile "$copy" --arch $chip --l1 memory.bin
  expect 2 "run the file with 'lanewise tile'" "$program" run "$copy" --arch $chip
  expect 2 "this program is for $chip" "$program" tile "$copy" --arch "$([ $chip = bh ] && echo wh || echo bh)"

  # With a SEMWAIT for another semaphore, which is up from the start, there is a race, without the SEMPOST a deadlock. What is printed
  # against the race ends it.
  sed -e 's/SEMWAIT .*/SEMWAIT SemaphoreMask=1 << 2, ConditionMask=1, BlockMask=0x1FF/' -e '/^\.arch/a .semaphore 2 1 1' "$copy" >racy.tt
  expect 1 "MOVA2D" "$program" tile racy.tt --arch $chip --races
  "$program" tile racy.tt --arch $chip --races >race.txt || true # status 1: a race
  behind=$(sed -n 's/.*T2 pack, behind line \([0-9]*\):.*/\1/p' race.txt)
  wait=$(sed -n 's/^    \(SEMWAIT .*\)/\1/p' race.txt)
  [ -n "$behind" ] && [ -n "$wait" ] || complain "no mend for the race on $chip"
  # Nothing keeps T2 back on the clock, and T1 waits for the unpacker: so time has T2's read first, at both ends of the range.
  [ "$(grep -c '^in time (cores push a word in [16] cycles*), the first goes in cycle [0-9]* and the second in cycle [0-9]*$' race.txt)" = 2 ] ||
    complain "no cycles of the race on $chip: $(cat race.txt)"
  "$program" tile racy.tt --arch $chip --races --json >race.json || true
  python3 - <<'END' || complain "the cycles of the race on $chip are others: $(cat race.json)"
import json
found = json.load(open("race.json"))
pack = "first" if found["race"]["first"]["thread"] == 2 else "second"
math = "second" if pack == "first" else "first"
assert all(run[pack] < run[math] for run in found["in_time"])
assert found["time"] == ("keeps" if pack == "first" else "turns")
END
  sed "${behind}a $wait" racy.tt >mended.tt
  expect 0 "orders of the threads end the same" "$program" tile mended.tt --arch $chip --races
  sed '/SEMPOST/d' "$copy" >forever.tt
  expect 1 "waits for semaphore 1 to be above 0" "$program" tile forever.tt --arch $chip
  also "no line raises semaphore 1"
  expect 1 '"blocked"' "$program" tile forever.tt --arch $chip --json
  expect 1 "did not end within 5 steps" "$program" tile "$copy" --arch $chip --steps 5
  expect 0 "T1 math 4162" "$program" tile "$source/examples/tile/matmul_$chip.tt" --arch $chip
done
expect 2 "good.tt:1:1: error: no thread has been named for this line" "$program" tile good.tt
expect 2 "is not an address of L1" "$program" tile "$copy" --arch wh --in x=ramp:bf16
expect 2 "has no format" "$program" tile "$copy" --arch wh --in 0x40000=ramp
expect 2 "reach beyond L1" "$program" tile "$copy" --arch wh --in 0x7fffffff=ramp:bf16
expect 2 "nobody says the shape" "$program" tile "$copy" --arch wh --out 0x40000=a.npy
expect 2 "named neither .npy nor .bin" "$program" tile "$copy" --arch wh --out 0x30000=a.txt
printf '.in 0x20000=ramp:bf17\n.thread math\nNOP\n' >format.tt
expect 2 "format.tt:1:5: error:" "$program" tile format.tt
printf '.thread math\n.cfg NO_SUCH_FIELD 1\nNOP\n' >field.tt
expect 2 "field.tt:2: error: Blackhole A0 has no configuration field" "$program" tile field.tt

# SrcA and SrcB, and the product to compare with. A sum of 32 threes is exact in every step.
matmul="$source/examples/matmul_bh.tt"
expect 0 "largest 0, mean 0; relative: largest 0, mean 0" "$program" run "$matmul" --srca value:3 --srcb value:1 --reference matmul
expect 0 '"largest_relative": 0.0' "$program" run "$matmul" --srca value:3 --srcb value:1 --reference matmul --json
expect 0 "96" "$program" run "$matmul" --srca value:3 --srcb value:1 --srca-format int8 --srcb-format int8 --format int32
"$program" run "$matmul" --srca value:3 --srcb value:1 --out ninety-six.npy >/dev/null
expect 0 "28800" "$program" run "$matmul" --srca ninety-six.npy --srcb value:9.375 --show 1
expect 2 "--reference matmul needs both sources" "$program" run "$matmul" --srca ramp --reference matmul
expect 2 "leave --in or --reference out" "$program" run "$matmul" --srca ramp --srcb ramp --in ramp --reference matmul
expect 2 "'fp32' is not a format of SrcA and SrcB" "$program" run "$matmul" --srca ramp --srca-format fp32
expect 2 "is not a whole number" "$program" run "$matmul" --srcb value:0.5 --srcb-format int8
expect 2 "neither infinity nor NaN" "$program" run "$matmul" --srcb special --srcb-format bfp8
expect 2 "missing.npy" "$program" run "$matmul" --srca missing.npy
