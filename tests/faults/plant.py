#!/usr/bin/env python3
"""plant.py BUILD [NAME...]: whether the tests catch the planted faults of faults.txt, all or those named.

For each: writes the fault into its file, builds with ninja what its tests run, runs them with ctest, and puts the file back, also when
it is interrupted. What a test runs is known from its command and its environment: unit tests, and scripts that run the program. BUILD is a finished build folder (./lanewise test makes build/test). Beforehand the tests have to pass as they are.
A name may end in *. Status 1 if a fault survives or does not build, 2 if the list or the build folder is not as it should be.
"""

import argparse
import contextlib
import datetime
import fnmatch
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import typing

FAULTS = pathlib.Path(__file__).resolve().parent
SOURCE = FAULTS.parents[1]
LEAST_OF_A_ROOM = 3
HEAD = re.compile(r"== (?P<name>[a-z0-9._-]+) (?P<file>\S+) (?P<tests>\S+)")
# Of one build, and of one run of tests. A fault may make a program endless, and ends some tests only after their own limits.
LONGEST = 1200


class Fault(typing.NamedTuple):
    name: str
    file: str
    tests: str  # of ctest -R
    old: str
    new: str


class Wrong(Exception):
    """The list or the build folder is not as it should be."""


def read_faults(path):
    """The faults of a list. Its form is described at its head."""
    blocks = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        head = HEAD.fullmatch(line)
        if head:
            blocks.append((head, {"-": [], "+": []}))
        elif line[:2] in ("- ", "+ ") and blocks:
            blocks[-1][1][line[0]].append(line[2:])
        elif line in ("-", "+") and blocks:
            blocks[-1][1][line].append("")
        elif line and not line.startswith("#"):
            raise Wrong(f"{path}:{number}: neither a head, a comment, nor text of a fault")
    faults = [Fault(**head.groupdict(), old="\n".join(text["-"]), new="\n".join(text["+"])) for head, text in blocks]
    names = [fault.name for fault in faults]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Wrong(f"{path}: more than one fault has the name {', '.join(twice)}")
    return faults


def why_not(fault, source):
    """Why a fault does not apply, or nothing."""
    path = source / fault.file
    if not path.is_file():
        return f"there is no file {fault.file}"
    if not fault.old or fault.old == fault.new:
        return "it changes nothing"
    times = path.read_text().count(fault.old)
    return None if times == 1 else f"its old text occurs {times} times in {fault.file}, not once"


def rooms(source):
    """The rooms of the library, and the program's."""
    listed = re.search(r"set\(LANEWISE_ROOMS\s+([^)]*)\)", (source / "cmake/library.cmake").read_text())
    return [*listed.group(1).split(), "cli"]


def faults_of_rooms(faults, source):
    """How many faults each room has. A room in another one, as base/graph, is its own."""
    counts = dict.fromkeys(rooms(source), 0)
    for fault in faults:
        of = [room for room in counts if fault.file.startswith(f"src/{room}/")]
        if of:
            counts[max(of, key=len)] += 1
    return counts


def chosen_by_date(faults, count, date):
    """So many of them; those of the days that follow are others, until all have had their turn."""
    first = date.toordinal() * count % len(faults)
    return (faults[first:] + faults[:first])[:count]


class Planted:
    """A fault in its file. What was there is kept in the build folder, so that the next start can put back what a kill has left."""

    def __init__(self, build, source):
        self.kept = build / "planted_fault.json"
        self.source = source

    def restore(self):
        if not self.kept.exists():
            return
        before = json.loads(self.kept.read_text())
        # The file gets a new time, so that ninja compiles it again.
        (self.source / before["file"]).write_text(before["text"])
        self.kept.unlink()

    @contextlib.contextmanager
    def fault(self, fault):
        text = (self.source / fault.file).read_text()
        partial = self.kept.with_suffix(".new")
        partial.write_text(json.dumps({"file": fault.file, "text": text}))
        partial.replace(self.kept)
        try:
            (self.source / fault.file).write_text(text.replace(fault.old, fault.new))
            yield
        finally:
            with signals_held():
                self.restore()


@contextlib.contextmanager
def signals_held():
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run(command, folder):
    """Status and output of a command; no status if it takes too long. Nothing that it has started outlives it."""
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=LONGEST)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def words_of(test):
    """What a test of ctest's list names: the words of its command, and the values in its environment."""
    values = [entry.partition("=")[2] for each in test.get("properties", []) if each["name"] == "ENVIRONMENT" for entry in each["value"]]
    return test.get("command", []) + [path for value in values for path in value.split(":")]


def listed_tests(folder, *options):
    """Tests of a build folder, as ctest describes them."""
    status, output = run(["ctest", *options, "--show-only=json-v1"], folder)
    if status != 0:
        raise Wrong(f"ctest does not list the tests of {folder}: {output}")
    return json.loads(output)["tests"]


class Build:
    def __init__(self, folder, jobs):
        self.folder = folder
        self.jobs = str(jobs)
        self.targets = {}

    def targets_of(self, tests):
        """What ninja builds of the commands of some tests."""
        if tests not in self.targets:
            listed = listed_tests(self.folder, "-R", tests)
            if not listed:
                raise Wrong(f"no test is called {tests}")
            prefix = f"{self.folder}/"
            words = {word.removeprefix(prefix) for test in listed for word in words_of(test) if word.startswith(prefix)}
            known = {line.split(": ")[0] for line in run(["ninja", "-t", "targets", "all"], self.folder)[1].splitlines()}
            # A folder of PYTHONPATH stands for the module that is built into it.
            modules = {target for target in known if target.endswith(".so") and any(target.startswith(f"{word}/") for word in words)}
            self.targets[tests] = sorted(words & known | modules)
            if not self.targets[tests]:
                raise Wrong(f"the tests called {tests} run nothing that is built")
        return self.targets[tests]

    def compile(self, tests):
        return run(["ninja", "-j", self.jobs, *self.targets_of(tests)], self.folder)

    def test(self, tests):
        return run(["ctest", "-R", tests, "-j", self.jobs, "--no-tests=error", "--stop-on-failure", "--output-on-failure"], self.folder)


def check_baseline(build, tests):
    """Where a test is red as it is, it says nothing of a fault."""
    status, output = build.compile(tests)
    if status != 0:
        raise Wrong(f"{tests} does not build without any fault:\n{output[-4000:]}")
    status, output = build.test(tests)
    if status != 0:
        raise Wrong(f"{tests} is red without any fault:\n{output[-4000:]}")
    skipped = re.findall(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) \.*\*\*\*Skipped", output, re.MULTILINE)
    if skipped:
        raise Wrong(f"{skipped[0]} is skipped here, and sees no fault")


def failed_tests(output):
    """The first of them, from what ctest prints at its end."""
    names = re.findall(r"^\s+\d+ - (\S+) \(", output, re.MULTILINE)
    return names[0] if names else "out of time"


def result_of(fault, build, planted):
    with planted.fault(fault):
        status, output = build.compile(fault.tests)
        if status != 0:
            return "does not build", "\n".join(line for line in output.splitlines() if "error" in line)
        status, output = build.test(fault.tests)
    return ("survived", fault.tests) if status == 0 else ("caught", failed_tests(output))


def applies(faults):
    wrong = {fault.name: why_not(fault, SOURCE) for fault in faults}
    for name, reason in wrong.items():
        if reason:
            print(f"{name}: {reason}")
    return 1 if any(wrong.values()) else 0


def have_tests(faults, folder):
    """Status 1 if nothing is called as the tests of a fault."""
    tests = [test["name"] for test in listed_tests(folder)]
    without = [fault for fault in faults if not any(re.search(fault.tests, test) for test in tests)]
    for fault in without:
        print(f"{fault.name}: no test is called {fault.tests}")
    return 1 if without else 0


def tell_rooms(faults):
    """How many faults each room has; status 1 if one has too few."""
    counts = faults_of_rooms(faults, SOURCE)
    for room, count in counts.items():
        print(f"{count:4} {room}{'' if count >= LEAST_OF_A_ROOM else f': at least {LEAST_OF_A_ROOM} are wanted'}")
    return 0 if min(counts.values()) >= LEAST_OF_A_ROOM else 1


def plant(faults, build, planted):
    counts = dict.fromkeys(("caught", "survived", "does not build"), 0)
    for fault in faults:
        check_baseline_once(build, fault.tests)
        result, detail = result_of(fault, build, planted)
        counts[result] += 1
        print(f"{result:14} {fault.name}: {detail}", flush=True)
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 0 if counts["caught"] == len(faults) else 1


def check_baseline_once(build, tests, passed=set()):  # pylint: disable=dangerous-default-value
    if tests not in passed:
        check_baseline(build, tests)
        passed.add(tests)


def named(faults, patterns):
    if not patterns:
        return faults
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(fault.name, pattern) for fault in faults):
            raise Wrong(f"no fault is called {pattern}")
    return [fault for fault in faults if any(fnmatch.fnmatchcase(fault.name, pattern) for pattern in patterns)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", metavar="BUILD", help="a finished build folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of the faults to plant")
    parser.add_argument("--applies", action="store_true", help="only whether each fault still fits its file; needs no BUILD")
    parser.add_argument("--chosen", type=int, metavar="N", help="N of the faults, by the date")
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today(), metavar="YYYY-MM-DD")
    parser.add_argument("--list", action="store_true", help="only the names of the faults")
    parser.add_argument("--rooms", action="store_true", help="only how many faults each room has; status 1 if one has too few")
    parser.add_argument("--tests", action="store_true", help="only whether BUILD has the tests of each fault; status 1 if not")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="of ninja and ctest")
    parser.add_argument("--faults", type=pathlib.Path, default=FAULTS / "faults.txt", metavar="FILE", help="another list")
    return parser.parse_intermixed_args()


def main():
    options = arguments()
    faults = named(read_faults(options.faults), options.names)
    if options.chosen is not None:
        faults = chosen_by_date(faults, min(options.chosen, len(faults)), options.date)
    if options.list:
        print("\n".join(fault.name for fault in faults))
        return 0
    if options.rooms:
        return tell_rooms(faults)
    if options.applies:
        return applies(faults)
    if options.build is None:
        raise Wrong("name the build folder")
    folder = pathlib.Path(options.build).resolve()
    if not (folder / "build.ninja").exists():
        raise Wrong(f"{folder} is not a build folder of ninja")
    if options.tests:
        return have_tests(faults, folder)
    planted = Planted(folder, SOURCE)
    planted.restore()
    if applies(faults) != 0:
        return 2
    # A polite end is like Ctrl-C: 'finally' is what puts the file back.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    os.nice(5)
    return plant(faults, Build(folder, options.jobs), planted)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        print(f"plant.py: error: {wrong}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
