#!/usr/bin/env bash
# check_fp16c.sh PROGRAM: what 'lanewise fp16c' takes, prints and refuses, as docs/numbers.md states it.
program=$1
source "$(dirname "$0")/expect.sh"
fp16c=("$program" fp16c)

# Numbers, also those that look like options.
expect 0 "fp16a  0x3E00      15872" "${fp16c[@]}" 1.5
expect 0 "fp16a  0xBE00      48640" "${fp16c[@]}" -1.5
expect 0 "fp16a  0xB800      47104" "${fp16c[@]}" -.5
expect 0 "fp32   0xFF800000" "${fp16c[@]}" -inf
expect 0 "fp32   0xFFC00000" "${fp16c[@]}" -nan
expect 0 "fp32   0x7F800000" "${fp16c[@]}" INF
expect 0 "fp16a  0xBE00      48640" "${fp16c[@]}" -- -1.5
expect 0 "SFPLOADI L0, FLOATB, 0x3DCD  TTI_SFPLOADI(0, 0, 15821);" "${fp16c[@]}" 0.1
expect 0 "fp8    0xBAD" "${fp16c[@]}" 2.0

# Patterns: of an fp32, of 16 bits in three ways, of a format that is named, of Dst.
expect 0 "0x3FC00000 as fp32: 1.5" "${fp16c[@]}" 0x3FC00000
expect 0 "fp16a  1.000000000000" "${fp16c[@]}" 0x3C00
expect 0 "fp16b  0.007812500000" "${fp16c[@]}" 15360
expect 0 "0x3C00 as fp16a: 1, fp32 3F800000" "${fp16c[@]}" 0x3C00 --from fp16a
expect 0 "0x3FC0 as fp16b: 1.5" "${fp16c[@]}" --from fp16b 0x3FC0
expect 0 "0xFF as fp8: 0," "${fp16c[@]}" 0xFF --from fp8
expect 0 "0x7FC00001 as fp32: nan, fp32 7FC00001" "${fp16c[@]}" 0x7FC00001 --from fp32
expect 0 "0x407F in Dst as bf16 (0 1000000 01111111): 1.5" "${fp16c[@]}" 0x407F --dst bf16
expect 0 "0x8002 in Dst as int16 (1 000000000000010): -2" "${fp16c[@]}" 0x8002 --dst int16

# As JSON.
expect 0 '"lanewise-fp16c"' "${fp16c[@]}" -inf --json
expect 0 '"number": "-inf"' "${fp16c[@]}" --json -inf

# Anything else: one message, status 2.
expect 2 "'abc' is neither a number nor a pattern" "${fp16c[@]}" abc
expect 2 "there is no option '--abc'" "${fp16c[@]}" --abc
expect 2 "no number is given" "${fp16c[@]}"
expect 2 "one number is wanted, not '1.5' and '2.5'" "${fp16c[@]}" 1.5 2.5
expect 2 "write -5.0 for the number" "${fp16c[@]}" -5
expect 2 "write 70000.0 for the number" "${fp16c[@]}" 70000
expect 2 "has more than 32 bits" "${fp16c[@]}" 0x123456789
expect 2 "has more than 8 bits" "${fp16c[@]}" 0x100 --from fp8
expect 2 "is no pattern of bits" "${fp16c[@]}" 1.5 --from bf16
expect 2 "'fp64' is no format of patterns" "${fp16c[@]}" 0 --from fp64
expect 2 "'tf32' is not a format" "${fp16c[@]}" 0 --dst tf32
expect 2 "excludes" "${fp16c[@]}" 0 --dst bf16 --from bf16
