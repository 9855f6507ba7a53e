#!/usr/bin/env bash
# check_host_program.sh LANEWISE SOURCE: host programs that end well, and those that do what they must not: one clear message each, and
# the exit status; run by 'lanewise program', and one compiled by itself. Nothing here needs a checkout of tt-metal.
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
lanewise=$1 source=$2
cp "$source/tests/host/programs/hostile.cpp" .
"$lanewise" program hostile.cpp -- good # once with all the time that g++ needs

# host STATUS TEXT ARGUMENT [OPTIONS...]
host() {
  local status=$1 text=$2 argument=$3
  shift 3
  expect "$status" "$text" "$lanewise" program hostile.cpp --kernel-time 1 "$@" -- "$argument"
}
host 0 "" good
host 1 "hostile.cpp: main() gave 3" verdict
host 1 "hostile.cpp: main() gave 4" exit
host 1 "an exception that nobody catches: a fine reason" throw
expect 0 "3 words" "$lanewise" program hostile.cpp -- arguments more
line() { grep -n "$1" hostile.cpp | head -1 | cut -d: -f1; }
host 2 "hostile.cpp:$(line '"crash"'): error: the host program was ended by SIGSEGV" crash
host 2 "error: the host program was ended by SIGSEGV" stack
host 2 "hostile.cpp:$(line '"abort"'): error: the host program was ended by SIGABRT" abort
host 2 "error: the host program did not end within 1 s" loop
host 0 "" sleep # the device has done all, so that nobody need sleep
host 2 "hostile.cpp:$(line '"wait"'): error: the host program tried to wait" wait
host 2 "error: the host program needs more than 2048 MiB of memory" leak
host 2 "hostile.cpp:$(line '"fork"'): error: the host program tried to start a process or a thread" fork
host 2 "hostile.cpp:$(line '"write"'): error: the host program tried to open a file for writing" write
host 2 "a buffer of 2048000000000 bytes does not fit into DRAM" tiles
host 2 "the buffers of DRAM need more than 2048 MiB, of which 3906 MiB are this one's" much
host 2 "hostile.cpp:$(line 'CoreCoord(11, 2)'): asks for core (11, 2), which is outside of the grid of 11 x 10" "other core"
host 2 "asks for core (11, 2), which is outside of the grid of 4 x 3" "other core" --grid 4x3
LANEWISE_GRID=8x7 host 2 "outside of the grid of 8 x 7" "other core" --arch wh
host 2 "'9x8' is no grid of cores of Wormhole: it has 8 columns and 8 rows" good --arch wh --grid 9x8
LANEWISE_GRID=12x1 host 2 "write COLUMNSxROWS, from 1x1 to 11x10, for LANEWISE_GRID" good
host 2 "hostile.cpp:$(line 'create_unit_mesh(5)'): there is one device, 0, and not 5" swallowed
host 2 "was given back at hostile.cpp:$(line 'deallocate')" freed
host 1 "main() gave 5" nonsense # the device has hung up
[ ! -e written.txt ] || complain "a host program has written a file"

# What the compiler says, in one line.
printf 'namespace tt::tt_metal {}\n\nint main() { return tt::tt_metal::CreateTrace(); }\n' >missing.cpp
said=$("$lanewise" program missing.cpp 2>&1) && complain "missing.cpp is compiled"
[[ $said == "missing.cpp:3: error: g++ says: "*CreateTrace*"; docs/programs.md lists what a host program can use" ]] || complain "missing.cpp: $said"
[ "$(wc -l <<<"$said")" = 1 ] || complain "what g++ says is longer than a line: $said"
expect 2 "there is no 'tt-metalium/sub_device.hpp' here" "$lanewise" program - <<<'#include <tt-metalium/sub_device.hpp>'
expect 2 "nowhere.cpp" "$lanewise" program nowhere.cpp
printf 'int helper() { return 1; }\n' >library.cpp
expect 2 "there is no main() in it" "$lanewise" program library.cpp

# The map, of a description, which is not run.
cat >clash.json <<'END'
{"buffers": [{"name": "low", "memory": "l1", "bytes": 64, "address": 131072}],
 "circular_buffers": [{"index": 4, "format": "Float16_b", "pages": 40}],
 "kernels": [{"text": "x", "processor": "riscv_0", "runtime_args": [1, 2]}]}
END
expect 2 "0x01b300  0x02f300    81920  circular buffer  c_4 CLASHES" "$lanewise" kernels clash.json --metal . --map
also "circular buffer c_4 has L1 from 0x1b300 up to 0x2f300, and buffer 'low' (buffers[0]) begins at 0x20000"
expect 2 '"use":"buffer","address":131072,"bytes":64,"name":"low","origin":"buffers[0]","clashes":true' "$lanewise" kernels clash.json --metal . --map --json

# The device of a host program that was compiled by itself: a page that is written is read again, and what is refused is told once.
cat >device.py <<'END'
import socket, struct, subprocess, sys
ours, theirs = socket.socketpair()
theirs.set_inheritable(True)
device = subprocess.Popen([sys.argv[1], "device", "--channel", str(theirs.fileno()), "--grid", "4x3"], pass_fds=[theirs.fileno()], stderr=subprocess.PIPE)
theirs.close()
def ask(what, text, contents=b""):
    payload = text.encode() + b"\0" + contents
    ours.sendall(struct.pack("<IIQ", 0x31574C00, what, len(payload)) + payload)
    magic, answer, length = struct.unpack("<IIQ", ours.recv(16, socket.MSG_WAITALL))
    return answer, ours.recv(length, socket.MSG_WAITALL)
buffer = '{"arch": "bh", "buffers": [{"origin": "p.cpp:7", "memory": "%s", "bytes": 64, "address": %d, "stream": %s}]}'
page = bytes(range(64))
assert ask(5, "") == (1, b"4x3")
assert ask(2, buffer % ("dram", 0x100080, "true"), page) == (1, b"")
assert ask(3, buffer % ("dram", 0x100080, "false")) == (1, page)
for _ in range(2):
    answer, text = ask(3, buffer % ("l1", 0x200000, "false"))
    assert answer == 4 and b"does not fit into L1" in text, text
ours.close()
told = device.communicate()[1]
assert device.returncode == 2 and told.count(b"does not fit into L1") == 1, told
END
python3 device.py "$lanewise" || complain "the device of a program that was compiled by itself"
LANEWISE_ARCH=wh expect 2 "'9x8' is no grid of cores of Wormhole: it has 8 columns and 8 rows" "$lanewise" device --channel 3 --grid 9x8
