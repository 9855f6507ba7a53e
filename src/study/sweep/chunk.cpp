#include "study/sweep/chunk.h"

#include <algorithm>
#include <cmath>

#include "number/formats/number_line.h"
#include "number/references/lines.h"

namespace lanewise::sweep {

namespace {

InputKind kind_of(formats::NumberClass number) {
  switch (number) {
    case formats::NumberClass::Normal:
    case formats::NumberClass::Zero: break;
    case formats::NumberClass::Denormal: return InputKind::Denormal;
    case formats::NumberClass::Infinite: return InputKind::Infinite;
    case formats::NumberClass::NaN: return InputKind::NaN;
  }
  return InputKind::Counted;
}

/// Calls `function` with every index of a list that is in a piece of it for which `are_wanted`
/// holds: special numbers stand side by side.
template <class AreWanted, class Function>
void for_each_in_pieces(std::span<const std::uint32_t> list, AreWanted&& are_wanted,
                        Function&& function) {
  constexpr std::size_t kPiece = 1024;
  for (std::size_t first = 0; first < list.size(); first += kPiece) {
    const std::size_t end = std::min(first + kPiece, list.size());
    if (!are_wanted(list.subspan(first, end - first))) continue;
    for (std::size_t i = first; i < end; ++i) function(i);
  }
}

/// The kind of each input; of a pair, that of the operand that is farther from an ordinary number.
void set_kinds(formats::Format format, const ChunkInputs& inputs, std::vector<InputKind>& kinds) {
  std::fill(kinds.begin(), kinds.end(), InputKind::Counted);
  const auto are_special = [format](std::span<const std::uint32_t> piece) {
    return references::has_specials(format, piece);
  };
  formats::with_line(format, [&](auto line) {
    for (const auto* operands : {&inputs.x, &inputs.y}) {
      for_each_in_pieces(*operands, are_special, [&](std::size_t i) {
        kinds[i] = std::max(kinds[i], kind_of(line.kind((*operands)[i])));
      });
    }
  });
}

bool are_counted(std::span<const InputKind> kinds) {
  std::uint8_t others = 0; // without a way out of the loop, so that it is one of vectors
  for (const InputKind kind : kinds) others |= static_cast<std::uint8_t>(kind);
  static_assert(static_cast<unsigned>(InputKind::Counted) == 0);
  return others == 0;
}

} // namespace

void ChunkExpectation::resize(std::size_t count) {
  bits.resize(count);
  exact.resize(count);
  kind.resize(count);
}

void ChunkExpectation::finish(formats::Format output_format) {
  const auto are_nans = [output_format](std::span<const std::uint32_t> piece) {
    return references::has_nans(output_format, piece);
  };
  formats::with_line(output_format, [&]<class Line>(Line) {
    // That of the input stays where it has one: they come behind.
    static_assert(InputKind::Counted < InputKind::ExpectedNaN &&
                  InputKind::ExpectedNaN < InputKind::Denormal);
    for_each_in_pieces(bits, are_nans, [&](std::size_t i) {
      const bool is_nan = Line::is_nan(bits[i]);
      kind[i] = std::max(kind[i], is_nan ? InputKind::ExpectedNaN : InputKind::Counted);
    });
  });
  is_all_counted = are_counted(kind);
}

Expected<void> ChunkEvaluator::evaluate(const references::Reference& function,
                                        formats::Format format, const ChunkInputs& inputs,
                                        references::ReferenceResults& results) {
  if (inputs.x.empty()) return {};
  references::ReferenceInputs points{.format = format_, .x = inputs.x, .y = {}};
  if (function.operands() == 2) points.y = inputs.y;
  return function.evaluate_inputs(format, points, results);
}

Expected<void> ChunkEvaluator::leave_out(SweepChunk& chunk) {
  ChunkInputs& inputs = chunk.inputs;
  domain_bits_.resize(inputs.x.size());
  domain_exact_.resize(inputs.x.size());
  references::ReferenceResults values{
      .bits = domain_bits_, .exact = domain_exact_, .undecided = {}};
  // Only whether it is 0 or NaN is of interest, for which the format does not matter.
  if (auto done = evaluate(*domain_, formats::Format::FP32, inputs, values); !done) return done;
  std::size_t kept = 0, positives = 0;
  for (std::size_t i = 0; i < inputs.x.size(); ++i) {
    const double inside = domain_exact_[i];
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
  references::ReferenceResults results{
      .bits = expected.bits, .exact = expected.exact, .undecided = {}};
  if (auto done = evaluate(*reference_, output_format_, chunk.inputs, results); !done) return done;
  expected.undecided = results.undecided.size();
  expected.finish(output_format_);
  return {};
}

} // namespace lanewise::sweep
