"""The tuner as the command line has it, and what it prints applied."""

import pytest

import lanewise as lw

ABS = "examples/tune/abs.cpp"


@pytest.mark.parametrize("chip", ["bh", "wh"])
def test_what_is_found_is_that_of_the_command_line(command_line, chip):
    found = lw.kernel(ABS, chip).tune(steps=2000)
    expected = command_line("tune", ABS, "--arch", chip, "--steps", "2000", "--json")
    assert found.to_dict() == expected
    assert found.cycles == expected["tuned_cycles_per_tile"] < found.plain_cycles
    assert found.cycles_per_row == expected["cycles_per_row"] >= found.bound
    assert found.proved_by == "all inputs" and found.optimal and str(found) == found.text
    assert f"{found.plain_cycles:g} cycles a tile, {found.cycles} tuned" in repr(found)


def test_the_code_does_what_the_kernel_does(tmp_path):
    kernel = lw.kernel(ABS)
    for emit, ending in (("asm", "tt"), ("words", "hex")):
        file = tmp_path / f"tuned.{ending}"
        file.write_text(kernel.tune(steps=2000, emit=emit).code)
        tuned = lw.kernel(file)
        assert lw.diff(kernel, tuned).changed == 0
        assert tuned.time().cycles_per_tile < kernel.time().cycles_per_tile
    code = kernel.tune(steps=2000, name="fast").code
    assert "inline void fast_init()" in code and "inline void fast_tile()" in code


def test_what_check_finds_of_both_is_named(tmp_path):
    file = tmp_path / "beyond.tt"
    row = "SFPLOAD L0, SRCB, 7, 0\nSFPADDI 0x4040, L0, 0\nSFPNOP\nSFPARECIP 0, L0, L0, 2\nSFPSTORE L0, SRCB, 7, 0\nINCRWC DstInc=2\n"
    file.write_text(f".repeat 32\n{row}.endr\n")
    kernel = lw.kernel(file)
    tuned = kernel.tune(steps=2000)
    assert tuned.findings == [finding.rule for finding in kernel.check()] == ["arecip-range"]
    assert lw.kernel(ABS).tune(steps=2000).findings == []


def test_each_chip_has_its_own():
    both = lw.kernels(ABS).tune(steps=2000)
    assert {chip: each.to_dict()["chip"] for chip, each in both.items()} == {"bh": "bh", "wh": "wh"}


def test_options_reach_the_tuner():
    kernel = lw.kernel(ABS)
    assert kernel.tune(steps=2000, macros=False).to_dict()["uses"]["macros"] == 0
    assert kernel.tune(steps=2000).to_dict()["uses"]["macros"] > 0
    tuned = kernel.tune(steps=2000, macros=False)
    assert tuned.cycles is None or tuned.cycles > kernel.tune(steps=2000).cycles


@pytest.mark.parametrize("options", [{"emit": "elf"}, {"operands": 9}, {"time_limit": 0}, {"steps": -1}, {"name": "1e9"}])
def test_bad_options_are_named(options):
    with pytest.raises(lw.Error, match=next(iter(options))):
        lw.kernel(ABS).tune(**options)


def test_a_kernel_that_cannot_be_tuned_says_why(tmp_path):
    file = tmp_path / "none.tt"
    file.write_text("SFPNOP\n")
    with pytest.raises(lw.Error):
        lw.kernel(file).tune()
