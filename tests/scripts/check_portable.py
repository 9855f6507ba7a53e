#!/usr/bin/env python3
"""check_portable.py FOLDER [--python]: programs and libraries below FOLDER run on Debian 12, Ubuntu 22.04 and what is newer.

- Symbols of the C and C++ libraries are not newer than those of the older of the two, Ubuntu 22.04.
- A library that is needed lies in FOLDER, or has the same soname in all these releases. With --python, for wheels: or is one that the
  standard manylinux takes for granted, or one that Python itself needs there.
"""

import pathlib
import re
import subprocess
import sys

NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12,)}
EVERYWHERE = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"}
OF_PYTHON = {"libssl.so.3", "libcrypto.so.3"}
OF_RELEASES = OF_PYTHON | {"libmpfr.so.6", "libgmp.so.10", "libdw.so.1", "libelf.so.1", "libseccomp.so.2",
                           "libbrotlienc.so.1", "libbrotlidec.so.1", "libbrotlicommon.so.1"}


def binaries(folder):
    """ELF files that are linked: by their first bytes, and the type after them."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            head = file.read_bytes()[:18]
            if head[:4] == b"\x7fELF" and head[16] in (2, 3):
                yield file


def mistakes(file, present, taken):
    text = subprocess.run(["readelf", "-dVW", file], check=True, capture_output=True, text=True).stdout
    for name in re.findall(r"\(NEEDED\).*\[([^]]+)\]", text):
        if name not in present and name not in taken:
            yield f"needs {name}, which is neither there nor the same in all releases"
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[([^]]*)\]", text):
        if not all(part.startswith("$ORIGIN") for part in path.split(":")):
            yield f"looks for libraries in '{path}'"
    needed = text.partition("Version needs section")[2]
    for kind, number in sorted(set(re.findall(r"Name: ([A-Z]+)_([0-9.]+)", needed))):
        if tuple(map(int, number.split("."))) > NEWEST.get(kind, (99,)):
            yield f"needs {kind}_{number}, which Ubuntu 22.04 has not"


def main():
    folder = pathlib.Path(sys.argv[1])
    taken = EVERYWHERE | (OF_PYTHON if sys.argv[2:] == ["--python"] else OF_RELEASES)
    files = list(binaries(folder))
    present = {file.name for file in files}
    wrong = [f"{file.relative_to(folder)}: {what}" for file in files for what in mistakes(file, present, taken)]
    print("\n".join(wrong) if wrong else f"{len(files)} files are portable")
    return 0 if files and not wrong else 1


sys.exit(main())
