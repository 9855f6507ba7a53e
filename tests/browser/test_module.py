"""The module of docs/browser.md under Node: what it answers is what the program prints, byte for byte.

LANEWISE names the program, LANEWISE_WEB the folder with the module.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

PROGRAM = os.environ["LANEWISE"]
WEB = os.environ["LANEWISE_WEB"]
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
LONG = 120  # seconds for what takes a few

# Programs of one thread. Those for one chip only are refused on the other, in the same words.
PROGRAMS = sorted(each.name for each in EXAMPLES.iterdir() if each.suffix in (".tt", ".hex"))


class Module:
    def __init__(self):
        self.process = subprocess.Popen(
            ["node", str(HERE / "ask.js"), WEB], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def command(self, *arguments, **files):
        """`files`: texts, or bytes."""
        files = {name: {"bytes": file.decode("latin-1")} if isinstance(file, bytes) else file for name, file in files.get("files", {}).items()}
        return self.ask({"ask": "command", "arguments": list(arguments), "files": files})


@pytest.fixture(scope="module")
def module():
    running = Module()
    yield running
    running.process.stdin.close()
    running.process.wait(timeout=LONG)


def native(folder, *arguments):
    """What the program answers in a folder that has none but the files of the request, and what it writes there."""
    before = {each.name for each in folder.iterdir()}
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=LONG)
    written = {each.name: each for each in folder.iterdir() if each.name not in before}
    files = {name: file.read_text() for name, file in written.items()}
    for file in written.values():
        file.unlink()
    return {"status": done.returncode, "output": done.stdout, "messages": done.stderr, "files": files}


def same(module, folder, name, *arguments):
    told = module.command(*arguments, files={name: (folder / name).read_text()})
    expected = native(folder, *arguments)
    assert told == expected
    return told


COMMANDS = [
    ("run", "--in", "random:1", "--in", "random:2:-4:4", "--json"),
    ("run", "--in", "special", "--in", "bits:3", "--format", "fp16", "--trace"),
    ("time", "--json"),
    ("check", "--json"),
    ("asm",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", PROGRAMS)
def test_examples(module, name, command):
    same(module, EXAMPLES, name, command[0], name, *command[1:], *([] if command[0] == "asm" else ["--arch", "bh", "--arch", "wh"]))


def test_pauses_of_the_core(module):
    same(module, EXAMPLES, "abs.tt", "check", "abs.tt", "--perturb")


@pytest.mark.parametrize("arguments", [("explain", "SFPMAD"), ("explain", "SFPMAX"), ("isa", "--json"), ("--help",), ("check", "--rules"), ("run",), ("runn",)])
def test_commands_without_a_file(module, arguments):
    told = module.command(*arguments)
    expected = native(EXAMPLES, *arguments)
    assert told["status"] == expected["status"]
    if arguments not in (("--help",), ("runn",)):  # which list other commands
        assert told == expected


@pytest.mark.parametrize("name, text", [("words.hex", "7100_0000\n"), ("bad.hex", "xyz\n"), ("a.tt", "SFPLOADI L0, 0, 1.5e-50\n"), ("a.tt", "SFPFOO\n"), ("a.s", "f:\n\tsfpnop\n\tret\n")])
def test_files_of_every_kind(module, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    same(module, tmp_path, name, "run", name, "--json")
    same(module, tmp_path, name, "dis" if name.endswith("hex") else "asm", name)


def compiled(folder, *options):
    source = HERE.parent / "elf" / "programs" / "kernel.c"
    subprocess.run(
        ["riscv64-unknown-elf-gcc", "-march=rv32im_zicsr", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-O1", *options,
         "-Wl,-Ttext=0x6000,-e,0x6000", "-Wl,--build-id=none", str(source), "-o", "kernel.elf"],
        cwd=folder, check=True, timeout=LONG)
    return (folder / "kernel.elf").read_bytes()


ELF_COMMANDS = [
    ("elf", "kernel.elf"),
    ("elf", "kernel.elf", "--json", "--paths", "--ordering", "--cfg", "ssa", "--arch", "wh"),
    ("elf", "kernel.elf", "--html", "code.html"),
    ("elf", "kernel.elf", "--run", "--call", "table(4)"),
    ("run", "kernel.elf", "--call", "loop(3)", "--in", "ramp", "--json"),
    ("time", "kernel.elf", "--call", "loop(3)"),
    ("check", "kernel.elf", "--call", "straight()"),
    ("run", "kernel.elf"),
]


@pytest.mark.skipif(shutil.which("riscv64-unknown-elf-gcc") is None, reason="the package gcc-riscv64-unknown-elf is not installed")
def test_elf_files(module, tmp_path):
    """Those without lines of a source: libdw reads these, and is not in the module."""
    elf = compiled(tmp_path)
    for command in ELF_COMMANDS:
        told = module.command(*command, files={"kernel.elf": elf})
        assert told == native(tmp_path, *command), command
        assert told["output"] or told["files"] or told["status"] == 2
    with_lines = compiled(tmp_path, "-g")
    told = module.command("elf", "kernel.elf", "--stats", files={"kernel.elf": with_lines})
    assert told == native(tmp_path, "elf", "kernel.elf", "--stats")


RECORDED_COMMANDS = [
    ("run", "softplus.cpp", "--in", "random:1", "--json", "--arch", "bh", "--arch", "wh"),
    ("run", "softplus.cpp", "--in", "ramp", "--interpret"),
    ("run", "softplus.cpp", "--emit", "ir"),
    ("run", "softplus.cpp", "--emit", "asm", "-fno-combine"),
    ("time", "softplus.cpp", "--json", "--arch", "wh"),
    ("check", "softplus.cpp"),
    ("sweep", "softplus.cpp", "--ref", "softplus(x)", "--inputs", "sample:1000"),
    ("run", "softplus.cpp", "--emit", "recording"),
]


def test_recorded_kernels(module, tmp_path):
    """A kernel in C++ with its recording beside it is what the program makes of it, g++ included."""
    source = (EXAMPLES / "softplus.cpp").read_text()
    headers = {header.name: header.read_text() for header in EXAMPLES.glob("*.h")}  # whose lines are shown
    for name, text in headers.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "softplus.cpp").write_text(source)
    recording = native(tmp_path, "run", "softplus.cpp", "--arch", "bh,wh", "--emit", "recording")["output"]
    files = {"softplus.cpp": source, "softplus.cpp.recording": recording, **headers}
    for command in RECORDED_COMMANDS:
        told = module.command(*command, files=files)
        assert told == native(tmp_path, *command), command
        assert told["status"] == 0
    told = module.command("run", "softplus.cpp", files={**files, "softplus.cpp": source + "// changed\n"})
    assert told["status"] == 2 and "another one than its recording" in told["messages"]
    told = module.command("run", "softplus.cpp", files={**files, "softplus.cpp.recording": recording[:-20]})
    assert told["status"] == 2 and "it is no JSON" in told["messages"]
    request = {"ask": "program", "name": "softplus.cpp", "text": source, "arch": "bh", "format": "bf16"}
    assert "listing" not in module.ask(request)
    told = module.ask({**request, "recording": recording})
    assert told["problems"] == [] and "SFPMAD" in told["listing"]
    assert "listing" not in module.ask(request)  # nothing stays of a recording


def test_what_is_not_there_is_refused_by_name(module):
    told = module.command("run", "kernel.cpp", files={"kernel.cpp": "void kernel() {}\n"})
    assert told["status"] == 2 and "kernel.cpp: error: kernels in C++ need a recording" in told["messages"]
    told = module.command("elf", "a.elf", "--tile", files={"a.elf": b"\x7fELF"})
    assert told["status"] == 2 and "whole tiles" in told["messages"]
    files = {"a.tt": "SFPNOP\n", "f.cpp": "double reference(double x) { return x; }\n"}
    told = module.command("sweep", "a.tt", "--ref-file", "f.cpp", files=files)
    assert told["status"] == 2 and "references in C++" in told["messages"]
    told = module.command("sweep", "abs.tt", "--ref", "x", "--generate", files={"abs.tt": (EXAMPLES / "abs.tt").read_text()})
    assert told["status"] == 2 and "native code" in told["messages"]


@pytest.mark.parametrize("request_", [{}, [], {"ask": 1}, {"ask": "all"}, {"ask": "command"}, {"ask": "command", "arguments": [1]}, {"ask": "program"}, {"ask": "command", "arguments": [], "files": {"../a": ""}}, {"ask": "command", "arguments": [], "files": {"a": {"bytes": "\u0100"}}}, {"ask": "command", "arguments": [], "files": {"a": {}}}])
def test_malformed_requests(module, request_):
    assert list(module.ask(request_)) == ["error"]


def test_files_of_a_request_are_gone_with_it(module):
    assert module.command("asm", "a.tt", files={"a.tt": "SFPNOP\n"})["status"] == 0
    assert module.command("asm", "a.tt")["status"] == 2


@pytest.fixture
def example(tmp_path):
    """Copies an example into a folder of its own, in which both sides may write."""

    def copy(name):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
        return tmp_path

    return copy


# What references are before they are rounded differs in its last bits between libraries of functions, on machines, too, by their vectors.
EXACT = {"exact", "largest_exact", "sum_exact", "mean_exact"}
EXACT_MARGIN = 2.0**-36


def without_last_bits(found, expected):
    """`found` with the numbers of `expected` where these are before rounding, and near enough."""
    if isinstance(found, dict) and isinstance(expected, dict):
        result = {}
        for key, value in found.items():
            other = expected.get(key)
            near = key in EXACT and isinstance(value, float) and isinstance(other, float)
            # Errors are differences of numbers as large as a result's place in its line.
            near = near and abs(value - other) <= EXACT_MARGIN * max(1, abs(other))
            result[key] = other if near else without_last_bits(value, other)
        return result
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [without_last_bits(*each) for each in zip(found, expected)]
    return found


SWEEPS = [
    ("exp.tt", "--ref", "exp(x)", "--arch", "bh,wh"),
    ("exp.tt", "--ref", "exp(x)", "--format", "fp16", "--inputs", "range:-3:3"),
    ("softplus.tt", "--ref", "softplus(x)", "--arch", "wh", "--domain", "x > -80 && x < 80", "--worst", "9"),
    ("abs.tt", "--ref", "abs(x)", "--specials", "--max-ulp", "0", "--ulp", "ttnn"),
    ("clamp.tt", "--ref", "clamp(x, -1, 1)", "--inputs", "sample:5000:3", "--no-decades"),
    ("macros.tt", "--ref", "1 - abs(x)", "--threads", "4", "--max-ulp", "0"),
    ("words.hex", "--ref", "-abs(x)", "--format", "fp16"),
    ("replay.tt", "--ref", "x * x + x", "--inputs", "range:-100:100"),
    ("elementwise.tt", "--srca", "x", "--srcb", "y", "--ref", "x + y", "--inputs", "sample:20000"),
]


@pytest.mark.parametrize("arguments", SWEEPS, ids=" ".join)
def test_sweeps(module, example, arguments):
    folder, name = example(arguments[0]), arguments[0]
    same(module, folder, name, "sweep", *arguments, "--svg", "errors.svg", "--html", "page.html")
    text = {name: (folder / name).read_text()}
    found, expected = module.command("sweep", *arguments, "--json", files=text), native(folder, "sweep", *arguments, "--json")
    assert found["status"] == expected["status"]
    expected = json.loads(expected["output"])
    assert without_last_bits(json.loads(found["output"]), expected) == expected


def functions_of_one():
    """The functions that --ref knows and that take one number, or may leave out the others."""
    rows = (HERE.parents[1] / "src/number/references/functions.def").read_text()
    listed = re.findall(r'^(?:ONE|TWO_DEFAULT|THREE_DEFAULT)\((?:"[^"]*", ){0,2}(\w+), "([^"]+)"', rows, re.M)
    return [name for group, name in listed if group != "Operator"]


# Those of which some inputs of the format lie so near to the middle between two results that doubles do not tell, or are left to Arb.
NEED_MPFR = {
    "bf16": {"deg2rad", "digamma", "gelu_tanh", "i1", "lgamma", "logit", "multigammaln", "tanhshrink"},
    "fp16": {"digamma", "exp10", "gelu_tanh", "lgamma", "logit", "multigammaln", "tanhshrink"},
}


@pytest.mark.parametrize("format_", NEED_MPFR if os.environ.get("LANEWISE_NIGHTLY") else ["bf16"])
def test_every_function_is_correctly_rounded_or_refused(module, format_):
    refused = set()
    for function in functions_of_one():
        command = ("sweep", "abs.tt", "--ref", f"{function}(x)", "--format", format_)
        told = module.command(*command, files={"abs.tt": (EXAMPLES / "abs.tt").read_text()})
        if told["status"] == 2:
            assert f"{function} at x = " in told["messages"] and "needs MPFR" in told["messages"], (function, told)
            refused.add(function)
        else:
            assert told == native(EXAMPLES, *command), function
    assert refused == NEED_MPFR[format_]


@pytest.mark.parametrize("number", ["0.5", "0.1", "1e-3", "2.5e2", "0x1.8p3", "123456789012345678", "1e30", "pi", "e", "1/3", "2^0.5", "inf"])
def test_constants(module, example, number):
    folder = example("abs.tt")
    same(module, folder, "abs.tt", "sweep", "abs.tt", "--ref", f"x * {number}", "--inputs", "range:0.001:1000")
    same(module, folder, "abs.tt", "sweep", "abs.tt", "--ref", f"x < {number} ? x : -x", "--inputs", "range:0.001:1000")


@pytest.mark.parametrize("reference", ["x * (0.1 == 0.1000000000000000055511151231257827)", "x < 1.0000000000000002 ? x : -x"])
def test_constants_that_are_no_doubles_are_not_taken_for_their_neighbours(module, reference):
    file = {"abs.tt": (EXAMPLES / "abs.tt").read_text()}
    told = module.command("sweep", "abs.tt", "--ref", reference, files=file)
    assert told["status"] == 2 and "needs MPFR" in told["messages"]


def test_files_that_are_no_text_are_left_out(module):
    file = {"abs.tt": (EXAMPLES / "abs.tt").read_text()}
    told = module.command("run", "abs.tt", "--in", "ramp", "--out", "results.npy", files=file)
    assert told["status"] == 0 and told["files"] == {}


def test_errors_follow_an_edit(module):
    asked = {"ask": "errors", "name": "exp.tt", "text": (EXAMPLES / "exp.tt").read_text(), "reference": "exp(x)"}
    told = module.ask(asked)
    assert told["problems"] == [] and told["inputs"] == 65536 and "<svg" in told["errors"]
    assert "needs MPFR" in module.ask({**asked, "reference": "logit(x)"})["problems"][0]["text"]
    assert module.ask({**asked, "reference": "exq(x)"})["problems"][0]["kind"] == "error"


VECTORS = HERE.parents[0] / "vectors"
CASES = 1500  # of each file, spread over all of it


def some_cases(file, most):
    """Every n-th case of a compressed file of vectors."""
    with gzip.open(file, "rt") as lines:
        cases = lines.read().removesuffix("\nend\n").split("\nend\n")
    return "\nend\n".join(cases[:: max(1, len(cases) // most)]) + "\nend\n"


@pytest.mark.parametrize("file", sorted(VECTORS.glob("[ms]*.vec.gz")), ids=lambda file: file.name)
def test_conformance_vectors(module, file):
    told = module.command("conform", "some.vec", files={"some.vec": some_cases(file, CASES)})
    assert told["status"] == 0, told["output"][-1000:]
