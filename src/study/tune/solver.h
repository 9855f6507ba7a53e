// Asks z3, as a process of its own, whether terms differ for any values of their variables.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/fault.h"
#include "study/tune/terms.h"

namespace lanewise::tune {

/// How a variable is called in a question: letters, digits and underscores.
using VariableName = std::function<std::string(std::uint32_t)>;

/// SMT-LIB 2: can `condition` hold? Asks for the values of the variables, too.
std::string question_text(TruthTerm condition, const VariableName& name_of);

enum class SolverVerdict : std::uint8_t { Never, Sometimes, Undecided };

struct SolverAnswer {
  SolverVerdict verdict = SolverVerdict::Undecided;
  std::map<std::string, std::uint32_t> variables = {}; ///< Sometimes: of one case
  std::string why = {};                                ///< Undecided: a sentence's end
};

/// The program's name, found through PATH.
inline constexpr const char* kSolver = "z3";

/// What it says of its version; "" if it cannot be run.
std::string solver_version();

/// What z3 says of a question within so much processor time. Where it cannot be run, or says what
/// is not understood, the answer is Undecided.
SolverAnswer ask_solver(const std::string& question, std::chrono::milliseconds limit,
                        const std::string& program = kSolver);

} // namespace lanewise::tune
