"""docs/python.md shows what Python prints, and the example runs."""

import doctest
import re
import runpy

import pytest
from conftest import EXAMPLES, ROOT

PAGE = ROOT / "docs/python.md"


def sessions(page=PAGE):
    """The ```pycon blocks of a page, without what is between them, on the same lines."""
    lines, inside = [], False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```pycon"
            line = ""
        lines.append(line if inside else "")
    return "\n".join(lines) + "\n"


def run_sessions(page, at_least):
    """The page shows what Python prints."""
    test = doctest.DocTestParser().get_doctest(sessions(page), {}, page.name, str(page), 0)
    assert len(test.examples) >= at_least
    failures = []
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL & 0)
    runner.run(test, out=failures.append)
    assert runner.failures == 0, "".join(failures)


def test_the_page_shows_what_python_prints(monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    run_sessions(PAGE, at_least=16)


def test_the_table_of_the_page_names_what_a_sweep_has():
    import lanewise as lw

    rows = re.findall(r"^\| (`\w[^|]*) \|", PAGE.read_text().split("## Every input")[1].split("## Time")[0], re.MULTILINE)
    names = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert len(names) > 10 and all(hasattr(lw.Sweep, name) for name in names)


def test_the_example_runs(capsys):
    runpy.run_path(str(EXAMPLES / "python/accuracy.py"))
    shown = capsys.readouterr().out
    assert "cycles per tile" in shown and "ULP" in shown
