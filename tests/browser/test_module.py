"""The module of docs/browser.md under Node: what it answers is what the program prints, byte for byte.

LANEWISE names the program, LANEWISE_WEB the folder with the module.
"""

import gzip
import json
import os
import pathlib
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
        return self.ask({"ask": "command", "arguments": list(arguments), "files": files.get("files", {})})


@pytest.fixture(scope="module")
def module():
    running = Module()
    yield running
    running.process.stdin.close()
    running.process.wait(timeout=LONG)


def native(folder, *arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=LONG)
    return {"status": done.returncode, "output": done.stdout, "messages": done.stderr}


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


def test_what_is_not_there_is_refused_by_name(module):
    told = module.command("run", "kernel.cpp", files={"kernel.cpp": "void kernel() {}\n"})
    assert told["status"] == 2 and "kernels in C++" in told["messages"]
    told = module.command("run", "a.o", "--call", "f", files={"a.o": "\x7fELF"})
    assert told["status"] == 2 and "kernel ELFs" in told["messages"]
    told = module.ask({"ask": "errors", "text": "SFPNOP\n", "reference": "x"})
    assert "reference" in told["problems"][0]["text"]


@pytest.mark.parametrize("request_", [{}, [], {"ask": 1}, {"ask": "all"}, {"ask": "command"}, {"ask": "command", "arguments": [1]}, {"ask": "program"}, {"ask": "command", "arguments": [], "files": {"../a": ""}}])
def test_malformed_requests(module, request_):
    assert list(module.ask(request_)) == ["error"]


def test_files_of_a_request_are_gone_with_it(module):
    assert module.command("asm", "a.tt", files={"a.tt": "SFPNOP\n"})["status"] == 0
    assert module.command("asm", "a.tt")["status"] == 2


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
