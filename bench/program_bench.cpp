// A program of examples/programs/ with more tiles: reader, Matrix Unit, writer on one core.
//
//   ./lanewise bench --program
//
// 'run/64' is what 64 tiles cost once kernels are compiled: a process of its own, five cores, NoC
// and DRAM, every access of kernels that move data looked at. 'run/1' is what does not grow with
// tiles. 'unchecked/64' is 'run/64' without a look at loads and stores: the ratio is what that
// costs. 'cold' compiles the kernels of all five cores, side by side, with precompiled headers; the
// first round of a new cache precompiles those, too. Aims: 'run/64' below a second, 'cold' below
// four on two cores.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "run/launch/launch.h"
#include "source/programs/compile.h"
#include "source/programs/description.h"
#include "source/programs/layout.h"

namespace lanewise::bench {

namespace {

constexpr std::string_view kFolder = LANEWISE_EXAMPLES "/programs/";
constexpr std::uint32_t kTilesOfExample = 4, kTileBytes = 2048;

/// vector_add.json with another number of tiles, whose kernels lie where this is started from.
programs::Program program_of(std::uint32_t tiles) {
  std::ostringstream text;
  text << std::ifstream(std::string(kFolder) + "vector_add.json").rdbuf();
  programs::Program program = programs::parse_description(text.str()).value().program;
  for (programs::Buffer& buffer : program.buffers) {
    buffer.bytes = tiles * kTileBytes;
    buffer.contents.assign(buffer.bytes, 0x3F);
  }
  for (programs::Kernel& kernel : program.kernels) {
    kernel.file = std::string(kFolder) + kernel.file.substr(kernel.file.find("kernels/"));
    for (programs::Argument& argument : kernel.runtime_args)
      if (argument == programs::Argument(kTilesOfExample)) argument = tiles;
  }
  return program;
}

void launch(benchmark::State& state, bool tells_accesses) {
  const programs::Program program = program_of(static_cast<std::uint32_t>(state.range(0)));
  const auto layout = programs::lay_out(program);
  const auto objects = programs::compile_program(
      program, *layout, {.checkout = {}, .tells_accesses = tells_accesses});
  if (!objects) return state.SkipWithError(objects.error().message.c_str());
  for (auto _ : state) {
    const auto outcome = launch::launch_program(program, *layout, *objects, {});
    if (!outcome || !outcome->is_done() || !outcome->faults.empty())
      state.SkipWithError("the program does not run");
  }
  state.counters["tiles/s"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void run(benchmark::State& state) {
  launch(state, true);
}

void unchecked(benchmark::State& state) {
  launch(state, false);
}

/// A macro that nobody uses makes g++ compile again.
void cold(benchmark::State& state) {
  programs::Program program = program_of(64);
  const auto layout = programs::lay_out(program);
  for (auto _ : state) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    for (programs::Kernel& kernel : program.kernels)
      kernel.defines = {{"LANEWISE_BENCH", std::to_string(now)}};
    if (!programs::compile_program(program, *layout, {.checkout = {}, .tells_accesses = true}))
      state.SkipWithError("the kernels do not compile");
  }
}

BENCHMARK(run)->Arg(1)->Arg(64)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(unchecked)->Arg(64)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cold)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

} // namespace lanewise::bench

BENCHMARK_MAIN();
