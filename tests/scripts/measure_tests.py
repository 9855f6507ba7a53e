#!/usr/bin/env python3
"""measure_tests.py BUILD [--only REGEX] [--longest N]: the processor time of each test, as tables in Markdown.

Runs the tests of a build folder one after the other, as ctest would, and counts the processor time of each with all
processes that it starts, so that a busy machine measures the same. The first table has a line for each group of tests, which is
the first part of their names; the second one the N that take longest. Status 1 if a test fails.
"""

import argparse
import collections
import json
import os
import re
import resource
import subprocess
import sys


def tests_of(build):
    """Names, commands, folders and environments of the tests of a build folder."""
    listing = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True).stdout)
    for test in listing["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        skip = properties.get("SKIP_RETURN_CODE")
        yield test["name"], test["command"], properties.get("WORKING_DIRECTORY", build), environment, skip


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def group_of(name):
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "unit" else parts[0]


def table(title, rows):
    print(f"| {title} | tests | processor seconds |\n|---|--:|--:|")
    for name, count, seconds in rows:
        print(f"| {name} | {count} | {seconds:.1f} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--only", default="", help="a regular expression for names")
    parser.add_argument("--longest", type=int, default=20)
    options = parser.parse_args()

    seconds, failed = {}, []
    for name, command, folder, environment, skip in tests_of(options.build):
        if not re.search(options.only, name):
            continue
        before = processor_time()
        done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                              capture_output=True)
        seconds[name] = processor_time() - before
        if done.returncode not in (0, skip):
            failed.append(name)
        print(f"{seconds[name]:8.1f} s  {name}{'  FAILED' if name in failed else ''}", file=sys.stderr, flush=True)

    groups = collections.defaultdict(list)
    for name, time in seconds.items():
        groups[group_of(name)].append(time)
    rows = sorted(((group, len(times), sum(times)) for group, times in groups.items()), key=lambda row: -row[2])
    table("group", rows + [("all", len(seconds), sum(seconds.values()))])
    table("test", [(name, 1, time) for name, time in sorted(seconds.items(), key=lambda row: -row[1])[:options.longest]])
    for name in failed:
        print(f"{name} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
