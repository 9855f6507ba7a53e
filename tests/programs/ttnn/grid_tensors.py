"""Operations of ttnn that move tensors between cores, and between DRAM and the shards that cores have of a tensor in their L1."""
import numpy as np

from description import TTNN, Description, accessor, buffer, place
from operations import WRITE_TILES

SHARDED = TTNN + "data_movement/sharded/device/kernels/dataflow/"
READ_SHARDS = TTNN + "eltwise/unary/device/kernels/dataflow/reader_unary_sharded.cpp"
TILE = 2048


def cores_of(columns, rows):
    """Row by row."""
    return [(x, y) for y in range(rows) for x in range(columns)]


def shards(cores, tensor, shard):
    """A buffer in L1 with a shard on each core; tensor and shard in pages."""
    return {"memory": "l1", "shards": {"cores": [list(core) for core in cores], "tensor": tensor, "shard": shard}}


def move():
    """To where it overlaps with where it was: nobody writes before all have read. Six cores; the first one counts and multicasts."""
    columns, rows, tiles = 3, 2, 5
    op = Description("move", cores=[[0, 0, columns - 1, rows - 1]])
    cores = cores_of(columns, rows)
    x = op.input("x", op.random.normal(size=[32 * tiles * len(cores), 32]), address=0x200000 + TILE)
    op.output(x.shape, address=0x200000)
    op.cb(0, tiles)
    op.semaphore(0)
    right = [*place((1, 0)), *place((columns - 1, rows - 1)), (columns - 1) * rows]
    below = [*place((0, 1)), *place((0, rows - 1)), rows - 1]
    kernel = TTNN + "data_movement/move/device/kernels/dataflow/move_interleaved_with_overlap.cpp"
    op.writer(kernel, [0, accessor("x"), accessor("out")],
              {core: [buffer("x"), buffer("out"), i * tiles, tiles, 0, *place((0, 0)), len(cores) - 1, int(i == 0), *right, *below, *below, 0]
               for i, core in enumerate(cores)}, noc=0)
    op.ends_early(kernel)
    op.exactly(x)
    return op


def interleaved_to_sharded():
    """From DRAM to blocks of 2 x 2 tiles on six cores."""
    columns, rows, side = 3, 2, 2
    op = Description("interleaved_to_sharded", cores=[[0, 0, columns - 1, rows - 1]])
    cores = cores_of(columns, rows)
    x = op.input("x", op.random.normal(size=[32 * rows * side, 32 * columns * side]))
    op.output(x.shape, **shards(cores, [rows * side, columns * side], [side, side]))
    op.cb(0, side * side, buffer="out")
    op.reader(SHARDED + "reader_unary_sharded_blocks_interleaved_start_id.cpp", [0, len(cores), accessor("x")],
              {(i, j): [buffer("x"), side, side, 0, columns * side, side * side, j * columns * side * side + i * side, 0]
               for i, j in cores})
    op.writer(SHARDED + "writer_unary_sharded.cpp", [0], [side * side])
    op.exactly(x)
    return op


def sharded_to_interleaved():
    """From columns of 4 x 1 tiles on six cores to DRAM."""
    columns, rows, high = 3, 2, 4
    op = Description("sharded_to_interleaved", cores=[[0, 0, columns - 1, rows - 1]])
    cores = cores_of(columns, rows)
    wide = len(cores)
    x = op.input("x", op.random.normal(size=[32 * high, 32 * wide]), **shards(cores, [high, wide], [high, 1]))
    op.output(x.shape)
    op.cb(0, high, buffer="x")
    op.reader(READ_SHARDS, [0], [high])
    op.writer(SHARDED + "writer_unary_sharded_blocks_interleaved_start_id.cpp", [0, accessor("out")],
              {core: [buffer("out"), high, 1, high, 1, wide, high, i, 0] for i, core in enumerate(cores)})
    op.exactly(x)
    return op


def reshard():
    """From a row of tiles on each of six cores to a column on each: all read from all others."""
    columns, rows = 3, 2
    op = Description("reshard", cores=[[0, 0, columns - 1, rows - 1]])
    cores = cores_of(columns, rows)
    side = len(cores)
    x = op.input("x", op.random.normal(size=[32 * side, 32 * side]), **shards(cores, [side, side], [1, side]))
    op.output(x.shape, **shards(cores, [side, side], [side, 1]))
    op.cb(16, side, buffer="out")
    places = [place((x, 0))[0] for x in range(columns)] + [place((0, y))[1] for y in range(rows)]
    for y, give in enumerate([op.reader, op.writer]):
        # A row of cores: a page of each, which has the same offset on all.
        give(SHARDED + "reshard_reader.cpp", [16, columns, rows, TILE, TILE],
             {core: [*places, buffer("x"), columns, 1, y * columns, y << 16 | 1 << 8, i, 1 << 16 | columns << 8]
              for i, core in enumerate(cores)})
    op.exactly(x)
    return op
