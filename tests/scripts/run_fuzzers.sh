#!/usr/bin/env bash
# run_fuzzers.sh SOURCE BUILD MODE: each libFuzzer target for a while, starting from the project's own files. By day always with the same
# seed, so that a fault that is hard to find turns a night red and not the work of whoever comes next.
set -euo pipefail
source=$1 build=$2 mode=$3
seconds=1 options=(-seed=1)
if [ "$mode" = nightly ]; then seconds=300 options=(); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# elf_seeds FOLDER: a small kernel with debug information and one without, where there is a compiler for the cores.
elf_seeds() {
  command -v riscv64-unknown-elf-gcc >/dev/null || return 0
  local options
  for options in -g -s; do
    riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -O2 -Wl,-Ttext=0x6000 -Wl,-e,0x6000 \
      "$options" "$source/tests/elf/programs/kernel.c" -o "$1/kernel$options.elf"
  done
}

# seeds NAME: fills the corpus of a target.
seeds() {
  case $1 in
    expression_fuzzer) printf '%s' 'gelu(x) + 0.5*y' >"$work/$1/1"; printf '%s' 'x < 0 ? -x^2 : fmod(x, 0x1.8p1)' >"$work/$1/2" ;;
    baseline_fuzzer)
      printf '%s' '{"format": "lanewise-accuracy", "rows": [{"kernel": "x", "arch": "bh", "ulp_measure": "line", "ulp": {"largest": 1, "lost": 0}, "cycles": 9}]}' >"$work/$1/own"
      printf '%s' '{"bh": {"bf16": {"exp": {"default": {"max_ulp": "0.5", "mean_ulp": "\u2014"}}}}}' >"$work/$1/index"
      printf 'Exp:\n  - {in: Float16_b, out: Float16_b, approx: "No", dest: Yes, arch: BLACKHOLE, max_ulp: 2}\nTan:\n  - {metric: tolerance}\n' >"$work/$1/budget" ;;
    cost_table_fuzzer)
      printf 'op,engine,unit,in_formats,out_formats,dest_acc,options,cycles_min,cycles_median,cycles_max,rows\nexp_tile,math,PerTile,Bfp8_b;Float32,Float16_b,false;true,approx_mode=true;input_clamping=true,1,2.5,3,4\nreduce_init,pack,PerCall,Float16_b,Float16_b,false,mathop=ReduceRow,1,2,3,1\n' >"$work/$1/table" ;;
    declarations_fuzzer) cp "$source"/src/source/sfpi/include/llk/ckernel.h "$work/$1" ;;
    assembly_fuzzer)
      cp "$source"/examples/*.tt "$work/$1"
      for tile in "$source"/examples/tile/*.tt; do cp "$tile" "$work/$1/tile_${tile##*/}"; done ;;
    description_fuzzer)
      printf '%s' '{"arch": "wh", "buffers": [{"name": "a", "memory": "dram", "bytes": 4096, "page_bytes": 2048}], "circular_buffers": [{"index": 0, "format": "Float16_b", "pages": 2}], "kernels": [{"text": "x", "processor": "riscv_1", "compile_args": [1, {"accessor": "a"}], "runtime_args": [{"buffer": "a"}, {"buffer": "a", "offset": 2047}]}]}' >"$work/$1/program" ;;
    editor_fuzzer)
      { printf a; cat "$source"/examples/macros.tt; } >"$work/$1/assembly"
      printf 'b.equ A, 1\nf:\tsfpmad\tL0,L1,L2,L3,0; ttnop # c\n\tbnez\ta0,.L2\n' >"$work/$1/vendors"
      printf 'c// lanewise: arch=wh call="f(8)"\nvoid kernel() { TTI_SFPIADD(0, p_sfpu::LREG1, ' >"$work/$1/kernel"
      printf 'aContent-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]X: 1\r\n\r\n' >"$work/$1/frames" ;;
    elf_fuzzer) elf_seeds "$work/$1" ;;
    gnu_fuzzer)
      printf '\t.type\tf, @function\nf:\n.L2:\tSFPLOAD\tL0, 0, 0, 7 # a\n\tsfpmad L0,L1,L2,L3,0; ttnop\n\tbnez\ta0,.L2\n\tret\n' >"$work/$1/source"
      printf '00000100 <f>:\n 100:\t3c000002 \tsfpnop\n 104:\tfe051ee3 \tbnez\ta0,100 <f>\n' >"$work/$1/objdump"
      printf '00000000 <f>:\n 0:\t0002 \tx\n 2:\t3c00 \tx\n 4:\t4fe1 \tx\n 6:\t00020c0f \tx\n a:\t3c00 \tx\n' >"$work/$1/halves"
      printf 'f():\n\tsfpnop\n\tret\n.LC0:\n\t.word 1065353216\n\t.byte 1\ng:\n\t.word 2\n\tret\n' >"$work/$1/constants" ;;
    hex_fuzzer) cp "$source"/examples/*.hex "$work/$1" ;;
    noc_trace_fuzzer)
      printf '%s' '[{"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "dx": 2, "dy": 2, "num_bytes": 64, "type": "READ", "timestamp": 5}, {"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "type": "READ_BARRIER_START", "timestamp": 9}, {"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "type": "READ_BARRIER_END", "timestamp": 99}]' >"$work/$1/trace"
      printf 'transaction_sizes: [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]\nentries:\n  - key: {pattern: 0, arch: 3}\n    latencies: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n' >"$work/$1/series" ;;
    number_fuzzer) for text in 1.5 -2e-3 -inf nan 0x1.8p3 0x3FC0 16320 0x3FC00000; do printf %s "$text" >"$work/$1/$text"; done ;;
    remembered_fuzzer)
      printf '3 3 5\nabckeyvalue' >"$work/$1/entry"
      printf '{"holds":true,"kind":0,"is undecided":false,"failure":"","inputs":9,"leaves out":false,"different":0,"differences":["x"],"cycles":3}' >"$work/$1/proof"
      printf '{"trials":[["form",3,0,5,77,"proved"]],"proof":%s,"text":"t","interval":3,"tuned":{"words":[[1,2,"c"]],"entry":[],"body":1,"is recorded":true,"macros":1,"templates":1,"registers":1,"cycles":32,"dst counter":0,"counts instructions":false,"pads":0,"contract":["s"]}}' \
        "$(cat "$work/$1/proof")" >"$work/$1/tuning" ;;
    request_fuzzer)
      local buffer='{"buffers": [{"memory": "dram", "bytes": 64, "address": 1048704'
      local request="$buffer, \"stream\": true}]}"
      printf '\x00LW1\x02\x00\x00\x00%b\x00\x00\x00\x00\x00\x00\x00%s\x00%64s' "\\x$(printf %x $((${#request} + 65)))" "$request" x >"$work/$1/write"
      printf '\x00LW1\x03\x00\x00\x00%b\x00\x00\x00\x00\x00\x00\x00%s}]}\x00' "\\x$(printf %x $((${#buffer} + 4)))" "$buffer" >"$work/$1/read" ;;
    rewrite_fuzzer) cp "$source"/examples/*.cpp "$source"/src/source/sfpi/include/sfpi_predicate.h "$work/$1" ;;
    source_fuzzer) cp "$source"/examples/*.cpp "$work/$1" ;;
    sweep_space_fuzzer)
      for space in every range:-inf:1e-3 sample:1000 sample:40000:7 sample:5:7:0:1; do echo -n "$space" >"$work/$1/$space"; done ;;
    sweep_state_fuzzer) cp "$source/fuzz/sweep_state.seed" "$work/$1" ;;
    workbench_fuzzer)
      printf '%s' '{"text": "void kernel() {}", "arch": "wh", "reference": "x"}' >"$work/$1/request"
      printf 'k.cpp:6:22:   required from here\nsfpi.h:158:17: error: no division\nk.cpp:7:1: warning: unused\n' >"$work/$1/messages" ;;
    vector_fuzzer)
      zcat "$source/tests/vectors/sfpu-bh.vec.gz" | awk 'NR <= 40' >"$work/$1/first_cases"
      for family in unpack/5-5 pack/5-6 sequence/semaphores; do
        zcat "$source/tests/vectors/tile-wh.vec.gz" | awk -v name="$family/1" '$1 == "case" { on = $2 == name } on' \
          >"$work/$1/${family/\//_}"
      done ;;
  esac
}

for fuzzer in "$build"/fuzz/*_fuzzer; do
  name=$(basename "$fuzzer")
  mkdir -p "$work/$name"
  seeds "$name"
  if ! "$fuzzer" "${options[@]}" -max_total_time=$seconds -rss_limit_mb=2048 -timeout=10 -artifact_prefix="$work/" \
    "$work/$name" >"$work/log" 2>&1; then
    tail -60 "$work/log"
    for crash in "$work"/{crash,timeout,oom,leak}-*; do [ -e "$crash" ] && { echo "$crash"; base64 "$crash" | head -c 4000; }; done
    exit 1
  fi
  printf '%s: %s\n' "$name" "$(grep -E '^Done' "$work/log")"
done
