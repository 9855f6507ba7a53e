#include "study/corpus/llk/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

#include "number/references/reference.h"
#include "study/corpus/llk/error.h"

namespace lanewise::corpus {

namespace {

/// Bits of bf16 as those of the fp32 with the same value.
std::uint32_t widened(formats::Format format, std::uint32_t bits) {
  constexpr unsigned kLowerHalf = 16;
  return format == formats::Format::BF16 ? bits << kLowerHalf : bits;
}

/// Inputs and outputs of all runs, element by element.
class Elements {
 public:
  Elements(const LlkKernel& kernel, std::span<const tensors::Tensor> inputs,
           std::span<const tensors::Tensor> outputs)
      : domain_(kernel.domain), inputs_(inputs), outputs_(outputs) {}

  std::size_t count() const { return outputs_.front().bits.size(); }
  std::size_t runs() const { return count() / tensors::kTileElements; }
  formats::Format output_format(std::size_t output) const { return outputs_[output].format; }

  std::uint32_t input_bits(std::size_t input, std::size_t index) const {
    return widened(inputs_[input].format, raw_input(input, index));
  }
  /// 0 for an input that the kernel does not have.
  double input(std::size_t input, std::size_t index) const {
    if (input >= inputs_.size()) return 0;
    return formats::value_of_bits(inputs_[input].format, raw_input(input, index));
  }
  std::uint32_t output_bits(std::size_t output, std::size_t index) const {
    return widened(outputs_[output].format, outputs_[output].bits[index]);
  }
  double output(std::size_t output, std::size_t index) const {
    return formats::value_of_bits(outputs_[output].format, outputs_[output].bits[index]);
  }

  bool is_in_domain(std::size_t index) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (formats::is_integer(inputs_[i].format)) continue;
      const double x = input(i, index);
      if (!std::isfinite(x) && !domain_.nan_and_infinity) return false;
      const bool is_denormal = x != 0 && std::abs(x) < 0x1p-126;
      if (is_denormal) return false;
    }
    return domain_.holds == nullptr || domain_.holds(input(0, index), input(1, index));
  }

  std::vector<NumberTile> input_tiles(std::size_t run) const {
    return tiles(inputs_.size(), run, [&](std::size_t i, std::size_t at) { return input(i, at); });
  }
  std::vector<NumberTile> output_tiles(std::size_t run) const {
    return tiles(outputs_.size(), run,
                 [&](std::size_t i, std::size_t at) { return output(i, at); });
  }

  /// "of 0.5 and 2".
  std::string inputs_text(std::size_t index) const {
    std::string text = "of";
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      text += fmt::format("{} {:.9g}", i == 0 ? "" : " and", input(i, index));
    }
    return inputs_.empty() ? element_name(index) : text;
  }

 private:
  std::uint32_t raw_input(std::size_t input, std::size_t index) const {
    const auto& bits = inputs_[input].bits;
    return bits[bits.size() == tensors::kTileElements ? index % tensors::kTileElements : index];
  }

  template <class Number>
  static std::vector<NumberTile> tiles(std::size_t count, std::size_t run, Number number) {
    std::vector<NumberTile> all(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (unsigned e = 0; e < tensors::kTileElements; ++e)
        all[i][e] = number(i, run * tensors::kTileElements + e);
    }
    return all;
  }

  const LlkDomain& domain_;
  std::span<const tensors::Tensor> inputs_, outputs_;
};

/// Compares in the way that a kind of reference asks for.
class ReferenceComparison {
 public:
  ReferenceComparison(const LlkKernel& kernel, LlkBound bound, formats::UlpMeasure measure,
                      const Elements& elements)
      : kernel_(kernel), bound_(bound), measure_(measure), elements_(elements) {}

  void operator()(NumberOfOne reference) {
    numbers([&](std::size_t at) { return reference(elements_.input(0, at)); });
  }
  void operator()(NumberOfTwo reference) {
    numbers(
        [&](std::size_t at) { return reference(elements_.input(0, at), elements_.input(1, at)); });
  }
  void operator()(BitsOfOne reference) {
    bits([&](std::size_t at) { return reference(elements_.input_bits(0, at)); });
  }
  void operator()(BitsOfTwo reference) {
    bits([&](std::size_t at) {
      return reference(elements_.input_bits(0, at), elements_.input_bits(1, at));
    });
  }

  void operator()(TileFunction reference) {
    for (std::size_t run = 0; run < elements_.runs(); ++run) {
      std::vector<Answers> answers(kernel_.outputs.size());
      reference(elements_.input_tiles(run), answers);
      for (std::size_t output = 0; output < answers.size(); ++output) {
        ErrorSum sum(elements_.output_format(output), bound_, measure_);
        for (unsigned e = 0; e < tensors::kTileElements; ++e) {
          if (!answers[output][e]) continue;
          const std::size_t at = run * tensors::kTileElements + e;
          sum.add(*answers[output][e], elements_.output(output, at), [&] {
            return fmt::format("tile {}, {}", kernel_.outputs[output].tile, element_name(at));
          });
        }
        add(sum);
      }
    }
  }

  void operator()(Verdict verdict) {
    for (std::size_t run = 0; run < elements_.runs(); ++run) {
      result_.compared += kernel_.outputs.size() * tensors::kTileElements;
      const auto wrong = verdict(elements_.input_tiles(run), elements_.output_tiles(run));
      if (wrong && result_.wrong.empty()) result_.wrong = *wrong;
    }
  }

  void operator()(const ExpressionReference& reference) {
    const auto parsed = references::parse_reference(reference.text);
    if (!parsed) {
      result_.wrong = to_string(parsed.error());
      return;
    }
    std::vector<std::size_t> places;
    std::vector<double> x, y;
    const bool has_two = (*parsed)->operands() == 2;
    for (std::size_t at = 0; at < elements_.count(); ++at) {
      if (!elements_.is_in_domain(at)) continue;
      places.push_back(at);
      x.push_back(elements_.input(0, at));
      if (has_two) y.push_back(elements_.input(1, at));
    }
    const formats::Format format = elements_.output_format(0);
    std::vector<references::ReferenceValue> wanted(places.size());
    if (auto done = (*parsed)->evaluate(format, x, y, wanted); !done) {
      result_.wrong = to_string(done.error());
      return;
    }
    ErrorSum sum(format, bound_, measure_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      // Kernels are not held to the NaN and infinities of a function.
      if (!std::isfinite(wanted[i].exact)) continue;
      sum.add(wanted[i].exact, elements_.output(0, places[i]),
              [&] { return elements_.inputs_text(places[i]); });
    }
    add(sum);
  }
  void operator()(NoReference /*reference*/) { result_.compared = 0; }

  LlkComparison result() && {
    if (std::holds_alternative<NoReference>(kernel_.reference)) return std::move(result_);
    if (result_.compared == 0) result_.wrong = "no input lies in the domain";
    return std::move(result_);
  }

 private:
  void numbers(const std::function<double(std::size_t)>& wanted) {
    ErrorSum sum(elements_.output_format(0), bound_, measure_);
    for (std::size_t at = 0; at < elements_.count(); ++at) {
      if (!elements_.is_in_domain(at)) continue;
      sum.add(wanted(at), elements_.output(0, at), [&] { return elements_.inputs_text(at); });
    }
    add(sum);
  }

  void bits(const std::function<std::uint32_t(std::size_t)>& wanted) {
    std::uint64_t wrong = 0;
    std::string first;
    for (std::size_t at = 0; at < elements_.count(); ++at) {
      if (!elements_.is_in_domain(at)) continue;
      ++result_.compared;
      const std::uint32_t want = wanted(at), got = elements_.output_bits(0, at);
      if (want == got || wrong++ != 0) continue;
      first = fmt::format("{}: {:08X} instead of {:08X}", elements_.inputs_text(at), got, want);
    }
    if (wrong == 0) return;
    result_.wrong = fmt::format("{} of {} are wrong, the first {}", wrong, result_.compared, first);
  }

  void add(const ErrorSum& sum) {
    const LlkBound worst = sum.worst();
    result_.error.ulp = std::max(result_.error.ulp, worst.ulp);
    result_.error.absolute = std::max(result_.error.absolute, worst.absolute);
    result_.error.relative = std::max(result_.error.relative, worst.relative);
    result_.compared += sum.compared();
    if (sum.wrong() == 0 || !result_.wrong.empty()) return;
    result_.wrong =
        fmt::format("{} of {} are wrong, the worst {}", sum.wrong(), sum.compared(), sum.example());
  }

  const LlkKernel& kernel_;
  LlkBound bound_;
  formats::UlpMeasure measure_;
  const Elements& elements_;
  LlkComparison result_;
};

} // namespace

LlkComparison compare_with_reference(const LlkKernel& kernel, LlkBound bound,
                                     std::span<const tensors::Tensor> inputs,
                                     std::span<const tensors::Tensor> outputs,
                                     formats::UlpMeasure measure) {
  const Elements elements(kernel, inputs, outputs);
  ReferenceComparison comparison(kernel, bound, measure, elements);
  std::visit(comparison, kernel.reference);
  return std::move(comparison).result();
}

std::string element_name(std::size_t index) {
  const std::size_t place = index % tensors::kTileElements;
  return fmt::format("element {},{} of run {}", place / tensors::kTileEdge,
                     place % tensors::kTileEdge, index / tensors::kTileElements);
}

} // namespace lanewise::corpus
