"""The calls of LLK that an operation's compute kernel makes, made by a test of tt-llk instead, on one tile without cores that move data:
'lanewise llk-test'. The bits must be the same."""
import pathlib
import subprocess

import numpy as np

from description import bfloat16

TILE = 2048
FROM_A, FROM_B, TO = 0x21000, 0x41000, 0x61000


def rows_of(matrix):
    """A matrix of bfloat16s as it lies in memory row by row."""
    return (np.ascontiguousarray(matrix, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def tiles_of(matrix):
    """The same tile by tile, each by its four faces."""
    rows, columns = matrix.shape
    return rows_of(matrix).reshape(rows // 32, 2, 16, columns // 32, 2, 16).transpose(0, 3, 1, 4, 2, 5).reshape(-1, 1024)


class Calls:
    """A test of tt-llk with its parameters, on tiles A and B."""

    def __init__(self, test, a, b, results, **parameters):
        self.test, self.a, self.b, self.results = test, a, b, results
        operands = {"buffer_A": FROM_A, "buffer_B": FROM_B, "buffer_Res": TO}
        self.parameters = {**{name: f"Operand({hex(at)}, {TILE})" for name, at in operands.items()}, **parameters}

    def run(self, lanewise, metal, chip, folder):
        """The tiles that it leaves, or what went wrong."""
        folder = pathlib.Path(folder)
        self.a.tofile(folder / "a.bin")
        self.b.tofile(folder / "b.bin")
        command = [lanewise, "llk-test", f"{metal}/tt_metal/tt-llk/tests/sources/{self.test}.cpp", "--arch", chip, "--kernel-time", "300",
                   "--in", f"{hex(FROM_A)}=a.bin", "--in", f"{hex(FROM_B)}=b.bin", "--out", f"{hex(TO)}:{self.results * TILE}=out.bin"]
        for name, value in self.parameters.items():
            command += ["--param", f"{name}={value}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, done.stdout + done.stderr
        return np.fromfile(folder / "out.bin", np.uint16).reshape(-1, 1024), ""


FACES = {"TEST_FACE_R_DIM": 16, "TEST_FACE_C_DIM": 16, "num_faces": 4, "num_faces_A": 4, "num_faces_B": 4, "num_faces_r_dim_A": 2,
         "num_faces_c_dim_A": 2, "in0_face_r_dim": 16, "in0_face_c_dim": 16}
HIFI4 = {"MATH_FIDELITY": "ckernel::MathFidelity::HiFi4"}


def in_blocks(tiles):
    return {"NUM_TILES_IN_BLOCK": 1, "NUM_BLOCKS": tiles}


def element_wise(a, b, operator, broadcast):
    fidelity = HIFI4 if operator == "ELWMUL" else {"MATH_FIDELITY": "ckernel::MathFidelity::LoFi"}  # sums have no phases
    return Calls("eltwise_binary_test", tiles_of(a), tiles_of(b), a.size // 1024, **FACES, **fidelity, **in_blocks(a.size // 1024),
                 ELTWISE_BINARY_OP="ckernel::EltwiseBinaryType::" + operator, BROADCAST_TYPE="ckernel::BroadcastType::" + broadcast,
                 dest_sync="ckernel::DstSync::SyncHalf", UNPACK_TRANSPOSE_FACES="false", UNPACK_TRANSPOSE_WITHIN_FACE="false")


def product(a, b):
    rows, inner, columns = a.shape[0] // 32, a.shape[1] // 32, b.shape[1] // 32
    return Calls("matmul_test", tiles_of(a), tiles_of(b), rows * columns, **FACES, **HIFI4, is_fp32_dest_acc_en="true", CT_DIM=columns,
                 RT_DIM=rows, KT_DIM=inner, TILE_CNT=rows * columns)


def ones_of_reduce(tiles):
    """What reduce.cpp multiplies with for sums of rows: a first column of ones."""
    ones = np.zeros([32 * tiles, 32], np.float32)
    ones[:, 0] = 1
    return ones


def largest_of_columns(x):
    """Column by column of tiles."""
    parameters = {"POOL_TYPE": "ckernel::PoolType::MAX", "REDUCE_DIM": "ckernel::ReduceDim::REDUCE_COL", "IS_REDUCE_TO_ONE": "true",
                  "INPUT_TILE_CNT": 2, "OUTPUT_TILE_CNT": 1, "NUM_TILES_IN_BLOCK": 1}
    scaler = np.zeros([32, 32], np.float32)
    scaler[[0, 16]] = 1  # the first row of each face
    return [Calls("reduce_test", tiles_of(x[:, at:at + 32]), tiles_of(scaler), 1, **FACES, **HIFI4, **parameters)
            for at in range(0, x.shape[1], 32)]


def transposed(x):
    """The tiles in the order in which the reader brings them."""
    tiles = tiles_of(x).reshape(x.shape[0] // 32, x.shape[1] // 32, 1024).swapaxes(0, 1).reshape(-1, 1024)
    return Calls("unpack_A_test", tiles, tiles, len(tiles), **FACES, **in_blocks(len(tiles)), UNPACK_TRANSPOSE_FACES="true",
                 UNPACK_TRANSPOSE_WITHIN_FACE="true", BROADCAST_TYPE="ckernel::BroadcastType::NONE", ACC_TO_DEST="false",
                 REUSE_DEST_TYPE="ckernel::EltwiseBinaryReuseDestType::NONE", STOCHASTIC_RND="ckernel::StochRndType::None")


def tilized(x, chip):
    """A row of tiles at a time on Blackhole, for which tt-llk has a test of its own."""
    test, high = ("fast_tilize_bh_test", 32) if chip == "bh" else ("fast_tilize_test", x.shape[0])
    wide = x.shape[1] // 32
    return [Calls(test, rows_of(x[at:at + high]), rows_of(x), high // 32 * wide, **FACES, BLOCK_CT_DIM=wide, BLOCK_RT_DIM=high // 32,
                  LOOP_FACTOR=1, NUM_GUARD_TILES=0, PERF_RUN_TYPE="PerfRunType::L1_TO_L1") for at in range(0, x.shape[0], high)]


def untilized(x):
    rows, columns = x.shape[0] // 32, x.shape[1] // 32
    return Calls("pack_untilize_test", tiles_of(x), tiles_of(x), rows * columns, **FACES, FULL_RT_DIM=rows, FULL_CT_DIM=columns,
                 BLOCK_CT_DIM=columns, TILE_DST_CT_OFFSET=0, dest_sync="ckernel::DstSync::SyncHalf")


class Functions:
    """Functions of the Vector Unit, one test for each, on what the one before has left: bfloat16s in Dst lose nothing on the way to
    memory and back."""

    test = "eltwise_unary_sfpu_test"

    def __init__(self, x, *names):
        self.tiles, self.names = tiles_of(x), names

    def run(self, *where):
        tiles, wrong = self.tiles, ""
        for name in self.names:
            if not wrong:
                tiles, wrong = Calls(self.test, tiles, tiles, len(tiles), **FACES, **in_blocks(len(tiles)), APPROX_MODE="false",
                                     FAST_MODE="false", CLAMP_NEGATIVE="true", SFPU_UNARY_OPERATION="SfpuType::" + name).run(*where)
        return tiles, wrong


def calls_of(operation, chip):
    """The runs whose results, one behind the other, are the operation's, or none."""
    values = operation.inputs
    if operation.name == "unary":
        return [Functions(values["x"], "square", "negative", "exponential")]
    if operation.name == "binary":
        return [element_wise(values["a"], values["b"], "ELWADD", "NONE")]
    if operation.name == "binary_row":
        return [element_wise(values["a"], np.vstack([values["b"]] * 2), "ELWMUL", "ROW")]
    if operation.name == "matmul":
        return [product(values["a"], values["b"])]
    if operation.name == "reduce_w":
        return [product(values["x"], ones_of_reduce(values["x"].shape[1] // 32))]
    if operation.name == "reduce_h":
        return largest_of_columns(values["x"])
    if operation.name == "transpose":
        return [transposed(values["x"])]
    if operation.name == "tilize":
        return tilized(values["x"], chip)
    if operation.name == "untilize":
        return [untilized(values["x"])]
    return []


class Compared:
    def __init__(self, said="", wrong=""):
        self.said, self.wrong = said, wrong


def compare(lanewise, metal, chip, operation, result, folder):
    """Whether the calls leave the bits of the operation's result, all of them."""
    found = []
    calls = calls_of(operation, chip)
    for each in calls:
        tiles, wrong = each.run(lanewise, metal, chip, folder)
        if wrong:
            return Compared(wrong=f"{each.test}: {wrong}")
        found.append(tiles)
    if not calls:
        return Compared()
    lies = rows_of if operation.name == "untilize" else tiles_of
    theirs, ours = np.concatenate(found), lies(bfloat16(result)).reshape(-1, 1024)
    if theirs.shape != ours.shape or (theirs != ours).any():
        return Compared(wrong=f"{calls[0].test} leaves other bits: {np.argwhere(theirs != ours)[:4].tolist()}")
    return Compared(f", and the bits of {calls[0].test}")
