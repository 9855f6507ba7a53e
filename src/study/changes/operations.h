// Operations of tt-metal and kernels of LLK for the Vector Unit as cases: their words on tiles of
// numbers.
#pragma once

#include <set>
#include <vector>

#include "base/limits.h"
#include "study/changes/case.h"
#include "study/changes/reach.h"
#include "study/changes/runner.h"

namespace lanewise::changes {

/// The operations of a tree for a chip, and where it is one of tt-llk its kernels that are known,
/// each in all its formats. `source` is the name of the header.
std::vector<TestCase> program_cases(const checkouts::Checkout& checkout, Arch arch);

/// Compiles. The words are the text of Started: where they are the same, so are the results.
Started start_program(const TestCase& each, const checkouts::Checkout& checkout,
                      const ProcessLimits& limits);

/// Runs the words on every number of 16 bits, or as many of 32.
void finish_program(Outcome& outcome, const TestCase& each, const Program& program);

} // namespace lanewise::changes
