"""Matrix products of ttnn over several cores, of which some read and multicast, and the others wait. As in operations.py, arguments are
those that the program factories give."""
import numpy as np

from description import TTNN, Description, accessor, buffer, place, rectangle
from grid_tensors import shards
from operations import ROUNDED

KERNELS = TTNN + "matmul/device/kernels/"
IN0_SENDER = KERNELS + "dataflow/reader_bmm_tile_layout_in0_sender_padding.cpp"
IN0_RECEIVER = KERNELS + "dataflow/reader_bmm_tile_layout_in0_receiver.cpp"
IN1_SENDER = KERNELS + "dataflow/reader_bmm_tile_layout_in1_sender_writer_padding.cpp"
IN1_RECEIVER = KERNELS + "dataflow/reader_bmm_tile_layout_in1_receiver_writer_padding.cpp"
IN0_BLOCK = KERNELS + "dataflow/reader_bmm_tile_layout_in0_sender_receiver_padding_block_sharded.cpp"
COMPUTE = KERNELS + "compute/bmm_large_block_zm_fused_bias_activation.cpp"
CBS = {"cb_in0": 0, "cb_in1": 1, "cb_in0_sharded": 2, "cb_bias": 3, "cb_out": 4, "cb_intermed0": 5, "cb_in0_transposed": 10}
NO_TENSOR = [0, 0]  # what TensorAccessorArgs() without a tensor gives


class Blocks:
    """Sizes in tiles: the whole, what a core has of it, and the steps in which it goes through the inner dimension."""

    def __init__(self, m, k, n, per_core_m, per_core_n, inner, subblock_h=1, subblock_w=1):
        self.m, self.k, self.n = m, k, n
        self.h, self.w, self.inner = per_core_m, per_core_n, inner
        self.steps = k // inner
        self.subblock_h, self.subblock_w = subblock_h, subblock_w

    def in0_args(self, dests):
        """Of the sender of in0, whose semaphores are 0 and 1."""
        return [1, self.k, self.inner, self.h * self.k, self.inner, self.h, self.h * self.inner, 0, 0, 0, 0, 0,
                self.steps, 1, 1, 0, 1, dests, dests, self.m * self.k, 1, 1, 0, 0, 0, 1, 0, 0, accessor("a"), *NO_TENSOR, 0]

    def in0_receiver_args(self):
        return [self.inner * self.h, self.steps, 1, 1, 0, 1, 1, 0]

    def out_args(self):
        subblock = self.subblock_w * self.subblock_h
        return [1, self.n, self.subblock_w, self.subblock_h * self.n, self.w, self.h * self.n, self.subblock_w, self.subblock_h, subblock,
                self.m * self.n]

    def in1_args(self, dests, bias=False):
        """Of the sender of in1, which writes the result, too; its semaphores are 2 and 3."""
        return [1, self.n, self.inner * self.n, self.w, self.w, self.inner, self.w * self.inner, self.steps, 1, 1, 2, 3, dests, dests,
                self.k * self.n, 1, 1, 0, 0, *self.out_args(), int(bias), 0, 0, accessor("b"), *NO_TENSOR, accessor("out"),
                *([accessor("bias")] if bias else [])]

    def in1_receiver_args(self):
        return [self.w * self.inner, self.steps, 1, 1, 2, 3, 1, *self.out_args(), 0, 0, accessor("out")]

    def in1_padding(self):
        """What of a core's block is there: all."""
        return [self.w, self.h // self.subblock_h, self.subblock_h, 0, self.w // self.subblock_w, self.w // self.subblock_w,
                self.subblock_w, 0, 0]

    def in1_receiver_padding(self):
        rows, columns = self.h // self.subblock_h, self.w // self.subblock_w
        return [rows, rows, self.subblock_h, 0, columns, columns, self.subblock_w, 0, 0, 1, 1]

    def compute_args(self, *more):
        subblock_rows, subblock_columns = self.h // self.subblock_h, self.w // self.subblock_w
        return [self.inner, subblock_rows, self.h * self.inner, self.subblock_h * self.inner, subblock_columns, self.w * self.inner, self.w,
                self.steps, 1, 1, self.subblock_h, self.subblock_w, self.subblock_h * self.subblock_w, 1, self.h * self.w, 0, 0, 0, *more]


def matmul_2d():
    """The cores of the first column multicast the rows of a, those of the first row the columns of b: 3 x 2 cores."""
    columns, rows = 3, 2
    op = Description("matmul_2d", cores=[[0, 0, columns - 1, rows - 1]])
    blocks = Blocks(4, 4, 6, per_core_m=2, per_core_n=2, inner=2, subblock_w=2)
    a = op.input("a", op.random.normal(size=[32 * blocks.m, 32 * blocks.k]))
    b = op.input("b", op.random.normal(size=[32 * blocks.k, 32 * blocks.n]))
    op.output([32 * blocks.m, 32 * blocks.n])
    op.cb(0, 2 * blocks.h * blocks.inner)
    op.cb(1, 2 * blocks.w * blocks.inner)
    op.cb(4, blocks.h * blocks.w)
    op.cb(5, blocks.h * blocks.w, "Float32")
    for number in range(4):
        op.semaphore(number)
    far = (columns - 1) // 2 + 1  # columns from here on have their NoCs the other way about, except in the first row
    right, bottom = columns - 1, rows - 1
    op.reader(IN0_SENDER, blocks.in0_args(columns - 1),
              {(0, y): [buffer("a"), y * blocks.h * blocks.k, *rectangle((1, y), (right, y), 1), blocks.h, 0] for y in range(rows)},
              noc=1, named_compile_args={**CBS, "cb_sparsity": 6})
    op.writer(IN1_SENDER, blocks.in1_args(rows - 1),
              {(x, 0): [buffer("b"), x * blocks.w, *rectangle((x, 1), (x, bottom), 0), 0, buffer("out"), x * blocks.w,
                        *blocks.in1_padding(), 0, 0, 1] for x in range(columns)},
              noc=0, named_compile_args={**CBS, "cb_sparsity": 7})
    cores = [(x, y) for y in range(rows) for x in range(columns)]
    for is_far in (False, True):
        op.reader(IN0_RECEIVER, blocks.in0_receiver_args(),
                  {(x, y): place((0, y)) for x, y in cores if x > 0 and is_far == (x >= far and y > 0)},
                  noc=0 if is_far else 1, named_compile_args=CBS)
        op.writer(IN1_RECEIVER, blocks.in1_receiver_args(),
                  {(x, y): [*place((x, 0)), buffer("out"), x * blocks.w + y * blocks.h * blocks.n, *blocks.in1_receiver_padding()]
                   for x, y in cores if y > 0 and is_far == (x >= far)}, noc=1 if is_far else 0, named_compile_args=CBS)
    op.compute(COMPUTE, blocks.compute_args(), [], fp32=True,
               defines={"FP32_DEST_ACC_EN": "1"}, named_compile_args={**CBS, "bias_ntiles": blocks.w})
    op.ends_early(IN0_RECEIVER, IN1_RECEIVER)
    op.within(a.astype(float) @ b, ROUNDED + 2.0**-10, np.sqrt(128) * 8 * 2.0**-11,
              "as of matmul, with sums of half of the products cut to 2^-11 on their way back into Dst")
    return op


def bias_of(op, blocks):
    """A row of numbers that is added to each row; the tiles' other rows are padding."""
    bias = op.input("bias", op.random.normal(size=[32, 32 * blocks.n]))
    op.cb(3, blocks.w)
    return bias[0]


def matmul_1d():
    """a * b + bias, with relu: each of four cores in a row has columns of b and of the bias, and the first one multicasts a to all."""
    columns = 4
    op = Description("matmul_1d", cores=[[0, 0, columns - 1, 0]])
    blocks = Blocks(2, 4, 8, per_core_m=2, per_core_n=2, inner=2, subblock_w=2)
    a = op.input("a", op.random.normal(size=[32 * blocks.m, 32 * blocks.k]))
    b = op.input("b", op.random.normal(size=[32 * blocks.k, 32 * blocks.n]))
    op.output([32 * blocks.m, 32 * blocks.n])
    op.cb(0, 2 * blocks.h * blocks.inner)
    op.cb(1, 2 * blocks.w * blocks.inner)
    bias = bias_of(op, blocks)
    op.shared_cb(blocks.h * blocks.w, (4, "Float16_b"), (5, "Float16_b"))
    for number in range(2):
        op.semaphore(number)
    op.reader(IN0_SENDER, blocks.in0_args(columns - 1),
              {(0, 0): [buffer("a"), 0, *rectangle((0, 0), (columns - 1, 0), 1), blocks.h, 0]}, noc=1,
              named_compile_args={**CBS, "cb_sparsity": 6})
    op.reader(IN0_RECEIVER, blocks.in0_receiver_args(), {(x, 0): place((0, 0)) for x in range(1, columns)}, noc=1, named_compile_args=CBS)
    op.writer(IN1_SENDER, blocks.in1_args(0, bias=True),
              {(x, 0): [buffer("b"), x * blocks.w, 0, 0, 0, 0, 0, buffer("out"), x * blocks.w, *blocks.in1_padding(), buffer("bias"),
                        x * blocks.w, 1] for x in range(columns)},
              noc=0, defines={"SKIP_MCAST": "1", "FUSE_BIAS": "1"}, named_compile_args={**CBS, "cb_sparsity": 7})
    op.compute(COMPUTE, blocks.compute_args(1), [], named_compile_args={**CBS, "bias_ntiles": blocks.w},
               defines={"FUSE_BIAS": "1", "PACK_RELU": "1", "PACKER_L1_ACC": "1"})
    op.ends_early(IN0_RECEIVER)
    op.within(np.maximum(a.astype(float) @ b + bias, 0), ROUNDED, 10 * 32 * ROUNDED / 2,
              "Dst has bfloat16s: each of four tiles, sums of two blocks and the bias round sums up to 64 by up to 2^-9 of them")
    return op


def matmul_block_sharded():
    """All of a, b and the result lie over 3 x 2 cores: each in turn multicasts its block of a to its row and to itself, the first row its
    columns of b; the result stays where it is computed."""
    columns, rows = 3, 2
    cores = [(x, y) for y in range(rows) for x in range(columns)]
    op = Description("matmul_block_sharded", cores=[[0, 0, columns - 1, rows - 1]])
    blocks = Blocks(4, 6, 6, per_core_m=2, per_core_n=2, inner=2, subblock_w=2)
    a = op.input("a", op.random.normal(size=[32 * blocks.m, 32 * blocks.k]), **shards(cores, [blocks.m, blocks.k], [blocks.h, blocks.inner]))
    b = op.input("b", op.random.normal(size=[32 * blocks.k, 32 * blocks.n]))
    op.output([32 * blocks.m, 32 * blocks.n], **shards(cores, [blocks.m, blocks.n], [blocks.h, blocks.w]))
    op.cb(0, 2 * blocks.h * blocks.inner)
    op.cb(1, 2 * blocks.w * blocks.inner)
    op.cb(2, blocks.h * blocks.inner, buffer="a")
    op.cb(4, blocks.h * blocks.w, buffer="out")
    op.cb(5, blocks.h * blocks.w, "Float32")
    op.cb(6, 1, page_bytes=64)
    for number in range(4):
        op.semaphore(number)
    block = blocks.h * blocks.inner
    op.reader(IN0_BLOCK, [1, 1, block, block * 2048, 0, 0, blocks.steps, 1, 1, 0, 1, columns, columns, columns, 1, 0, blocks.inner, blocks.h,
                          blocks.inner, blocks.h, 1, 0, accessor("a"), *NO_TENSOR, 0],
              {(x, y): [x, *rectangle((0, y), (columns - 1, y), 1), *(place((i, 0))[0] for i in range(columns)), place((0, y))[1]]
               for x, y in cores}, noc=1, named_compile_args={**CBS, "cb_l1_array": 6})
    sharded = {"OUT_SHARDED": "1"}
    op.writer(IN1_SENDER, blocks.in1_args(rows - 1),
              {(x, 0): [buffer("b"), x * blocks.w, *rectangle((x, 1), (x, rows - 1), 0), 0, buffer("out"), x * blocks.w,
                        *blocks.in1_padding(), 0, 0] for x in range(columns)},
              noc=0, defines=sharded, named_compile_args={**CBS, "cb_sparsity": 7})
    op.writer(IN1_RECEIVER, blocks.in1_receiver_args(),
              {(x, y): [*place((x, 0)), buffer("out"), x * blocks.w + y * blocks.h * blocks.n, *blocks.in1_receiver_padding()[:-2]]
               for x, y in cores if y > 0}, noc=0, defines=sharded, named_compile_args=CBS)
    op.compute(COMPUTE, blocks.compute_args(), [], fp32=True, defines={"FP32_DEST_ACC_EN": "1"},
               named_compile_args={**CBS, "bias_ntiles": blocks.w})
    op.ends_early(IN0_BLOCK, IN1_RECEIVER)
    # A sender's own copies come to it over the NoC, and it waits only until they have left: its compute kernel may take the block before it
    # is there, and the VALID that comes late makes the next block look as if it were (as in issue 55551 of tt-metal, of another kernel).
    sender, compute = IN0_BLOCK.rsplit("/", 1)[1], COMPUTE.rsplit("/", 1)[1]
    op.finds(1, sender, "pushes a page of c_0")
    op.finds(8, compute, "unpacks a page of c_0 (circular_buffers[0]), into which nothing was ever written")
    op.finds(12, sender, "one of the two is lost")
    op.finds(13, compute, f"the write of {sender}")
    op.finds(13, sender, "may still need what is there")
    op.mends = [(IN0_BLOCK, r"noc\.async_writes_flushed\(\);", "noc.async_write_barrier();")]
    op.within(a.astype(float) @ b, ROUNDED + 2 * 2.0**-10, np.sqrt(192) * 8 * 2.0**-11,
              "as of matmul_2d, with sums cut twice on their way back into Dst")
    return op
