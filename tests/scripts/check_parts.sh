#!/usr/bin/env bash
# check_parts.sh PROGRAM SOURCE: work in parts, as docs/parts.md states it: what 'lanewise merge' prints and writes is, byte for byte,
# what one run does, whatever the number and order of parts, the threads, the SIMD level and interruptions.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
cp "$source/examples/exp.tt" "$source/examples/abs.tt" .
unset LANEWISE_SIMD

# same NAME FILE: what merge has printed.
same() {
  cmp -s "$2" merged.txt && return
  complain "the parts of $1 do not give what one run does"
  diff "$2" merged.txt | head -5 || true
}

# in_parts N COMMAND...: the parts from the last to the first, each in its own way; then what all have. `status` is that of the merge.
in_parts() {
  local of=$1 number level
  shift
  rm -f p.*
  for number in $(seq "$of" -1 1); do
    [ $((number % 2)) = 0 ] && level=baseline || level=v3
    LANEWISE_SIMD=$level "$program" "$@" --part "$number/$of" --part-file "p.$number" >part.txt 2>&1 || complain "part $number of $*: $(cat part.txt)"
  done
  status=0
  "$program" merge p.* >merged.txt 2>merged.err || status=$?
  grep -q "different arithmetic" merged.err && complain "one C library is told to be several: $(cat merged.err)"
  return 0
}
# one COMMAND...: what one run prints; its status.
one() {
  status=0
  LANEWISE_SIMD=v3 "$program" "$@" >one.txt || status=$?
}

sweep=(sweep exp.tt --ref 'exp(x)' --arch bh,wh --inputs sample:700000:7)
for form in "" --json "--ulp=ttnn" "--ulp=accuracy-report-unrounded --json"; do
  # shellcheck disable=SC2086
  one "${sweep[@]}" $form
  for of in 3 40; do
    # shellcheck disable=SC2086
    in_parts $of "${sweep[@]}" $form
    same "sweep $form in $of" one.txt
  done
done
for reference in "sin(x)" "gelu(x)" "abs(x)^0.3"; do
  unrounded=(sweep exp.tt --ref "$reference" --inputs sample:200000:8 --ulp=accuracy-report-unrounded --json)
  one "${unrounded[@]}"
  in_parts 5 "${unrounded[@]}"
  same "sweep against $reference" one.txt
done
# Another C library has other last bits for some functions, which is told.
echo 'const char* gnu_get_libc_version(void) { return "9.9"; }' >other.c
gcc -shared -fPIC other.c -o other.so && rm -f p.*
LD_PRELOAD=./other.so "$program" sweep exp.tt --ref 'exp(x)' --part 1/2 --part-file p.1 >/dev/null
"$program" sweep exp.tt --ref 'exp(x)' --part 2/2 --part-file p.2 >/dev/null
"$program" merge p.1 p.2 2>&1 >/dev/null | grep -q "different arithmetic (glibc .*; glibc 9.9)" || complain "another C library is not told"
# Every number: the ends of runs meet in another part.
one sweep exp.tt --ref 'exp(x)' --format fp16 --json
in_parts 2 sweep exp.tt --ref 'exp(x)' --format fp16 --json
same "sweep of fp16" one.txt
# Pages, pictures and the exit status come with the merge, too.
one sweep exp.tt --ref 'exp(x)' --html page.html --svg picture.svg --max-ulp 0
[ $status = 1 ] || complain "the gate was missed, and one run does not say so"
mv page.html one.html && mv picture.svg one.svg
in_parts 2 sweep exp.tt --ref 'exp(x)' --html page.html --svg picture.svg --max-ulp 0
[ $status = 1 ] || complain "the gate was missed, and the merge does not say so"
same "a sweep with a page" one.txt
cmp one.html page.html && cmp one.svg picture.svg || complain "the page of the merge is another one"

one diff exp.tt abs.tt --inputs sample:300000:3 --json
in_parts 4 diff exp.tt abs.tt --inputs sample:300000:3 --json
same diff one.txt
one diff exp.tt abs.tt --ref 'exp(x)' --html d.html
mv d.html one.html
in_parts 2 diff exp.tt abs.tt --ref 'exp(x)' --html d.html
same "diff with a reference" one.txt
cmp one.html d.html || complain "the page of the merged comparison is another one"

for format in table report-index; do
  one accuracy --examples "$source/examples" --kernel exp.tt --kernel abs.tt --kernel softplus.tt --format "$format" --json
  in_parts 2 accuracy --examples "$source/examples" --kernel exp.tt --kernel abs.tt --kernel softplus.tt --format "$format" --json
  same "accuracy as $format" one.txt
done

# Files with and without findings, one that cannot be read, on both chips, in every form; and a folder with kernels of LLK.
printf 'SFPLOAD  L0, 3, 3, 0\nSFPMAD   L0, L0, L9, L2, 0\nSFPSTORE L2, 3, 3, 0\n' >early.tt
printf 'SFPPOPC\n' >pops.tt
for form in text json sarif github junit; do
  one check exp.tt early.tt nothing.tt pops.tt abs.tt --arch bh,wh --format $form --perturb
  [ $status = 2 ] || complain "a file that is missing gives status $status"
  in_parts 3 check exp.tt early.tt nothing.tt pops.tt abs.tt --arch bh,wh --format $form --perturb
  [ $status = 2 ] || complain "a file that is missing gives status $status behind the merge"
  same "check as $form" one.txt
  grep -q "^nothing.tt: error" merged.err || complain "the merge does not say what could not be read"
done
if [ -n "${LANEWISE_METAL-}" ]; then
  one check "$LANEWISE_METAL" --kernel abs --kernel sign --kernel square
  in_parts 2 check "$LANEWISE_METAL" --kernel abs --kernel sign --kernel square
  same "check of a checkout" one.txt
fi
expect 2 "parts are of files, or of one checkout" "$program" check exp.tt "$source/examples" --part 1/2
expect 2 "standard input" "$program" check - --part 1/2

# Orders of the threads, with and without a race; with one, the merge tries the mend.
copy="$source/examples/tile/datacopy_bh.tt"
sed '/SEMWAIT/d' "$copy" >racy.tt
for tile in "$copy" racy.tt; do
  for form in "" --json; do
    # shellcheck disable=SC2086
    one tile "$tile" --races --schedules 60 $form
    [ $status = "$([ $tile = racy.tt ] && echo 1 || echo 0)" ] || complain "$tile --races: status $status"
    alone=$status
    # shellcheck disable=SC2086
    in_parts 3 tile "$tile" --races --schedules 60 $form
    [ $status = $alone ] || complain "the merge of $tile --races has status $status, not $alone"
    same "$tile --races $form" one.txt
  done
done
grep -q '"mends": \[$' one.txt || complain "no mend: $(cat one.txt)"
"$program" tile "$copy" --races --schedules 60 --resume orders >merged.txt
one tile "$copy" --races --schedules 60
same "a search for races that is kept" one.txt
[ ! -e orders ] || complain "the state of a search that is done stays"
expect 2 "give --races, too" "$program" tile "$copy" --part 1/2
expect 2 "names no part" "$program" tile "$copy" --races --part 3/2
"$program" tile "$copy" --races --part 1/1 >part.txt
grep -q "^part 1 of 1: 77 of 77 orders in tile.1-of-1.part$" part.txt || complain "a part of orders: $(cat part.txt)"
cp "$copy" changed.tt
"$program" tile changed.tt --races --part 1/1 --part-file q.1 >/dev/null
cp racy.tt changed.tt
expect 2 "q.1: error: this is of another search for races: program is" "$program" merge q.1

# A part that is ended goes on where it was; Ctrl-C and SIGKILL lose at most what was not written yet.
long=(sweep exp.tt --ref 'exp(x)' --inputs sample:40000000:9 --threads 1 --no-generate)
one "${long[@]}"
rm -f p.*
"$program" "${long[@]}" --part 2/2 --part-file p.2 >/dev/null
for signal in INT KILL; do
  "$program" "${long[@]}" --part 1/2 --part-file p.1 >stopped.txt 2>&1 &
  sleep 0.2
  kill -$signal $! 2>/dev/null || true
  wait $! 2>/dev/null || true
done
"$program" merge p.1 p.2 >open.txt 2>&1 && complain "a part that is not done was merged"
grep -q "part 1 of 2 has not come to its end" open.txt || complain "which part is open is not said: $(cat open.txt)"
"$program" "${long[@]}" --part 1/2 --part-file p.1 >/dev/null
"$program" merge p.1 p.2 >merged.txt
same "a sweep that was ended twice" one.txt
"$program" "${long[@]}" --part 1/2 --part-file p.1 >part.txt
grep -q "part 1 of 2: 19988480 of 19988480 inputs in p.1" part.txt || complain "a part that is done is not said to be"

# What does not belong together, and what merge says of its files.
expect 2 "of 2 parts these are missing: 1; " "$program" merge p.2
cp p.2 q.2
expect 2 "q.2: error: part 2 of 2 is there twice, also as p.2" "$program" merge p.1 p.2 q.2
"$program" sweep exp.tt --ref 'exp(x)' --inputs sample:9000 --part 1/2 --part-file other >/dev/null
expect 2 "other: error: this is a part of 'lanewise sweep exp.tt --ref exp(x) --inputs sample:9000'" "$program" merge p.2 other
head -c 2000 p.1 >cut
expect 2 "cut: error: part 1 of 2 has not come to its end" "$program" merge cut p.2
tr 5 6 <p.1 >changed
expect 2 "changed: error: " "$program" merge changed p.2
expect 2 "exp.tt: error: Lanewise has not written this" "$program" merge exp.tt
expect 0 "p.2   2/2   done      lanewise sweep exp.tt" "$program" merge --list p.2 cut
expect 0 "cut   1/2   not done" "$program" merge --list p.2 cut
expect 0 '"largest": ' "$program" merge p.1 p.2 --add=--json
echo "SFPNOP" >>exp.tt
expect 2 "this is of another sweep: programs is" "$program" merge p.1 p.2
cp "$source/examples/exp.tt" exp.tt
expect 2 "names no part" "$program" "${long[@]}" --part 0/2
expect 2 "contradict each other" "$program" "${long[@]}" --part 1/2 --resume x
expect 2 "is for a part" "$program" "${long[@]}" --part-file x
expect 2 "this is part 1 of 2, not part 1 of 3" "$program" "${long[@]}" --part 1/3 --part-file p.1
# Without a name the file has that of its command and its part.
"$program" sweep abs.tt --ref 'abs(x)' --part 1/1 >/dev/null
[ -f sweep.1-of-1.part ] || complain "the file of a part has another name"
# What .lanewise.toml said when a part was made counts, not what it says now.
printf '[sweep]\nworst = 2\n' >.lanewise.toml
one sweep exp.tt --ref 'exp(x)' --json
in_parts 2 sweep exp.tt --ref 'exp(x)' --json
printf '[sweep]\nworst = 9\nunknown = 1\n' >.lanewise.toml
"$program" merge p.* >merged.txt || true
same "a sweep with a file of options" one.txt
rm .lanewise.toml
# --resume for a comparison: the same bytes, and the file goes.
one diff exp.tt abs.tt --inputs sample:3000000:3 --json
"$program" diff exp.tt abs.tt --inputs sample:3000000:3 --json --resume state >stopped.txt 2>&1 &
sleep 0.3
kill -INT $! 2>/dev/null || true
wait $! 2>/dev/null || true
"$program" diff exp.tt abs.tt --inputs sample:3000000:3 --json --resume state >merged.txt || true
same "a comparison that went on" one.txt
[ ! -e state ] || complain "the state of a comparison that is done stays"
