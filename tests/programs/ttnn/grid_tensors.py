"""Operations of ttnn that move tensors between cores, and between DRAM and the shards that cores have of a tensor in their L1."""
import numpy as np

from description import TTNN, Description, accessor, buffer, place
from operations import UNARY, chain

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


def unary_sharded():
    """abs(x), where it lies: blocks of 2 x 1 tiles on six cores."""
    columns, rows, high = 3, 2, 2
    op = Description("unary_sharded", cores=[[0, 0, columns - 1, rows - 1]])
    cores = cores_of(columns, rows)
    x = op.input("x", op.random.normal(size=[32 * rows * high, 32 * columns]), **shards(cores, [rows * high, columns], [high, 1]))
    op.output(x.shape, **shards(cores, [rows * high, columns], [high, 1]))
    op.cb(0, high, buffer="x")
    op.cb(2, high, buffer="out")
    tiled = {"RM_INTERLEAVED": "0"}
    op.reader(UNARY + "dataflow/reader_unary.cpp", [], [buffer("x"), high, 0, 0, 0, 0, 0, 0], defines={"SRC_SHARDED": "1", **tiled})
    op.writer(UNARY + "dataflow/writer_unary.cpp", [], [buffer("out"), high, 0, 0, 0, 0, 0, 0], defines={"DST_SHARDED": "1", **tiled})
    op.compute(UNARY + "compute/eltwise_sfpu.cpp", [], [high, 0, 0],
               defines={**chain("abs"), "SFPU_OP_COMPUTE_KERNEL_API_INCLUDE": "1", "INP_FLOAT": "1"})
    op.exactly(np.abs(x))
    return op


def concat_sharded():
    """Two tensors side by side, both over four cores: each copies its rows within its L1, half of them by either core that moves data."""
    columns, high, wide, page = 4, 8, (2, 1), 64  # rows of a core, and pages of a row
    op = Description("concat_sharded", cores=[[0, 0, columns - 1, 0]])
    cores = cores_of(columns, 1)

    def rows(pages):
        return {"layout": "rows", "page_bytes": page * pages, **shards(cores, [high * columns, 1], [high, 1])}

    a, b = (op.input(name, op.random.normal(size=[high * columns, page // 2 * pages]), **rows(pages)) for name, pages in zip("ab", wide))
    op.output([high * columns, page // 2 * sum(wide)], **rows(sum(wide)))
    op.cb(0, high * wide[0], page_bytes=page, buffer="a")
    op.cb(1, high * wide[1], page_bytes=page, buffer="b")
    op.cb(16, high * sum(wide), page_bytes=page, buffer="out")
    stride, half = page * sum(wide), high // 2
    for first, give in ((0, op.reader), (half, op.writer)):
        give(TTNN + "data_movement/concat/device/kernels/dataflow/reader_s2s_tensor_concat.cpp", [16, page, stride, len(wide)],
             [wide[0], half, first * stride, first * page * wide[0], wide[1], half, wide[0] * page + first * stride, first * page * wide[1]])
    op.exactly(np.concatenate([a, b], 1))
    return op


def create_qkv_heads():
    """The heads of queries, keys and values of a sequence of 32 lie side by side on two cores; each of four cores takes a query, and each of
    the first two a key and a value, from the L1 of whose they are."""
    senders, takers, of_query, head = 2, 4, 2, 2  # cores, cores, queries on a core, and tiles of a head
    op = Description("create_qkv_heads", cores=[[0, 0, takers - 1, 0]])
    first, address, size = cores_of(senders, 1), 0x100000, head * TILE
    wide = (of_query + 2) * head
    x = op.input("x", op.random.normal(size=[32, 32 * senders * wide]), address=address, **shards(first, [1, senders * wide], [1, wide]))
    for name, owners in (("q", cores_of(takers, 1)), ("k", first), ("v", first)):
        op.output([32 * len(owners), 32 * head], name=name, **shards(owners, [len(owners), head], [1, head]))
    op.cb(16, head, buffer="q")
    for index, name in ((17, "k"), (18, "v")):
        op.cb(index, head, buffer=name, cores=[[0, 0, senders - 1, 0]])
    places = [place((i, 0))[0] for i in range(takers)] + [place((0, 0))[1]]
    key = address + of_query * size
    # The second core that moves data has no query left to take.
    for give, index, queries, base in ((op.reader, 17, 1, key), (op.writer, 18, 0, key + size)):
        give(TTNN + "experimental/transformer/nlp_create_qkv_heads/device/kernels/dataflow/"
             "reader_tm_tile_layout_nlp_create_qkv_heads_sharded.cpp", [16, index],
             {(i, 0): [size, queries, of_query, i % of_query, i // of_query, 0, address, address + i % of_query * size, 0, int(i < senders),
                       1, 1, 0, min(i, senders - 1), 0, base, base, head, takers, *places] for i in range(takers)})
    heads = x.reshape(32, senders, of_query + 2, 32 * head)
    op.exactly(np.concatenate([heads[:, :, :of_query].reshape(32, takers, -1).swapaxes(0, 1).ravel(),
                               *(heads[:, :, of_query + each].swapaxes(0, 1).ravel() for each in (0, 1))]))
    return op
