"""The module in C++ (python/*.cpp), for the other files of the package."""

from typing import Any, Callable, List, Optional, Tuple, Union

version: str
default_chip: str
chips: List[Tuple[str, str]]
default_seconds: float
default_mebibytes: int

def confinement() -> str: ...
def look_for_headers_in(prefix: str) -> None: ...

class Settings:
    file: str
    arch: str
    syntax: str
    hex: bool
    entry: str
    init: str
    faces: str
    call: List[str]
    include: List[str]
    define: List[str]
    switches: List[str]
    compiled: str
    sfpi: str
    seconds: float
    mebibytes: int
    metal: str
    op: str
    parameters: List[Tuple[str, str]]
    format: str
    out_format: str

class Program:
    name: str
    format: str
    out_format: str
    @property
    def arch(self) -> str: ...
    def __init__(self, settings: Settings) -> None: ...
    def warnings(self) -> str: ...
    def notes(self) -> List[str]: ...
    def words(self) -> List[int]: ...
    def assembly(self) -> str: ...

class OpList:
    def json(self) -> str: ...
    def text(self) -> str: ...

class Operand:
    class Kind:
        PATTERN: "Operand.Kind"
        NUMBERS: "Operand.Kind"
        PATTERNS: "Operand.Kind"
    def __init__(self, kind: "Operand.Kind", name: str, data: Union[str, bytes], format: str) -> None: ...

class RunSettings:
    inputs: List[Operand]
    srca: Optional[Operand]
    srcb: Optional[Operand]
    format: str
    out_format: str
    hazards: str
    out_tile: int
    interpret: bool

class RunResult:
    printed: str
    @property
    def notes(self) -> List[str]: ...
    def npy(self) -> bytes: ...
    def patterns(self) -> bytes: ...
    def format(self) -> str: ...
    def faults(self) -> str: ...

class TraceStep:
    is_late_result: bool
    place: str
    word: int
    instruction: str
    changes: List[str]
    def text(self) -> str: ...

class TimeReport:
    untimed: str
    def json(self) -> str: ...
    def html(self) -> str: ...
    def text(self) -> str: ...
    def faults(self) -> str: ...

class CheckedProgram:
    def json(self) -> str: ...
    def html(self) -> str: ...
    def text(self) -> str: ...
    def has_problem(self) -> bool: ...

class SweepSettings:
    reference: Union[None, str, Callable[..., Any]]
    reference_name: str
    operands: int
    format: str
    out_format: str
    out_tile: int
    inputs: str
    domain: str
    ulp: str
    threads: int
    generate: Optional[bool]
    worst: int
    resume: str
    max_ulp: Optional[float]
    max_exact_ulp: Optional[float]
    specials: bool
    progress: Optional[Callable[[int, int], Any]]

class SweepReport:
    def json(self) -> str: ...
    def html(self) -> str: ...
    def svg(self) -> str: ...
    def text(self) -> str: ...
    def holds(self) -> bool: ...

class DiffReport:
    def json(self) -> str: ...
    def html(self) -> str: ...
    def text(self) -> str: ...
    def same(self) -> bool: ...

def run(program: Program, settings: RunSettings) -> RunResult: ...
def trace(program: Program, settings: RunSettings) -> List[TraceStep]: ...
def time(program: Program, format: str, repeat: int, rolled: int, harness: str) -> TimeReport: ...
def check(program: Program, format: str) -> CheckedProgram: ...
def sweep(program: Program, settings: SweepSettings) -> SweepReport: ...
def diff(first: Program, second: Program, settings: SweepSettings) -> DiffReport: ...
def ops(folder: str, archs: List[str]) -> OpList: ...
