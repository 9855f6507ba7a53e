"""Budgets of accuracy: the rows of tt-llk's `sfpu_accuracy_budget.yaml`, and kernels held against them.

The file maps names of operations to lists of rows. A row says for which variants it is (`in`, `out`, `approx`, `dest`,
`arch`; what it leaves out is any) and what these hold: `max_ulp`, or `metric: tolerance`. Of the rows that match, the one
that says most wins. A row without `arch` was measured on Wormhole, and holds there alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _chips
from ._errors import Error
from ._kernel import Kernel, Reference, assert_with_ulp
from ._results import Sweep

#: Where rows without `arch` were measured.
MEASURED_ARCH = "wormhole"

_FORMATS = {"bf16": "Float16_b", "fp16": "Float16", "fp32": "Float32"}
_KEYS = ("in", "out", "approx", "dest", "arch")
_SWITCHES = ("approx", "dest")
_BOUNDS = ("metric", "max_ulp", "near_zero_atol", "atol", "rtol")


@dataclass(frozen=True)
class Row:
    """One row of the file: its keys that are set, and what it promises.

    max_ulp is None for a row whose metric is a tolerance. near_zero_atol is an absolute error that the vendor's gate also lets
    pass near zero; it is not applied here, so that the check is at most stricter.
    """

    operation: str
    keys: Mapping[str, str]
    max_ulp: Optional[int]
    near_zero_atol: Optional[float] = None

    def matches(self, variant: Mapping[str, str]) -> bool:
        """Whether all keys that are set are those of the variant."""
        return all(variant.get(key) == value for key, value in self.keys.items())

    def __str__(self) -> str:
        keys = ", ".join(f"{key}: {value}" for key, value in self.keys.items())
        return f"{self.operation} {{{keys}}}"


class Budget:
    """The rows of a file, by operation. Error: lanewise.Error that says what is wrong, and where."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = os.fspath(path)
        self.rows: Dict[str, List[Row]] = {name: self._rows_of(name, rows)
                                           for name, rows in _load(self.path).items()}

    def find(self, operation: str, kernel: Kernel, *, approx: bool = False) -> Row:
        """The row for a kernel: its formats, `dest` "Yes" for a Dst of 32 bits, its chip.

        Error: if there is no row for it, if two say equally much, or if the winner promises a tolerance instead of ULP.
        """
        variant = self.variant(kernel, approx)
        if operation not in self.rows:
            raise self._error(f"there is no operation '{operation}'", "name one of " + ", ".join(sorted(self.rows)))
        matching = [row for row in self.rows[operation]
                    if row.matches(variant) and ("arch" in row.keys or variant["arch"] == MEASURED_ARCH)]
        if not matching:
            raise self._error(f"no row of {operation} is for {variant}",
                              f"add one; rows without arch hold on {MEASURED_ARCH} alone")
        most = max(len(row.keys) for row in matching)
        winners = [row for row in matching if len(row.keys) == most]
        if len(winners) > 1:
            raise self._error(f"two rows say equally much about {variant}: {winners[0]} and {winners[1]}",
                              "let one of them say more")
        if winners[0].max_ulp is None:
            raise self._error(f"{winners[0]} is a tolerance, and not in ULP", "give it a max_ulp, which a sweep can hold")
        return winners[0]

    @staticmethod
    def variant(kernel: Kernel, approx: bool = False) -> Dict[str, str]:
        """The keys of a kernel. Error: for a format that the file has no name for."""
        out_format = kernel.out_format or kernel.format
        for name in (kernel.format, out_format):
            if name not in _FORMATS:
                raise Error(f"budgets have no format '{name}'; they are for {', '.join(_FORMATS)}")
        return {"in": _FORMATS[kernel.format], "out": _FORMATS[out_format], "approx": "Yes" if approx else "No",
                "dest": "Yes" if kernel.format == "fp32" else "No", "arch": _chips.FAMILIES[kernel.arch]}

    def hold(self, operation: str, kernel: Kernel, ref: Reference, *, approx: bool = False, **options: Any) -> Sweep:
        """Asserts that the kernel is within its row, in the steps of tt-llk's gate; `options` as for `Kernel.sweep()`.

        Raises: AssertionError with the worst inputs; Error as `find()` says.
        """
        row = self.find(operation, kernel, approx=approx)
        assert row.max_ulp is not None
        return assert_with_ulp(kernel, ref, row.max_ulp, **{"ulp": "tt-llk", **options})

    def _error(self, message: str, remedy: str, line: int = 0) -> Error:
        return _error_in(self.path, message, remedy, line)

    def _rows_of(self, operation: str, rows: Any) -> List[Row]:
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            raise self._error(f"{operation} has no rows", "give it a list of them, or remove it")
        found: List[Row] = []
        for row in rows:
            made = self._row_of(operation, row)
            if any(made.keys == other.keys for other in found):
                raise self._error(f"{made} is there twice", "remove one")
            found.append(made)
        return found

    def _row_of(self, operation: str, row: Dict[str, Any]) -> Row:
        unknown = sorted(str(key) for key in row if key not in _KEYS + _BOUNDS)
        if unknown:
            raise self._error(f"a row of {operation} has the unknown field '{unknown[0]}'",
                              "use " + ", ".join(_KEYS + _BOUNDS))
        keys = {key: self._key_of(operation, key, row[key]) for key in _KEYS if key in row}
        is_tolerance = row.get("metric", "ulp") == "tolerance"
        others = ("max_ulp", "near_zero_atol") if is_tolerance else ("atol", "rtol")
        if row.get("metric", "ulp") not in ("ulp", "tolerance") or any(name in row for name in others):
            raise self._error(f"a row of {operation} mixes metrics",
                              "give max_ulp and near_zero_atol, or metric: tolerance with atol and rtol")
        max_ulp = row.get("max_ulp")
        if not is_tolerance and (isinstance(max_ulp, bool) or not isinstance(max_ulp, int) or max_ulp < 0):
            raise self._error(f"max_ulp of a row of {operation} is {max_ulp!r}", "give a whole number of steps, from 0")
        return Row(operation, keys, max_ulp, row.get("near_zero_atol"))

    def _key_of(self, operation: str, key: str, value: Any) -> str:
        if key in _SWITCHES:
            if isinstance(value, bool):  # YAML reads a bare Yes so
                return "Yes" if value else "No"
            if value not in ("Yes", "No"):
                raise self._error(f"{key} of a row of {operation} is {value!r}", "use \"Yes\" or \"No\"")
            return str(value)
        if not isinstance(value, str):
            raise self._error(f"{key} of a row of {operation} is {value!r}", "give a name")
        return value.lower() if key == "arch" else value


def _error_in(path: str, message: str, remedy: str, line: int = 0) -> Error:
    place = f"{path}:{line}" if line else path
    return Error(f"{place}: BadInput: {message}; {remedy}", message=message, remedy=remedy, file=path, line=line)


def _load(path: str) -> Dict[str, Any]:
    """The mapping of the file. PyYAML keeps the last of two equal keys, so that these are looked for first."""
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is not None:
            _refuse_doubled_keys(path, node)
        loaded = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        raise _error_in(path, f"the file cannot be read: {error}", "check the path") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if isinstance(error, Error):
            raise
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or type(error).__name__
        raise _error_in(path, f"this is no YAML: {problem}", "mend it there", mark.line + 1 if mark else 0) from error
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise _error_in(path, "the file maps no operations to rows", "begin with 'Name:' and a list of rows")
    return loaded


def _refuse_doubled_keys(path: str, root: Any) -> None:
    import yaml

    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            names = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value != "<<" and key.value in names:
                    raise _error_in(path, f"'{key.value}' is there twice", "remove one", key.start_mark.line + 1)
                names.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
                waiting.append(value)
