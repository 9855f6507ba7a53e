// Stand-ins for tests of sweeps: functions on doubles as references, and kernels as assembly.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "number/references/reference.h"
#include "source/assembly/assembly.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {

/// A function on doubles; its results are rounded as the doubles that they are.
class DoubleReference : public references::Reference {
 public:
  using Function = std::function<double(double, double)>;

  DoubleReference(std::string text, unsigned operands, Function function)
      : text_(std::move(text)), operands_(operands), function_(std::move(function)) {}

  const std::string& text() const override { return text_; }
  const std::string& identity() const override { return text_; }
  unsigned operands() const override { return operands_; }
  Expected<void> evaluate(formats::Format format, std::span<const double> x,
                          std::span<const double> y,
                          references::ReferenceResults& results) const override {
    for (std::size_t i = 0; i < x.size(); ++i) {
      results.exact[i] = function_(x[i], y.empty() ? 0 : y[i]);
      results.bits[i] = formats::round_to_bits(format, results.exact[i]);
    }
    return {};
  }

 private:
  std::string text_;
  unsigned operands_;
  Function function_;
};

inline DoubleReference function_of_x(std::string text, std::function<double(double)> function) {
  return {std::move(text), 1,
          [function = std::move(function)](double x, double) { return function(x); }};
}

inline DoubleReference identity_reference() {
  return function_of_x("x", [](double x) { return x; });
}

inline Program assembled(Arch arch, std::string_view source) {
  auto program = assembly::assemble(arch, source, "test.tt");
  EXPECT_TRUE(program) << (program ? "" : to_string(program.error()));
  return program ? *program : Program{};
}

/// `body` for each 32 elements of tile 0: it finds x in L0 and leaves the result in L0, with all
/// lanes enabled. `mode` is that of the load, and of the store if `store_mode` is empty.
inline std::string tile_kernel(std::string_view body, std::string_view mode = "SRCB",
                               std::string_view store_mode = {}) {
  return fmt::format(R"(
.repeat 32
SFPLOAD L0, {}, ADDR_MOD_3, 0
{}
SFPSTORE L0, {}, ADDR_MOD_3, 0
INCRWC DstInc=2
.endr
)",
                     mode, body, store_mode.empty() ? mode : store_mode);
}

inline SweepProgram sweep_program(Arch arch, std::string_view source) {
  return {.arch = arch, .program = assembled(arch, source), .as_kernel = true};
}

inline std::vector<SweepProgram> on_both_chips(std::string_view source) {
  return {sweep_program(Arch::Blackhole, source), sweep_program(Arch::Wormhole, source)};
}

/// The result of a sweep that has to work out.
inline SweepResult swept(std::span<const SweepProgram> programs,
                         const references::Reference& reference, const SweepOptions& options) {
  auto result = sweep(programs, reference, options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result ? *result : SweepResult{};
}

/// Something with errors of every kind: 1/x by a wrong constant, NaNs, signs, reversals, faults.
inline std::vector<SweepProgram> rough_programs() {
  return on_both_chips(tile_kernel(R"(
SFPLOADI L1, FLOATB, bf16(0.37)
SFPMAD L0, L0, L1, L0, 0
SFPNOP
SFPPOPC
)"));
}

inline DoubleReference rough_reference() {
  return function_of_x("x*(x+0.4)", [](double x) { return x * (x + 0.4); });
}

/// 300,000 samples are 10 chunks.
inline SweepOptions sampled() {
  return {.space = {.range = std::nullopt, .sample = SweepSample{.count = 300'000, .seed = 5}}};
}

} // namespace lanewise::sweep
