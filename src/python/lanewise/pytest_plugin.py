"""A plugin for pytest: `pytest -p lanewise.pytest_plugin --lanewise-budget FILE`, and the fixture `lanewise_budget`.

    def test_tanh(lanewise_budget):
        kernel = lanewise.kernel("tanh.cpp", arch="wh")
        lanewise_budget.hold("Tanh", kernel, "tanh(x)")

With an installed package (pip) the plugin is there without -p. `lanewise_budget` in pytest.ini names the file, too.
"""

from __future__ import annotations

import pytest

from .budget import Budget

_OPTION = "--lanewise-budget"
_INI = "lanewise_budget"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, and the line of pytest.ini."""
    meaning = "file of accuracy budgets (sfpu_accuracy_budget.yaml) for the fixture lanewise_budget"
    parser.getgroup("lanewise").addoption(_OPTION, metavar="FILE", default=None, help=meaning)
    parser.addini(_INI, meaning, default="")


@pytest.fixture(scope="session")
def lanewise_budget(pytestconfig: pytest.Config) -> Budget:
    """The budgets of the file that --lanewise-budget or pytest.ini names; tests that ask for it are skipped without one."""
    path = pytestconfig.getoption(_OPTION) or pytestconfig.getini(_INI)
    if not path:
        pytest.skip(f"no budgets: give pytest {_OPTION} FILE, or name it as {_INI} in pytest.ini")
    return Budget(path)
