// The proof over all pairs of 32 bits, or all triples, of which there are too many to go through:
// both programs' words as terms of one lane of each row. Where these are the same expressions of
// the inputs, nobody is asked; else z3 looks for operands with which they differ.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/prove.h"
#include "study/tune/solver.h"

namespace lanewise::tune {

struct PairsAnswer {
  SolverVerdict verdict = SolverVerdict::Undecided; ///< of differences that are not allowed
  /// Sometimes: with which z3 thinks that the results differ, as value bits.
  std::vector<std::uint32_t> operands = {};
  std::string why = {};      ///< Undecided
  std::size_t questions = 0; ///< different ones, of all rows; with 0, expressions are the same
};

/// Compares the programs' results, element by element of the result's tile. With
/// ProofOptions::only_soon z3 is not asked. What has no terms is Undecided, with the reason. Error:
/// BadInput for a .cfg setting that is wrong.
Expected<PairsAnswer> compare_all_pairs(const Plain& plain, const Plain& tuned,
                                        const ProofOptions& options);

} // namespace lanewise::tune
