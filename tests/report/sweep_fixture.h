// Reports of sweeps that did not take place: a function and an imitation of it, held against each
// other over chosen inputs by a few lines of bookkeeping. What tests expect follows from the two
// functions, or is set by the test itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include "report/sweep/report.h"

namespace lanewise::test {

/// x and y to a result; y is 0 where there is one operand.
using Function = std::function<double(double x, double y)>;
/// x, y and the bits that the function gives to the bits that a chip finds.
using Imitation = std::function<std::uint32_t(double x, double y, std::uint32_t expected)>;

struct SweepSetup {
  formats::Format format = formats::Format::BF16, output_format = formats::Format::BF16;
  unsigned operands = 1;
  Function function;
  std::vector<std::uint32_t> inputs; ///< of x; y takes every eighth of them
  unsigned bin_shift = 5;
};

inline void add_error(sweep::UlpStatistics& errors, const sweep::SweepCase& at,
                      std::optional<std::int64_t> distance, double exact) {
  if (!distance) {
    ++errors.lost;
    ++errors.wrong.nan;
    ++errors.rows.back();
    return;
  }
  const auto size = static_cast<double>(std::abs(*distance));
  std::size_t row = 0;
  while (row < sweep::kUlpRowEnds.size() && std::abs(*distance) > sweep::kUlpRowEnds[row]) ++row;
  ++errors.rows[row];
  errors.sum += size;
  errors.sum_exact += exact;
  ++errors.exact_count;
  if (size > errors.largest) {
    errors.largest = size;
    errors.worst = at;
  }
  if (exact > errors.largest_exact) {
    errors.largest_exact = exact;
    errors.worst_exact = at;
  }
}

inline void add_part(sweep::PartStatistics& part, const sweep::SweepCase& at,
                     std::optional<std::int64_t> distance, double exact) {
  if (part.inputs++ == 0) part.sample = at;
  if (!distance) {
    ++part.lost;
    return;
  }
  const auto size = static_cast<double>(std::abs(*distance));
  part.sum += size;
  part.largest_exact = std::max(part.largest_exact, exact);
  if (size > part.largest) {
    part.largest = size;
    part.worst = at;
  }
}

/// Adds one input to everything that it counts in.
inline void add_input(sweep::SweepStatistics& chip, const SweepSetup& setup,
                      const sweep::SweepCase& at) {
  const double x = formats::value_of_bits(setup.format, at.x);
  const auto distance = formats::ulp_distance(setup.output_format, at.expected, at.found);
  const auto add_class = [&](sweep::ClassStatistics& of) {
    ++of.inputs;
    const bool both_nan = std::isnan(formats::value_of_bits(setup.output_format, at.found)) &&
                          std::isnan(formats::value_of_bits(setup.output_format, at.expected));
    if (at.expected != at.found && !both_nan && of.differ++ == 0) of.first = at;
  };
  switch (formats::number_class(setup.format, at.x)) {
    case formats::NumberClass::NaN: return add_class(chip.nan);
    case formats::NumberClass::Infinite: return add_class(chip.infinite);
    case formats::NumberClass::Denormal: return add_class(chip.denormal);
    default: break;
  }
  if (std::isnan(at.exact)) return add_class(chip.expected_nan);
  const double exact = distance ? std::abs(static_cast<double>(*distance)) + 0.25 : 0;
  add_error(chip.error, at, distance, exact);
  if (x != 0) {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(x))));
    add_part(chip.decades[{x < 0, exponent}], at, distance, exact);
  }
  add_part(chip.bins[at.x >> setup.bin_shift], at, distance, exact);
  if (std::abs(x) < sweep::kNearLimit && !formats::is_integer(setup.format)) {
    const int cell = static_cast<int>(std::floor(x * sweep::kNearCells));
    add_part(chip.near[cell], at, distance, exact);
  }
  if (!distance) return;
  int key = 0;
  for (std::int64_t size = std::abs(*distance); size != 0; size /= 2) ++key;
  ++chip.histogram[*distance < 0 ? -key : key];
  if (std::abs(*distance) > 1 && chip.worst.size() < 10) chip.worst.push_back(at);
}

inline sweep::SweepStatistics swept_chip(Arch arch, const SweepSetup& setup,
                                         const Imitation& imitation) {
  sweep::SweepStatistics chip;
  chip.arch = arch;
  chip.bin_shift = setup.bin_shift;
  chip.instructions = 832;
  chip.cycles = arch == Arch::Blackhole ? 865 : 897;
  chip.init_cycles = 19;
  for (const std::uint32_t x_bits : setup.inputs) {
    for (std::size_t i = 0; i < setup.inputs.size(); i += 8) {
      const std::uint32_t y_bits = setup.operands == 1 ? 0 : setup.inputs[i];
      const double x = formats::value_of_bits(setup.format, x_bits);
      const double y = formats::value_of_bits(setup.format, y_bits);
      sweep::SweepCase at{x_bits, y_bits, 0, 0, setup.function(x, y)};
      at.expected = formats::round_to_bits(setup.output_format, at.exact);
      at.found = imitation(x, y, at.expected);
      add_input(chip, setup, at);
      if (setup.operands == 1) break;
    }
  }
  return chip;
}

inline report::SweepReport swept(const SweepSetup& setup, const std::vector<Imitation>& chips) {
  report::SweepReport report;
  report.name = "kernel.cpp";
  report.reference = "f(x)";
  report.result.format = setup.format;
  report.result.output_format = setup.output_format;
  report.result.operands = setup.operands;
  for (std::size_t i = 0; i < chips.size(); ++i)
    report.result.chips.push_back(swept_chip(kArchs[i], setup, chips[i]));
  report.result.total = setup.operands == 1 ? setup.inputs.size()
                                            : setup.inputs.size() * ((setup.inputs.size() + 7) / 8);
  report.result.done = report.result.total;
  return report;
}

/// Every `step`-th pattern from `first` to `last`.
inline std::vector<std::uint32_t> patterns(std::uint32_t first, std::uint32_t last,
                                           std::uint32_t step = 1) {
  std::vector<std::uint32_t> list;
  for (std::uint64_t bits = first; bits <= last; bits += step)
    list.push_back(static_cast<std::uint32_t>(bits));
  return list;
}

/// tanh of every bf16 on both chips: bh is 1 ULP low where |x| is 0.5 to 4, 3 ULP low at 1, and
/// gives 1 for a NaN; wh is 2 ULP low from 0.25 to 8, and NaN (lost) for -3. Both have what a
/// compiled kernel may have besides: a rounding before the store, specials, a symmetry.
inline report::SweepReport tanh_report() {
  SweepSetup setup;
  setup.function = [](double x, double) { return std::tanh(x); };
  setup.inputs = patterns(0, 0xFFFF);
  const Imitation blackhole = [](double x, double, std::uint32_t expected) -> std::uint32_t {
    const double size = std::abs(x);
    if (std::isnan(x)) return 0x3F80;
    if (size == 1) return expected - 3;
    return size > 0.5 && size < 4 ? expected - 1 : expected;
  };
  const Imitation wormhole = [](double x, double, std::uint32_t expected) -> std::uint32_t {
    if (x == -3) return 0x7FC0;
    return std::abs(x) > 0.25 && std::abs(x) < 8 ? expected - 2 : expected;
  };
  report::SweepReport report = swept(setup, {blackhole, wormhole});
  report.name = "tanh.cpp";
  report.reference = "tanh(x)";
  for (sweep::SweepStatistics& chip : report.result.chips) {
    // At most 1 ULP, and that a hundred times.
    chip.before_store = sweep::UlpStatistics{};
    chip.before_store->rows = {chip.error.count() - 100, 100};
    chip.before_store->largest = 1;
    chip.before_store->sum = 100;
    chip.monotonicity.looked_at = chip.symmetry.looked_at = true;
    chip.symmetry.pairs = 32640;
    chip.symmetry.reference_not_even = 32000;
    for (const std::uint32_t x : {0x0000U, 0x8000U, 0x7F80U, 0xFF80U, 0x7FC0U, 0x3F80U, 0xBF80U,
                                  0x7F7FU, 0xFF7FU, 0x0080U, 0x0001U}) {
      const double exact = std::tanh(formats::value_of_bits(setup.format, x));
      const std::uint32_t expected = formats::round_to_bits(setup.format, exact);
      chip.specials.push_back({x, 0, expected, expected, exact});
    }
  }
  sweep::SweepStatistics& first = report.result.chips.front();
  first.specials[4].found = 0x3F80; // NaN gives 1
  first.monotonicity.reversals = 1;
  first.monotonicity.largest = 3;
  first.monotonicity.left = {0x3F7F, 0, 0x3F42, 0x3F41, 0.7574};
  first.monotonicity.right = {0x3F80, 0, 0x3F43, 0x3F40, 0.7616};
  return report;
}

} // namespace lanewise::test
