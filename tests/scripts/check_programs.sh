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

# What needs more cores is refused at the line that asks for them.
run 2 shard_data_rm/shard_data_rm "of a device that has one, (0, 0)"
run 2 vecadd_sharding/vecadd_sharding "of a device that has one, (0, 0)"
run 2 pad_multi_core/pad_multi_core "of a device that has one, (0, 0)"
run 2 NoC_tile_transfer/noc_tile_transfer "the device has one, (0, 0)"
run 2 contributed/multicast/multicast "the device has one, (0, 0)"
# These divide by the size of blocks, which is 0 for a grid of 1 x 1.
run 2 matmul/matmul_multicore_reuse/matmul_multicore_reuse "look for a division by zero: the grid of the device is 1 x 1"
run 2 matmul/matmul_multicore_reuse_mcast/matmul_multicore_reuse_mcast "look for a division by zero: the grid of the device is 1 x 1"
# What needs more chips is not there for the compiler.
run 2 distributed/2_distributed_buffer_rw/distributed_buffer_rw "ShardedBufferConfig"
run 2 distributed/4_distributed_trace_and_events/distributed_trace_and_events "there is no 'tt-metalium/sub_device.hpp' here"
exit $((failures > 0))
