"""Writes down the cases of tt-llk's tests instead of running them; `lanewise llk-diff` calls it (docs/llk-diff.md):

    CHIP_ARCH=blackhole LANEWISE_CASES=FOLDER pytest -p lanewise.llk_cases test_reduce.py

A case is what a variant gives to the card: its source, its build.h, and what lies in L1 before its cores start. A test is run up to
there and no further, so that it costs its stimuli and its golden only; but of each test function the first variant runs to its end
with `lanewise llk-test`, and where that calls the card more than once, all others do, too: each call is a case, "ID run 2" and so on,
with the L1 that those before it have left. Of the variants of each test function some are chosen, so that
every value of every parameter occurs, and pairs of values as far as they go. The same variants of the same tree are the same bytes.

    LANEWISE_CASES           the folder; it gets cases.jsonl, and for each case a build.h and the bytes of L1
    LANEWISE_CASES_VARIANTS  how many variants of each test function (0: all)
    LANEWISE_CASES_TOTAL     without that: how many of all functions together, at least 4 and at most 80 of each (default: 240)
    LANEWISE_CASES_LIKE      a cases.jsonl of another tree: for each of its cases the variant with the same values of all parameters
                             that both have, instead of a choice
    LANEWISE_CASES_SECONDS   begin no further variant after so many seconds
    LANEWISE_CASES_MATCH     parts of names: only test functions whose file::name contains one of them, with blanks between
"""

import collections
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import struct
import sys
import time

import pytest

from . import llk_pytest

pytest_plugins = ["lanewise.llk_pytest"]

FOLDER = pathlib.Path(os.environ.get("LANEWISE_CASES", "."))
VARIANTS = os.environ.get("LANEWISE_CASES_VARIANTS")
TOTAL = int(os.environ.get("LANEWISE_CASES_TOTAL", "240"))
LEAST_VARIANTS, MOST_VARIANTS = 4, 80
SECONDS = float(os.environ.get("LANEWISE_CASES_SECONDS", "inf"))
LIKE = os.environ.get("LANEWISE_CASES_LIKE")
MATCH = os.environ.get("LANEWISE_CASES_MATCH", "").split()
MOST_SKIPS = 400  # in a row, until a test function is given up
CHUNK = 64  # bytes; of L1, only chunks that are not zero are written
MOST_RUNS = 16  # of one variant
LATER_RUN = re.compile(r" run \d+$")  # of a case's id

STATE = {"case": None, "item": None, "test": None, "count": 0, "runs": 0}
RUNS_AGAIN = {}  # test functions that were tried: whether they call the card more than once
run_program = llk_pytest.run_program


def function_of(item):
    """What variants have in common: file::name, with the file as below tests/python_tests."""
    return item.nodeid.split("[")[0]


def text_of(value):
    """A parameter's value as text that two trees agree on."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(each) for each in value) + "]"
    if isinstance(value, (str, int, float, bool)) or value is None:
        return str(value)
    if hasattr(value, "input_format") and hasattr(value, "output_format"):
        return f"{text_of(value.input_format)}->{text_of(value.output_format)}"
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return name
    text = str(value)
    return text if " at 0x" not in text else type(value).__name__


def parameters_of(item):
    callspec = getattr(item, "callspec", None)
    return {} if callspec is None else {name: text_of(value) for name, value in sorted(callspec.params.items())}


def covered_by(parameters):
    """What a variant covers: each value, each pair of values and each three."""
    values = sorted(parameters.items())
    return [some for size in (1, 2, 3) for some in itertools.combinations(values, size)]


class Choice:
    """Goes through the variants of a function, those first that cover most of what is not covered yet."""

    LOOK_AT = 150  # variants, for each step: some test functions have 50,000
    WORTH = {1: 30, 2: 3, 3: 1}

    def __init__(self, function, items, most):
        self.function, self.items, self.most = function, list(items), most
        self.random = random.Random(function)
        self.random.shuffle(self.items)
        self.seen, self.failed = set(), collections.Counter()
        self.recorded, self.skips = 0, 0

    def is_done(self):
        return not self.items or (self.most and self.recorded >= self.most) or self.skips >= MOST_SKIPS

    def worth(self, item):
        """More for a value than for a pair, and for a pair than for three; less, the more often the test has skipped it."""
        return sum(self.WORTH[len(some)] / (1 + self.failed[some]) for some in covered_by(parameters_of(item)) if some not in self.seen)

    def take(self):
        if not self.most:
            return self.items.pop(0)
        looked_at = self.items[:self.LOOK_AT]
        best = max(range(len(looked_at)), key=lambda i: self.worth(looked_at[i]))
        # What was looked at goes to the end, so that all variants get their turn.
        item = self.items.pop(best)
        self.items = self.items[self.LOOK_AT:] + self.items[:self.LOOK_AT]
        return item

    def was(self, item, is_recorded):
        covered = covered_by(parameters_of(item))
        if is_recorded:
            self.recorded, self.skips = self.recorded + 1, 0
            self.seen.update(covered)
        else:
            self.skips += 1
            self.failed.update(covered)


class Likes:
    """The variants that are like cases of another tree."""

    def __init__(self, function, items, cases):
        self.function = function
        self.recorded = 0
        by_parameters = {}
        for item in items:
            by_parameters.setdefault(json.dumps(parameters_of(item)), item)
        self.queue = []
        for case in cases:
            item = by_parameters.get(json.dumps(case["parameters"]))
            if item is None:
                item = self.nearest(case["parameters"], items)
            if item is not None:
                self.queue.append((item, case["id"]))

    @staticmethod
    def nearest(parameters, items):
        """The first with the same values of all parameters that both have, if they have any in common."""
        for item in items:
            own = parameters_of(item)
            common = own.keys() & parameters.keys()
            if common and all(own[name] == parameters[name] for name in common):
                return item
        return None

    def is_done(self):
        return not self.queue

    def take(self):
        item, self.of = self.queue.pop(0)
        return item

    def was(self, item, is_recorded):
        self.recorded += is_recorded


def by_function(items):
    groups = collections.OrderedDict()
    for item in items:
        if not MATCH or any(each in function_of(item) for each in MATCH):
            groups.setdefault(function_of(item), []).append(item)
    return groups


def make_choices(items):
    groups = by_function(items)
    if LIKE is None:
        most = int(VARIANTS) if VARIANTS else MOST_VARIANTS
        return [Choice(function, group, most) for function, group in groups.items()]
    cases = collections.defaultdict(list)
    for line in pathlib.Path(LIKE).read_text().splitlines():
        case = json.loads(line)
        if not LATER_RUN.search(case["id"]):  # those come with their first one
            cases[case["test"]].append(case)
    return [Likes(function, group, cases[function]) for function, group in groups.items() if cases[function]]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """One variant of each function, then the second of each, and so on: whenever it ends, every function had its turn."""
    if session.config.option.collectonly:
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    start, last = time.monotonic(), None
    choices = make_choices(session.items)
    (FOLDER / "functions.json").write_text(json.dumps(sorted(by_function(session.items))))
    waiting = collections.deque(choices)
    with open(FOLDER / "cases.jsonl", "w", encoding="utf-8") as STATE["file"]:
        while waiting and time.monotonic() - start < SECONDS and not session.shouldstop:
            if is_enough(choices, waiting):
                waiting.clear()
                break
            choice = waiting.popleft()
            while not choice.is_done() and time.monotonic() - start < SECONDS:
                last = choice.take()
                is_recorded = record(last, getattr(choice, "of", None))
                choice.was(last, is_recorded)
                if is_recorded:
                    break
            if not choice.is_done():
                waiting.append(choice)
    # A function whose variants are left over because the time was over is not one that has none.
    (FOLDER / "left.json").write_text(json.dumps([each.function for each in waiting if not each.is_done()]))
    (FOLDER / "none.json").write_text(json.dumps([each.function for each in choices if each.recorded == 0]))
    if last is not None:
        session._setupstate.teardown_exact(None)
    return True


def is_enough(choices, waiting):
    """Whether there are as many cases as all functions together may have, and no function has too few."""
    if LIKE is not None or VARIANTS:
        return False
    return STATE["count"] >= TOTAL and all(each.recorded >= LEAST_VARIANTS for each in waiting)


def record(item, like):
    """True if the variant came to the start of its cores."""
    STATE.update(case=None, item=item, like=like, runs=0)
    # What it has in common with the one before it stays; which one follows is not known yet.
    item.session._setupstate.teardown_exact(item)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=item)
    if STATE["case"] is not None:
        RUNS_AGAIN.setdefault(function_of(item), STATE["runs"] > 1)
    return STATE["case"] is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    """The same stimuli for the same variant, whatever ran before it."""
    seed = int.from_bytes(hashlib.sha256(json.dumps([function_of(item), parameters_of(item)]).encode()).digest()[:4], "little")
    random.seed(seed)
    for name, seeder in (("numpy", lambda module: module.random.seed(seed)), ("torch", lambda module: module.manual_seed(seed))):
        if name in sys.modules:
            seeder(sys.modules[name])


def result_place(test):
    """Where the results of a variant lie, as far as its stimuli say it."""
    stimuli = getattr(test, "variant_stimuli", None)
    try:
        rows, columns = getattr(stimuli, "tile_dimensions", None) or (32, 32)
        return {"address": int(stimuli.buf_res_addr), "format": stimuli.stimuli_res_format.name,
                "tiles": int(stimuli.tile_count_res), "tile_bytes": int(stimuli.buf_res_tile_size),
                "faces": int(stimuli.num_faces), "face_rows": int(stimuli.face_r_dim), "rows": int(rows), "columns": int(columns)}
    except (AttributeError, TypeError, ValueError):
        return None


def chunks_of(memory):
    """The parts of L1 that are not zero: [(address, bytes)]."""
    found, zero = [], bytes(CHUNK)
    for address in range(0, len(memory), CHUNK):
        part = bytes(memory[address:address + CHUNK])
        if part == zero[:len(part)]:
            continue
        if found and found[-1][0] + len(found[-1][1]) == address:
            found[-1] = (found[-1][0], found[-1][1] + part)
        else:
            found.append((address, part))
    return found


def of_run(name, run):
    """The id of a case: that of its variant, and which run it is."""
    return name if name is None or run == 1 else f"{name} run {run}"


def at_run(words):
    """In the place of llk_pytest.run_program(): the case is complete, and the test goes on only where it may call again."""
    STATE["runs"] += 1
    write_case(words)
    if not RUNS_AGAIN.get(function_of(STATE["item"]), True) or STATE["runs"] == MOST_RUNS:
        pytest.skip("lanewise: written down")
    run_program(words)


def with_host(_):
    pytest.skip("lanewise: what a host does while the sections run is no case")


def write_case(words):
    item, number, run = STATE["item"], STATE["count"], STATE["runs"]
    STATE["count"] += 1
    parameters = parameters_of(item) if run == 1 else {**parameters_of(item), "run": str(run)}
    source, tree, header, defines = None, None, None, []
    rest = iter(words + llk_pytest.places())
    for word in rest:
        if word == "--llk":
            tree = next(rest)
        elif word == "--build-header":
            header = next(rest)
        elif word == "--define":
            defines.append(next(rest))
        elif source is None:
            source = word
    llk_pytest.DEVICE.write(llk_pytest.PLACES.end_words, bytes(4 * len(llk_pytest.SECTIONS)))
    (FOLDER / f"{number}.build.h").write_text(pathlib.Path(header).read_text())
    with open(FOLDER / f"{number}.l1", "wb") as file:
        for address, part in chunks_of(llk_pytest.DEVICE.l1):
            file.write(struct.pack("<II", address, len(part)) + part)
    case = {"id": of_run(item.nodeid, run), "test": function_of(item), "parameters": parameters, "like": of_run(STATE["like"], run),
            "source": os.path.relpath(os.path.realpath(source), os.path.realpath(tree)), "defines": defines, "number": number,
            "result": result_place(STATE["test"])}
    STATE["file"].write(json.dumps(case) + "\n")
    STATE["file"].flush()
    STATE["case"] = case


def remembered(options):
    def of(test):
        STATE["test"] = test
        return options(test)
    return of


llk_pytest.options = remembered(llk_pytest.options)
llk_pytest.run_program = at_run
llk_pytest.start_with_host = with_host


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart():
    # Every case begins with an L1 of zeros: what the last one has left is no part of it.
    llk_pytest.DEVICE.l1[:] = bytes(len(llk_pytest.DEVICE.l1))
    STATE["test"] = None
