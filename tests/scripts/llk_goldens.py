"""A plugin of pytest beside lanewise.llk_pytest: what tests of LLK leave in L1 is compared with lanewise.golden, byte for byte.

Of the tests that it knows, those with whole tiles. It prints how many it compared; a difference makes the test fail.
"""
import collections

import numpy as np
import pytest

from lanewise import golden, llk_pytest

compared = collections.Counter()


def pytest_configure(config):
    from helpers.test_config import TestConfig

    original = TestConfig.run

    def run(test, *more, **named):
        outcome = original(test, *more, **named)
        compare(test)
        return outcome

    TestConfig.run = run


def pytest_terminal_summary(terminalreporter):
    for name, count in sorted(compared.items()):
        terminalreporter.write_line(f"lanewise.golden: {name}: {count}")


def parameter(test, name):
    for each in (*test.templates, *test.runtimes):
        if hasattr(each, name):
            return getattr(each, name)
    return None


def buffer(test, letter):
    stimuli = test.variant_stimuli
    address, size = getattr(stimuli, f"buf_{letter.lower()}_addr"), getattr(stimuli, f"tile_size_{letter}_bytes")
    data = llk_pytest.DEVICE.read(address, size * getattr(stimuli, f"tile_count_{letter}"))
    return golden.from_l1(data, getattr(stimuli, f"stimuli_{letter}_format"))


def register_format(test, given):
    """As which LLK's tests let it arrive."""
    if given.name != "Float32":
        return given.name
    if test.dest_acc.name == "Yes":
        return "Tf32"
    return "Float16_b" if test.variant_stimuli.stimuli_res_format.name not in ("Float16", "Bfp8") else "Float16"


def unpacked(test, letter, to):
    l1 = buffer(test, letter)
    given = getattr(test.variant_stimuli, f"stimuli_{letter}_format")
    return golden.unpack(l1, to, format=register_format(test, given), dest_acc=test.dest_acc.name == "Yes",
                         chip=llk_pytest.ARCH)


def matmul(test):
    rows, columns, inner = (parameter(test, name) for name in ("r_dimm", "c_dimm", "k_dimm"))
    left, right = unpacked(test, "A", "srcb"), unpacked(test, "B", "srca")
    left.shape, right.shape = (32 * rows, 32 * inner), (32 * inner, 32 * columns)
    return golden.matmul(left, right, fidelity=parameter(test, "math_fidelity").name)


def elementwise(test):
    if parameter(test, "reuse_dest_type") is not None or parameter(test, "transpose_srca") is not None:
        return None
    if any(getattr(parameter(test, name), "name", "No") == "Yes"
           for name in ("unpack_transpose_faces", "unpack_transpose_within_face")):
        return None
    if parameter(test, "input_num_tiles_in_block") not in (None, parameter(test, "output_num_tiles_in_block")):
        return None
    a, b = unpacked(test, "A", "srca"), unpacked(test, "B", "srcb")
    op = parameter(test, "mathop").name.lower()
    kind = {"None_": None, "Row": "row", "Column": "col", "Scalar": "scalar"}[parameter(test, "broadcast_type").name]
    more = {"fidelity": parameter(test, "math_fidelity").name} if op == "elwmul" else {}
    return getattr(golden, op)(a, b, bcast=kind, **more)


def reduce(test):
    dim = {"ReduceRow": "row", "ReduceColumn": "col", "ReduceScalar": "scalar"}[parameter(test, "mathop").name]
    pool = {"Max": "max", "Average": "avg", "Sum": "sum"}[parameter(test, "pool_type").name]
    scaler = buffer(test, "B")
    return golden.reduce(unpacked(test, "A", "srca"), dim, pool, scaler=scaler.values().flat[0], scaler_format=scaler.format
                         if scaler.format != "Float32" else register_format(test, test.variant_stimuli.stimuli_B_format),
                         fidelity=parameter(test, "math_fidelity").name, accumulate=bool(parameter(test, "is_reduce_to_one")),
                         enforce_fp32=dim == "row" and test.dest_acc.name == "Yes")


def datacopy(test):
    if getattr(parameter(test, "tilize"), "name", "No") not in ("No", "false") or test.unpack_to_dest:
        return None
    return golden.datacopy(unpacked(test, "A", "srca"))


KNOWN = {"matmul_test": matmul, "eltwise_binary_test": elementwise, "reduce_test": reduce, "eltwise_unary_datacopy_test": datacopy}


def compare(test):
    name = test.test_name.split("/")[-1].removesuffix(".cpp")
    stimuli = test.variant_stimuli
    if name not in KNOWN or stimuli is None:
        return
    if stimuli.num_faces != 4 or stimuli.face_r_dim != 16 or list(stimuli.tile_dimensions) != [32, 32]:
        compared[f"{name}, smaller tiles, left out"] += 1
        return
    dst = KNOWN[name](test)
    if dst is None:
        compared[f"{name}, other ways, left out"] += 1
        return
    expected = golden.pack(dst, stimuli.stimuli_res_format, src=packer_input(test))
    found = llk_pytest.DEVICE.read(stimuli.buf_res_addr, stimuli.buf_res_tile_size * stimuli.tile_count_res)
    found = np.frombuffer(found, np.uint8)
    wrong = np.flatnonzero(found != expected.data.reshape(-1)[:found.size])
    if wrong.size:
        pytest.fail(f"lanewise.golden differs in {wrong.size} of {found.size} bytes, first in {wrong[0]}: "
                    f"{found[wrong[0]]:#x}, golden {expected.data.reshape(-1)[wrong[0]]:#x}", pytrace=False)
    compared[name] += 1


def packer_input(test):
    return test.formats_config[0].pack_src.name if hasattr(test, "formats_config") else None
