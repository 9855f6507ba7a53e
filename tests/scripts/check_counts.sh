#!/usr/bin/env bash
# check_counts.sh PROGRAM SOURCE: every count that a command takes, at its limits and beyond them: what is too much is one
# error with status 2, and nothing ends by a signal.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

printf 'SFPLOAD L0, 0, 3, 0\nSFPSTORE L0, 0, 3, 0\n' >copy.tt
copy=$source/examples/tile/datacopy_bh.tt

# fits COMMAND...: the count is not too large.
fits() {
  local status=0
  "$program" "$@" >out 2>&1 || status=$?
  [ "$status" -le 1 ] || complain "status $status: $* $(tail -1 out)"
}
# beyond TEXT COMMAND...: one line of error with the text.
beyond() {
  local text=$1 status=0
  shift
  "$program" "$@" >/dev/null 2>err || status=$?
  { [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err; } ||
    complain "status $status, expected 2 and '$text': $* $(head -c 300 err)"
}
# times N WORD...: the words so many times, in `repeated`.
times() {
  local count=$1
  shift
  repeated=()
  for ((i = 0; i < count; ++i)); do repeated+=("$@"); done
}

# Tiles of Dst (MU 1.1).
for case in "bf16 16" "fp32 8"; do
  read -r format tiles <<<"$case"
  times "$tiles" --in zero
  fits run copy.tt --format "$format" "${repeated[@]}"
  for hazards in warn off error model; do
    beyond "$((tiles + 1)) inputs, but Dst holds $tiles $format tiles" \
      run copy.tt --format "$format" --hazards $hazards "${repeated[@]}" --in zero
  done
  times 200 --in zero
  beyond "200 inputs" run copy.tt --format "$format" "${repeated[@]}" --arch bh,wh
  fits run copy.tt --format "$format" --in zero --out-tile $((tiles - 1))
  beyond "name one of 0..$((tiles - 1))" run copy.tt --format "$format" --in zero --out-tile "$tiles"
  beyond "name one of 0..$((tiles - 1))" sweep copy.tt --ref x --inputs sample:9 --format "$format" --out-tile "$tiles"
  fits sweep copy.tt --ref x --inputs sample:9 --format "$format" --out-tile $((tiles - 1)) --no-decades
done
times 17 --in zero
printf 'SFPLOAD L0, 0, 0\nSFPSTORE L0, 0, 0\n' >copy_gs.tt
fits run copy_gs.tt --arch gs --in zero
expect 2 "17 inputs, but Dst holds 16 bf16 tiles" "$program" run copy_gs.tt --arch gs "${repeated[@]}"

# Whole numbers of options: 2^32 and 2^64 are no small numbers, and -1 is none.
for option in "run copy.tt --in zero --out-tile" "sweep copy.tt --ref x --inputs sample:9 --threads"; do
  for count in 4294967296 18446744073709551616 -1 1.5 x ''; do
    # shellcheck disable=SC2086 # an option is words
    beyond "no whole number from 0 to 4294967295" $option "$count"
  done
done
vectors=$source/tests/vectors/tile-wh.vec.gz
for option in "sweep copy.tt --ref x --inputs sample:9 --worst" "tile $copy --steps" "tile $copy --show" "tile $copy --seed" \
  "time copy.tt --repeat" "time copy.tt --rolled" "conform $vectors --show" "tile $copy --races --schedules" \
  "serve copy.tt --port" "diff copy.tt copy.tt --operands" "tune copy.tt --operands" "llk-test none.cpp --tiles" \
  "elf none.elf --most" "fit exp(x) --range 1:2 --degree" "fit exp(x) --range 1:2 --samples" \
  "run copy.tt --in zero --kernel-memory"; do
  for count in 18446744073709551616 -1; do
    # shellcheck disable=SC2086
    beyond "${option##* }" $option "$count"
  done
done
fits sweep copy.tt --ref x --inputs sample:9 --worst 18446744073709551615 --threads 4294967295
fits tile "$copy" --steps 18446744073709551615 --show 18446744073709551615 --seed 18446744073709551615
beyond "sample" sweep copy.tt --ref x --inputs sample:0
beyond "sample" sweep copy.tt --ref x --inputs sample:18446744073709551616
beyond "schedules" tile "$copy" --races --schedules 1000001
beyond "repeat" time copy.tt --repeat 4294967295
beyond "show" run copy.tt --in zero --show 10000000000

# Images of L1, which has 0x180000 bytes on Blackhole.
times 50 --in 0x20000=zero:bf16
fits tile "$copy" "${repeated[@]}"
times 50 --out 0x30000:32x32:bf16
fits tile "$copy" "${repeated[@]}"
fits tile "$copy" --in 0x17f800=zero:bf16 --out 0x17f800:32x32:bf16
fits tile "$copy" "--in" "0x20000=zero:bf16*64"
beyond "beyond L1" tile "$copy" --in 0x17f801=zero:bf16
beyond "beyond L1" tile "$copy" --out 0x17f801:32x32:bf16
beyond "no L1 holds" tile "$copy" --in "0x20000=zero:bf16*10000"
beyond "no count" tile "$copy" --in "0x20000=zero:bf16*0"
beyond "no count" tile "$copy" --in "0x20000=zero:bf16*18446744073709551616"
beyond "not an address" tile "$copy" --in 0x100000000=zero:bf16
beyond "no L1 holds" tile "$copy" --out 0x30000:4294967296x4294967296:bf16
for shape in 0 32x0 18446744073709551616; do beyond "extent" tile "$copy" --out 0x30000:$shape:bf16; done
head -c 16 /dev/zero >16.bin
beyond "beyond the end of L1" llk-test none.cpp --in 0x17fff1=16.bin
beyond "beyond the end of L1" llk-test none.cpp --out 0x17fff1:16=out.bin
beyond "no address" llk-test none.cpp --in 0x100000000=16.bin
beyond "names no address" llk-test none.cpp --out 0x0:4294967296=out.bin
beyond "no field and number" llk-test none.cpp --config ALU_ACC_CTRL_Fp32_enabled=4294967296

# Directives: the last that there is, and the first that is not.
directive() {
  printf '.thread math\n%s\nSFPNOP\n' "$1" >directive.tt
}
while IFS='|' read -r good bad; do
  directive "$good"
  fits tile directive.tt
  directive "$bad"
  beyond "directive.tt:2" tile directive.tt
done <<'END'
.semaphore 7 15 15|.semaphore 8 0 0
.semaphore 0 15 15|.semaphore 0 16 15
.semaphore 0 0 15|.semaphore 0 0 16
.gpr 63 0xFFFFFFFF|.gpr 64 0
.gpr 0 0|.gpr 0 0x100000000
.cfg_word 223 0|.cfg_word 224 0
.cfg_word 0 0|.cfg_word -1 0
.cfg ALU_ACC_CTRL_Fp32_enabled 1|.cfg ALU_ACC_CTRL_Fp32_enabled 2
.thread 2|.thread 3
REPLAY 0, 31, 0, 0|REPLAY 0, 64, 0, 0
.in 0x17f800=zero:bf16|.in 0x17f801=zero:bf16
.out 0x17f800:32x32:bf16|.out 0x17f801:32x32:bf16
END
for count in 0 -1 1000001 4294967296; do
  printf '.repeat %s\nSFPNOP\n.endr\n' "$count" >repeat.tt
  beyond "repeat.tt:1" run repeat.tt
done
printf '.repeat 1000\n.repeat 1000\n.repeat 1000\nSFPNOP\n.endr\n.endr\n.endr\n' >nested.tt
beyond "nested.tt" run nested.tt
