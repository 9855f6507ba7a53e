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
// Look at the shares and at the parts beside each other; absolute numbers depend on the machine and
// what else it does. Nothing here fails because of time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "isa/assembly/assembly.h"
#include "processor_time.h"
#include "sweep/worker.h"

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
std::uint64_t chunk_of_ordinary_numbers(const lab::SweepPlan& plan) {
  const std::uint32_t one = lab::round_to_bits(plan.options.format, 1);
  return one / lab::kChunkMagnitudes;
}

void sweep(benchmark::State& bench, const char* expression, lab::Format format) {
  const auto parsed = lab::parse_reference(expression);
  if (!parsed) return bench.SkipWithError(to_string(parsed.error()).c_str());
  const lab::Reference& reference = **parsed;
  const lab::SweepOptions options{.format = format, .space = {}};
  const auto program = isa::assemble(Arch::Blackhole, kernel_text(), "bench.tt");
  if (!program) return bench.SkipWithError(to_string(program.error()).c_str());
  const auto plan =
      lab::make_plan({{.arch = Arch::Blackhole, .program = *program}}, &reference, 1, options);
  auto worker = lab::SweepWorker::prepare(*plan);
  auto machine = lab::ChunkRunner::prepare(plan->programs[0], options, false);
  lab::ChunkEvaluator evaluator(format, format, &reference, nullptr);
  const std::uint64_t chunk_number = chunk_of_ordinary_numbers(*plan);
  lab::SweepChunk chunk;
  plan->order.fill(chunk_number, chunk.inputs);
  const std::size_t inputs = chunk.inputs.x.size();

  const double begin = cpu_seconds();
  for (auto _ : bench) benchmark::DoNotOptimize(worker->run(chunk_number));
  const double whole = (cpu_seconds() - begin) * 1e9 / static_cast<double>(bench.iterations()) /
                       static_cast<double>(inputs);
  lab::FoundBits found;
  const double machine_time = time_of(inputs, [&] { machine->run(chunk.inputs, found); });
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
BENCHMARK_CAPTURE(sweep, exp_bf16, "exp(x)", lab::Format::BF16)->Name("sweep/exp/bf16");
BENCHMARK_CAPTURE(sweep, exp_fp32, "exp(x)", lab::Format::FP32)->Name("sweep/exp/fp32");
BENCHMARK_CAPTURE(sweep, tanh_fp32, "tanh(x)", lab::Format::FP32)->Name("sweep/tanh/fp32");
BENCHMARK_CAPTURE(sweep, gelu_fp32, "gelu(x)", lab::Format::FP32)->Name("sweep/gelu/fp32");

} // namespace
} // namespace lanewise::bench

BENCHMARK_MAIN();
