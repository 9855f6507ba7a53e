"""Budget files, and the plugin of pytest that holds kernels against them."""

import os
import random
import subprocess
import sys

import pytest
from conftest import ROOT

import lanewise as lw
from lanewise.budget import Budget

FILE = """# as tt-llk has it
Exp:
  - {max_ulp: 5}
  - {in: Float16_b, out: Float16_b, approx: "No", dest: "No", max_ulp: 1}  # max 1 ULP
  - {in: Float16_b, out: Float16_b, approx: No, arch: blackhole, max_ulp: 0}
  - {out: Float32, metric: tolerance, atol: 0.13}
Tie:
  - {in: Float16_b, max_ulp: 1}
  - {out: Float16_b, max_ulp: 2}
"""


@pytest.fixture
def budget(tmp_path):
    file = tmp_path / "budget.yaml"
    file.write_text(FILE)
    return Budget(file)


def exponential(arch="wh", format="bf16"):
    return lw.kernel(ROOT / "examples/exp.tt", arch, format=format)


def test_the_row_that_says_most_wins(budget):
    assert budget.find("Exp", exponential()).max_ulp == 1
    assert budget.find("Exp", exponential(), approx=True).max_ulp == 5
    assert budget.find("Exp", exponential("bh")).max_ulp == 0
    with pytest.raises(lw.Error, match="equally much"):
        budget.find("Tie", exponential())


def test_rows_without_arch_hold_on_wormhole_alone(budget):
    with pytest.raises(lw.Error, match="wormhole alone"):
        budget.find("Exp", exponential("bh"), approx=True)


def test_tolerances_are_not_ulp(budget):
    with pytest.raises(lw.Error, match="tolerance"):
        budget.find("Exp", exponential(format="fp32"))


def test_a_kernel_is_held(budget):
    assert budget.hold("Exp", exponential(), "exp(x)").max_ulp == 1  # docs/accuracy.md
    with pytest.raises(AssertionError, match="not within 0 ULP"):
        budget.hold("Exp", exponential("bh"), "exp(x)")
    with pytest.raises(lw.Error, match="'Sin'"):
        budget.find("Sin", exponential())


@pytest.mark.parametrize("text, complaint", [
    ("", "no operations"),
    ("- 1\n", "no operations"),
    ("Exp:\n", "no rows"),
    ("Exp: []\n", "no rows"),
    ("Exp:\n  - {max_ulp: 1}\nExp:\n  - {max_ulp: 2}\n", ":3: .*twice"),
    ("Exp:\n  - {max_ulp: 1}\n  - {max_ulp: 2}\n", "twice"),
    ("Exp:\n  - {max_ulp: 1, ulps: 2}\n", "unknown field 'ulps'"),
    ("Exp:\n  - {max_ulp: yes}\n", "whole number"),
    ("Exp:\n  - {max_ulp: -1}\n", "whole number"),
    ("Exp:\n  - {max_ulp: 1.5}\n", "whole number"),
    ("Exp:\n  - {in: Float16}\n", "whole number"),
    ("Exp:\n  - {max_ulp: 1, atol: 2}\n", "mixes"),
    ("Exp:\n  - {metric: tolerance, max_ulp: 2}\n", "mixes"),
    ("Exp:\n  - {metric: pcc}\n", "mixes"),
    ("Exp:\n  - {dest: maybe, max_ulp: 1}\n", "\"Yes\" or \"No\""),
    ("Exp:\n  - {max_ulp: 1\n", "no YAML"),
    ("Exp: !!python/object:os.system {}\n", "no YAML"),
])
def test_files_that_are_wrong(tmp_path, text, complaint):
    file = tmp_path / "budget.yaml"
    file.write_text(text)
    with pytest.raises(lw.Error, match=complaint) as raised:
        Budget(file)
    assert raised.value.file == str(file)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(lw.Error, match="cannot be read"):
        Budget(tmp_path / "none.yaml")


def test_damaged_files_are_errors_or_budgets(tmp_path):
    chance = random.Random(1)
    file = tmp_path / "budget.yaml"
    pieces = [b"{", b"}", b"[", b"]", b":", b"-", b"\n", b"  ", b"&a ", b"*a", b"<<: *a", b"? ", b"!!set", b"\xff", b"\0", b"'"]
    for _ in range(1500):
        data = bytearray(FILE.encode())
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            data[at:at + chance.randint(0, 3)] = chance.choice(pieces)
        file.write_bytes(data)
        try:
            Budget(file)
        except lw.Error:
            pass


def test_the_plugin(tmp_path):
    (tmp_path / "budget.yaml").write_text(FILE)
    (tmp_path / "test_kernels.py").write_text(f"""
import lanewise as lw

def test_holds(lanewise_budget):
    lanewise_budget.hold("Exp", lw.kernel({str(ROOT / 'examples/exp.tt')!r}, "wh"), "exp(x)")

def test_does_not_hold(lanewise_budget):
    lanewise_budget.hold("Exp", lw.kernel({str(ROOT / 'examples/exp.tt')!r}, "bh"), "exp(x)")
""")

    def run(*options):
        return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "lanewise.pytest_plugin",
                               *options], cwd=tmp_path, capture_output=True, text=True, check=False).stdout

    assert "1 failed, 1 passed" in run("--lanewise-budget", "budget.yaml")
    assert "2 skipped" in run()
    (tmp_path / "pytest.ini").write_text("[pytest]\nlanewise_budget = budget.yaml\n")
    assert "1 failed, 1 passed" in run()
    assert os.path.exists(tmp_path / "pytest.ini")
