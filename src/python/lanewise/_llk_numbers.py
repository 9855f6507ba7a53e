"""What tt-llk's tests take from newer packages than a system may have: ml_dtypes, PyTorch 2, pandas 2, typing_extensions 4.5.

Each function does nothing where the real thing is there. The stand-ins are for the formats that Wormhole's and Blackhole's
tests use; the numbers are those of the real ones.
"""

import importlib
import importlib.abc
import importlib.util
import sys
import types

import numpy as np

# Of each type: the largest number, the smallest normal one, the smallest one above 0.
LIMITS = {
    "bfloat16": (float.fromhex("0x1.fep127"), 2.0**-126, 2.0**-133),
    "float8_e5m2": (57344.0, 2.0**-14, 2.0**-16),
    "float8_e4m3fn": (448.0, 2.0**-6, 2.0**-9),
    "float4_e2m1fn": (6.0, 1.0, 0.5),
}


def stand_in_for_ml_dtypes():
    """Puts a module into sys.modules whose types are names only: numpy cannot be taught new ones. What converts with them is
    replaced by replace_conversions()."""
    if importlib.util.find_spec("ml_dtypes") is not None:
        return False
    module = types.ModuleType("ml_dtypes")
    for name in (*LIMITS, "float8_e8m0fnu"):
        setattr(module, name, name)
    module.finfo = lambda name: types.SimpleNamespace(
        **dict(zip(("max", "smallest_normal", "smallest_subnormal"), LIMITS[name])))
    sys.modules["ml_dtypes"] = module
    return True


def replace_conversions(pack, unpack, formats):
    """For tt-llk's modules helpers.pack and helpers.unpack, and the class of its formats, where they ask for ml_dtypes."""
    if hasattr(pack, "ml_dtypes"):
        pack.pack_bfp16 = lambda tensor: bf16_bits(as_float32(tensor)).tobytes()
        pack.pack_fp8_e4m3 = lambda tensor: e4m3_bits(as_float32(tensor)).tobytes()
    if not hasattr(unpack, "ml_dtypes"):
        return
    unpack.unpack_bfp16 = lambda data: from_bf16(np.frombuffer(bytes(data), dtype=np.uint16)).tolist()
    unpack.unpack_fp8_e4m3 = lambda data: e4m3_values()[np.frombuffer(bytes(data), dtype=np.uint8)].tolist()
    for table in (getattr(unpack, name) for name in dir(unpack) if name.endswith("UNPACKERS")):
        for name, conversion in (("Float16_b", unpack.unpack_bfp16), ("Fp8_e4m3", unpack.unpack_fp8_e4m3)):
            if getattr(formats, name, None) in table:
                table[getattr(formats, name)] = conversion


def as_float32(tensor):
    import torch

    return tensor.cpu().to(torch.float32).numpy()


def bf16_bits(values):
    """Rounded to the nearest, ties to even; NaN stays NaN."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def e4m3_values():
    """The value of each byte: 4 bits of exponent with bias 7, 3 of mantissa, no infinity, all ones is NaN."""
    code = np.arange(256)
    exponent, mantissa = (code >> 3) & 15, code & 7
    size = np.where(exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10.0))
    size[(code & 0x7F) == 0x7F] = np.nan
    return np.where(code & 0x80, -size, size).astype(np.float32)


def e4m3_bits(values):
    """The nearest value, ties to even; NaN beyond the largest."""
    values = np.asarray(values, dtype=np.float32)
    sizes = e4m3_values()[:0x7F].astype(np.float64)
    size = np.abs(values.astype(np.float64)).ravel()
    above = np.clip(np.searchsorted(sizes, size), 1, len(sizes) - 1)
    below = above - 1
    to_below, to_above = size - sizes[below], sizes[above] - size
    takes_above = (to_above < to_below) | ((to_above == to_below) & (above % 2 == 0))
    code = np.where(takes_above, above, below)
    # Half a step above the largest value rounds down to it; beyond that there is no number.
    code[~(size <= 464.0)] = 0x7F
    return (code.reshape(values.shape) | np.where(np.signbit(values), 0x80, 0)).astype(np.uint8)


def found(name):
    """A module that tests of today need, or None: those of other trees, and those that users write, may do without."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Awaited(importlib.abc.MetaPathFinder):
    """Stands among the finders until its module is imported."""

    def __init__(self, name, then):
        self.name, self.then = name, then

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_mend(module):
            execute(module)
            self.then(module)

        spec.loader.exec_module = execute_and_mend
        return spec


def when_imported(name, then):
    """Calls `then` with the module as soon as somebody has imported it: tests that do without need not wait for it."""
    if name in sys.modules:
        then(sys.modules[name])
    else:
        sys.meta_path.insert(0, Awaited(name, then))


def mend_old_typing_extensions():
    """@deprecated("...") came with release 4.5; here it does nothing. Without the module there is nothing to mend."""
    typing_extensions = found("typing_extensions")
    if typing_extensions is not None and not hasattr(typing_extensions, "deprecated"):
        typing_extensions.deprecated = lambda *_, **__: lambda decorated: decorated


def mend_old_pandas(profiler):
    """pandas 1 loses what it groups by where two functions are applied at once: in _stats_timings() of tt-llk's helpers.profiler."""
    import pandas

    if int(pandas.__version__.split(".")[0]) >= 2 or not hasattr(profiler, "_stats_timings"):
        return

    def stats_timings(frame):
        timings = frame.columns.drop("marker")
        stats = frame.groupby("marker")[list(timings)].agg(["mean", "std"]).reset_index()
        stats.columns = ["marker", *(f"{stat}({timing})" for timing in timings for stat in ("mean", "std"))]
        return stats

    profiler._stats_timings = stats_timings


def mend_old_torch(torch):
    """PyTorch 1 shifts by the count modulo the size of the type, has no unsigned types of 16 and 32 bits, and does few things
    with Half on the host's processor."""
    if int(torch.__version__.split(".")[0]) >= 2:
        return
    for name, stand_in in (("uint16", torch.int32), ("uint32", torch.int64)):
        if not hasattr(torch, name):
            setattr(torch, name, stand_in)
    mend_shifts(torch)
    mend_views(torch)
    functions = ("exp", "exp2", "log", "log1p", "sin", "cos", "tanh", "asinh", "acosh", "atanh", "sqrt", "rsqrt", "reciprocal", "square",
                 "sigmoid", "erf", "pow")
    for name in ("matmul", "clamp", "clamp_min", "clamp_max", "max", "min", "amax", "amin", "relu", "maximum", "minimum", *functions):
        mend_half(torch, torch, name)
    for name in ("matmul", "__matmul__", "clamp", "clamp_min", "clamp_max", "max", "min", "relu", *functions):
        mend_half(torch, torch.Tensor, name)
    for name in ("celu", "elu", "gelu", "hardsigmoid", "hardtanh", "leaky_relu", "relu", "sigmoid", "silu", "softplus", "threshold"):
        mend_half(torch, torch.nn.functional, name)


def mend_integer_bounds():
    """Of stimuli for formats whose type has a larger one as stand-in: L1 gets the low bits of a number only."""
    try:
        from helpers.stimuli_generator import utils
    except ImportError:
        return  # of a tree whose stimuli are made otherwise
    torch = found("torch")
    if torch is None or not hasattr(torch, "uint16") or torch.iinfo(torch.uint16).bits == 16:
        return
    original = utils._get_integer_bounds

    def bounds(stimuli_format):
        bits = {"UInt16": 16, "UInt32": 32}.get(stimuli_format.name)
        return original(stimuli_format) if bits is None else (0, (1 << bits) - 1)

    for name, module in list(sys.modules.items()):
        if name.startswith(utils.__package__) and hasattr(module, "_get_integer_bounds"):
            module._get_integer_bounds = bounds


def mend_shifts(torch):
    """Counts from the size of the type on, and negative ones, shift everything out."""

    def mended(original, past_the_end):
        def shift(value, count):
            if not isinstance(value, torch.Tensor) or value.dtype.is_floating_point:
                return original(value, count)
            bits = torch.iinfo(value.dtype).bits
            count = torch.as_tensor(count)
            is_inside = (count >= 0) & (count < bits)
            inside = torch.where(is_inside, count, torch.zeros_like(count)).to(value.dtype)
            return torch.where(is_inside, original(value, inside), past_the_end(value, bits))

        return shift

    right, left = torch.bitwise_right_shift, torch.bitwise_left_shift
    torch.bitwise_right_shift = torch.Tensor.__rshift__ = mended(right, lambda value, bits: right(value, bits - 1))
    torch.bitwise_left_shift = torch.Tensor.__lshift__ = mended(left, lambda value, bits: torch.zeros_like(value))


def mend_views(torch):
    """Unsigned types have larger ones as stand-ins; a view as one, or of one, keeps the bits. No test looks at the halves of a
    larger number by a view."""
    original = torch.Tensor.view
    narrow = {torch.int32: torch.int16, torch.int64: torch.int32}

    def view(tensor, *shape, **named):
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], torch.dtype) else None
        if wanted in narrow and tensor.element_size() * 2 == wanted_bytes(torch, wanted):
            bits = 8 * tensor.element_size()
            return original(tensor, narrow[wanted]).to(wanted) & ((1 << bits) - 1)
        if wanted is not None and wanted.is_floating_point and tensor.dtype in narrow:
            if wanted_bytes(torch, wanted) * 2 == tensor.element_size():
                return original(tensor.to(narrow[tensor.dtype]), wanted)
        return original(tensor, *shape, **named)

    torch.Tensor.view = view


def wanted_bytes(torch, dtype):
    info = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    return info.bits // 8


def mend_half(torch, owner, name):
    """Computes in Float what PyTorch 1 cannot compute in Half."""
    original = getattr(owner, name)
    refused = set()  # types of arguments that it cannot compute with; to ask again takes PyTorch milliseconds

    def types(arguments, named):
        values = (*arguments, *named.values())
        return tuple(value.dtype if isinstance(value, torch.Tensor) else type(value) for value in values)

    def widened(value):
        return value.float() if isinstance(value, torch.Tensor) and value.dtype == torch.float16 else value

    def narrowed(value):
        is_float = isinstance(value, torch.Tensor) and value.dtype == torch.float32
        return value.to(torch.float16) if is_float else value

    def function(*arguments, **named):
        asked = types(arguments, named)
        if asked not in refused:
            try:
                return original(*arguments, **named)
            except RuntimeError as error:
                if "Half" not in str(error):
                    raise
            refused.add(asked)
        result = original(*map(widened, arguments), **{key: widened(value) for key, value in named.items()})
        if isinstance(result, tuple):
            return type(result)(map(narrowed, result))
        return narrowed(result)

    setattr(owner, name, function)
