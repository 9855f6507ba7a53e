#!/usr/bin/env python3
"""Operations of ttnn by description (docs/programs.md, 'ttnn's kernels').

  check.py write FOLDER OPERATION...               writes descriptions and inputs of Blackhole, to run or to copy from
  check.py results LANEWISE METAL [OPERATION...]   runs them on both chips, and compares with NumPy and with the same calls of LLK
  check.py mistakes LANEWISE METAL [OPERATION...]  plants mistakes into copies of their kernels: each must be found

METAL is a checkout of tt-metal. Exit status 1 if something is wrong.
"""
import pathlib
import subprocess
import sys
import tempfile

import grid_matmuls
import grid_mistakes
import grid_reductions
import grid_tensors
import grid_windows
import llk_calls
import mistakes
import operations
import tensors

ON_ONE_CORE = (
    operations.full, operations.unary, operations.binary, operations.binary_row, operations.binary_sfpu, operations.reduce_w,
    operations.reduce_h, operations.matmul, tensors.tilize, tensors.untilize, tensors.transpose, tensors.concat, tensors.embedding,
    tensors.typecast, tensors.where, tensors.softmax, tensors.layernorm)
ON_MANY_CORES = (
    grid_matmuls.matmul_2d, grid_matmuls.matmul_1d, grid_matmuls.matmul_block_sharded, grid_reductions.layernorm_sharded,
    grid_reductions.groupnorm, grid_reductions.argmax, grid_reductions.topk, grid_reductions.sort, grid_tensors.move,
    grid_tensors.interleaved_to_sharded, grid_tensors.sharded_to_interleaved, grid_tensors.reshard, grid_tensors.create_qkv_heads,
    grid_tensors.concat_sharded, grid_tensors.unary_sharded, grid_windows.halo)
OPERATIONS = {make.__name__: make for make in (*ON_ONE_CORE, *ON_MANY_CORES)}
CHIPS = ("bh", "wh")


def run(lanewise, metal, description, chip, folder, options=()):
    """Exit status and output of 'lanewise kernels'."""
    done = subprocess.run([lanewise, "kernels", str(description), "--metal", metal, "--arch", chip, "--kernel-time", "300", *options],
                          cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def known_of(operation, chip):
    found = sum(chip in chips for chips, *_ in operation.known)
    findings = f", and {found} {'finding' if found == 1 else 'findings'} in ttnn's own kernels" if found else ""
    return f"{', once mended' if operation.mends else ''}{findings}"


def wrong_run(lanewise, metal, operation, chip, folder):
    """Runs it, and gives back what is wrong with the run, but for what is known of its kernels."""
    status, output = run(lanewise, metal, operation.write(folder, chip), chip, folder)
    other = "\n".join(operation.other_findings(output, chip))
    return other or (output if status not in ((0, 1) if operation.known else (0,)) else "")


def check_results(lanewise, metal, chosen):
    failures = 0
    for name in chosen:
        operation = OPERATIONS[name]()
        for chip in CHIPS:
            with tempfile.TemporaryDirectory() as folder:
                wrong = wrong_run(lanewise, metal, operation, chip, folder)
                if operation.mends and not wrong:
                    wrong = wrong_run(lanewise, metal, operation.mend(metal, folder), chip, folder)
                if not wrong:
                    result = operation.result(folder)
                    error, share, place = operation.error(result)
                    wrong = "" if share <= 1 else f"an error of {share:.3g} times the bound ({operation.reason}) at {place}"
                    compared = llk_calls.compare(lanewise, metal, chip, operation, result, folder)
                    wrong = wrong or compared.wrong
            if wrong:
                print(f"FAILED: {name} on {chip}: {wrong[:3000]}")
                failures += 1
            else:
                how = f"errors up to {error:.2g}, {share:.2f} of the bound" if operation.absolute + operation.relative else "exact"
                print(f"{name} on {chip}: {how}{compared.said}{known_of(operation, chip)}", flush=True)
    return failures


def check_mistakes(lanewise, metal, chosen):
    failures = 0
    for name in chosen:
        for chip in CHIPS:
            of_this = grid_mistakes if OPERATIONS[name] in ON_MANY_CORES else mistakes
            for mistake in of_this.mistakes_of(OPERATIONS[name]()):
                with tempfile.TemporaryDirectory() as folder:
                    if not mistake.plant(metal, folder):
                        wrong = "has no place where it could be planted"
                    else:
                        status, output = run(lanewise, metal, mistake.edited.write(folder, chip), chip, folder, mistake.options)
                        wrong = mistake.missing(output)
                        wrong = wrong and f"{wrong}; exit status {status}:\n{output[:3000]}"
                print(f"{'FAILED: ' if wrong else ''}{name} on {chip}, rule {mistake.rule}: {wrong or 'found'}", flush=True)
                failures += bool(wrong)
    return failures


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("write", "results", "mistakes"):
        sys.exit(__doc__)
    names = sys.argv[3 if sys.argv[1] == "write" else 4:]
    unknown = [name for name in names if name not in OPERATIONS]
    if unknown or sys.argv[1] == "write" and not names:
        sys.exit(f"there is no operation {unknown[0] if unknown else ''}; choose {', '.join(OPERATIONS)}")
    if sys.argv[1] == "write":
        for name in names:
            print(OPERATIONS[name]().write(sys.argv[2]))
        return
    lanewise, metal = (str(pathlib.Path(path).resolve()) for path in sys.argv[2:4])
    check = check_results if sys.argv[1] == "results" else check_mistakes
    sys.exit(check(lanewise, metal, names or OPERATIONS) > 0)


if __name__ == "__main__":
    main()
