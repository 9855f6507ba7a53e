"""Counts at their limits and beyond: one clear Error, and never the end of the process."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import lanewise as lw

ZERO = np.zeros(4, np.float32)


def copying(**options):
    return lw.kernel(EXAMPLES / "abs.tt", **options)


@pytest.mark.parametrize("format, tiles", [("bf16", 16), ("fp32", 8)])
def test_dst_holds_so_many_inputs(format, tiles):
    kernel = copying(format=format)
    assert not np.any(kernel(*[ZERO] * tiles))
    for run in (kernel, kernel.trace):
        with pytest.raises(lw.Error, match=f"{tiles + 1} inputs, but Dst holds {tiles} {format} tiles"):
            run(*[ZERO] * (tiles + 1))
    with pytest.raises(lw.Error, match="200 inputs"):
        kernel(*[ZERO] * 200, hazards="off")
    assert copying(format=format, out_tile=tiles - 1)(ZERO).shape == ZERO.shape
    with pytest.raises(lw.Error, match=rf"name one of 0\.\.{tiles - 1}"):
        copying(format=format, out_tile=tiles)(ZERO)


@pytest.mark.parametrize("empty", [np.zeros((0,), np.float32), np.zeros((0, 32), np.uint16)])
def test_an_input_has_elements(empty):
    for inputs in ([empty], [ZERO, empty]):
        with pytest.raises(lw.Error, match="no elements"):
            copying()(*inputs)


@pytest.mark.parametrize("name, least, most", [
    ("out_tile", 0, 2**32 - 1), ("seconds", 0.001, 86400.0), ("mebibytes", 16, 2**20)])
def test_limits_of_a_kernel(name, least, most):
    for value in (least, most):
        assert copying(**{name: value}) is not None
    for value in (-1, most + 1, 2**64, 10**30, "3", [1]):
        with pytest.raises(lw.Error, match=f"^{name}=.* cannot be"):
            copying(**{name: value})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0, 0.0])
def test_seconds_are_a_time(value):
    with pytest.raises(lw.Error, match="^seconds="):
        copying(seconds=value)


@pytest.mark.parametrize("name, least, most", [("operands", 1, 2), ("threads", 0, 2**32 - 1), ("worst", 0, 2**64 - 1)])
def test_limits_of_sweeps(name, least, most):
    kernel = copying()
    for value in (least, most):
        kernel.sweep("x", inputs="sample:5", **{name: value})
        lw.diff(kernel, kernel, inputs="sample:5", **{name: value})
    for value in (least - 1, most + 1, 10**30, 1.5, "2"):
        with pytest.raises(lw.Error, match=f"^{name}=.* cannot be"):
            kernel.sweep("x", inputs="sample:5", **{name: value})
        with pytest.raises(lw.Error, match=f"^{name}=.* cannot be"):
            lw.diff(kernel, kernel, inputs="sample:5", **{name: value})


@pytest.mark.parametrize("name", ["repeat", "rolled"])
def test_limits_of_times(name):
    for value in (-1, 2**32, 1.5):
        with pytest.raises(lw.Error, match=f"^{name}=.* cannot be"):
            copying().time(**{name: value})
    with pytest.raises(lw.Error, match="repeat"):
        copying().time(repeat=2**32 - 1)
