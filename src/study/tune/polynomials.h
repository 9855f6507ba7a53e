// Polynomials of a row: Horner's schemes in multiply-adds with constants, and other ways to compute
// nearly the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fault.h"
#include "number/fits/sollya.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// c0 + c1 x + c2 x^2 ... by Horner's scheme, of two or more steps.
struct PolynomialChain {
  NodeId argument = kNoNode;               ///< x
  NodeId result = kNoNode;                 ///< the last step
  std::vector<std::uint32_t> coefficients; ///< bits, c0 first

  std::size_t degree() const { return coefficients.size() - 1; }
  friend bool operator==(const PolynomialChain&, const PolynomialChain&) = default;
};

/// The longest ones there are, in the order of their results. Steps but the last have one user.
std::vector<PolynomialChain> polynomial_chains(const RowGraph& row);

/// The row with other coefficients, of the same degree or a lower one.
RowGraph with_polynomial(const RowGraph& row, const PolynomialChain& chain,
                         const std::vector<std::uint32_t>& coefficients);

/// The row with the polynomial by Estrin's scheme: pairs first, then pairs of pairs.
RowGraph with_estrin(const RowGraph& row, const PolynomialChain& chain);

/// Arguments for which a polynomial counts.
struct ArgumentRange {
  double low = 0, high = 0; ///< low < high, finite
};

struct RefitTask {
  std::size_t degree = 0; ///< of the new polynomial
  /// c0 stays this number; else 0 stays where it is 0, and any other is fitted as well.
  std::optional<std::uint32_t> first = std::nullopt;
  fits::ErrorKind error = fits::ErrorKind::Relative;
};

/// The coefficients of the best polynomial that stands for an old one within a range of its
/// argument, as bits, c0 first. Error: BadInput as fit_polynomials() has it.
Expected<std::vector<std::uint32_t>> refit(const PolynomialChain& chain, ArgumentRange range,
                                           const RefitTask& task);

} // namespace lanewise::tune
