"""Programs of tt-metal: readers, compute kernels, writers and circular buffers, on one core or many."""

from __future__ import annotations

import io
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _lanewise
from ._errors import Error, FaultWarning, number_in
from ._program_time import ProgramTime

#: What a buffer's format is where only its array is given: floats are those of kernels' tiles.
_FORMATS = {"uint32": "UInt32", "int32": "Int32", "uint16": "UInt16", "uint8": "UInt8"}
_FLOATS = "Float16_b"

_ORDERS = ("round-robin", "random", "adversarial")
_THREADS = ("unpack", "math", "pack")


class Run:
    """What became of a program: `lanewise.program()` returns it. `run["c"]` is the array of buffer c.

    Attributes:
        ok: all kernels have come to their end, and there are no findings that make results worthless.
        arrays: what the buffers hold afterwards, by name: arrays of their shape, or bytes where a buffer has no format.
        findings: what is wrong in how kernels use circular buffers, the NoC and instructions (docs/programs.md), as
            `FaultWarning`s with `message`, `remedy`, `rule`, `file` and `line`.
        prints: lines of DPRINT, with the core in front.
        blocked: who waits for what, where nobody could go on.
        ran_out: the time of the kernels was over.
        instructions: how many each thread has executed: {"unpack": 12, ...}.
        transactions: of the NoC.
        time: with `time=True` what it costs, a `ProgramTime`; None without, and if kernels have not come to their end.
    """

    def __init__(self, result: Dict[str, Any]) -> None:
        self.arrays: Dict[str, Any] = {
            name: np.load(io.BytesIO(data), allow_pickle=False) if is_numbers else data
            for name, (is_numbers, data) in result["arrays"].items()}
        self.findings: List[FaultWarning] = [FaultWarning(fault) for fault in json.loads(result["findings"])]
        self.prints: List[str] = result["prints"]
        self.blocked: List[str] = result["blocked"]
        self.ran_out: bool = result["ran_out"]
        self.instructions: Dict[str, int] = dict(zip(_THREADS, result["executed"]))
        self.transactions: int = result["transactions"]
        self.time: Optional[ProgramTime] = None if result["time"] is None else ProgramTime(result["time"])
        self.ok: bool = result["is_done"] and all(finding.kind == "NonContractual" for finding in self.findings)

    def __getitem__(self, name: str) -> Any:
        try:
            return self.arrays[name]
        except KeyError:
            raise Error(f"the program has no buffer {name!r}; it has {', '.join(self.arrays)}") from None

    def __repr__(self) -> str:
        state = "ok" if self.ok else "not ok"
        return f"<lanewise.Run: {state}, {len(self.findings)} findings, buffers {', '.join(self.arrays)}>"


def program(description: Union[str, "os.PathLike[str]", Mapping[str, Any], None] = None,
            arrays: Optional[Mapping[str, Any]] = None, *, arch: Optional[str] = None,
            buffers: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]] = (),
            circular_buffers: Union[Mapping[int, Any], Sequence[Mapping[str, Any]]] = (),
            semaphores: Sequence[Mapping[str, Any]] = (), kernels: Sequence[Mapping[str, Any]] = (),
            metal: Union[str, "os.PathLike[str]"] = "", order: str = "round-robin", seed: int = 0,
            seconds: Optional[float] = None, jobs: int = 0, time: bool = False, tiles: int = 0, timeline: Optional[int] = None,
            gather: bool = False) -> Run:
    """Runs the kernels of a program on its cores: by its description, a file or a dictionary of that form
    (docs/programs.md), or by the arguments that have the names of its fields.

    Args:
        description: the file, or what it would hold.
        arrays: contents of buffers by their names, in place of their inputs.
        arch: "bh" or "wh", in place of the description's.
        buffers: a list as in a description; or by name an array, or fields: {"a": a, "c": {"shape": (64, 32)}}. Floats are of
            the format Float16_b unless `format` says another, a page is a tile, and an "input" may be an array.
        circular_buffers: a list as in a description; or by index the number of pages, or fields: {0: 2, 16: {"pages": 4}}.
            The format is Float16_b unless `format` says another.
        semaphores, kernels: as in a description.
        metal: a checkout of tt-metal whose headers kernels include; without it they have Lanewise's own.
        order, seed: who takes turns: "round-robin", "random", "adversarial".
        seconds: of processor time that g++ may take for each core, and the kernels.
        jobs: so many cores run at a time; 0: as many as the machine has. Results and times are the same.
        time: run it in time, too, once it has run: `Run.time` is what `lanewise kernels FILE --time` says.
        tiles: with `time`, tiles that each core makes; 0: as many as it packs.
        timeline: with `time`, keep what every instruction and transaction did when, for `html()` and `perfetto()` of the time, and
            show so many of the last instructions in `text` and `to_dict()`; 0 shows none. None keeps nothing.
        gather: with `time`, on Blackhole: up to four neighbouring pushes leave a core in one cycle.

    Raises: Error for what cannot be used: the description, an array, a kernel that does not compile; with `time`, of a program
    whose results depend on the order of its cores.
    """
    request = _lanewise.LaunchRequest()
    given: Dict[str, Any] = dict(arrays or {})
    fields = {"buffers": _buffers(buffers, given), "circular_buffers": _circular_buffers(circular_buffers),
              "semaphores": list(semaphores), "kernels": list(kernels)}
    fields = {name: value for name, value in fields.items() if value}
    if description is not None and fields:
        raise Error(f"give a description or {', '.join(fields)}, not both")
    if isinstance(description, (str, os.PathLike)):
        request.file = os.fspath(description)
    else:
        whole = dict(description or fields)
        whole["buffers"] = _buffers(whole.get("buffers", ()), given)
        request.description = _json(whole)
    request.arrays = {name: _npy(name, array) for name, array in given.items()}
    if order not in _ORDERS:
        raise Error(f"order={order!r} is none; use one of {', '.join(_ORDERS)}")
    request.arch, request.metal, request.order = arch or "", os.fspath(metal), order
    request.seed = number_in("seed", seed, 0, 2**64 - 1)
    request.jobs = number_in("jobs", jobs, 0, 2**32 - 1)
    if time:
        request.time = _time_request(tiles, timeline, gather, order, seed)
    elif tiles or timeline is not None or gather:
        raise Error("tiles=, timeline= and gather= are for a run in time; give time=True, too")
    if seconds is not None:
        request.seconds = number_in("seconds", seconds, 0.1, 86400.0)
    return Run(_lanewise.launch(request))


def _time_request(tiles: int, timeline: Optional[int], gather: bool, order: str, seed: int) -> _lanewise.TimeRequest:
    if order != _ORDERS[0] or seed:
        raise Error("time=True says itself whose turn it is; leave order= and seed= out")
    request = _lanewise.TimeRequest()
    request.tiles = number_in("tiles", tiles, 0, 2**64 - 1)
    if timeline is not None:
        request.timeline = number_in("timeline", timeline, 0, 2**63 - 1)
    request.gathers = bool(gather)
    return request


def _json(value: Any) -> str:
    def plain(number: Any) -> Any:
        if isinstance(number, np.integer):
            return int(number)
        raise Error(f"a description cannot have {number!r}; give numbers, texts, lists and dictionaries")

    return json.dumps(value, default=plain)


def _npy(name: str, value: Any) -> bytes:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise Error(f"buffer {name}: an array of {array.dtype} has no numbers; pass floats or integers")
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _buffers(buffers: Any, arrays: Dict[str, Any]) -> List[Dict[str, Any]]:
    """As a description has them; arrays among them go to `arrays`."""
    if not isinstance(buffers, Mapping):
        listed = [dict(each) for each in buffers]
    else:
        listed = [_buffer(name, value) for name, value in buffers.items()]
    for each in listed:
        if "input" in each and not isinstance(each["input"], (str, os.PathLike)):
            arrays.setdefault(str(each.get("name")), each.pop("input"))
    return listed


def _buffer(name: str, value: Any) -> Dict[str, Any]:
    """A buffer by its array, or by fields, with what they leave out."""
    fields = dict(value) if isinstance(value, Mapping) else {"input": value}
    fields["name"] = name
    array = None if isinstance(fields.get("input", ""), str) else np.asarray(fields["input"])
    fields.setdefault("memory", "dram")
    fields.setdefault("format", _FLOATS if array is None else _FORMATS.get(array.dtype.name, _FLOATS))
    tile = _lanewise.tile_bytes(fields["format"])
    fields.setdefault("page_bytes", tile)
    if "shape" in fields:
        fields["shape"] = [int(length) for length in fields["shape"]]
        tiles = -(-int(np.prod(fields["shape"])) // 1024)
        fields.setdefault("bytes", tiles * tile)
    return fields


def _circular_buffers(given: Any) -> List[Dict[str, Any]]:
    if not isinstance(given, Mapping):
        return [dict(each) for each in given]
    listed = []
    for index, value in given.items():
        fields = dict(value) if isinstance(value, Mapping) else {"pages": value}
        listed.append({"index": index, "format": _FLOATS, **fields})
    return listed
