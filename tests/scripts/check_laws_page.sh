#!/usr/bin/env bash
# check_laws_page.sh PROGRAM SOURCE: the table of published laws in docs/timing.md is what clock_laws.py prints, by day for some laws, at
# night for all, where LANEWISE_METAL names a checkout of tt-metal. Without one it has each law of tests/silicon/laws.csv, with an error
# that follows from its figure and is within what the row allows; and silicon's figures are those of the sources.
program=$1 source=$2
scripts=$(cd "$(dirname "$0")" && pwd)
source "$scripts/expect.sh"
page=$source/docs/timing.md

laws() { python3 "$scripts/clock_laws.py" "$@" >out 2>err || complain "published laws: $(cat out err)"; }

python3 "$scripts/check_laws.py" "$source" >out 2>&1 || complain "silicon's figures: $(cat out)"
laws --page "$page"
# A page with another figure, without a row, or with another source is found.
python3 - "$scripts" "$page" "$source/tests/silicon/laws.csv" <<'END' || complain "a wrong page of laws is taken"
import csv, pathlib, sys
scripts, page, laws = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
from clock_laws import hold_page
rows, text = list(csv.DictReader(open(laws, newline=""))), pathlib.Path(page).read_text()
law = next(line for line in text.splitlines() if line.startswith("| `pack_1x4` |"))
silicon, figure, error = law.split(" | ")[2:5]
wrong = {
    "a figure that its error does not follow": (law, law.replace(f"| {figure} |", f"| {float(figure) + 0.1:.2f} |")),
    "a figure and its error that are too far": (law, law.replace(f"| {figure} | {error}", f"| {float(silicon) * 1.034:.2f} | +3.4 %")),
    "a bound that is said to be met": ("| over |", "| met |"),
    "no figure": (law, law.replace(f"| {figure} |", "| |")),
    "a law less": (next(line for line in text.splitlines(True) if "`wh_exp2`" in line), ""),
    "another figure of silicon": ("| 860.1 |", "| 860.2 |"),
    "another source": ("tt-metal 51898: 41", "tt-metal 51899: 41"),
}
for what, (old, new) in wrong.items():
    assert old in text, old
    pathlib.Path("other.md").write_text(text.replace(old, new, 1))
    assert hold_page("other.md", rows), what
END

[ -n "${LANEWISE_METAL-}" ] || exit 0
some=(--only pack_1x4 --only pack_adds_1x4 --only pack_untilize_ct2 --only wh_trunc)
is_night && some=()
laws "$program" "$LANEWISE_METAL" --check --page "$page" "${some[@]}"
# As it is printed: some line of another page is missing.
sed -E '/^\| `pack_1x4`/s/([0-9]+\.[0-9]+) \| ([-+])/\10 | \2/' "$page" >other.md
python3 "$scripts/clock_laws.py" "$program" "$LANEWISE_METAL" --page other.md --only pack_1x4 >out 2>&1 && complain "another figure than the printed one is taken"
exit 0
