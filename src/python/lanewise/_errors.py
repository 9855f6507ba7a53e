"""What goes wrong: exceptions for bad input, warnings for faults of a kernel."""

from __future__ import annotations

import json
import math
import numbers
import operator
import re
import warnings
from typing import Any, Dict, List, Optional

#: The first error in what g++ says of a kernel.
_GXX_ERROR = re.compile(r"^(.+?):(\d+):(\d+): (?:fatal )?error: ", re.MULTILINE)


class Error(ValueError):
    """Something that cannot be understood or done: a file, an option, an array.

    Its text is the sentence that the command line prints, with the place in front and what to do behind it.

    Attributes:
        message: one sentence, what is wrong.
        remedy: one sentence, what to do; may be empty.
        file: the file it is about; None if there is none.
        line, column: the place in it, from 1; None if there is none.
    """

    def __init__(self, text: str, *, message: str = "", remedy: str = "", file: str = "", line: int = 0,
                 column: int = 0) -> None:
        super().__init__(text)
        self.message = message or text
        self.remedy = remedy
        of_compiler = None if line else _GXX_ERROR.search(text)
        if of_compiler:
            file, line, column = of_compiler[1], int(of_compiler[2]), int(of_compiler[3])
        self.file: Optional[str] = file or None
        self.line: Optional[int] = line or None
        self.column: Optional[int] = column or None


def number_in(name: str, value: Any, least: float, most: float) -> Any:
    """A number that an argument gives, whole where the limits are. Error: for another type, or beyond the limits."""
    whole = isinstance(least, int)
    number: Any = math.nan
    if isinstance(value, numbers.Integral if whole else numbers.Real):
        number = operator.index(value) if whole else float(value)
    if not least <= number <= most:
        kind = "a whole number" if whole else "a number"
        raise Error(f"{name}={value!r} cannot be; give {kind} from {least} to {most}")
    return number


class FaultWarning(UserWarning):
    """A kernel did something whose result cannot be relied on, or that only happens to work.

    Attributes:
        kind: "NonContractual", "Hazard", "UnpredictableValue", "Unsupported", "UndefinedBehavior" or "BadInput".
        message, remedy: a sentence each: what is wrong, and what to do.
        rule: where the rule is documented, e.g. "VU C9" (docs/rules).
        instruction: the mnemonic; may be empty.
        file, line, column: the place, from 1; None if there is none.
        lane: the first lane concerned, 0..31; None if it is not of a lane.
    """

    def __init__(self, fault: Dict[str, Any]) -> None:
        super().__init__(fault["text"])
        self.kind: str = fault["kind"]
        self.message: str = fault["message"]
        self.remedy: str = fault["remedy"]
        self.rule: str = fault["rule"]
        self.instruction: str = fault["instruction"]
        self.file: Optional[str] = fault["file"] or None
        self.line: Optional[int] = fault["line"] or None
        self.column: Optional[int] = fault["column"] or None
        self.lane: Optional[int] = fault["lane"]


def warn_of(faults: str, stacklevel: int) -> List[FaultWarning]:
    """Warns of each fault of the library's list (JSON), at the caller's line; returns them."""
    found = [FaultWarning(fault) for fault in json.loads(faults)]
    for fault in found:
        warnings.warn(fault, stacklevel=stacklevel + 1)
    return found
