// What a program costs that runs once: expanding and decoding its words, and executing them.
//
//   ./lanewise bench --once
//
// A benchmark is named WHAT/PROGRAM. 'prepare' expands and decodes with a front end that has seen
// the program before; 'once' is all that a program needs: a new machine, preparing, executing. The
// counter `ns` is nanoseconds of processor time per instruction; look at ratios, absolute numbers
// depend on the machine.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

#include "chip/machine/machine.h"
#include "processor_time.h"
#include "source/assembly/assembly.h"

namespace lanewise::bench {

namespace {

constexpr unsigned kInstructions = 1000;

/// The text of instruction i of a program.
using Line = std::function<std::string(unsigned)>;

std::string lines(unsigned count, const Line& line) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += line(i) + '\n';
  return text;
}

std::string few_words(unsigned i) {
  return fmt::format("SFPMAD L0, L1, L2, L{}, 0", i % 8);
}

/// As kernels have them: loads, constants, arithmetic, predication, stores.
std::string mixed_words(unsigned i) {
  const unsigned reg = i / 8 % 8, address = i / 8 * 2 % 64;
  switch (i % 8) {
    case 0: return fmt::format("SFPLOAD L0, FP32, 3, {}", address);
    case 1: return fmt::format("SFPLOADI L{}, FLOATB, {}", reg, i);
    case 2: return fmt::format("SFPMAD L0, L1, L2, L{}, 0", reg);
    case 3: return fmt::format("SFPADD L10, L{}, L3, L4, 0", reg);
    case 4: return fmt::format("SFPIADD 0, L2, L{}, 5", reg);
    case 5: return "SFPSETCC 0, L0, 0";
    case 6: return "SFPENCC 3, 10";
    default: return fmt::format("SFPSTORE L0, FP32, 3, {}", address);
  }
}

struct Case {
  std::string_view name;
  std::string text;
};

const Case kCases[] = {
    {"sfpmad", lines(kInstructions, few_words)},
    {"mixed", lines(kInstructions, mixed_words)},
    {"distinct",
     lines(kInstructions, [](unsigned i) { return fmt::format("SFPLOADI L1, FLOATB, {}", i); })},
    {"nop", lines(kInstructions, [](unsigned) { return "NOP"; })},
    {"mvmul",
     lines(kInstructions,
           [](unsigned i) { return fmt::format("MVMUL FlipSrcB=0, DstRow={}", 8 * (i % 8)); })},
    {"replay", "REPLAY 0, 20, 1, 1\n" + lines(20, few_words) +
                   lines(kInstructions / 20 - 1, [](unsigned) { return "REPLAY 0, 20, 0, 0"; })},
};

void count_nanoseconds(benchmark::State& bench, std::size_t instructions, double seconds) {
  bench.counters["ns"] =
      1e9 * seconds / static_cast<double>(bench.iterations()) / static_cast<double>(instructions);
}

void prepare(benchmark::State& bench, const Program& program) {
  Machine machine(Arch::Blackhole);
  std::size_t instructions = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) instructions = machine.prepare(program).ops.size();
  count_nanoseconds(bench, instructions, cpu_seconds() - begin);
}

void run_once(benchmark::State& bench, const Program& program) {
  std::size_t instructions = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    Machine machine(Arch::Blackhole);
    const MicroProgram prepared = machine.prepare(program);
    machine.execute(prepared);
    instructions = prepared.ops.size();
    benchmark::DoNotOptimize(machine.state().vector.flags);
  }
  count_nanoseconds(bench, instructions, cpu_seconds() - begin);
}

void add(const Case& each) {
  const Program program = assembly::assemble(Arch::Blackhole, each.text, each.name).value();
  benchmark::RegisterBenchmark(fmt::format("prepare/{}", each.name).c_str(),
                               [program](benchmark::State& bench) { prepare(bench, program); });
  benchmark::RegisterBenchmark(fmt::format("once/{}", each.name).c_str(),
                               [program](benchmark::State& bench) { run_once(bench, program); });
}

} // namespace
} // namespace lanewise::bench

int main(int argc, char** argv) {
  for (const auto& each : lanewise::bench::kCases) lanewise::bench::add(each);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
