// What 'lanewise tune' found, as text.
#pragma once

#include <string>
#include <vector>

#include "study/tune/tune.h"

namespace lanewise::report {

/// Rows, bounds, what was tried, registers, contract and proof: one line each, without the code.
/// `name` is that of the kernel.
std::string tune_text(const tune::TuneResult& result, const std::string& name);

/// ", proved by z3" behind a result in a table; nothing where it was all inputs.
std::string proved_by_text(tune::ProofKind kind);

/// What 'check' finds of a tuned program: "nothing", or which rules, of the plain kernel, too.
std::string findings_text(const std::vector<std::string>& findings);

/// The proof in one line.
std::string proof_line(const tune::Proof& proof);

} // namespace lanewise::report
