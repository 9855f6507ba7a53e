// The proof over all pairs of two operands of 32 bits, of which there are too many to go through:
// both programs' words as terms of one lane of each row, and z3, which looks for a pair where they
// differ.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/fault.h"
#include "study/tune/prove.h"
#include "study/tune/solver.h"

namespace lanewise::tune {

/// A pair for which z3 thinks that the results differ.
struct DifferentPair {
  std::uint32_t x = 0, y = 0; ///< value bits
};

struct PairsAnswer {
  SolverVerdict verdict = SolverVerdict::Undecided; ///< of differences that are not allowed
  DifferentPair pair = {};                          ///< Sometimes
  std::string why = {};                             ///< Undecided
  std::size_t questions = 0;                        ///< different ones, of all rows
};

/// Whether a proof needs this: two operands, each of 32 bits.
bool needs_solver(const ProofOptions& options);

/// Compares the programs' results, element by element of the first tile. What has no terms is
/// Undecided, with the reason. Error: BadInput for a .cfg setting that is wrong.
Expected<PairsAnswer> compare_all_pairs(const Plain& plain, const Plain& tuned,
                                        const ProofOptions& options);

} // namespace lanewise::tune
