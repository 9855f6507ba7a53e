# A kernel from Python: results, accuracy, time, hazards. A script with cells, which Jupyter, VS Code and Spyder show as a
# notebook; in one, a sweep and a time are shown as pages.
#
#   ./lanewise python examples/python/accuracy.py

# %% Two kernels for the same function: one in C++ with SFPI, one in assembly.
import pathlib

import numpy as np

import lanewise as lw

examples = pathlib.Path(__file__).parents[1] if "__file__" in globals() else pathlib.Path("examples")
softplus = lw.kernel(examples / "softplus.cpp", arch="bh")
by_hand = lw.kernel(examples / "softplus.tt", arch="bh")

# %% Any array goes in; what comes out has its shape and type, and the bits that the chip gives.
x = np.linspace(-4, 4, 9, dtype=np.float32)
for number, result, truth in zip(x, softplus(x), np.log1p(np.exp(x))):
    print(f"{number:5} {result:.6f} {truth:.6f}")

# %% Every bf16 number there is, against the function. An expression is correctly rounded; a function of NumPy or PyTorch is
# taken at its doubles.
swept = softplus.sweep("softplus(x)")
print(swept.headline)
for case in swept.worst[:3]:
    print(case)
assert softplus.sweep(lambda v: np.logaddexp(v, 0), inputs="range:-4:4").max_ulp <= swept.max_ulp
swept

# %% What it costs.
for kernel in (softplus, by_hand):
    timed = kernel.time()
    print(f"{pathlib.Path(kernel.file).name}: {timed.cycles_per_tile:.0f} cycles per tile, {timed.init:.0f} once")

# %% Where both differ.
compared = lw.diff(softplus, by_hand)
print(f"{compared.changed} results differ, by at most {compared.max_ulp:g} ULP")

# %% What Wormhole does otherwise, and what silicon may do otherwise than the program means.
for finding in lw.kernel(examples / "softplus.tt", arch="wh").check():
    print(finding.line, finding.rule, finding.text)

# %% As an assertion, for a test.
lw.assert_with_ulp(softplus, "softplus(x)", max(1, swept.max_ulp))
