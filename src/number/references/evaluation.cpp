#include "number/references/evaluation.h"

#include <array>
#include <cmath>

#include "number/references/enclosure_functions.h"
#include "number/references/gamma.h"

namespace lanewise::references {
namespace {

using NodeKind = ExpressionNode::Kind;

/// MPFR and Arb keep pi and the like for each thread; they go when the thread ends.
class CacheOwner {
 public:
  CacheOwner() = default;
  CacheOwner(const CacheOwner&) = delete;
  CacheOwner& operator=(const CacheOwner&) = delete;
  ~CacheOwner() {
    free_gamma_caches();
    mpfr_free_cache();
  }
  void touch() {}
};

void own_cache() {
  thread_local CacheOwner owner;
  owner.touch();
}

/// The value of the node and what is below it, at the calling thread's precision.
Enclosure evaluate_node(const Expression& expression, std::size_t node, const Enclosure& x,
                        const Enclosure& y);

Enclosure call(const Expression& expression, const ExpressionNode& node, const Enclosure& x,
               const Enclosure& y) {
  std::array<Enclosure, kMostOperands> operands;
  for (unsigned i = 0; i < node.function->operands; ++i) {
    operands[i] = evaluate_node(expression, node.operands[i], x, y);
  }
  const auto row = static_cast<std::size_t>(node.function - reference_functions().data());
  return enclosure_functions()[row](operands.data());
}

Enclosure evaluate_node(const Expression& expression, std::size_t node, const Enclosure& x,
                        const Enclosure& y) {
  const ExpressionNode& at = expression.nodes[node];
  switch (at.kind) {
    case NodeKind::X: return x;
    case NodeKind::Y: return y;
    case NodeKind::Number: return Enclosure::of_text(at.digits);
    case NodeKind::Pi: return constant_pi();
    case NodeKind::E: return constant_e();
    case NodeKind::Infinity: return Enclosure(kInfinite);
    case NodeKind::NaN: return Enclosure::nan();
    case NodeKind::Call: break;
  }
  return call(expression, at, x, y);
}

/// The middle, where it is known to 2^-40 of its size or better.
ReferenceValue rounded(const Enclosure& value, const DoubleEnds& ends, formats::Format format) {
  const double exact = middle(value);
  const std::uint32_t low = formats::round_to_bits(format, ends.low);
  const bool is_certain = !value.maybe_nan && low == formats::round_to_bits(format, ends.high);
  return {.exact = exact,
          .bits = is_certain ? low : formats::round_to_bits(format, exact),
          .decided = is_certain};
}

} // namespace

Enclosure evaluate_between(const Expression& expression, double low, double high) {
  own_cache();
  const Precision precision(kLowestPrecision);
  return evaluate_node(expression, expression.nodes.size() - 1,
                       low == high ? Enclosure(low) : Enclosure::between(low, high), Enclosure(0));
}

Interval evaluate_constant(const Expression& expression, std::size_t node) {
  own_cache();
  const Precision precision(kLowestPrecision);
  const Enclosure value = evaluate_node(expression, node, Enclosure(0), Enclosure(0));
  if (value.is_nan) return kNanInterval;
  if (value.maybe_nan) return kUnknownInterval;
  return {mpfr_get_d(value.low, MPFR_RNDD), mpfr_get_d(value.high, MPFR_RNDU)};
}

ReferenceValue evaluate_precisely(const Expression& expression, formats::Format format, double x,
                                  double y) {
  own_cache();
  for (mpfr_prec_t bits = kLowestPrecision;; bits *= 2) {
    const Precision precision(bits);
    const Enclosure value =
        evaluate_node(expression, expression.nodes.size() - 1, Enclosure(x), Enclosure(y));
    if (value.is_nan) return {.exact = kNan, .bits = formats::round_to_bits(format, kNan)};
    const ReferenceValue result = rounded(value, to_double_ends(value), format);
    if (result.decided || bits == kHighestPrecision) return result;
  }
}

} // namespace lanewise::references
