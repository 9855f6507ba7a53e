#!/usr/bin/env python3
"""check_progress.py PROGRAM SOURCE: commands that cannot say how far they are tell that they go on.

On a terminal there is a line with the seconds, from the first one on, which is gone when something else is printed. Ctrl-C ends the work,
and leaves no process behind.
"""

import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
for name in ("examples", "tests"):
    os.symlink(SOURCE / name, name)
LONG = 120  # seconds for what takes few
WIPED = "\r\x1b[K"
wrong = []


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *words, cache=None):
        self.text = ""
        environment = {**os.environ, "LANEWISE_CACHE": cache} if cache else dict(os.environ)
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.execve(PROGRAM, [PROGRAM, *words], environment)

    def read_until(self, pattern):
        """True once the text has it; False at the end."""
        end = time.monotonic() + LONG
        while not re.search(pattern, self.text):
            if not select.select([self.file], [], [], max(end - time.monotonic(), 0))[0]:
                return False
            try:
                part = os.read(self.file, 4096)
            except OSError:  # of a terminal that nobody has open any more
                part = b""
            if not part:
                return False
            self.text += part.decode(errors="replace")
        return True

    def end(self):
        self.read_until("(?!)")
        os.close(self.file)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def interrupt(self):
        os.write(self.file, b"\x03")


def is_running(words):
    """Whether a process has these in its command."""
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words.encode() in file.read_bytes().replace(b"\0", b" "):
                return True
        except OSError:  # it has ended meanwhile
            pass
    return False


def has_ended(words):
    for _ in range(50):
        if not is_running(words):
            return True
        time.sleep(0.1)
    return False


def expect(what, condition, terminal):
    if not condition:
        wrong.append(f"{what}: {terminal.text[-600:]!r}")


def check_compiling(what, *words):
    """With nothing compiled before, g++ takes a second or more; where it takes less, there is nothing to be told."""
    with tempfile.TemporaryDirectory() as cache:
        start = time.monotonic()
        terminal = Terminal(*words, cache=cache)
        is_told = terminal.read_until(rf"{what}, [1-9]\d* s")
        seconds = time.monotonic() - start
        status = terminal.end()
        expect(f"{words[0]}: nothing tells that it compiles for {seconds:.1f} s", is_told or seconds < 3, terminal)
        expect(f"{words[0]}: status {status}", status == 0, terminal)
        if not is_told:
            return
        after = terminal.text.rsplit(what, 1)[-1]
        expect(f"{words[0]}: the line is not wiped", WIPED in after, terminal)


check_compiling("compiling kernels", "kernels", "examples/programs/multicast.json")
check_compiling("compiling the host program", "program", "examples/programs/softplus_host.cpp")


def check_ctrl_c(what, *words):
    """While something runs that would for a long time."""
    terminal = Terminal(*words)
    expect(f"{words[0]}: nothing tells that it runs", terminal.read_until(rf"{what}, [1-9]\d* s"), terminal)
    terminal.interrupt()
    status = terminal.end()
    expect(f"{words[0]}, Ctrl-C: status {status}", status == 1, terminal)
    expect(f"{words[0]}, Ctrl-C: does not say so", "stopped before the end" in terminal.text, terminal)
    expect(f"{words[0]}, Ctrl-C: says that results are the same", "the same" not in terminal.text, terminal)
    expect(f"{words[0]}, Ctrl-C: a process is left", has_ended(" ".join(words)), terminal)


pathlib.Path("endless_test.cpp").write_text("""#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
void run_kernel(RUNTIME_PARAMETERS) {
  while (*reinterpret_cast<volatile unsigned*>(0x30000ul) == 0) TTI_NOP;
}
""")
check_ctrl_c("running the sections", "llk-test", "endless_test.cpp", "--kernel-time", "100")
check_ctrl_c("running the sections and the cores' programs", "llk-test", "endless_test.cpp", "--time", "--kernel-time", "100")

# Where standard error is no terminal, nothing is told of what takes a moment.
quiet = subprocess.run([PROGRAM, "kernels", "examples/programs/vector_add.json"], capture_output=True, text=True)
if quiet.stderr:
    wrong.append(f"without a terminal: {quiet.stderr!r}")

print("\n".join(wrong))
sys.exit(bool(wrong))
