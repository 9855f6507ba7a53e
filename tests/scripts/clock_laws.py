#!/usr/bin/env python3
"""Published laws of silicon against the clock of a tile.

    clock_laws.py PROGRAM LLK [--laws FILE] [--only PREFIX ...] [--markdown] [--check]

PROGRAM is lanewise, LLK a checkout that `llk-test` takes. Each row of FILE (tests/silicon/laws.csv) is one figure that was published, and how
LLK's own performance test gives the same: its source, its parameters, the run type, and the zone of a thread that counts. Prints law,
silicon, model and error. With --check the exit status is 1 if a row is farther from silicon than its `within` says.

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
ISOLATED = {"UNPACK_ISOLATE": "unpack", "MATH_ISOLATE": "math", "PACK_ISOLATE": "pack"}


def zone_cycles(file, threads, zone):
    """Cycles from where a zone begins on the first of the threads to where it ends on the last."""
    sections = json.loads(pathlib.Path(file).read_text())["sections"]

    def at(thread, kind):
        return next(event["cycle"] for event in sections[thread]["events"]
                    if event["kind"] == kind and event["marker"] == zone)

    return at(threads[-1], "zone_end") - at(threads[0], "zone_start")


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
    parser.add_argument("program")
    parser.add_argument("llk")
    parser.add_argument("--laws", default=OWN_TESTS.parent / "laws.csv")
    parser.add_argument("--only", action="append", default=[], metavar="PREFIX")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.laws, newline="") as file:
        rows = [row for row in csv.DictReader(file) if not arguments.only or row["id"].startswith(tuple(arguments.only))]
    laws = Laws(arguments.program, arguments.llk)
    far = []
    if arguments.markdown:
        print("| Law | Chip | Silicon | Here | Error | Source |\n|---|---|---|---|---|---|")
    for row in rows:
        model = laws.model(row)
        error, silicon = error_of(model, row["silicon"])
        share = f"{100 * error / silicon:+.1f} %" if silicon else ""
        held = is_within(row, error, silicon)
        if not held:
            far.append(row["id"])
        if arguments.markdown:
            print(f"| {row['id']} | {row['chip']} | {row['silicon']} | {model:.2f} | {share} | {row['source']} |")
        else:
            print(f"{row['id']:34} {row['chip']} {row['silicon']:>16} {model:10.2f} {share:>9} {'' if held else 'FAR'}", flush=True)
    print(f"{len(rows) - len(far)} of {len(rows)} laws are met or listed as known", file=sys.stderr)
    sys.exit(1 if arguments.check and far else 0)


if __name__ == "__main__":
    main()
