// Rows that compute nearly the same as a row. Nothing here has to be exact: the results of each are
// measured over all inputs (accuracy.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/tune/polynomials.h"
#include "study/tune/row_values.h"

namespace lanewise::tune {

/// A row with one change, and the change in words.
struct Approximation {
  RowGraph row;
  std::string change;
};

// Each of these gives the rows with one change of its kind, on `values` of the row.

/// Clamps against constants, roundings to formats of 16 bits and choices of a v_if that are left
/// out: their operand takes their place.
std::vector<Approximation> without_operations(const RowGraph& row);

/// A step that takes an estimate to a better one, as Newton's does, left out: the estimate is used
/// in its place. A value is an estimate of another one that multiply-adds make of it, the value
/// itself used twice, if it is within an eighth of it for most inputs.
std::vector<Approximation> without_steps(const RowGraph& row, const RowValues& values);

/// Constants as numbers that take no register: 1.0, -1.0 and 0.8373, which some hold anyway, where
/// they are near; and the upper half alone, as SFPADDI and SFPMULI have it in the instruction.
std::vector<Approximation> with_cheaper_constants(const RowGraph& row);

/// Two multiply-adds as one: (x * c + d) * e + f with constants, and a product that is only added.
std::vector<Approximation> with_joined_operations(const RowGraph& row);

/// All of these, and polynomials: by Estrin's scheme, and with fewer coefficients, the others
/// fitted again where they count.
class Approximator {
 public:
  explicit Approximator(RowEvaluator& evaluator) : evaluator_(evaluator) {}

  /// Error: as RowEvaluator::evaluate() has it.
  Expected<std::vector<Approximation>> changed_once(const RowGraph& row, const RowValues& values);

  /// From where to where the argument goes for inputs whose results depend on the polynomial:
  /// those that change with its value by 1/32. Nothing where there are none.
  Expected<std::optional<ArgumentRange>> range_of(const RowGraph& row, const RowValues& values,
                                                  const PolynomialChain& chain);

 private:
  Expected<void> add_polynomials(const RowGraph& row, const RowValues& values,
                                 std::vector<Approximation>& all);
  void add_refits(const RowGraph& row, const PolynomialChain& chain, ArgumentRange range,
                  std::vector<Approximation>& all);
  /// Empty where there is none.
  const std::vector<std::uint32_t>& refitted(const PolynomialChain& chain, ArgumentRange range,
                                             const RefitTask& task);

  RowEvaluator& evaluator_;
  std::map<std::string, std::vector<std::uint32_t>> refits_; ///< by what was asked for
};

} // namespace lanewise::tune
