"""Matrix products of ttnn over several cores, of which some read and multicast, and the others wait. As in operations.py, arguments are
those that the program factories give."""
import numpy as np

from description import TTNN, Description, accessor, buffer, place, rectangle
from operations import ROUNDED

KERNELS = TTNN + "matmul/device/kernels/"
IN0_SENDER = KERNELS + "dataflow/reader_bmm_tile_layout_in0_sender_padding.cpp"
IN0_RECEIVER = KERNELS + "dataflow/reader_bmm_tile_layout_in0_receiver.cpp"
IN1_SENDER = KERNELS + "dataflow/reader_bmm_tile_layout_in1_sender_writer_padding.cpp"
IN1_RECEIVER = KERNELS + "dataflow/reader_bmm_tile_layout_in1_receiver_writer_padding.cpp"
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
    op.compute(KERNELS + "compute/bmm_large_block_zm_fused_bias_activation.cpp", blocks.compute_args(), [], fp32=True,
               defines={"FP32_DEST_ACC_EN": "1"}, named_compile_args={**CBS, "bias_ntiles": blocks.w})
    op.ends_early(IN0_RECEIVER, IN1_RECEIVER)
    op.within(a.astype(float) @ b, ROUNDED + 2.0**-10, np.sqrt(128) * 8 * 2.0**-11,
              "as of matmul, with sums of half of the products cut to 2^-11 on their way back into Dst")
    return op
