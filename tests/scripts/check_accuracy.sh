#!/usr/bin/env bash
# check_accuracy.sh PROGRAM SOURCE: 'lanewise accuracy' on a few examples, as docs/cli.md states it.
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
accuracy=("$program" accuracy --examples "$source/examples")

# The magnitude is exact, so all of the results are 0 ULP off. The polynomial of softplus is not.
expect 0 "| abs.tt | \`abs(x)\` | all    | bh   | 100 | 0 | 0 |" "${accuracy[@]}" --kernel abs.tt
also "| wh "
expect 0 "Made by \`./lanewise accuracy --arch wh --kernel softplus.tt\`" "${accuracy[@]}" --kernel softplus.tt --arch wh
expect 0 '"lanewise-accuracy"' "${accuracy[@]}" --kernel abs.tt --json
expect 0 "exp_accurate" "$program" accuracy --list

# A file has what the terminal would have had, and comes out the same each time.
expect 0 "" "${accuracy[@]}" --kernel exp.tt --out one.md
expect 0 "" "${accuracy[@]}" --kernel exp.tt --out other.md
cmp one.md other.md || complain "another table the second time"
expect 0 "| exp.tt " cat one.md

# The page in docs/ is of the examples as they are now. (Columns there are as wide as the kernels of tt-llk need.)
narrowed() { grep '^| [a-z_]*\.' "$1" | tr -s ' '; }
"${accuracy[@]}" --out examples.md
narrowed examples.md >now.txt
narrowed "$source/docs/accuracy-table.md" >then.txt
if [ ! -s now.txt ] || ! diff then.txt now.txt; then
  complain "docs/accuracy-table.md is of other examples; './lanewise accuracy --llk DIR --out docs/accuracy-table.md' makes it again"
fi

# Bad input: one message, status 2, no file.
expect 2 "no kernel 'nonsense'" "${accuracy[@]}" --kernel nonsense
expect 2 "no chip 'qs'" "${accuracy[@]}" --arch qs
expect 2 "does not know Grayskull" "${accuracy[@]}" --arch gs
expect 2 "no checkout is named" "${accuracy[@]}" --kernel gelu --out none.md
expect 2 "no such folder" "${accuracy[@]}" --llk missing
expect 2 "abs.tt" "$program" accuracy --examples missing --kernel abs.tt --out none.md
[ ! -e none.md ] || complain "a file in spite of an error"
