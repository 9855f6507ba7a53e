#!/usr/bin/env bash
# check_first.sh FIRST PROGRAM SOURCE: lanewise_first has the commands that the launcher builds it for, and they do what
# they do in the whole program.
first=$1 program=$2 source=$3
source "$(dirname "$0")/expect.sh"

offered=$("$first" --help | sed -n '/^Subcommands:/,/^$/p' | awk 'NR > 1 && NF { print $1 }' | sort | paste -sd ' ')
launched=$(sed -n 's/^ *\(run |.*\))$/\1/p' "$source/lanewise" | tr -s '| ' '\n' | sort | paste -sd ' ')
[ -n "$offered" ] && [ "$offered" = "$launched" ] ||
  complain "lanewise_first has '$offered', and the launcher builds it for '$launched'"

# same ARGUMENTS...: status and output of both programs.
same() {
  local status=0 whole=0
  "$first" "$@" >first.out 2>first.err || status=$?
  "$program" "$@" >whole.out 2>whole.err || whole=$?
  [ "$status" = "$whole" ] && cmp -s first.out whole.out && cmp -s first.err whole.err || complain "not the same: $*"
}
same run "$source/examples/softplus.tt" --in ramp
same run "$source/examples/gelu.cpp" --in ramp --arch bh,wh --json
printf "SFPMUL L0, L1, L9, L2\nSFPSTORE L2, 0, 3, 0\nSFPNONSENSE\n" >wrong.tt
same run wrong.tt --in ramp
same tile "$source/examples/tile/datacopy_bh.tt"
same asm "$source/examples/macros.tt"
same dis 7d000011 84000000
same explain SFPLOADMACRO
same explain SFPNONSENSE
same isa --json
