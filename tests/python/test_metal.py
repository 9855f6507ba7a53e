"""Operations of a checkout of tt-metal, one of our own headers in the same folders; kernels for several chips."""

import numpy as np
import pytest
from conftest import EXAMPLES

import lanewise as lw

ELU = """#pragma once
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, bool is_fp32_dest_acc_en = false, int ITERATIONS = 8>
inline void calculate_elu(uint slope) {
  static_assert(DST_ACCUM_MODE == is_fp32_dest_acc_en);
  const vFloat alpha = __builtin_bit_cast(float, slope);
  for (int d = 0; d < ITERATIONS; d++) {
    vFloat x = dst_reg[0];
    v_if (x < 0.0f) { x = APPROXIMATION_MODE ? vFloat(0.0f) : x * alpha; }
    v_endif;
    dst_reg[0] = x;
    dst_reg++;
  }
}
}
"""
ADD_INT = """#pragma once
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS, InstrModLoadStore INSTRUCTION_MODE, bool SIGN_MAGNITUDE_FORMAT>
inline void _add_int_(const std::uint32_t dst_index_in0, const std::uint32_t dst_index_in1,
                      const std::uint32_t dst_index_out) {
  for (int d = 0; d < ITERATIONS; d++) {
    TT_SFPLOAD(0, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_in0 * 64);
    TT_SFPLOAD(1, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_in1 * 64);
    TTI_SFPIADD(0, 0, 1, 4);
    TT_SFPSTORE(1, INSTRUCTION_MODE, ADDR_MOD_7, dst_index_out * 64);
    dst_reg++;
  }
}
}
"""


@pytest.fixture(scope="module")
def metal(tmp_path_factory):
    folder = tmp_path_factory.mktemp("metal")
    for chip in ("blackhole", "wormhole_b0"):
        own = folder / f"tt_metal/hw/ckernels/{chip}/metal/llk_api/llk_sfpu"
        common = folder / f"tt_metal/tt-llk/tt_llk_{chip}/common/inc/sfpu"
        own.mkdir(parents=True)
        common.mkdir(parents=True)
        (own / "ckernel_sfpu_elu.h").write_text(ELU)
        (common / "ckernel_sfpu_add_int.h").write_text(ADD_INT)
    (folder / "tt_metal/sfpi-version").write_text("sfpi_version='7.60.0'\n")
    return folder


def test_an_operation_is_a_kernel(metal):
    x = np.array([-1, 2], np.float32)
    elu = lw.kernel(op="elu", metal=metal)
    assert (elu.file, elu.arch, elu.format, elu.out_format) == ("elu", "bh", "bf16", None)
    np.testing.assert_array_equal(elu(x), x)  # alpha is 1
    np.testing.assert_array_equal(lw.kernel(op="elu", metal=metal, arch="wh", params={"alpha": 0.5})(x), [-0.5, 2])
    zero = lw.kernel(op="elu", metal=metal, params={"APPROXIMATION_MODE": True})
    np.testing.assert_array_equal(zero(x), [0, 2])
    assert lw.kernel(op="elu", metal=metal, format="fp32").sweep("x", inputs="sample:1000").max_ulp == 0
    assert elu.sweep("x").max_ulp == 0 and elu.check() == []


def test_times_of_an_operation_are_those_of_the_command_line(metal, command_line):
    expected = command_line("time", "--metal", metal, "--op", "elu", "--json")
    assert lw.kernel(op="elu", metal=metal).time().cycles_per_tile == expected["chips"][0]["tile"]["cycles"]


def test_operations_on_integers_have_their_own_format(metal):
    add = lw.kernel(op="add_int32", metal=metal)
    assert add.format == "uint32"
    np.testing.assert_array_equal(add(np.array([5], np.uint32), np.array([2**32 - 7], np.uint32)), [2**32 - 2])


def test_a_file_finds_the_headers(metal, tmp_path):
    own = tmp_path / "own.cpp"
    own.write_text('#include "ckernel_sfpu_elu.h"\nvoid kernel() { ckernel::sfpu::calculate_elu<false>(0x3F000000u); }\n')
    assert lw.kernel(own, metal=metal)(np.array([-1.0]))[0] == -0.5
    with pytest.raises(lw.Error, match="ckernel_sfpu_elu.h"):
        lw.kernel(own)


def test_the_operations_are_those_of_the_command_line(metal, command_line):
    ops = lw.ops(metal)
    assert ops.text == command_line("list", metal)
    (elu,) = [op for op in ops if op.name == "elu"]
    assert elu == ("elu", 1, "float", "float", {"alpha": "1"}, "elu", ["bh", "wh"])
    assert lw.ops(metal, "wh")[0].chips == ["wh"]


@pytest.mark.parametrize("options, complaint", [
    ({"op": "elo"}, "did you mean elu"),
    ({"op": "elu", "params": {"beta": 1}}, "has no parameter 'beta'; it has alpha"),
    ({"op": "elu", "params": {"alpha": "half"}}, "'half' is no number for alpha"),
    ({"op": "elu", "file": "own.cpp"}, "a file and an operation"),
    ({"op": "elu", "metal": ""}, "none is named; name a checkout of tt-metal with metal="),
    ({"op": "elu", "metal": "nowhere"}, "no such folder"),
    ({}, "no program is named"),
    ({"file": "own.cpp", "params": {"alpha": 1}}, "params= is for operations")])
def test_what_cannot_be(metal, options, complaint):
    with pytest.raises(lw.Error, match=complaint):
        lw.kernel(**{"metal": metal, **options})


def test_kernels_for_several_chips(metal):
    both = lw.kernels(op="elu", metal=metal, params={"alpha": 0.5})
    assert list(both) == ["bh", "wh"] and both["wh"].arch == "wh"
    swept = both.sweep("x/2", inputs="range:-4:-1")
    assert {chip: each.max_ulp for chip, each in swept.items()} == {"bh": 0, "wh": 0}
    alone = both["wh"].time().cycles_per_tile
    assert both.time()["wh"].cycles_per_tile == alone and both.check()["bh"] == []
    assert swept.text == swept["bh"].text + "\n" + swept["wh"].text
    assert swept._repr_html_().count("<iframe") == 2
    assert list(lw.kernels(EXAMPLES / "exp.tt", "wh")) == ["wh"]


def test_an_operation_is_tuned_over_all_its_operands(metal):
    tuned = lw.kernel(op="add_int32", metal=metal).tune(steps=200, time_limit=5)
    assert tuned.proved_by == "expressions"  # of both: one has 2^32 inputs, which would be gone through


def test_a_call_needs_one_chip():
    with pytest.raises(lw.Error, match=r"""choose one, as in kernels\["bh"\]\(x\)"""):
        lw.kernels(EXAMPLES / "exp.tt")([1.0])
    with pytest.raises(lw.Error, match=r"lanewise.kernels\(\)"):
        lw.kernel(EXAMPLES / "exp.tt", ["bh", "wh"])
