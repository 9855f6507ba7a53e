"""Operations of ttnn in which cores put together what each of them has found of a part."""
import numpy as np

from description import TTNN, Description, accessor, bits_of, buffer, place, rectangle
from grid_tensors import shards
from operations import ROUNDED

LAYERNORM_CBS = {"cb_in0": 0, "cb_in1": 1, "cb_scaler": 2, "cb_in_2": 2, "cb_eps": 3, "cb_scaler_global": 4, "cb_in_4": 4, "cb_gamma": 5,
                 "cb_beta": 6, "cb_ex_partial": 8, "cb_ex": 9, "cb_ex_external": 10, "cb_ex_partial2": 11, "cb_ex2": 12,
                 "cb_ex_external2": 13, "cb_ex_global": 15, "cb_out": 16, "cb_out_resharded": 17, "cb_xmm": 18, "cb_ex2pe": 20, "cb_x": 24,
                 "cb_x_welford": 29, "welford_fp32_alias": 0}


def twice(number):
    """Two bfloat16s in a word, as ttnn passes what a reduction multiplies with."""
    half = bits_of(number) >> 16
    return half << 16 | half


def layernorm_sharded():
    """(x - mean) / sqrt(variance + eps) * gamma + beta of blocks of 2 x 2 tiles. In each of two rows of three cores, two of them sum up
    what all three have found, a row of tiles each; the first core gathers that and multicasts it."""
    columns, rows, high, wide, eps = 3, 2, 2, 2, 1e-5
    op = Description("layernorm_sharded", cores=[[0, 0, columns - 1, rows - 1]])
    cores = [(x, y) for y in range(rows) for x in range(columns)]
    summing = high  # cores in a row that sum up
    pages = [rows * high, columns * wide]
    x = op.input("x", op.random.normal(size=[32 * pages[0], 32 * pages[1]]) * 2 + 1, **shards(cores, pages, [high, wide]))
    gamma = op.input("gamma", op.random.uniform(0.5, 2, [32, 32 * pages[1]]))  # the first row counts
    beta = op.input("beta", op.random.normal(size=[32, 32 * pages[1]]))
    op.output(x.shape, **shards(cores, pages, [high, wide]))
    op.cb(0, high * wide, buffer="x")
    op.cb(16, high * wide, buffer="out")
    for index, size in ((2, 1), (3, 1), (4, 1), (5, wide), (6, wide), (8, high), (9, high), (10, columns), (11, high), (12, high),
                        (13, columns), (15, high), (18, high * wide), (20, 1), (24, high * wide)):
        op.cb(index, size)
    for number in range(3):
        op.semaphore(number)
    kernels = TTNN + "normalization/layernorm/device/kernels/"
    columns_of = [place((i, 0))[0] for i in range(columns)]
    sizes = [columns, high]
    one_stage = [1, columns, 1, 0, columns, 0, 2, 0, 0]
    reader = {"defines": {"FUSE_GAMMA": "1", "FUSE_BETA": "1"}, "noc": 0, "named_compile_args": LAYERNORM_CBS}
    receiver = kernels + "dataflow/reader_mcast_receiver_unary_sharded_ln.cpp"
    op.writer(kernels + "dataflow/reader_mcast_sender_unary_sharded_ln.cpp",
              [1, 0, *sizes, 2048 * high, summing, 1, 2048, 1, 2048, *one_stage],
              {(0, y): [*rectangle((1, y), (columns - 1, y), 0), 0, 0, *columns_of, place((0, y))[1]] for y in range(rows)}, **reader)
    op.writer(receiver, [1, 0, *sizes, 1, summing, 1, 1, *one_stage],
              {(i, y): [int(i == summing - 1), 2048 * i, 0, i, 0, *columns_of, place((0, y))[1]]
               for i, y in cores if 0 < i < summing}, **reader)
    op.writer(receiver, [1, 0, *sizes, 0, summing, 1, 1, 1, 1, 1, 0, 0, 0, 2, 0, 0],
              {(i, y): [0, 2048 * i, 0, 0, 0, *place((0, y))] for i, y in cores if i >= summing}, **reader)
    for sums_up in (1, 0):
        mine = [(i, y) for i, y in cores if (i < summing) == bool(sums_up)]
        op.reader(kernels + "dataflow/writer_unary_sharded_ln.cpp",
                  [sums_up, 1, 1, wide, 0, accessor("gamma"), accessor("beta"), 0, 0, 2048 * wide, 2048 * wide, high],
                  {(i, y): [twice(1 / columns), twice(1 / (32 * wide)), bits_of(eps), buffer("gamma"), buffer("beta"), i * wide, i * wide]
                   for i, y in mine}, defines={"SKIP_WRITE_BACK": "1"}, noc=1, named_compile_args=LAYERNORM_CBS)
        op.compute(kernels + "compute/layernorm_sharded.cpp", [0, 1, 1, columns, high, wide, wide, 1, sums_up, high * wide, 0, 0, 0, 0],
                   {core: [wide, 1, 0, 0] if sums_up else [wide] for core in mine}, named_compile_args=LAYERNORM_CBS)
    op.ends_early(receiver)
    op.finds(6, "layernorm_sharded.cpp", f"pops {wide} pages of c_0 (circular_buffers[0]), which holds 0")  # the shard is never pushed
    op.finds(5, "layernorm_sharded.cpp", "unpacks page 0 of c_3 (circular_buffers[3]), and has waited for none")  # eps
    exact = x.astype(float)
    centred = exact - exact.mean(1, keepdims=True)
    op.within(centred / np.sqrt((centred**2).mean(1, keepdims=True) + eps) * gamma[0] + beta[0], 8 * ROUNDED, 16 * ROUNDED,
              "mean, variance, a third and every step are rounded to bfloat16")
    return op
