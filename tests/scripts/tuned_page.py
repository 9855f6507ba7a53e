#!/usr/bin/env python3
"""What 'lanewise tune --corpus' makes of a checkout, as docs/tuned.md has it.

    tuned_page.py PAGE                                every figure of the page follows from its tables
    tuned_page.py PAGE --write PART=FILE ...          puts tables in: FILE is what the command printed, PART a part of the page
    tuned_page.py PAGE --hold PROGRAM CHECKOUT        rows of the page, others each day, are what PROGRAM prints now

A part stands between two marks, `<!-- begin: PART -->` and `<!-- end: PART -->`. The part `totals` is made of the others. Rows of which the
limit of time ended the search are not held: another machine may find more.
"""

import argparse
import datetime
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Of each part: its chip, and whether it is of the tt-llk within the checkout, by itself.
PARTS = {"ops_bh": ("bh", False), "ops_wh": ("wh", False), "kernels_bh": ("bh", True), "kernels_wh": ("wh", True)}
LLK = "tt_metal/tt-llk"
HEADS = {"ops_bh": "operations, Blackhole", "ops_wh": "operations, Wormhole", "kernels_bh": "kernels, Blackhole",
         "kernels_wh": "kernels, Wormhole"}
# As it was printed; --jobs changes nothing.
LIMITS = ["--time-limit", "3"]
COLUMNS = ["kernel", "tiles", "chip", "row", "tile", "row tuned", "tile tuned", "bound", "set by", "result"]
HELD_EACH_DAY = 2
# Cycles in the tables have no decimals, of which the mean that the command prints knows.
MEAN_WITHIN = 0.002


class Wrong(Exception):
    """The page is not as it should be."""


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def rows_of(text):
    """The rows of the first table in a text, by its heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    if not lines or cells(lines[0]) != COLUMNS:
        raise Wrong(f"a table does not begin with the columns {COLUMNS}")
    rows = []
    for line in lines[2:]:
        if len(cells(line)) != len(COLUMNS):
            break  # another table: why kernels are not tuned
        rows.append(dict(zip(COLUMNS, cells(line))))
    return rows


def found_part(page, part):
    found = re.search(rf"<!-- begin: {part} -->\n(.*?)<!-- end: {part} -->", page, re.DOTALL)
    if not found:
        raise Wrong(f"the page has no part {part}")
    return found


def part_of(page, part):
    return found_part(page, part).group(1)


def with_part(page, part, text):
    found = found_part(page, part)
    return page[:found.start(1)] + text + page[found.end(1):]


def says(row, *words):
    return any(word in row["result"] for word in words)


def is_taken(row):
    return not row["result"].startswith(("refused", "does not compile", "failed"))


def totals_of(rows):
    taken = [row for row in rows if is_taken(row)]
    searched = [row for row in taken if not row["result"].startswith("not proved here")]
    faster = [row for row in searched if row["tile tuned"]]
    quotients = [float(row["tile tuned"]) / float(row["tile"]) for row in faster]
    best = [row for row in searched if re.match(r"(as a block: )?nothing faster(?! found)", row["result"])]
    return {
        "in the table": len(rows),
        "taken by the tuner": len(taken),
        "of these as a block": sum(says(row, "as a block") for row in taken),
        "of these not proved here": len(taken) - len(searched),
        "of these searched": len(searched),
        "faster, of those that were searched": len(faster),
        "of these at their bound": sum(says(row, "optimal") for row in faster),
        "of these proved by their expressions": sum(says(row, "proved by its expressions") for row in faster),
        "of these proved by their data flow": sum(says(row, "proved by its data flow") for row in faster),
        "as fast as the bound allows, as they are": len(best),
        "slower": sum(quotient > 1 for quotient in quotients),
        "searches that the limit of time ended": sum(says(row, "stopped at the limit of time") for row in rows),
        "geometric mean of tuned to shipped cycles": math.exp(sum(map(math.log, quotients)) / len(searched)) if searched else 1,
        "refused": sum(row["result"].startswith("refused") for row in rows),
        "not compiled": sum(row["result"].startswith("does not compile") for row in rows),
    }


def totals_table(page):
    totals = {part: totals_of(rows_of(part_of(page, part))) for part in PARTS}
    lines = ["| | " + " | ".join(HEADS[part] for part in PARTS) + " |", "|---|" + "--:|" * len(PARTS)]
    for what in totals["ops_bh"]:
        figures = [totals[part][what] for part in PARTS]
        lines.append(f"| {what} | " + " | ".join(f"{each:.3f}" if isinstance(each, float) else str(each) for each in figures) + " |")
    return "\n".join(lines) + "\n"


def numbers(pattern, text):
    found = re.search(pattern, text)
    if not found:
        raise Wrong(f"no sentence has {pattern}")
    return [float(number) for number in found.groups()]


def hold_sentences(part, text):
    """What the command says below its table is what its table has."""
    totals = totals_of(rows_of(text))
    said = dict(zip(("in the table", "taken by the tuner", "refused", "not compiled"),
                    numbers(r"Of (\d+) kernels, in their configurations, (\d+) are taken; (\d+) are refused, (\d+) do not compile", text)))
    said.update(zip(("of these searched", "faster, of those that were searched", "of these at their bound",
                     "of these proved by their expressions"),
                    numbers(r"Of (\d+) that were searched, (\d+) are faster \((\d+) at their bound, (\d+) proved by", text)))
    for what, number in said.items():
        if totals[what] != number:
            raise Wrong(f"{part}: {what}: the sentence says {number:.0f}, the table has {totals[what]}")
    mean, = numbers(r"shipped cycles of a tile: ([0-9.]+),", text)
    if abs(mean - totals["geometric mean of tuned to shipped cycles"]) > MEAN_WITHIN:
        raise Wrong(f"{part}: the sentence has a mean of {mean}, the table gives {totals['geometric mean of tuned to shipped cycles']:.4f}")


def hold_rows(part, rows):
    chip = PARTS[part][0]
    for row in rows:
        name = f"{part}: {row['kernel']} ({row['tiles']})"
        if row["chip"] != chip:
            raise Wrong(f"{name}: is of {row['chip']}")
        if not is_taken(row):
            continue
        if not row["tile"] or not row["bound"]:
            raise Wrong(f"{name}: has no cycles, or no bound")
        if not row["tile tuned"]:
            continue
        tuned, shipped, bound, interval = (float(row[each]) for each in ("tile tuned", "tile", "bound", "row tuned"))
        if not tuned < shipped + 0.5 or interval < bound:
            raise Wrong(f"{name}: {tuned} of {shipped} cycles, and a row of {interval} with a bound of {bound}")
        if says(row, "optimal") != (interval == bound):
            raise Wrong(f"{name}: a row of {interval} with a bound of {bound} is called: {row['result']}")


def hold(page):
    for part in PARTS:
        text = part_of(page, part)
        hold_rows(part, rows_of(text))
        hold_sentences(part, text)
    if part_of(page, "totals").strip() != totals_table(page).strip():
        raise Wrong("the table of totals does not follow from the others")


def compact(text):
    """Tables without spaces that only line up; what stands around them as it is."""
    lines = []
    for line in text.splitlines():
        if re.fullmatch(r"\|[-:|]+\|", line):
            line = "|" + "|".join("--:" if cell.endswith(":") else "---" for cell in cells(line)) + "|"
        elif line.startswith("|"):
            line = "| " + " | ".join(cells(line)) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def chosen_rows(rows, day):
    held = [row for row in rows if not says(row, "stopped at the limit of time")]
    names = sorted({row["kernel"] for row in held})
    first = day * HELD_EACH_DAY
    return {names[(first + i) % len(names)] for i in range(HELD_EACH_DAY)}


def printed_rows(program, checkout, part, names):
    chip, is_llk = PARTS[part]
    if is_llk:
        # A folder of a checkout means the whole of it, so tt-llk has to lie somewhere else.
        with tempfile.TemporaryDirectory() as work:
            llk = shutil.copytree(checkout / LLK, pathlib.Path(work) / "tt-llk", symlinks=True)
            return tuned_rows(program, llk, chip, names)
    return tuned_rows(program, checkout, chip, names)


def tuned_rows(program, checkout, chip, names):
    command = [program, "tune", "--corpus", str(checkout), "--arch", chip, *LIMITS]
    for name in sorted(names):
        command += ["--kernel", name]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Wrong(f"{' '.join(command)}: {made.stderr}")
    return rows_of(made.stdout)


def hold_program(page, program, checkout):
    day = datetime.date.today().toordinal()
    for part in PARTS:
        rows = rows_of(part_of(page, part))
        names = chosen_rows(rows, day)
        printed = {(row["kernel"], row["tiles"]): row for row in printed_rows(program, checkout, part, names)}
        for row in rows:
            if row["kernel"] not in names or says(row, "stopped at the limit of time"):
                continue
            now = printed.get((row["kernel"], row["tiles"]))
            if now and says(now, "stopped at the limit of time"):
                continue  # this machine is slower
            if now != row:
                raise Wrong(f"{part}: the page has {row}, and printed is {now}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--write", nargs="+", metavar="PART=FILE")
    parser.add_argument("--hold", nargs=2, metavar=("PROGRAM", "CHECKOUT"))
    options = parser.parse_args()
    page = options.page.read_text()
    if options.write:
        for part, file in (each.split("=", 1) for each in options.write):
            page = with_part(page, part, compact(pathlib.Path(file).read_text()))
        page = with_part(page, "totals", totals_table(page))
        options.page.write_text(page)
    hold(page)
    if options.hold:
        hold_program(page, options.hold[0], pathlib.Path(options.hold[1]))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        print(f"tuned_page.py: {wrong}", file=sys.stderr)
        sys.exit(1)
