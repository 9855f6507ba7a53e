#!/usr/bin/env bash
# check_ci.sh PROGRAM SOURCE: reports for the engines that run checks, read back and held against --json: SARIF, annotations of GitHub,
# JUnit, summaries in Markdown (docs/ci.md).
program=$1 source=$2
source "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

# A hazard, a warning and a fault, in files whose names have to be written otherwise in each form; one program that is well; two files that
# are no programs, of which neither keeps the others from being checked.
mkdir 'a, b' && printf 'SFPLOAD  L0, FP32, ADDR_MOD_3, 0\nSFPMAD   L0, L0, L9, L2, 0\nSFPSTORE L2, FP32, ADDR_MOD_3, 0\nSFPABS   L0, L5, 1\n' >'a, b/e:100%<&>.tt'
printf 'SFPLOAD L0, 0, 3, 0\nSFPABS L0, L0, FLOAT\nSFPSTORE L0, 0, 3, 0\n' >good.tt
printf 'SFPPOPC 0\n' >'pipe|`x`.tt'
printf 'SFPLOADI L0, 0, 1\nSFPCONFIG 0, 15, 0\nSFPSTORE L0, 0, 3, 0\n' >warned.tt
printf 'SFPLOAD L0, 0, 3, 0\nSFPABSS L0, L0, 1\n' >unknown.tt
targets=('a, b/e:100%<&>.tt' 'pipe|`x`.tt' warned.tt good.tt unknown.tt nothing.tt)
say() { "$program" check "${targets[@]}" --arch bh,wh "$@"; }
for form in json sarif github junit; do
  status=0
  say --format $form >report.$form 2>err.$form || status=$?
  [ $status = 2 ] || complain "check --format $form with files that are no programs: status $status"
  [ "$(grep -c '^[a-z]*\.tt:.*error: ' err.$form)" = 2 ] || complain "--format $form does not tell of both files: $(cat err.$form)"
done
cmp -s report.json <(say --json 2>/dev/null) || complain "--format json is not --json"
rm -f page.md
say --format sarif --out out.sarif --summary page.md >text.txt 2>/dev/null || true
cmp -s out.sarif report.sarif || complain "--out gets another report"
cmp -s text.txt <(say 2>/dev/null) || complain "with --out, the text on standard output is not the report's"
say --summary page.md >/dev/null 2>&1 || true
expect 0 "nothing found" "$program" check good.tt --format text --summary page.md
expect 0 "" "$program" check good.tt --format github
[ -z "$expected_output" ] || complain "annotations of a program that is well: $expected_output"
expect 1 "" "$program" check "${targets[0]}" --arch wh --format junit
expect 1 "" "$program" check "${targets[0]}" --arch wh --format sarif
expect 0 '"level": "warning"' "$program" check warned.tt --format sarif
expect 0 "fp32" bash -c "'$program' check good.tt --format fp32 --format text && echo fp32"
expect 2 "--format names sarif and junit; name one form of the report" "$program" check good.tt --format sarif --format junit
expect 2 "--format names json and sarif" "$program" check good.tt --format sarif --json
expect 2 "--format names fp32 and bf16" "$program" check good.tt --format fp32 --format bf16
expect 2 "'nope' is not a format" "$program" check good.tt --format nope
expect 2 "cannot be written" "$program" check good.tt --format sarif --out nowhere/a.sarif
expect 2 "cannot be written" "$program" check good.tt --summary nowhere/a.md

cat >read.py <<'END'
"""Reads the reports back, and holds each against the one in JSON."""
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree

wrong = []


def hold(what, condition):
    if not condition:
        wrong.append(what)


# What there is: (chip, file, line, rule, level, message), of hazards and faults, and of the files that are no programs.
wanted = []
for program in json.load(open("report.json")):
    for each in program["hazards"]:
        text = f"{each['instruction']}: " if each["instruction"] else ""
        text += each["message"] + (f" ({each['count']} times)" if each["count"] > 1 else "")
        text += f"; {each['mend']} [{each['source']}]"
        wanted.append((program["arch"], each["file"] or program["name"], each["line"], each["rule"],
                       "warning" if each["warning"] else "error", text))
    for each in program["faults"]:
        text = f"{each['instruction']}: " if each["instruction"] else ""
        text += each["message"] + (f"; {each['mend']}" if each["mend"] else "") + (f" [{each['source']}]" if each["source"] else "")
        wanted.append((program["arch"], each["file"] or program["name"], each["line"], each["kind"],
                       "warning" if each["kind"] == "NonContractual" else "error", text))
refused = [("unknown.tt", 2), ("nothing.tt", 0)]
hold("there is nothing to compare", len({each[3] for each in wanted}) >= 2 and {each[4] for each in wanted} == {"warning", "error"})

# SARIF 2.1.0, sections 3.13 to 3.30: what a reader relies on.
document = json.load(open("report.sarif"))
hold("SARIF: version", document["version"] == "2.1.0" and document["$schema"].endswith("sarif-2.1.0.json") and len(document["runs"]) == 1)
driver = document["runs"][0]["tool"]["driver"]
rules = driver["rules"]
hold("SARIF: driver", driver["name"] == "Lanewise" and re.fullmatch(r"\d+\.\d+\.\d+", driver["version"]))
hold("SARIF: rules are there once", len({rule["id"] for rule in rules}) == len(rules) > 40)
hold("SARIF: each rule of the checker has its words", all(
    rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"] and
    rule["defaultConfiguration"]["level"] in ("warning", "error") for rule in rules if "-" in rule["id"]))
found = []
for result in document["runs"][0]["results"]:
    (location,) = result["locations"]
    place = location["physicalLocation"]
    hold("SARIF: ruleIndex", rules[result["ruleIndex"]]["id"] == result["ruleId"])
    uri = place["artifactLocation"]["uri"]
    hold(f"SARIF: {uri} is a URI reference", re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri))
    line = place.get("region", {}).get("startLine", 0)
    hold("SARIF: lines begin at 1", "region" not in place or line >= 1)
    text, chip = result["message"]["text"], result["properties"]["chip"]
    if chip:
        hold("SARIF: the message names the chip", text.startswith(chip + ": "))
        text = text[len(chip) + 2:]
    found.append((chip, urllib.parse.unquote(uri), line, result["ruleId"], result["level"], text))
hold(f"SARIF: {found} instead of {wanted}", found[:len(wanted)] == wanted)
hold("SARIF: files that are no programs", [(each[1], each[2]) for each in found[len(wanted):]] == refused)

# Annotations: one line each, as the runner decodes them.
found = []
for line in open("report.github").read().splitlines():
    match = re.fullmatch(r"::(error|warning) ([^:]*)::(.*)", line)
    hold(f"annotation: {line}", match)
    fields = dict(field.split("=", 1) for field in match[2].split(","))
    fields = {name: urllib.parse.unquote(value) for name, value in fields.items()}
    title = re.fullmatch(r"(.*?)(?: \((bh|wh)\))?", fields["title"])
    text = urllib.parse.unquote(match[3]).split("\nsilicon: ")[0]
    found.append((title[2] or "", fields["file"], int(fields.get("line", 0)), title[1], match[1], text))
hold(f"annotations: {found} instead of {wanted}", found[:len(wanted)] == wanted)
hold("annotations of files that are no programs", [(each[1], each[2]) for each in found[len(wanted):]] == refused)

# JUnit: a test for each program and chip; it fails where there is an error.
suites = tree.parse("report.junit").getroot()
cases = suites.findall("testsuite/testcase")
programs = json.load(open("report.json"))
hold("JUnit: tests", int(suites.get("tests")) == len(cases) == len(programs) + len(refused))
for case, program in zip(cases, programs):
    name = program["name"] + (f" ({program['variant']})" if program["variant"] else "")
    hold(f"JUnit: {name}", case.get("name") == name and case.get("classname") == "check." + program["arch"])
    hold(f"JUnit: whether {name} fails", (case.find("failure") is not None) == program["problem"])
    texts = "".join(case.itertext())
    for each in wanted:
        if each[:2] == (program["arch"], program["name"]):
            hold(f"JUnit: {each}", f"{each[1]}:{each[2]}: " in texts and each[5] in texts)
hold("JUnit: failures", int(suites.get("failures")) == len(suites.findall(".//failure")) == sum(p["problem"] for p in programs) > 0)
hold("JUnit: errors", int(suites.get("errors")) == len(suites.findall(".//error")) == len(refused))

# The summary, three times behind each other: headings that count, and a row for each finding.
pages = open("page.md").read().split("### lanewise check: ")
hold("Markdown: each summary stands behind the one before", len(pages) == 4 and pages[0] == "" and pages[1] == pages[2])
problems = sum(p["problem"] for p in programs) + len(refused)
hold(f"Markdown: {pages[1].splitlines()[0]}", pages[1].startswith(f"{problems} of {len(cases)} programs with hazards\n"))
hold("Markdown: nothing found", pages[3] == "0 of 1 program with hazards\n\nNothing found.\n\n")
rows = [re.split(r"(?<!\\)\|", line) for line in pages[1].splitlines() if line.startswith("|")]
hold("Markdown: a table", {len(row) for row in rows} == {7} and set(rows[1][1]) == {"-"})


def plain(cell):
    """A cell as a reader sees it."""
    cell = cell.strip().replace("\\|", "|")
    match = re.fullmatch(r"(`+) ?(.*?) ?\1", cell)
    return match[2] if match else cell


found = [[plain(cell) for cell in row[1:-1]] for row in rows[2:]]
table = [[chip, f"{file}:{line}" if line else file, level, rule, text] for chip, file, line, rule, level, text in wanted]
hold(f"Markdown: {found} instead of {table}", found[:len(table)] == table)
hold("Markdown: rows", len(found) == len(wanted) + len(refused))
print("\n".join(wrong))
sys.exit(bool(wrong))
END
python3 read.py >wrong.txt || { complain "the reports are not the one in JSON"; cut -c1-1500 wrong.txt; }

# Fixes, as they are printed: each applied by itself to the file, which is then checked anew: its finding is there once less, and no other
# more often; a line that could not be read can be. One file has no line end.
printf 'SFPLOAD  L0, FP32, ADDR_MOD_3, 0\nSFPMAD   L0, L0, L9, L2, 0\nSFPSTORE L2, FP32, ADDR_MOD_3, 0' >open.tt
printf 'SFPLOAD L0, 0, 3, 0\n  SFPABSS L0, L0, 1 // \303\244\n' >umlaut.tt
cat >fix.py <<'END'
"""fix.py PROGRAM FILE...: what is wrong with the fixes of these files; status 1 if something is."""
import collections
import json
import pathlib
import subprocess
import sys
import urllib.parse

program, files, wrong, count = sys.argv[1], sys.argv[2:], [], 0


def results(file):
    made = subprocess.run([program, "check", file, "--arch", "wh", "--format", "sarif"], capture_output=True, text=True)
    return json.loads(made.stdout)["runs"][0]["results"]


def key(result, text):
    line = result["locations"][0]["physicalLocation"].get("region", {}).get("startLine", 0)
    return result["ruleId"], (text.split("\n") + [""])[max(line - 1, 0)].strip()


def applied(text, change):
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:i]) for i in range(len(lines))]
    edits = []
    for each in change["replacements"]:
        region = each["deletedRegion"]
        first, behind = (starts[region[f"{end}Line"] - 1] + region[f"{end}Column"] - 1 for end in ("start", "end"))
        edits.append((first, behind, each["insertedContent"]["text"]))
    for first, behind, added in sorted(edits, reverse=True):
        text = text[:first] + added + text[behind:]
    return text


for file in files:
    text = pathlib.Path(file).read_text()
    before = results(file)
    had = collections.Counter(key(each, text) for each in before)
    for result in before:
        for fix in result.get("fixes", []):
            (change,) = fix["artifactChanges"]
            count += 1
            if urllib.parse.unquote(change["artifactLocation"]["uri"]) != file or not fix["description"]["text"]:
                wrong.append(f"{file}: {fix}")
            mended = applied(text, change)
            target = pathlib.Path("mended") / pathlib.Path(file).name
            target.parent.mkdir(exist_ok=True)
            target.write_text(mended)
            has = collections.Counter(key(each, mended) for each in results(str(target)))
            is_read = all(each["properties"]["chip"] for each in results(str(target)))
            if has[key(result, text)] >= had[key(result, text)] or not is_read or (result["properties"]["chip"] and has - had):
                wrong.append(f"{file}: {fix['description']['text']}: {has} after {had}")
    if not any("fixes" in each for each in before):
        wrong.append(f"{file}: there is no fix")
if count < len(files):
    wrong.append(f"only {count} fixes")
print("\n".join(wrong))
sys.exit(bool(wrong))
END
python3 fix.py "$program" 'a, b/e:100%<&>.tt' open.tt umlaut.tt unknown.tt >wrong.txt || { complain "a fix of SARIF does not mend"; cut -c1-1500 wrong.txt; }
expect 1 '"results"' "$program" check - --arch wh --format sarif <open.tt
grep -q '"fixes"' <<<"$expected_output" && complain "fixes of standard input, which no file has"
"$program" check good.tt --format sarif | grep -q '"fixes"' && complain "fixes of a program that is well"

# accuracy --against and its summary.
cd "$source"
"$program" accuracy --kernel abs.tt --kernel exp.tt --arch bh --json >"$work/before.json" 2>/dev/null || true
expect 0 "nothing is worse than in" "$program" accuracy --kernel abs.tt --kernel exp.tt --arch bh --against "$work/before.json" --summary "$work/accuracy.md"
grep -qx "### lanewise accuracy: nothing is worse than in $work/before.json" "$work/accuracy.md" || complain "the summary of accuracy: $(cat "$work/accuracy.md")"
sed 's/"cycles": [0-9.]*/"cycles": 1.0/' "$work/before.json" >"$work/faster.json"
expect 1 "worse than in" "$program" accuracy --kernel abs.tt --kernel exp.tt --arch bh --against "$work/faster.json" --summary "$work/accuracy.md"
grep -q "^### lanewise accuracy: [12] figures* are worse than in" "$work/accuracy.md" || complain "the summary of what is worse: $(cat "$work/accuracy.md")"
grep -q '^| .*exp' "$work/accuracy.md" || complain "the summary has no table of what is worse"
expect 2 "--summary tells what --against has found" "$program" accuracy --kernel abs.tt --summary "$work/accuracy.md"
