// How long a whole tile takes: the programs of examples/tile, from L1 to L1.
//
//   ./lanewise bench --tile
//
// The counters:
//
//   words  instructions of the three threads per second
//   ratio  how many times longer the program takes than its reference in the same run: for
//          'matmul/...' the math thread's MVMULs alone, on a machine whose sources are there
//          already; for 'random/...' and 'adversarial/...' the same program in the plain order,
//          round robin; for 'unpack/...' and 'pack/...' the conversion of each datum by itself,
//          without an instruction: how many times longer, so that less than 1 is sooner
//
// Look at ratios; absolute numbers depend on the machine. Nothing here fails because of time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

#include "base/text_file.h"
#include "chip/machine/machine.h"
#include "chip/semantics/pack_values.h"
#include "chip/semantics/unpack_values.h"
#include "chip/tile/program_run.h"
#include "number/tensors/l1_image.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

namespace {

constexpr double kDuration = 0.2; // seconds, enough for three digits

struct Program {
  TileProgram program;
  tile::TileState start;

  Program(Arch arch, const std::string& name)
      : program(read(arch, name)), start(tile::start_state(arch, program).value()) {
    for (const ImageSetting& setting : program.inputs) {
      const auto input = tensors::parse_l1_input(setting.text).value();
      const auto bytes = tensors::l1_input_bytes(input).value();
      std::ranges::copy(bytes, start.l1.bytes().begin() + input.address);
    }
  }

  static TileProgram read(Arch arch, const std::string& name) {
    const std::string path =
        LANEWISE_EXAMPLES "/tile/" + name + "_" + std::string(arch_params(arch).names.id) + ".tt";
    return assembly::assemble_tile(arch, read_text_file(path).value(), path).value();
  }

  /// From the start to the end, on a tile that is kept: making one is not measured.
  void run(tile::Tile& tile, const tile::ScheduleChoice& choice) const {
    tile.state() = start;
    const auto result = tile::run_program(tile, program, choice);
    if (!result || !result->blocked.empty()) throw std::runtime_error("the example does not end");
    benchmark::ClobberMemory();
  }
};

/// Restoring the state copies all of L1, which is no part of what a program costs.
double seconds_of_run(const Program& program, const tile::ScheduleChoice& choice,
                      bool has_log = false) {
  tile::Tile tile(program.start.arch());
  double seconds = 0, runs = 0;
  while (seconds < kDuration) {
    tile.state() = program.start;
    tile::AccessLog log;
    if (has_log) tile.state().log = &log;
    const double begin = cpu_seconds();
    const auto result = tile::run_program(tile, program.program, choice);
    seconds += cpu_seconds() - begin;
    if (!result) throw std::runtime_error("the example does not run");
    ++runs;
  }
  return seconds / runs;
}

std::uint64_t words_of(const tile::Tile& tile) {
  std::uint64_t words = 0;
  for (const auto& thread : tile.state().thread) words += thread.executed;
  return words;
}

void report(benchmark::State& bench, const Program& program, const tile::ScheduleChoice& choice,
            double seconds, double reference) {
  tile::Tile tile(program.start.arch());
  program.run(tile, choice);
  bench.counters["words"] = static_cast<double>(words_of(tile)) / seconds;
  bench.counters["ratio"] = seconds / reference;
}

/// MVMULs in faces' places, as many as 64 pairs of tiles need.
double seconds_of_mvmuls(Arch arch) {
  constexpr std::string_view kSource = R"(
.cfg ALU_ACC_CTRL_Fp32_enabled 1
.cfg ADDR_MOD_AB_SEC0  8 << 8
.cfg ADDR_MOD_DST_SEC0 8
.repeat 16
MVMUL AddrMod=ADDR_MOD_0
.endr
)";
  constexpr int kTimes = 64 * 4; // tiles and phases
  Machine machine(arch);
  const MicroProgram program =
      machine.prepare(assembly::assemble(arch, kSource, "bench.tt").value());
  return seconds_of(kDuration, [&] {
    for (int i = 0; i < kTimes; ++i) execute(machine.state(), program.ops);
  });
}

void matmul(benchmark::State& bench, Arch arch) {
  const Program program(arch, "matmul");
  tile::Tile tile(arch);
  for (auto _ : bench) program.run(tile, {});
  report(bench, program, {}, seconds_of_run(program, {}), seconds_of_mvmuls(arch));
}
BENCHMARK_CAPTURE(matmul, bh, Arch::Blackhole)->Name("matmul/bh");
BENCHMARK_CAPTURE(matmul, wh, Arch::Wormhole)->Name("matmul/wh");

void ordered(benchmark::State& bench, Arch arch, tile::Order order) {
  const Program program(arch, "matmul");
  const tile::ScheduleChoice choice{.order = order, .seed = 1};
  tile::Tile tile(arch);
  for (auto _ : bench) program.run(tile, choice);
  report(bench, program, choice, seconds_of_run(program, choice), seconds_of_run(program, {}));
}
BENCHMARK_CAPTURE(ordered, bh, Arch::Blackhole, tile::Order::Random)->Name("random/bh");
BENCHMARK_CAPTURE(ordered, wh, Arch::Wormhole, tile::Order::Random)->Name("random/wh");
BENCHMARK_CAPTURE(ordered, bh, Arch::Blackhole, tile::Order::Adversarial)->Name("adversarial/bh");
BENCHMARK_CAPTURE(ordered, wh, Arch::Wormhole, tile::Order::Adversarial)->Name("adversarial/wh");

/// What --races notes beside.
void logged(benchmark::State& bench, Arch arch) {
  const Program program(arch, "datacopy");
  tile::Tile tile(arch);
  for (auto _ : bench) {
    tile::AccessLog log;
    tile.state() = program.start;
    tile.state().log = &log;
    benchmark::DoNotOptimize(tile::run_program(tile, program.program, {}));
  }
  report(bench, program, {}, seconds_of_run(program, {}, true), seconds_of_run(program, {}));
}
BENCHMARK_CAPTURE(logged, bh, Arch::Blackhole)->Name("logged/bh");
BENCHMARK_CAPTURE(logged, wh, Arch::Wormhole)->Name("logged/wh");

constexpr unsigned kTileData = 1024;

/// A tile, 64 times, from L1 to SrcA. Formats as codes.
constexpr std::string_view kUnpack = R"(.arch bh
.cfg_word 64 {0} | 1 << 4 | 1024 << 16
.cfg_word 65 1 | 4 << 16
.cfg THCON_SEC0_REG2_Out_data_format {1}
.cfg THCON_SEC0_REG3_Base_address (0x20000 >> 4) - 1
.cfg UNP0_ADDR_BASE_REG_1_Base    {2}
.thread unpack
.cfg SRCA_SET_SetOvrdWithAddr 1
    SETADCXX U0=1, X0Val=0, X1Val=1023
.repeat 64
    UNPACR   WhichUnpacker=0, Last=1
.endr
)";

/// A tile from Dst to L1.
constexpr std::string_view kPack = R"(.arch bh
.cfg ALU_FORMAT_SPEC_REG2_Dstacc     {0}
.cfg THCON_SEC0_REG1_In_data_format  {0}
.cfg THCON_SEC0_REG1_Out_data_format {1}
.cfg THCON_SEC0_REG1_Disable_zero_compress 1
.cfg THCON_SEC0_REG1_Exp_section_size 4
.cfg THCON_SEC0_REG1_L1_Dest_addr    (0x30000 >> 4) - 1
.cfg PCK_DEST_RD_CTRL_Read_32b_data  {2}
.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride {3}
.cfg PCK_EDGE_OFFSET_SEC0_mask       0xFFFF
.thread pack
.cfg ADDR_MOD_PACK_SEC0_YsrcIncr 4
    SETADCXX PK=1, X0Val=0, X1Val=15
    SETADCXY PK=1, Y0=1, Y0Val=0
.repeat 15
    PACR     ReadIntfSel=15, AddrMod=ADDR_MOD_0
.endr
    PACR     ReadIntfSel=15, AddrMod=ADDR_MOD_0, Last=1
)";

/// Any bits everywhere; `datum` converts one by itself.
void convert(benchmark::State& bench, const std::string& text, unsigned tiles,
             const std::function<std::uint32_t(std::uint32_t)>& datum) {
  const TileProgram program = assembly::assemble_tile(Arch::Blackhole, text, "bench.tt").value();
  tile::TileState start = tile::start_state(Arch::Blackhole, program).value();
  std::mt19937 random(1);
  for (std::uint8_t& byte : start.l1.bytes()) byte = static_cast<std::uint8_t>(random());
  for (auto& row : start.machine.dst.cell)
    for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(random());
  start.machine.dst.valid_bits.fill(~std::uint64_t{0});
  tile::Tile tile(Arch::Blackhole);
  tile.state() = start;
  const auto run = [&] {
    benchmark::DoNotOptimize(tile::run_program(tile, program, {}).value().steps);
  };
  for (auto _ : bench) run();
  const double seconds = seconds_of(kDuration, run) / tiles;
  std::uint32_t sum = 0;
  const double one_by_one = seconds_of(kDuration, [&] {
    for (std::uint32_t k = 0; k < kTileData; ++k) sum += datum(k * 0x9E3779B1U);
  });
  benchmark::DoNotOptimize(sum);
  bench.counters["data"] = kTileData / seconds;
  bench.counters["ratio"] = seconds / one_by_one;
}

void unpack(benchmark::State& bench, isa::DataFormat in, isa::DataFormat out, unsigned base) {
  const semantics::Unpacking how{.arch = Arch::Blackhole, .in = in, .out = out};
  convert(bench,
          fmt::format(fmt::runtime(kUnpack), static_cast<int>(in), static_cast<int>(out), base), 64,
          [&](std::uint32_t bits) { return semantics::unpack_value(how, bits, bits >> 24); });
}
BENCHMARK_CAPTURE(unpack, bf16, isa::DataFormat::Bf16, isa::DataFormat::Bf16, 128);
BENCHMARK_CAPTURE(unpack, fp32, isa::DataFormat::Fp32, isa::DataFormat::Tf32, 256);
BENCHMARK_CAPTURE(unpack, bfp8, isa::DataFormat::Bfp8, isa::DataFormat::Bfp8, 64);

void pack(benchmark::State& bench, isa::DataFormat intermediate, isa::DataFormat out, bool wide) {
  const semantics::Packing how{
      .arch = Arch::Blackhole, .intermediate = intermediate, .out = out, .reads_32_bits = wide};
  convert(bench,
          fmt::format(fmt::runtime(kPack), static_cast<int>(intermediate), static_cast<int>(out),
                      wide ? 1 : 0, wide ? 64 : 32),
          1, [&](std::uint32_t bits) {
            return semantics::pack_late(how, semantics::pack_early(how, wide ? bits : bits >> 16));
          });
}
BENCHMARK_CAPTURE(pack, bf16, isa::DataFormat::Bf16, isa::DataFormat::Bf16, false);
BENCHMARK_CAPTURE(pack, fp32, isa::DataFormat::Fp32, isa::DataFormat::Fp32, true);
BENCHMARK_CAPTURE(pack, bfp8, isa::DataFormat::Bf16, isa::DataFormat::Bfp8, false);

} // namespace
} // namespace lanewise::bench

BENCHMARK_MAIN();
