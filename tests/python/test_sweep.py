"""Sweeps and comparisons. docs/accuracy.md: examples/exp.tt is correctly rounded for all bf16 inputs but -0.225, by 1 ULP."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import ROOT

import lanewise as lw


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    """Names of files are those of the command line."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def exponential():
    return lw.kernel(ROOT / "examples/exp.tt")


def test_a_sweep_is_that_of_the_command_line(command_line):
    swept = lw.kernel("examples/exp.tt", "wh").sweep("exp(x)", max_ulp=1, worst=5)
    arguments = ("sweep", "examples/exp.tt", "--arch", "wh", "--ref", "exp(x)", "--max-ulp", 1)
    assert swept.to_dict() == command_line(*arguments, "--json")
    assert swept.text == command_line(*arguments)


def test_the_documented_error(exponential):
    swept = exponential.sweep("exp(x)")
    assert swept.max_ulp == 1 and swept.inputs == 65536
    assert swept.counts == {"0": 65025, "1": 1, "2": 0, "3-10": 0, "11-100": 0, "over 100": 0}
    (worst,) = swept.worst
    assert (worst.x_bits, worst.expected_bits, worst.found_bits, worst.ulp) == ("BE66", "3F4D", "3F4C", -1)
    assert worst.y is None and worst.exact == pytest.approx(math.exp(worst.x), rel=2**-40)
    assert 0.5 < swept.max_exact_ulp < 0.51 and swept.lost == 0
    assert swept.before_store.max_ulp == 1  # it rounds before it stores


def test_a_function_of_numpy_is_as_good_as_an_expression(exponential):
    of_expression, of_function = exponential.sweep("exp(x)"), exponential.sweep(np.exp)
    assert of_function.counts == of_expression.counts
    assert "against exp" in of_function.text


def test_a_function_of_torch(exponential):
    torch = pytest.importorskip("torch")
    for function in (torch.exp, lambda x: torch.exp(x)):
        assert exponential.sweep(function).counts == exponential.sweep("exp(x)").counts
    assert "torch.exp" in exponential.sweep(torch.exp).text


def test_functions_get_doubles_of_the_inputs(exponential):
    seen = []

    def function(x):
        assert x.dtype == np.float64 and x.ndim == 1
        seen.append(x)
        return np.exp(x)

    exponential.sweep(function, inputs="range:1:2", threads=1)
    assert {1.0, 2.0, 1.0078125} <= set(np.concatenate(seen))  # the ends, and the bf16 number after 1


def test_two_operands():
    add = lw.kernel("examples/integer.tt", format="int32")
    for ref in ("x + y", lambda x, y: x + y, np.add):
        swept = add.sweep(ref, inputs="sample:5000:1:-1000:1000")
        assert swept.max_ulp == 0 and swept.inputs == 5000
    assert add.sweep(lambda *xy: xy[0] + xy[1], operands=2, inputs="range:-50:50").max_ulp == 0


@pytest.mark.parametrize("function, complaint", [(lambda x: x[:3], "3 numbers for"), (3, "function of arrays")])
def test_functions_that_are_none(exponential, function, complaint):
    with pytest.raises(lw.Error, match=complaint):
        exponential.sweep(function)


def test_what_a_function_raises_comes_out(exponential):
    with pytest.raises(ZeroDivisionError):
        exponential.sweep(lambda x: 1 / 0)
    with pytest.raises(KeyError):
        exponential.sweep(np.exp, progress=lambda done, total: {}["x"], inputs="sample:90000000", generate=False)


@pytest.mark.parametrize("options, complaint", [
    ({"inputs": "few"}, "which inputs"),
    ({"domain": "x >"}, "domain.*column 4"),
    ({"ulp": "steps"}, "line, tt-llk"),
    ({"resume": "nowhere/state"}, "nowhere"),
])
def test_options_that_mean_nothing(exponential, options, complaint):
    with pytest.raises(lw.Error, match=complaint):
        exponential.sweep("exp(x)", **options)


def test_an_expression_that_is_none(exponential):
    with pytest.raises(lw.Error, match="ref: .*column 5"):
        exponential.sweep("exp(")


def test_lost_results_are_infinitely_wrong(exponential):
    swept = exponential.sweep("-x")  # exp(100) is infinite where -100 is expected
    assert swept.lost > 0 and swept.max_ulp == math.inf


def test_gates(exponential):
    assert exponential.sweep("exp(x)", max_ulp=1).holds
    missed = exponential.sweep("exp(x)", max_ulp=0)
    assert not missed.holds and "BE66" in missed.misses[0]
    assert not exponential.sweep("exp(x)", max_ulp=1, specials=True).holds  # docs: NaN inputs differ


def test_assertions(exponential):
    assert lw.assert_with_ulp(exponential, "exp(x)", 1).max_ulp == 1
    with pytest.raises(AssertionError, match="(?s)not within 0 ULP.*BE66.*-1 ULP"):
        lw.assert_with_ulp(exponential, np.exp, 0)


def test_tables(exponential):
    swept = exponential.sweep("exp(x)")
    assert list(swept.to_pandas()["x_bits"]) == ["BE66"]
    assert swept.to_pandas("decades")["inputs"].sum() == 65026 - 2  # zeros are in none
    assert swept.to_pandas("histogram")["results"].sum() == 65026
    assert {"specials", "bins"} <= {name for name in ("specials", "bins") if len(swept.to_pandas(name))}
    with pytest.raises(lw.Error, match="decades"):
        swept.to_pandas("rows")


def test_a_comparison_is_that_of_the_command_line(command_line):
    a, b = (lw.kernel(f"examples/{name}") for name in ("exp.tt", "exp.cpp"))
    compared = lw.diff(a, b, "exp(x)")
    arguments = ("diff", "examples/exp.tt", "examples/exp.cpp", "--ref", "exp(x)")
    assert compared.text == command_line(*arguments)
    assert compared.changed == command_line(*arguments, "--json")["chips"][0]["changed"]
    assert lw.diff(a, a).same and lw.diff(a, a).changed == 0 and lw.diff(a, a).max_ulp == 0


def test_kernels_that_cannot_be_compared(exponential):
    with pytest.raises(lw.Error, match="different chips"):
        lw.diff(exponential, lw.kernel("examples/exp.tt", "wh"))
    with pytest.raises(lw.Error, match="different formats"):
        lw.diff(exponential, lw.kernel("examples/exp.tt", format="fp32"))


def test_a_sweep_goes_on_from_its_file(exponential, tmp_path):
    state = tmp_path / "state"

    def stop(done, total):
        raise KeyboardInterrupt

    k = lw.kernel("examples/exp.tt", format="fp32")
    options = {"inputs": "sample:6000000", "generate": False}
    with pytest.raises(KeyboardInterrupt):
        k.sweep("exp(x)", resume=state, progress=stop, **options)
    with pytest.raises(lw.Error, match="another sweep|differ"):
        exponential.sweep("exp(x)", resume=state)
    with pytest.raises(lw.Error, match="cannot be resumed"):
        exponential.sweep(np.exp, resume=state)
    assert k.sweep("exp(x)", resume=state, **options).to_dict() == k.sweep("exp(x)", **options).to_dict()
    assert not state.exists()


def test_other_threads_run_while_a_sweep_does(exponential):
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    lw.kernel("examples/exp.tt", format="fp32").sweep("exp(x)", inputs="sample:20000000", generate=False, threads=1)
    end = time.monotonic()
    stop.set()
    thread.join()
    during = [each for each in ticks if start < each < end]
    assert len(during) > (end - start) / 0.01 / 10, (len(during), end - start)


def test_ctrl_c_ends_a_sweep():
    k = lw.kernel("examples/exp.tt", format="fp32")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            k.sweep("exp(x)", generate=False)  # 2^32 inputs take minutes
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 10


def test_progress_is_told():
    told = []
    lw.kernel("examples/exp.tt", format="fp32").sweep("exp(x)", inputs="sample:20000000", generate=False,
                                                      progress=lambda done, total: told.append((done, total)))
    assert told and told == sorted(told) and all(total == 20000000 for _, total in told)
