"""Exact results for tests of LLK: what unpackers, the Matrix Unit and packers make of whole arrays, bit for bit.

    from lanewise import golden

    a = golden.unpack(golden.to_l1(x, "Bfp8_b"), "srca", chip="wh")
    b = golden.unpack(golden.to_l1(y, "Bfp8_b"), "srcb", chip="wh")
    result = golden.pack(golden.elwmul(a, b, fidelity="HiFi2"), "Float16_b")
    result.values()      # the numbers, in the shape of x
    result.data          # the bytes of L1, a row for each tile

Formats have LLK's names (also as members of its enumeration DataFormat) or Lanewise's; chips are "bh" or "blackhole", "wh" or
"wormhole". docs/goldens.md has more.

An array with two dimensions or more is a matrix (the last two are whole tiles), which lies in L1 tile by tile and face by face.
An array with one dimension is taken as it lies in L1. Numbers are float32 (of integer formats int32, of UInt32 uint32), which
have every number of every format.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import struct
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _chips, _lanewise
from ._errors import Error, warn_of
from ._llk_numbers import e4m3_bits, e4m3_values

__all__ = ["Dst", "L1", "Source", "broadcast", "datacopy", "dst", "elwadd", "elwmul", "elwsub", "from_l1", "matmul", "pack",
           "quantise", "reduce", "sfpu", "tilize", "to_l1", "unpack", "untilize"]

_library = _lanewise.golden

#: Fidelity phases that LLK's MathFidelity names.
_PHASES = {"LoFi": 1, "HiFi2": 2, "HiFi3": 3, "HiFi4": 4}
_RELU = {"zero": 1, "min_threshold": 2, "max_threshold": 3}
_AXES = {"row": 0, "col": 1, "scalar": 2}
_FACE_COLUMNS = 16
_WHOLE_TILE = 1024
_LEAST_EXPONENT_BYTES = 16


# ---------------------------------------------------------------- Names

def _name(format: Any) -> str:
    """LLK's name of a format, which comes as a text or as a member of an enumeration."""
    return str(_describe(getattr(format, "name", format))["name"])


@functools.lru_cache(maxsize=None)
def _describe(name: str) -> Dict[str, Any]:
    if not isinstance(name, str):
        raise Error(f"a format is a name, or a member of LLK's DataFormat; {name!r} is neither")
    return _library.describe(name)


def _chip(name: Any) -> str:
    name = str(getattr(name, "value", name)).lower()
    for chip, family in _chips.FAMILIES.items():
        if name in (chip, family, family.split("_")[0]):
            return chip
    raise Error(f"there is no chip {name!r} here; use {' or '.join(_chips.WHOLE)}")


def _choose(what: str, value: Any, choices: Sequence[str]) -> str:
    text = str(getattr(value, "name", value))
    if text not in choices:
        raise Error(f"{what}={value!r} cannot be; give one of {', '.join(choices)}")
    return text


# ---------------------------------------------------------------- Tiles

@dataclasses.dataclass(frozen=True)
class _Layout:
    """Of what a tile consists."""

    faces: int = 4
    face_rows: int = 16

    def __post_init__(self) -> None:
        if self.faces not in (1, 2, 4) or self.face_rows not in (1, 2, 4, 8, 16):
            raise Error(f"a tile has 1, 2 or 4 faces of 1, 2, 4, 8 or 16 rows, not {self.faces} of {self.face_rows}")

    @property
    def data(self) -> int:
        return self.faces * self.face_rows * _FACE_COLUMNS

    @property
    def shape(self) -> Tuple[int, int]:
        return (2 if self.faces == 4 else 1) * self.face_rows, _FACE_COLUMNS * (1 if self.faces == 1 else 2)


def tilize(matrix: Any, faces: int = 4, face_rows: int = 16) -> np.ndarray:
    """The data of a matrix as L1 has them: an array (tiles, data of a tile), tile after tile, each face by face.

    With two faces a tile is `face_rows` x 32, with one `face_rows` x 16. Error: the last two dimensions are no whole tiles.
    """
    layout = _Layout(faces, face_rows)
    matrix = np.asarray(matrix)
    rows, columns = layout.shape
    if matrix.ndim < 2 or matrix.shape[-2] % rows or matrix.shape[-1] % columns:
        raise Error(f"an array of shape {matrix.shape} is no matrix of whole tiles of {rows}x{columns}")
    cut = matrix.reshape(-1, matrix.shape[-2] // rows, rows // face_rows, face_rows, matrix.shape[-1] // columns,
                         columns // _FACE_COLUMNS, _FACE_COLUMNS)
    return np.ascontiguousarray(cut.transpose(0, 1, 4, 2, 5, 3, 6).reshape(-1, layout.data))


def untilize(tiles: Any, shape: Sequence[int], faces: int = 4, face_rows: int = 16) -> np.ndarray:
    """The matrix of that shape that tilize() would cut into these data. Error: they are not as many."""
    layout = _Layout(faces, face_rows)
    tiles, shape = np.asarray(tiles), tuple(shape)
    rows, columns = layout.shape
    if len(shape) < 2 or shape[-2] % rows or shape[-1] % columns or math.prod(shape) != tiles.size:
        raise Error(f"{tiles.size} data in tiles of {rows}x{columns} are no matrix of shape {shape}")
    faced = tiles.reshape(-1, shape[-2] // rows, shape[-1] // columns, rows // face_rows, columns // _FACE_COLUMNS, face_rows,
                          _FACE_COLUMNS)
    return np.ascontiguousarray(faced.transpose(0, 1, 3, 5, 2, 4, 6).reshape(shape))


def _in_tiles(array: Any, layout: _Layout) -> Tuple[np.ndarray, Tuple[int, ...]]:
    """The data as they lie in L1, and the shape that they had."""
    if hasattr(array, "detach"):  # a tensor of PyTorch
        array = array.detach().cpu()
        if str(array.dtype) in ("torch.bfloat16", "torch.float16"):
            array = array.float()
        array = array.numpy()
    array = np.asarray(array)
    if array.dtype.kind not in "biuf":
        raise Error(f"an array of {array.dtype} has no numbers that a tile could hold; pass floats or integers")
    if array.ndim >= 2:
        return tilize(array, layout.faces, layout.face_rows), array.shape
    if array.size == 0 or array.size % layout.data:
        raise Error(f"{array.size} numbers are no whole tiles of {layout.data}")
    return array.reshape(-1, layout.data), array.shape


class _Tiled:
    """What L1, Source and Dst have in common: tiles of a format, and the shape that they came in."""

    format: str
    faces: int
    face_rows: int
    shape: Tuple[int, ...]

    def _numbers(self) -> np.ndarray:
        raise NotImplementedError

    def values(self, shape: Optional[Sequence[int]] = None) -> np.ndarray:
        """The numbers, as float32 (integers: int32, of UInt32 uint32), in the shape of the input or the one that is given. One
        dimension: as they lie in L1."""
        shape = self.shape if shape is None else tuple(shape)
        numbers = self._numbers()
        kind = _describe(self.format)
        if not kind["integer"]:
            with np.errstate(over="ignore"):
                numbers = numbers.astype(np.float32)
        else:
            numbers = numbers.astype(np.uint32 if kind["unsigned"] and kind["bits"] == 32 else np.int32)
        if len(shape) < 2:
            return numbers.reshape(shape)
        return untilize(numbers, shape, self.faces, self.face_rows)


@dataclasses.dataclass(eq=False, repr=False)
class L1(_Tiled):
    """Tiles in L1: `data` has their bytes, uint8, a row for each tile (of block formats exponents first)."""

    data: np.ndarray
    format: str
    shape: Tuple[int, ...]
    faces: int = 4
    face_rows: int = 16
    basis: str = "compared"  #: how well the packer's conversion is known: "compared", "documented" or "assumed"

    def _numbers(self) -> np.ndarray:
        return _host_values(self.data, self.format, _Layout(self.faces, self.face_rows))

    def __repr__(self) -> str:
        return f"<lanewise.golden.L1 {len(self.data)} tiles, {self.format}>"


@dataclasses.dataclass(eq=False, repr=False)
class Source(_Tiled):
    """Tiles in SrcA or SrcB: `cells`, uint32, a row for each tile, has their 19 bits as the upper ones of 32."""

    cells: np.ndarray
    format: str  #: as which they have arrived
    shape: Tuple[int, ...]
    chip: str
    dest_acc: bool = False
    faces: int = 4
    face_rows: int = 16
    basis: str = "compared"

    def _numbers(self) -> np.ndarray:
        return np.frombuffer(_library.source_values(self.format, self.cells), np.float64).reshape(self.cells.shape)

    def __repr__(self) -> str:
        return f"<lanewise.golden.Source {len(self.cells)} tiles, {self.format}, {self.chip}>"


@dataclasses.dataclass(eq=False, repr=False)
class Dst(_Tiled):
    """Tiles in Dst: `stored`, uint32, a row for each tile, has what its cells hold, 16 bits or with `dest_acc` 32."""

    stored: np.ndarray
    format: str  #: as which the data arrived in SrcA, or in Dst itself
    shape: Tuple[int, ...]
    chip: str
    dest_acc: bool = False
    faces: int = 4
    face_rows: int = 16
    basis: str = "compared"

    def _numbers(self) -> np.ndarray:
        values = _library.dst_values(self.format, self.dest_acc, self.stored)
        return np.frombuffer(values, np.float64).reshape(self.stored.shape)

    def __repr__(self) -> str:
        return f"<lanewise.golden.Dst {len(self.stored)} tiles, {self.format}, {32 if self.dest_acc else 16} bits, {self.chip}>"


# ---------------------------------------------------------------- The host's side of L1

def _whole_tiles(tiles: np.ndarray) -> np.ndarray:
    """Data as they lie in L1, in the front of whole tiles, whose rest is 0: blocks and data are the same."""
    whole = np.zeros((len(tiles), _WHOLE_TILE), np.float64)
    whole[:, :tiles.shape[1]] = tiles
    return whole


def _sections(format: str, data: int) -> Tuple[int, int]:
    """Bytes of the exponents and of the data of a tile."""
    kind = _describe(format)
    exponents = -(-data // 16 // _LEAST_EXPONENT_BYTES) * _LEAST_EXPONENT_BYTES if kind["block"] else 0
    return exponents, data * kind["bits"] // 8


def to_l1(array: Any, format: Any, faces: int = 4, face_rows: int = 16) -> L1:
    """Numbers as a host puts them into L1: rounded to nearest even; 16 numbers of a block format have the exponent of the
    largest of them. Error: a number that an integer format does not have."""
    layout, format = _Layout(faces, face_rows), _name(format)
    tiles, shape = _in_tiles(array, layout)
    if format == "Fp8_e4m3":
        return L1(e4m3_bits(tiles.astype(np.float32)), format, shape, faces, face_rows)
    whole = _whole_tiles(tiles)
    flat = untilize(whole, (len(whole) * 32, 32))
    data = np.frombuffer(_library.host_to_l1(format, np.ascontiguousarray(flat)), np.uint8).reshape(len(tiles), -1)
    used, of_whole = _sections(format, layout.data), _sections(format, _WHOLE_TILE)
    cut = np.concatenate([data[:, :used[0]], data[:, of_whole[0]:of_whole[0] + used[1]]], axis=1)
    return L1(np.ascontiguousarray(cut), format, shape, faces, face_rows)


def _host_values(data: np.ndarray, format: str, layout: _Layout) -> np.ndarray:
    if format == "Fp8_e4m3":
        return e4m3_values()[data].astype(np.float64)
    used, of_whole = _sections(format, layout.data), _sections(format, _WHOLE_TILE)
    whole = np.zeros((len(data), sum(of_whole)), np.uint8)
    whole[:, :used[0]] = data[:, :used[0]]
    whole[:, of_whole[0]:of_whole[0] + used[1]] = data[:, used[0]:]
    numbers = np.frombuffer(_library.host_from_l1(format, whole), np.float64).reshape(-1, 32)
    return tilize(numbers)[:, :layout.data]


def from_l1(data: Any, format: Any, shape: Optional[Sequence[int]] = None, faces: int = 4, face_rows: int = 16) -> L1:
    """Bytes that lie in L1, from a device for instance: bytes, or an array of uint8. Error: no whole number of tiles."""
    layout, format = _Layout(faces, face_rows), _name(format)
    array = np.frombuffer(data, np.uint8) if isinstance(data, (bytes, bytearray, memoryview)) else np.asarray(data, np.uint8)
    size = _library.tile_bytes(format, layout.data)
    if array.size == 0 or array.size % size:
        raise Error(f"{array.size} bytes are no whole tiles of {format}, which have {size}")
    tiles = np.ascontiguousarray(array.reshape(-1, size))
    return L1(tiles, format, tuple(shape) if shape is not None else (len(tiles) * layout.data,), faces, face_rows)


def quantise(array: Any, format: Any, by: str = "host", chip: Any = _chips.DEFAULT, faces: int = 4,
             face_rows: int = 16) -> np.ndarray:
    """The numbers that L1 has of these, in their shape. `by`: "host" rounds as to_l1(), "packer" as a packer of `chip` does from
    32 bits of Dst (of integers of 16 bits from 16)."""
    if _choose("by", by, ("host", "packer")) == "host":
        return to_l1(array, format, faces, face_rows).values()
    kind = _describe(_name(format))
    narrow = kind["integer"] and kind["bits"] == 16  # which 32 bits of Dst have not
    held = kind["name"] if narrow else "Int32" if kind["integer"] else "Float32"
    src = "Float32" if kind["block"] and kind["exponent5"] else None  # which LLK's own choice does not make
    return pack(dst(array, held, not narrow, chip, faces, face_rows), format, src=src).values()


# ---------------------------------------------------------------- Unpackers and packers

def unpack(l1: L1, to: str = "srca", format: Any = None, dest_acc: bool = False,
           chip: Any = _chips.DEFAULT) -> Union[Source, Dst]:
    """What an unpacker makes of tiles in L1: a Source, or with to="dst" a Dst.

    `format` is Out_data_format. By default it is LLK's choice: that of L1, but for Float32 in SrcA and SrcB Tf32 with `dest_acc`
    and Float16_b without. Error: a pair of formats of which no source says what comes out.
    """
    chip, to = _chip(chip), _choose("to", to, ("srca", "srcb", "dst"))
    if format is None:
        format = l1.format
        if format == "Float32" and to != "dst":
            format = "Tf32" if dest_acc else "Float16_b"
    format = _name(format)
    layout = _Layout(l1.faces, l1.face_rows)
    cells, basis, lost = _library.unpack(chip, l1.format, format, to == "dst", layout.data, np.ascontiguousarray(l1.data))
    if lost:
        raise Error(f"a block of {l1.format} has an exponent that leaves its 5 bits; no source says what an unpacker does there")
    data = np.frombuffer(cells, np.uint32).reshape(-1, layout.data)
    more = {"shape": l1.shape, "chip": chip, "faces": l1.faces, "face_rows": l1.face_rows, "basis": basis}
    if to == "dst":
        return Dst(data, format, dest_acc=_describe(format)["bits"] == 32, **more)
    return Source(data, format, dest_acc=dest_acc, **more)


def dst(array: Any, format: Any, dest_acc: bool = False, chip: Any = _chips.DEFAULT, faces: int = 4, face_rows: int = 16) -> Dst:
    """Numbers as Dst holds them, rounded to nearest even. `format`: as which they would have arrived."""
    format = _name(format)
    tiles, shape = _in_tiles(array, _Layout(faces, face_rows))
    stored = _library.dst_of(format, dest_acc, np.ascontiguousarray(tiles, np.float64))
    return Dst(np.frombuffer(stored, np.uint32).reshape(tiles.shape), format, shape, _chip(chip), dest_acc, faces, face_rows)


def _relu_code(relu: Any, src: str) -> Tuple[int, int]:
    """STACC_RELU_ApplyRelu and ReluThreshold."""
    if relu is None:
        return 0, 0
    if isinstance(relu, int):  # LLK's relu_config
        return relu & 3, relu >> 16 & 0xFFFF
    mode, threshold = (relu, 0.0) if isinstance(relu, str) else relu
    mode = _choose("relu", mode, tuple(_RELU))
    if mode == "zero":
        return 1, 0
    threshold = float(threshold)
    if _describe(src)["exponent5"]:
        bits = struct.unpack("<H", struct.pack("<e", threshold))[0]
        found = struct.unpack("<e", struct.pack("<H", bits))[0]
    else:
        bits = struct.unpack("<I", struct.pack("<f", threshold))[0] >> 16
        found = struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    if found != threshold:
        raise Error(f"the threshold {threshold} is none of the 16 bits that a packer has for it; use {found}")
    return _RELU[mode], bits


def pack(data: Dst, format: Any, src: Any = None, relu: Any = None, l1_acc: Optional[L1] = None,
         stochastic: bool = False) -> L1:
    """What a packer makes of Dst in L1, as LLK configures it.

    `src` is the packer's input format; by default the one that LLK's tests choose. `relu`: "zero", ("min_threshold", number),
    ("max_threshold", number) or LLK's relu_config. `l1_acc`: what L1 holds before, to which the packer adds. Error: a way through
    the formats of which no source says what comes out; stochastic rounding, whose numbers no source gives.
    """
    format = _name(format)
    if stochastic:
        raise Error("a packer's stochastic rounding is not here: no source gives its numbers; clear "
                    "ALU_ROUNDING_MODE_Packer_srnd_en for a golden")
    src = _library.packer_source(data.chip, data.format, format, data.dest_acc) if src is None else _name(src)
    mode, threshold = _relu_code(relu, src)
    if l1_acc is not None and l1_acc.format != format:
        raise Error(f"L1 holds {l1_acc.format}, and {format} is packed onto it")
    layout = _Layout(data.faces, data.face_rows)
    old = None if l1_acc is None else np.ascontiguousarray(l1_acc.data)
    packed, basis = _library.pack(data.chip, src, format, data.dest_acc, mode, threshold, layout.data,
                                  np.ascontiguousarray(data.stored), old)
    tiles = np.frombuffer(packed, np.uint8).reshape(len(data.stored), -1)
    return L1(tiles, format, data.shape, data.faces, data.face_rows, basis)


# ---------------------------------------------------------------- Matrix Unit

def _check_whole(*operands: _Tiled) -> None:
    for each in operands:
        if (each.faces, each.face_rows) != (4, 16):
            raise Error("the Matrix Unit's goldens take whole tiles of 32x32; take smaller ones from lanewise llk-test")


def _options(a: Source, b: Optional[Source], dest_acc: Optional[bool], fidelity: Any, preserve: bool = False) -> Any:
    _check_whole(a, *([b] if b is not None else []))
    if b is not None and a.chip != b.chip:
        raise Error(f"SrcA is of {a.chip} and SrcB of {b.chip}; unpack both for one chip")
    wide = a.dest_acc if dest_acc is None else dest_acc
    phases = _PHASES[_choose("fidelity", fidelity, tuple(_PHASES))]
    return _library.MatrixOptions(a.chip, a.format, a.format if b is None else b.format, wide, phases, preserve)


def _result(done: Tuple[bytes, str], a: Source, wide: bool, shape: Tuple[int, ...]) -> Dst:
    stored, faults = done
    warn_of(faults, stacklevel=3)
    return Dst(np.frombuffer(stored, np.uint32).reshape(-1, _WHOLE_TILE), _arrived(a.format), shape, a.chip, wide)


def _arrived(format: str) -> str:
    """As LLK's tests call what narrow blocks have become in a register."""
    return {"Bfp4_b": "Bfp8_b", "Bfp2_b": "Bfp8_b"}.get(format, format)


def broadcast(b: Source, kind: str) -> Source:
    """Each tile of SrcB with its first row ("row"), its first column ("col") or its first datum ("scalar") everywhere."""
    _check_whole(b)
    kind = _choose("kind", kind, ("row", "col", "scalar"))
    matrix = untilize(b.cells, (len(b.cells), 32, 32))
    first = {"row": matrix[:, :1, :], "col": matrix[:, :, :1], "scalar": matrix[:, :1, :1]}[kind]
    return dataclasses.replace(b, cells=tilize(np.broadcast_to(first, matrix.shape)))


def _elementwise(op: int, a: Source, b: Source, dst: Optional[Dst], bcast: Optional[str], dest_acc: Optional[bool],
                 fidelity: Any) -> Dst:
    if bcast is not None:
        b = broadcast(b, bcast)
    if len(b.cells) == 1 and len(a.cells) > 1:
        b = dataclasses.replace(b, cells=np.repeat(b.cells, len(a.cells), axis=0))
    wide = a.dest_acc if dest_acc is None else dest_acc
    before = None if dst is None else _before(dst, a, wide)
    options = _options(a, b, wide, fidelity)
    done = _library.elementwise(options, op, np.ascontiguousarray(a.cells), np.ascontiguousarray(b.cells), before)
    return _result(done, a, wide, a.shape)


def _before(dst: Dst, a: Source, wide: bool) -> np.ndarray:
    _check_whole(dst)
    if dst.dest_acc != wide or dst.chip != a.chip:
        raise Error("the Dst to which is added has another width, or is of another chip, than the result")
    return np.ascontiguousarray(dst.stored)


def elwadd(a: Source, b: Source, dst: Optional[Dst] = None, bcast: Optional[str] = None, dest_acc: Optional[bool] = None) -> Dst:
    """SrcA + SrcB, element by element; added to `dst`, if given. `bcast`: "row", "col" or "scalar" of SrcB. `dest_acc` is by
    default that of a. A single tile of b serves all of a."""
    return _elementwise(0, a, b, dst, bcast, dest_acc, "LoFi")


def elwsub(a: Source, b: Source, dst: Optional[Dst] = None, bcast: Optional[str] = None, dest_acc: Optional[bool] = None) -> Dst:
    """SrcA - SrcB, as elwadd()."""
    return _elementwise(1, a, b, dst, bcast, dest_acc, "LoFi")


def elwmul(a: Source, b: Source, dst: Optional[Dst] = None, bcast: Optional[str] = None, dest_acc: Optional[bool] = None,
           fidelity: Any = "LoFi") -> Dst:
    """SrcA x SrcB, as elwadd(); each fidelity phase of "LoFi", "HiFi2", "HiFi3" or "HiFi4" rounds into Dst."""
    return _elementwise(2, a, b, dst, bcast, dest_acc, fidelity)


def datacopy(a: Source, dest_acc: Optional[bool] = None, preserve: bool = True) -> Dst:
    """SrcA as it comes into Dst: moved, or where Dst has 32 bits added to 0. `preserve`: denormals and -0 stay, as since 2026."""
    wide = a.dest_acc if dest_acc is None else dest_acc
    options = _options(a, None, wide, "LoFi", preserve and not wide)
    return _result(_library.copy(options, np.ascontiguousarray(a.cells)), a, wide, a.shape)


def _grid(x: Source, name: str) -> Tuple[int, int]:
    if len(x.shape) != 2:
        raise Error(f"{name} has the shape {x.shape}; matmul takes matrices")
    return x.shape[0] // 32, x.shape[1] // 32


def matmul(left: Source, right: Source, dst: Optional[Dst] = None, dest_acc: Optional[bool] = None, fidelity: Any = "LoFi") -> Dst:
    """left x right, of matrices of whole tiles, as LLK's matmul: `left` (its in0) was unpacked to SrcB, `right` to SrcA. For each
    tile of the result, over all tiles between; of each, phase by phase. Added to `dst`, if given."""
    rows, inner = _grid(left, "left")
    below, columns = _grid(right, "right")
    wide = left.dest_acc if dest_acc is None else dest_acc
    before = None if dst is None else _before(dst, right, wide)
    done = _library.matmul(_options(right, left, wide, fidelity), np.ascontiguousarray(left.cells), rows, inner,
                           np.ascontiguousarray(right.cells), below, columns, before)
    return _result(done, right, wide, (rows * 32, columns * 32))


def reduce(a: Source, dim: str, pool: str = "sum", scaler: Optional[float] = None, scaler_format: Any = None,
           dest_acc: Optional[bool] = None, fidelity: Any = "LoFi", accumulate: bool = False, enforce_fp32: bool = False,
           mask: bool = True) -> Dst:
    """Each tile of SrcA reduced, as LLK does it: "row" leaves a column of results, "col" a row, "scalar" one. What is beside them
    in the tile is 0, as the mask of LLK's packer has it; with mask=False it is what the Matrix Unit leaves there.

    `pool`: "sum", "avg" or "max". `scaler`: what SrcB holds, by default 1, for "avg" 1/32 ("scalar" multiplies twice). With
    `accumulate` all tiles are reduced into one. `enforce_fp32`: enforce_fp32_accumulation, for rows. Int8 and UInt8 need
    `dest_acc` and give Int32, as LLK's is_int_fpu_en does it: sums of rows come out with 8 bits. Error: other integers.
    """
    dim, pool = _choose("dim", dim, tuple(_AXES)), _choose("pool", pool, ("sum", "avg", "max"))
    wide = a.dest_acc if dest_acc is None else dest_acc
    if scaler_format is None:
        kind = _describe(a.format)
        scaler_format = "Int8" if kind["integer"] else "Float16" if kind["exponent5"] else "Float16_b"
    if scaler is None:
        scaler = 1 / 32 if pool == "avg" else 1.0
        if pool == "avg" and _describe(_name(scaler_format))["integer"]:
            raise Error("an integer has no 1/32 for pool=\"avg\"; take \"sum\", or give a scaler")
    b = unpack(to_l1(np.full((32, 32), scaler), scaler_format), "srcb", dest_acc=wide, chip=a.chip)
    assert isinstance(b, Source)
    done = _library.reduce(_options(a, b, wide, fidelity), pool == "max", _AXES[dim], np.ascontiguousarray(a.cells),
                           int(b.cells[0, 0]), accumulate, enforce_fp32)
    result = _result(done, a, wide, (32, 32) if accumulate else a.shape)
    if not mask:
        return result
    matrix = untilize(result.stored, (len(result.stored), 32, 32))
    kept = np.zeros((32, 32), bool)
    kept[{"row": np.s_[:, :1], "col": np.s_[:1, :], "scalar": np.s_[:1, :1]}[dim]] = True
    return dataclasses.replace(result, stored=tilize(np.where(kept, matrix, 0).astype(np.uint32)))


# ---------------------------------------------------------------- Vector Unit

def sfpu(kernel: Any, *operands: Dst) -> Dst:
    """What a kernel of the Vector Unit makes of Dst: a `lanewise.kernel(...)`, for the chip and the format of Dst.

    `lanewise.kernel(op="exp", metal=DIR, format="bf16")` is an operation by name. Error: another chip or format.
    """
    first = operands[0]
    _check_whole(*operands)
    kind = _describe(first.format)
    if kind["integer"]:
        held = kind["own_name"] if not (first.dest_acc and kind["bits"] == 8) else "int32"
    else:
        held = "fp32" if first.dest_acc else "fp16" if kind["exponent5"] else "bf16"
    if kernel.format != held or kernel.arch != first.chip:
        raise Error(f"the kernel is for {kernel.arch} and {kernel.format}, Dst is of {first.chip} and holds {held}")
    arrays: List[np.ndarray] = [each.values((len(each.stored) * 32, 32)) for each in operands]
    result = dst(kernel(*arrays), first.format, first.dest_acc, first.chip)
    return dataclasses.replace(result, shape=first.shape)
