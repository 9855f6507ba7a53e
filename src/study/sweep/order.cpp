#include "study/sweep/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>

#include "number/formats/number_line.h"
#include "number/tensors/pattern.h"

namespace lanewise::sweep {

namespace {

/// Exhaustive pairs: as many as two operands of 16 bits have, some seconds to minutes of work.
constexpr std::uint64_t kMostOperandsOfPairs = std::uint64_t{1} << 16;

unsigned width_of(formats::Format format) {
  return formats::is_32bit(format) ? 32 : 16;
}

bool has_sign(formats::Format format) {
  return !formats::is_integer(format) || formats::value_range(format).lowest < 0;
}

/// The first of `count` magnitudes for which `is_beyond` holds; it holds for all behind it.
template <class IsBeyond>
std::uint64_t first_beyond(std::uint64_t count, IsBeyond&& is_beyond) {
  std::uint64_t begin = 0, end = count;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    (is_beyond(middle) ? end : begin) = is_beyond(middle) ? middle : middle + 1;
  }
  return begin;
}

/// Magnitudes that are numbers: without NaNs.
std::uint64_t count_numbers(formats::Format format, std::uint64_t magnitudes) {
  return first_beyond(magnitudes, [&](std::uint64_t magnitude) {
    return formats::number_class(format, static_cast<std::uint32_t>(magnitude)) ==
           formats::NumberClass::NaN;
  });
}

/// The generator of a chunk of samples: a stream of its own for each pair of seed and chunk.
tensors::SplitMix64 generator_of(std::uint64_t seed, std::uint64_t chunk) {
  return tensors::SplitMix64(tensors::SplitMix64(tensors::SplitMix64(seed)() ^ chunk)());
}

/// One of so many, each with the same probability up to 2^-32.
std::uint64_t random_below(std::uint64_t count, std::uint64_t random) {
  return (random >> 32) * count >> 32;
}

/// The patterns in order: the positive ones, then the negative ones, from zero on.
std::uint32_t pattern_at(const OperandPatterns& patterns, std::uint64_t index) {
  const std::uint64_t positives = patterns.positive.count();
  return index < positives ? patterns.bits(patterns.positive.begin + index, false)
                           : patterns.bits(patterns.negative.begin + (index - positives), true);
}

/// The part of an interval that lies in one chunk of magnitudes.
MagnitudeInterval part_of(const MagnitudeInterval& interval, std::uint64_t chunk) {
  const std::uint64_t begin = chunk * kChunkMagnitudes, end = begin + kChunkMagnitudes;
  const std::uint64_t first = std::clamp(begin, interval.begin, interval.end);
  return {first, std::max(first, std::min(end, interval.end))};
}

/// The patterns of an interval; a step of the magnitude is one of the pattern, in two's complement
/// downwards.
void fill_patterns(const OperandPatterns& patterns, const MagnitudeInterval& part, bool is_negative,
                   std::uint32_t* bits) {
  const std::uint32_t first = patterns.bits(part.begin, is_negative);
  const bool is_down = is_negative && formats::is_integer(patterns.format);
  const auto count = static_cast<std::uint32_t>(part.count());
  for (std::uint32_t i = 0; i < count; ++i) bits[i] = is_down ? first - i : first + i;
}

} // namespace

std::uint32_t OperandPatterns::bits(std::uint64_t magnitude, bool is_negative) const {
  const auto low = static_cast<std::uint32_t>(magnitude);
  if (!is_negative) return low;
  const std::uint32_t mask = 0xFFFF'FFFFU >> (32 - width_of(format));
  return formats::is_integer(format) ? -low & mask : low | (mask ^ mask >> 1);
}

bool is_negative(formats::Format format, std::uint32_t bits) {
  return formats::with_line(format, [&](auto line) { return line.is_negative(bits); });
}

std::uint32_t magnitude_of(formats::Format format, std::uint32_t bits) {
  return formats::with_line(format, [&](auto line) { return line.magnitude(bits); });
}

OperandPatterns operand_patterns(formats::Format format, const std::optional<SweepRange>& range) {
  OperandPatterns patterns{.format = format, .positive = {}, .negative = {}};
  const std::uint64_t magnitudes =
      formats::is_integer(format)
          ? static_cast<std::uint64_t>(formats::value_range(format).highest) + 1
          : std::uint64_t{1} << (width_of(format) - 1);
  patterns.positive.end = magnitudes;
  if (has_sign(format)) patterns.negative = {formats::is_integer(format) ? 1U : 0U, magnitudes};
  if (!range) return patterns;

  const std::uint64_t numbers = count_numbers(format, magnitudes);
  const auto cut = [&](MagnitudeInterval& interval, double lowest, double highest) {
    const auto number = [&](std::uint64_t magnitude) {
      return formats::value_of_bits(format, static_cast<std::uint32_t>(magnitude));
    };
    const std::uint64_t begin =
        first_beyond(numbers, [&](std::uint64_t m) { return number(m) >= lowest; });
    const std::uint64_t end =
        first_beyond(numbers, [&](std::uint64_t m) { return number(m) > highest; });
    interval.begin = std::clamp(begin, interval.begin, interval.end);
    interval.end = std::clamp(end, interval.begin, interval.end);
  };
  cut(patterns.positive, range->lowest, range->highest);
  cut(patterns.negative, -range->highest, -range->lowest);
  return patterns;
}

Expected<SweepOrder> SweepOrder::make(formats::Format format, unsigned operands,
                                      const SweepSpace& space) {
  SweepOrder order;
  order.patterns_ = operand_patterns(format, space.range);
  order.operands_ = operands;
  order.sample_ = space.sample;
  const std::uint64_t count = order.patterns_.count();
  if (count == 0) {
    return bad_input(fmt::format("no number of {} lies from {} to {}", formats::format_name(format),
                                 space.range->lowest, space.range->highest),
                     "use a wider range");
  }
  if (space.sample) {
    order.inputs_ = space.sample->count;
    order.chunks_ = order.inputs_ / kChunkInputs + (order.inputs_ % kChunkInputs != 0 ? 1 : 0);
    if (order.inputs_ == 0) return bad_input("0 samples are none", "ask for at least 1");
    return order;
  }
  if (operands == 2 && count > kMostOperandsOfPairs) {
    return bad_input(fmt::format("{} has {} numbers here, too many to take every pair of them",
                                 formats::format_name(format), count),
                     "take a sample, for instance sample:10000000, or a range with at most 65536 "
                     "numbers");
  }
  order.set_exhaustive();
  return order;
}

void SweepOrder::set_exhaustive() {
  const MagnitudeInterval &positive = patterns_.positive, &negative = patterns_.negative;
  // One of the two may be empty; if none is, both begin at zero or at one.
  const std::uint64_t begin = positive.count() == 0   ? negative.begin
                              : negative.count() == 0 ? positive.begin
                                                      : std::min(positive.begin, negative.begin);
  const std::uint64_t end =
      std::max(positive.count() == 0 ? 0 : positive.end, negative.count() == 0 ? 0 : negative.end);
  first_chunk_ = begin / kChunkMagnitudes;
  operand_chunks_ = (end - 1) / kChunkMagnitudes - first_chunk_ + 1;
  inputs_ = patterns_.count();
  chunks_ = operand_chunks_;
  if (operands_ == 1) return;
  std::vector<std::uint32_t> bits;
  for (std::uint64_t chunk = 0; chunk < operand_chunks_; ++chunk) {
    fill_magnitudes(chunk, bits);
    first_operands_.insert(first_operands_.end(), bits.begin(), bits.end());
  }
  inputs_ *= inputs_;
  chunks_ *= first_operands_.size();
}

std::uint64_t SweepOrder::inputs_before(std::uint64_t chunk) const {
  if (chunk >= chunks_) return inputs_;
  if (sample_) return chunk * kChunkInputs;
  const auto before = [this](std::uint64_t operand_chunk) {
    const std::uint64_t end = (first_chunk_ + operand_chunk) * kChunkMagnitudes;
    const auto below = [&](const MagnitudeInterval& interval) {
      return std::clamp(end, interval.begin, interval.end) - interval.begin;
    };
    return below(patterns_.positive) + below(patterns_.negative);
  };
  if (operands_ == 1) return before(chunk);
  return chunk / operand_chunks_ * first_operands_.size() + before(chunk % operand_chunks_);
}

std::size_t SweepOrder::fill_magnitudes(std::uint64_t chunk,
                                        std::vector<std::uint32_t>& bits) const {
  const MagnitudeInterval positive = part_of(patterns_.positive, first_chunk_ + chunk);
  const MagnitudeInterval negative = part_of(patterns_.negative, first_chunk_ + chunk);
  bits.resize(positive.count() + negative.count());
  fill_patterns(patterns_, positive, false, bits.data());
  fill_patterns(patterns_, negative, true, bits.data() + positive.count());
  return positive.count();
}

void SweepOrder::fill(std::uint64_t chunk, ChunkInputs& inputs) const {
  if (sample_) return fill_samples(chunk, inputs);
  if (operands_ == 2) return fill_pairs(chunk, inputs);
  inputs.y.clear();
  inputs.positives = fill_magnitudes(chunk, inputs.x);
}

void SweepOrder::fill_samples(std::uint64_t chunk, ChunkInputs& inputs) const {
  inputs = {};
  tensors::SplitMix64 random = generator_of(sample_->seed, chunk);
  const std::uint64_t all = patterns_.count();
  std::vector<std::uint64_t> drawn(std::min(kChunkInputs, inputs_ - chunk * kChunkInputs));
  for (std::uint64_t& each : drawn) { // the place of x among all, and behind it that of y
    each = random_below(all, random()) << 32;
    if (operands_ == 2) each |= random_below(all, random());
  }
  boost::sort::spreadsort::integer_sort(drawn.begin(), drawn.end());
  for (const std::uint64_t each : drawn) {
    const std::uint64_t x = each >> 32;
    inputs.positives += x < patterns_.positive.count() ? 1 : 0;
    inputs.x.push_back(pattern_at(patterns_, x));
    if (operands_ == 2) inputs.y.push_back(pattern_at(patterns_, static_cast<std::uint32_t>(each)));
  }
}

void SweepOrder::fill_pairs(std::uint64_t chunk, ChunkInputs& inputs) const {
  fill_magnitudes(chunk % operand_chunks_, inputs.y);
  inputs.positives = 0;
  inputs.x.assign(inputs.y.size(), first_operands_[chunk / operand_chunks_]);
}

} // namespace lanewise::sweep
