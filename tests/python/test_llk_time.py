"""LANEWISE_LLK_TIME, the switch of the plugin: which tests run in time, and how. The plugin stands in for packages, so that each case
has a process of its own."""

import json
import os
import subprocess
import sys

import pytest

#: Runs a test that stands for one of tt-llk's, and prints the words that `lanewise llk-test` would have got.
SCRIPT = """
import json, sys, types, pathlib
from lanewise import llk_pytest as plugin

words = []
plugin.run_program = words.extend
plugin.options = lambda test: ["test.cpp"]
plugin.macros = lambda test: json.loads(sys.argv[1])
plugin.variant_folder = lambda test: pathlib.Path(sys.argv[2])
plugin._llk_host.takes_part = lambda test: False
plugin._llk_perf.keep_markers = lambda *_: words.append("markers are kept")
plugin.run_on_lanewise(types.SimpleNamespace())
print(json.dumps(words))
"""


def run(folder, macros, switch):
    (folder / "build.h").write_text("")
    environment = {name: value for name, value in os.environ.items() if name != "LANEWISE_LLK_TIME"}
    if switch is not None:
        environment["LANEWISE_LLK_TIME"] = switch
    return subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(macros), str(folder)], env=environment, capture_output=True,
                          text=True, check=False)


def words_of(folder, macros, switch):
    result = run(folder, macros, switch)
    assert result.returncode == 0, result.stderr
    return [word for word in json.loads(result.stdout) if not word.endswith("zones.json")]


@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_test_that_measures_runs_in_time(tmp_path, switch):
    assert words_of(tmp_path, ["LLK_PROFILER"], switch) == ["test.cpp", "--zones", "--time", "--gather", switch, "markers are kept"]


@pytest.mark.parametrize("switch", [None, ""])
def test_without_the_switch_it_has_no_time(tmp_path, switch):
    assert words_of(tmp_path, ["LLK_PROFILER"], switch) == ["test.cpp", "--zones", "markers are kept"]


def test_what_does_not_measure_is_as_ever(tmp_path):
    assert words_of(tmp_path, [], "on") == ["test.cpp"]


def test_another_value_is_refused(tmp_path):
    result = run(tmp_path, ["LLK_PROFILER"], "yes")
    assert result.returncode != 0
    assert "LANEWISE_LLK_TIME is 'yes'; on and off say" in result.stderr
