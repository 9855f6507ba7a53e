"""Functions in Python as references: of arrays of float64, whether they are NumPy's or PyTorch's."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Callable, Optional

import numpy as np

from ._errors import Error


def name_of(function: Callable[..., Any]) -> str:
    """How reports call it: "torch.exp", "mish"."""
    name = getattr(function, "__name__", None) or type(function).__name__
    return f"torch.{name}" if _is_torchs(function) else name


def operands_of(function: Callable[..., Any]) -> int:
    """1, or 2 for functions of two arrays, as far as they tell."""
    if isinstance(function, np.ufunc):
        return min(function.nin, 2)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C
        return 1
    needed = [each for each in parameters
              if each.default is each.empty and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return 2 if len(needed) == 2 else 1


def on_arrays(function: Callable[..., Any], operands: int) -> Callable[..., np.ndarray]:
    """The function of NumPy arrays of float64; one that takes only torch tensors gets these, of the same numbers.

    Error: if it is not callable.
    """
    if not callable(function):
        raise Error(f"a reference is an expression, as 'tanh(x)', or a function of arrays, not a {type(function).__name__}")
    torch = _torch_for(function, operands)

    def of_arrays(*arrays: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            if torch is None:
                return np.asarray(function(*arrays), dtype=np.float64)
            return function(*(torch.from_numpy(array) for array in arrays)).to(torch.float64).numpy()

    return of_arrays


def _torch_for(function: Callable[..., Any], operands: int) -> Optional[Any]:
    """The module torch, if the function takes tensors and no arrays."""
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    try:
        with np.errstate(all="ignore"):
            result = function(*([np.ones(1)] * operands))
        return torch if isinstance(result, torch.Tensor) else None
    except (TypeError, AttributeError):
        return torch


def _is_torchs(function: Callable[..., Any]) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and getattr(torch, getattr(function, "__name__", "") or "-", None) is function
