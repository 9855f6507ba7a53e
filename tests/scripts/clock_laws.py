#!/usr/bin/env python3
"""Published laws of silicon against the clock of a tile.

    clock_laws.py PROGRAM LLK [--laws FILE] [--only PREFIX ...] [--markdown] [--check] [--page PAGE]
    clock_laws.py --page PAGE [--laws FILE]

PROGRAM is lanewise, LLK a checkout that `llk-test` takes. Each row of FILE (tests/silicon/laws.csv) is one figure that was published, and how
LLK's own performance test gives the same: its source, its parameters, the run type, and the zone of a thread that counts. Prints law,
silicon, model and error. With --check the exit status is 1 if a row is farther from silicon than its `within` says.

--markdown prints the table that PAGE has between its two marks, and --page holds it: with a program, each line has to be what is printed.
Without one, it has a line for each row, with the row's silicon and source and the error of the figure that stands there, within `within`.

Columns of FILE:
  id, chip   a name, and bh or wh
  test       a source of tests/silicon/laws or of tt_metal/tt-llk/tests/sources, without _perf.cpp
  run        a PerfRunType. `slowest`: end to end, over the slowest of the isolated runs
  zone       thread.ZONE, or first-last.ZONE for what begins on one thread and ends on another
  params     NAME=VALUE of the test, and macros -DNAME=VALUE, separated by spaces
  per        what the zone is divided by
  less       parameters of a second run whose zone is taken off before: what the zone has at its ends goes with it
  silicon    the published figure, or two for a range: low..high
  within     how far the model may be from it: percent, or cycles with a c. `known`: the row is listed, not held
  gather     on or off: whether cores gather what they push
  source     where it was published; what is known about a row that is not met
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

OWN_TESTS = pathlib.Path(__file__).parent.parent / "silicon" / "laws"
BEGIN, END = "<!-- begin: laws -->", "<!-- end: laws -->"
HEAD = "| Law | Chip | Silicon | Here | Error | Source |\n|---|---|---|---|---|---|"
BOUND = "-100.."  # of what is at most so much
ISOLATED = {"UNPACK_ISOLATE": "unpack", "MATH_ISOLATE": "math", "PACK_ISOLATE": "pack"}


def zone_cycles(file, threads, zone):
    """Cycles from where a zone begins on the first of the threads to where it ends on the last."""
    sections = json.loads(pathlib.Path(file).read_text())["sections"]

    def at(thread, kind):
        return next(event["cycle"] for event in sections[thread]["events"]
                    if event["kind"] == kind and event["marker"] == zone)

    return at(threads[-1], "zone_end") - at(threads[0], "zone_start")


def error_text(model, row):
    """The cell of a table. Of a bound it says only on which side the model is."""
    error, silicon = error_of(model, row["silicon"])
    if is_bound(row):
        return "over" if error > 0 else "met"
    return f"{100 * error / silicon:+.1f} %".replace("-0.0", "+0.0")


def is_bound(row):
    return row["silicon"].startswith(BOUND)


def line_of(row, model):
    silicon = f"at most {row['silicon'].removeprefix(BOUND)}" if is_bound(row) else row["silicon"]
    return f"| `{row['id']}` | {row['chip']} | {silicon} | {model:.2f} | {error_text(model, row)} | {row['source']} |"


def table_of(page):
    """The lines below the table's head."""
    text = pathlib.Path(page).read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{page} has not one {BEGIN} and one {END}")
    table = text.split(BEGIN)[1].split(END)[0].strip()
    if not table.startswith(HEAD):
        sys.exit(f"{page} has another head of the table of laws")
    return table.removeprefix(HEAD).strip().splitlines()


def hold_page(page, rows):
    """What is wrong with a page by the rows alone: a sentence each."""
    lines = table_of(page)
    wrong = [] if len(lines) == len(rows) else [f"{len(lines)} lines for {len(rows)} laws"]
    for line, row in zip(lines, rows):
        try:
            model = float(line.split("|")[4])
        except (IndexError, ValueError):
            wrong.append(f"no figure in: {line}")
            continue
        if line != line_of(row, model):
            wrong.append(f"{line}\n  is not {line_of(row, model)}")
        error, silicon = error_of(model, row["silicon"])
        if not is_within(row, error, silicon):
            wrong.append(f"{row['id']}: {model} is further from {row['silicon']} than {row['within']}")
    return wrong


class Laws:
    def __init__(self, program, llk):
        self.program, self.llk = program, llk
        self.sources = next(folder for folder in (pathlib.Path(llk) / "tt_metal/tt-llk/tests/sources",
                                                  pathlib.Path(llk) / "tests/sources") if folder.is_dir())

    def source_of(self, test):
        own = OWN_TESTS / f"{test}_perf.cpp"
        return own if own.exists() else self.sources / f"{test}_perf.cpp"

    def run(self, row, run_type, threads, extra=()):
        """Cycles of the row's zone in one run."""
        zone = row["zone"].split(".")[1]
        params = {"PERF_RUN_TYPE": f"PerfRunType::{run_type}"}
        defines = ["LLK_PROFILER", "SPEED_OF_LIGHT"]
        for each in [*row["params"].split(), *extra]:
            if each.startswith("-D"):
                defines.append(each[2:])
                continue
            name, value = each.split("=", 1)
            params[name] = value
        with tempfile.TemporaryDirectory() as folder:
            zones = f"{folder}/zones.json"
            command = [self.program, "llk-test", str(self.source_of(row["test"])), "--llk", self.llk, "--arch", row["chip"],
                       "--time", "--gather", row["gather"], "--zones", zones]
            for define in defines:
                command += ["--define", define]
            for name, value in params.items():
                command += ["--param", f"{name}={value}"]
            done = subprocess.run(command, capture_output=True, text=True)
            if not pathlib.Path(zones).exists():
                raise RuntimeError(f"{row['id']}: {done.stderr.strip() or done.stdout.strip()[-600:]}")
            return zone_cycles(zones, threads.split("-"), zone)

    def model(self, row):
        threads = row["zone"].split(".")[0]
        per = float(row["per"])
        if row["run"] == "slowest":
            slowest = max(self.run(row, run, of) for run, of in ISOLATED.items())
            return 100 * (self.run(row, "L1_TO_L1", threads) / slowest - 1)
        cycles = self.run(row, row["run"], threads)
        if row["less"]:
            cycles -= self.run(row, row["run"], threads, row["less"].split())
        return cycles / per


def error_of(model, silicon):
    """How far the model is from the figure or from the nearer end of a range, in cycles."""
    low, high = (float(each) for each in (silicon.split("..") * 2)[:2])
    nearest = min(max(model, low), high)
    return model - nearest, nearest


def is_within(row, error, silicon):
    within = row["within"]
    if within == "known":
        return True
    allowed = [float(part[:-1]) if part.endswith("c") else float(part) / 100 * abs(silicon) for part in within.split("|")]
    return abs(error) <= max(allowed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("llk", nargs="?")
    parser.add_argument("--laws", default=OWN_TESTS.parent / "laws.csv")
    parser.add_argument("--only", action="append", default=[], metavar="PREFIX")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page")
    arguments = parser.parse_args()
    with open(arguments.laws, newline="") as file:
        rows = [row for row in csv.DictReader(file) if not arguments.only or row["id"].startswith(tuple(arguments.only))]
    if not arguments.llk:
        if not arguments.page:
            parser.error("give PROGRAM and LLK, or --page")
        sys.exit("\n".join(hold_page(arguments.page, rows)) or 0)
    laws = Laws(arguments.program, arguments.llk)
    there = table_of(arguments.page) if arguments.page else []
    far, others = [], []
    if arguments.markdown:
        print(HEAD)
    for row in rows:
        model = laws.model(row)
        error, silicon = error_of(model, row["silicon"])
        line = line_of(row, model)
        if arguments.page and line not in there:
            others.append(line)
        held = is_within(row, error, silicon)
        if not held:
            far.append(row["id"])
        if arguments.markdown:
            print(line, flush=True)
        else:
            print(f"{row['id']:34} {row['chip']} {row['silicon']:>16} {model:10.2f} {error_text(model, row):>9} {'' if held else 'FAR'}", flush=True)
    if others:
        sys.exit(f"{arguments.page} has not:\n" + "\n".join(others))
    print(f"{len(rows) - len(far)} of {len(rows)} laws are met or listed as known", file=sys.stderr)
    sys.exit(1 if arguments.check and far else 0)


if __name__ == "__main__":
    main()
