// What follows an edit in 'lanewise serve': compiling, timing and checking the text, then measuring
// its errors.
//
//   ./lanewise bench --edit
//
// Every round has a text that nobody has compiled before. 'program' is all that stands on the page
// before the errors, nearly all of it g++; 'errors' runs 65,536 inputs on top, without compiling
// again. Look at their ratio; a second for both together is what a page may take.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "report/workbench/workbench.h"

namespace lanewise::bench {

namespace {

constexpr const char* kKernel = LANEWISE_EXAMPLES "/gelu.cpp";

/// In front of the further digits that an edit gives to a literal.
constexpr std::string_view kEdited = "t * 0.26";

std::string kernel_text() {
  std::ostringstream text;
  text << std::ifstream(kKernel).rdbuf();
  return text.str();
}

report::Workbench workbench() {
  return {kKernel, {{Arch::Blackhole, {.name = kKernel}}}};
}

/// The kernel as it is after another edit, of a literal: one of a comment changes nothing for g++.
report::WorkbenchRequest edited(const std::string& text) {
  static unsigned edits = 0;
  report::WorkbenchRequest request;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  request.text = text;
  request.text.insert(request.text.find(kEdited) + kEdited.size(),
                      fmt::format("{}{}", ++edits, now));
  request.reference = "gelu(x)";
  return request;
}

void program(benchmark::State& state) {
  report::Workbench bench = workbench();
  const std::string text = kernel_text();
  bench.program(edited(text)); // g++ has precompiled the headers then
  for (auto _ : state) {
    if (!bench.program(edited(text)).contains("listing")) state.SkipWithError("no program");
  }
}

void errors(benchmark::State& state) {
  report::Workbench bench = workbench();
  const report::WorkbenchRequest request = edited(kernel_text());
  bench.program(request);
  for (auto _ : state) {
    if (!bench.errors(request, [] { return true; }).contains("errors"))
      state.SkipWithError("no errors");
  }
}

BENCHMARK(program)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(errors)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

} // namespace lanewise::bench

BENCHMARK_MAIN();
