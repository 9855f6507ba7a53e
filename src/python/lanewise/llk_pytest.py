"""Runs tt-llk's own tests with Lanewise as the device:

    cd tt-metal/tt_metal/tt-llk/tests/python_tests      # or tt-llk/tests/python_tests
    CHIP_ARCH=blackhole pytest -p lanewise.llk_pytest test_eltwise_unary_datacopy.py

The tests and their helpers stay as they are. The plugin stands in for the package ttexalens, behind which a card would be, and
for two steps of a test: instead of building ELFs it writes the variant's build.h, and instead of starting cores it calls
`lanewise llk-test`. What a test writes, reads and compares is its own affair.

    LANEWISE             the program; else `lanewise` of PATH
    LANEWISE_LLK_STRICT  if set: a fault of an instruction makes the test fail; else it is a warning
    LANEWISE_LLK_TIME    on or off: tests with LLK's profiler run in time, so that perf_*.py have modelled cycles; its value says
                         whether the cores gather pushes (--gather)
    LANEWISE_LLK_FLAGS   further options of `lanewise llk-test`, such as "--order random --seed 3"

It needs no module of Lanewise but itself. With pytest-xdist's -n, each worker has a tile of its own. In --junitxml, what Lanewise
says of a test is its property "lanewise".
"""

import importlib.metadata
import importlib.util
import inspect
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import types
import warnings

import pytest

from . import _llk_device, _llk_host, _llk_numbers, _llk_perf, _llk_schemas

CHIPS = {"blackhole": "bh", "wormhole": "wh"}  # not from _chips, which needs the module
EXIT_FAULTS = 1
SECTIONS = ("unpack", "math", "pack")
END_WORDS = 0x1FFB8  # where each section says that it has ended
OLD_END_WORDS = 0x19FB8  # in 2025, when tests had their data from 0x1A000 on
PROPERTY = "lanewise"  # of a test in --junitxml

ARCH = os.environ.setdefault("CHIP_ARCH", "blackhole").lower()
if ARCH not in CHIPS:
    raise pytest.UsageError(f"CHIP_ARCH is {ARCH}, and lanewise.llk_pytest knows {' and '.join(CHIPS)}")
LACKS_ML_DTYPES = _llk_numbers.stand_in_for_ml_dtypes()
_llk_schemas.stand_in_for_pydantic()
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
    _llk_numbers.when_imported("torch", _llk_numbers.mend_old_torch)
    _llk_numbers.mend_integer_bounds()
    _llk_schemas.mend_defaults()
    if LACKS_ML_DTYPES:
        from helpers import format_config, pack, unpack

        _llk_numbers.replace_conversions(pack, unpack, format_config.DataFormat)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    from helpers import test_config

    # Sessions for two chips may run at the same time; tt-llk's own folder is one for all. Workers have that of their session,
    # which joins what they have measured.
    worker = getattr(config, "workerinput", None)
    if worker is None:
        config._lanewise_folder = tempfile.TemporaryDirectory(prefix="lanewise-llk-")
    shared = pathlib.Path(config._lanewise_folder.name if worker is None else worker["lanewise_folder"])
    if hasattr(test_config, "TestConfig"):
        stand_in_for_class(test_config.TestConfig, shared / "build")
    else:
        stand_in_for_functions(test_config, shared / (worker["workerid"] if worker else "build"))
    if PLACES.end_words == OLD_END_WORDS:
        test_config.wait_for_tensix_operations_finished = lambda *_, **__: None  # they are not where it looks
    conftest = sys.modules["conftest"]
    conftest.check_hardware_headers = lambda: None  # `lanewise llk-test` has them
    conftest.download_headers = None  # a fixture, in 2025


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Of pytest-xdist, for each worker."""
    node.workerinput["lanewise_folder"] = node.config._lanewise_folder.name


def pytest_unconfigure(config):
    folder = getattr(config, "_lanewise_folder", None)
    if folder is not None:
        folder.cleanup()


RUNNING = []  # the test that runs
PLACES = types.SimpleNamespace(parameters=None, end_words=END_WORDS)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    RUNNING[:] = [item]
    if "quasar" in item.path.parts:
        pytest.skip("lanewise: a test of Quasar, which is not there")
    reason = _llk_perf.NEED_CYCLES.get(item.function.__name__ if hasattr(item, "function") else None)
    if reason:
        pytest.skip(reason)


def stand_in_for_class(TestConfig, folder):
    """From the end of 2025 on, a variant is an object."""
    TestConfig.DEFAULT_ARTEFACTS_PATH = folder
    if hasattr(TestConfig, "RUNTIME_ADDRESS"):
        PLACES.parameters, PLACES.end_words = TestConfig.RUNTIME_ADDRESS, OLD_END_WORDS
    TestConfig.build_elfs = build
    TestConfig.run_elf_files = run_on_lanewise
    if hasattr(TestConfig, "wait_for_tensix_operations_finished"):
        _llk_host.wait_at(TestConfig, end_run_with_host)
    if hasattr(TestConfig, "get_elf_text_size"):
        _llk_perf.stand_in(TestConfig)


def stand_in_for_functions(module, folder):
    """In 2025 a variant is a dictionary, which functions of the module take."""
    variant = types.SimpleNamespace()

    def build_test(test_config, *more, **named):
        takes = len(inspect.signature(module.generate_build_header).parameters)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "build.h").write_text(module.generate_build_header(test_config, *more[-1:][:takes - 1]))
        variant.source = f"sources/{test_config['testname']}.cpp"

    def run_elf_files(*_, **__):
        tests = pathlib.Path(module.__file__).resolve().parents[2]
        run_program([str(tests / variant.source), "--llk", str(tests.parent), "--build-header", str(folder / "build.h"),
                     "--define", "TEST_KERNEL"])

    module.build_test = build_test
    module.run_elf_files = run_elf_files
    PLACES.end_words = OLD_END_WORDS


def variant_folder(test):
    """Where the variant's build.h lies."""
    return pathlib.Path(test.ARTEFACTS_DIR) / test.test_name / test.variant_id


def build(test):
    """In the place of TestConfig.build_elfs(). With --compile-producer it compiles, too, so that --compile-consumer finds it."""
    only_compiles = getattr(getattr(test, "BUILD_MODE", None), "name", "") == "PRODUCE"
    if not only_compiles:
        skip_what_cannot_run(test)
    write_build_header(test)
    if only_compiles:
        result = call_program([*options(test), "--compile"])
        if result.returncode != 0:
            raise RuntimeError(f"lanewise llk-test --compile ended with {result.returncode}\n{result.stderr}")


def skip_what_cannot_run(test):
    for name, reason in CANNOT_RUN.items():
        if name in macros(test):
            pytest.skip(reason)


def write_build_header(test):
    folder = variant_folder(test)
    folder.mkdir(parents=True, exist_ok=True)
    has_none = getattr(test, "skip_build_header", False)  # fused tests say themselves what they are
    (folder / "build.h").write_text("" if has_none else test.generate_build_header())


def run_on_lanewise(test, *_, **__):
    """In the place of TestConfig.run_elf_files()."""
    test.temp_elfs = []
    if not (variant_folder(test) / "build.h").exists():
        build(test)  # --compile-consumer does not
    if _llk_host.takes_part(test):
        start_with_host(options(test))
        return []
    if "LLK_PROFILER" not in macros(test):
        run_program(options(test))
        return []
    with tempfile.TemporaryDirectory(prefix="lanewise-zones-") as folder:
        zones = os.path.join(folder, "zones.json")
        run_program([*options(test), "--zones", zones, *time_options()])
        _llk_perf.keep_markers(type(test), test, zones)
    return []


def time_options():
    """Of `lanewise llk-test`, for a test that measures."""
    gather = os.environ.get("LANEWISE_LLK_TIME", "")
    if gather not in ("", "on", "off"):
        raise pytest.UsageError(f"LANEWISE_LLK_TIME is {gather!r}; on and off say whether cores gather what they push, and without "
                                "the variable there is no time")
    return ["--time", "--gather", gather] if gather else []


def command(words):
    return [os.environ.get("LANEWISE", "lanewise"), "llk-test", *words, "--arch", CHIPS[ARCH], *places()]


def call_program(words):
    return subprocess.run(command(words), capture_output=True, text=True, check=False)


def run_program(words):
    """The three sections run to their end, and L1 is what they leave."""
    DEVICE.write(PLACES.end_words, bytes(4 * len(SECTIONS)))
    with tempfile.TemporaryDirectory(prefix="lanewise-l1-") as folder:
        before, after = os.path.join(folder, "before"), os.path.join(folder, "after")
        pathlib.Path(before).write_bytes(DEVICE.l1)
        state = pathlib.Path(folder, "state.json")
        result = call_program([*words, "--in", f"0={before}", "--out", f"0:0={after}", "--state", str(state),
                               *shlex.split(os.environ.get("LANEWISE_LLK_FLAGS", ""))])
        check_that_it_ran(result, os.path.exists(after))
        DEVICE.write(0, pathlib.Path(after).read_bytes())
        DEVICE.state = state.read_text()
    judge(result)


def start_with_host(words):
    """The sections begin; the test goes on, and finds in L1 what they have done until then."""
    result = call_program([*words, "--compile"])
    check_that_it_ran(result, result.returncode == 0)
    DEVICE.write(PLACES.end_words, bytes(4 * len(SECTIONS)))
    _llk_host.start(DEVICE, command([*words, *shlex.split(os.environ.get("LANEWISE_LLK_FLAGS", ""))]))


def end_run_with_host():
    """What start_with_host() has begun comes to its end."""
    result = _llk_host.end(DEVICE)
    if result is not None:
        check_that_it_ran(result, DEVICE.state is not None)
        judge(result)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    _llk_host.stop(DEVICE)  # of a test that did not wait for the end


def check_that_it_ran(result, has_results):
    if result.returncode not in (0, EXIT_FAULTS) or not has_results:
        say(result.stderr)
        raise RuntimeError(f"lanewise llk-test ended with {result.returncode}\n{result.stderr}{result.stdout}")


def judge(result):
    """What Lanewise says of a run that came to its end is a warning: whether its results are right, the test finds out."""
    has_ended = DEVICE.read(PLACES.end_words, 4 * len(SECTIONS)) == bytes((0xFF, 0, 0, 0)) * len(SECTIONS)
    say(result.stderr)
    if result.returncode == EXIT_FAULTS and (not has_ended or "LANEWISE_LLK_STRICT" in os.environ):
        pytest.fail(f"lanewise llk-test:\n{result.stderr}{result.stdout}", pytrace=False)
    if result.stderr:
        warnings.warn(result.stderr.strip(), LanewiseWarning)


def places():
    """Options for what lies elsewhere than in tests of 2026."""
    words = ["--define", f"LANEWISE_END_WORDS={PLACES.end_words:#x}"] if PLACES.end_words != END_WORDS else []
    return words + (["--define", f"LANEWISE_PARAMETERS={PLACES.parameters:#x}"] if PLACES.parameters is not None else [])


def say(text):
    """Puts it into the report of the test that runs."""
    if RUNNING and text:
        RUNNING[0].user_properties.append((PROPERTY, text.strip()))


class LanewiseWarning(UserWarning):
    """What Lanewise says of a test's instructions."""


def macros(test):
    """Those that TestConfig.build_elfs() defines for a variant."""
    asked = {
        "RUNTIME_FORMATS": not getattr(test, "compile_time_formats", True),
        "SPEED_OF_LIGHT": getattr(test, "SPEED_OF_LIGHT", False),
        "LLK_PROFILER": getattr(test.profiler_build, "name", "No") == "Yes",
        "PERF_COUNTERS_COMPILED": getattr(test, "ENABLE_PERF_COUNTERS", False),
        "DEBUG_PRINT_ENABLED": getattr(test, "DEVICE_PRINT_ENABLED", False) or getattr(test, "requires_device_print", False),
        "DISABLE_SFPLOADMACRO": os.environ.get("TT_METAL_DISABLE_SFPLOADMACRO") == "1",
    }
    return [name for name, is_defined in asked.items() if is_defined]


CANNOT_RUN = {
    "PERF_COUNTERS_COMPILED": _llk_perf.NO_COUNTERS,
    "DEBUG_PRINT_ENABLED": "lanewise: the texts of prints lie in ELF files, of which there are none",
}


def options(test):
    """Of `lanewise llk-test`, for a variant."""
    words = [str(pathlib.Path(test.TESTS_WORKING_DIR) / test.test_name), "--llk", str(test.LLK_ROOT),
             "--build-header", str(variant_folder(test) / "build.h")]
    for name in macros(test):
        words += ["--define", name]
    return words
