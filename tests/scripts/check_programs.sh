#!/usr/bin/env bash
# check_programs.sh LANEWISE [PROGRAM...]: unmodified host programs of tt-metal's programming_examples, with their unmodified kernels, on
# both chips: each must say that its result is right, or be refused for what it needs. LANEWISE_METAL names a checkout; without it there
# is nothing to do (exit status 77).
set -euo pipefail
lanewise=$1
shift
wanted=("$@")
[ -n "${LANEWISE_METAL-}" ] || exit 77
examples=$LANEWISE_METAL/tt_metal/programming_examples
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_wanted() {
  [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" ${1##*/} "* ]]
}

# run STATUS PROGRAM TEXT: its exit status, and what its output must have.
run() {
  local status=$1 program=$2 text=$3 arch output got
  is_wanted "$program" || return 0
  for arch in bh wh; do
    got=0
    output=$("$lanewise" program "$examples/$program.cpp" --arch "$arch" --kernel-time 300 -I "$examples/matmul/matmul_common" 2>&1) || got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" <<<"$output"; then
      printf 'FAILED: %s on %s: status %s, not %s with "%s":\n%s\n' "$program" "$arch" "$got" "$status" "$text" "$(head -c 3000 <<<"$output")"
      failures=$((failures + 1))
    fi
  done
}

run 0 loopback/loopback "Test Passed"
run 0 add_2_integers_in_riscv/add_2_integers_in_riscv "Success: Result is 21"
run 0 add_2_integers_in_compute/add_2_integers_in_compute "Success: Result matches expected value!"
run 0 eltwise_binary/eltwise_binary "Test Passed"
run 0 eltwise_sfpu/eltwise_sfpu "Test Passed"
run 0 sfpu_eltwise_chain/sfpu_eltwise_chain "PCC = 0.999"
run 0 custom_sfpi_add/custom_sfpi_add "Test Passed"
run 0 custom_sfpi_smoothstep/custom_sfpi_smoothstep "Test Passed"
run 0 hello_world_compute_kernel/hello_world_compute_kernel "math: Hello, I am the MATH core"
run 0 hello_world_datamovement_kernel/hello_world_datamovement_kernel "ncrisc: Hello, host, I am running"
run 0 hello_world_datatypes_kernel/hello_world_datatypes_kernel "It is: 1.23"
run 0 contributed/vecadd/vecadd "Kernel execution finished"
run 0 vecadd_multi_core/vecadd_multi_core "All results match"
run 0 matmul/matmul_single_core/matmul_single_core "Test Passed"
run 0 matmul/matmul_multi_core/matmul_multi_core "Test Passed"

# On many cores.
run 0 NoC_tile_transfer/noc_tile_transfer "Result = 14 : Expected = 14"
run 0 contributed/multicast/multicast "All 3 receiver tiles match the golden tile."
run 1 vecadd_sharding/vecadd_sharding "All results match" # it pops pages that nobody has pushed
run 1 pad_multi_core/pad_multi_core "Padded tensor" # its last core asks for a page behind the last one
run 0 matmul/matmul_multicore_reuse/matmul_multicore_reuse "Test Passed"
run 1 matmul/matmul_multicore_reuse_mcast/matmul_multicore_reuse_mcast "Test Passed" # kernels end and have not waited for all they have asked
run 0 shard_data_rm/shard_data_rm "Program finished successfully."

# What needs more devices is refused at the line that asks for them.
run 2 distributed/1_distributed_program_dispatch/distributed_program_dispatch "asks for a mesh of 2 x 4 devices, and there is one"
run 2 distributed/2_distributed_buffer_rw/distributed_buffer_rw "asks for a mesh of 2 x 4 devices, and there is one"
run 2 distributed/4_distributed_trace_and_events/distributed_trace_and_events "there is no 'tt-metalium/sub_device.hpp' here"

# In time: a reader that waits for every two tiles cannot be faster than a read of DRAM takes, and a program of which every byte is known
# to the NoC has as many transactions as its kernels ask for. The kernel of the second has SFPI code of its own.
for name in eltwise_binary custom_sfpi_add; do
  is_wanted "$name" || continue
  cat >"$work/time.json" <<END
{"buffers": [
   {"name": "a", "memory": "dram", "bytes": 131072, "page_bytes": 2048, "format": "Float16_b", "input": "random:1"},
   {"name": "b", "memory": "dram", "bytes": 131072, "page_bytes": 2048, "format": "Float16_b", "input": "random:2"},
   {"name": "c", "memory": "dram", "bytes": 131072, "page_bytes": 2048, "format": "Float16_b"}],
 "circular_buffers": [{"index": 0, "format": "Float16_b", "pages": 2}, {"index": 1, "format": "Float16_b", "pages": 2},
   {"index": 16, "format": "Float16_b", "pages": 2}],
 "kernels": [
   {"file": "tt_metal/programming_examples/$name/kernels/dataflow/read_tiles.cpp", "processor": "riscv_0", "noc": 0,
    "compile_args": [{"accessor": "a"}, {"accessor": "b"}], "runtime_args": [{"buffer": "a"}, {"buffer": "b"}, 64]},
   {"file": "tt_metal/programming_examples/$name/kernels/dataflow/write_tile.cpp", "processor": "riscv_1", "noc": 1,
    "compile_args": [{"accessor": "c"}], "runtime_args": [{"buffer": "c"}, 64]},
   {"file": "tt_metal/programming_examples/$name/kernels/compute/tiles_add.cpp", "processor": "compute", "runtime_args": [64]}]}
END
  for arch in bh wh; do
    if ! "$lanewise" kernels "$work/time.json" --metal "$LANEWISE_METAL" --arch $arch --kernel-time 300 --time --json --perfetto "$work/trace.json" \
      >"$work/out.json" 2>"$work/err" ||
      ! python3 - "$arch" "$work" <<'END'
import json, sys
work = sys.argv[2]
time, trace = json.load(open(work + "/out.json")), json.load(open(work + "/trace.json"))["traceEvents"]
assert (time["noc"][0]["reads"], time["noc"][1]["writes"]) == (128, 64), time["noc"]
read = {"bh": 446, "wh": 372}[sys.argv[1]]
assert read < time["per_tile"]["cycles"] < read + 400, time["per_tile"]
assert time["cycles"] > 64 * read
assert sum(event["ph"] == "b" for event in trace) == sum(event["ph"] == "e" for event in trace) == 192
assert [buffer["pages"] for buffer in time["circular_buffers"]] == [2, 2, 2]
END
    then
      printf 'FAILED: %s in time on %s:\n%s\n' "$name" "$arch" "$(head -c 3000 "$work/err")"
      failures=$((failures + 1))
    fi
  done
done

# The same host program in all orders, and in time, with a page.
host=$LANEWISE_METAL/tt_metal/programming_examples/eltwise_binary/eltwise_binary.cpp
if is_wanted eltwise_binary; then
  if ! "$lanewise" program "$host" --metal "$LANEWISE_METAL" --order all --seeds 1 >"$work/out" 2>"$work/err" ||
    ! grep -q '4 orders, the same buffers and findings: round-robin,' "$work/out"; then
    printf 'FAILED: a host program in all orders:\n%s\n' "$(cat "$work/out" "$work/err" | head -c 3000)"
    failures=$((failures + 1))
  fi
  if ! "$lanewise" program "$host" --metal "$LANEWISE_METAL" --time --json --html "$work/page.html" >"$work/out" 2>"$work/err" ||
    ! python3 - "$work" <<'END'
import json, sys, xml.dom.minidom
work = sys.argv[1]
time = [json.loads(line) for line in open(work + "/out") if line.startswith("{")]
assert len(time) == 1 and 446 < time[0]["per_tile"]["cycles"] < 846, time
waits = {(wait["core"], wait["for"]): wait for wait in time[0]["core_waits"]}
most = max(waits.values(), key=lambda wait: wait["cycles"] if wait["core"] == "brisc" else 0)
assert most["for"] == "answers of NoC 0" and most["file"].endswith("read_tiles.cpp"), most
page = open(work + "/page.html").read()
xml.dom.minidom.parseString(page.replace("<!DOCTYPE html>", ""))
assert page.count("<svg") == 2
END
  then
    printf 'FAILED: a host program in time:\n%s\n' "$(cat "$work/out" "$work/err" | head -c 3000)"
    failures=$((failures + 1))
  fi
fi
exit $((failures > 0))
