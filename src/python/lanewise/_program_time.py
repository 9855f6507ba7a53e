"""A program of tt-metal in time, as objects: a view of the JSON that `lanewise kernels FILE --time --json` prints."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _lanewise
from ._results import _framed

#: A core by its logical coordinates: column and row.
Place = Tuple[int, int]


class Bound(NamedTuple):
    """A part of the machine, and the cycles that it was busy: what the program would take if only this counted."""

    part: str
    cycles: float


class Wait(NamedTuple):
    """Cycles in which a RISC-V core waited at a line.

    `core` is "brisc", "ncrisc" or "core of T0" to "core of T2"; `awaited` for what: "pages of c_0", "answers of NoC 1". `file` is
    empty and `line` 0 where the line is not known.
    """

    core: str
    awaited: str
    file: str
    line: int
    cycles: int


class CircularBuffer(NamedTuple):
    """What a circular buffer held: `pages` is its size, `most` and `mean` how many it had, `empty` cycles in which it had none."""

    index: int
    pages: int
    most: int
    mean: float
    empty: int


class Traffic(NamedTuple):
    """What a core did on one NoC: transactions, bytes, and cycles in which its links into the NoC and out of it were busy."""

    reads: int
    writes: int
    bytes_in: int
    bytes_out: int
    busy_in: float
    busy_out: float


class Link(NamedTuple):
    """A link between two routers, by their physical places: the bytes that it carried, and their share of what it can carry in
    all cycles of the run, from 0 to 1."""

    noc: int
    begin: Place
    end: Place
    bytes: int
    share: float


class Signal(NamedTuple):
    """What a core has waited for: core `core` asked for it in cycle `asked` at a line, and it came to `address` in cycle `came`."""

    core: Place
    asked: int
    came: int
    address: int
    file: str
    line: int


class PathStep(NamedTuple):
    """A stretch of the critical path: cycles of a core, from `begin` up to `end`. Of all but the first step: the signal that it
    begins with, and the cycle from which the core had waited for it."""

    core: Place
    begin: int
    end: int
    waited_since: Optional[int]
    signal: Optional[Signal]


def _bounds(entries: List[Dict[str, Any]]) -> List[Bound]:
    return [Bound(each["part"], each["cycles"]) for each in entries]


def _place(entry: List[int]) -> Place:
    return entry[0], entry[1]


class CoreTime:
    """A Tensix core of a program in time. All cycles count from the release of the cores."""

    def __init__(self, entry: Dict[str, Any]) -> None:
        self._entry = entry

    @property
    def place(self) -> Place:
        """Its logical coordinates."""
        return _place(self._entry["place"])

    @property
    def cycles(self) -> int:
        """Until its last RISC-V core, thread and unit is done."""
        return self._entry["cycles"]

    @property
    def bound(self) -> Bound:
        """What it needs most, of all that it used, its links to the NoC included."""
        return _bounds([self._entry["bound"]])[0]

    @property
    def alone(self) -> List[Bound]:
        """Its RISC-V cores, threads and units, each with the cycles that it alone would take."""
        return _bounds(self._entry["alone"])

    @property
    def tiles(self) -> int:
        """Tiles that it made: as many as it packed, or as tiles= said."""
        return self._entry["per_tile"]["tiles"]

    @property
    def cycles_per_tile(self) -> Optional[float]:
        """Cycles of a tile: of the second half where there are enough tiles, of the whole run otherwise; None if it made none."""
        return self._entry["per_tile"]["cycles"] if self.tiles else None

    @property
    def waits(self) -> List[Wait]:
        """Who waits for what, and where."""
        return [Wait(each["core"], each["for"], each["file"], each["line"], each["cycles"]) for each in self._entry["core_waits"]]

    @property
    def noc(self) -> List[Traffic]:
        """Its transactions of NoC 0 and of NoC 1."""
        return [Traffic(**each) for each in self._entry["noc"]]

    @property
    def circular_buffers(self) -> List[CircularBuffer]:
        """Its circular buffers, by index."""
        return [CircularBuffer(**each) for each in self._entry["circular_buffers"]]

    def to_dict(self) -> Dict[str, Any]:
        """All that the JSON has of it: besides these, "threads", "movers", "ends" of tiles, and with timeline= the "timeline"."""
        return json.loads(json.dumps(self._entry))

    def __repr__(self) -> str:
        return f"<lanewise.CoreTime of core {self.place}: {self.cycles} cycles, {self.bound.part} for {self.bound.cycles:.0f}>"


class ProgramTime:
    """What a program costs, in cycles of the model, which count from the release of the cores (docs/programs.md, docs/grid.md,
    "Time"). In a notebook it is shown as the page of `lanewise kernels --time --html`, if it has a timeline.
    """

    def __init__(self, report: _lanewise.GridTime) -> None:
        self._report = report
        self._data: Dict[str, Any] = json.loads(report.cores_json())

    @property
    def cycles(self) -> int:
        """Until the last core is done."""
        return self._data["cycles"]

    @property
    def bound(self) -> Bound:
        """What bounds it: of all that cores share (links, banks of DRAM) and all that each of them needs, what was busy longest."""
        return _bounds([self._data["bound"]])[0]

    @property
    def cores(self) -> List[CoreTime]:
        """Every core that runs kernels, row by row."""
        return [CoreTime(each) for each in self._data["cores"]]

    @property
    def last(self) -> CoreTime:
        """The core that ends last."""
        return next(core for core in self.cores if core.place == _place(self._data["last"]))

    @property
    def critical_path(self) -> List[PathStep]:
        """From the start to the end of the core that ends last: a step begins where a signal of another core came for which the
        core waited. One step where no core waits for another."""
        return [_step(each) for each in self._data["critical_path"]]

    @property
    def banks(self) -> List[float]:
        """Cycles in which each bank of DRAM was busy, by its number."""
        return list(self._data["banks"])

    @property
    def links(self) -> List[Link]:
        """Links of the NoCs that carried something, those with the most first."""
        return [Link(each["noc"], _place(each["from"]), _place(each["to"]), each["bytes"], each["share"])
                for each in self._data["links"]]

    @property
    def assumed(self) -> List[str]:
        """What is assumed, a sentence each."""
        return list(self._data["cores"][0]["assumed"])

    @property
    def text(self) -> str:
        """The report of `lanewise kernels FILE --time`."""
        return self._report.text()

    def html(self) -> str:
        """The page of `--html`, which needs nothing else. Error: lanewise.Error if the run has kept no timeline."""
        return self._report.html()

    def perfetto(self) -> Dict[str, Any]:
        """The trace of `--perfetto`, for json.dump() and ui.perfetto.dev, where 1 us is 1 cycle. Error: as of html()."""
        return json.loads(self._report.perfetto())

    def to_dict(self) -> Dict[str, Any]:
        """What `lanewise kernels FILE --time --json` prints: of one core that core alone, of many all that this object has."""
        return json.loads(self._report.json())

    def __repr__(self) -> str:
        cores = f"{len(self._data['cores'])} cores, " if len(self._data["cores"]) > 1 else ""
        return f"<lanewise.ProgramTime: {cores}{self.cycles} cycles, {self.bound.part} busy for {self.bound.cycles:.0f}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> Optional[str]:
        return _framed(self.html()) if self._report.has_timeline else None


def _step(entry: Dict[str, Any]) -> PathStep:
    signal = None
    if "signal" in entry:
        fields = dict(entry["signal"])
        signal = Signal(_place(fields.pop("core")), **fields)
    return PathStep(_place(entry["core"]), entry["begin"], entry["end"], entry.get("waited_since"), signal)
