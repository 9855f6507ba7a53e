// How cost grows: with inputs and threads of a sweep, with tiles and cores of a program.
//
//   ./lanewise bench --growth
//
// A benchmark is named WHAT/N, and its counters are
//
//   ns        nanoseconds by the clock for each input or tile
//   cpu_ns    nanoseconds of processor time of all threads and processes
//   to_first  cpu_ns as a multiple of that of the smallest N of the same WHAT, in this run
//
// A sweep (examples/exp.tt, fp32, with its reference and statistics) is interpreted, so that g++ is
// not in it. A program (examples/programs/vector_add.json) is ready to run: its kernels are
// compiled. Where nothing but the work grows, `to_first` falls to a constant with more of it, and
// stays at 1 with more threads and cores.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "number/formats/format.h"
#include "run/grid/grid.h"
#include "source/assembly/assembly.h"
#include "source/programs/description.h"
#include "study/sweep/sweep.h"

namespace lanewise::bench {

namespace {

const std::string kExamples = LANEWISE_EXAMPLES "/";

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(kExamples + file).rdbuf();
  return text.str();
}

/// Of this process and of those that it has waited for, in seconds.
double cpu_seconds_of_all() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& each : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(each.tv_sec) + 1e-6 * static_cast<double>(each.tv_usec);
  }
  return seconds;
}

/// cpu_ns of the smallest N that was measured, by what.
struct Smallest {
  std::int64_t n;
  double cpu_ns;
};

double of_smallest(std::string_view what, Smallest measured) {
  static std::map<std::string_view, Smallest> all;
  Smallest& smallest = all.emplace(what, measured).first->second;
  if (measured.n <= smallest.n) smallest = measured; // the last of several runs is the longest
  return smallest.cpu_ns;
}

/// `work` returns false where it failed.
template <class Work>
void measure(benchmark::State& bench, std::string_view what, double units, Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds_of_all();
  for (auto _ : bench)
    if (!work()) return bench.SkipWithError("it does not run");
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  const double all = units * static_cast<double>(bench.iterations());
  const double cpu_ns = 1e9 * (cpu_seconds_of_all() - cpu_begin) / all;
  bench.counters["ns"] = 1e9 * passed.count() / all;
  bench.counters["cpu_ns"] = cpu_ns;
  bench.counters["to_first"] = cpu_ns / of_smallest(what, {bench.range(0), cpu_ns});
}

void sweep(benchmark::State& bench, std::string_view what, std::uint64_t inputs, unsigned threads) {
  const auto reference = references::parse_reference("exp(x)");
  const auto program = assembly::assemble(Arch::Blackhole, text_of("exp.tt"), "exp.tt");
  const sweep::SweepProgram each{.arch = Arch::Blackhole, .program = *program};
  sweep::SweepOptions options{.format = formats::Format::FP32, .threads = threads};
  constexpr std::uint32_t kOne = 0x3F80'0000; // 1.0: `inputs` numbers from there on
  const auto last = kOne + static_cast<std::uint32_t>(inputs - 1);
  options.space.range = sweep::SweepRange{1, formats::value_of_bits(options.format, last)};
  options.generation = sweep::Generation::Never;
  measure(bench, what, static_cast<double>(inputs),
          [&] { return sweep::sweep(std::span(&each, 1), **reference, options).has_value(); });
}

void inputs(benchmark::State& bench) {
  sweep(bench, "inputs", static_cast<std::uint64_t>(bench.range(0)), 1);
}

void threads(benchmark::State& bench) {
  sweep(bench, "threads", std::uint64_t{1} << 24, static_cast<unsigned>(bench.range(0)));
}

/// vector_add.json on so many cores of a row: each adds `tiles` tiles of a and b into a buffer of
/// its own.
programs::Program vector_add(std::uint32_t tiles, std::uint32_t cores) {
  constexpr std::uint32_t kTilesOfExample = 4, kTileBytes = 2048;
  const std::string text = text_of("programs/vector_add.json");
  programs::Program program = programs::parse_description(text).value().program;
  for (programs::Buffer& buffer : program.buffers) {
    buffer.bytes = tiles * kTileBytes;
    buffer.contents.assign(buffer.bytes, 0x3F);
  }
  const programs::Buffer sum = program.buffers.back();
  const auto sum_of = [&](std::uint32_t core) {
    return core == 0 ? sum.name : fmt::format("{}{}", sum.name, core);
  };
  for (std::uint32_t i = 1; i < cores; ++i) {
    program.buffers.push_back(sum);
    program.buffers.back().name = sum_of(i);
  }

  const programs::CoreSet on{{{0, 0}, {cores - 1, 0}}};
  for (programs::CircularBuffer& each : program.circular_buffers) each.cores = on;
  for (programs::Kernel& kernel : program.kernels) {
    kernel.cores = on;
    kernel.file = kExamples + "programs/" + kernel.file.substr(kernel.file.find("kernels/"));
    for (std::uint32_t i = 0; i < cores; ++i) {
      std::vector<programs::Argument>& arguments = kernel.runtime_args_at[{i, 0}];
      arguments = kernel.runtime_args;
      for (programs::Argument& argument : arguments) {
        if (argument == programs::Argument(kTilesOfExample)) argument = tiles;
        if (argument == programs::Argument(programs::AddressOf{sum.name}))
          argument = programs::AddressOf{sum_of(i)};
      }
    }
  }
  return program;
}

void run(benchmark::State& bench, std::string_view what, std::uint32_t tiles, std::uint32_t cores) {
  const programs::Program program = vector_add(tiles, cores);
  const auto prepared = grid::prepare(program, {.checkout = {}, .tells_accesses = true});
  if (!prepared) return bench.SkipWithError(prepared.error().message.c_str());
  measure(bench, what, double{1} * tiles * cores, [&] {
    const auto outcome = grid::run(*prepared, {});
    return outcome && outcome->is_done();
  });
}

void tiles(benchmark::State& bench) {
  run(bench, "tiles", static_cast<std::uint32_t>(bench.range(0)), 1);
}

void cores(benchmark::State& bench) {
  run(bench, "cores", 64, static_cast<std::uint32_t>(bench.range(0)));
}

BENCHMARK(inputs)
    ->RangeMultiplier(8)
    ->Range(1 << 15, 1 << 27)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(threads)
    ->RangeMultiplier(2)
    ->Range(1, 2 * std::thread::hardware_concurrency())
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(tiles)->RangeMultiplier(4)->Range(1, 1024)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cores)->RangeMultiplier(2)->Range(1, 8)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

} // namespace lanewise::bench

BENCHMARK_MAIN();
