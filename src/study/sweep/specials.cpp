#include "study/sweep/specials.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "number/formats/number_line.h"

namespace lanewise::sweep {

namespace {

std::vector<std::uint32_t> special_patterns(formats::Format format) {
  return formats::with_line(format, [&]<class Line>(Line) -> std::vector<std::uint32_t> {
    if constexpr (Line::kIsInteger) {
      const auto [lowest, highest] = formats::value_range(format);
      std::vector<std::uint32_t> patterns{0, 1, formats::round_to_bits(format, highest)};
      if (lowest < 0) {
        patterns.push_back(formats::round_to_bits(format, -1));
        patterns.push_back(formats::round_to_bits(format, lowest));
      }
      return patterns;
    } else {
      std::vector<std::uint32_t> magnitudes{0,
                                            1,
                                            Line::kSmallestNormal - 1,
                                            Line::kSmallestNormal,
                                            formats::round_to_bits(format, 1),
                                            Line::kLargest};
      if (Line::kHasSpecials) magnitudes.push_back(Line::kInfinity);
      std::vector<std::uint32_t> patterns;
      for (const std::uint32_t magnitude : magnitudes) {
        patterns.push_back(magnitude);
        patterns.push_back(magnitude | Line::kSign);
      }
      if (Line::kHasSpecials) patterns.push_back(Line::kInfinity | Line::kSmallestNormal >> 1);
      return patterns;
    }
  });
}

std::vector<std::uint32_t> edge_patterns(formats::Format format) {
  const OperandPatterns all = operand_patterns(format, std::nullopt);
  std::vector<std::uint32_t> patterns = special_patterns(format);
  const auto add = [&](std::uint64_t magnitude) {
    const auto has = [&](const MagnitudeInterval& interval) {
      return magnitude >= interval.begin && magnitude < interval.end;
    };
    if (has(all.positive)) patterns.push_back(all.bits(magnitude, false));
    if (has(all.negative)) patterns.push_back(all.bits(magnitude, true));
  };
  const std::uint64_t end = std::max(all.positive.end, all.negative.end);
  for (std::uint64_t power = 2; power <= end; power *= 2) {
    for (const std::uint64_t magnitude : {power - 1, power, power + 1}) add(magnitude);
  }
  return patterns;
}

/// Of one operand, or of two all pairs.
ChunkInputs inputs_of(std::vector<std::uint32_t> patterns, unsigned operands) {
  ChunkInputs inputs;
  if (operands == 1) {
    inputs.x = std::move(patterns);
    return inputs;
  }
  for (const std::uint32_t x : patterns) {
    inputs.x.insert(inputs.x.end(), patterns.size(), x);
    inputs.y.insert(inputs.y.end(), patterns.begin(), patterns.end());
  }
  return inputs;
}

} // namespace

ChunkInputs special_inputs(formats::Format format, unsigned operands,
                           const std::optional<SweepRange>& range) {
  std::vector<std::uint32_t> patterns;
  for (const std::uint32_t bits : special_patterns(format)) {
    const double number = formats::value_of_bits(format, bits);
    if (!range || (number >= range->lowest && number <= range->highest)) patterns.push_back(bits);
  }
  return inputs_of(std::move(patterns), operands);
}

ChunkInputs edge_inputs(formats::Format format, unsigned operands) {
  return inputs_of(edge_patterns(format), operands);
}

} // namespace lanewise::sweep
