"""Programs of tt-metal by lanewise.program(), with Lanewise's own headers."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import ROOT

import lanewise as lw

KERNELS = "examples/programs/kernels/"


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    """Kernels are named as the examples name them."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def numbers():
    """Two arrays of whole numbers, whose sums BF16 has."""
    random = np.random.default_rng(1)
    return [random.integers(-100, 100, (128, 32)).astype(np.float32) for _ in range(2)]


def adding(a, b, tiles=4, **others):
    """The example by arguments instead of its description."""
    return lw.program(
        buffers={"a": a, "b": {"input": b}, "c": {"shape": a.shape}}, circular_buffers={0: 2, 1: {"pages": 2}, 16: 2},
        kernels=[
            {"file": KERNELS + "read_pair.cpp", "processor": "riscv_1", "compile_args": [{"accessor": "a"}, {"accessor": "b"}],
             "runtime_args": [{"buffer": "a"}, {"buffer": "b"}, np.uint32(4)]},
            {"file": KERNELS + "add.cpp", "processor": "compute", "runtime_args": [tiles]},
            {"file": KERNELS + "write.cpp", "processor": "riscv_0", "compile_args": [{"accessor": "c"}],
             "runtime_args": [{"buffer": "c"}, 4]}], **others)


def moving(text, **fields):
    return lw.program(kernels=[{"text": text, "processor": "riscv_0", **fields.pop("kernel", {})}], **fields)


def test_a_description_with_arrays_for_its_buffers(numbers):
    a, b = numbers
    run = lw.program("examples/programs/vector_add.json", {"a": a, "b": b})
    assert run.ok and not run.findings and not run.blocked and not run.ran_out
    assert run.transactions == 12 and run.instructions["math"] > 0
    np.testing.assert_array_equal(run["c"], a + b)
    np.testing.assert_array_equal(run["a"], a)
    assert not os.path.exists("c.npy"), "outputs come as arrays, not as files"


@pytest.mark.parametrize("order", ["round-robin", "random", "adversarial"])
def test_arguments_in_place_of_a_description(numbers, order):
    a, b = numbers
    np.testing.assert_array_equal(adding(a, b, order=order, seed=3)["c"], a + b)


def test_a_deadlock_is_told_by_who_waits(numbers):
    run = adding(*numbers, tiles=5)
    assert not run.ok and run["c"].shape == (128, 32)
    assert any("unpack waits for line 11: more pages of c_0" in each for each in run.blocked)


def test_findings_and_prints():
    words = np.arange(16, dtype=np.uint32)
    run = moving("""#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  noc_async_read_page(0, from, get_write_ptr(3));
  DPRINT("half of {} is {:.1f}\\n", 5, 2.5f);
}""", kernel={"compile_args": [{"accessor": "words"}], "runtime_args": [{"buffer": "words"}]},
                 buffers=[{"name": "words", "format": "UInt32", "layout": "rows", "input": words}],
                 circular_buffers=[{"index": 3, "format": "UInt32", "pages": 1}])
    assert run.prints == ["brisc: half of 5 is 2.5"]
    assert [(finding.rule, finding.line) for finding in run.findings] == [("programs 3", 4)]
    assert "noc_async_read_barrier" in run.findings[0].remedy and not run.ok
    np.testing.assert_array_equal(run["words"].ravel(), words)


def test_an_argument_may_lie_within_a_buffer():
    def stored(offset):
        return moving("""#include "api/dataflow/dataflow_api.h"
void kernel_main() { *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = 7; }""",
                      kernel={"runtime_args": [{"buffer": "words", "offset": offset}]},
                      buffers=[{"name": "words", "memory": "l1", "format": "UInt32", "layout": "rows",
                                "input": np.zeros(16, np.uint32)}])

    assert list(np.flatnonzero(stored(20)["words"])) == [5]
    with pytest.raises(lw.Error, match=r"kernels\[0\]: .* 64 bytes behind the beginning of buffer 'words'"):
        stored(64)


TURN_ROUND = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 64);
  constexpr uint32_t next = TensorAccessorArgs<0>().next_compile_time_args_offset();
  const auto to = TensorAccessor(TensorAccessorArgs<next>(), get_arg_val<uint32_t>(1), 64);
  for (uint32_t page = 0; page < 12; ++page) {
    noc_async_read(from.get_noc_addr(page), get_write_ptr(0), 64);
    noc_async_read_barrier();
    noc_async_write(get_write_ptr(0), to.get_noc_addr(11 - page), 64);
    noc_async_write_barrier();
  }
}"""
ROUND_ALL_CORES = {"memory": "l1", "interleaved": True}
IN_BANKS = {"memory": "dram", "shards": {"cores": [[5, 0], [1, 0], [3, 0]], "tensor": [4, 3], "shard": [1, 2]}}
ON_CORES = {"memory": "l1", "shards": {"cores": [[2, 1], [0, 0], [3, 0]], "tensor": [4, 3], "shard": [3, 1]}}


def turned_round(source, target, arch, text=TURN_ROUND, **options):
    """Pages of x in the other order in y, through accessors."""
    pages = np.arange(12 * 16, dtype=np.uint32).reshape(12, 16)
    fields = {"format": "UInt32", "layout": "rows", "page_bytes": 64}
    run = lw.program({"arch": arch, "grid": [4, 2],
                      "buffers": [{"name": "x", **fields, **source},
                                  {"name": "y", **fields, "bytes": 768, "shape": [12, 16], **target}],
                      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 1}],
                      "kernels": [{"text": text, "processor": "riscv_0",
                                   "compile_args": [{"accessor": "x"}, {"accessor": "y"}],
                                   "runtime_args": [{"buffer": "x"}, {"buffer": "y"}]}]}, {"x": pages}, **options)
    assert run.ok and not run.findings
    np.testing.assert_array_equal(run["y"], pages[::-1])
    return run


@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_accessors_find_pages_in_all_banks(arch):
    turned_round(ROUND_ALL_CORES, IN_BANKS, arch)
    turned_round(ON_CORES, ROUND_ALL_CORES, arch)


def test_generators_of_addresses_find_pages_on_all_cores():
    text = TURN_ROUND.replace("const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0), 64)",
                              "const InterleavedAddrGen<false> from{get_arg_val<uint32_t>(0), 64}")
    assert text != TURN_ROUND and turned_round(ROUND_ALL_CORES, {"memory": "dram"}, "bh", text, time=True).time.cycles > 0


@pytest.mark.skipif("LANEWISE_METAL" not in os.environ, reason="LANEWISE_METAL names no checkout")
@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_accessors_of_a_checkout_find_them_too(arch):
    turned_round(ROUND_ALL_CORES, IN_BANKS, arch, metal=os.environ["LANEWISE_METAL"])
    turned_round(IN_BANKS, ROUND_ALL_CORES, arch, metal=os.environ["LANEWISE_METAL"])


@pytest.mark.parametrize("attempt, message", [
    (lambda: lw.program("examples/programs/none.json"), "none.json"),
    (lambda: lw.program("examples/programs/vector_add.json", {"z": np.zeros(4)}), "has no buffer 'z'"),
    (lambda: lw.program("examples/programs/vector_add.json", {"a": np.zeros(4)}), "buffer 'a' has 8192 bytes"),
    (lambda: lw.program("examples/programs/vector_add.json", {"a": ["x"]}), "has no numbers"),
    (lambda: lw.program("examples/programs/vector_add.json", arch="gs"), "no chip 'gs'"),
    (lambda: lw.program("examples/programs/vector_add.json", order="any"), "order='any'"),
    (lambda: lw.program("examples/programs/vector_add.json", kernels=[{}]), "not both"),
    (lambda: lw.program({"kernels": [{"noc": object()}]}), "cannot have"),
    (lambda: lw.program({"kernel": []}), "kernel"),
    (lambda: lw.program(buffers={"a": {"shape": (4,), "format": "BF16"}}), "BF16"),
    (lambda: moving("void kernel_main() { eth_send_packet(0, 0, 0, 0); }"), "eth_send_packet"),
])
def test_what_cannot_be_used_is_an_error(attempt, message):
    with pytest.raises(lw.Error, match=message):
        attempt()


def ends_by_ctrl_c(signal_to, kernels):
    """Runs a program whose kernels have no end, and lets `signal_to(pid)` send it Ctrl-C: what it says of that."""
    child = subprocess.Popen(
        [sys.executable, "-c", f"""
import lanewise as lw
print("begins", flush=True)
lw.program(kernels={kernels!r}, seconds=600)
"""], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    child.stdout.readline()
    time.sleep(2)
    signal_to(child.pid)
    return child.communicate(timeout=60)[1]


ENDLESS = {"text": 'void kernel_main() { for (;;) asm volatile(""); }', "processor": "riscv_0"}
ON_TWO_CORES = [{**ENDLESS, "cores": [[0, 0, 1, 0]]}]


@pytest.mark.parametrize("kernels", [[ENDLESS], ON_TWO_CORES])
def test_ctrl_c_ends_the_kernels(kernels):
    assert "KeyboardInterrupt" in ends_by_ctrl_c(lambda pid: os.killpg(pid, signal.SIGINT), kernels)


@pytest.mark.parametrize("kernels", [[ENDLESS], ON_TWO_CORES])
def test_ctrl_c_that_came_before_the_kernels_ends_them(kernels):
    # While g++ compiles, only Python may see it, as here: whatever runs later has not.
    assert "KeyboardInterrupt" in ends_by_ctrl_c(lambda pid: os.kill(pid, signal.SIGINT), kernels)
