#!/usr/bin/env bash
# check_tuned_page.sh PROGRAM SOURCE: the sentences and totals of docs/tuned.md follow from its tables, and pages of which that is not so are
# found. Where LANEWISE_METAL names a checkout of tt-metal, some rows, others each day, are what the program prints.
program=$1 source=$2
scripts=$(cd "$(dirname "$0")" && pwd)
source "$scripts/expect.sh"
page=$source/docs/tuned.md

python3 "$scripts/tuned_page.py" "$page" >out 2>&1 || complain "docs/tuned.md: $(cat out)"
python3 - "$scripts" "$page" <<'END' || complain "a wrong page is taken"
import pathlib, sys
scripts, page = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
import tuned_page
text = pathlib.Path(page).read_text()
row = next(line for line in text.splitlines(True) if line.startswith("| abs | bf16 | bh |"))
wrong = {
    "a row less": (row, ""),
    "another chip": (row, row.replace("| bh |", "| wh |")),
    "a program that is slower": (row, row.replace("| 32 |", "| 332 |")),
    "a row below its bound": (row, row.replace("| 1 | 32 | 1 |", "| 1 | 32 | 2 |")),
    "a bound that is not reached": (row, row.replace("| 1 | 32 | 1 |", "| 2 | 32 | 1 |")),
    "no bound": (row, row.replace("| 1 | issue", "| | issue")),
    "a kernel that is refused now": (row, row.replace("optimal", "refused: lanes")),
    "another total": ("| in the table | 230 |", "| in the table | 231 |"),
    "another sentence": ("Of 230 kernels, in their configurations, ", "Of 229 kernels, in their configurations, "),
    "another mean": ("shipped cycles of a tile: 0.", "shipped cycles of a tile: 0.1"),
    "no totals": ("<!-- begin: totals -->", ""),
    "another column": ("| kernel | tiles | chip |", "| kernel | chip | tiles |"),
}
for what, (old, new) in wrong.items():
    assert old in text and old != new, what
    try:
        tuned_page.hold(text.replace(old, new, 1))
    except tuned_page.Wrong:
        continue
    sys.exit(what)
END

[ -n "${LANEWISE_METAL-}" ] || exit 0
python3 "$scripts/tuned_page.py" "$page" --hold "$program" "$LANEWISE_METAL" >out 2>&1 || complain "docs/tuned.md: $(cat out)"
# As it is printed: a row with another figure is not.
sed '/^| abs | bf16 | bh |/s/| 129 |/| 128 |/' "$page" >other.md
python3 - "$scripts" other.md "$program" "$LANEWISE_METAL" <<'END' || complain "another figure than the printed one is taken"
import pathlib, sys
scripts, page, program, checkout = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
import tuned_page
tuned_page.PARTS = {"ops_bh": tuned_page.PARTS["ops_bh"]}
tuned_page.chosen_rows = lambda rows, day: {"abs"}
try:
    tuned_page.hold_program(pathlib.Path(page).read_text(), program, pathlib.Path(checkout))
except tuned_page.Wrong:
    sys.exit(0)
sys.exit(1)
END
exit 0
