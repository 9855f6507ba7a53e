"""What the tests of the Python package have in common: the examples, and the command line to compare with."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

#: docs/hazards.md: SFPSTORE reads L2 in the cycle after the SFPMAD that makes it; Wormhole does not wait for it.
EARLY = """SFPLOAD  L0, 3, 3, 0
SFPMAD   L0, L0, L9, L2, 0
SFPSTORE L2, 3, 3, 0
SFPABS   L0, L5, 1
"""


@pytest.fixture
def early(tmp_path):
    """A file with a hazard on Wormhole in line 3."""
    file = tmp_path / "early.tt"
    file.write_text(EARLY)
    return file


@pytest.fixture(scope="session")
def command_line():
    """Runs the program: its standard output; as JSON where the arguments have --json."""
    program = os.environ.get("LANEWISE_CLI")
    if not program:
        pytest.skip("LANEWISE_CLI names no program to compare with")

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run
