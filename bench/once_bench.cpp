// What a program costs that runs once: reading its text, expanding and decoding its words, checking
// and executing them.
//
//   ./lanewise bench --once
//
// A benchmark is named WHAT/PROGRAM. 'prepare' expands and decodes with a front end that has seen
// the program before; 'once' is all that words need: a new machine, preparing, executing.
// 'assemble' makes words of the text; 'result' is all that 'lanewise run' does with it: assembly,
// what would be wrong, one tile. 'push' is a compiled loop of a core that pushes words. The counter
// `ns` is nanoseconds of processor time per instruction, and for a loop per pushed word; look at
// ratios, absolute numbers depend on the machine.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

#include "binary/elf/call.h"
#include "chip/machine/machine.h"
#include "processor_time.h"
#include "run/execution/run_program.h"
#include "source/assembly/assembly.h"
#include "source/assembly/syntax.h"

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

void assemble(benchmark::State& bench, const Case& each) {
  std::size_t words = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    words = assembly::read_assembly(Arch::Blackhole, each.text, each.name, assembly::Syntax::Auto)
                ->program.words.size();
  }
  count_nanoseconds(bench, words, cpu_seconds() - begin);
}

/// The text so often that what does not depend on its length counts for little.
void result(benchmark::State& bench, const Case& each) {
  constexpr unsigned kTimes = 30;
  std::string text;
  for (unsigned i = 0; i < kTimes; ++i) text += each.text;
  constexpr Arch kArch = Arch::Blackhole;
  std::size_t instructions = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    const auto loaded = execution::load_program({.name = "bench.tt"}, text, {&kArch, 1});
    const auto outlook = execution::look_ahead(loaded->front(), {}, {}, true);
    instructions = execution::run_program(loaded->front(), {}, {}, *outlook)->run.instructions;
  }
  count_nanoseconds(bench, instructions, cpu_seconds() - begin);
}

/// push(n): lui a5, 0xFFE40; lui a4, 0x71000; 1: sw a4, 0(a5); addi a0, a0, -1; bnez a0, 1b; ret
elf::Image pushing_image() {
  constexpr std::uint32_t kCode[] = {0xFFE407B7, 0x71000737, 0x00E7A023,
                                     0xFFF50513, 0xFE051CE3, 0x00008067};
  constexpr std::uint32_t kAddress = 0x6000;
  elf::Segment segment;
  segment.address = kAddress;
  segment.size = sizeof kCode;
  segment.executable = true;
  for (const std::uint32_t word : kCode) {
    for (unsigned byte = 0; byte < 4; ++byte)
      segment.bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  elf::Image image;
  image.segments.push_back(std::move(segment));
  return image;
}

void push(benchmark::State& bench) {
  constexpr std::uint32_t kWords = 100'000;
  const elf::Image image = pushing_image();
  elf::Symbol function;
  function.address = image.segments.front().address;
  std::size_t words = 0;
  const double begin = cpu_seconds();
  for (auto _ : bench) {
    words = elf::call(image, function, {kWords}, Arch::Blackhole)->program.words.size();
  }
  count_nanoseconds(bench, words, cpu_seconds() - begin);
}

void add(const Case& each) {
  const Program program = assembly::assemble(Arch::Blackhole, each.text, each.name).value();
  benchmark::RegisterBenchmark(fmt::format("prepare/{}", each.name).c_str(),
                               [program](benchmark::State& bench) { prepare(bench, program); });
  benchmark::RegisterBenchmark(fmt::format("once/{}", each.name).c_str(),
                               [program](benchmark::State& bench) { run_once(bench, program); });
  benchmark::RegisterBenchmark(fmt::format("assemble/{}", each.name).c_str(),
                               [&each](benchmark::State& bench) { assemble(bench, each); });
  benchmark::RegisterBenchmark(fmt::format("result/{}", each.name).c_str(),
                               [&each](benchmark::State& bench) { result(bench, each); });
}

} // namespace
} // namespace lanewise::bench

int main(int argc, char** argv) {
  for (const auto& each : lanewise::bench::kCases) lanewise::bench::add(each);
  benchmark::RegisterBenchmark("push/loop", lanewise::bench::push);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
