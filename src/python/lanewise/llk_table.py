"""A table of what runs of tt-llk's tests gave, in Markdown, from the files that pytest --junitxml writes:

    python3 -m lanewise.llk_table bh.xml wh.xml

A row for each test file: how many variants passed, failed, and were skipped; of those that passed, how many with a finding of
Lanewise's. Then the causes of failures and of skips, with how often they were. Exit status 1 if less than --least percent
(default 99) of what ran passed.
"""

import argparse
import collections
import re
import sys
import xml.etree.ElementTree

PROPERTY = "lanewise"


def main(arguments):
    parser = argparse.ArgumentParser(description="A table of runs of tt-llk's tests")
    parser.add_argument("files", nargs="+", help="what pytest --junitxml has written")
    parser.add_argument("--least", type=float, default=99.0, help="percent of what ran that must pass")
    options = parser.parse_args(arguments)
    tests = [test for file in options.files for test in read(file)]
    print(*table(tests), sep="\n")
    ran = [test for test in tests if test["end"] != "skipped"]
    passed = sum(test["end"] == "passed" for test in ran)
    percent = 100 * passed / len(ran) if ran else 0
    print(f"\n{passed} of {len(ran)} variants that ran passed: {percent:.1f} %.")
    return 0 if percent >= options.least else 1


def read(file):
    """The tests of a file: where they are, how they ended, and why."""
    for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
        failed = case.find("failure")
        failed = case.find("error") if failed is None else failed
        skipped = case.find("skipped")
        end = "failed" if failed is not None else "skipped" if skipped is not None else "passed"
        reason = failed if failed is not None else skipped
        said = [each.get("value") for each in case.iter("property") if each.get("name") == PROPERTY]
        yield {"file": (case.get("classname") or case.get("name", "")).split(".")[-1], "end": end, "said": said,
               "cause": "" if reason is None else cause(reason.get("message", ""), said)}


def cause(message, said):
    """The one line that tells why: what Lanewise said, else what the test did."""
    for line in "\n".join(said).splitlines():
        if re.search(r": error: |: a deadlock|did not end|: Unsupported: |^error: ", line):
            return without_places(line)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return without_places(lines[0]) if lines else "no reason is given"


def without_places(line):
    """Without folders, line numbers, variants and addresses, so that the same cause is the same text."""
    line = re.sub(r"(?:/[^/\s:]+)+/([^/\s:]+):\d+", r"\1", line)
    line = re.sub(r"\[.*\]", "", line)
    return re.sub(r"0x[0-9a-fA-F]+", "0x...", line).replace("|", "\\|")


def table(tests):
    yield "| File | Passed | with a finding | Failed | Skipped |"
    yield "|---|---|---|---|---|"
    for file in sorted({test["file"] for test in tests}):
        here = [test for test in tests if test["file"] == file]
        count = collections.Counter(test["end"] for test in here)
        found = sum(test["end"] == "passed" and bool(test["said"]) for test in here)
        yield f"| `{file}` | {count['passed']} | {found} | {count['failed']} | {count['skipped']} |"
    for end in ("failed", "skipped"):
        causes = collections.Counter((test["file"], test["cause"]) for test in tests if test["end"] == end)
        if causes:
            yield f"\n| {end.capitalize()} | Variants | Why |"
            yield "|---|---|---|"
        for (file, why), times in sorted(causes.items()):
            yield f"| `{file}` | {times} | {why} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
