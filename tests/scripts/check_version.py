#!/usr/bin/env python3
"""check_version.py SOURCE BUILD PROGRAM: one version of the project, that of CMakeLists.txt, wherever it is said.

- The program, the Python package's setup, find_package and pkg-config, and the newest entry of CHANGELOG.md say it.
- Pages, the recipe of the container and the action name no other one.
"""

import pathlib
import re
import subprocess
import sys

VERSION = r"[0-9]+\.[0-9]+\.[0-9]+"


def output_of(folder, *command):
    """What a command prints; its failure is that of the check."""
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def first(pattern, text, where):
    """The version that stands for @ in a pattern, or that there is none."""
    found = re.search(pattern.replace("@", f"({VERSION})"), text, re.MULTILINE)
    return found[1] if found else f"nothing that looks like {pattern} in {where}"


def said(source, build, program):
    """Who says a version, and which."""
    yield "--version", first(r"\Alanewise @$", output_of(build, program, "--version"), "--version")
    yield "lanewise man", first(r'^\.TH .*"lanewise @"', output_of(build, program, "man"), "lanewise man")
    yield "CHANGELOG.md", first(r"^## @\b", (source / "CHANGELOG.md").read_text(), "CHANGELOG.md")
    yield "setup.py", output_of(source, "/usr/bin/python3", "-B", "setup.py", "--version").split()[-1]
    for file, pattern in (("lanewise-config-version.cmake", r'^set\(PACKAGE_VERSION "@"\)'), ("lanewise.pc", r"^Version: @$")):
        if (build / file).exists():
            yield file, first(pattern, (build / file).read_text(), file)
        else:
            yield file, "no such file"


def named(source):
    """The versions of Lanewise that pages and recipes name."""
    files = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    files += [source / name for name in ("Containerfile", "action.yml", ".pre-commit-hooks.yaml")]
    for file in filter(pathlib.Path.exists, files):
        for found in re.finditer(rf"lanewise(?:-dev)?[ _=-]v?({VERSION})", file.read_text()):
            yield str(file.relative_to(source)), found[1]


def main():
    source, build, program = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    version = first(r"^project\(lanewise VERSION @", (source / "CMakeLists.txt").read_text(), "CMakeLists.txt")
    wrong = [f"{who}: {what}, not {version}, the version in CMakeLists.txt"
             for who, what in (*said(source, build, program), *named(source)) if what != version]
    print("\n".join(wrong) if wrong else f"all say {version}")
    return bool(wrong)


sys.exit(main())
