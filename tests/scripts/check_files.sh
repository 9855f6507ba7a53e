#!/usr/bin/env bash
# check_files.sh PROGRAM SOURCE: files that have no end, no elements, or damage: one message each, status 2, and nothing lost.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"

# A device or a pipe without an end, by its name or as standard input.
ln -s /dev/zero endless.cpp
for end in "run -" "time -" "check -" "asm -" "dis --file -" "sweep - --ref x" "diff - -"; do
  read -ra arguments <<<"$end"
  expect 2 "more than 67108864 bytes" timeout 60 "$program" "${arguments[@]}" </dev/zero
done
expect 2 "more than 67108864 bytes" timeout 60 "$program" run /dev/zero
expect 2 "more than 67108864 bytes" timeout 60 "$program" run endless.cpp
mkfifo pipe
timeout 60 bash -c 'yes SFPNOP >pipe' 2>/dev/null || true &
expect 2 "more than 67108864 bytes" timeout 60 "$program" asm pipe
wait

# An array without elements is no tile.
printf 'SFPNOP\n' >nothing.tt
header="{'descr': '<f4', 'fortran_order': False, 'shape': (0, 32), }"
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf '%-117s\n' "$header"; } >empty.npy
expect 2 "empty.npy: error: the array has no elements: its shape is (0, 32)" "$program" run nothing.tt --in empty.npy
expect 2 "no elements" "$program" run "$source/examples/matmul_bh.tt" --srca empty.npy --srcb ramp
