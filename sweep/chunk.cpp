#include "sweep/chunk.h"

#include <algorithm>
#include <cmath>

#include "numbers/ulp_rules.h"

namespace lanewise::lab {

namespace {

template <class Line>
void flushed_numbers(std::span<const std::uint32_t> bits, double* numbers) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double number = Line::number(bits[i]);
    const bool is_denormal = Line::kind(bits[i]) == NumberClass::Denormal;
    numbers[i] = is_denormal ? std::copysign(0.0, number) : number;
  }
}

InputKind kind_of(NumberClass number) {
  switch (number) {
    case NumberClass::Normal:
    case NumberClass::Zero: break;
    case NumberClass::Denormal: return InputKind::Denormal;
    case NumberClass::Infinite: return InputKind::Infinite;
    case NumberClass::NaN: return InputKind::NaN;
  }
  return InputKind::Counted;
}

/// The kind of each input; of a pair, that of the operand that is farther from an ordinary number.
void set_kinds(Format format, const ChunkInputs& inputs, std::vector<InputKind>& kinds) {
  with_line(format, [&](auto line) {
    for (std::size_t i = 0; i < inputs.x.size(); ++i) kinds[i] = kind_of(line.kind(inputs.x[i]));
    for (std::size_t i = 0; i < inputs.y.size(); ++i)
      kinds[i] = std::max(kinds[i], kind_of(line.kind(inputs.y[i])));
  });
}

} // namespace

void ChunkExpectation::resize(std::size_t count) {
  bits.resize(count);
  exact.resize(count);
  kind.resize(count);
  position.resize(count);
  place.resize(count);
}

void ChunkExpectation::finish(Format output_format) {
  with_line(output_format, [&, range = value_range(output_format)]<class Line>(Line) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const bool is_nan = Line::is_nan(bits[i]);
      position[i] = is_nan ? 0 : Line::position(bits[i]);
      place[i] = place_of<Line>(exact[i], range);
      if (is_nan && kind[i] == InputKind::Counted) kind[i] = InputKind::ExpectedNaN;
    }
  });
  is_all_counted =
      std::all_of(kind.begin(), kind.end(), [](InputKind k) { return k == InputKind::Counted; });
  has_zeros = std::find(position.begin(), position.end(), 0) != position.end();
}

void reference_numbers(Format format, std::span<const std::uint32_t> bits,
                       std::vector<double>& numbers) {
  numbers.resize(bits.size());
  with_line(format, [&]<class Line>(Line) { flushed_numbers<Line>(bits, numbers.data()); });
}

Expected<std::span<const ReferenceValue>> ChunkEvaluator::values_of(const Reference& function,
                                                                    Format format,
                                                                    const ChunkInputs& inputs) {
  reference_numbers(format_, inputs.x, x_);
  y_.clear();
  if (function.operands() == 2) reference_numbers(format_, inputs.y, y_);
  values_.resize(x_.size());
  if (x_.empty()) return std::span<const ReferenceValue>{};
  if (auto done = function.evaluate(format, x_, y_, values_); !done)
    return Unexpected(done.error());
  return std::span<const ReferenceValue>(values_);
}

Expected<void> ChunkEvaluator::leave_out(SweepChunk& chunk) {
  // Only whether it is 0 or NaN is of interest, for which the format does not matter.
  const auto values = values_of(*domain_, Format::FP32, chunk.inputs);
  if (!values) return Unexpected(values.error());
  ChunkInputs& inputs = chunk.inputs;
  std::size_t kept = 0, positives = 0;
  for (std::size_t i = 0; i < inputs.x.size(); ++i) {
    const double inside = (*values)[i].exact;
    if (inside == 0 || std::isnan(inside)) continue;
    if (i < inputs.positives) ++positives;
    inputs.x[kept] = inputs.x[i];
    if (!inputs.y.empty()) inputs.y[kept] = inputs.y[i];
    ++kept;
  }
  chunk.outside = inputs.x.size() - kept;
  inputs.x.resize(kept);
  if (!inputs.y.empty()) inputs.y.resize(kept);
  inputs.positives = positives;
  return {};
}

Expected<void> ChunkEvaluator::evaluate(SweepChunk& chunk) {
  chunk.outside = 0;
  if (domain_ != nullptr) {
    if (auto done = leave_out(chunk); !done) return done;
  }
  ChunkExpectation& expected = chunk.expected;
  expected.resize(chunk.inputs.x.size());
  expected.undecided = 0;
  set_kinds(format_, chunk.inputs, expected.kind);
  if (reference_ == nullptr) return {};
  const auto values = values_of(*reference_, output_format_, chunk.inputs);
  if (!values) return Unexpected(values.error());
  for (std::size_t i = 0; i < values->size(); ++i) {
    expected.bits[i] = (*values)[i].bits;
    expected.exact[i] = (*values)[i].exact;
    expected.undecided += (*values)[i].decided ? 0 : 1;
  }
  expected.finish(output_format_);
  return {};
}

} // namespace lanewise::lab
