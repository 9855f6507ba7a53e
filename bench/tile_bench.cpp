// How long a whole tile takes: the programs of examples/tile, from L1 to L1.
//
//   ./lanewise bench --tile
//
// The counters:
//
//   words  instructions of the three threads per second
//   ratio  how many times longer the program takes than its reference in the same run: for
//          'matmul/...' the math thread's MVMULs alone, on a machine whose sources are there
//          already; for the others the same program in the plain order, round robin
//
// Look at ratios; absolute numbers depend on the machine. Nothing here fails because of time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/text_file.h"
#include "chip/machine/machine.h"
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

} // namespace
} // namespace lanewise::bench

BENCHMARK_MAIN();
