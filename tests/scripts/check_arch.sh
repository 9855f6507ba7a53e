#!/usr/bin/env bash
# check_arch.sh SOURCE: apart from the records of chip/isa/, no code asks which chip it is; it asks for a parameter of the chip's record. Nor
# does it name a chip, so that one more chip is one more record: only the files below do, which hold what is known of one chip alone.
# Headers of kernels have what they ask for from the record as macros (LANEWISE_L1_BYTES and others).
set -euo pipefail
cd "$1"

may_name=(
  src/chip/isa/arch.h                  # the records
  src/chip/isa/clock_record.h
  src/chip/semantics/fma.cpp           # the multiply-add of each chip
  src/chip/semantics/narrow_lanes.h    # lanes of 19 bits, which one chip has
  src/chip/timing/harness.cpp          # measurements, each on one chip
  src/report/accuracy/budget_file.cpp  # where the vendor's rows were measured
  src/study/corpus/llk/arithmetic.cpp  # the vendor's kernels, some for one chip
  src/study/corpus/llk/choices.cpp
  src/study/corpus/llk/integers.cpp
  src/study/corpus/llk/logarithms.cpp
  src/study/corpus/llk/reciprocals.cpp
  src/study/silicon/cost_table.h       # the chip of the measured tables
  src/study/traffic/cards.h            # the measured cards
)

# Where the command's -DARCH_... is read; what only one chip has is in a file of its own (names/).
may_fork=(src/source/sfpi/include/sfpi_chip.h)

chip='(lanewise::)?(Arch::)?(Blackhole|Wormhole|Grayskull)'
record='&?k(Blackhole|Wormhole|Grayskull)\b'
asks="[=!]= *$chip\b|\bArch::(Blackhole|Wormhole|Grayskull) *[=!]=|\bcase +$chip *:|[=!]= *\"(bh|wh|gs)\"|[=!]= *$record"
forks='# *(el)?ifn?(def)?\b.*\bARCH_(BLACKHOLE|WORMHOLE|GRAYSKULL)'
names="\bArch::(Blackhole|Wormhole|Grayskull)\b|\bk(Blackhole|Wormhole|Grayskull)\b|\"(bh|wh|gs)\""

# code FOLDER PATTERN: lines with it that are no comments, as FILE:NUMBER:TEXT.
code() {
  grep -rnE --include='*.h' --include='*.cpp' --include='*.def' --exclude-dir=build --exclude-dir=tests "$2" "$1" |
    grep -vE '^[^:]*:[0-9]*: *//' | grep -vE '^[^:]*:[0-9]*:[^"]*//[/<]* *"[a-z]*"' || true
}
# not_in FILE...: lines of other files.
not_in() {
  local lines file
  lines=$(cat)
  for file in "$@"; do lines=$(grep -v "^$file:" <<<"$lines" || true); done
  [ -z "$lines" ] || printf '%s\n' "$lines"
}
# complaints: what is wrong in the tree that is the current folder. The tests compare what differs between the chips, bench and fuzz
# choose one, and kernels are compiled for one.
complaints() {
  local roots=() root
  for root in src bench fuzz examples; do [ ! -d "$root" ] || roots+=("$root"); done
  for root in "${roots[@]}"; do code "$root" "$asks"; done | grep -v '^src/source/sfpi/include/' |
    not_in src/chip/isa/arch.h src/chip/isa/clock_record.h
  code src "$names" | grep -v '^src/source/sfpi/include/' | not_in "${may_name[@]}"
  code src "$forks" | not_in "${may_fork[@]}"
}

if found=$(complaints) && [ -n "$found" ]; then
  printf '%s\nask for a parameter of ArchParams (src/chip/isa/chip_record.h) instead\n' "$found"
  exit 1
fi
for file in "${may_name[@]}"; do
  [ -n "$(code "$file" "$names")" ] || { echo "$file names no chip; it need not be in the list of $0"; exit 1; }
done
for file in "${may_fork[@]}"; do
  [ -n "$(code "$file" "$forks")" ] || { echo "$file does not ask for the chip; it need not be in the list of $0"; exit 1; }
done

# What the check has to see, in a tree of its own.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/cli" "$work/src/chip/timing" "$work/src/source/sfpi/include" "$work/bench"
while IFS='|' read -r file line; do
  rm -f "$work"/src/cli/*.cpp "$work"/src/chip/timing/*.cpp "$work"/src/source/sfpi/include/*.h "$work"/bench/*.cpp
  printf '%s\n' "$line" >"$work/$file"
  [ -n "$(cd "$work" && complaints)" ] || { echo "check_arch.sh does not see in $file: $line"; exit 1; }
done <<'PLANTED'
src/cli/a.cpp|  if (arch == Arch::Wormhole) return;
src/cli/a.cpp|  if (lanewise::Arch::Blackhole != arch) return;
src/cli/a.cpp|    case Arch::Grayskull: break;
src/cli/a.cpp|  if (name == "wh") return;
src/cli/a.cpp|  Arch arch = Arch::Blackhole;
src/cli/a.cpp|  std::vector<std::string> archs{"bh", "wh"};
src/cli/a.cpp|static_assert(kWormhole.front_end.replay_slots == 32);
src/cli/a.cpp|  return kArch<Arch::Grayskull>.vector.lanes;
src/chip/timing/harness.cpp|  if (&chip == &kBlackhole) return;
src/source/sfpi/include/a.h|#if defined(ARCH_WORMHOLE)
src/source/sfpi/include/a.h|#ifndef ARCH_BLACKHOLE
bench/a.cpp|  if (arch == Arch::Wormhole) return;
PLANTED
