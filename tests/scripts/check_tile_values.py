#!/usr/bin/env python3
"""check_tile_values.py PROGRAM FORMULAS: the conversions of unpackers and packers (tests/tile_values) against the formulas
of the core reference, which were compared with the vendor's simulator: every mode that it accepts, on random data and those
at the edges."""
import importlib.util
import random
import subprocess
import sys

program, path = sys.argv[1:]
spec = importlib.util.spec_from_file_location("formulas", path)
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

FP32, FP16, BFP8A, TF32, BF16, BFP8, BFP4, INT32, INT16, FP8, INT8, BFP2 = 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 14, 15
BLOCKS = (BFP8, BFP4, BFP2)
dice = random.Random(17)
lines, expected = [], []

EDGES_32 = [0, 0x80000000, 1, 0x7FFFFF, 0x800000, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF, 0x7F7FFFFF, 0x3F800000,
            0x3F808000, 0x3F818000, 0x3F807FFF, 0x38800000, 0x387FFFFF, 0x38000000, 0x37FFFFFF, 0x47FFE000, 0x47FFFFFF,
            0x48000000, 0x477FF000, 127, 128, 255, 256, 0x8000007F, 0x80000080]


def data(width, count=300):
    """Patterns of so many bits: all of them, or edges and random ones, many with exponents where formats end."""
    if width <= 8:
        return list(range(1 << width))
    if width == 16:
        return [x >> 16 for x in EDGES_32] + [x & 0xFFFF for x in EDGES_32] + [dice.getrandbits(16) for _ in range(count)]
    near = [dice.getrandbits(1) << 31 | dice.randrange(100, 160) << 23 | dice.getrandbits(23) for _ in range(count)]
    return EDGES_32 + near + [dice.getrandbits(32) for _ in range(count)]


def ask(line, *answer):
    lines.append(" ".join(map(str, line)))
    expected.append(" ".join(map(str, answer)))


def unpacking(arch):
    to_source = [(FP32, FP16), (FP32, TF32), (FP32, BF16)]
    to_source += [(f, f) for f in (FP16, BF16, BFP8, BFP4, BFP2, INT16, FP8, INT8)]
    to_dst = [(FP32, FP32), (FP32, TF32), (INT32, INT32)]
    for is_dst, pairs in enumerate((to_source, to_dst)):
        for given, out in pairs:
            for unsigned in (0, 1) if given == INT8 else (0,):
                for long in (0, 1) if given == FP8 and arch == 0 else (0,):
                    for x in data(reference.bits(given)):
                        shared = dice.randrange(256)
                        ask(["unpack", arch, given, out, is_dst, unsigned, long, x, shared],
                            reference.unpack(given, out, x, shared, is_dst, unsigned, long, arch == 0))


def packing(arch):
    bh = arch == 0
    modes = [(0, FP16, o, 0) for o in (FP32, FP16, BF16)] + [(0, BFP8A, BFP8, 0), (0, INT16, INT16, 0)]
    modes += [(0, BF16, o, 0) for o in (FP32, BF16, *BLOCKS)] + [(0, BFP8, o, 0) for o in (FP32, BF16, BFP8, BFP4)]
    modes += [(1, FP32, o, 0) for o in (FP32, FP16, *BLOCKS)] + [(1, BFP8, o, 0) for o in (BFP8, BFP4)]
    modes += [(1, f, f, 0) for f in (BF16, INT32, INT16, INT8)]
    if bh:
        modes += [(0, FP16, FP8, 0), (0, FP16, FP8, 1), (0, FP16, FP16, 1), (1, FP16, FP16, 1), (1, FP16, FP8, 1)]
    for wide, middle, out, round10 in modes:
        relus = (0, 1, 2, 3) if middle in (FP32, FP16, BFP8A, BF16, BFP8) else (0, 1) if middle == INT32 else (0,)
        for relu in relus:
            for unsigned in (0, 1) if middle == INT8 else (0,):
                threshold = dice.choice([0x3F80, 0x3C00, 0, 0x7F80, dice.getrandbits(15)]) if relu > 1 else 0
                how = [arch, middle, out, wide, round10, unsigned, 1 if out == FP8 else 0, relu, threshold]
                for x in data(32 if wide else 16, 150):
                    value = reference.early(x, middle, wide, round10, unsigned, bh)
                    value = reference.relu(value, middle, wide, relu, threshold)
                    ask(["early", *how, x], value)
                    ask(["late", *how, value], reference.late(value, middle, out, wide))


def blocks():
    for out in BLOCKS:
        for _ in range(2000):
            top = dice.randrange(256)
            values = [dice.getrandbits(1) << 15 | max(top - dice.randrange(10), 0) << 7 | dice.getrandbits(7) for _ in range(16)]
            shared, codes = reference.bfp_block(values, reference.bits(out))
            ask(["block", out, *values], shared, *codes)


def sums():
    for out, width, add in ((FP32, 32, reference.acc_fp32), (FP16, 16, reference.acc_fp16), (BF16, 16, reference.acc_bf16)):
        old = data(width, 1500)
        packed = data(width, 1500)
        dice.shuffle(packed)
        for a, b in zip(old, packed):
            ask(["add", out, a, b], add(a, b))
        for a in old[:50]:
            for b in old[:50]:
                ask(["add", out, a, b], add(a, b))


for chip in (0, 1):
    unpacking(chip)
    packing(chip)
blocks()
sums()
found = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
assert len(found) == len(lines), (len(found), len(lines))
wrong = [(line, f, e) for line, f, e in zip(lines, found, expected) if f != e]
for line, f, e in wrong[:20]:
    print(f"{line}: {f}, the reference {e}")
print(f"{len(lines)} conversions, {len(wrong)} differ")
sys.exit(bool(wrong))
