#!/usr/bin/env bash
# check_program_mistakes.sh LANEWISE INCLUDE: mistakes that people make, planted into unmodified programs of tt-metal's
# programming_examples one by one: each must be found on both chips, with the rule that it breaks. LANEWISE_METAL names a checkout; without
# it there is nothing to do (exit status 77).
set -euo pipefail
export LANEWISE=$1
include=$2
[ -n "${LANEWISE_METAL-}" ] || exit 77
LANEWISE_METAL=$(cd "$LANEWISE_METAL" && pwd)
export LANEWISE_METAL
examples=tt_metal/programming_examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LANEWISE_FLAGS="--kernel-time 60"
cd "$work" # kernels are looked for here first
failed=0

# host PROGRAM [EDIT]: compiles a host program, changed by a command of sed.
host() {
  sed "${2:-}" "$LANEWISE_METAL/$examples/$1.cpp" >host.cpp
  if [ -n "${2-}" ] && cmp -s host.cpp "$LANEWISE_METAL/$examples/$1.cpp"; then echo "$1: '$2' changes nothing" && exit 1; fi
  g++ -std=c++20 -w -I "$include" -I "$LANEWISE_METAL/$examples/$(dirname "$1")" -I "$LANEWISE_METAL/$examples/matmul/matmul_common" \
    -DOVERRIDE_KERNEL_PREFIX='"tt_metal/programming_examples/"' host.cpp -o program -lfmt
}

# finds TEXT...: the program says all of it.
finds() {
  local arch output text
  for arch in bh wh; do
    output=$(LANEWISE_ARCH=$arch ./program 2>&1 || true)
    for text in "$@"; do
      grep -qF -- "$text" <<<"$output" && continue
      echo "$mistake on $arch: does not say '$text':"
      head -c 3000 <<<"$output"
      failed=1
    done
  done
}

# mistake NAME KERNEL EDIT TEXT...: the kernel is changed by a command of sed, and the program says what is wrong with it.
mistake() {
  local kernel=$2 edit=$3
  mistake=$1
  mkdir -p "$(dirname "$examples/$kernel")"
  sed -E "$edit" "$LANEWISE_METAL/$examples/$kernel" >"$examples/$kernel"
  if cmp -s "$examples/$kernel" "$LANEWISE_METAL/$examples/$kernel"; then echo "$mistake: changes nothing" && exit 1; fi
  shift 3
  finds "$@"
  rm "$examples/$kernel"
}

host eltwise_binary/eltwise_binary
reader=eltwise_binary/kernels/dataflow/read_tiles.cpp
writer=eltwise_binary/kernels/dataflow/write_tile.cpp
compute=eltwise_binary/kernels/compute/tiles_add.cpp
mistake "no read barrier" $reader '/async_read_barrier\(\)/d' \
  "pushes a page of c_0" "into which the read of line" "[programs 1]"
mistake "no write barrier" $writer '/async_write_barrier\(\)/d' \
  "pops a page of c_16" "from which the write of line" "[programs 2]" "[programs 3]"
mistake "a page popped before its write has left" $writer \
  's|^ *noc\.async_write_barrier\(\);.*|cb_out.pop_front(1); //|; s/^ *cb_out\.pop_front\(1\);$/noc.async_write_barrier();/' \
  "pops a page of c_16" "[programs 2]"
mistake "a page too many" $reader 's/i < n_tiles/i <= n_tiles/' \
  "asks for the address of page 64 of buffer" "which has 64" "[programs 9]"
mistake "no reserve_back in the reader" $reader '/cb_in1_buf\.reserve_back/d' \
  "has the NoC read into page" "of c_1" "and has reserved none" "[programs 5]"
mistake "no wait_front in the writer" $writer '/cb_out\.wait_front/d' \
  "has the NoC write page 0 of c_16" "and has waited for none" "[programs 5]"
mistake "no cb_wait_front in the compute kernel" $compute '/cb_wait_front\(cb_in1/d' \
  "unpacks page" "of c_1" "and has waited for none" "[programs 5]"
mistake "no cb_reserve_back in the compute kernel" $compute '/cb_reserve_back/d' \
  "packs into page" "of c_16" "and has reserved none" "[programs 5]"
mistake "a tile behind the one that was awaited" $compute 's/add_tiles\(cb_in0, cb_in1, 0, 0/add_tiles(cb_in0, cb_in1, 1, 0/' \
  "unpacks page 1 of c_0" "and has waited for 1 from page 0 on" "[programs 5]"
mistake "no tile_regs_wait" $compute '/tile_regs_wait\(\)/d' \
  "packs from Dst, which is not the pack thread's" "[programs 16]"
mistake "no tile_regs_acquire" $compute '/tile_regs_acquire\(\)/d' \
  "writes Dst, which is not the math thread's" "[programs 16]"
mistake "no tile_regs_commit" $compute '/tile_regs_commit\(\)/d' \
  "a deadlock" "tile_regs_commit() raises it"
mistake "no tile_regs_release" $compute '/tile_regs_release\(\)/d' \
  "a deadlock" "tile_regs_release() lowers it"
mistake "no push" $reader '/cb_in1_buf\.push_back/d' "a deadlock" "more pages of c_1"
mistake "no pop" $compute '/cb_pop_front\(cb_in0/d' "a deadlock" "room in c_0"
mistake "the wrong tile of Dst" $compute 's/pack_tile\(dst_reg/pack_tile(dst_reg + 1/' \
  "packs a tile of Dst into which nothing was written" "[programs 16]"
mistake "an argument too many" $reader 's/get_arg_val<uint32_t>\(2\)/get_arg_val<uint32_t>(3)/' \
  "reads runtime argument 3, and the program gives this kernel 3" "[programs 17]"
mistake "a page written twice" $reader 's/^( *)noc\.async_read\(in1, cb_in1_buf/\1noc.async_read(in1, cb_in0_buf/' \
  "unpacks a page of c_1" "nothing was ever written" "[programs 8]"

finish_host() {
  mistake=$1
  host "$2" "$3"
  shift 3
  finds "$@"
}
finish_host "a page that is too small" eltwise_binary/eltwise_binary \
  's/\.set_page_size(src1_cb_index, tile_size_bytes)/.set_page_size(src1_cb_index, tile_size_bytes \/ 2)/' \
  "takes tiles of c_1" "whose pages have 1024 bytes, and a tile of Float16_b has 2048" "[programs 7]"
finish_host "a buffer that nobody writes" eltwise_binary/eltwise_binary '/EnqueueWriteMeshBuffer(cq, src1_dram_buffer/d' \
  "where nothing of buffer" "was ever written" "[programs 8]"
finish_host "an argument too few" eltwise_binary/eltwise_binary \
  's/{src0_dram_buffer->address(), src1_dram_buffer->address(), n_tiles}/{src0_dram_buffer->address(), src1_dram_buffer->address()}/' \
  "reads runtime argument 2, and the program gives this kernel 2" "[programs 17]"
finish_host "a format that no init is told of" eltwise_binary/eltwise_binary \
  's/{{src1_cb_index, tt::DataFormat::Float16_b}}/{{src1_cb_index, tt::DataFormat::Bfp8_b}}/' \
  "takes tiles of c_1" "[programs 7]"

host loopback/loopback
copy=loopback/kernels/loopback_dram_copy.cpp
mistake "data that are used before they have come" $copy '/noc_async_read_barrier\(\)/d' \
  "while the read of line" "into it is still under way" "[programs 1]"
mistake "data that are overwritten before they have left" $copy '/noc_async_write_barrier\(\)/d' \
  "from where the write of line" "has not left" "[programs 2]"
host add_2_integers_in_riscv/add_2_integers_in_riscv
add=add_2_integers_in_riscv/kernels/reader_writer_add_in_riscv.cpp
mistake "numbers that are added before they have come" $add '/noc_async_read_barrier\(\);/d' \
  "loads from 0x" "into which the read of line" "[programs 1]"
mistake "a result that nobody computes" $add '/\(\*out0\) =/d' "where nothing of buffer" "was ever written" "[programs 8]"
LANEWISE_FLAGS="$LANEWISE_FLAGS --order all --seeds 1"
mistake "a result that depends on the order" $add '/noc_async_read_barrier\(\);/d' "differs: page 0" "[programs 18]"
exit $failed
