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


def groupnorm():
    """(x - mean) / sqrt(variance + eps) * gamma + beta of groups of 16 channels, rows of 64 pixels and 64 channels on each of 2 x 3 cores:
    tilized, masked group by group, and untilized again. The first core of a column gathers three sums and multicasts what comes of them."""
    columns, rows, high, wide, of_group, eps = 2, 3, 2, 2, 16, 1e-5
    op = Description("groupnorm", cores=[[0, 0, columns - 1, rows - 1]])
    cores, tiles = [(x, y) for y in range(rows) for x in range(columns)], high * wide
    channels, groups = 32 * wide, 32 * wide // of_group  # of a core
    pixels, width = 32 * high * rows, channels * columns
    lies = {"layout": "rows", "page_bytes": 2 * channels, **shards(cores, [pixels, columns], [32 * high, 1])}
    x = op.input("x", op.random.normal(size=[pixels, width]) * 2 + 1, **lies)
    gamma, beta = (op.input(name, values, layout="rows", page_bytes=64)
                   for name, values in (("gamma", op.random.uniform(0.5, 2, [width // 32, 32])),
                                        ("beta", op.random.normal(size=[width // 32, 32]))))
    op.input("mask", np.vstack([np.tile(np.arange(32) // of_group == each % (32 // of_group), (32, 1))
                                for each in range(groups * columns)]))
    op.output(x.shape, **lies)
    op.cb(0, tiles, buffer="x")
    op.cb(16, tiles, buffer="out")
    for index, size in ((1, tiles), (30, tiles), (2, 1), (3, 1), (4, 1), (5, wide), (6, wide), (7, 2), (13, high), (8, 1), (10, 1), (17, 1),
                        (26, 1)):
        op.cb(index, size)
    op.shared_cb(1, (15, "Float16_b"), (9, "Float16_b"))
    op.semaphore(0)
    op.semaphore(1)
    kernels = TTNN + "normalization/groupnorm/device/kernels/"
    rows_in = {"TILIZE_IN": "1", "UNTILIZE_OUT": "1"}
    reader = {"defines": {"FUSE_GAMMA": "1", "FUSE_BETA": "1", **rows_in}, "noc": 0}
    sizes = [wide, 2 * channels, 64 * wide]
    receiver = kernels + "dataflow/reader_mcast_receiver_unary_sharded_gn_v2.cpp"
    op.writer(kernels + "dataflow/reader_mcast_sender_unary_sharded_gn_v2.cpp", [1, 0, rows, groups, *sizes, 2, high, 32],
              {(i, 0): [0, 0, *rectangle((i, 0), (i, rows - 1), 0), rows - 1,
                        *(place((i, j))[axis] for axis in (0, 1) for j in range(rows))]
               for i in range(columns)}, **reader)
    op.writer(receiver, [1, 0, groups, *sizes, high, 32], {(i, j): place((i, 0)) for i, j in cores if j}, **reader)
    op.reader(kernels + "dataflow/writer_unary_sharded_gn_rm_gb_v2.cpp",
              [1, 1, 1, wide, channels, 2 * channels, 64 * wide, groups, 1, 1, 64, 32 * high * of_group, rows, accessor("gamma"),
               accessor("beta"), accessor("mask"), 0],
              {(i, j): [bits_of(eps), buffer("gamma"), buffer("beta"), buffer("mask"), 0, i * wide, i * wide, i * groups]
               for i, j in cores},
              defines={"TILE_HW_VAL": "1024"}, noc=1)
    for sends in (1, 0):
        op.compute(kernels + "compute/groupnorm_sharded_v2.cpp",
                   [sends, 1, 1, rows, 1, groups, of_group, high, 1, high, 1, 1, high, wide, tiles, 2048 * wide, 32 // of_group, 2048,
                    tiles, groups, 1, 1, 1, of_group, 32],
                   {core: [] for core in cores if (core[1] == 0) == bool(sends)}, defines={**rows_in, "FP32_DEST_ACC": "false"})
    op.ends_early(receiver)
    op.finds(6, "groupnorm_sharded_v2.cpp", "pops 2 pages of c_0 ")  # the shard is never pushed
    for does in ("packs into", "unpacks"):  # sums of groups come to be there in place
        op.finds(5, "groupnorm_sharded_v2.cpp", f"{does} page 0 of c_30 ")
    exact = x.astype(float).reshape(pixels, -1, of_group)
    centred = exact - exact.mean((0, 2), keepdims=True)
    normal = (centred / np.sqrt((centred**2).mean((0, 2), keepdims=True) + eps)).reshape(pixels, width)
    op.within(normal * gamma.ravel() + beta.ravel(), 8 * ROUNDED, 16 * ROUNDED,
              "sums, mean, variance and every step are rounded to bfloat16")
    return op


def argmax():
    """Where the largest number of each row is: each of four cores looks through 64 columns of it, and writes what it finds to the first core,
    which compares them, and lets all go on to the next rows."""
    columns, rounds, rows, wide = 4, 2, 8, 64
    op = Description("argmax", cores=[[0, 0, columns - 1, 0]])
    x = op.input("x", op.random.normal(size=[rounds * rows, columns * wide]), layout="rows", page_bytes=2 * columns * wide)
    op.output([rounds, rows], layout="rows", page_bytes=4 * rows, format="UInt32")
    index_bytes, value_bytes = 4 * rows, 32  # of the rows, in multiples of 32
    op.cb(0, 1, page_bytes=2 * wide)
    op.cb(1, 1, "UInt32", page_bytes=index_bytes)
    op.cb(2, 1, "UInt32", page_bytes=index_bytes * columns)
    op.cb(3, 1, page_bytes=value_bytes * columns)
    op.semaphore(0)
    op.semaphore(1)
    first, last = place((0, 0)), place((columns - 1, 0))
    kernel = TTNN + "reduction/argmax/device/kernels/reader_argmax_interleaved_multicore.cpp"
    op.reader(kernel, [0, 1, 2, 3, 2 * columns * wide, index_bytes, index_bytes, value_bytes, rounds, rows, columns * wide, 0, columns, 0,
                       *first, *last, *first, *first, *first, columns, 0, 0, 1, accessor("x"), accessor("out")],
              {(i, 0): [buffer("x"), buffer("out"), i, 2 * i * wide, i * wide, 2 * wide, wide] for i in range(columns)}, noc=1)
    # In the first round nothing orders it behind what the others add: pull request 48534 of tt-metal takes it out.
    op.finds(12, kernel.rsplit("/", 1)[1], "one of the two is lost")
    op.finds(19, kernel.rsplit("/", 1)[1], "may not have come yet")  # as in issue 55142
    op.exactly(x.argmax(1).reshape(rounds, rows))
    return op


def topk():
    """The 32 largest numbers of each row, and where they are: each of four cores sorts 64 columns; the fifth one lets all of them send, by
    a multicast, and sorts what comes."""
    senders, wide, final = 4, 2, (0, 1)
    local = [[0, 0, senders - 1, 0]]
    op = Description("topk", cores=[*local, list(final)])
    numbers = op.random.permuted(np.tile(np.arange(32 * senders * wide), (32, 1)), axis=1)  # no two are equal
    x = op.input("x", numbers)
    op.output([32, 32])
    op.output([32, 32], format="UInt16", name="indices")
    for index, pages, number, more in ((0, 4, "Float16_b", {}), (1, 4, "UInt16", {}), (4, senders, "Float16_b", {}), (5, senders, "UInt16", {}),
                                       (9, 2, "UInt16", {}), (2, wide, "Float16_b", {"cores": local}), (3, wide, "UInt16", {"cores": local}),
                                       (8, 2, "Float16_b", {}), (6, senders, "Float16_b", {"cores": [list(final)]}),
                                       (7, senders, "UInt16", {"cores": [list(final)]})):
        op.cb(index, pages, number, **more)
    op.semaphore(0)
    op.semaphore(1)
    kernels = TTNN + "reduction/topk/device/kernels/"
    op.reader(kernels + "dataflow/reader_create_index_local_topk.cpp", [0, 1, 1, wide, senders * wide, accessor("x"), 0, 0],
              {(i, 0): [buffer("x"), 0, i * wide, 0, 0] for i in range(senders)}, defines={"GENERATE_INDICES": "1"})
    op.reader(kernels + "dataflow/reader_final_topk.cpp", [1, 0, *rectangle((0, 0), (senders - 1, 0), 0), 1, senders, senders, 4, 5], [],
              cores=[list(final)])
    op.writer(kernels + "dataflow/writer_local_topk.cpp", [1, 0, *place(final), 1, 32, 1, 8, 9, 4, 5], {(i, 0): [i] for i in range(senders)})
    op.writer(kernels + "dataflow/writer_final_topk.cpp", [8, 9, 1, 1, accessor("out"), accessor("indices")], {final: [buffer("out"), buffer("indices")]})
    op.compute(kernels + "compute/topk_local.cpp", [0, 1, 2, 3, 8, 9, 1, wide, 32, 1, 5, 1, 1, 1], {(i, 0): [i % 2] for i in range(senders)})
    op.compute(kernels + "compute/topk_final.cpp", [4, 5, 6, 7, 8, 9, 1, senders, 32, 1, 5, 2, 1, 1], [], cores=[list(final)])
    op.finds(2, "writer_local_topk.cpp", "pops a page of c_8")
    op.finds(2, "writer_local_topk.cpp", "pops a page of c_9")
    for index in (2, 6):  # pages that have been pushed are packed into again in their place
        op.finds(5, "", f"packs into page 0 of c_{index} ")
    where = np.argsort(-x, axis=1)[:, :32]
    op.exactly(np.concatenate([np.take_along_axis(x, where, 1).ravel(), where.ravel()]))
    return op


def sort():
    """64 rows of 256 numbers, falling, and where they were: three cores sort pairs of tiles in place, those of a step together; the fourth
    one copies all before, counts who is ready, and starts each step by a multicast."""
    columns, rows, high, wide = 2, 2, 2, 8
    cores = [(x, y) for y in range(rows) for x in range(columns)]
    workers, first = cores[:-1], cores[-1]
    op = Description("sort", cores=[[0, 0, columns - 1, rows - 1]])
    numbers = op.random.permuted(np.tile(np.arange(32 * wide), (32 * high, 1)), axis=1)  # no two are equal
    x = op.input("x", numbers)
    op.output(x.shape)
    op.output(x.shape, format="UInt16", name="indices")
    for index in range(6):
        op.cb(index, 2, "UInt16" if index % 2 else "Float16_b")
    for number in range(3):  # the last one is the mend's
        op.semaphore(number)
    kernels, free = TTNN + "data_movement/sort/device/kernels/", len(workers)
    in_tiles = [0, 6, 7, 64, 64]
    reader, writer, coordinator = (f"{kernels}dataflow/{who}_single_row_multi_core.cpp" for who in ("reader", "writer", "coordinator"))
    op.reader(coordinator,
              [wide // 2, wide, high, len(cores), free, 0, 1, 0, accessor("x"), accessor("out"), accessor("indices"), *in_tiles, 32],
              {first: [*rectangle(cores[0], first, 0), 0, 1, free, buffer("x"), buffer("out"), buffer("indices")]})
    args = {core: [buffer("out"), buffer("indices"), *place(first), 0, 1] for core in workers}
    for give, file, cbs in ((op.reader, reader, [0, 1]), (op.writer, writer, [4, 5])):
        give(file, [*cbs, wide, high, len(cores), columns, rows, free, accessor("out"), accessor("indices"), *in_tiles], args)
    op.compute(kernels + "compute/sort_single_row_multi_core.cpp", [*range(6), wide, high, free, columns, rows, 1, 0, 3, 0, 6, 7, 8, 9],
               {core: [] for core in workers})
    # The signal of the first step follows that of the start at once, and may come before who has seen the latter takes it back. Who is done
    # with the first rows says so by the count of those that are done with a step, issue 50312 of tt-metal.
    op.finds(12, "reader_single_row_multi_core.cpp", "one of the two is lost")
    op.finds(19, "coordinator_single_row_multi_core.cpp", "may not have come yet")
    op.passes("semaphore 0 to be 0, which is 1", "semaphore 1 to be 4, which is 7")
    op.mends = [(writer, r"_sem\(cores_to_coordinator_semaphore_arg\)", "_sem(2)"),
                (coordinator, r"cores_to_coordinator_sem(\.wait\(number_of_confirmations\);\s+)cores_to_coordinator_sem",
                 r"Semaphore<>(2)\1Semaphore<>(2)"),
                (coordinator, r"(number_of_dest\);\s+cores_to_coordinator_sem\.set\(0\);[^;]*?)\w+\.set_multicast[^;]*;", r"\1"),
                (reader, r"(atomic_barrier\(\);\s+)coordinator_to_cores_sem\.wait\(0\);[^;]*;", r"\1")]
    where = np.argsort(-x, axis=1)
    op.exactly(np.concatenate([np.take_along_axis(x, where, 1).ravel(), where.ravel()]))
    return op
