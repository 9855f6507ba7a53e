#!/usr/bin/env bash
# check_own_headers.sh LANEWISE SOURCE: programs of examples/programs/ and kernels of a few lines leave the same bits with Lanewise's own
# headers as with those of a checkout, on both chips, wherever the arithmetic is the hardware's. LANEWISE_METAL names the checkout; without it
# only the host program among the examples runs, which says how far it is from std::log1p.
set -euo pipefail
lanewise=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

g++ -std=c++20 -w -I "$source/src/source/programs/include" "$source/examples/programs/softplus_host.cpp" -o "$work/host" -lfmt
(cd "$source" && env -u LANEWISE_METAL -u TT_METAL_HOME LANEWISE="$lanewise" LANEWISE_ARCH=wh "$work/host")
[ -n "${LANEWISE_METAL-}" ] || exit 0

# same NAME: work/NAME.json leaves the same file NAME.npy.
same() {
  local name=$1 arch
  for arch in bh wh; do
    (cd "$source" && "$lanewise" kernels "$work/$name.json" --arch $arch --metal "$LANEWISE_METAL") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    mv "$work/$name.npy" "$work/theirs.npy"
    (cd "$source" && "$lanewise" kernels "$work/$name.json" --arch $arch) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cmp "$work/$name.npy" "$work/theirs.npy" || { echo "$name on $arch: other bits with Lanewise's own headers"; exit 1; }
  done
}

# example NAME OUTPUT: a program of examples/programs/, whose output goes to work/.
example() {
  sed "s#\"output\": \"$2.npy\"#\"output\": \"$work/$1.npy\"#" "$source/examples/programs/$1.json" >"$work/$1.json"
  same "$1"
}
example vector_add c
example matmul product
example smooth_relu y

# made NAME FORMAT COMPUTE INIT BODY: two tiles of random numbers through a compute kernel that packs tile 0 of Dst.
made() {
  local format=$2 bytes=2048
  [ "$format" = Float32 ] && bytes=4096
  [ "$format" = Bfp8_b ] && bytes=1088
  cat >"$work/$1.cpp" <<KERNEL
#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/transpose_wh.h"
void kernel_main() {
  binary_op_init_common(0, 1, 16);
  $4
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 1);
  tile_regs_acquire();
  $5
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  tile_regs_release();
  cb_push_back(16, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
KERNEL
  cat >"$work/$1.json" <<PROGRAM
{"buffers": [
  {"name": "a", "memory": "dram", "bytes": $bytes, "page_bytes": $bytes, "format": "$format", "input": "random:1:-2:2"},
  {"name": "b", "memory": "dram", "bytes": $bytes, "page_bytes": $bytes, "format": "$format", "input": "random:2:-2:2"},
  {"name": "c", "memory": "dram", "bytes": $bytes, "page_bytes": $bytes, "format": "$format", "output": "$work/$1.npy"}],
 "circular_buffers": [{"index": 0, "format": "$format", "pages": 1}, {"index": 1, "format": "$format", "pages": 1},
  {"index": 16, "format": "$format", "pages": 1}],
 "kernels": [
  {"file": "examples/programs/kernels/read_pair.cpp", "processor": "riscv_1", "compile_args": [{"accessor": "a"}, {"accessor": "b"}],
   "runtime_args": [{"buffer": "a"}, {"buffer": "b"}, 1]},
  {"file": "$work/$1.cpp", "processor": "compute", "compute": {$3}},
  {"file": "examples/programs/kernels/write.cpp", "processor": "riscv_0", "compile_args": [{"accessor": "c"}],
   "runtime_args": [{"buffer": "c"}, 1]}]}
PROGRAM
  same "$1"
}
made mul_hifi2 Float16_b '"math_fidelity": "HiFi2"' 'mul_tiles_init(0, 1);' 'mul_tiles(0, 1, 0, 0, 0);'
made sub_fp32 Float32 '"fp32_dest_acc_en": true' 'sub_tiles_init(0, 1);' 'sub_tiles(0, 1, 0, 0, 0);'
made copy_bfp8 Bfp8_b '"dst_full_sync_en": true' 'copy_tile_init(0);' 'copy_tile(0, 0, 0);'
made several Float16_b '' '' 'mul_bcast_cols_init_short(0, 1); mul_tiles_bcast_cols(0, 1, 0, 0, 1); transpose_wh_init_short(1); transpose_wh_tile(1, 0, 2);
  add_binary_tile_init(); add_binary_tile(1, 2, 3); mul_binary_tile_init(); mul_binary_tile(3, 2, 0);'
