"""Operations of ttnn on one core, with kernels as they are in a checkout of tt-metal of June 2026. Compile-time arguments, macros, run-time
arguments and circular buffers are those that the operation's program factory gives; shapes are small."""
import numpy as np

from description import TTNN, Description, accessor, bits_of, buffer

UNARY = TTNN + "eltwise/unary/device/kernels/"
BINARY = TTNN + "eltwise/binary_ng/device/"
WRITE_TILES = UNARY + "dataflow/writer_unary_interleaved_start_id.cpp"
ROUNDED = 2.0**-8  # the most that rounding to bfloat16 changes a number by


def full():
    """Pages of one number, written by both cores that move data."""
    op = Description("full")
    op.output([160, 32])
    kernel = TTNN + "full/device/kernels/writer_full.cpp"
    number = bits_of(-2.75)
    for index, (give, pages, first) in enumerate([(op.writer, 3, 2), (op.reader, 2, 0)]):
        op.cb(index, 1)
        give(kernel, [index, 1024, 2048, accessor("out")], [buffer("out"), number, pages, first],
             defines={"OUTPUT_DTYPE_BFLOAT16": "1"})
    op.finds(19, "writer_full.cpp", "may not have come yet")  # issue 55142 of tt-metal
    op.exactly(np.full([160, 32], -2.75))
    return op


def chain(*calls):
    """The macros of a chain of unary functions on tile 0 of Dst."""
    steps = {}
    for i, name in enumerate(calls):
        steps[f"SFPU_OP_CHAIN_0_INIT_{i}"] = f"{name}_tile_init();"
        steps[f"SFPU_OP_CHAIN_0_FUNC_{i}"] = f"{name}_tile(0);"
    return {**steps, "SFPU_OP_CHAIN_0": " ".join(steps)}


def unary():
    """exp(-x * x), three functions in a row."""
    op = Description("unary")
    x = op.input("x", op.random.uniform(-2, 2, [64, 64]))
    op.output([64, 64])
    op.cb(0, 2)
    op.cb(2, 2)
    tiled = {"RM_INTERLEAVED": "0"}
    op.reader(UNARY + "dataflow/reader_unary.cpp", [accessor("x")], [buffer("x"), 4, 0, 0, 0, 0, 0, 0],
              defines={"SRC_SHARDED": "0", **tiled})
    op.writer(UNARY + "dataflow/writer_unary.cpp", [accessor("out")], [buffer("out"), 4, 0, 0, 0, 0, 0, 0],
              defines={"DST_SHARDED": "0", **tiled})
    op.compute(UNARY + "compute/eltwise_sfpu.cpp", [], [4, 0, 0],
               defines={**chain("square", "negative", "exp"), "SFPU_OP_NEG_INCLUDE": "1", "SFPU_OP_EXP_INCLUDE": "1",
                        "SFPU_OP_COMPUTE_KERNEL_API_INCLUDE": "1", "INP_FLOAT": "1"})
    op.within(np.exp(-x.astype(float)**2), 4 * 2 * ROUNDED + 3 * ROUNDED, 0,
              "x * x is up to 4 and loses up to one bfloat16 in Dst; exp and the packer lose the rest")
    return op


def binary_args(shape_a, shape_b):
    """Arguments of binary_ng's readers and of its writer, of tensors [C, H, W] in tiles."""
    (channels, height, width), (channels_b, height_b, width_b) = shape_a, shape_b
    tiles = channels * height * width
    reader = [buffer("a"), 0, 0, tiles, 0, 0, 0, 0, height * width * (channels > 1), 1, 1, channels, height, width, 1,
              buffer("b"), 0, 0, 0, height_b * width_b * (channels_b > 1), 0]
    return reader, [buffer("out"), 0, tiles, 0, 1, 1, channels, height, width, 1, 0]


NO_ACTIVATIONS = {f"PROCESS_{side}_ACTIVATIONS(i)": "" for side in ("LHS", "RHS", "POST")}
NO_WHERE = {"WHERE_TTS": "0", "WHERE_TST": "0"}


def binary_ng(name, compute, reader, shape_a, shape_b, defines, format="Float16_b", reader_defines=None, **settings):
    """a OP b of tensors in tiles; the numbers are given by the caller."""
    op = Description(name)
    args = binary_args(shape_a, shape_b)
    for index in (0, 1, 2):
        op.cb(index, 2, format)
    not_sharded = {"SRC_SHARDED": "0", "SRC_SHARDED_B": "0"}
    op.reader(BINARY + "kernels_ng/dataflow/" + reader, [accessor("a"), accessor("b"), 0], args[0],
              defines={**not_sharded, "BCAST_LLK": "0", **(reader_defines or {})})
    op.writer(BINARY + "kernels_ng/dataflow/writer_interleaved_no_bcast.cpp", [accessor("out"), 0], args[1],
              defines={"SRC_SHARDED": "0", "DST_SHARDED": "0"})
    tiles = args[1][2]
    op.compute(BINARY + compute, [1], [tiles, 1, 0, 0], defines={**NO_ACTIVATIONS, **NO_WHERE, **defines}, **settings)
    return op


def binary():
    """a + b of two channels in the Matrix Unit."""
    op = binary_ng("binary", "kernels/compute/eltwise_binary_no_bcast.cpp", "reader_interleaved_no_bcast.cpp", (2, 1, 3), (2, 1, 3),
                   {"BINARY_OP": "add_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWADD", "BCAST_INPUT": ""})
    a = op.input("a", op.random.normal(size=[64, 96]))
    b = op.input("b", op.random.normal(size=[64, 96]))
    op.output([64, 96])
    op.within(a.astype(float) + b, ROUNDED, 2.0**-9, "a sum is rounded to bfloat16; where it cancels, its lowest bit is 2^-9 or less")
    return op


def binary_row():
    """a * b, of which b has one row for all of a's two channels."""
    op = binary_ng("binary_row", "kernels_ng/compute/eltwise_binary_row_bcast.cpp", "reader_interleaved_row_bcast.cpp",
                   (2, 1, 3), (1, 1, 3),
                   {"BINARY_OP": "mul_tiles", "BINARY_OP_TYPE": "EltwiseBinaryType::ELWMUL", "BCAST_INPUT": "",
                    "SRC_BCAST": "0", "SRC_BCAST_B": "1"},
                   reader_defines={"SRC_BCAST": "0", "SRC_BCAST_B": "1", "BCAST_LLK": "1"})
    op.cb(6, 2)
    a = op.input("a", op.random.normal(size=[64, 96]))
    b = op.input("b", op.random.normal(size=[32, 96]))  # rows but the first are padding, of which nothing may be seen
    op.output([64, 96])
    op.within(a.astype(float) * b[0], 4 * ROUNDED, 0, "each of four fidelity phases rounds the product so far to bfloat16")
    return op


def binary_sfpu():
    """a + b of integers of 32 bits in the Vector Unit."""
    op = binary_ng("binary_sfpu", "kernels/compute/eltwise_binary_sfpu_no_bcast.cpp", "reader_interleaved_no_bcast.cpp",
                   (1, 2, 2), (1, 2, 2),
                   {"BINARY_SFPU_INIT": "add_int_tile_init();", "BINARY_SFPU_OP": "add_int_tile<DataFormat::Int32>", "BCAST_INPUT": ""},
                   "Int32", fp32=True, unpack_to_dest=[0, 1, 3, 4, 5, 6])
    a = op.input("a", op.random.integers(-2**30, 2**30, [64, 64], np.int32), format="Int32")
    b = op.input("b", op.random.integers(-2**30, 2**30, [64, 64], np.int32), format="Int32")
    op.output([64, 64], format="Int32")
    op.exactly(a + b)
    return op


def reduce_w():
    """The sum of each row."""
    op = Description("reduce_w")
    x = op.input("x", op.random.normal(size=[64, 128]))
    op.output([64, 32])
    for index, pages in ((0, 2), (2, 1), (3, 2)):
        op.cb(index, pages)
    defines = {"REDUCE_OP": "ckernel::PoolType::SUM", "REDUCE_DIM": "ckernel::ReduceDim::REDUCE_ROW"}
    kernels = TTNN + "reduction/generic/device/kernels/"
    op.reader(kernels + "dataflow/reader_unary_reduce_universal_start_id.cpp", [bits_of(1), accessor("x")], [buffer("x"), 8, 0],
              defines=defines)
    op.writer(WRITE_TILES, [3, accessor("out")], [buffer("out"), 2, 0], defines=defines)
    op.compute(kernels + "compute/reduce.cpp", [2, 4, 1, bits_of(1)], [], fp32=True, defines=defines)
    op.select = lambda result: result[:, 0]
    op.within(x.astype(float).sum(1), ROUNDED, 2.0**-9, "summed up in FP32 and rounded once to bfloat16")
    return op


def reduce_h():
    """The largest of each column."""
    op = Description("reduce_h")
    x = op.input("x", op.random.normal(size=[64, 96]))
    op.output([32, 96])
    for index, pages in ((0, 2), (2, 1), (3, 2)):
        op.cb(index, pages)
    defines = {"REDUCE_OP": "ckernel::PoolType::MAX", "REDUCE_DIM": "ckernel::ReduceDim::REDUCE_COL"}
    kernels = TTNN + "reduction/generic/device/kernels/"
    op.reader(kernels + "dataflow/reader_unary_transpose_wh_universal_input_cols_partitioned.cpp",
              [2, 3, 6, bits_of(1), 0, accessor("x")], [buffer("x"), 0, 0, 3],
              defines={"ENABLE_FP32_DEST_ACC": "0", "DST_SYNC_FULL": "0", **defines})
    op.writer(WRITE_TILES, [3, accessor("out")], [buffer("out"), 3, 0], defines=defines)
    op.compute(kernels + "compute/reduce.cpp", [2, 3, 1, bits_of(1)], [], defines=defines)
    op.select = lambda result: result[0]
    op.exactly(x.max(0))
    return op


def matmul():
    """[64, 96] x [96, 64]."""
    op = Description("matmul")
    a = op.input("a", op.random.normal(size=[64, 96]))
    b = op.input("b", op.random.normal(size=[96, 64]))
    op.output([64, 64])
    for index in (0, 1, 16):
        op.cb(index, 2)
    kernels = TTNN + "matmul/device/kernels/"
    names = {"cb_in0": 0, "cb_in1": 1}
    op.reader(kernels + "dataflow/reader_bmm_8bank_output_tiles_partitioned.cpp", [0, 0, accessor("a"), accessor("b")],
              [buffer("a"), buffer("b"), 2, 3, 2, 6, 6, 1, 1, 0, 4, 4], named_compile_args=names)
    op.writer(kernels + "dataflow/writer_unary_interleaved_start_id.cpp", [accessor("out")], [buffer("out"), 4, 0],
              named_compile_args={"cb_out": 16})
    op.compute(kernels + "compute/bmm.cpp", [1, 1, 3, 4], [], fp32=True, named_compile_args={**names, "cb_out": 16})
    op.within(a.astype(float) @ b, ROUNDED, np.sqrt(96) * 8 * 2.0**-11,
              "of each eight, products are cut to 2^-11 of the largest, at most 8 here, and 96 such errors add up at random; then bfloat16")
    return op
