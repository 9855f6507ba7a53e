#include "study/sweep/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/float_chars.h"
#include "number/formats/number_line.h"

namespace lanewise::sweep {

namespace {

constexpr std::size_t kMostBins = 2048;

double power_of_ten(int exponent) {
  const std::string text = fmt::format("1e{}", exponent);
  double power = 0;
  float_from_chars(text.data(), text.data() + text.size(), power);
  return power;
}

/// Where a magnitude stands in the list of binades.
std::uint32_t binade_of(formats::Format format, std::uint32_t magnitude) {
  return formats::with_line(format, [&](auto line) -> std::uint32_t {
    return line.kIsInteger ? static_cast<std::uint32_t>(std::bit_width(magnitude))
                           : magnitude >> line.kMantissaBits;
  });
}

/// The magnitudes of normal numbers.
MagnitudeInterval normal_numbers(formats::Format format) {
  return formats::with_line(format, [&](auto line) -> MagnitudeInterval {
    if constexpr (line.kIsInteger) {
      return {1, static_cast<std::uint64_t>(formats::value_range(format).highest) + 1};
    } else {
      return {line.kSmallestNormal, std::uint64_t{line.kLargest} + 1};
    }
  });
}

} // namespace

SweepParts::SweepParts(const OperandPatterns& patterns) : format_(patterns.format) {
  const MagnitudeInterval normal = normal_numbers(format_);
  const auto number = [&](std::uint64_t magnitude) {
    return formats::value_of_bits(format_, static_cast<std::uint32_t>(magnitude));
  };
  lowest_exponent_ = static_cast<int>(std::floor(std::log10(number(normal.begin))));
  starts_.push_back(normal.begin);
  while (starts_.back() < normal.end) {
    const double power = power_of_ten(lowest_exponent_ + static_cast<int>(starts_.size()));
    std::uint64_t begin = starts_.back(), end = normal.end;
    while (begin < end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      if (number(middle) >= power) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    starts_.push_back(begin);
  }
  std::uint32_t decade = 0;
  const std::uint32_t last_binade = binade_of(format_, static_cast<std::uint32_t>(normal.end - 1));
  decade_of_binade_.resize(last_binade + 1);
  const auto first_of_binade = [&](std::uint32_t binade) -> std::uint64_t {
    return formats::with_line(format_, [&](auto line) {
      return line.kIsInteger ? std::uint64_t{1} << binade >> 1
                             : std::uint64_t{binade} << line.kMantissaBits;
    });
  };
  for (std::uint32_t binade = 0; binade <= last_binade; ++binade) {
    while (first_of_binade(binade) >= starts_[decade + 1]) ++decade;
    decade_of_binade_[binade] = decade;
  }

  do {
    positive_bins_ = bins_of(patterns.positive, false);
    negative_bins_ = bins_of(patterns.negative, true);
  } while (bins() > kMostBins && ++bin_shift_ != 0);
}

SweepParts::BinRange SweepParts::bins_of(const MagnitudeInterval& interval,
                                         bool is_negative) const {
  if (interval.count() == 0) return {};
  const OperandPatterns patterns{.format = format_, .positive = {}, .negative = {}};
  const std::uint32_t one = patterns.bits(interval.begin, is_negative) >> bin_shift_;
  const std::uint32_t other = patterns.bits(interval.end - 1, is_negative) >> bin_shift_;
  return {std::min(one, other), std::uint64_t{std::max(one, other)} - std::min(one, other) + 1};
}

std::uint32_t SweepParts::decade_of(std::uint32_t bits) const {
  if (formats::number_class(format_, bits) != formats::NumberClass::Normal) return kNoDecade;
  const std::uint32_t magnitude = magnitude_of(format_, bits);
  std::uint32_t decade = decade_of_binade_[binade_of(format_, magnitude)];
  if (magnitude >= starts_[decade + 1]) ++decade;
  return 2 * decade + (is_negative(format_, bits) ? 1 : 0);
}

std::uint32_t SweepParts::bin_of(std::uint32_t bits) const {
  const std::uint32_t key = bits >> bin_shift_;
  if (!is_negative(format_, bits)) return key - positive_bins_.first_key;
  return static_cast<std::uint32_t>(positive_bins_.count) + key - negative_bins_.first_key;
}

std::uint32_t SweepParts::cell_of(std::uint32_t bits) const {
  if (formats::is_integer(format_)) return kNoCell;
  const double x = formats::value_of_bits(format_, bits);
  if (!(std::abs(x) < kNearLimit)) return kNoCell;
  return static_cast<std::uint32_t>(std::floor(x * kNearCells) + kNearLimit * kNearCells);
}

Decade SweepParts::decade(std::uint32_t index) const {
  return {.negative = (index & 1) != 0, .exponent = lowest_exponent_ + static_cast<int>(index / 2)};
}

std::uint32_t SweepParts::bin_key(std::uint32_t index) const {
  const auto positives = static_cast<std::uint32_t>(positive_bins_.count);
  return index < positives ? positive_bins_.first_key + index
                           : negative_bins_.first_key + index - positives;
}

void cut_into_segments(const SweepParts& parts, std::span<const std::uint32_t> x,
                       std::size_t positives, std::vector<PartSegment>& segments) {
  segments.clear();
  std::size_t begin = 0;
  while (begin < x.size()) {
    const std::uint32_t decade = parts.decade_of(x[begin]), bin = parts.bin_of(x[begin]);
    const std::uint32_t cell = parts.cell_of(x[begin]);
    const std::size_t run_end = begin < positives ? positives : x.size();
    const auto is_same = [&](std::uint32_t other) {
      return parts.bin_of(other) == bin && parts.decade_of(other) == decade &&
             parts.cell_of(other) == cell;
    };
    // Bins, decades and cells are intervals of x.
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(begin + 1);
    const auto last = x.begin() + static_cast<std::ptrdiff_t>(run_end);
    const auto end =
        static_cast<std::size_t>(std::partition_point(first, last, is_same) - x.begin());
    segments.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), decade, bin, cell});
    begin = end;
  }
}

} // namespace lanewise::sweep
