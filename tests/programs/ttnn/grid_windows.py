"""The halo of ttnn: each core gets what the windows of its pixels see, also of other cores' pixels, and zeros around the picture."""
import numpy as np

from description import TTNN, Description, place_on
from grid_tensors import cores_of, shards

KERNELS = TTNN + "sliding_window/halo/device/kernels/"
BLOCK = 32  # pixels that are untilized at a time
NUMBERS_IN_16_BYTES = 8


def in_runs(steps):
    """(source, key, target) one by one, to (source, target, length, key): runs in which both go up by one, of one block."""
    runs = []
    for source, key, target in steps:
        last = runs[-1] if runs else None
        if last and key == last[3] and (source, target) == (last[0] + last[2], last[1] + last[2]) and (key == "zero" or source % BLOCK):
            last[2] += 1
        else:
            runs.append([source, target, 1, key])
    return runs


def equally_long(rows):
    size = max(map(len, rows))
    size += -size % NUMBERS_IN_16_BYTES
    return np.array([row + [0] * (size - len(row)) for row in rows], np.uint16)


def routes_of(runs, places):
    """Runs of pixels, in order of their source, as a kernel takes them: places, each with its runs."""
    words, routes = [], 0
    for i, (source, target, length, to) in enumerate(runs):
        if i == 0 or to != runs[i - 1][3]:
            routes += 1
            same = next((j for j in range(i, len(runs)) if runs[j][3] != to), len(runs)) - i
            words += [*places[to], same]
        words += [source, target, length]
    return [routes, *words]


def halo():
    """For windows of 3 x 3: a picture of 24 x 16 pixels with 64 channels, in tiles, six of its rows on each of four cores, which get eight
    rows with a zero at either end. Pixels go to one or two cores in blocks of 32, by the two cores that move data in turn."""
    high, wide, channels, columns, rows = 24, 16, 64, 2, 2
    cores = cores_of(columns, rows)
    op = Description("halo", cores=[[0, 0, columns - 1, rows - 1]])
    of_core, tiles, stick = high // len(cores), channels // 32, 2 * channels
    mine, seen = of_core * wide, (of_core + 2) * (wide + 2)
    x = op.input("x", op.random.normal(size=[high * wide, channels]), **shards(cores, [high * wide // 32, tiles], [mine // 32, tiles]))
    op.output([seen * len(cores), channels], layout="rows", page_bytes=stick, **shards(cores, [seen * len(cores), 1], [seen, 1]))

    # Where each pixel, or zero, that a core gets comes from.
    number = np.pad(np.arange(high * wide).reshape(high, wide), 1, constant_values=-1)
    wanted = [number[i * of_core:(i + 1) * of_core + 2].ravel() for i in range(len(cores))]
    zeros = [[run[1:3] for run in in_runs([(i, "zero", i) for i in np.flatnonzero(each < 0)])] for each in wanted]
    steps = [[] for _ in cores]
    for to, each in enumerate(wanted):
        for target in np.flatnonzero(each >= 0):
            steps[each[target] // mine].append((int(each[target]) % mine, to, int(target)))
    runs = [sorted((run for to in range(len(cores)) for run in in_runs([step for step in each if step[1] == to])),
                   key=lambda run: (run[0], cores[run[3]])) for each in steps]
    for half in (0, 1):
        some = [each[len(each) // 2:] if half else each[:len(each) // 2] for each in zeros]
        paddings = equally_long([[int(word) for run in each for word in run] + [0, 0] for each in some])
        routes = [[run for run in each if run[0] // BLOCK % 2 == half] for each in runs]

        def gathered(chip, routes=routes):
            return equally_long([routes_of(each, [place_on(core, chip) for core in cores]) for each in routes])

        for name, values, size in (("padding", paddings, paddings.shape[1]), ("gather", gathered, gathered("bh").shape[1])):
            op.input(f"{name}{half}", values, layout="rows", page_bytes=2 * size, format="UInt16", **shards(cores, [len(cores), 1], [1, 1]))
    op.cb(0, mine // 32 * tiles, buffer="x")
    op.cb(1, seen, page_bytes=stick, buffer="out")
    for index in (2, 3):
        op.cb(index, 1, page_bytes=stick)
    for index in (4, 5):
        op.cb(index, 2 * tiles)
    for index, name in ((6, "padding0"), (7, "padding1"), (8, "gather0"), (9, "gather1")):
        size = next(each["page_bytes"] for each in op.buffers if each["name"] == name)
        op.cb(index, 1, "UInt16", page_bytes=size, buffer=name)
    for half in (0, 1):
        op.kernel(f"riscv_{half}", KERNELS + "dataflow/halo_gather.cpp",
                  [6 + half, 8 + half, 0, 4 + half, 1, 2 + half, 0, mine // 32 * tiles, stick, 0, 0, 0, 0, 0, BLOCK, tiles, half, 2],
                  noc=half)
    op.compute(KERNELS + "compute/pack_untilize.cpp", [0, 4, 5, tiles, 1], [mine // BLOCK])
    for index in (4, 5):  # the last block
        op.finds(2, "halo_gather.cpp", f"pops a page of c_{index} ")
    exact = np.vstack([x, np.zeros([1, channels])])
    op.exactly(np.vstack([exact[each] for each in wanted]))
    return op
