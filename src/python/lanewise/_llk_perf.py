"""tt-llk's performance tests: what their harness takes from a card and from ELF files, from Lanewise.

The harness (helpers/perf.py, helpers/profiler.py) reads zones from L1 and subtracts their times. Lanewise has the zones, with their
markers and in their order; with LANEWISE_LLK_TIME they have the cycles of its model. Without it a time is missing, and so is whatever
is computed from it, down to an empty cell of the CSV. Each row has a column "source", so that nobody takes it for one from a card: for
whoever compares files it is one more parameter of the test.
"""

import json
import math
import pathlib

from . import _llk_numbers

SOURCE_COLUMN = "source"
SOURCE = "lanewise-model"
# What L1 has for a time that is not known (src/run/section/zones.h).
UNKNOWN_TIME = (1 << 44) - 1

NO_COUNTERS = "lanewise: there are no performance counters, and with them tests have no zones"
NEED_CYCLES = {"test_profiler_overhead": "lanewise: it compares cycles with those of a card"}


def stand_in(TestConfig):
    """For the harness of a tree of 2026, if it has one. Call it before the tests are imported."""
    from helpers import perf, profiler

    _llk_numbers.mend_old_pandas(profiler)
    TestConfig.get_elf_text_size = staticmethod(lambda _: math.nan)  # there are no ELF files
    read_zones = profiler.Profiler.get_data

    def get_data(*arguments, **named):
        return without_unknown_times(read_zones(*arguments, **named))

    profiler.Profiler.get_data = staticmethod(get_data)
    append = perf.PerfReport.append

    def append_marked(report, frame):
        frame = frame.copy()
        frame.insert(0, SOURCE_COLUMN, SOURCE)
        append(report, frame)

    perf.PerfReport.append = append_marked


def without_unknown_times(data):
    """Of a ProfilerData: a time that is not known becomes NaN."""
    times = data.df["timestamp"]
    if (times == UNKNOWN_TIME).any():
        data.df["timestamp"] = times.astype("float64").where(times != UNKNOWN_TIME)
    return data


def keep_markers(TestConfig, test, zones):
    """From what `lanewise llk-test --zones` writes: the files that objcopy would make of ELF files."""
    folder = pathlib.Path(TestConfig.PROFILER_META) / test.test_name / test.variant_id
    folder.mkdir(parents=True, exist_ok=True)
    for name, section in json.loads(pathlib.Path(zones).read_text())["sections"].items():
        (folder / f"{name}.meta.bin").write_bytes(b"\0".join(text.encode() for text in section["markers"]))
