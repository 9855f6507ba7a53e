"""Arrays of any kind in, and the same kind out: NumPy, PyTorch, and whatever speaks DLPack."""

from __future__ import annotations

import io
import sys
from typing import Any, Callable, NamedTuple

import numpy as np

from . import _lanewise
from ._errors import Error

Restore = Callable[["_lanewise.RunResult"], Any]
FromNumpy = Callable[[np.ndarray], Any]

#: Formats whose elements may come as the bits of a uint16 array.
_FLOATS_OF_16_BITS = ("bf16", "fp16")


class Adopted(NamedTuple):
    """An operand as the library takes it, and how a result becomes what the caller had."""

    operand: _lanewise.Operand
    restore: Restore


def adopt(value: Any, name: str, format: str) -> Adopted:
    """`value`: an array of any shape, a number or list, or the text of a pattern ("ramp", see docs/cli.md).

    `name` stands in messages. Error: for an array of something that is no number, or of a type that NumPy does not know.
    """
    if isinstance(value, str):
        pattern = _lanewise.Operand(_lanewise.Operand.Kind.PATTERN, name, value, format)
        return Adopted(pattern, _numbers_of)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _adopt_torch(torch, value, name, format)
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        return _adopt_dlpack(value, name, format)
    return _adopt_numpy(np.asarray(value), name, format, lambda array: array)


def _adopt_torch(torch: Any, tensor: Any, name: str, format: str) -> Adopted:
    def back(array: np.ndarray) -> Any:
        if array.dtype in (np.uint16, np.uint32):  # which torch had no types for
            array = array.astype(np.int64)
        return torch.from_numpy(array).to(tensor.device)

    host = tensor.detach().cpu()
    if tensor.dtype != torch.bfloat16:
        return _adopt_numpy(host.numpy(), name, format, back)

    def back_from_bits(bits: np.ndarray) -> Any:
        return torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16).to(tensor.device)

    def restore(result: _lanewise.RunResult) -> Any:
        if result.format() == "bf16":
            return back_from_bits(_bits_of(result))
        numbers = back(_numbers_of(result))
        return numbers.to(torch.bfloat16) if numbers.dtype.is_floating_point else numbers

    bits = host.contiguous().view(torch.int16).numpy().view(np.uint16)
    return Adopted(_operand_of_bf16(bits, name, format), restore)


def _adopt_dlpack(value: Any, name: str, format: str) -> Adopted:
    try:
        array = np.from_dlpack(value)
    except (RuntimeError, BufferError, TypeError) as error:
        raise Error(f"{name}: NumPy cannot take this {type(value).__name__}: {error}; pass its bits as uint16, "
                    "or numbers of another type") from error
    namespace = getattr(value, "__array_namespace__", None)
    back = getattr(namespace(), "from_dlpack", None) if namespace is not None else None
    return _adopt_numpy(array, name, format, back or (lambda result: result))


def _adopt_numpy(array: np.ndarray, name: str, format: str, back: FromNumpy) -> Adopted:
    if array.dtype.name == "bfloat16":  # of the package ml_dtypes
        return Adopted(_operand_of_bf16(array.view(np.uint16), name, format),
                       lambda result: back(_bfloat16_of(result, array.dtype)))
    if array.dtype.kind not in "biuf":
        raise Error(f"{name}: an array of {array.dtype} has no numbers that a tile could hold; pass floats or integers")
    if array.dtype == np.uint16 and format in _FLOATS_OF_16_BITS:
        return Adopted(_operand(_lanewise.Operand.Kind.PATTERNS, array, name, format),
                       lambda result: back(_bits_of(result)))
    return Adopted(_operand(_lanewise.Operand.Kind.NUMBERS, array, name, format),
                   lambda result: back(_as_type(_numbers_of(result), array.dtype)))


def _operand(kind: _lanewise.Operand.Kind, array: np.ndarray, name: str, format: str) -> _lanewise.Operand:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return _lanewise.Operand(kind, name, file.getvalue(), format)


def _operand_of_bf16(bits: np.ndarray, name: str, format: str) -> _lanewise.Operand:
    if format == "bf16":
        return _operand(_lanewise.Operand.Kind.PATTERNS, bits, name, format)
    numbers = (bits.astype(np.uint32) << 16).view(np.float32)  # a bf16 is the upper half of an fp32
    return _operand(_lanewise.Operand.Kind.NUMBERS, numbers, name, format)


def _numbers_of(result: _lanewise.RunResult) -> np.ndarray:
    """float32, or the narrowest integers that have all numbers of the format."""
    return np.load(io.BytesIO(result.npy()), allow_pickle=False)


def _bits_of(result: _lanewise.RunResult) -> np.ndarray:
    """uint16 with the bits of a format of 16 bits; numbers of any other."""
    numbers = _numbers_of(result)
    if result.format() not in _FLOATS_OF_16_BITS:
        return numbers
    bits = np.frombuffer(result.patterns(), dtype="<u4").astype(np.uint16)
    return bits.reshape(numbers.shape)


def _bfloat16_of(result: _lanewise.RunResult, dtype: np.dtype) -> np.ndarray:
    if result.format() == "bf16":
        return _bits_of(result).view(dtype)
    numbers = _numbers_of(result)
    return numbers.astype(dtype) if numbers.dtype.kind == "f" else numbers


def _as_type(numbers: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Floats in any float type, rounded; integers where the type has all numbers of the format."""
    both_floats = numbers.dtype.kind == "f" and dtype.kind == "f"
    if not both_floats and not (numbers.dtype.kind != "f" and np.can_cast(numbers.dtype, dtype)):
        return numbers
    with np.errstate(over="ignore"):
        return numbers.astype(dtype.newbyteorder("="), copy=False)
