#!/usr/bin/env bash
# check_sweep.sh PROGRAM SOURCE: what 'lanewise sweep' and 'lanewise diff' print, write and refuse, as docs/accuracy.md states it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
examples=$source/examples

# tile.tt BODY: the body for each row of a tile, x in L0 and the result from L1.
tile() { printf '.repeat 32\nSFPLOAD L0, SRCB, 3, 0\n%b\nSFPSTORE L1, SRCB, 3, 0\nINCRWC DstInc=2\n.endr\n' "$1"; }
tile 'SFPMOV L0, L1, 0' >identity.tt
tile 'SFPABS L0, L1, FLOAT' >abs.tt
tile 'SFPMUL L0, L0, L9, L1, 0\nSFPNOP' >square.tt
tile 'SFPIADD 1, L0, L1, CC_NONE | ARG_IMM' >next.tt # the next pattern of fp32
printf '.repeat 32\nSFPLOAD L0, SRCB, 3, 0\nSFPLOAD L1, SRCB, 3, 64\nSFPADD L10, L0, L1, L1, 0\nSFPNOP\nSFPSTORE L1, SRCB, 3, 0\nINCRWC DstInc=2\n.endr\n' >sum.tt

# Exact kernels have no error, on both chips; gates hold.
expect 0 "65536 inputs" "$program" sweep abs.tt --ref 'abs(x)' --arch bh,wh --max-ulp 0
expect 0 "holds" "$program" sweep identity.tt --ref x --max-ulp 0
# A product of two bf16 numbers is exact in fp32, so truncation alone makes the error: below 1 ULP.
expect 1 "--max-ulp 0" "$program" sweep square.tt --ref 'x * x' --max-ulp 0
expect 0 "holds" "$program" sweep square.tt --ref 'square(x)' --max-ulp 1 --max-exact-ulp 1
expect 0 "holds" "$program" sweep square.tt --ref 'square(x)' --format fp32 --inputs sample:100000:7 --max-ulp 1
# The next pattern is one ULP away from zero, everywhere.
expect 1 "largest is 1" "$program" sweep next.tt --ref x --format fp32 --inputs range:1:2 --max-ulp 0
# The examples, as their comments state.
expect 0 "holds" "$program" sweep "$examples/exp.tt" --ref 'exp(x)' --arch bh,wh --max-exact-ulp 0.501
expect 0 "holds" "$program" sweep "$examples/tanh.cpp" --ref 'tanh(x)' --arch bh,wh --max-ulp 1
# Scores: a store that cuts off leaves one of the two neighbours, the next pattern is none of them.
expect 0 "largest 0 ULP, faithful" "$program" score abs.tt --ref 'abs(x)' --arch bh,wh
expect 0 "faithful" "$program" score square.tt --ref 'x * x'
expect 0 "not faithful" "$program" score next.tt --ref x --format fp32 --inputs range:1:2
expect 0 "before (+0.0 %), whose largest was 0 ULP" "$program" score abs.tt --ref 'abs(x)' --before abs.tt
expect 0 '"faithful": true' "$program" score abs.tt --ref 'abs(x)' --before abs.tt --json
expect 2 "needs a reference" "$program" score abs.tt
expect 2 "nothing.tt" "$program" score abs.tt --ref x --before nothing.tt
# Operands in SrcA and SrcB.
expect 0 "largest 1 ULP" "$program" sweep "$examples/elementwise.tt" --srca x --srcb y --ref 'x + y' --inputs sample:50000
expect 2 "every fp32" "$program" sweep "$examples/elementwise.tt" --srca x --srcb y --ref 'x + y' --format fp32 --inputs sample:10
# Two operands.
expect 0 "y" "$program" sweep sum.tt --ref 'x + y' --inputs sample:50000 --max-ulp 1
# Domains leave inputs out.
expect 0 "holds" "$program" sweep square.tt --ref 'where(x < 0, 7, x * x)' --domain 'x >= 0' --max-ulp 1

# Ways to count: a step below a power of two is one in the line, half a gap for ttnn.
tile 'SFPIADD -1, L0, L1, CC_NONE | ARG_IMM' >previous.tt
expect 1 "largest is 1" "$program" sweep previous.tt --ref x --format fp32 --inputs range:1:1 --max-ulp 0
expect 1 "largest is 0.5" "$program" sweep previous.tt --ref x --format fp32 --inputs range:1:1 --ulp ttnn --max-ulp 0
expect 0 "ULP of ttnn" "$program" sweep previous.tt --ref x --format fp32 --inputs range:1:1 --ulp ttnn --max-ulp 0.5
for name in line tt-llk ttnn accuracy-report accuracy-report-unrounded; do
  expect 0 "holds" "$program" sweep identity.tt --ref x --ulp "$name" --max-ulp 0
  expect 0 "\"ulp_measure\": \"$name\"" "$program" diff abs.tt abs.tt --ulp "$name" --json
done
expect 2 "called 'ulps'" "$program" sweep identity.tt --ref x --ulp ulps
expect 2 "no errors before rounding" "$program" sweep identity.tt --ref x --ulp tt-llk --max-exact-ulp 1
# Nothing is left out in silence.
tile 'SFPLOADI L1, FLOATB, 0x7FC0' >nan.tt
expect 1 "65026 results, 65026 lost; among all: 65026 NaN where a number is expected" "$program" sweep nan.tt --ref x --max-ulp 9
tile 'SFPMOV L9, L1, 0' >zero.tt
expect 0 "65024 0 where another number is expected" "$program" sweep zero.tt --ref x
expect 0 "65024 lost" "$program" sweep zero.tt --ref x --ulp accuracy-report
expect 0 "holds; without --specials it does not look at" "$program" sweep "$examples/exp.tt" --ref 'exp(x)' --max-ulp 1

# A reference in C++.
printf '#include <cmath>\ndouble reference(double x) { return std::fabs(x); }\n' >reference.cpp
expect 0 "holds" "$program" sweep abs.tt --ref-file reference.cpp --max-ulp 0
printf 'double reference(double x) { if (x > 3) __builtin_trap(); return x; }\n' >crash.cpp
expect 2 "crash.cpp" "$program" sweep abs.tt --ref-file crash.cpp
printf '#include <sys/socket.h>\ndouble reference(double x) { socket(AF_INET, SOCK_STREAM, 0); return x; }\n' >calls.cpp
expect 2 "tried what a reference must not do" "$program" sweep abs.tt --ref-file calls.cpp
printf '#include <cstdio>\ndouble reference(double x) { return std::fopen("left.txt", "w") ? 1 : x; }\n' >writes.cpp
expect 2 "tried what a reference must not do" "$program" sweep abs.tt --ref-file writes.cpp
[ ! -e left.txt ] || complain "a reference in C++ has written a file"
printf 'double other(double x) { return x; }\n' >other.cpp
expect 2 "reference" "$program" sweep abs.tt --ref-file other.cpp

# Files, whole or not at all.
expect 0 '"lanewise-sweep"' "$program" sweep abs.tt --ref 'abs(x)' --json
expect 0 "" "$program" sweep abs.tt --ref 'abs(x)' --html page.html --svg picture.svg
[ -s page.html ] && [ -s picture.svg ] || complain "a page or a picture is missing"

# Generated code finds the same; what cannot become code is said.
expect 0 "holds" "$program" sweep square.tt --ref 'square(x)' --max-ulp 1 --max-exact-ulp 1 --generate
"$program" sweep square.tt --ref 'square(x)' --json --generate >generated.json
"$program" sweep square.tt --ref 'square(x)' --json --no-generate >interpreted.json
cmp -s generated.json interpreted.json || complain "generated code finds something else"
tile 'SFPCONFIG 0, 4, 0\nSFPMOV L0, L1, 0' >configured.tt
expect 2 "contradict" "$program" sweep abs.tt --ref 'abs(x)' --generate --no-generate
expect 2 "changes configuration" "$program" sweep configured.tt --ref x --generate

expect 2 "no/such" "$program" sweep abs.tt --ref 'abs(x)' --html no/such/page.html
expect 2 "is a folder" "$program" sweep abs.tt --ref 'abs(x)' --svg "$work"

# The number of threads changes nothing.
"$program" sweep "$examples/tanh.cpp" --ref 'tanh(x)' --arch bh,wh --threads 1 --json >one.json
"$program" sweep "$examples/tanh.cpp" --ref 'tanh(x)' --arch bh,wh --threads 3 --json >three.json
cmp -s one.json three.json || complain "1 and 3 threads differ"

# Ctrl-C: what was found so far, status 1, and the same command goes on.
"$program" sweep square.tt --ref 'x * x' --format fp32 --no-generate --resume state.json --threads 1 >stopped.txt 2>stopped.err &
pid=$!
sleep 1.5
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" = 1 ] || complain "a stopped sweep ends with status $status"
grep -q 'stopped after' stopped.err || complain "a stopped sweep does not say so"
grep -q 'ULP' stopped.txt || complain "a stopped sweep does not report"
[ -s state.json ] || complain "a stopped sweep leaves no state"
expect 2 "another sweep" "$program" sweep square.tt --ref 'x' --format fp32 --resume state.json
[ -s state.json ] || complain "the state of another sweep is gone"
sed 's/"chunks":[0-9]*/"chunks":1/' state.json >damaged.json
cp damaged.json kept.json
expect 2 "damaged" "$program" sweep square.tt --ref 'x * x' --format fp32 --resume damaged.json
cmp -s damaged.json kept.json || complain "a damaged state is not left as it is"
printf '{' >state.json
expect 2 "state.json" "$program" sweep square.tt --ref 'x * x' --format fp32 --resume state.json

# Bad input: one message, status 2.
expect 2 "needs a reference" "$program" sweep abs.tt
expect 2 "one reference" "$program" sweep abs.tt --ref x --ref-file reference.cpp
expect 2 "column 5" "$program" sweep abs.tt --ref 'abs(z)'
expect 2 "--ref" "$program" sweep abs.tt --ref 'abs(x'
expect 2 "--domain" "$program" sweep abs.tt --ref x --domain 'x >'
expect 2 "inputs" "$program" sweep abs.tt --ref x --inputs all
expect 2 "below 0 ULP" "$program" sweep abs.tt --ref x --max-ulp -1
expect 2 "error" "$program" sweep missing.tt --ref x
expect 2 "format" "$program" sweep abs.tt --ref x --format bf17
expect 2 "sample" "$program" sweep sum.tt --ref 'x + y' --format fp32

# diff: status 0 only where all bits are the same.
expect 0 "bits changed        0    0 %" "$program" diff abs.tt abs.tt --arch bh,wh
expect 1 "cycles" "$program" diff abs.tt identity.tt --ref 'abs(x)'
expect 1 "instructions" "$program" diff "$examples/exp.cpp" "$examples/exp_approximate.cpp" --ref 'exp(x)' --arch bh,wh
expect 0 '"lanewise-diff"' "$program" diff abs.tt abs.tt --json
expect 2 "error" "$program" diff abs.tt missing.tt
