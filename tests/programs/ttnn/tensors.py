"""More operations of ttnn: those that move tensors about, choose among them, or take several steps (operations.py has the others)."""
import numpy as np

from description import TTNN, Description, accessor, bits_of, buffer
from operations import NO_ACTIVATIONS, ROUNDED, UNARY, WRITE_TILES


def tilize():
    """Rows into tiles."""
    op = Description("tilize")
    x = op.input("x", op.random.normal(size=[64, 96]), layout="rows", page_bytes=192)
    op.output([64, 96])
    op.cb(0, 3)
    op.cb(16, 3)
    op.reader(TTNN + "data_movement/tilize/device/kernels/dataflow/reader_unary_stick_layout_split_rows_singlecore.cpp",
              [192, accessor("x")], [buffer("x"), 64, 192, 3, 192, 1, 0, 0, 0])
    op.writer(WRITE_TILES, [16, accessor("out")], [buffer("out"), 6, 0])
    op.compute("ttnn/cpp/ttnn/kernel/compute/tilize.cpp", [2, 3], [])
    op.exactly(x)
    return op


def untilize():
    """Tiles into rows."""
    op = Description("untilize")
    x = op.input("x", op.random.normal(size=[64, 96]))
    op.output([64, 96], layout="rows", page_bytes=192)
    op.cb(0, 3)
    op.cb(16, 3)
    kernels = TTNN + "data_movement/untilize/device/kernels/"
    op.reader(kernels + "dataflow/reader_unary_start_id.cpp", [0, accessor("x")], [buffer("x"), 6, 0])
    op.writer(kernels + "dataflow/writer_unary_stick_layout_split_rows_single_core.cpp", [16, 192, 32, 2, 1, 1, 3, 192, accessor("out")],
              [buffer("out")])
    op.compute(kernels + "compute/untilize.cpp", [2, 3, 0, 16], [])
    op.exactly(x)
    return op


def transpose():
    """Rows and columns change places."""
    op = Description("transpose")
    x = op.input("x", op.random.normal(size=[64, 96]))
    op.output([96, 64])
    op.cb(0, 2)
    op.cb(16, 2)
    kernels = TTNN + "data_movement/transpose/device/kernels/"
    op.reader(kernels + "dataflow/reader_unary_transpose_wh_interleaved_start_id.cpp", [accessor("x")],
              [buffer("x"), 6, 0, 0, 0, 2, 3, 6])
    op.writer(WRITE_TILES, [16, accessor("out")], [buffer("out"), 6, 0])
    op.compute(kernels + "compute/transpose_wh.cpp", [], [6])
    op.exactly(x.T)
    return op


def concat():
    """Two tensors side by side; no compute kernel."""
    op = Description("concat")
    a = op.input("a", op.random.normal(size=[64, 64]))
    b = op.input("b", op.random.normal(size=[64, 32]))
    op.output([64, 96])
    op.cb(0, 2)
    op.reader(TTNN + "data_movement/concat/device/kernels/dataflow/reader_concat_interleaved_start_id.cpp",
              [0, 2, 2048, 2048, accessor("a"), accessor("b")], [6, 0, 0, buffer("a"), buffer("b"), 2, 1, 0, 0])
    op.writer(WRITE_TILES, [0, accessor("out")], [buffer("out"), 6, 0])
    op.exactly(np.concatenate([a, b], 1))
    return op


def embedding():
    """Rows of a table, by their numbers; no compute kernel."""
    op = Description("embedding")
    alignment = 64  # of a page in DRAM: 16 numbers are read at a time
    rows = op.input("rows", op.random.integers(0, 50, [1, 32], np.int64).astype(np.uint32), layout="rows", page_bytes=128,
                    format="UInt32")
    table = op.input("table", op.random.normal(size=[50, 64]), layout="rows", page_bytes=128)
    op.output([32, 64], layout="rows", page_bytes=128)
    op.cb(0, 2, page_bytes=128)
    op.cb(1, 1, "UInt32", page_bytes=16 * 32)
    op.reader(TTNN + "embedding/device/kernels/dataflow/embeddings.cpp",
              [0, 1, 2, 128, 128, 16, alignment, 128, 1, 128, accessor("rows"), accessor("table")],
              [buffer("rows"), buffer("table"), 0, 0, 32, 0], defines={"GENERIC": "1", "UINT32": "1"})
    op.writer("ttnn/cpp/ttnn/kernel/dataflow/writer_unary_stick_layout_interleaved_start_id.cpp", [0, 128, accessor("out")],
              [buffer("out"), 128, 32, 0])
    op.exactly(table[rows[0]])
    return op


def typecast():
    """bfloat16 to integers."""
    op = Description("typecast")
    x = op.input("x", op.random.uniform(-1000, 1000, [64, 64]))
    op.output([64, 64], format="Int32")
    op.cb(0, 2)
    op.cb(2, 2, "Int32")
    op.reader(UNARY + "dataflow/reader_unary_interleaved_start_id.cpp", [accessor("x")], [buffer("x"), 4, 0])
    op.writer(WRITE_TILES, [2, accessor("out")], [buffer("out"), 4, 0])
    numbers = "<5u, 8u>"  # of Float16_b and Int32 among the formats
    op.compute(TTNN + "copy/typecast/device/kernels/compute/eltwise_typecast.cpp", [4, 1, 0, 2], [], fp32=True,
               defines={"TYPECAST_LLK_INIT": "typecast_tile_init" + numbers, "TYPECAST_LLK": "typecast_tile" + numbers})
    op.exactly(np.trunc(x))
    return op


def where():
    """c ? a : b of bfloat16s."""
    op = Description("where")
    c = op.input("c", np.where(op.random.integers(0, 2, [64, 64]) == 0, 0.0, op.random.normal(size=[64, 64])))  # -0 counts as true
    a = op.input("a", op.random.normal(size=[64, 64]))
    b = op.input("b", op.random.normal(size=[64, 64]))
    op.output([64, 64])
    for index in range(4):
        op.cb(index, 2)
    kernels = TTNN + "eltwise/ternary/device/kernels/"
    op.reader(kernels + "dataflow/ternary_reader_nobcast_ttt.cpp", [0, 1, 2, accessor("c"), accessor("a"), accessor("b"), 0],
              [buffer("c"), buffer("a"), buffer("b"), 4, 0])
    op.writer(kernels + "dataflow/ternary_writer_nobcast.cpp", [3, accessor("out"), 0], [buffer("out"), 4, 0, 0, 1, 1, 1, 2, 2, 1],
              defines={"DST_SHARDED": "0"})
    op.compute(kernels + "compute/ternary_sfpu_no_bcast_ttt.cpp", [1], [4, 0],
               defines={**NO_ACTIVATIONS, "TERNARY_SFPU_OP_INIT": "where_tile_init",
                        "TERNARY_SFPU_OP_FUNC": "where_tile<DataFormat::Float16_b>"})
    op.exactly(np.where(c != 0, a, b))
    return op


def softmax():
    """softmax of each row, with its maximum subtracted before."""
    op = Description("softmax")
    x = op.input("x", op.random.normal(size=[64, 128]) * 3)
    op.output([64, 128])
    wide, block = 4, 4
    for index, pages in ((0, wide), (11, 2 * block), (7, 1), (2, 1), (13, 1), (6, wide), (5, 1), (8, 1)):
        op.cb(index, pages)
    stable = {"NUMERIC_STABLE": "1"}
    kernels = TTNN + "normalization/softmax/device/kernels/attention/"
    op.reader(kernels + "dataflow/reader_unary_interleaved_sm.cpp", [accessor("x")],
              [buffer("x"), block, bits_of(1), 2, 0, wide, 2, 0, 0, 0, wide], defines=stable)
    op.writer(kernels + "dataflow/writer_unary_interleaved_start_id_blocked_sm.cpp", [0, 1024, accessor("out")],
              [buffer("out"), 2 * wide, 0, block, 0, 0])
    op.compute(kernels + "compute/softmax.cpp", [], [2, 2, wide, block, 0, 0, wide],
               defines={**stable, "EXP_APPROX": "0", "ENABLE_FP32_DEST_ACC": "0"})
    e = np.exp(x.astype(float) - x.max(1, keepdims=True))
    op.within(e / e.sum(1, keepdims=True), 8 * ROUNDED, 2.0**-15,
              "x - max is rounded to bfloat16, by up to 2^-6 where exp is above 2^-11, and by 2^-5 below; exp, sum and product are, too")
    return op


LAYERNORM_CBS = {"cb_in": 0, "cb_inb": 1, "cb_scaler": 2, "cb_eps": 3, "cb_gamma": 5, "cb_beta": 6, "cb_out": 16, "cb_ex": 18, "cb_ex2": 19,
                 "cb_xmm2": 20, "cb_ex2pe": 21, "cb_fusion": 22, "cb_x": 23, "cb_xmm": 24, "cb_reciprocals": 25, "cb_accumulate": 26,
                 "cb_in_rm": 27, "cb_out_rm": 28, "cb_x_welford": 0, "welford_fp32_alias": 0, "cb_ex_welford": 18, "cb_ex2_welford": 19,
                 "welford_state_fp32_alias": 0}


def layernorm():
    """(x - mean) / sqrt(variance + eps) * gamma + beta of each row."""
    op = Description("layernorm")
    wide, block, eps = 4, 8, 1e-5
    x = op.input("x", op.random.normal(size=[64, 128]) * 2 + 1)
    gamma = op.input("gamma", op.random.uniform(0.5, 2, [32, 128]))  # the first row counts
    beta = op.input("beta", op.random.normal(size=[32, 128]))
    op.output([64, 128])
    for index, pages in ((0, 2 * block), (16, 2 * block), (18, 2), (2, 2), (3, 2), (19, 2), (24, block), (20, block), (21, 8),
                         (22, 2 * block), (5, block), (6, block)):
        op.cb(index, pages)
    kernels = TTNN + "normalization/layernorm/device/kernels/"
    op.reader(kernels + "dataflow/reader_unary_interleaved_ln.cpp",
              [block, 0, 128, accessor("x"), accessor("x"), accessor("gamma"), accessor("beta"), 2048],
              [buffer("x"), 2, wide, 0, bits_of(1), bits_of(eps), buffer("gamma"), buffer("beta"), 0],
              defines={"FUSE_GAMMA": "1", "FUSE_BETA": "1"}, named_compile_args=LAYERNORM_CBS)
    op.writer(kernels + "dataflow/writer_unary_interleaved_start_id_blocked.cpp", [block, accessor("out")],
              [buffer("out"), wide, 2, 0], named_compile_args=LAYERNORM_CBS)
    op.compute(kernels + "compute/layernorm.cpp", [wide, block, 1, 1, 0, 0, 0, 128, 32], [2], named_compile_args=LAYERNORM_CBS)
    exact = x.astype(float)
    centred = exact - exact.mean(1, keepdims=True)
    op.within(centred / np.sqrt((centred**2).mean(1, keepdims=True) + eps) * gamma[0] + beta[0], 8 * ROUNDED, 16 * ROUNDED,
              "mean, variance and every step are rounded to bfloat16")
    return op
