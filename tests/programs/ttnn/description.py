"""A description of a program (docs/programs.md, 'Descriptions') as ttnn's host code would put it together, for one core or for many."""
import copy
import json
import pathlib
import re

import numpy as np

TILE_BYTES = {"Float16_b": 2048, "UInt16": 2048, "Float32": 4096, "Int32": 4096, "UInt32": 4096}
PASSED = ": it has passed that"
TTNN = "ttnn/cpp/ttnn/operations/"


def bfloat16(values):
    """The nearest bfloat16s, as float32; ties to even. Finite numbers only."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def bits_of(number):
    """The word of a float32, as ttnn passes a number to a kernel."""
    return int(np.float32(number).view(np.uint32))


class Description:
    """One operation: buffers, circular buffers and kernels; and what must come out of it, within which bound, and why so much."""

    def __init__(self, name, cores=None, seed=1):
        """cores: rectangles and single cores, of all circular buffers and kernels that name no others; left out: one core."""
        self.name = name
        self.random = np.random.default_rng(seed)
        self.where = {"cores": cores} if cores else {}
        self.buffers, self.circular_buffers, self.semaphores, self.kernels = [], [], [], []
        self.inputs = {}
        self.expected = None
        self.relative, self.absolute, self.reason = 0.0, 0.0, "no number is computed"
        self.select = lambda result: result  # what of the output is the result
        self.known = []  # what is wrong with ttnn's own kernels: chips, rule, file, words of the finding
        self.mends = []  # the same, mended: file, what of it, becomes what; until then the result depends on the order

    def input(self, name, values, layout="tiles", page_bytes=None, format="Float16_b", **more):
        """A buffer, in DRAM unless more says otherwise, with these numbers, which are given back as they are stored; or with those that a
        function of the chip gives."""
        if not callable(values):
            values = bfloat16(values) if format == "Float16_b" else np.asarray(values)
        self.inputs[name] = values
        self.buffers.append({"name": name, "memory": "dram", "page_bytes": page_bytes or TILE_BYTES[format], "format": format,
                             "layout": layout, "input": f"{self.name}.{name}.npy", **more})
        return values

    def output(self, shape, layout="tiles", page_bytes=None, format="Float16_b", name="out", **more):
        """A buffer of results: the only one, or one of several, whose numbers count one behind the other."""
        size = int(np.prod(shape)) * TILE_BYTES[format] // 1024
        self.buffers.append({"name": name, "memory": "dram", "bytes": size, "page_bytes": page_bytes or TILE_BYTES[format],
                             "format": format, "layout": layout, "output": f"{self.name}.{name}.npy", "shape": list(shape),
                             **more})

    def cb(self, index, pages, format="Float16_b", page_bytes=None, **more):
        self.circular_buffers.append({"index": index, "format": format, "pages": pages,
                                      "page_bytes": page_bytes or TILE_BYTES[format], **self.where, **more})

    def shared_cb(self, pages, *formats):
        """One memory for several circular buffers: index and format of each."""
        indices = [{"index": index, "format": format} for index, format in formats]
        self.circular_buffers.append({"bytes": pages * TILE_BYTES[formats[0][1]], "indices": indices, **self.where})

    def semaphore(self, number, initial=0):
        self.semaphores.append({"id": number, "initial": initial, **self.where})

    def kernel(self, processor, file, compile_args=(), runtime_args=(), **more):
        """runtime_args: a list for all of its cores, or a dictionary with one for each of them."""
        if isinstance(runtime_args, dict):
            cores = [list(core) for core in runtime_args]
            args = {"cores": cores, "runtime_args_at": [{"core": list(core), "args": list(each)} for core, each in runtime_args.items()]}
        else:
            args = {**self.where, "runtime_args": list(runtime_args)}
        self.kernels.append({"file": file, "processor": processor, "compile_args": list(compile_args), **args, **more})

    def reader(self, file, compile_args, runtime_args, **more):
        """A kernel with ttnn's ReaderConfig."""
        self.kernel("riscv_1", file, compile_args, runtime_args, **{"noc": 0, **more})

    def writer(self, file, compile_args, runtime_args, **more):
        """A kernel with ttnn's WriterConfig."""
        self.kernel("riscv_0", file, compile_args, runtime_args, **{"noc": 1, **more})

    def compute(self, file, compile_args, runtime_args, fp32=False, unpack_to_dest=(), **more):
        self.kernel("compute", file, compile_args, runtime_args,
                    compute={"math_fidelity": "HiFi4", "fp32_dest_acc_en": fp32, "unpack_to_dest_fp32": list(unpack_to_dest)},
                    **more)

    def within(self, expected, relative, absolute, reason):
        """What NumPy says, in double precision; |result - expected| may be absolute + relative * |expected|."""
        self.expected = np.asarray(expected)
        self.relative, self.absolute, self.reason = relative, absolute, reason

    def exactly(self, expected):
        self.expected = np.asarray(expected)

    def finds(self, rule, file, words, chips=("bh", "wh")):
        """A finding that there is in ttnn's own kernels: its rule, the file that has it, and words of it."""
        self.known.append((chips, f"[programs {rule}]", f"/{file}:" if file else ": ", words))

    def ends_early(self, *files):
        """Kernels that end with increments whose answer nobody has waited for: the audits of issues 50154 and 50973 of tt-metal."""
        for file in files:
            self.finds(3, file.rsplit("/", 1)[1], "has not waited for an increment")

    def passes(self, *words):
        """Semaphores that have passed what is waited for, in the deadlock with which ttnn's own kernels end."""
        self.known += [(("bh", "wh"), PASSED, "", each) for each in words]

    def mend(self, checkout, folder):
        """A copy that has its kernels with what mends them; of what is known, only what does no harm is left."""
        mended = copy.deepcopy(self)
        mended.mends = []
        mended.known = [each for each in self.known if each[1] in ("[programs 3]", "[programs 19]")]
        for file, pattern, text in self.mends:
            path = pathlib.Path(folder, file)
            source = (path if path.exists() else pathlib.Path(checkout, file)).read_text()
            edited = re.sub(pattern, text, source)
            assert edited != source, f"{file} has nothing to mend"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(edited)
        for each in mended.kernels:  # headers beside a kernel lie where it came from
            each["includes"] = [str(pathlib.Path(checkout, each["file"]).parent)]
        return mended

    def other_findings(self, output, chip):
        """What the output of 'lanewise kernels' has beyond what is known, and what of that it lacks."""
        known = [(rule, file, words) for chips, rule, file, words in self.known if chip in chips]
        lines = [line for line in output.splitlines() if line.endswith("]") and "[programs " in line or PASSED in line]
        other = [line for line in lines if not any(all(part in line for part in each) for each in known)]
        lacking = [each for each in known if not any(all(part in line for part in each) for line in lines)]
        return other + [f"it is not said: {' '.join(each)}" for each in lacking]

    def write(self, folder, chip="bh"):
        """Writes the description and its inputs for that chip, and gives back the path of the description."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, values in self.inputs.items():
            np.save(folder / f"{self.name}.{name}.npy", values(chip) if callable(values) else values)
        path = folder / f"{self.name}.json"
        path.write_text(json.dumps({"buffers": self.buffers, "circular_buffers": self.circular_buffers,
                                    "semaphores": self.semaphores, "kernels": self.kernels}, indent=1))
        return path

    def result(self, folder):
        results = [np.load(pathlib.Path(folder, each["output"])) for each in self.buffers if "output" in each]
        return results[0] if len(results) == 1 else np.concatenate([each.astype(float).ravel() for each in results])

    def error(self, result):
        """The largest error, the largest as a share of the bound (without a bound, 0 or infinite), and where that is."""
        got, expected = self.select(result).astype(np.float64), self.expected.astype(np.float64)
        assert got.shape == expected.shape, (got.shape, expected.shape)
        bound = self.absolute + self.relative * np.abs(expected)
        off = np.abs(got - expected)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(off == 0, 0.0, np.where(np.isnan(off), np.inf, off / bound))
        worst = np.unravel_index(np.argmax(share), share.shape)
        return float(off.max()), float(share[worst]), tuple(int(i) for i in worst)


def buffer(name):
    return {"buffer": name}


def accessor(name):
    return {"accessor": name}


def place(core):
    """By which coordinates the NoC knows a core."""
    return [{"core_x": list(core)}, {"core_y": list(core)}]


def place_on(core, chip):
    """The same as numbers (docs/grid.md, 'Who is who')."""
    x, y = core
    return (x + 18, y + 18) if chip == "wh" else (x + (1 if x < 7 else 3), y + 2)


def rectangle(first, last, noc):
    """The corners of a multicast from that NoC to the cores from the first to the last."""
    return place(first) + place(last) if noc == 0 else place(last) + place(first)
