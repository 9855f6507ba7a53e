#!/usr/bin/env bash
# check_own_headers.sh LANEWISE SOURCE: programs of examples/programs/ and kernels of a few lines leave the same bits with Lanewise's own
# headers as with those of a checkout, on both chips, wherever the arithmetic is the hardware's. LANEWISE_METAL names the checkout; without it
# only the host program among the examples runs, which says how far it is from std::log1p, and two examples in time.
set -euo pipefail
lanewise=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

g++ -std=c++20 -w -I "$source/src/source/programs/include" "$source/examples/programs/softplus_host.cpp" -o "$work/host" -lfmt
(cd "$source" && env -u LANEWISE_METAL -u TT_METAL_HOME LANEWISE="$lanewise" LANEWISE_ARCH=wh "$work/host")

# In time, where there is a compiler for the cores: both runs leave the same, which is checked, and whose code is timed is said.
if command -v riscv64-unknown-elf-g++ >/dev/null; then
  for run in "bh row_sums" "wh vector_add"; do
    read -r arch example <<<"$run"
    sed 's#, "output": "[a-z]*.npy"##' "$source/examples/programs/$example.json" >"$work/timed.json"
    (cd "$source" && env -u LANEWISE_METAL -u TT_METAL_HOME "$lanewise" kernels "$work/timed.json" --arch "$arch" --time) >"$work/log" 2>&1 ||
      { cat "$work/log"; exit 1; }
    grep -q "cycles of the model" "$work/log" && grep -q "compiled with Lanewise's own headers: cycles are those of their code" "$work/log" ||
      { cat "$work/log"; exit 1; }
  done
fi
[ -n "${LANEWISE_METAL-}" ] || exit 0

archs="bh wh"
# same NAME: work/NAME.json leaves the same file NAME.npy.
same() {
  local name=$1 arch
  for arch in $archs; do
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
example row_sums sums
example tilize tiles

# Semaphores and multicasts as objects, on three cores.
sed "s#objects.npy#$work/objects.npy#" "$source/tests/programs/kernels/semaphore_objects.json" >"$work/objects.json"
same objects

# made NAME FORMAT COMPUTE INIT BODY [INPUTS [TILES [PACK]]]: TILES tiles each of two buffers of random numbers through a compute kernel that
# packs as many tiles, by default tile 0 of Dst; without any PACK, the body has sections of Dst of its own.
made() {
  local format=$2 bytes=2048 inputs=${6-"-2:2"} tiles=${7-1} pack=${8-pack_tile(0, 16);}
  local begin="tile_regs_acquire();" end="tile_regs_commit(); tile_regs_wait(); $pack tile_regs_release();"
  [ -n "$pack" ] || begin='' end=''
  case $format in
    Float32 | Int32 | UInt32) bytes=4096 ;;
    UInt8) bytes=1024 ;;
    Bfp8_b) bytes=1088 ;;
  esac
  cat >"$work/$1.cpp" <<KERNEL
#include "api/compute/add_int_sfpu.h"
#include "api/compute/bcast.h"
#include "api/compute/binary_bitwise_sfpu.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/sub_int_sfpu.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/tilize.h"
#include "api/compute/transpose_wh.h"
#include "api/compute/untilize.h"
void kernel_main() {
  binary_op_init_common(0, 1, 16);
  $4
  cb_wait_front(0, $tiles);
  cb_wait_front(1, $tiles);
  cb_reserve_back(16, $tiles);
  $begin
  $5
  $end
  cb_push_back(16, $tiles);
  cb_pop_front(0, $tiles);
  cb_pop_front(1, $tiles);
}
KERNEL
  cat >"$work/$1.json" <<PROGRAM
{"buffers": [
  {"name": "a", "memory": "dram", "bytes": $((bytes * tiles)), "page_bytes": $bytes, "format": "$format", "input": "random:1:$inputs"},
  {"name": "b", "memory": "dram", "bytes": $((bytes * tiles)), "page_bytes": $bytes, "format": "$format", "input": "random:2:$inputs"},
  {"name": "c", "memory": "dram", "bytes": $((bytes * tiles)), "page_bytes": $bytes, "format": "$format", "output": "$work/$1.npy"}],
 "circular_buffers": [{"index": 0, "format": "$format", "pages": $tiles}, {"index": 1, "format": "$format", "pages": $tiles},
  {"index": 16, "format": "$format", "pages": $tiles}],
 "kernels": [
  {"file": "examples/programs/kernels/read_pair.cpp", "processor": "riscv_1", "compile_args": [{"accessor": "a"}, {"accessor": "b"}],
   "runtime_args": [{"buffer": "a"}, {"buffer": "b"}, $tiles]},
  {"file": "$work/$1.cpp", "processor": "compute", "compute": {$3}},
  {"file": "examples/programs/kernels/write.cpp", "processor": "riscv_0", "compile_args": [{"accessor": "c"}],
   "runtime_args": [{"buffer": "c"}, $tiles]}]}
PROGRAM
  same "$1"
}
made mul_hifi2 Float16_b '"math_fidelity": "HiFi2"' 'mul_tiles_init(0, 1);' 'mul_tiles(0, 1, 0, 0, 0);'
made sub_fp32 Float32 '"fp32_dest_acc_en": true' 'sub_tiles_init(0, 1);' 'sub_tiles(0, 1, 0, 0, 0);'
made copy_bfp8 Bfp8_b '"dst_full_sync_en": true' 'copy_tile_init(0);' 'copy_tile(0, 0, 0);'
made several Float16_b '' '' 'mul_bcast_cols_init_short(0, 1); mul_tiles_bcast_cols(0, 1, 0, 0, 1); transpose_wh_init_short(1); transpose_wh_tile(1, 0, 2);
  add_binary_tile_init(); add_binary_tile(1, 2, 3); mul_binary_tile_init(); mul_binary_tile(3, 2, 0);'

# Reductions: of two tiles, with weights that are not 1.
for dim in ROW COL SCALAR; do
  sum="PoolType::SUM, ReduceDim::REDUCE_$dim" max="PoolType::MAX, ReduceDim::REDUCE_$dim"
  made "reduce_$dim" Float16_b '"math_fidelity": "HiFi3"' "reduce_init<$sum>(0, 1, 16);" \
    "reduce_tile<$sum>(0, 1, 0, 1, 0); reduce_tile<$sum>(0, 1, 1, 0, 0); reduce_init<$max>(0, 1, 16); reduce_tile<$max>(0, 1, 1, 1, 1);" \
    "-2:2" 2 "pack_tile(0, 16); pack_tile(1, 16);"
done
made reduce_fp32 Float32 '"fp32_dest_acc_en": true' "reduce_init<PoolType::AVG, ReduceDim::REDUCE_ROW>(0, 1, 16);" \
  "reduce_tile<PoolType::AVG, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0);"

# Layouts, each in sections of Dst of its own.
made tilize Float16_b '"fp32_dest_acc_en": true' 'tilize_init(0, 3, 16);' 'tilize_block(0, 3, 16); tilize_uninit(0, 16);' "-2:2" 3 ""
made untilize Float16_b '' 'untilize_init(0);' 'untilize_block(0, 3, 16); untilize_uninit(0);' "-2:2" 3 ""
made pack_untilize Float32 '"fp32_dest_acc_en": true' 'pack_untilize_init<3>(0, 16);' \
  'pack_untilize_block<3>(0, 1, 16); pack_untilize_uninit(16);' "-2:2" 3 ""

made block Float16_b '' 'mm_block_init_short(0, 1, 0, 2, 2, 2);' 'matmul_block(0, 1, 0, 0, 0, 0, 2, 2, 2); matmul_block(0, 1, 1, 2, 0, 0, 2, 2, 2);' \
  "-2:2" 4 "pack_tile_block(0, 16, 4);"
to_a="EltwiseBinaryReuseDestType::DEST_TO_SRCA" to_b="EltwiseBinaryReuseDestType::DEST_TO_SRCB"
made reuse Bfp8_b '' 'copy_tile_init(0);' "copy_tile(0, 0, 0); binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWMUL, $to_a>(1); binary_dest_reuse_tiles<EltwiseBinaryType::ELWMUL, $to_a>(1, 0, 0);
  binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWSUB, $to_b>(1); binary_dest_reuse_tiles<EltwiseBinaryType::ELWSUB, $to_b>(1, 0, 0);"

# Integers. On Wormhole, the checkout's own way of 32 bits to Dst is told as what no document promises, so that it is compared on Blackhole only.
functions() { echo "copy_tile_init(0); copy_tile(0, 0, 0); copy_tile(1, 0, 1); add_int_tile<DataFormat::$1>(0, 1, 2); sub_int_tile<DataFormat::$1>(2, 1, 3);
  rsub_int_tile<DataFormat::$1>(3, 0, 3); bitwise_xor_binary_tile<DataFormat::$1>(2, 3, 0);"; }
made uint16 UInt16 '' '' "$(functions UInt16)" "0:65535"
made uint8 UInt8 '"fp32_dest_acc_en": true' 'copy_tile_init(0);' 'copy_tile(0, 0, 0);' "0:255"
archs=bh
made int32 Int32 '"fp32_dest_acc_en": true' '' "$(functions Int32)" "-2000000000:2000000000"
made to_dst Float32 '"fp32_dest_acc_en": true, "unpack_to_dest_fp32": [0, 1]' 'copy_tile_init(0);' 'copy_tile(1, 0, 0);'
