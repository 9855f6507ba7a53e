"""Kernels: a file, compiled for one chip, that can be called, measured, timed and checked."""

from __future__ import annotations

import os
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _chips, _lanewise
from ._arrays import Adopted, adopt
from ._errors import Error, FaultWarning, number_in, warn_of
from ._reference import name_of, on_arrays, operands_of
from ._results import ByChip, Check, Diff, Sweep, Time, Trace, Tuned

Reference = Union[str, Callable[..., Any]]
Path = Union[str, "os.PathLike[str]"]
Texts = Union[Path, Iterable[Path]]

#: What counts of the library hold.
_MOST_32_BITS, _MOST_64_BITS = 2**32 - 1, 2**64 - 1


def _texts(values: Texts) -> List[str]:
    if isinstance(values, (str, os.PathLike)):
        return [os.fspath(values)]
    return [os.fspath(value) for value in values]


def _value_text(value: Any) -> str:
    """A parameter of an operation as the header has it: True is C++'s true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Kernel:
    """A program for one chip: a kernel in C++ with SFPI, assembly, words in hexadecimal, a function of a kernel's ELF, or
    an operation of a checkout of tt-metal.

    `lanewise.kernel` is this class. The file is read and compiled once; the object can be used from several threads.

    Args:
        file: C++ with SFPI (.cpp, .h), assembly (.tt), words in hexadecimal (.hex), or an ELF file with `call`; none with `op`.
        arch: "bh" (Blackhole), "wh" (Wormhole) or "gs" (Grayskull, docs/grayskull.md); `lanewise.kernels` takes several.
        metal: a checkout of tt-metal or tt-llk, whose headers kernels find, and which is the one of `op` (docs/metal.md).
        op: an operation of it instead of a file, as `lanewise.ops` lists them: "gelu".
        params: of the operation, by name: numbers as {"alpha": 0.5}, and values of template parameters as
            {"APPROXIMATION_MODE": True}.
        format: of the tiles in Dst, and what numbers of inputs are rounded to: "bf16" (default), "fp32", "fp16", "int32",
            "int16", "int8", "uint16", "uint32". An operation on integers has its own where it is "bf16".
        out_format: of the result, if it is another one.
        out_tile: the tile of Dst that is the result (default 0).
        call, init: statements that run the kernel, and once before it; of an ELF file the function that runs.
        entry: the function without parameters that is the kernel (default "kernel").
        faces: on which it runs: "rc" (default with `call`), "r", "c" or "whole".
        include, define: folders with headers, macros NAME or NAME=VALUE.
        sfpi: release of SFPI whose interface and comparisons the kernel is written to, as "7.38" or 738; the newest without it.
        compiled: order of the instructions: "shipped", as the vendor's compiler leaves it (default for headers and operations),
            or "lanewise" (docs/compiler.md).
        switches: of the compiler, without the -f: "no-combine" (docs/compiler.md).
        syntax: of assembly: "auto", "tti" or "gnu".
        hex: the file is words in hexadecimal, whatever its name is.
        seconds, mebibytes: of processor time and memory that the kernel, or g++ over it, may take.

    Attributes:
        file: as above, or the name of the operation.
        arch, format, out_format, out_tile: as above, as settled.
        warnings: what the compiler said of it, as `FaultWarning`s.
        notes: what was left out of the program, in sentences.

    Warns: FaultWarning for what the compiler warns of.
    Raises: Error, with file and line, for whatever is wrong with it.
    """

    def __init__(self, file: Path = "", arch: str = _chips.DEFAULT, *, metal: Path = "", op: str = "",
                 params: Optional[Mapping[str, Any]] = None, format: str = "bf16", out_format: Optional[str] = None,
                 out_tile: int = 0, call: Texts = (), init: str = "", entry: str = "kernel",
                 faces: Optional[str] = None, include: Texts = (), define: Texts = (),
                 sfpi: Union[int, str, None] = None, switches: Texts = (), compiled: str = "", syntax: str = "auto", hex: bool = False,
                 seconds: Optional[float] = None, mebibytes: Optional[int] = None) -> None:
        self._arguments = {name: value for name, value in locals().items() if name != "self"}
        if not isinstance(arch, str):
            raise Error("a kernel is for one chip; use lanewise.kernels() for several")
        settings = _lanewise.Settings()
        settings.file, settings.metal, settings.op = os.fspath(file), os.fspath(metal), op
        settings.parameters = [(name, _value_text(value)) for name, value in (params or {}).items()]
        settings.format, settings.out_format = format, out_format or ""
        settings.arch, settings.syntax, settings.hex = arch, syntax, hex
        settings.call, settings.init, settings.entry, settings.faces = _texts(call), init, entry, faces or ""
        settings.include, settings.define, settings.switches = _texts(include), _texts(define), _texts(switches)
        settings.compiled = compiled
        settings.sfpi = "" if sfpi is None else str(sfpi)
        settings.seconds = (_lanewise.default_seconds if seconds is None
                            else number_in("seconds", seconds, 0.001, 86400.0))
        settings.mebibytes = (_lanewise.default_mebibytes if mebibytes is None
                              else number_in("mebibytes", mebibytes, 16, 1048576))
        self.out_tile: int = number_in("out_tile", out_tile, 0, _MOST_32_BITS)
        self._program = _lanewise.Program(settings)
        self.file, self.arch = self._program.name, self._program.arch
        self.format, self.out_format = self._program.format, self._program.out_format or None
        self.notes: List[str] = self._program.notes()
        self.warnings: List[FaultWarning] = warn_of(self._program.warnings(), 2)

    def __reduce__(self) -> Any:
        """A kernel in another process is made there of the same arguments, and so of the file that lies there."""
        return _made_of, (self._arguments,)

    def __call__(self, *inputs: Any, srca: Any = None, srcb: Any = None, srca_format: str = "bf16",
                 srcb_format: str = "bf16", formats: Optional[Sequence[str]] = None, hazards: str = "warn",
                 interpret: bool = False) -> Any:
        """Runs the kernel over all tiles of the inputs, bit for bit as the chip does.

        Args:
            inputs: the n-th goes to tile n of Dst. Arrays of any shape: NumPy, PyTorch, anything with `__dlpack__`, lists, or
                the text of a pattern ("ramp", "random:1", docs/cli.md). If the last two dimensions are multiples of 32 they
                are cut into tiles of 32x32; any other shape is one row of elements that fills tile after tile, the last with
                zeros. Inputs have the same number of tiles, or one. Numbers are rounded to the format of the tile; a uint16
                array has the bits of a bf16 or fp16 tile.
            srca, srcb: the same for the Matrix Unit's SrcA and SrcB, in `srca_format` and `srcb_format`.
            formats: of the tiles of the inputs, where they are not the kernel's `format`.
            hazards: "warn" about instructions that come too close together, or "model" what the hardware would read, or
                raise an "error", or "off".
            interpret: interpret a kernel in C++ with unlimited registers instead of running its words.

        Returns:
            An array of the shape and the type of the first input (else of SrcB, of SrcA). Where its type does not have all
            numbers of the output's format (floats for an integer, a narrower integer), it is float32, or the narrowest type
            of integers that has them. Floats are rounded to the type.

        Warns: FaultWarning for each fault, and for each hazard as `hazards` says; UserWarning for a hint.
        Raises: Error for bad input.
        """
        settings = self._run_settings(hazards)
        adopted = self._adopt_all(inputs, formats)
        settings.inputs = [each.operand for each in adopted]
        if srca is not None:
            adopted.append(adopt(srca, "srca", srca_format))
            settings.srca = adopted[-1].operand
        if srcb is not None:
            source = adopt(srcb, "srcb", srcb_format)
            adopted.insert(len(inputs), source)
            settings.srcb = source.operand
        settings.interpret = interpret
        result = _lanewise.run(self._program, settings)
        if result.printed:
            print(result.printed, end="")
        warn_of(result.faults(), 2)
        for note in result.notes:
            warnings.warn(f"{self.arch}: {note}", stacklevel=2)
        return (adopted[0] if adopted else adopt("zero", "", self.format)).restore(result)

    def trace(self, *inputs: Any, formats: Optional[Sequence[str]] = None, hazards: str = "warn") -> Trace:
        """Every instruction of the first tile of the inputs, and what it changed, as `lanewise run --trace`.

        Raises: Error for bad input.
        """
        settings = self._run_settings(hazards)
        settings.inputs = [each.operand for each in self._adopt_all(inputs, formats)]
        return Trace(_lanewise.trace(self._program, settings))

    def sweep(self, ref: Reference, *, inputs: str = "every", domain: str = "", ulp: str = "line",
              operands: Optional[int] = None, threads: int = 0, generate: Optional[bool] = None, worst: int = 10,
              resume: Path = "", max_ulp: Optional[float] = None, max_exact_ulp: Optional[float] = None,
              specials: bool = False, progress: Optional[Callable[[int, int], Any]] = None,
              client: Any = None, parts: Optional[int] = None) -> Sweep:
        """Runs the kernel over every input there is, and measures its error in ULP (docs/accuracy.md).

        Args:
            ref: what it should compute. An expression in x (and y), as "x * tanh(log1p(exp(x)))", is correctly rounded
                (docs/references.md). A function of one or two arrays of float64, NumPy's or PyTorch's as torch.exp, is taken
                at its doubles: they are rounded to the output format as they are, and are as good as the function is.
            inputs: "every", "range:LO:HI" or "sample:N[:SEED[:LO:HI]]", in the kernel's `format`.
            domain: an expression; only inputs for which it is true.
            ulp: how errors are counted: "line", "tt-llk", "ttnn", ... (docs/ulp.md).
            operands: of a function, where it does not tell: 1, or 2 for tiles 0 and 1.
            threads: 0 for as many as the machine has. A function in Python is called by one at a time.
            generate: True or False: make native code of the program's loop always or never; None for long sweeps.
            worst: worst inputs to keep.
            resume: a file that keeps the state of the sweep, which goes on from it after an interruption.
            max_ulp, max_exact_ulp, specials: gates, which `Sweep.holds` tells about.
            progress: called now and then with the inputs done and all inputs; by default a line on a terminal.
            client: one of Dask's (distributed.Client), whose workers sweep the parts, each with `threads` threads (default 1).
                They find the kernel's files under the same names. The result is that of a sweep here, bit for bit.
            parts: into which the sweep is cut for them (default: four for each of their threads); what is lost with a
                worker is one part, which another one does again.

        Raises: Error for bad input; KeyboardInterrupt after Ctrl-C; what `ref` raises.
        """
        if client is not None:
            if resume or not isinstance(ref, str):
                raise Error("a sweep on the workers of a client has no resume file, and an expression as its reference")
            return self._sweep_on(client, parts, ref, (operands, inputs, domain, ulp, threads or 1, generate, worst),
                                  (max_ulp, max_exact_ulp, specials))
        if parts is not None:
            raise Error("parts are for the workers of a client; give one, or leave parts out")
        if resume and not isinstance(ref, str):
            raise Error("a sweep against a function of Python cannot be resumed; give an expression, or no resume file")
        settings = self._sweep_settings(ref, operands, inputs, domain, ulp, threads, generate, worst)
        settings.resume = os.fspath(resume)
        settings.max_ulp, settings.max_exact_ulp, settings.specials = max_ulp, max_exact_ulp, specials
        with _Progress(progress) as settings.progress:
            return Sweep(_lanewise.sweep(self._program, settings))

    def _sweep_on(self, client: Any, parts: Optional[int], ref: Reference, asked: Any, gates: Any) -> Sweep:
        count = number_in("parts", parts or 4 * max(1, sum(client.nthreads().values())), 1, 1_000_000)
        done = client.map(_sweep_part, [self] * count, [ref] * count, [asked] * count,
                          [f"{number}/{count}" for number in range(1, count + 1)], pure=False)
        texts = client.gather(done)
        settings = self._sweep_settings(ref, *asked)
        settings.max_ulp, settings.max_exact_ulp, settings.specials = gates
        return Sweep(_lanewise.merge_sweep(self._program, settings, texts))

    def time(self, *, repeat: int = 1, harness: str = "", rolled: int = 0) -> Time:
        """What the kernel costs, in cycles (docs/timing.md).

        Args:
            repeat: passes that the timeline and the totals have.
            harness: adds what this one costs to the tile ("bh-copy", ..., or "auto", by what the kernel does).
            rolled: words that a loop of the core pushes in each pass; 0: no question about such a loop.

        Warns: FaultWarning for words that mean nothing, with which there are no times.
        Raises: Error for bad input.
        """
        repeat, rolled = (number_in(name, count, 0, _MOST_32_BITS)
                          for name, count in (("repeat", repeat), ("rolled", rolled)))
        timed = _lanewise.time(self._program, self.format, repeat, rolled, harness)
        warn_of(timed.faults(), 2)
        return Time(timed)

    def check(self, perturb: bool = False) -> Check:
        """What silicon may do otherwise than the kernel means (docs/hazards.md): a list of findings, empty if there are none.

        Args:
            perturb: let the core pause before every word that it pushes, and compare the results.

        Raises: Error for bad input.
        """
        return Check(_lanewise.check(self._program, self.format, perturb))

    def tune(self, *, emit: str = "tti", name: str = "tuned", operands: int = 0, time_limit: float = 60, steps: int = 0,
             macros: bool = True, conservative: bool = False, threads: int = 0) -> Tuned:
        """Looks for the fastest equivalent program, and proves it over every input (docs/tuning.md).

        Args:
            emit: the code: "tti" (C++), "asm" or "words".
            name: of the functions in C++.
            operands: tiles that are read, 8 at most; 0: of an operation its own, else 1.
            time_limit: seconds of processor time for everything but the last proof.
            steps: of the search at an interval, the same on any machine; 0: as many as usual.
            macros: use SFPLOADMACRO.
            conservative: only what shipped kernels do, macros that count instructions.
            threads: for the proof; 0 for as many as the machine has.

        Raises: Error for bad input, and for a kernel that cannot be tuned; KeyboardInterrupt after Ctrl-C.
        """
        settings = _lanewise.TuneSettings()
        settings.format, settings.out_format, settings.emit, settings.name = self.format, self.out_format or "", emit, name
        settings.operands = number_in("operands", operands, 0, 8)
        settings.threads = number_in("threads", threads, 0, _MOST_32_BITS)
        settings.steps = number_in("steps", steps, 0, 1 << 40)
        settings.seconds = number_in("time_limit", time_limit, 0.1, 86400.0)
        settings.macros, settings.conservative = macros, conservative
        return Tuned(_lanewise.tune(self._program, settings))

    @property
    def words(self) -> List[int]:
        """The instruction words, as `lanewise asm` prints them."""
        return self._program.words()

    @property
    def assembly(self) -> str:
        """Of a kernel in C++: what it was compiled to, as `lanewise run --emit asm` prints it. Error: for any other."""
        return self._program.assembly()

    def __repr__(self) -> str:
        return f"<lanewise.Kernel {self.file} for {self.arch}, {self.format}>"

    def _run_settings(self, hazards: str) -> "_lanewise.RunSettings":
        settings = _lanewise.RunSettings()
        settings.format, settings.out_format = self.format, self.out_format or ""
        settings.out_tile, settings.hazards = self.out_tile, hazards
        return settings

    def _adopt_all(self, inputs: Sequence[Any], formats: Optional[Sequence[str]]) -> List[Adopted]:
        chosen = [self.format] * len(inputs) if formats is None else list(formats)
        if len(chosen) != len(inputs):
            raise Error(f"{len(chosen)} formats for {len(inputs)} inputs; name one for each")
        return [adopt(value, f"input {number}", format)
                for number, (value, format) in enumerate(zip(inputs, chosen))]

    def _sweep_settings(self, ref: Optional[Reference], operands: Optional[int], inputs: str, domain: str, ulp: str,
                        threads: int, generate: Optional[bool], worst: int) -> "_lanewise.SweepSettings":
        settings = _lanewise.SweepSettings()
        if operands is not None:
            number_in("operands", operands, 1, 2)
        threads, worst = number_in("threads", threads, 0, _MOST_32_BITS), number_in("worst", worst, 0, _MOST_64_BITS)
        if ref is None or isinstance(ref, str):
            settings.reference, settings.operands = ref, operands or 1
        else:
            settings.operands = operands or (operands_of(ref) if callable(ref) else 1)
            settings.reference = on_arrays(ref, settings.operands)
            settings.reference_name = name_of(ref)
        settings.format, settings.out_format, settings.out_tile = self.format, self.out_format or "", self.out_tile
        settings.inputs, settings.domain, settings.ulp = inputs, domain, ulp
        settings.threads, settings.generate, settings.worst = threads, generate, worst
        return settings


class _Progress:
    """What is called as a sweep goes on: the user's function, else a line on a terminal that is wiped at the end."""

    def __init__(self, told: Optional[Callable[[int, int], Any]]) -> None:
        self._shows = told is None and sys.stderr is not None and sys.stderr.isatty()
        self._told = self._show if self._shows else told

    def __enter__(self) -> Optional[Callable[[int, int], Any]]:
        return self._told

    def __exit__(self, *exception: object) -> None:
        if self._shows:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    @staticmethod
    def _show(done: int, total: int) -> None:
        print(f"\r\033[K{done} of {total} inputs, {100 * done / max(1, total):.0f} %", end="", file=sys.stderr, flush=True)


#: `lw.kernel("mish.cpp")` reads as what it does.
kernel = Kernel


def _made_of(arguments: Mapping[str, Any]) -> Kernel:
    return Kernel(**arguments)


def _sweep_part(kernel: Kernel, ref: Reference, asked: Any, part: str) -> bytes:
    """A part of a sweep, on a worker."""
    return _lanewise.sweep_part(kernel._program, kernel._sweep_settings(ref, *asked), part)


def map(function: Callable[[Any], Any], items: Iterable[Any], *, client: Any = None, jobs: Optional[int] = None) -> List[Any]:
    """`function` of each item, in their order: on the workers of a client of Dask's, or in `jobs` threads here.

    Sweeps, runs and schedules let other threads go on. What a worker has not finished when it dies, another one does again.

    Raises: what `function` raises.
    """
    if client is not None:
        if jobs is not None:
            raise Error("a client decides how many jobs there are; leave jobs out")
        return list(client.gather(client.map(function, list(items), pure=False)))
    with ThreadPoolExecutor(number_in("jobs", jobs or os.cpu_count() or 1, 1, 1024)) as pool:
        return list(pool.map(function, items))


class Kernels(Dict[str, Kernel]):
    """The kernels of one file, or of one operation, for several chips, by the names of these.

    Arrays go to the kernel of one chip: `ks["wh"](x)`. What measures asks all of them, and gives a result for each.
    """

    def sweep(self, ref: Reference, **options: Any) -> ByChip[Sweep]:
        """`Kernel.sweep()` of each chip, with its options."""
        return ByChip((chip, each.sweep(ref, **options)) for chip, each in self.items())

    def time(self, **options: Any) -> ByChip[Time]:
        """`Kernel.time()` of each chip, with its options."""
        return ByChip((chip, each.time(**options)) for chip, each in self.items())

    def check(self, perturb: bool = False) -> ByChip[Check]:
        """`Kernel.check()` of each chip, with its option."""
        return ByChip((chip, each.check(perturb)) for chip, each in self.items())

    def tune(self, **options: Any) -> ByChip[Tuned]:
        """`Kernel.tune()` of each chip, with its options."""
        return ByChip((chip, each.tune(**options)) for chip, each in self.items())

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        raise Error(f"these are kernels for {', '.join(self)}; choose one, as in kernels[\"{next(iter(self), _chips.DEFAULT)}\"](x)")


def kernels(file: Path = "", arch: Iterable[str] = _chips.WHOLE, **options: Any) -> Kernels:
    """A kernel for each of several chips, with the options of `Kernel`.

    Raises: Error for whatever is wrong with one of them.
    """
    chips = [arch] if isinstance(arch, str) else list(arch)
    return Kernels((each.arch, each) for each in (Kernel(file, chip, **options) for chip in chips))


def diff(a: Kernel, b: Kernel, ref: Optional[Reference] = None, *, inputs: str = "every", domain: str = "",
         ulp: str = "line", operands: Optional[int] = None, threads: int = 0, generate: Optional[bool] = None,
         worst: int = 10, progress: Optional[Callable[[int, int], Any]] = None) -> Diff:
    """Compares two kernels for the same chip over every input: bits, ULP, cycles. `ref` measures both against it as well.

    Options are those of `Kernel.sweep()`; formats are those of the kernels, which must be the same.

    Raises: Error for bad input; KeyboardInterrupt after Ctrl-C; what `ref` raises.
    """
    if (a.format, a.out_format, a.out_tile) != (b.format, b.out_format, b.out_tile):
        raise Error(f"{a.file} and {b.file} have different formats or tiles for their results; load both with the same")
    settings = a._sweep_settings(ref, operands, inputs, domain, ulp, threads, generate, worst)
    with _Progress(progress) as settings.progress:
        return Diff(_lanewise.diff(a._program, b._program, settings))


def assert_with_ulp(kernel: Kernel, ref: Reference, max_ulp: float, **options: Any) -> Sweep:
    """Asserts that no result of the kernel is further than `max_ulp` from the rounded reference; returns the sweep.

    Options are those of `Kernel.sweep()`.

    Raises: AssertionError with the worst inputs.
    """
    swept = kernel.sweep(ref, max_ulp=max_ulp, **options)
    if not swept.holds:
        lines = [f"{kernel!r} is not within {max_ulp:g} ULP: {swept.headline}", *swept.misses]
        raise AssertionError("\n".join([*lines, *(f"  {case}" for case in swept.worst)]))
    return swept
