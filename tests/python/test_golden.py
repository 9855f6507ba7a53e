"""lanewise.golden: shapes, names and refusals; the numbers are those of tests/goldens/ and of programs that run on a tile."""

import enum

import numpy as np
import pytest
from conftest import EXAMPLES, ROOT

import lanewise as lw
from lanewise import golden

FLOATS = ["Float32", "Tf32", "Float16", "Float16_b", "Bfp8", "Bfp8_b", "Bfp4_b", "Bfp2_b", "Lf8", "Fp8_e4m3"]
CHIPS = ["bh", "wh"]


def numbers(shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def ramp(shape):
    """Numbers with four bits, that all formats of 16 bits have."""
    return (np.arange(np.prod(shape)) % 13 - 6).astype(np.float32).reshape(shape)


# ---------------------------------------------------------------- Tiles

def test_tiles_lie_face_by_face():
    matrix = np.arange(64 * 96).reshape(64, 96)
    tiles = golden.tilize(matrix)
    assert tiles.shape == (6, 1024)
    # The second tile, its third face (lower left), row 2, column 5.
    assert tiles[1, 2 * 256 + 2 * 16 + 5] == matrix[16 + 2, 32 + 5]
    assert (golden.untilize(tiles, matrix.shape) == matrix).all()
    assert (golden.untilize(golden.tilize(matrix.reshape(2, 32, 96)), (2, 32, 96)) == matrix.reshape(2, 32, 96)).all()


@pytest.mark.parametrize("faces, face_rows, tile", [(4, 16, (32, 32)), (2, 16, (16, 32)), (2, 4, (4, 32)), (1, 16, (16, 16))])
def test_smaller_tiles(faces, face_rows, tile):
    matrix = numbers((tile[0] * 4, tile[1] * 3))
    tiles = golden.tilize(matrix, faces, face_rows)
    assert tiles.shape == (12, faces * face_rows * 16)
    assert (tiles[0][:16] == matrix[0, :16]).all()
    if faces > 1:
        assert tiles[0][face_rows * 16] == matrix[0, 16]
    for format in ("Float16_b", "Bfp8_b", "Bfp4_b"):
        l1 = golden.to_l1(matrix, format, faces, face_rows)
        whole = golden.quantise(np.pad(matrix, [(0, -matrix.shape[0] % 32), (0, -matrix.shape[1] % 32)]), format)
        assert (l1.values() == whole[:matrix.shape[0], :matrix.shape[1]]).all()
        srca = golden.unpack(l1, "srca")
        assert (srca.values() == l1.values()).all()


@pytest.mark.parametrize("shape", [(33, 32), (32, 31), (5,), ()])
def test_what_is_no_whole_tile_is_an_error(shape):
    with pytest.raises(lw.Error, match="whole tiles"):
        golden.to_l1(np.zeros(shape, np.float32), "Float16_b")


# ---------------------------------------------------------------- Formats

@pytest.mark.parametrize("format", FLOATS)
def test_quantised_numbers_are_near_and_stay(format):
    x = numbers((64, 64))
    once = golden.quantise(x, format)
    assert once.shape == x.shape and once.dtype == np.float32
    assert np.abs(once - x).max() < {"Bfp2_b": 3, "Bfp4_b": 0.6, "Lf8": 0.3, "Fp8_e4m3": 0.2}.get(format, 0.05)
    if format != "Bfp2_b":  # whose block loses its largest number's mantissa, and then has another exponent
        assert (golden.quantise(once, format) == once).all()


def test_nearest_even_by_the_host_and_away_from_zero_by_the_packer():
    x = np.zeros((32, 32), np.float32)
    x[0, :3] = [1 + 2**-8, -(1 + 2**-8), 1 + 3 * 2**-8]  # ties between numbers of BF16
    assert golden.quantise(x, "Float16_b")[0, :3].tolist() == [1, -1, 1 + 2**-6]
    away = [1 + 2**-7, -(1 + 2**-7), 1 + 2**-6]
    for chip in CHIPS:
        dst = golden.dst(x, "Float16_b", dest_acc=True, chip=chip)
        assert golden.pack(dst, "Float16_b").values()[0, :3].tolist() == away


def test_sixteen_numbers_share_the_exponent_of_the_largest():
    x = np.zeros((32, 32), np.float32)
    x[0, :3] = [64, 0.75, 0.5]  # steps of 1 beside a 64, and 0.5 is a tie
    x[0, 16:18] = [1, 2**-6]
    assert golden.quantise(x, "Bfp8_b")[0, :3].tolist() == [64, 1, 0]
    assert golden.quantise(x, "Bfp8_b", by="packer")[0, :3].tolist() == [64, 1, 1]
    assert golden.quantise(x, "Bfp8_b")[0, 16:18].tolist() == [1, 2**-6]


def test_integers():
    x = np.array([[0, 1, -1, 127, -127] + [5] * 27] * 32)
    for format in ("Int8", "Int16", "Int32"):
        assert (golden.quantise(x, format) == x).all()
        for chip in CHIPS:
            assert (golden.quantise(x, format, by="packer", chip=chip) == x).all()
    assert (golden.quantise(abs(x), "UInt16", by="packer") == abs(x)).all()
    assert golden.to_l1(x, "Int8").data[0, :4].tolist() == [0, 1, 0x81, 127]  # sign and magnitude
    large = np.full((32, 32), 4_000_000_000)
    assert golden.to_l1(large, "UInt32").values().dtype == np.uint32
    assert (golden.to_l1(large, "UInt32").values() == large).all()
    with pytest.raises(lw.Error, match="outside the range of uint8"):
        golden.to_l1(-x, "UInt8")


def test_names_of_llk_and_of_lanewise():
    class DataFormat(enum.Enum):
        Bfp8_b = "Bfp8_b/1B"

    x = numbers((32, 32))
    assert (golden.to_l1(x, DataFormat.Bfp8_b).data == golden.to_l1(x, "bfp8").data).all()
    with pytest.raises(lw.Error, match="MxFp8R.*Quasar"):
        golden.to_l1(x, "MxFp8R")
    with pytest.raises(lw.Error, match="no format|not a format"):
        golden.to_l1(x, "bfloat16")
    with pytest.raises(lw.Error, match="no chip 'quasar'"):
        golden.unpack(golden.to_l1(x, "bf16"), chip="quasar")


# ---------------------------------------------------------------- From L1 to L1

@pytest.mark.parametrize("chip", CHIPS)
def test_what_a_tile_makes_of_the_same_bytes(chip, tmp_path, command_line):
    """examples/tile/datacopy_*.tt and matmul_*.tt, which run on the tile."""
    x = numbers((32, 32))
    golden.to_l1(x, "bf16").data.tofile(tmp_path / "in.bin")
    command_line("tile", EXAMPLES / f"tile/datacopy_{chip}.tt", "--arch", chip, "--in", f"0x20000={tmp_path}/in.bin", "--out",
                 f"0x30000:2048={tmp_path}/out.bin")
    found = golden.from_l1((tmp_path / "out.bin").read_bytes(), "bf16", (32, 32))
    srca = golden.unpack(golden.to_l1(x, "bf16"), "srca", chip=chip)
    assert (golden.pack(golden.datacopy(srca), "bf16").data == found.data).all()


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("format, phases", [("fp32", 4), ("fp32", 1), ("bf16", 2)])
def test_what_a_program_of_the_matrix_unit_makes(chip, format, phases, tmp_path, command_line):
    program = (EXAMPLES / f"matmul_{chip}.tt").read_text().replace("PHASES     4", f"PHASES     {phases}")
    (tmp_path / "matmul.tt").write_text(program)
    x, y = golden.quantise(numbers((32, 32), 2), "bf16"), golden.quantise(numbers((32, 32), 3), "bf16")
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    command_line("run", tmp_path / "matmul.tt", "--arch", chip, "--srcb", tmp_path / "x.npy", "--srca", tmp_path / "y.npy",
                 "--format", format, "--out", tmp_path / "out.npy")
    wide = format == "fp32"
    left = golden.unpack(golden.to_l1(x, "bf16"), "srcb", dest_acc=wide, chip=chip)
    right = golden.unpack(golden.to_l1(y, "bf16"), "srca", chip=chip)
    product = golden.matmul(left, right, fidelity={1: "LoFi", 2: "HiFi2", 4: "HiFi4"}[phases])
    assert (product.values() == np.load(tmp_path / "out.npy")).all()


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dest_acc", [False, True])
def test_arithmetic_of_small_numbers_is_exact(chip, dest_acc):
    x, y = ramp((64, 64)), ramp((64, 64))[::-1].copy()
    a = golden.unpack(golden.to_l1(x, "Float16_b"), "srca", dest_acc=dest_acc, chip=chip)
    b = golden.unpack(golden.to_l1(y, "Float16_b"), "srcb", dest_acc=dest_acc, chip=chip)
    assert (golden.elwadd(a, b).values() == x + y).all()
    assert (golden.elwsub(a, b).values() == x - y).all()
    assert (golden.elwmul(a, b, fidelity="HiFi4").values() == x * y).all()
    assert (golden.elwadd(a, b, dst=golden.elwadd(a, b)).values() == 2 * (x + y)).all()
    cut = y.reshape(2, 32, 2, 32)
    for kind, first in (("row", cut[:, :1]), ("col", cut[..., :1]), ("scalar", cut[:, :1, :, :1])):
        there = np.broadcast_to(first, cut.shape).reshape(64, 64)
        assert (golden.elwadd(a, b, bcast=kind).values() == x + there).all()
    if dest_acc:
        assert (golden.matmul(a, b, fidelity="HiFi4").values() == x @ y).all()
    tiles = x.reshape(2, 32, 2, 32)
    for pool, function in (("sum", np.sum), ("max", np.max)):
        row = golden.reduce(a, "row", pool, fidelity="HiFi4").values().reshape(2, 32, 2, 32)
        assert (row[..., 0] == function(tiles, axis=3)).all() and not row[..., 1:].any()
        column = golden.reduce(a, "col", pool, fidelity="HiFi4").values().reshape(2, 32, 2, 32)
        assert (column[:, 0] == function(tiles, axis=1)).all() and not column[:, 1:].any()
        both = golden.reduce(a, "scalar", pool, fidelity="HiFi4").values().reshape(2, 32, 2, 32)
        assert (both[:, 0, :, 0] == function(tiles, axis=(1, 3))).all()


@pytest.mark.parametrize("chip", CHIPS)
def test_relu_and_l1_accumulation(chip):
    x = ramp((32, 32))
    dst = golden.dst(x, "Float16_b", chip=chip)
    assert (golden.pack(dst, "Float16_b", relu="zero").values() == np.maximum(x, 0)).all()
    assert (golden.pack(dst, "Float16_b", relu=("max_threshold", 2.0)).values() == np.clip(x, 0, 2)).all()
    assert (golden.pack(dst, "Float16_b", relu=("min_threshold", 2.0)).values() == np.where(x > 2, x, 0)).all()
    assert (golden.pack(dst, "Float16_b", relu=3 | 0x4000 << 16).values() == np.clip(x, 0, 2)).all()
    once = golden.pack(dst, "Float16_b")
    assert (golden.pack(dst, "Float16_b", l1_acc=once).values() == 2 * x).all()
    with pytest.raises(lw.Error, match="threshold 1.3.*use 1.296875"):
        golden.pack(dst, "Float16_b", relu=("max_threshold", 1.3))
    with pytest.raises(lw.Error, match="sum of Bfp8_b in L1"):
        golden.pack(dst, "Bfp8_b", l1_acc=golden.pack(dst, "Bfp8_b"))
    with pytest.raises(lw.Error, match="stochastic"):
        golden.pack(dst, "Float16_b", stochastic=True)


def test_denormals_and_specials():
    x = np.zeros((32, 32), np.float32)
    x[0, :4] = [2.0**-130, np.inf, -np.inf, np.nan]
    for chip in CHIPS:
        l1 = golden.pack(golden.dst(x, "Float32", dest_acc=True, chip=chip), "Float16_b")
        assert l1.values()[0, :4].tolist() == [0, np.inf, -np.inf, np.inf]  # a NaN becomes an infinity (core.md 14.5)


def test_the_vector_unit():
    kernel = lw.kernel(EXAMPLES / "abs.tt", arch="bh", format="bf16")
    x = ramp((64, 32))
    dst = golden.dst(x, "Float16_b", chip="bh")
    assert (golden.sfpu(kernel, dst).values() == np.abs(x)).all()
    with pytest.raises(lw.Error, match="the kernel is for bh and bf16"):
        golden.sfpu(kernel, golden.dst(x, "Float32", dest_acc=True, chip="bh"))


def test_refusals_have_names():
    x = golden.to_l1(ramp((32, 32)), "Float16_b")
    a, b = golden.unpack(x, "srca", chip="bh"), golden.unpack(x, "srcb", chip="wh")
    with pytest.raises(lw.Error, match="SrcA is of bh and SrcB of wh"):
        golden.elwadd(a, b)
    with pytest.raises(lw.Error, match="fidelity='HiFi5'"):
        golden.elwmul(a, a, fidelity="HiFi5")
    with pytest.raises(lw.Error, match="another width"):
        golden.elwadd(a, a, dst=golden.elwadd(a, a, dest_acc=True))
    with pytest.raises(lw.Error, match="32 tiles|whole tiles of 32x32"):
        golden.elwadd(golden.unpack(golden.to_l1(np.zeros((16, 32), np.float32), "bf16", 2), "srca"), a)
    with pytest.raises(lw.Error, match="no whole tiles of Bfp8_b, which have 1088"):
        golden.from_l1(bytes(1024), "Bfp8_b")


def test_a_thousand_tiles_are_fast():
    """0.1 s on an idle machine is the aim; the limit here is for a busy one."""
    import time

    dst = golden.dst(numbers((1000 * 32, 32)), "Float16_b")
    start = time.process_time()
    golden.pack(dst, "Float16_b")
    golden.pack(dst, "Bfp8_b")
    assert time.process_time() - start < 0.5


def test_the_page_shows_what_python_prints(monkeypatch):
    from test_docs import run_sessions

    monkeypatch.chdir(ROOT)
    run_sessions(ROOT / "docs/goldens.md", at_least=5)
