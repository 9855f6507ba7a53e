"""The plugin that writes down cases of tt-llk's tests: which variants it chooses. How it runs is a check of the program,
tests/scripts/check_llk_diff.sh."""

import importlib.util
import itertools
import pathlib
import re
import types

import pytest

import lanewise
from lanewise import _chips


@pytest.fixture(scope="module")
def cases():
    # As pytest would load it as a plugin, with what it stands in for.
    pytest.importorskip("numpy")
    if importlib.util.find_spec("ttexalens"):
        pytest.skip("the real ttexalens is there")
    import sys
    before = set(sys.modules)
    from lanewise import llk_cases
    yield llk_cases
    for name in set(sys.modules) - before:
        if name.startswith("ttexalens"):
            del sys.modules[name]


def item(number, **parameters):
    return types.SimpleNamespace(nodeid=f"test_x.py::test_x[{number}]", callspec=types.SimpleNamespace(params=parameters))


def all_items():
    values = itertools.product(["bf16", "fp32", "bfp8"], [True, False], range(7), ["row", "column"])
    return [item(i, formats=f, acc=a, rows=r, dim=d) for i, (f, a, r, d) in enumerate(values)]


def chosen(cases, items, most, skips=lambda item: False):
    choice, taken = cases.Choice("test_x.py::test_x", items, most), []
    while not choice.is_done():
        each = choice.take()
        choice.was(each, not skips(each))
        if not skips(each):
            taken.append(cases.parameters_of(each))
    return taken


def test_every_value_occurs_and_most_pairs(cases):
    taken = chosen(cases, all_items(), 21)
    assert len(taken) == 21
    assert {each["rows"] for each in taken} == {str(i) for i in range(7)}
    pairs = {(a, b) for each in taken for a, b in itertools.combinations(sorted(each.items()), 2)}
    # 3*2 + 3*7 + 3*2 + 2*7 + 2*2 + 7*2 pairs: 21 variants can have them all, and a choice at random has fewer.
    assert len(pairs) >= 60


def test_what_is_skipped_is_replaced(cases):
    taken = chosen(cases, all_items(), 12, skips=lambda each: each.callspec.params["formats"] == "fp32")
    assert len(taken) == 12
    assert {each["formats"] for each in taken} == {"bf16", "bfp8"}
    assert {each["dim"] for each in taken} == {"row", "column"}


def test_the_same_tree_gives_the_same_choice(cases):
    assert chosen(cases, all_items(), 9) == chosen(cases, all_items(), 9)


def test_variants_like_those_of_another_tree(cases):
    items = [item(i, fidelity=f, dim=d) for i, (f, d) in enumerate(itertools.product(["lo", "hi"], ["row", "column"]))]
    wanted = [{"id": "a", "parameters": {"dim": "row", "fidelity": "hi"}},
              {"id": "b", "parameters": {"dim": "column", "enforce": "True"}},  # of which the tree has one parameter only
              {"id": "c", "parameters": {"dim": "scalar", "fidelity": "hi"}}]
    likes = cases.Likes("test_x.py::test_x", items, wanted)
    found = []
    while not likes.is_done():
        each = likes.take()
        found.append((likes.of, cases.parameters_of(each)))
    assert found == [("a", {"dim": "row", "fidelity": "hi"}), ("b", {"dim": "column", "fidelity": "lo"})]


def test_memory_is_written_where_it_is_not_zero(cases):
    memory = bytearray(1024)
    memory[130] = memory[200] = memory[1023] = 1
    chunks = cases.chunks_of(memory)
    assert [(address, len(part)) for address, part in chunks] == [(128, 128), (960, 64)]
    again = bytearray(1024)
    for address, part in chunks:
        again[address:address + len(part)] = part
    assert again == memory


def test_chips_without_the_module_are_those_of_the_library():
    text = (pathlib.Path(lanewise.__file__).parent / "_chips.py").read_text()
    default, families = eval(re.search(r"DEFAULT, FAMILIES = (.*)", text)[1])
    assert (default, families) == (_chips.DEFAULT, _chips.FAMILIES)
