#!/usr/bin/env python3
"""check_laws.py SOURCE: silicon's figures in tests/silicon/laws.csv are those of the sources.

Rows of a law that is a formula have to follow it. Where ../shared/reference/clock/llk-laws.csv lies beside the project, the formulas and all
other figures have to be its own.
"""

import csv
import math
import pathlib
import re
import sys

# Not gathered there: two functions of tt-metal 48925 and 48696.
ELSEWHERE = {"wh_tanhshrink", "wh_softshrink", "wh_heaviside"}
# By the pattern of a row's name: the row of the reference, its text, and what it is for the number in the name: tiles of a call, or how
# many stand side by side, with P = 2 on Wormhole and 1 on Blackhole.
LAWS = {
    r"pack_adds_(\d)x(\d)": ("pack_dest_bank_l1acc_slow", "24.0*tiles + 67", lambda tiles: 24.0),
    r"pack_(\d)x(\d)": ("pack_dest_bank_fast", "16.0*tiles + 9.13*calls", lambda tiles: 16.0 + 9.13 / tiles),
    r"pack_untilize_ct(\d)": ("pack_untilize_wh", "16*(P+1)+17/ct", lambda ct: 16 * (2 + 1) + 17 / ct),
    r"pack_untilize_ct(\d)_bh": ("pack_untilize_bh", "32+32*P+6*32/ct", lambda ct: 32 + 32 * 1 + 6 * 32 / ct),
}
# Differences of two figures of one list: what more phases take.
STEPS = {"matmul_hifi2_bh": ("matmul_tiles_bh", 0), "matmul_hifi4_bh": ("matmul_tiles_bh", 1),
         "matmul_hifi2_wh": ("matmul_tiles_wh", 0), "matmul_hifi4_wh": ("matmul_tiles_wh", 1)}
NAMED = ("pack_", "pack_adds_", "pack_untilize_ct", "tilize_unpack_", "tilize_pack_", "matmul_hifi", "matmul_e2e_", "sfpu_e2e_", "wh_")


def rounded(text):
    """A figure and half a unit of its last digit."""
    digits = len(text.partition(".")[2])
    return float(text), 0.5 * 10**-digits + 1e-9


def law_of(name):
    """The law and the number, or nothing."""
    for pattern, law in LAWS.items():
        if found := re.fullmatch(pattern, name):
            return law, math.prod(int(each) for each in found.groups())
    return None


def numbers(text):
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", text)]


def wrong_figures(rows, reference):
    for row in rows:
        name, silicon = row["id"], row["silicon"].removeprefix("-100..")
        if law := law_of(name):
            (key, text, gives), number = law
            figure, half = rounded(silicon)
            if abs(gives(number) - figure) > half:
                yield f"{name}: {silicon}, and the law {text} gives {gives(number)}"
            if reference and reference[key] != text:
                yield f"{key} is {reference[key]}, not {text}"
        elif reference and name in STEPS:
            key, at = STEPS[name]
            figures = numbers(reference[key].partition("(")[2])
            if abs(figures[at + 1] - figures[at] - float(silicon)) > 1e-6:
                yield f"{name}: {silicon}, and {key} has {figures}"
        elif reference and name not in ELSEWHERE:
            known = {figure for text in reference.values() for figure in numbers(text)}
            for each in numbers(silicon):
                if each not in known:
                    yield f"{name}: no source has {each}"


def main():
    source = pathlib.Path(sys.argv[1])
    with open(source / "tests/silicon/laws.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    gathered = source / "../shared/reference/clock/llk-laws.csv"
    reference = {}
    if gathered.exists():
        with open(gathered, newline="") as file:
            reference = {row["id"]: row["law_or_value"] for row in csv.DictReader(file)}
    wrong = list(wrong_figures(rows, reference))
    wrong += [f"there is no law {name}..." for name in NAMED if not any(row["id"].startswith(name) for row in rows)]
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
