"""Mistakes that people make, planted into copies of an operation's kernels, one for each rule of docs/programs.md that applies to it."""
import copy
import pathlib
import re

from description import TILE_BYTES, TTNN

READ_BARRIER = r"\bnoc\.async_read_barrier\(\);"
WRITES_FLUSHED, WRITE_BARRIER = r"\bnoc[._]async_writes_flushed\(\);", r"\bnoc[._]async_write_barrier\(\);"
ARGUMENT = r"get_arg_val<uint32_t>\((index\+\+|\w+)\)"

# Of each rule: whose kernel, what of it, everywhere, becomes what. The first that fits an operation is taken.
EDITS = {
    "1": [("reader", READ_BARRIER, "")],
    "2": [("writer", WRITES_FLUSHED, ""), ("writer", WRITE_BARRIER, "")],
    "3": [("writer", WRITES_FLUSHED + "|" + WRITE_BARRIER, "")],
    "5": [("writer", r"\b(\w+\.wait_front\(|cb_wait_front\(\w+, )[^;]*;", "")],
    "5 in compute": [("compute", r"\b\w+\.reserve_back\([^;]*;", "")],
    "6": [("writer", r"(\w+\.pop_front\(|cb_pop_front\(\w+, )([^;]*)\);", r"\1\2 + 1);")],
    "9": [("writer", r"\.page_id = ", ".page_id = 1000 + "), ("writer", r"get_noc_addr\(i\)", "get_noc_addr(i + 1000)"),
          ("writer", r"noc_async_write_page\(i,", "noc_async_write_page(i + 1000,")],
    "10": [("reader", r"\{\.offset_bytes = ", "{.offset_bytes = 8 + "),
           ("reader", r"CoreLocalMem<(\w+)>\((\w+)\)", r"CoreLocalMem<\1>(\2 + 8)"),
           ("writer", r"\{\.offset_bytes = ", "{.offset_bytes = 8 + "), ("writer", r"get_read_ptr\((\w*)\)", r"get_read_ptr(\1) + 8")],
    "15": [("reader", r"\b(\w+\.push_back|cb_push_back)\([^;]*;", "")],
    "16": [("compute", r"\btile_regs_acquire\(\);", ""),
           ("compute", r"(\n *compute_kernel_lib::\w+<)", r"\n    tile_regs_commit();\1")],
    "17": [("reader", ARGUMENT, "get_arg_val<uint32_t>(40)"), ("writer", ARGUMENT, "get_arg_val<uint32_t>(40)")],
    "18": [("reader", READ_BARRIER, "")],
}

# Where something else has to be changed.
OTHER_EDITS = {("full", "5"): [("writer", r"\bcb_reserve_back\([^;]*;", "")],  # a page that a core has pushed itself it need not wait for
               ("layernorm", "15"): [("compute", r"\bcb_xmm2\.push_back\([^;]*;", "")]}

# What does not apply, and why.
WITHOUT = {
    "full": {"1": "reads nothing", "18": "reads nothing", "7": "no compute kernel", "8": "reads nothing", "16": "no compute kernel",
             "5 in compute": "no compute kernel"},
    "concat": {"7": "no compute kernel", "16": "no compute kernel", "5 in compute": "no compute kernel"},
    "embedding": {"7": "no compute kernel", "16": "no compute kernel", "5 in compute": "no compute kernel"},
}

# What a kernel leaves to a file that it includes: a mistake for which the kernel itself has no place is planted there.
LIBRARY = "ttnn/cpp/ttnn/kernel_lib/"
INCLUDED = {("reduce_w", "compute"): LIBRARY + "reduce_helpers_compute.inl", ("reduce_h", "compute"): LIBRARY + "reduce_helpers_compute.inl",
            ("tilize", "compute"): LIBRARY + "tilize_helpers.inl", ("untilize", "compute"): LIBRARY + "untilize_helpers.inl",
            ("layernorm", "reader"): TTNN + "normalization/layernorm/device/kernels/dataflow/layernorm_dataflow_utils.h"}

ROLES = {"riscv_1": "reader", "riscv_0": "writer", "compute": "compute"}


class Mistake:
    """A description with a mistake, and what must be said of it."""

    def __init__(self, operation, rule):
        self.rule = rule
        self.edited = copy.deepcopy(operation)
        self.places = [""]  # the names of files in one of which it is told
        self.says = "a deadlock" if rule == "15" else f"[programs {rule.split()[0]}]"
        self.options = ["--order", "all", "--seeds", "1"] if rule == "18" else []

    def plant(self, checkout, folder):
        """Writes the kernel with the mistake into a folder, in which kernels are looked for before the checkout; or changes the
        description. False if nothing of the operation fits."""
        if self.rule == "7":
            return self._halve_pages()
        if self.rule == "8":
            return self._forget_an_input()
        for role, pattern, text in OTHER_EDITS.get((self.edited.name, self.rule)) or EDITS[self.rule]:
            for kernel in self.edited.kernels:
                if ROLES[kernel["processor"]] == role and self._edit(checkout, folder, kernel, pattern, text):
                    return True
        return False

    def _edit(self, checkout, folder, kernel, pattern, text):
        included = INCLUDED.get((self.edited.name, ROLES[kernel["processor"]]))
        files = [kernel["file"], *([included] if included else [])]
        for file in files:
            source = pathlib.Path(checkout, file).read_text()
            edited = re.sub(pattern, text, source)
            if edited == source:
                continue
            # What includes it by a path of its own folder has to lie beside it.
            for other in (kernel["file"], file.replace(".inl", ".hpp")):
                self._put(folder, other, pathlib.Path(checkout, other).read_text())
            self._put(folder, file, edited)
            # Headers are looked for in the folder of mistakes before the checkout; those beside a kernel lie where it came from.
            for each in self.edited.kernels:
                each["includes"] = [str(folder), str(pathlib.Path(checkout, each["file"]).parent)]
            if self.rule not in ("15", "18"):
                self.places = [pathlib.Path(each).name + ":" for each in files]
            return True
        return False

    @staticmethod
    def _put(folder, file, text):
        path = pathlib.Path(folder, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _halve_pages(self):
        """Of what the compute kernel packs or unpacks first."""
        self.edited.circular_buffers[0]["page_bytes"] //= 2
        self.edited.circular_buffers[0]["pages"] *= 2
        return True

    def _forget_an_input(self):
        for each in self.edited.buffers:
            if "input" in each:
                each["bytes"] = self.edited.inputs[each["name"]].size * TILE_BYTES[each["format"]] // 1024
                del each["input"]
                return True
        return False

    def missing(self, output):
        """What the output of 'lanewise kernels' lacks, or nothing."""
        for line in output.splitlines():
            if self.says in line and any(place in line for place in self.places):
                return ""
        return f"does not say {self.says} of {' or '.join(self.places) or 'the program'}"


def mistakes_of(operation):
    """All that apply to an operation, in the order of their rules."""
    rules = sorted([*EDITS, "7", "8"], key=lambda rule: (int(rule.split()[0]), rule))
    return [Mistake(operation, rule) for rule in rules if rule not in WITHOUT.get(operation.name, {})]
