"""The command `lanewise` of an installed wheel: the program that lies in the package, which is not imported for it."""

import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).resolve().parent / "lanewise/bin/lanewise"
    os.execv(program, ["lanewise", *sys.argv[1:]])
