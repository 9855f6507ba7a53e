#!/usr/bin/env bash
# hold_rows.sh PROGRAM SOURCE [OP...]: no row of the open table is further from silicon than tests/silicon/open_rows.csv has it.
# LANEWISE_METAL is the checkout of tt-metal, the table lies beside the project. Some operations, or all. Status 77: one of the
# two is not there.
program=$1 source=$2
table=$source/../shared/reference/clock/blackhole-cost-table.csv
if [ -z "${LANEWISE_METAL-}" ] || [ ! -f "$table" ]; then
  echo "no checkout (LANEWISE_METAL), or no $table"
  exit 77
fi
shift 2
source "$(dirname "$0")/expect.sh"

hold() {
  "$program" clock --against "$table" --metal "$LANEWISE_METAL" --hold "$source/tests/silicon/open_rows.csv" "$@" >out 2>err ||
    complain "clock $*: $(sed -n '/Further away/,$p' out; cat err)"
}
[ $# != 0 ] || hold
for op; do
  hold --only "$op"
done
