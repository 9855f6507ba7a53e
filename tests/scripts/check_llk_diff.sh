#!/usr/bin/env bash
# check_llk_diff.sh PROGRAM SOURCE: 'lanewise llk-diff' with a tree of our own: a test in C++ and its variants in Python
# (docs/llk-diff.md). What it prints in each form is read back by other programs; the page is looked at in headless Chromium.
program=$1 source=$2
source "$(dirname "$0")/page.sh"

# The address sanitizer keeps its own memory where a core has registers.
if "$program" llk-test "$source/tests/section/kernels/double_test.cpp" --param TILES=1 --param IN=0x21000 --param OUT=0x41000 2>&1 |
  grep -q "are taken in this process"; then
  echo "skipped: the addresses of registers are taken in this process"
  exit 77
fi
export LANEWISE_CACHE=${LANEWISE_TEST_CACHE:-$work/cache} PYTHONPATH=$source/src/python
python=
for each in python3 /usr/bin/python3; do
  "$each" -c 'import pytest, numpy' 2>/dev/null && python=$each && break
done
[ -n "$python" ] || { echo "skipped: no Python has pytest and numpy"; exit 77; }
export PYTHON=$python

"$(dirname "$0")/llk_tree.sh" "$source" before
diff=("$program" llk-diff)
# By day most runs look at one chip: a run of both starts Python, g++ and the cores twice as often, and takes the same way.
few=(--arch bh) chips=1
# Where one case shows what there is to see, there is one.
one=(--arch bh --variants 1)
if is_night; then few=() one=(--arch bh) chips=2; fi
copy() { rm -rf "$1"; cp -r before "$1"; }
change() { sed -i "$2" "$1"/tt_llk_*/llk_lib/our_offset.h; }

# What cannot be is told.
expect 2 "there is nothing to compare with" "${diff[@]}" before
expect 2 "is no tree" "${diff[@]}" before nowhere
expect 2 "this is no checkout" "${diff[@]}" before .
expect 2 "two forms" "${diff[@]}" before before --json --markdown
expect 2 "needs a file" "${diff[@]}" before --write-baseline
expect 2 "nowhere" "${diff[@]}" before before --html nowhere/page.html

# Nothing moved, and it says what ran: not for a comment, and not for a macro that nobody uses.
copy same
expect 0 "0 files differ" "${diff[@]}" before same
change same 's|#pragma once|// a comment\n\n&|'
expect 0 "0 files differ" "${diff[@]}" before same
change same '$a #define UNUSED 1'
expect 0 "nothing moved: nothing that the change reaches was there to run" "${diff[@]}" before same "${few[@]}"
also "$((2 * chips)) cases: 0 ran in both trees, $((2 * chips)) not"
copy same
change same 's|OFFSET 0|OFFSET (1 - 1)|'
expect 0 "nothing moved: test_double.py::test_double" "${diff[@]}" before same "${few[@]}"
also "$chips of $((2 * chips)) sources of tests can be reached"

# Another number for every element: all tiles, all faces, and the other test is not run. 2 becomes 3: half of 128 ULP.
copy after
change after 's|OFFSET 0|OFFSET 1.0f|'
expect 1 "results moved: test_double.py::test_double" "${diff[@]}" before after "${few[@]}"
also "row 0, column 0: 2 becomes 3"
"${diff[@]}" before after --html page.html --json >out.json 2>err || true
"$python" - <<'END' || complain "the JSON is not as it should be"
import json
report = json.load(open("out.json"))
assert report["moved"] is True and report["chips"] == ["bh", "wh"], report
cases = report["cases"]
assert len(cases) == 4 and {case["group"] for case in cases} == {"test_double.py::test_double"}, cases
for case in cases:
    tiles = int(case["parameters"]["tiles"])
    results = case["results"]
    assert results["changed"] == results["elements"] == 1024 * tiles, case
    assert results["where"] == "all faces" and results["faces"] == [256 * tiles] * 4, case
    assert results["largest_ulp"] == 64 and results["largest_absolute"] == 1.0, case
    assert case["instructions_after"][1] > 0 and len(case["state"]) == 0, case
END
"${diff[@]}" before after --markdown "${few[@]}" --summary summary.md >out.md 2>err || true
cmp -s out.md summary.md || complain "--summary is not what --markdown prints"
"$python" - $chips <<'END' || complain "the Markdown is not as it should be"
import sys
tables, rows = [], []
for line in open("out.md").read().splitlines() + [""]:
    if line.startswith("|"):
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    elif rows:
        tables.append(rows)
        rows = []
moved = next(table for table in tables if table[0][0].strip("| ").startswith("test, operation"))
assert len(moved) == 2 + int(sys.argv[1]), moved  # headings, rule, a row for each chip
for row in moved[2:]:
    assert row[0].strip("| ") == "test_double.py::test_double" and row[2] == "2" and row[3] == "2", row
END
# In two parts (docs/parts.md): what both have is what one run prints.
for part in 2 1; do
  "${diff[@]}" before after --markdown "${few[@]}" --part $part/2 --part-file part.$part >part.txt 2>&1 || complain "part $part: $(cat part.txt)"
  grep -q "part $part of 2: $chips of $chips cases" part.txt || complain "part $part says $(cat part.txt)"
done
got=0
"$program" merge part.1 part.2 >merged.md 2>merged.err || got=$?
cmp -s merged.md out.md && [ $got = 1 ] || complain "the parts do not give what one run does: status $got, $(cat merged.err)"
expect 2 "this is of another comparison: cases is" "$program" merge part.1 part.2 --add=--variants=1
expect 2 "a baseline is written in one piece" "${diff[@]}" before --baseline sides --part 1/2
expect 1 "1 case: 1 ran in both trees" "${diff[@]}" before after --variants 1 --tests double --arch bh --only tests --markdown
if is_night; then expect 0 "nothing moved" "${diff[@]}" before after --tests plain "${one[@]}"; fi
expect 0 "nothing moved" "${diff[@]}" before after --only programs

# A tree that cannot be compiled is named with what g++ says, and the other one still runs.
copy broken
change broken 's|OFFSET 0|OFFSET missing_name|'
expect 1 "missing_name" "${diff[@]}" before broken --arch wh --variants 1 --tests double
also "1 case"

# State that is left behind.
copy state
sed -i 's|TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, 8);|&\n  TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + OFFSET, 8 + OFFSET);|' \
  state/tests/sources/double_test.cpp
expect 1 "no result moved, but other things did" "${diff[@]}" before state "${one[@]}"
cp -r state changed_state
sed -i 's|for (std::uint32_t tile = 0; tile < params.TILES; ++tile) {|&|; $a // end' changed_state/tests/sources/double_test.cpp
expect 0 "0 files differ" "${diff[@]}" state changed_state

# A baseline in the place of the first tree.
expect 0 "kept.baseline: " "${diff[@]}" before --baseline kept.baseline --only tests "${few[@]}"
expect 0 "nothing moved" "${diff[@]}" same --baseline kept.baseline "${few[@]}"
expect 1 "results moved: test_double.py::test_double" "${diff[@]}" after --baseline kept.baseline "${few[@]}"
expect 2 "name the other tree only" "${diff[@]}" before after --baseline kept.baseline
head -c 5000 kept.baseline >cut.baseline
expect 2 "cut off" "${diff[@]}" after --baseline cut.baseline
echo nonsense >none.baseline
expect 2 "no baseline" "${diff[@]}" after --baseline none.baseline
expect 0 "none.baseline: " "${diff[@]}" before --baseline none.baseline --write-baseline --only tests --tests plain "${one[@]}"

# Commits of a repository, and a bare one.
git init -q repository && cp -r before/. repository
commit() { git -C repository add -A && git -C repository -c user.name=n -c user.email=e commit -qm "$1"; }
commit first && cp -r after/. repository && commit second
if is_night; then expect 1 "results moved" "${diff[@]}" repository@HEAD~1 repository@HEAD; fi
git clone -q --bare repository bare.git
if is_night; then expect 0 "nothing moved" "${diff[@]}" bare.git@HEAD~1 before "${one[@]}"; fi
cd repository
expect 1 "results moved" "${diff[@]}" HEAD~1 HEAD "${one[@]}"
cd ..
expect 2 "no commit" "${diff[@]}" repository@no_such_commit before

# Without tests there is no answer, unless something moved among operations and kernels.
expect 2 "no Python has what tests of LLK need" env PYTHON=false "${diff[@]}" before after
expect 0 "nothing moved" env PYTHON=false "${diff[@]}" before after --only programs

# Ctrl-C keeps what is there, and says what was not run.
"${diff[@]}" before after --jobs 1 "${few[@]}" >out.txt 2>err.txt &
running=$!
for _ in $(seq 200); do
  sleep 0.05
  kill -0 $running 2>/dev/null || break
  [ -n "$(pgrep -P $running)" ] && sleep 3 && kill -INT $running 2>/dev/null && break
done
wait $running || true
grep -q "moved" out.txt || complain "no report after Ctrl-C: $(cat out.txt err.txt)"
expect 1 "stopped before the end" "${diff[@]}" before after --minutes 0.00001 "${few[@]}"

# The page.
stands_alone page.html
"$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' page.html || complain "not well-formed XML"
shows page.html 'results moved: test_double.py::test_double' 'What moved' 'Results' 'all faces' 'cases with other results'
has_two_schemes page.html
cat >measure.js <<'END'
document.title = document.documentElement.scrollWidth > window.innerWidth ? "wrong: wider than its window" : "layout holds";
END
measure page.html 1400
measure page.html 700

# A test that calls the device twice: its second run begins with what the first has left, and doubles that again. Where the first is
# the same in both trees, the second one alone has moved.
mkdir twice && cp -r before/. twice
for name in first second; do
  sed "s|our_offset.h|our_$name.h|" twice/tests/sources/double_test.cpp >twice/tests/sources/${name}_test.cpp
  for chip in blackhole wormhole_b0; do printf '#pragma once\n#define OFFSET 0\n' >twice/tt_llk_$chip/llk_lib/our_$name.h; done
done
cat >twice/tests/python_tests/test_double.py <<END
import pytest
from helpers.test_config import TestConfig
from ttexalens.tt_exalens_lib import read_from_device, write_to_device
@pytest.mark.parametrize("tiles", [1, 2])
def test_double(tiles):
    TestConfig("sources/first_test.cpp", tiles).run()
    again = TestConfig("sources/second_test.cpp", tiles)
    left = read_from_device("0,0", 0x41000, num_bytes=2048 * tiles)
    assert left == bytes((0x00, 0x40)) * 1024 * tiles, "the first run has not run"
    write_to_device("0,0", 0x21000, left)
    again.run()
END
rm -rf again && cp -r twice again
sed -i 's|OFFSET 0|OFFSET 1.0f|' again/tt_llk_*/llk_lib/our_second.h
"${diff[@]}" twice again --json "${few[@]}" >out.json 2>err || true
"$python" - $chips <<'END' || complain "of two runs, not the second one alone has moved: $(cat out.json)"
import json, sys
cases = json.load(open("out.json"))["cases"]
moved = [case for case in cases if case["verdict"] == "moved"]
assert len(moved) == 2 * int(sys.argv[1]) and all(case["id"].endswith(" run 2") and case["parameters"]["run"] == "2" for case in moved), cases
assert {case["parameters"]["tiles"] for case in moved} == {"1", "2"}, cases
assert all(case["verdict"] == "not reached" and "run" not in case["parameters"] for case in cases if case not in moved), cases
END
if is_night; then expect 0 "nothing moved" "${diff[@]}" twice again --tests plain "${one[@]}"; fi
# With other Python, too, and against a baseline.
echo "# another one" >>again/tests/python_tests/test_double.py
expect 1 "row 0, column 0: 4 becomes 5" "${diff[@]}" twice again --arch wh --variants 1
expect 0 "" "${diff[@]}" twice --baseline twice.baseline "${one[@]}"
expect 1 "row 0, column 0: 4 becomes 5" "${diff[@]}" again --baseline twice.baseline "${one[@]}"

# Trees whose tests in Python differ: variants with the same values are compared, what one tree alone has is named, and so is what
# has another name.
copy renamed
mv renamed/tests/python_tests/test_plain.py renamed/tests/python_tests/test_other_name.py
sed -i 's|\[1, 2, 3\]|[2, 3]|' renamed/tests/python_tests/test_double.py
expect 0 "test_plain.py is in before only" "${diff[@]}" before renamed --arch bh
# One of test_double, and both of test_plain.
also "3 variants of before have no counterpart in renamed, such as test_double.py::test_double[1]"
sed -i 's|OFFSET 0|OFFSET 1.0f|' renamed/tt_llk_*/llk_lib/our_offset.h
expect 1 "results moved: test_double.py::test_double" "${diff[@]}" before renamed "${one[@]}"
