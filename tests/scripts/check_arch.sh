#!/usr/bin/env bash
# check_arch.sh SOURCE: apart from chip/isa/arch.h, no code asks which chip it is; it asks for a parameter of the chip's record.
# Comparing two chips with each other is fine, and so is naming one: as a default, in a table, for a specialisation.
set -euo pipefail
cd "$1"
chip='(lanewise::)?(Arch::)?(Blackhole|Wormhole)'
asks="[=!]= *$chip\b|\bArch::(Blackhole|Wormhole) *[=!]=|\bcase +$chip *:|[=!]= *\"(bh|wh)\"|[=!]= *&?(kBlackhole|kWormhole)\b"
# The tests compare what differs between the chips, and kernels are compiled for one of them.
if found=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.def' --exclude-dir=build --exclude-dir=tests "$asks" . |
  grep -vE '^\./(src/chip/isa/arch\.h:|include/)'); then
  printf '%s\nask for a parameter of ArchParams (src/chip/isa/arch.h) instead\n' "$found"
  exit 1
fi
