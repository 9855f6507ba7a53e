#!/usr/bin/env bash
# check_accuracy_page.sh PROGRAM SOURCE: the page of 'lanewise accuracy' in headless Chromium: its rows can be sorted and searched,
# it fits into wide and narrow windows, and it refers to nothing outside.
program=$1 source=$2
source "$(dirname "$0")/page.sh"
accuracy=("$program" accuracy --examples "$source/examples")

"${accuracy[@]}" --kernel exp.tt --kernel abs.tt --kernel exp_approximate.cpp --html page.html --out table.md
stands_alone page.html
if python3 --version >/dev/null 2>&1; then
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' page.html || complain "not well-formed XML"
fi
expect 0 "| exp.tt " cat table.md
shows page.html 'Accuracy of kernels' '6 of 6 rows' 'exp_approximate.cpp' 'class="error"'

# The record names the words of each program as other pages do.
"$program" sweep "$source/examples/exp.tt" --ref 'exp(x)' --html sweep.html >/dev/null
digest=$(grep -oE 'words <code>[0-9a-f]{16}' sweep.html | head -1)
grep -qF -- "<dt>exp.tt</dt><dd>Blackhole A0, ${digest:-none}" page.html || complain "exp.tt has other words than in its sweep"

# Clicks and words, as a reader has them: abs.tt is exact, exp_approximate.cpp is the worst.
cat >measure.js <<'END_OF_SCRIPT'
const wrong = [];
const heading = (text) => [...document.querySelectorAll(".results th")].find((each) => each.textContent === text);
const shown = () => [...document.querySelectorAll(".results tbody tr")].filter((row) => !row.hidden);
const kernels = () => shown().map((row) => row.cells[0].textContent + " " + row.cells[3].textContent).join(", ");
const is = (what, wanted) => { if (kernels() !== wanted) wrong.push(what + ": " + kernels()); };
heading("largest").firstChild.click();
is("ascending", "abs.tt bh, abs.tt wh, exp.tt bh, exp.tt wh, exp_approximate.cpp bh, exp_approximate.cpp wh");
heading("largest").firstChild.click();
is("descending", "exp_approximate.cpp bh, exp_approximate.cpp wh, exp.tt bh, exp.tt wh, abs.tt bh, abs.tt wh");
if (heading("largest").getAttribute("aria-sort") !== "descending") wrong.push("no mark of the order");
heading("kernel").firstChild.click();
is("by name", "abs.tt bh, abs.tt wh, exp_approximate.cpp bh, exp_approximate.cpp wh, exp.tt bh, exp.tt wh");
const field = document.getElementById("search");
field.value = "EXP wh";
field.dispatchEvent(new Event("input"));
is("searched", "exp_approximate.cpp wh, exp.tt wh");
if (document.getElementById("shown").textContent !== "2 of 6 rows") wrong.push("not counted");
if (document.documentElement.scrollWidth > window.innerWidth) wrong.push("the page is wider than its window");
document.title = wrong.length === 0 ? "layout holds" : "wrong: " + wrong.slice(0, 5).join("; ");
END_OF_SCRIPT
measure page.html 1400
measure page.html 700

has_two_schemes page.html

# Bad input: one message, status 2, no file.
expect 2 "report-index has no figures for a page" "${accuracy[@]}" --format report-index --html other.html
expect 2 "nowhere" "${accuracy[@]}" --kernel abs.tt --html nowhere/page.html
if [ -e other.html ]; then complain "a page in spite of bad input"; fi
