"""Loading, running, checking and timing kernels."""

import os
import warnings

import numpy as np
import pytest
from conftest import EXAMPLES, ROOT

import lanewise as lw


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    """Names of files are those of the command line."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("kernel", ["examples/tanh.cpp", "examples/exp.tt", "examples/macros.tt"])
@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_results_are_those_of_the_command_line(command_line, tmp_path, kernel, arch):
    out = tmp_path / "out.npy"
    command_line("run", kernel, "--arch", arch, "--in", "every-bf16", "--out", out)
    mine = lw.kernel(kernel, arch)("every-bf16")
    np.testing.assert_array_equal(mine.view(np.uint32), np.load(out).view(np.uint32))


def test_grayskull_runs_and_has_no_clock():
    """The middle of its sigmoid is 0 times a slope, and 0.5."""
    kernel = lw.kernel("examples/grayskull/sigmoid.cpp", "gs")
    np.testing.assert_array_equal(kernel(np.zeros(1024)), np.full(1024, 0.5))
    with pytest.raises(lw.Error, match="Grayskull has no clock"):
        kernel.time()


def test_a_recording_is_its_kernel(command_line, tmp_path):
    (tmp_path / "clamp.recording").write_text(command_line("run", "examples/clamp.cpp", "--emit", "recording"))
    tile = np.linspace(-3, 3, 1024, dtype=np.float32)
    result = lw.kernel(tmp_path / "clamp.recording")(tile)
    np.testing.assert_array_equal(result, lw.kernel("examples/clamp.cpp")(tile))
    assert result.min() == -1 and result.max() == 1


def test_the_interpreter_agrees():
    k = lw.kernel("examples/tanh.cpp")
    np.testing.assert_array_equal(k("ramp", interpret=True), k("ramp"))


@pytest.mark.parametrize("kernel", ["examples/tanh.cpp", "examples/exp.tt"])
def test_times_are_those_of_the_command_line(command_line, kernel):
    timed = lw.kernel(kernel, "wh").time()
    expected = command_line("time", kernel, "--arch", "wh", "--json")
    assert timed.to_dict() == expected
    assert timed.cycles_per_tile == expected["chips"][0]["tile"]["cycles"]
    assert timed.init == expected["chips"][0]["tile"]["init"]
    assert timed.text == command_line("time", kernel, "--arch", "wh")


def test_a_harness_adds_to_the_tile():
    k = lw.kernel("examples/exp.tt")
    timed = k.time(harness="bh-copy")
    assert timed.in_harness > timed.cycles_per_tile and k.time().in_harness is None
    with pytest.raises(lw.Error, match="Wormhole.*arch=\"wh\""):
        k.time(harness="wh-replay")


def test_findings_are_those_of_the_command_line(command_line, early):
    found = lw.kernel(early, "wh").check()
    assert [found.to_dict()] == command_line("check", early, "--arch", "wh", "--json")
    assert found.text == command_line("check", early, "--arch", "wh")


def test_the_trace_is_that_of_the_command_line(command_line):
    trace = lw.kernel("examples/abs.tt").trace("ramp")
    assert trace.text in command_line("run", "examples/abs.tt", "--in", "ramp", "--trace")
    assert trace[0].word == lw.kernel("examples/abs.tt").words[0]
    assert any("SFPABS" in step.instruction and step.changes for step in trace)


def test_a_hazard_has_its_line(early):
    assert lw.kernel(early, "bh").check() == []  # Blackhole waits (docs/hazards.md)
    (finding,) = lw.kernel(early, "wh").check()
    assert (finding.rule, finding.line, finding.warning) == ("mad-result", 3, False)
    assert "SFPNOP" in finding.mend
    assert not lw.kernel(early, "wh").check().ok


def test_check_with_pauses(tmp_path):
    """A store is scheduled for two cycles later, and the word behind it loads the register."""
    pushed = tmp_path / "pushed.tt"
    pushed.write_text("SFPABS L0, L12, 1\nSFPLOADI L0, 10, 0x0004\nSFPLOADI L0, 8, 0x1300\nSFPCONFIG 0, 4, 0\n"
                      "SFPCONFIG 3, 8, 1\nSFPNOP\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n"
                      "SFPNOP\nSFPNOP\n")
    kernel = lw.kernel(pushed, "bh")
    assert [finding.rule for finding in kernel.check()] == ["macro-core-timing"]
    found = kernel.check(perturb=True)
    assert [(finding.rule, finding.line) for finding in found] == [("macro-core-timing", 7), ("late-push", 9)]
    assert found.to_dict()["pauses"]["changed"] == 2 and kernel.check().to_dict()["pauses"] is None
    assert "2 words change the results" in found.text and "2 words change the results" in found.html()


def test_what_a_run_does_about_hazards(early):
    k = lw.kernel(early, "wh")
    with pytest.warns(lw.FaultWarning, match="mad-result|L2") as warned:
        k("value:3", hazards="warn")
    assert warned[0].message.line == 3 and warned[0].message.file == str(early)
    assert warned[0].filename == __file__
    with pytest.raises(lw.Error, match="L2"):
        k("value:3", hazards="error")
    with pytest.raises(lw.Error, match="warn, model, error or off"):
        k("value:3", hazards="ignore")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        meant = k("value:3", hazards="off")
        read = k("value:3", hazards="model")
    # L2 = 3 * 3 + L9, which is 0; the reader gets what was in L2 before, which is not that.
    assert meant[0, 0] == 9 and read[0, 0] != 9


def test_a_fault_is_a_warning_with_its_line(tmp_path):
    file = tmp_path / "pop.tt"
    file.write_text("SFPLOAD L0, 0, 7, 0\nSFPPOPC\n")
    with pytest.warns(lw.FaultWarning) as warned:
        lw.kernel(file)("zero")
    faults = [each.message for each in warned if each.message.instruction == "SFPPOPC"]
    assert faults and faults[0].line == 2 and faults[0].kind == "UndefinedBehavior"


def test_what_a_kernel_prints(tmp_path, capsys):
    file = tmp_path / "prints.cpp"
    file.write_text('#include "sfpi.h"\n#include "lanewise.h"\nusing namespace sfpi;\n'
                    'void kernel() {\n  vFloat x = dst_reg[0];\n  lanewise::print(x, "input");\n  dst_reg[0] = x;\n}\n')
    with pytest.warns(UserWarning, match="32 of a tile's 1024 elements"):  # a hint: it has no loop
        lw.kernel(file)("value:3")
    assert "input" in capsys.readouterr().out


def test_matrix_unit(command_line, tmp_path):
    out = tmp_path / "out.npy"
    command_line("run", "examples/matmul_bh.tt", "--srca", "random:1", "--srcb", "random:2", "--format", "fp32", "--out", out)
    k = lw.kernel("examples/matmul_bh.tt", format="fp32")
    np.testing.assert_array_equal(k(srca="random:1", srcb="random:2"), np.load(out))
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-8, 9, (32, 32)).astype(np.float32) for _ in range(2))
    np.testing.assert_array_equal(k(srca=a, srcb=b), b @ a)  # small whole numbers: every sum is exact
    assert k(srca=a.astype(np.float64), srcb=b).dtype == np.float32  # SrcB's comes before SrcA's


def test_options_of_a_kernel(tmp_path):
    file = tmp_path / "scale.cpp"
    file.write_text('#include "sfpi.h"\n#include "factor.h"\nusing namespace sfpi;\n'
                    "template <int N> void scale() {\n"
                    "  for (int row = 0; row < 8; row++) { dst_reg[0] = dst_reg[0] * FACTOR + float(N); dst_reg++; }\n}\n")
    (tmp_path / "factor.h").write_text("#define FACTOR SCALE\n")
    k = lw.kernel(file, call="scale<3>()", include=tmp_path, define="SCALE=2.0f", sfpi="7.38", switches="no-combine")
    np.testing.assert_array_equal(k(np.arange(4, dtype=np.float32)), [3, 5, 7, 9])
    for version in (738, "738", "7.38"):
        assert lw.kernel(file, call="scale<3>()", include=[tmp_path], define=["SCALE=2.0f"], sfpi=version).words


@pytest.mark.parametrize("options, complaint", [
    ({"arch": "qs"}, "arch=\"bh\""),
    ({"sfpi": "9.9"}, "there is no SFPI"),
    ({"sfpi": "new"}, "SFPI"),
    ({"faces": "x"}, "rc, r, c or whole"),
    ({"switches": ["no-such"]}, "no compiler switch"),
    ({"syntax": "intel"}, "syntax"),
])
def test_options_that_do_not_exist(options, complaint):
    with pytest.raises(lw.Error, match=complaint):
        lw.kernel("examples/tanh.cpp", **options)


def test_errors_have_file_and_line(tmp_path):
    with pytest.raises(lw.Error) as missing:
        lw.kernel("nowhere.tt")
    assert missing.value.file == "nowhere.tt" and missing.value.line is None
    wrong = tmp_path / "wrong.tt"
    wrong.write_text("SFPNOP\nSFPNOPE\n")
    with pytest.raises(lw.Error) as raised:
        lw.kernel(wrong)
    assert (raised.value.file, raised.value.line) == (str(wrong), 2) and raised.value.remedy
    wrong = tmp_path / "wrong.cpp"
    wrong.write_text('#include "sfpi.h"\nvoid kernel() {\n  nothing();\n}\n')
    with pytest.raises(lw.Error) as raised:
        lw.kernel(wrong)
    assert (raised.value.file, raised.value.line, raised.value.column) == (str(wrong), 3, 3)
    assert isinstance(raised.value, ValueError)


def test_kernels_are_confined(tmp_path):
    """The whole table is that of tests/sfpi/confinement_test.cpp; this is the way there."""
    kernel = tmp_path / "kernel.cpp"
    kernel.write_text('#include "sfpi.h"\n#include "confinement/hostile.h"\n'
                      'void kernel() { sfpi::dst_reg[0] = 1.0f; attack(ATTACK); }\n')
    told = {"kill-group": "tried to send a signal", "fork-bomb": "tried to start a process"}
    for name, what in told.items():
        with pytest.raises(lw.Error, match=what) as raised:
            lw.kernel(kernel, include=[ROOT / "tests"], define=[f'ATTACK="{name}"'])
        assert raised.value.file.endswith("hostile.h") and "security.md" in raised.value.remedy
    assert "seccomp" in lw.confinement() and "Landlock" in lw.confinement()


def test_a_program_that_cannot_be_timed(tmp_path):
    file = tmp_path / "pop.tt"
    file.write_text(".word 0xFF000000\n")
    with pytest.warns(lw.FaultWarning):
        timed = lw.kernel(file).time()
    assert timed.untimed and timed.cycles_per_tile is None and "not timed" in repr(timed)


def test_pages_in_a_notebook(early):
    import html
    import xml.etree.ElementTree

    k = lw.kernel("examples/exp.tt")
    found = lw.kernel(early, "wh").check()
    for result in (k.time(), k.sweep("exp(x)"), lw.diff(k, k), found):
        shown = result._repr_html_()
        start = shown.index('srcdoc="') + len('srcdoc="')
        page = html.unescape(shown[start:shown.index('"', start)])
        assert page == result.html()
        xml.etree.ElementTree.fromstring(page.replace("<!doctype html>", "", 1))
    assert found[0].rule in found.html() and found[0].mend.split()[0] in found.html()


def test_the_page_of_a_comparison_says_whether_bits_differ():
    k = lw.kernel("examples/exp.tt")
    other = lw.kernel("examples/tanh.cpp")
    same = lw.diff(k, k, "exp(x)").html()
    assert "all 65536 results have the same bits" in same and "First against the reference" in same
    page = lw.diff(k, other, inputs="range:0:1").html()
    assert "results have other bits" in page and "Farthest apart" in page and "against the reference" not in page
    assert "<svg" in page and page.count('<section data-chip="bh">') == 2  # pictures, and both programs


def test_the_page_of_a_check_escapes_what_the_user_wrote(tmp_path):
    file = tmp_path / "a<b>.tt"
    file.write_text("SFPNOP\n")
    page = lw.kernel(file).check().html()
    assert "a&lt;b&gt;.tt" in page and "a<b>" not in page and "nothing found" in page


def test_the_stub_names_what_the_module_has():
    import ast

    stub = ast.parse((ROOT / "src/python/lanewise/_lanewise.pyi").read_text())
    module = lw._lanewise
    for node in stub.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            assert hasattr(module, node.name), node.name
        if isinstance(node, ast.ClassDef):
            named = {each.target.id if isinstance(each, ast.AnnAssign) else each.name for each in node.body}
            has = {name for name in vars(getattr(module, node.name)) if not name.startswith("_")}
            assert has == {name for name in named if not name.startswith("_")}, node.name
    assert os.path.exists(ROOT / "src/python/lanewise/py.typed")


def test_there_is_one_version():
    assert f"project(lanewise VERSION {lw.__version__} " in (ROOT / "CMakeLists.txt").read_text()


def test_public_things_are_documented():
    for name in lw.__all__:
        thing = getattr(lw, name)
        assert thing.__doc__ and not thing.__doc__.startswith(f"{name}("), name
