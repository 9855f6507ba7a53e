"""What the library finds out, as objects: each is a view of the JSON that the command line prints with --json."""

from __future__ import annotations

import html
import json
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, TypeVar

from . import _chips, _lanewise

if TYPE_CHECKING:
    import pandas


def _framed(page: str) -> str:
    """A page of its own within a notebook's, so that neither's styles touch the other."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:0"></iframe>'


Result = TypeVar("Result")


class ByChip(Dict[str, Result]):
    """A result for each chip, by its name: `s["wh"].max_ulp`. In a notebook, their pages one below the other."""

    @property
    def text(self) -> str:
        """The reports, one after the other."""
        return "\n".join(each.text for each in self.values())  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.values())  # type: ignore[attr-defined]


def _number(value: Any) -> float:
    """A number of the JSON, where NaN and infinities are strings; a lost error, which is null, is infinite."""
    return math.inf if value is None else float(value)


@dataclass(frozen=True)
class Case:
    """One input with what came out.

    x, y are the operands (y is None where there is one), `expected` is the reference rounded to the output format, `exact`
    the same before rounding, `found` the kernel's result. `ulp` is the signed error in ULP, infinite where there is no
    number for it. Texts that end in `bits` are the bits in hexadecimal.
    """

    x: float
    y: Optional[float]
    expected: float
    found: float
    exact: float
    ulp: float
    x_bits: str
    expected_bits: str
    found_bits: str

    def __str__(self) -> str:
        place = f"x = {self.x!r} ({self.x_bits})" + (f", y = {self.y!r}" if self.y is not None else "")
        return (f"{place}: {self.ulp:g} ULP, found {self.found!r} ({self.found_bits}), "
                f"expected {self.expected!r} ({self.expected_bits}), exactly {self.exact!r}")


def _case(entry: Dict[str, Any]) -> Case:
    return Case(x=_number(entry["x"]), y=_number(entry["y"]) if "y" in entry else None,
                expected=_number(entry["expected"]), found=_number(entry["found"]), exact=_number(entry["exact"]),
                ulp=_number(entry["ulp"]), x_bits=entry["x_bits"], expected_bits=entry["expected_bits"],
                found_bits=entry["found_bits"])


class _Errors:
    """Errors of many results, in ULP."""

    def __init__(self, entry: Dict[str, Any]) -> None:
        self._entry = entry

    @property
    def max_ulp(self) -> float:
        """The largest |ULP|; infinite if a result has no error in ULP (NaN for a number, ...)."""
        return math.inf if self.lost else _number(self._entry["largest"])

    @property
    def mean_ulp(self) -> float:
        """The mean |ULP| of the results that have one."""
        return _number(self._entry["mean"])

    @property
    def max_exact_ulp(self) -> float:
        """The largest error from the reference before it is rounded, as a fraction; not of lost results."""
        return _number(self._entry["largest_exact"])

    @property
    def lost(self) -> int:
        """Results that have no error in ULP."""
        return int(self._entry["lost"])

    @property
    def counts(self) -> Dict[str, int]:
        """Results by |ULP|, in the rows "0", "1", "2", "3-10", "11-100", "over 100"."""
        return {row["ulp"]: row["results"] for row in self._entry["rows"]}


class Sweep(_Errors):
    """A kernel over every input, held against a reference (docs/accuracy.md).

    Errors are those of inputs that are normal numbers or zero; NaN, infinite and denormal inputs are in `to_dict()`.
    In a notebook it is shown as the page of `lanewise sweep --html`.
    """

    def __init__(self, report: _lanewise.SweepReport) -> None:
        self._report = report
        self._data: Dict[str, Any] = json.loads(report.json())
        self._chip = self._data["chips"][0]
        super().__init__(self._chip["error"])

    @property
    def worst(self) -> List[Case]:
        """The inputs with the largest errors above 0, the largest first."""
        return [_case(entry) for entry in self._chip["worst"]]

    @property
    def inputs(self) -> int:
        """How many inputs were looked at, those of kinds of their own included."""
        return int(self._data["done"])

    @property
    def before_store(self) -> Optional[_Errors]:
        """What rounding to nearest before the store would have left; None for formats of 32 bits."""
        entry = self._chip["before_store"]
        return None if entry is None else _Errors(entry)

    @property
    def headline(self) -> str:
        """One sentence: the largest error, the mean, and what these leave out."""
        return self._chip["headline"]

    @property
    def cycles_per_tile(self) -> float:
        """Cycles of a tile in the steady state."""
        return float(self._chip["cycles"])

    @property
    def holds(self) -> bool:
        """Whether results mean something and all gates that were asked for (max_ulp=, ...) hold."""
        return self._report.holds()

    @property
    def misses(self) -> List[str]:
        """What stands in the way of the gates, a sentence each."""
        return [miss for gate in self._data["gates"] for miss in gate["misses"]]

    @property
    def text(self) -> str:
        """The report of `lanewise sweep`."""
        return self._report.text()

    def html(self) -> str:
        """The page of `lanewise sweep --html`, which needs nothing else."""
        return self._report.html()

    def svg(self) -> str:
        """The pictures alone."""
        return self._report.svg()

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise sweep --json` prints (docs/accuracy-json.md)."""
        return json.loads(self._report.json())

    def to_pandas(self, table: str = "worst") -> "pandas.DataFrame":
        """One of its tables as a DataFrame: "worst" inputs, "specials", "decades" of x, "bins" of x, or the "histogram".

        Error: lanewise.Error for another name.
        """
        import pandas

        from ._errors import Error

        tables = {name: self._chip[name] for name in ("worst", "specials", "decades", "histogram")}
        tables["bins"] = self._chip["bins"]["parts"]
        if table not in tables:
            raise Error(f"a sweep has no table '{table}'; use one of {', '.join(sorted(tables))}")
        return pandas.json_normalize(tables[table])

    def __repr__(self) -> str:
        return f"<lanewise.Sweep of {self._data['kernel']} against {self._data['reference']}: {self.headline}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _framed(self.html())


class Time:
    """What a kernel costs (docs/timing.md). In a notebook it is shown as the page of `lanewise time --html`."""

    def __init__(self, report: _lanewise.TimeReport) -> None:
        self._report = report
        self._tile: Dict[str, Any] = json.loads(report.json())["chips"][0].get("tile") or {}

    @property
    def untimed(self) -> str:
        """Why its times mean nothing, in which case all figures are None; empty if they do."""
        return self._report.untimed

    @property
    def cycles_per_tile(self) -> Optional[float]:
        """Cycles of a tile of 32x32 elements in the steady state, without `init`."""
        return self._tile.get("cycles")

    @property
    def cycles_per_row(self) -> Optional[float]:
        """Cycles per row of 32 lanes; None if no row is stored."""
        return self._tile.get("cycles_per_row")

    @property
    def init(self) -> Optional[float]:
        """Cycles of what runs once, before the first tile."""
        return self._tile.get("init")

    @property
    def nanoseconds_per_tile(self) -> Optional[float]:
        """The tile at the chip's clock."""
        return self._tile.get("nanoseconds")

    @property
    def other_cycles(self) -> Optional[float]:
        """Cycles of a tile where the order of the instructions is the other one of `compiled`; None but for headers and
        operations."""
        compiled = self._tile.get("compiled")
        return None if compiled is None else compiled["other_cycles"]

    @property
    def in_harness(self) -> Optional[float]:
        """Cycles of a tile as the chosen harness measures them; None without one."""
        harness = self._tile.get("harness")
        return None if harness is None else harness["cycles"]

    @property
    def text(self) -> str:
        """The report of `lanewise time`: timeline, figures, what follows from them."""
        return self._report.text()

    def html(self) -> str:
        """The page of `lanewise time --html`, which needs nothing else."""
        return self._report.html()

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise time --json` prints."""
        return json.loads(self._report.json())

    def __repr__(self) -> str:
        if self.untimed:
            return f"<lanewise.Time: {self.untimed}>"
        return f"<lanewise.Time: {self.cycles_per_tile} cycles per tile, {self.init} of init>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _framed(self.html())


class Finding(NamedTuple):
    """What silicon may do otherwise than the kernel means.

    `rule` is the rule's name (`lanewise check --rule NAME`), or that of its document for a fault; `line` is None where there
    is none; `warning`: nothing is wrong for sure.
    """

    rule: str
    kind: str
    line: Optional[int]
    file: Optional[str]
    text: str
    mend: str
    instruction: str
    warning: bool


class Check(List[Finding]):
    """The findings of the checker (docs/hazards.md), in order of cycle. Empty: it has found nothing.

    In a notebook they are a table.
    """

    def __init__(self, checked: _lanewise.CheckedProgram) -> None:
        self._checked = checked
        entry = json.loads(checked.json())[0]
        super().__init__([_finding(each, each["rule"], each["warning"]) for each in entry["hazards"]] +
                         [_finding(each, each["source"], False) for each in entry["faults"]])

    @property
    def ok(self) -> bool:
        """Whether there is nothing but warnings, as the exit status of `lanewise check` says."""
        return not self._checked.has_problem()

    @property
    def text(self) -> str:
        """The report of `lanewise check`."""
        return self._checked.text()

    def html(self) -> str:
        """The findings as a page that needs nothing else."""
        return self._checked.html()

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise check --json` prints for the program."""
        return json.loads(self._checked.json())[0]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _framed(self.html())


class Tuned:
    """What the tuner has found (docs/tuning.md).

    plain_cycles and cycles are those of a tile, of the kernel and of the faster program (None where none was proved),
    cycles_per_row those of a row of it (None of a block). No schedule that the tuner knows is below `bound` cycles, of a row
    or of a block; `optimal` says that the program reaches it. proved_by is "all inputs", "expressions", "z3" or "data
    flow". `findings` are the rules of which check() finds something, of both programs (docs/hazards.md, "Words and values").
    """

    def __init__(self, tuned: _lanewise.Tuned) -> None:
        self._tuned = tuned
        found = json.loads(tuned.json())
        self.plain_cycles: float = found["plain_cycles_per_tile"]
        self.cycles: Optional[int] = found["tuned_cycles_per_tile"]
        self.cycles_per_row: Optional[int] = found["cycles_per_row"]
        self.bound: int = found["bound"]
        self.optimal: bool = found["optimal"]
        self.proved_by: Optional[str] = found["proved_by"]
        self.findings: List[str] = found["findings"]
        self.code: Optional[str] = found["code"]

    @property
    def text(self) -> str:
        """The report of `lanewise tune`, without the code."""
        return self._tuned.text()

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise tune --json` prints."""
        return json.loads(self._tuned.json())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        if self.cycles is None:
            return f"<lanewise.Tuned: nothing faster than {self.plain_cycles:g} cycles a tile>"
        return f"<lanewise.Tuned: {self.plain_cycles:g} cycles a tile, {self.cycles} tuned, proved by {self.proved_by}>"


def _finding(entry: Dict[str, Any], rule: str, warning: bool) -> Finding:
    return Finding(rule=rule, kind=entry["kind"], line=entry["line"] or None, file=entry["file"], text=entry["message"],
                   mend=entry["mend"], instruction=entry["instruction"], warning=warning)


class Step(NamedTuple):
    """An executed instruction: its source line (a label, may be empty), its word, its text, and what it changed.

    Of the late result of a two-cycle instruction there are only changes.
    """

    line: str
    word: Optional[int]
    instruction: str
    changes: List[str]


class Trace(List[Step]):
    """Every instruction of the first tile, with what it changed; its text is what `lanewise run --trace` prints."""

    def __init__(self, steps: List[_lanewise.TraceStep]) -> None:
        self._steps = steps
        super().__init__(Step(step.place, None if step.is_late_result else step.word, step.instruction, step.changes)
                         for step in steps)

    @property
    def text(self) -> str:
        """The steps as `lanewise run --trace` prints them."""
        return "".join(step.text() for step in self._steps)

    def __str__(self) -> str:
        return self.text


class Diff(_Errors):
    """Two kernels over the same inputs. Errors are the distances of the second from the first, in ULP.

    In a notebook it is shown as a page of tables.
    """

    def __init__(self, report: _lanewise.DiffReport) -> None:
        self._report = report
        self._chip = json.loads(report.json())["chips"][0]
        super().__init__(self._chip["distance"])

    @property
    def same(self) -> bool:
        """Whether all bits are the same, NaN and signs of zeros included."""
        return self._report.same()

    @property
    def changed(self) -> int:
        """Inputs whose results have other bits."""
        return int(self._chip["changed"])

    @property
    def worst(self) -> List[Case]:
        """The inputs whose results lie farthest apart; `expected` is the first kernel's result."""
        return [_case(entry) for entry in self._chip["worst"]]

    @property
    def cycles(self) -> "tuple[float, float]":
        """Cycles per tile of the first and of the second."""
        return self._chip["first"]["cycles"], self._chip["second"]["cycles"]

    @property
    def text(self) -> str:
        """The report of `lanewise diff`."""
        return self._report.text()

    def html(self) -> str:
        """The tables as a page that needs nothing else."""
        return self._report.html()

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise diff --json` prints (docs/accuracy-json.md)."""
        return json.loads(self._report.json())

    def __repr__(self) -> str:
        return f"<lanewise.Diff: {self.changed} of {self._chip['inputs']} results differ>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _framed(self.html())


class Op(NamedTuple):
    """An operation of a checkout: `lw.kernel(op=op.name, metal=DIR)` (docs/metal.md).

    `operands` is the number of its tiles; `element` is what they hold, and `result` what it makes of them: "float",
    "int32", "uint32" or "uint16". `parameters` are the numbers that params= sets, with their values; `chips` those that have it.
    """

    name: str
    operands: int
    element: str
    result: str
    parameters: Dict[str, str]
    header: str
    chips: List[str]


class Ops(List[Op]):
    """The operations of a checkout, in the order of `lanewise list`, whose table is their text."""

    def __init__(self, ops: _lanewise.OpList) -> None:
        self._ops = ops
        super().__init__(Op(each["op"], each["operands"], each["element"], each["result"], each["parameters"],
                            each["header"], list(each["chips"])) for each in json.loads(ops.json()))

    @property
    def text(self) -> str:
        """What `lanewise list` prints."""
        return self._ops.text()

    def __str__(self) -> str:
        return self.text


def ops(metal: "str | os.PathLike[str]", arch: Iterable[str] = _chips.WHOLE) -> Ops:
    """The operations that a checkout of tt-metal or tt-llk has for at least one of the chips.

    Raises: Error if the folder is no checkout.
    """
    return Ops(_lanewise.ops(os.fspath(metal), [arch] if isinstance(arch, str) else list(arch)))
