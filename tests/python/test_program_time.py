"""Programs in time by lanewise.program(time=True), against what the command prints for the same program."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import ROOT

import lanewise as lw

ADD = "examples/programs/vector_add.json"
MULTICAST = "examples/programs/multicast.json"
OUTPUT = re.compile(r"^(?:.*: \d+ instructions|NoC: \d+ transactions)\n", re.MULTILINE)


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def copy_of(tmp_path):
    """An example with absolute paths of its kernels and no output, so that the command leaves nothing in the source tree."""

    def copy(name):
        description = json.loads((ROOT / name).read_text())
        for kernel in description["kernels"]:
            kernel["file"] = str(ROOT / kernel["file"])
        for buffer in description["buffers"]:
            buffer.pop("output", None)
        file = tmp_path / "program.json"
        file.write_text(json.dumps(description))
        return file

    return copy


def test_one_core_is_what_the_command_says(command_line, copy_of):
    file = copy_of(ADD)
    said = command_line("kernels", file, "--time", "--json")
    timed = lw.program(file, time=True).time
    assert timed.to_dict() == said
    assert timed.cycles == said["cycles"] > 0 and timed.banks == said["banks"] and timed.assumed == said["assumed"]
    (core,) = timed.cores
    assert timed.last.place == core.place == (0, 0) and core.cycles == timed.cycles
    assert core.cycles_per_tile == said["per_tile"]["cycles"] and core.tiles == 4
    assert [(each.part, each.cycles) for each in core.alone] == [(each["part"], each["cycles"]) for each in said["alone"]]
    assert [tuple(each) for each in core.waits] == [tuple(each.values()) for each in said["core_waits"]]
    assert [tuple(each) for each in core.noc] == [tuple(each.values()) for each in said["noc"]]
    assert [tuple(each) for each in core.circular_buffers] == [tuple(each.values()) for each in said["circular_buffers"]]
    assert core.bound == max([*core.alone, *[lw.Bound(f"NoC {i}, {way}", busy) for i, each in enumerate(core.noc) for way, busy in
                                             (("into the core", each.busy_in), ("out of it", each.busy_out))]],
                             key=lambda bound: bound.cycles)
    assert timed.bound == (f"core (0, 0): {core.bound.part}", core.bound.cycles)
    assert [tuple(each) for each in timed.critical_path] == [((0, 0), 0, timed.cycles, None, None)]
    assert timed.links[0].bytes == max(link.bytes for link in timed.links) > 0
    assert timed.text == OUTPUT.sub("", command_line("kernels", file, "--time"))
    assert str(timed.cycles) in repr(timed) and timed._repr_html_() is None


@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_many_cores_are_what_the_command_says(command_line, copy_of, arch):
    file = copy_of(MULTICAST)
    said = command_line("kernels", file, "--arch", arch, "--time", "--json")
    timed = lw.program(file, arch=arch, time=True, jobs=1).time
    assert timed.to_dict() == said
    assert timed.cycles == said["cycles"] and timed.bound == (said["bound"]["part"], said["bound"]["cycles"])
    assert [core.place for core in timed.cores] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert [core.to_dict() for core in timed.cores] == said["cores"]
    assert [core.bound.part for core in timed.cores] == [core["bound"]["part"] for core in said["cores"]]
    assert timed.last.place == tuple(said["last"]) and timed.last.cycles == timed.cycles
    assert timed.banks == said["banks"]
    for link, expected in zip(timed.links, said["links"], strict=True):
        assert (link.noc, list(link.begin), list(link.end), link.bytes, link.share) == tuple(expected.values())
    first, *others = timed.critical_path
    assert first.begin == 0 and first.signal is None and others[-1].end == timed.cycles
    assert [list(step.core) for step in timed.critical_path] == [step["core"] for step in said["critical_path"]]
    for step, expected in zip(others, said["critical_path"][1:], strict=True):
        assert (step.begin, step.end, step.waited_since) == (expected["begin"], expected["end"], expected["waited_since"])
        assert {**step.signal._asdict(), "core": list(step.signal.core)} == expected["signal"]
    assert others[-1].signal.file.endswith("send_to_all.cpp")
    assert repr(timed).startswith("<lanewise.ProgramTime: 4 cores, ")


def test_the_options_are_the_commands(command_line, copy_of, tmp_path):
    file, trace, page = copy_of(ADD), tmp_path / "trace.json", tmp_path / "page.html"
    said = command_line("kernels", file, "--time", "--json", "--tiles", 2, "--timeline", 3, "--gather", "on", "--perfetto", trace,
                        "--html", page)
    timed = lw.program(file, time=True, tiles=2, timeline=3, gather=True).time
    assert timed.to_dict() == said and len(said["timeline"]) == 3 and timed.cores[0].tiles == 2
    assert timed.perfetto() == json.loads(trace.read_text())
    svg = re.compile(r"<svg.*?</svg>", re.DOTALL)
    assert svg.findall(timed.html()) == svg.findall(page.read_text()) != []
    assert "<iframe" in timed._repr_html_()
    assert timed.cycles != lw.program(file, time=True).time.cycles, "gathering costs nothing less"


def test_a_program_without_an_end_has_no_time():
    run = lw.program(kernels=[{"text": "void kernel_main() { cb_wait_front(0, 1); }", "processor": "riscv_0"}],
                     circular_buffers={0: 1}, time=True)
    assert run.blocked and run.time is None
    assert lw.program("examples/programs/reverse.json").time is None


def test_a_program_that_differs_on_the_cores_has_no_time():
    words = np.zeros(16, np.uint32)
    text = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  auto* const word = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
#ifdef __riscv
  word[0] = 1;
#else
  word[0] = 2;
#endif
}"""
    buffers = [{"name": "words", "memory": "l1", "format": "UInt32", "layout": "rows", "input": words}]
    with pytest.raises(lw.Error, match="buffer words differs from byte 0 on"):
        lw.program(buffers=buffers, time=True,
                   kernels=[{"text": text, "processor": "riscv_0", "runtime_args": [{"buffer": "words"}]}])


@pytest.mark.parametrize("options, message", [
    ({"tiles": 2}, "give time=True"), ({"timeline": 0}, "give time=True"), ({"gather": True}, "give time=True"),
    ({"time": True, "order": "random"}, "leave order="), ({"time": True, "seed": 1}, "leave order="),
    ({"time": True, "tiles": -1}, "tiles=-1"), ({"time": True, "timeline": 1.5}, "timeline=1.5"), ({"jobs": -1}, "jobs=-1"),
])
def test_what_cannot_be_timed_is_an_error(options, message):
    with pytest.raises(lw.Error, match=message):
        lw.program(ADD, **options)


def test_pages_and_traces_need_a_timeline():
    timed = lw.program("examples/programs/reverse.json", time=True).time
    for made in (timed.html, timed.perfetto):
        with pytest.raises(lw.Error, match="without a timeline.*timeline=0"):
            made()


def test_ctrl_c_ends_a_run_in_time():
    child = subprocess.Popen(
        [sys.executable, "-c", """
import lanewise as lw
text = '''#include "api/dataflow/dataflow_api.h"
void kernel_main() {
#ifdef __riscv
  auto* const word = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  const uint32_t rounds = get_arg_val<uint32_t>(0);
  for (uint32_t i = 0; i < rounds; ++i) *word = i;
#endif
}'''
for number in 0, 1:
    if number: print("begins", flush=True)  # and all is compiled
    lw.program(kernels=[{"text": text, "processor": "riscv_0", "runtime_args": [number * 0xffffffff]}],
               circular_buffers={0: 1}, seconds=600, time=True)
"""], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert child.stdout.readline() == "begins\n"
    time.sleep(1)
    os.killpg(child.pid, signal.SIGINT)
    said = child.communicate(timeout=60)[1]
    assert said.endswith("\nKeyboardInterrupt\n") and "Error" not in said
