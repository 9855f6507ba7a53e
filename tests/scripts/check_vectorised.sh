#!/usr/bin/env bash
# check_vectorised.sh LEVEL OBJECT...: representative kernels consist of vector instructions of their level.
#
# Each kernel must contain packed integer instructions on registers of the level's width, and nearly none of those that
# appear when a compiler takes a vector operation apart into lanes: scalar conversions, insertions and extractions of
# single lanes, shifts by %cl and multiplications of general registers. A few of the last two belong to addresses and
# lane masks. Exit status 77 (skipped) without objdump.
set -euo pipefail
level=$1
shift
command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }

case $level in
  baseline) packed='^p[a-z]+ .*%xmm' ;;
  v3) packed='^vp[a-z]+ .*%ymm' ;;
  v4) packed='^vp[a-z]+ .*%zmm' ;;
  *) echo "unknown level $level"; exit 2 ;;
esac

# KERNEL FEWEST: fewer packed instructions than this cannot do what the kernel does.
kernels='sfpmad 60
sfpiadd 2
sfpand 2
sfpload 20
sfpstore 20
sfpstochrnd 40
sfpcast 4
sfpswap 4'
most_scalar=8 # a kernel taken apart has 32 of a kind, or 4 in a loop for each of several operations

# One line per instruction: function, a tab, the instruction.
instructions=$(objdump -d -C --no-show-raw-insn "$@" | awk -F'\t' -v level="$level" '
  /^[0-9a-f]+ <.*>:$/ {
    name = $0
    sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name)
    sub("^[^<(]*lanewise::" level "::", "", name); sub(/[<(].*/, "", name)
  }
  NF == 2 { print name "\t" $2 }')

status=0
while read -r kernel fewest; do
  body=$(awk -F'\t' -v kernel="$kernel" '$1 == kernel { print $2 }' <<<"$instructions")
  count() { grep -cE "$1" <<<"$body" || true; }
  vectors=$(count "$packed")
  conversions=$(count '^v?(cvtsi2ss|cvttss2si|pinsr|pextr)')
  scalar=$(count '^(sh[lr]|sar|rol|ror|imul|mul)[a-z]* .*%cl|^i?mul[bwlq]? ')
  if [ "$vectors" -lt "$fewest" ] || [ "$conversions" -gt 0 ] || [ "$scalar" -gt "$most_scalar" ]; then
    echo "$level $kernel: $vectors packed instructions (at least $fewest), $conversions on single lanes (none)," \
      "$scalar scalar shifts and products (at most $most_scalar)"
    status=1
  fi
done <<<"$kernels"
exit $status
