#!/usr/bin/env bash
# check_elf.sh PROGRAM SOURCE: every command takes a compiled kernel's ELF with --call, and finds in it what it finds in the
# same program in assembly (docs/elf.md).
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
if ! command -v riscv64-unknown-elf-gcc >/dev/null; then
  echo "skipped: the package gcc-riscv64-unknown-elf is not installed"
  exit 77
fi

compile() { # NAME: NAME.elf of tests/elf/programs/NAME.c
  riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -g -O2 -Wl,-Ttext=0x6000,-e,0x6000 \
    "$source/tests/elf/programs/$1.c" -o "$1.elf"
}
for name in tile paths watch flow inlined; do compile $name; done
absolute=$source/examples/abs.tt # 32 times the words that absolute(32) pushes
call=(tile.elf --call 'absolute(32)')

# same_output TEXT COMMAND: of the ELF as of the assembly, but for lines and names.
same_output() {
  local what=$1 of_elf of_assembly
  shift
  of_elf=$("$program" "$what" "${call[@]}" "$@" 2>&1) || complain "$what of an ELF: status $?"
  of_assembly=$("$program" "$what" "$absolute" "$@" 2>&1) || complain "$what of assembly: status $?"
  [ "$of_elf" = "$of_assembly" ] || complain "$what: the ELF's result is another one: $of_elf"
}
same_output run --in ramp
same_output run --in special --format fp32 --json

# As many cycles, over the same instructions; lines are those of the C program.
expect 0 "of 128" "$program" time "$absolute"
expect 0 "of 128" "$program" time "${call[@]}"
expect 0 "tile.c" "$program" time "${call[@]}" --json
"$program" time "${call[@]}" --html time.html >/dev/null || complain "time --html of an ELF"
grep -q "SFPABS" time.html || complain "time --html of an ELF has no instruction"

# A hazard has the line of the C program that stores what nobody has loaded.
expect 0 "nothing found in 128 instructions" "$program" check "${call[@]}"
expect 1 "unprogrammed-lreg" "$program" check tile.elf --call 'stores_nothing()'
also "tile.c:"

# The sign's absence is exact.
expect 0 "holds" "$program" sweep "${call[@]}" --ref 'abs(x)' --max-ulp 0
expect 1 "--max-ulp 0" "$program" sweep tile.elf --call 'same(32)' --ref 'abs(x)' --max-ulp 0

# An ELF with itself, with assembly on either side, and with another function of its own.
expect 0 "65536 inputs" "$program" diff tile.elf "${call[@]}"
expect 0 "65536 inputs" "$program" diff "$absolute" "${call[@]}"
expect 0 "65536 inputs" "$program" diff "${call[@]}" "$absolute"
expect 1 "bits changed" "$program" diff "${call[@]}" tile.elf --call-b 'same(32)'
expect 0 "65536 inputs" "$program" diff "$absolute" tile.elf --call-b 'absolute(32)'

# What is to run is said, once, and is there.
for what in run time check "sweep --ref x"; do
  read -ra words <<<"$what"
  expect 2 "nothing says which of its functions is to run" "$program" "${words[@]}" tile.elf
  expect 2 "an ELF file's program is one call" "$program" "${words[@]}" tile.elf --call 'absolute(1)' --call 'same(1)'
  expect 2 "did you mean absolute" "$program" "${words[@]}" tile.elf --call 'absolut(32)'
done
expect 2 "nothing says which of its functions is to run" "$program" diff tile.elf "$absolute"
head -c 700 tile.elf >cut.elf
expect 2 "the ELF file cannot be used" "$program" run cut.elf --call 'absolute(32)'

# lanewise elf: an address from before a loop is followed into it, and two that disagree are not.
expect 0 "pushes a computed word" "$program" elf paths.elf --function before_loop
if "$program" elf paths.elf --function paths_disagree | grep -q "pushes a computed word\|SFPNOP"; then
  complain "a store that may go elsewhere counts as a push"
fi
expect 0 "in push_twice, inlined at inlined.c:" "$program" elf inlined.elf --function nested
expect 0 "loop at block" "$program" elf flow.elf --cfg text
expect 1 "unwritten-lreg" "$program" elf flow.elf --paths
expect 1 "loop at block" "$program" elf flow.elf --cfg text --paths
expect 1 '"kind": "unwritten-lreg"' "$program" elf flow.elf --cfg text --paths --json
expect 0 "would no longer stay behind" "$program" elf watch.elf --ordering --function watch
expect 0 "a fence does nothing" "$program" elf watch.elf --ordering --arch wh
expect 0 '"polled_by"' "$program" elf watch.elf --ordering --json

# Three cores on a tile: each program has its own place in L1.
for core in 0 1 2; do
  at=$(printf '0x%x' $((0x6000 + 0x4000 * core)))
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -g -O2 -DCORE=$core -Wl,-Ttext=$at,-e,$at "$source/tests/elf/programs/three_cores.c" -o core$core.elf
done
printf '\x29\0\0\0' >in.bin
cores=(elf core0.elf --tile --math core1.elf --pack core2.elf --in 0x20000=in.bin --out 0x20004:4=out.bin)
for order in round-robin random adversarial; do
  expect 0 "T2: " "$program" "${cores[@]}" --order $order --seed 7
  [ "$(od -An -tu4 out.bin | tr -d ' ')" = 42 ] || complain "three cores: 41 + 1 is $(od -An -tu4 out.bin)"
done
# Mailboxes keep the three cores in order, whoever is ahead (docs/races.md).
expect 0 "orders of the threads end the same" "$program" "${cores[@]}" --races --schedules 200
expect 0 '"mends": []' "$program" "${cores[@]}" --races --schedules 200 --json
"$program" "${cores[@]}" --races --schedules 200 --json >races.json
python3 -c 'import json; races = json.load(open("races.json")); assert races["differences"] == [] and "race" not in races' ||
  complain "the JSON of races is another one: $(cat races.json)"
for part in 1 2; do "$program" "${cores[@]}" --races --schedules 200 --json --part $part/2 --part-file p$part >/dev/null; done
"$program" merge p1 p2 | cmp -s - races.json || complain "the parts of a search do not give what one search does"
# A race of two cores on their clock: the reader comes 40 instructions behind the writer.
cat >late.c <<'END'
#define WORD(a) (*(volatile unsigned*)(a))
void _start(void) {
  if (CORE == 0) WORD(0x30000) = 7;
  if (CORE == 1) {
    __asm__ volatile(".rept 40\nnop\n.endr");
    WORD(0x30004) = WORD(0x30000);
  }
  for (;;) {}
}
END
for core in 0 1; do
  at=$(printf '0x%x' $((0x6000 + 0x4000 * core)))
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -g -O2 -DCORE=$core -Wl,-Ttext=$at,-e,$at late.c -o late$core.elf
done
for chip in bh wh; do
  "$program" elf late0.elf --tile --math late1.elf --arch $chip --races --json >late.json || true
  python3 - <<'END' || complain "$chip: the cycles of the two cores are others: $(cat late.json)"
import json
found = json.load(open("late.json"))
(run,) = found["in_time"]
assert found["race"]["first"]["thread"] != found["race"]["second"]["thread"]
writer = "first" if found["race"]["first"]["writes"] else "second"
reader = "second" if writer == "first" else "first"
assert 40 <= run[reader] - run[writer] < 80
END
done
expect 2 "give --races, too" "$program" "${cores[@]}" --part 1/2
expect 2 "give --time or --races" "$program" "${cores[@]}" --json
# In time, the three come to the same: each has code of its own, and waits for a mailbox.
for chip in bh wh; do
  rm -f out.bin
  expect 0 "waits for the tile" "$program" "${cores[@]}" --arch $chip --time
  [ "$(od -An -tu4 out.bin | tr -d ' ')" = 42 ] || complain "three cores in time on $chip: 41 + 1 is $(od -An -tu4 out.bin)"
  "$program" "${cores[@]}" --arch $chip --time --json >time.json
  python3 - time.json <<'END' || complain "three cores in time on $chip: $(cat time.json)"
import json, sys
time = json.load(open(sys.argv[1]))
cores = [thread["core"] for thread in time["threads"]]
assert all(core["own"] > 0 for core in cores) and cores[2]["waited"] > 0
assert time["cycles"] > max(core["own"] for core in cores)
functions = [[each for each in time["functions"] if each["thread"] == core] for core in range(3)]
for core, own in enumerate(functions):
    assert own and all(each["name"] and each["instructions"] > 0 for each in own), own
    assert abs(sum(each["cycles"] for each in own) - cores[core]["own"] - cores[core]["waited"]) <= 40, (own, cores[core])
assert time["per_tile"]["tiles"] == 1 and time["per_tile"]["cycles"] == time["cycles"]
END
done
expect 2 "give --time" "$program" "${cores[@]}" --perfetto trace.json
expect 2 "leave --order out" "$program" "${cores[@]}" --time --order random
expect 2 "leave --order out" "$program" "${cores[@]}" --races --order random
expect 1 "T2 waits for a message of T1" "$program" elf core0.elf --tile --pack core2.elf
expect 2 "give --tile" "$program" elf core0.elf --math core1.elf
expect 2 "give --tile" "$program" elf core0.elf --perfetto trace.json
expect 2 "give --tile" "$program" elf core0.elf --timeline 5
expect 2 "belong to core0.elf" "$program" elf core0.elf --tile --math core0.elf
expect 2 "write --in ADDRESS=FILE" "$program" elf core0.elf --tile --in in.bin
expect 2 "beyond the end of L1" "$program" elf core0.elf --tile --in 0x17FFFF=in.bin
expect 2 "no function 'nothing'" "$program" elf core0.elf --tile --entry 'nothing()'
