"""The chips, as their records in the library name them."""

from typing import Dict, Tuple

from . import _lanewise

#: The chip that is meant where none is named.
DEFAULT: str = _lanewise.default_chip
#: What checkouts of the vendor call each chip of which all is here: {"bh": "blackhole", "wh": "wormhole"}.
FAMILIES: Dict[str, str] = dict(_lanewise.chips)
#: These chips.
WHOLE: Tuple[str, ...] = tuple(FAMILIES)
