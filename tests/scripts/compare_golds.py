#!/usr/bin/env python3
"""compare_golds.py PROGRAM DIR: cycles of our compiler's code against those of the vendor's, function by function.

DIR is `tests/wormhole/sfpi` or `tests/blackhole/sfpi` of a checkout of sfpi (7.4.0 is the newest release that has them): KERNELS.cc with
functions, and gold/KERNELS.S with what the vendor's compiler made of each. Both programs are timed by `lanewise time`. Compared are
functions without arguments of which the gold has no instruction of the core; those that leave nothing to do have no quotient, and are
counted. Prints each row, and the geometric mean of ours over theirs.
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FILES = ("combine", "pushpop", "regmov", "vcond", "schedule", "replay")
# The entry of all functions of a file, so that it is compiled once: which of them runs, the environment says.
CHOOSER = '\n#include <stdlib.h>\nvoid gold_chooser() {{\n  switch (atoi(getenv("GOLD"))) {{\n{cases}  }}\n}}\n'


def cycles(program, file, chip, entry, gold=0):
    command = [program, "time", str(file), "--arch", chip, "--entry", entry, "--json"]
    made = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "GOLD": str(gold)})
    if made.returncode == 2:
        sys.exit(made.stderr.strip())
    return json.loads(made.stdout)["chips"][0]["total"]["cycles"]


def straight_functions(gold):
    """Symbol and name of each function without arguments that is Tensix instructions alone."""
    for symbol, body in re.findall(r"^(_Z\w+):\n(.*?)^\t\.size", gold.read_text(), re.M | re.S):
        words = [line.split()[0] for line in body.splitlines() if re.match(r"\t[^.]", line)]
        length = re.fullmatch(r"_Z(\d+)(\w+)v", symbol)
        if length and words != ["ret"] and all(word == "ret" or word.startswith(("SFP", "TT")) for word in words):
            name = length[2]
            if len(name) == int(length[1]):
                yield symbol, name


def rows_of(program, folder, chip, name, work):
    gold = folder / "gold" / f"{name}.S"
    functions = list(straight_functions(gold))
    cases = "".join(f"    case {i}: {each}(); break;\n" for i, (_, each) in enumerate(functions))
    source = work / f"{name}.cc"
    # test.h names the core's buffer of instructions, which a host does not have, and includes sfpi.h.
    kernels = (folder / source.name).read_text().replace('"test.h"', '"sfpi.h"')
    source.write_text(kernels + CHOOSER.format(cases=cases))
    for i, (symbol, function) in enumerate(functions):
        theirs = cycles(program, gold, chip, symbol)
        yield f"{name} {function}", cycles(program, source, chip, "gold_chooser", i), theirs


def main(program, folder):
    folder = pathlib.Path(folder)
    chip = "bh" if "blackhole" in folder.resolve().parts else "wh"
    quotients, empty = [], 0
    with tempfile.TemporaryDirectory() as work:
        for name in FILES:
            for row, ours, theirs in rows_of(program, folder, chip, name, pathlib.Path(work)):
                if ours == 0 or theirs == 0:
                    empty += 1
                    print(f"{row}: {ours:.0f} of {theirs:.0f}")
                    continue
                quotients.append(ours / theirs)
                print(f"{row}: {ours:.0f} of {theirs:.0f}, {quotients[-1]:.2f}")
    mean = math.exp(sum(map(math.log, quotients)) / len(quotients))
    print(f"{chip}: geometric mean {mean:.3f} over {len(quotients)} functions; {empty} more leave nothing to do")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
