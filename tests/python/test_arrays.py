"""Arrays in and the same kind out. examples/abs.tt says what its result is: |x|, exact for fp32, bf16 and fp16."""

import sys

import numpy as np
import pytest
from conftest import EXAMPLES

import lanewise as lw

#: Numbers that bf16 and fp16 have exactly.
NUMBERS = np.array([-3.0, -0.5, 0.0, 1.25, 96.0, -7.0])


@pytest.fixture(scope="module")
def magnitude():
    return lw.kernel(EXAMPLES / "abs.tt")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", ">f4"])
def test_floats_keep_their_type(magnitude, dtype):
    x = NUMBERS.astype(dtype)
    result = magnitude(x)
    assert result.dtype == np.dtype(dtype).newbyteorder("=")
    np.testing.assert_array_equal(result, np.abs(x))


@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 7), (64, 32), (2, 32, 64), (1025,), (40, 33)])
def test_shapes_stay(magnitude, shape):
    x = np.resize(NUMBERS, shape).astype(np.float32)
    result = magnitude(x)
    assert result.shape == shape
    np.testing.assert_array_equal(result, np.abs(x))


def test_the_order_in_memory_does_not_matter(magnitude):
    x = np.resize(NUMBERS, (6, 7)).astype(np.float32)
    for view in (np.asfortranarray(x), x.T, x[::2, ::-3]):
        np.testing.assert_array_equal(magnitude(view), np.abs(view))


def test_numbers_and_lists_are_float32(magnitude):
    assert magnitude(-2).dtype == np.float32
    np.testing.assert_array_equal(magnitude([-2, 3]), np.array([2, 3], np.float32))


def test_inputs_are_rounded_to_the_format(magnitude):
    # 1 + 2^-9 lies in the middle between the bf16 numbers 1 and 1 + 2^-7, below which is 1 + 2^-8, a tie that goes to even.
    assert magnitude(np.float32(1 + 2**-9)) == 1
    assert lw.kernel(EXAMPLES / "abs.tt", format="fp32")(np.float32(1 + 2**-9)) == np.float32(1 + 2**-9)


def test_uint16_is_the_bits_of_a_bf16(magnitude):
    bits = np.arange(0x10000, dtype=np.uint16)
    result = magnitude(bits)
    assert result.dtype == np.uint16
    exponent = bits >> 7 & 0xFF
    normal = (exponent != 0) & (exponent != 0xFF)
    np.testing.assert_array_equal(result[normal], bits[normal] & 0x7FFF)
    assert not result[exponent == 0].any()  # denormals come out as 0


def test_uint16_is_the_bits_of_an_fp16():
    bits = np.float16(NUMBERS).view(np.uint16)
    result = lw.kernel(EXAMPLES / "abs.tt", format="fp16")(bits)
    np.testing.assert_array_equal(result, bits & 0x7FFF)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_keep_their_type(dtype):
    add = lw.kernel(EXAMPLES / "integer.tt", format="int32")
    a, b = np.array([1, -5, 2**31 - 1], dtype), np.array([2, 3, 1], dtype)
    result = add(a, b)
    assert result.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(result, [3, -2, 2**31 - 1])  # the sum is limited to 2^31 - 1


def test_an_integer_type_without_room_is_not_used():
    add = lw.kernel(EXAMPLES / "integer.tt", format="int32")
    result = add(np.array([127], np.int8), np.array([1], np.int8))
    assert result.dtype == np.int32 and result == 128


class Foreign:
    """An array of another library, with the protocol of the array API standard."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __array_namespace__(self):
        return sys.modules[__name__]


def from_dlpack(array):
    return Foreign(np.from_dlpack(array))


def test_dlpack_in_and_out(magnitude):
    result = magnitude(Foreign(NUMBERS.astype(np.float32)))
    assert isinstance(result, Foreign)
    np.testing.assert_array_equal(result.array, np.abs(NUMBERS))


def test_torch_in_and_out(magnitude):
    torch = pytest.importorskip("torch")
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        x = torch.tensor(NUMBERS, requires_grad=True).to(dtype).reshape(2, 3)
        result = magnitude(x)
        assert result.dtype == dtype
        assert torch.equal(result, x.detach().abs())


def test_bfloat16_of_torch_keeps_its_bits():
    torch = pytest.importorskip("torch")
    x = torch.arange(-1, 1, 2**-9).to(torch.bfloat16)
    assert torch.equal(lw.kernel(EXAMPLES / "abs.tt")(x), x.abs())
    assert torch.equal(lw.kernel(EXAMPLES / "abs.tt", format="fp32")(x), x.abs())


def test_bfloat16_of_ml_dtypes(magnitude):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = NUMBERS.astype(ml_dtypes.bfloat16)
    result = magnitude(x)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(result, np.abs(x))


@pytest.mark.parametrize("array, complaint", [
    (np.array(["a"]), "no numbers"),
    (np.ones(2, np.complex64), "no numbers"),
    (np.array([object()]), "no numbers"),
    (np.zeros((0, 3), np.float32), "no elements"),
    (np.longdouble(1), "dtype"),
    ("rampp", "neither an input pattern nor a file"),
])
def test_what_is_no_input(magnitude, array, complaint):
    with pytest.raises(lw.Error, match=complaint):
        magnitude(array)


def test_an_integer_out_of_range_is_named():
    with pytest.raises(lw.Error, match=r"input 0.*element \(1\)"):
        lw.kernel(EXAMPLES / "integer.tt", format="int16")(np.array([1, 2**20]))
