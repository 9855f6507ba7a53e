"""docs/python.md shows what Python prints, and the example runs."""

import doctest
import re
import runpy

import pytest
from conftest import EXAMPLES, ROOT

PAGE = ROOT / "docs/python.md"


def sessions():
    """The ```pycon blocks of the page, without what is between them, on the same lines."""
    lines, inside = [], False
    for line in PAGE.read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```pycon"
            line = ""
        lines.append(line if inside else "")
    return "\n".join(lines) + "\n"


def test_the_page_shows_what_python_prints(monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(sessions(), {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 15
    failures = []
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL & 0)
    runner.run(test, out=failures.append)
    assert runner.failures == 0, "".join(failures)


def test_the_table_of_the_page_names_what_a_sweep_has():
    import lanewise as lw

    rows = re.findall(r"^\| (`\w[^|]*) \|", PAGE.read_text().split("## Every input")[1].split("## Time")[0], re.MULTILINE)
    names = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert len(names) > 10 and all(hasattr(lw.Sweep, name) for name in names)


def test_the_example_runs(capsys):
    runpy.run_path(str(EXAMPLES / "python/accuracy.py"))
    shown = capsys.readouterr().out
    assert "cycles per tile" in shown and "ULP" in shown
