"""The accuracy of e^x over many inputs, as it is measured with NumPy, PyTorch and Lanewise.

    ./lanewise python bench/peers/arrays.py [INPUTS]

INPUTS: how many numbers of fp32, one after the other from 1 on, 2^24 unless said. NumPy and PyTorch compute e^x in float32 and the reference in float64, round it, and count the
distance in ULP; Lanewise executes the instructions of examples/exp.cpp and has a correctly rounded reference. One thread each. The
table says what an input costs, in nanoseconds of processor time, the best of three; PyTorch is left out where it is not installed.
"""
import sys
import time

import numpy as np

import lanewise as lw

CHUNK = 1 << 20  # inputs that arrays have at a time, so that they stay in the cache
ONE = 0x3F800000  # bits of 1.0


def best_of(count, work):
    """The least processor time of `work`, in seconds."""
    times = []
    for _ in range(count):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def numbers(first, end):
    return np.arange(ONE + first, ONE + end, dtype=np.uint32).view(np.float32)


def chunks(inputs):
    for first in range(0, inputs, CHUNK):
        yield numbers(first, min(first + CHUNK, inputs))


def distance(library, left, right):
    """The greatest distance of two arrays of bits, as whole numbers, in the line of numbers: negative ones count downwards."""
    left, right = (library.where(bits < 0, -2**31 - bits, bits) for bits in (left, right))
    return int(abs(left - right).max())


def with_numpy(inputs):
    worst = 0
    for x in chunks(inputs):
        result, reference = np.exp(x), np.exp(x.astype(np.float64)).astype(np.float32)
        worst = max(worst, distance(np, *(each.view(np.int32).astype(np.int64) for each in (result, reference))))
    return worst


def with_torch(inputs):
    import torch
    torch.set_num_threads(1)
    worst = 0
    for chunk in chunks(inputs):
        x = torch.from_numpy(chunk)
        result, reference = torch.exp(x), torch.exp(x.double()).float()
        worst = max(worst, distance(torch, *(each.view(torch.int32).long() for each in (result, reference))))
    return worst


def main():
    inputs = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 24
    kernel = lw.kernel("examples/exp.cpp", format="fp32")

    def with_lanewise(count):
        last = numbers(count - 1, count)[0]
        kernel.sweep("exp(x)", inputs=f"range:1:{last:.9g}", threads=1, generate=True)

    peers = {"NumPy": with_numpy, "PyTorch": with_torch, "Lanewise": with_lanewise}
    print("| who | ns per input |\n|---|---|")
    for name, work in peers.items():
        try:
            work(CHUNK)  # what is loaded, and compiled, once
        except ImportError:
            print(f"| {name} | not installed |")
            continue
        seconds = best_of(3, lambda: work(inputs))
        print(f"| {name} | {seconds / inputs * 1e9:.1f} |", flush=True)


if __name__ == "__main__":
    main()
