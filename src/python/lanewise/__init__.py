"""Lanewise: run, measure, time and check Tensix compute kernels without a card.

    import lanewise as lw

    k = lw.kernel("examples/tanh.cpp", arch="bh")
    k(x)                              # an array or a tensor in, the same out, bit for bit
    k.sweep("tanh(x)").max_ulp        # over every input there is
    k.time().cycles_per_tile
    k.check()                         # hazards, with their lines
    lw.assert_with_ulp(k, "tanh(x)", 2)

It calls the library that the command line calls; docs/python.md has more.
"""

from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING or _find_spec("._lanewise", __name__):
    import os as _os

    from . import _lanewise, golden
    from ._errors import Error, FaultWarning
    from ._kernel import Kernel, Kernels, assert_with_ulp, diff, kernel, kernels, map
    from ._program import Run, program
    from ._program_time import Bound, CircularBuffer, CoreTime, Link, PathStep, ProgramTime, Signal, Traffic, Wait
    from ._results import ByChip, Case, Check, Diff, Finding, Op, Ops, Step, Sweep, Time, Trace, Tuned, ops

    __version__: str = _lanewise.version

    def confinement() -> str:
        """How kernels are confined on this system, in words: which layers there are (docs/security.md)."""
        return _lanewise.confinement()

    _lanewise.look_for_headers_in(_os.path.dirname(_os.path.abspath(__file__)))

    __all__ = ["Bound", "ByChip", "Case", "Check", "CircularBuffer", "CoreTime", "Diff", "Error", "FaultWarning", "Finding", "Kernel",
               "Kernels", "Link", "Op", "Ops", "PathStep", "ProgramTime", "Run", "Signal", "Step", "Sweep", "Time", "Trace",
               "Traffic", "Tuned", "Wait", "assert_with_ulp", "confinement", "diff", "golden", "kernel", "kernels", "map", "ops", "program"]

    for _name in __all__:
        if _name == "golden":
            continue  # a module
        globals()[_name].__module__ = __name__  # which error messages name, and where users import it from
else:
    # The plugin llk_pytest calls the program, and works from the source tree, too.
    def __getattr__(name: str) -> object:
        if name.startswith("__") or _find_spec("." + name, __name__):
            raise AttributeError(name)  # a module of the package is imported next
        raise ImportError(f"lanewise.{name} needs the module lanewise._lanewise, which is not built: "
                          "'./lanewise python' builds it, and so does 'pip install'", name="lanewise._lanewise")
