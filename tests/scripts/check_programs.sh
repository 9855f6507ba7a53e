#!/usr/bin/env bash
# check_programs.sh LANEWISE INCLUDE: unmodified host programs of tt-metal's programming_examples, with their unmodified kernels, on both
# chips: each must say that its result is right. LANEWISE_METAL names a checkout; without it there is nothing to do (exit status 77).
set -euo pipefail
export LANEWISE=$1
include=$2
[ -n "${LANEWISE_METAL-}" ] || exit 77
examples=$LANEWISE_METAL/tt_metal/programming_examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LANEWISE_FLAGS="--kernel-time 300"

# verdict PROGRAM TEXT: what its output must have.
verdict() {
  local program=$1 text=$2 arch output
  g++ -std=c++20 -w -I "$include" -I "$examples/matmul/matmul_common" -DOVERRIDE_KERNEL_PREFIX='"tt_metal/programming_examples/"' \
    "$examples/$program.cpp" -o "$work/program" -lfmt
  for arch in bh wh; do
    output=$(LANEWISE_ARCH=$arch "$work/program" 2>&1) || { echo "$program on $arch: $output"; exit 1; }
    grep -qF -- "$text" <<<"$output" || { echo "$program on $arch does not say '$text': $output"; exit 1; }
  done
}
verdict loopback/loopback "Test Passed"
verdict add_2_integers_in_riscv/add_2_integers_in_riscv "Success: Result is 21"
verdict add_2_integers_in_compute/add_2_integers_in_compute "Success: Result matches expected value!"
verdict eltwise_binary/eltwise_binary "Test Passed"
verdict eltwise_sfpu/eltwise_sfpu "Test Passed"
verdict sfpu_eltwise_chain/sfpu_eltwise_chain "PCC = 0.999"
verdict custom_sfpi_add/custom_sfpi_add "Test Passed"
verdict custom_sfpi_smoothstep/custom_sfpi_smoothstep "Test Passed"
verdict hello_world_compute_kernel/hello_world_compute_kernel "math: Hello, I am the MATH core"
verdict hello_world_datamovement_kernel/hello_world_datamovement_kernel "ncrisc: Hello, host, I am running"
verdict hello_world_datatypes_kernel/hello_world_datatypes_kernel "It is: 1.23"
verdict vecadd_multi_core/vecadd_multi_core "All results match"
verdict matmul/matmul_single_core/matmul_single_core "Test Passed"
