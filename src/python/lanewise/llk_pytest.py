"""Runs tt-llk's own tests with Lanewise as the device:

    cd tt-llk/tests/python_tests
    CHIP_ARCH=blackhole pytest -p lanewise.llk_pytest test_eltwise_unary_datacopy.py

The tests and their helpers stay as they are. The plugin stands in for the package ttexalens, behind which a card would be, and
for two steps of a test: instead of building ELFs it writes the variant's build.h, and instead of starting cores it calls
`lanewise llk-test`. What a test writes, reads and compares is its own affair.

    LANEWISE             the program; else `lanewise` of PATH
    LANEWISE_LLK_STRICT  if set: a fault of an instruction makes the test fail; else it is a warning
    LANEWISE_LLK_FLAGS   further options of `lanewise llk-test`, such as "--order random --seed 3"
"""

import importlib.metadata
import importlib.util
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import warnings

import pytest

from . import _chips, _llk_device, _llk_numbers

CHIPS = {family: chip for chip, family in _chips.FAMILIES.items()}
EXIT_FAULTS = 1
SECTIONS = ("unpack", "math", "pack")
END_WORDS = 0x1FFB8  # where each section says that it has ended

ARCH = os.environ.setdefault("CHIP_ARCH", "blackhole").lower()
if ARCH not in CHIPS:
    raise pytest.UsageError(f"CHIP_ARCH is {ARCH}, and lanewise.llk_pytest knows {' and '.join(CHIPS)}")
LACKS_ML_DTYPES = _llk_numbers.stand_in_for_ml_dtypes()
DEVICE = _llk_device.Device(ARCH)
_llk_device.install(DEVICE, ARCH)


def xdist_version():
    """(3, 1), or () if it is not there."""
    try:
        return tuple(int(part) for part in importlib.metadata.version("pytest-xdist").split(".")[:2])
    except importlib.metadata.PackageNotFoundError:
        return ()


def pytest_addoption(parser):
    if xdist_version() < (3, 2):
        # tt-llk's pytest.ini has it; it says how work is dealt out, which an older xdist does in its own way.
        parser.addoption("--maxschedchunk", help="of pytest-xdist from 3.2 on; ignored")


if not xdist_version():
    @pytest.fixture(scope="session")
    def worker_id():
        return "master"


def python_tests_folder(arguments):
    """tt-llk's tests/python_tests, from what is to be run or where."""
    for argument in (*arguments, os.getcwd()):
        path = pathlib.Path(argument.split("::")[0]).resolve()
        for folder in (path, *path.parents):
            if (folder / "helpers" / "test_config.py").is_file():
                return folder
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    folder = python_tests_folder(early_config.known_args_namespace.file_or_dir)
    if folder is None:
        raise pytest.UsageError("lanewise.llk_pytest runs the tests of tt-llk: start it in tests/python_tests of a checkout, or "
                                "name a file from there")
    sys.path.insert(0, str(folder))
    _llk_numbers.mend_old_typing_extensions()
    _llk_numbers.mend_old_torch()
    if LACKS_ML_DTYPES:
        from helpers import format_config, pack, unpack

        _llk_numbers.replace_conversions(pack, unpack, format_config.DataFormat)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    from helpers.test_config import TestConfig

    # Sessions for two chips may run at the same time; tt-llk's own folder is one for all.
    config._lanewise_folder = tempfile.TemporaryDirectory(prefix="lanewise-llk-")
    TestConfig.DEFAULT_ARTEFACTS_PATH = pathlib.Path(config._lanewise_folder.name) / "build"
    TestConfig.build_elfs = write_build_header
    TestConfig.run_elf_files = run_on_lanewise
    sys.modules["conftest"].check_hardware_headers = lambda: None  # `lanewise llk-test` has them


def pytest_unconfigure(config):
    folder = getattr(config, "_lanewise_folder", None)
    if folder is not None:
        folder.cleanup()


def variant_folder(test):
    """Where the variant's build.h lies."""
    return pathlib.Path(test.ARTEFACTS_DIR) / test.test_name / test.variant_id


def write_build_header(test):
    """In the place of TestConfig.build_elfs()."""
    folder = variant_folder(test)
    folder.mkdir(parents=True, exist_ok=True)
    if not test.skip_build_header:
        (folder / "build.h").write_text(test.generate_build_header())


def run_on_lanewise(test):
    """In the place of TestConfig.run_elf_files(): the three sections run to their end, and L1 is what they leave. What Lanewise
    says of a run that came to its end is a warning: whether its results are right, the test finds out."""
    test.temp_elfs = []
    DEVICE.write(END_WORDS, bytes(4 * len(SECTIONS)))
    with tempfile.TemporaryDirectory(prefix="lanewise-l1-") as folder:
        before, after = os.path.join(folder, "before"), os.path.join(folder, "after")
        pathlib.Path(before).write_bytes(DEVICE.l1)
        result = subprocess.run(command(test, before, after), capture_output=True, text=True, check=False)
        if result.returncode not in (0, EXIT_FAULTS) or not os.path.exists(after):
            raise RuntimeError(f"lanewise llk-test ended with {result.returncode}\n{result.stderr}{result.stdout}")
        DEVICE.write(0, pathlib.Path(after).read_bytes())
    has_ended = DEVICE.read(END_WORDS, 4 * len(SECTIONS)) == bytes((0xFF, 0, 0, 0)) * len(SECTIONS)
    if result.returncode == EXIT_FAULTS and (not has_ended or "LANEWISE_LLK_STRICT" in os.environ):
        pytest.fail(f"lanewise llk-test:\n{result.stderr}{result.stdout}", pytrace=False)
    if result.stderr:
        warnings.warn(result.stderr.strip(), LanewiseWarning)


class LanewiseWarning(UserWarning):
    """What Lanewise says of a test's instructions."""


def command(test, before, after):
    """`lanewise llk-test` for a variant."""
    program = os.environ.get("LANEWISE", "lanewise")
    words = [program, "llk-test", str(pathlib.Path(test.TESTS_WORKING_DIR) / test.test_name),
             "--arch", CHIPS[ARCH], "--llk", str(test.LLK_ROOT), "--build-header", str(variant_folder(test) / "build.h"),
             "--in", f"0={before}", "--out", f"0:0={after}"]
    if not test.compile_time_formats:
        words += ["--define", "RUNTIME_FORMATS"]
    if test.SPEED_OF_LIGHT:
        words += ["--define", "SPEED_OF_LIGHT"]
    return words + shlex.split(os.environ.get("LANEWISE_LLK_FLAGS", ""))
