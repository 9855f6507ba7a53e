"""The chips, as their records in the library name them."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Dict, Tuple

if TYPE_CHECKING or find_spec("._lanewise", __package__):
    from . import _lanewise

    #: The chip that is meant where none is named.
    DEFAULT: str = _lanewise.default_chip
    #: What checkouts of the vendor call each chip of which all is here: {"bh": "blackhole", "wh": "wormhole"}.
    FAMILIES: Dict[str, str] = dict(_lanewise.chips)
else:
    # For the plugins of tt-llk's tests, which call the program; tests/python holds this against the library.
    DEFAULT, FAMILIES = "bh", {"bh": "blackhole", "wh": "wormhole"}

#: These chips.
WHOLE: Tuple[str, ...] = tuple(FAMILIES)
