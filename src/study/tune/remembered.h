// What the tuner has found and proved before (base/remembered.h): keys that have everything that
// decides about a result. The results are texts (result_text.h).
#pragma once

#include <optional>
#include <string>

#include "base/fault.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

inline constexpr const char *kTuningKind = "tunings", *kProofKind = "proofs";

/// What a search comes to. Nothing where what it looks for is a function of the caller's, or where
/// z3 would have to prove it and cannot be run.
std::optional<std::string> tuning_key(const Plain& plain, const TuneOptions& options);
/// The same of a proof.
std::optional<std::string> proof_key(const Plain& plain, const Tuned& tuned, const Plain& printed,
                                     const ProofOptions& options);

/// prove_printed(), where that takes long remembered once it holds.
Expected<Proof> prove_once(const Plain& plain, const Tuned& tuned, const Plain& printed,
                           const ProofOptions& options);

} // namespace lanewise::tune
