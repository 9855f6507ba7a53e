"""tt-llk's tests in which the host takes part while the sections run (streams): L1 is a file that both see.

`lanewise llk-test --l1 FILE` waits, where no section can go on, until the host has changed L1. The helpers of such tests give up after a
tenth of a second; their clock is slowed down here, so that a busy machine fails no test.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types

SLOWER = 100  # a tenth of a second becomes ten, as long as the sections wait for the host
ENDS_WITHIN = 120  # seconds, for sections to end by themselves when the host has done its part

RUN = types.SimpleNamespace(process=None, folder=None)


def takes_part(test):
    return "streams" in pathlib.PurePath(test.test_name).parts


def wait_at(TestConfig, end):
    """Where a test waits for the end of its sections, their process comes to its end first."""
    waits = TestConfig.wait_for_tensix_operations_finished

    def wait(*arguments, **named):
        end()
        return waits(*arguments, **named)

    TestConfig.wait_for_tensix_operations_finished = wait


def slow_down_helpers():
    stream = sys.modules.get("helpers.stream")
    if stream is not None:
        stream.time = types.SimpleNamespace(sleep=time.sleep, monotonic=lambda: time.monotonic() / SLOWER)


def start(device, words):
    slow_down_helpers()
    RUN.folder = tempfile.TemporaryDirectory(prefix="lanewise-host-")
    l1, state = os.path.join(RUN.folder.name, "l1"), os.path.join(RUN.folder.name, "state.json")
    device.share(l1)
    device.state = None
    RUN.process = subprocess.Popen([*words, "--l1", l1, "--state", state], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(device):
    """Waits for the sections. The result as of subprocess.run(), or None if none have been started."""
    if RUN.process is None:
        return None
    try:
        out, err = RUN.process.communicate(timeout=ENDS_WITHIN)
        result = subprocess.CompletedProcess(RUN.process.args, RUN.process.returncode, out, err)
        state = pathlib.Path(RUN.folder.name, "state.json")
        device.state = state.read_text() if state.exists() else None
        return result
    finally:
        stop(device)


def stop(device):
    if RUN.process is None:
        return
    if RUN.process.poll() is None:
        RUN.process.kill()
    RUN.process.communicate()
    device.unshare()
    RUN.folder.cleanup()
    RUN.process = RUN.folder = None
