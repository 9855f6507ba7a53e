#!/usr/bin/env bash
# compare_digests.sh FIRST SECOND: random programs leave the same bits at every SIMD level and with both compilers.
set -euo pipefail
first=$("$1") second=$("$2")
printf '%s\n' "$first"
if [ "$first" != "$second" ]; then
  printf 'the other compiler gives\n%s\n' "$second"
  exit 1
fi
[ "$(printf '%s\n' "$first" | awk '{print $NF}' | sort -u | wc -l)" = 1 ]
