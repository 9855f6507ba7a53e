// What a sweep costs for each input, and what of that is the machine, the reference, the
// statistics.
//
//   ./lanewise bench --sweep
//   ./lanewise bench --sweep --benchmark_filter=fp32
//
// A benchmark is named sweep/FUNCTION/FORMAT. The kernel is the same for all: it has 30
// instructions for 32 elements. A run looks at one chunk, 32768 inputs, on one thread. The
// counters, of processor time:
//
//   machine     nanoseconds per input: state from reset, load, kernel, read back
//   reference   of the correctly rounded function, once for all chips
//   whole       of all of it, as sweep() does it
//   statistics  the rest of the whole
//   share_...   the share of each in the whole, in the same run
//
// machine/KERNEL/FORMAT is the machine alone, with a kernel of another kind: `macros` has
// SFPLOADMACROs (examples/macros.tt), `pairs` adds two operands, `abs` is a single instruction:
//
//   interpreted  nanoseconds per input
//   generated    the same with the loop as generated code
//   ratio        interpreted / generated, in the same run
//   ready        seconds, by the clock, until that code was there: of g++, or of the cache
//
// statistics/FUNCTION/FORMAT/ERRORS is the statistics alone, of results of which every second one
// is a step off (`steps`) or that are off by anything (`sizes`):
//
//   vectors     nanoseconds per input: the passes in vectors (study/sweep/vector_counter.h)
//   loops       the loops over single results that other measures and formats take
//   ratio       loops / vectors, in the same run
//
// Look at the shares and at the parts beside each other; absolute numbers depend on the machine and
// what else it does. Nothing here fails because of time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "processor_time.h"
#include "source/assembly/assembly.h"
#include "study/sweep/worker.h"

namespace lanewise::bench {

namespace {

/// A polynomial of degree 11 in Horner's form, with rests of instructions of the other sub-units:
/// 30 for 32 elements, none of which depends on how numbers are distributed.
std::string kernel_text() {
  std::string text = ".repeat 32\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\nSFPABS L0, L1, FLOAT\n";
  constexpr int kDegree = 11;
  text += "SFPLOADI L2, FLOATB, bf16(0.001)\n";
  for (int i = 0; i < kDegree; ++i) text += "SFPMAD L2, L1, L10, L2, 0\nSFPNOP\n";
  text += R"(
SFPSETSGN 0, L2, L2, 1
SFPSETCC VC=L0, Mod1=LREG_LT0
SFPENCC 3, Mod1=EI_RI
SFPSTORE L2, SRCB, ADDR_MOD_3, 0
INCRWC DstInc=2
.endr
)";
  return text;
}

/// Nanoseconds of one call for each input.
template <class Work>
double time_of(std::size_t inputs, Work&& work) {
  constexpr double kDuration = 0.1; // enough for three digits
  return seconds_of(kDuration, work) / static_cast<double>(inputs) * 1e9;
}

/// The middle of the numbers that a kernel gets most: about 1 to 4.
std::uint64_t chunk_of_ordinary_numbers(const sweep::SweepPlan& plan) {
  const std::uint32_t one = formats::round_to_bits(plan.options.format, 1);
  return one / sweep::kChunkMagnitudes;
}

void sweep(benchmark::State& bench, const char* expression, formats::Format format) {
  const auto parsed = references::parse_reference(expression);
  if (!parsed) return bench.SkipWithError(to_string(parsed.error()).c_str());
  const references::Reference& reference = **parsed;
  const sweep::SweepOptions options{.format = format, .space = {}};
  const auto program = assembly::assemble(Arch::Blackhole, kernel_text(), "bench.tt");
  if (!program) return bench.SkipWithError(to_string(program.error()).c_str());
  const auto plan =
      sweep::make_plan({{.arch = Arch::Blackhole, .program = *program}}, &reference, 1, options);
  auto worker = sweep::SweepWorker::prepare(*plan);
  auto machine = sweep::ChunkRunner::prepare(plan->programs[0], options, false);
  sweep::ChunkEvaluator evaluator(format, format, &reference, nullptr);
  const std::uint64_t chunk_number = chunk_of_ordinary_numbers(*plan);
  sweep::SweepChunk chunk;
  plan->order.fill(chunk_number, chunk.inputs);
  const std::size_t inputs = chunk.inputs.x.size();

  const double begin = cpu_seconds();
  for (auto _ : bench) benchmark::DoNotOptimize(worker->run(chunk_number));
  const double whole = (cpu_seconds() - begin) * 1e9 / static_cast<double>(bench.iterations()) /
                       static_cast<double>(inputs);
  sweep::FoundBits found;
  const double machine_time = time_of(inputs, [&] { machine->run(chunk.inputs, found); });
  auto generated = sweep::ChunkRunner::prepare(plan->programs[0], options, true);
  bench.counters["machine_generated"] =
      time_of(inputs, [&] { generated->run(chunk.inputs, found); });
  const double reference_time =
      time_of(inputs, [&] { benchmark::DoNotOptimize(evaluator.evaluate(chunk)); });
  bench.counters["whole"] = whole;
  bench.counters["machine"] = machine_time;
  bench.counters["reference"] = reference_time;
  bench.counters["statistics"] = whole - machine_time - reference_time;
  bench.counters["share_machine"] = machine_time / whole;
  bench.counters["share_reference"] = reference_time / whole;
  bench.counters["share_statistics"] = (whole - machine_time - reference_time) / whole;
}
BENCHMARK_CAPTURE(sweep, exp_bf16, "exp(x)", formats::Format::BF16)->Name("sweep/exp/bf16");
BENCHMARK_CAPTURE(sweep, exp_fp32, "exp(x)", formats::Format::FP32)->Name("sweep/exp/fp32");
BENCHMARK_CAPTURE(sweep, tanh_fp32, "tanh(x)", formats::Format::FP32)->Name("sweep/tanh/fp32");
BENCHMARK_CAPTURE(sweep, gelu_fp32, "gelu(x)", formats::Format::FP32)->Name("sweep/gelu/fp32");

/// examples/macros.tt.
std::string macro_text() {
  std::string text = R"(
SFPSETSGN 1, L0, L12, ARG_IMM
SFPMAD L10, L10, L0, L13, 0
SFPSTOCHRND RND_NEAREST, 0, L0, L0, L14, FP32_TO_FP16B
SFPLOADI L0, LOWER, 0x0D04
SFPLOADI L0, UPPER, 0x635E
SFPCONFIG 0, 4, 0
SFPCONFIG 0x010, 8, 1
SFPNOP
REPLAY 0, 32, 0, 1
)";
  for (int row = 0; row < 32; ++row)
    text += fmt::format("SFPLOADMACRO 0, {}, SRCB, ADDR_MOD_3, {}, 0\n", row % 4, row);
  return text + "REPLAY 0, 32, 0, 0\n.repeat 5\nSFPNOP\n.endr\n";
}

std::string pairs_text() {
  return ".repeat 32\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\nSFPLOAD L1, SRCB, ADDR_MOD_3, 64\n"
         "SFPADD L10, L0, L1, L0, 0\nSFPNOP\nSFPSTORE L0, SRCB, ADDR_MOD_3, 0\nINCRWC DstInc=2\n"
         ".endr\n";
}

std::string abs_text() {
  return ".repeat 32\nSFPLOAD L0, SRCB, ADDR_MOD_3, 0\nSFPABS L0, L0, FLOAT\n"
         "SFPSTORE L0, SRCB, ADDR_MOD_3, 0\nINCRWC DstInc=2\n.endr\n";
}

void machine(benchmark::State& bench, std::string (*text)(), unsigned operands,
             formats::Format format) {
  sweep::SweepOptions options{.format = format, .space = {}};
  const auto program = assembly::assemble(Arch::Blackhole, text(), "bench.tt");
  if (!program) return bench.SkipWithError(to_string(program.error()).c_str());
  const auto plan = sweep::make_plan({{.arch = Arch::Blackhole, .program = *program}}, nullptr,
                                     operands, options);
  auto interpreted = sweep::ChunkRunner::prepare(plan->programs[0], options, false);
  options.generation = sweep::Generation::Always;
  const auto begin = std::chrono::steady_clock::now();
  auto generated = sweep::ChunkRunner::prepare(plan->programs[0], options, true);
  const std::chrono::duration<double> ready = std::chrono::steady_clock::now() - begin;
  if (!generated) return bench.SkipWithError(to_string(generated.error()).c_str());
  sweep::SweepChunk chunk;
  plan->order.fill(chunk_of_ordinary_numbers(*plan), chunk.inputs);
  const std::size_t inputs = chunk.inputs.x.size();
  sweep::FoundBits found;
  double by_words = 1e9, by_code = 1e9;
  for (auto _ : bench) {
    by_words = std::min(by_words, time_of(inputs, [&] { interpreted->run(chunk.inputs, found); }));
    by_code = std::min(by_code, time_of(inputs, [&] { generated->run(chunk.inputs, found); }));
  }
  bench.counters["interpreted"] = by_words;
  bench.counters["generated"] = by_code;
  bench.counters["ratio"] = by_words / by_code;
  bench.counters["ready"] = ready.count();
}
BENCHMARK_CAPTURE(machine, abs_bf16, abs_text, 1, formats::Format::BF16)->Name("machine/abs/bf16");
BENCHMARK_CAPTURE(machine, macros_bf16, macro_text, 1, formats::Format::BF16)
    ->Name("machine/macros/bf16");
BENCHMARK_CAPTURE(machine, macros_fp32, macro_text, 1, formats::Format::FP32)
    ->Name("machine/macros/fp32");
BENCHMARK_CAPTURE(machine, pairs_bf16, pairs_text, 2, formats::Format::BF16)
    ->Name("machine/pairs/bf16");
BENCHMARK_CAPTURE(machine, rows_fp32, kernel_text, 1, formats::Format::FP32)
    ->Name("machine/rows/fp32");

/// Results that are off by the steps that `steps_of` gives for an index.
template <class StepsOf>
std::vector<std::uint32_t> results_off_by(const std::vector<std::uint32_t>& expected,
                                          StepsOf&& steps_of) {
  std::vector<std::uint32_t> found;
  found.reserve(expected.size());
  for (const std::uint32_t bits : expected) {
    const auto i = static_cast<std::uint32_t>(found.size());
    found.push_back(bits + steps_of(i));
  }
  return found;
}

std::uint32_t every_second(std::uint32_t i) {
  return i & 1;
}

/// 0 to 4095, as good as random.
std::uint32_t any_size(std::uint32_t i) {
  const std::uint32_t random = i * 2654435761U; // 2^32 divided by the golden ratio
  return random >> 20 >> (random >> 4 & 15);
}

void statistics(benchmark::State& bench, const char* expression, formats::Format format,
                std::uint32_t (*steps_of)(std::uint32_t)) {
  const auto reference = references::parse_reference(expression);
  if (!reference) return bench.SkipWithError(to_string(reference.error()).c_str());
  const sweep::SweepOptions options{.format = format, .space = {}};
  const auto plan =
      sweep::make_plan({{.arch = Arch::Blackhole, .program = {}}}, reference->get(), 1, options);
  sweep::SweepChunk chunk;
  plan->order.fill(chunk_of_ordinary_numbers(*plan), chunk.inputs);
  sweep::ChunkEvaluator evaluator(format, format, reference->get(), nullptr);
  if (!evaluator.evaluate(chunk)) return bench.SkipWithError("no reference");
  std::vector<sweep::PartSegment> segments;
  cut_into_segments(plan->parts, chunk.inputs.x, chunk.inputs.positives, segments);
  const sweep::FoundBits found{.found = results_off_by(chunk.expected.bits, steps_of),
                               .before_store = {}};
  sweep::ChunkCounter counter(plan->count_rules(), plan->parts);

  const std::size_t inputs = chunk.inputs.x.size();
  double vectors = 1e9, loops = 1e9;
  for (auto _ : bench) {
    constexpr double kDuration = 0.02;
    vectors = std::min(vectors, seconds_of(kDuration, [&] {
                         benchmark::DoNotOptimize(counter.count(chunk, found, segments));
                       }));
    loops = std::min(loops, seconds_of(kDuration, [&] {
                       benchmark::DoNotOptimize(counter.one_by_one(chunk, found, segments));
                     }));
  }
  bench.counters["vectors"] = vectors * 1e9 / static_cast<double>(inputs);
  bench.counters["loops"] = loops * 1e9 / static_cast<double>(inputs);
  bench.counters["ratio"] = loops / vectors;
}
BENCHMARK_CAPTURE(statistics, fp32_steps, "exp(x)", formats::Format::FP32, every_second)
    ->Name("statistics/exp/fp32/steps");
BENCHMARK_CAPTURE(statistics, fp32_sizes, "exp(x)", formats::Format::FP32, any_size)
    ->Name("statistics/exp/fp32/sizes");
BENCHMARK_CAPTURE(statistics, bf16_steps, "exp(x)", formats::Format::BF16, every_second)
    ->Name("statistics/exp/bf16/steps");
BENCHMARK_CAPTURE(statistics, bf16_sizes, "exp(x)", formats::Format::BF16, any_size)
    ->Name("statistics/exp/bf16/sizes");

} // namespace
} // namespace lanewise::bench

BENCHMARK_MAIN();
