// What a value of each function of --ref costs: by vectors of the level in use, and one by one.
//
//   ./lanewise bench --reference
//   ./lanewise bench --reference --benchmark_filter=/exp
//
// A benchmark is named reference/FUNCTION/FORMAT, or after an expression. It evaluates a chunk of
// 32768 inputs between -8 and 8, on one thread. The counters, of processor time:
//
//   vectors  nanoseconds per input by Reference::evaluate(), which takes what vectors leave open
//            one by one
//   points   the same one by one: intervals of one double each, by <cmath>
//   ratio    of the two, in the same run
//
// Absolute numbers depend on the machine. Nothing here fails because of time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "number/references/functions.h"
#include "number/references/point.h"
#include "number/references/reference.h"
#include "number/tensors/pattern.h"
#include "processor_time.h"

namespace lanewise::bench {

namespace {

constexpr std::size_t kInputs = 32768;
constexpr double kDuration = 0.03; // enough for two digits

/// Numbers of the format between -8 and 8, whose operands are not zero.
std::vector<double> inputs(formats::Format format, std::uint64_t seed) {
  tensors::SplitMix64 random(seed);
  std::vector<double> numbers(kInputs);
  for (double& number : numbers) {
    const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
    number =
        formats::value_of_bits(format, formats::round_to_bits(format, 16 * uniform - 8 + 0x1p-30));
  }
  return numbers;
}

double time_of_vectors(const references::Reference& reference, formats::Format format,
                       const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::uint32_t> bits(kInputs);
  std::vector<double> exact(kInputs);
  references::ReferenceResults results{.bits = bits, .exact = exact, .undecided = {}};
  return seconds_of(kDuration,
                    [&] { benchmark::DoNotOptimize(reference.evaluate(format, x, y, results)); });
}

double time_of_points(const references::Expression& expression, formats::Format format,
                      const std::vector<double>& x, const std::vector<double>& y) {
  const references::BlockProgram program(expression);
  return seconds_of(kDuration, [&] {
    for (std::size_t i = 0; i < kInputs; ++i)
      benchmark::DoNotOptimize(
          references::evaluate_at_point(expression, program, format, x[i], y[i]));
  });
}

void evaluate(benchmark::State& bench, const std::string& text, formats::Format format) {
  const auto expression = references::parse_expression(text);
  const auto reference = references::parse_reference(text);
  if (!expression || !reference) return bench.SkipWithError(text.c_str());
  const std::vector<double> x = inputs(format, 1), y = inputs(format, 2);
  double vectors = 0, points = 0;
  for (auto _ : bench) {
    vectors = time_of_vectors(**reference, format, x, y);
    points = time_of_points(*expression, format, x, y);
  }
  constexpr double kNanoseconds = 1e9 / kInputs;
  bench.counters["vectors"] = vectors * kNanoseconds;
  bench.counters["points"] = points * kNanoseconds;
  bench.counters["ratio"] = points / vectors;
}

/// A call of the function, of x and y.
std::string call_of(const references::ReferenceFunction& function) {
  const std::string name(function.name);
  if (name == "?:") return "x ? y : 0.5";
  if (name == "!" || name == "-x") return name.substr(0, 1) + "x";
  if (function.group == references::FunctionGroup::Operator) return fmt::format("x {} y", name);
  if (function.operands == 1) return name + "(x)";
  return name + (function.operands == 2 ? "(x, y)" : "(x, y, 0.5)");
}

void add(const std::string& text, formats::Format format) {
  const std::string name = fmt::format("reference/{}/{}", text, formats::format_name(format));
  benchmark::RegisterBenchmark(name.c_str(), [text, format](benchmark::State& bench) {
    evaluate(bench, text, format);
  })->Iterations(1);
}

void add_all() {
  for (const formats::Format format : {formats::Format::FP32, formats::Format::BF16}) {
    for (const references::ReferenceFunction& function : references::reference_functions())
      add(call_of(function), format);
    add("x / (1 + exp(-x))", format);
    add("0.5 * x * (1 + tanh(0.797885 * (x + 0.044715 * x^3)))", format);
  }
}

} // namespace
} // namespace lanewise::bench

int main(int count, char** arguments) {
  lanewise::bench::add_all();
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
