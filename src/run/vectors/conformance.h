// Runs conformance vectors: each case on a machine of its own, compared bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/fault.h"
#include "run/vectors/vector_file.h"

namespace lanewise::vectors {

/// The first place at which a case differs.
struct Difference {
  std::string place;    ///< for instance "LReg[3] lane 5", or "not executed" with the reason
  std::string expected; ///< hexadecimal or decimal, as the file writes it
  std::string found;
  std::uint32_t line = 0; ///< of the expectation
};

/// Executes one case. Nothing if all that it expects came out.
std::optional<Difference> run_case(const VectorCase& test);

struct ConformanceResult {
  std::uint64_t cases = 0;
  std::uint64_t differing = 0;
};

/// Called for every case that differs.
using DifferenceReport = std::function<void(const VectorCase&, const Difference&)>;
/// Called after every case; false stops the run.
using ConformanceProgress = std::function<bool(const ConformanceResult&)>;

/// Runs a whole file. Error: BadInput with line and column if the file is malformed.
Expected<ConformanceResult> run_conformance(VectorReader& reader, const DifferenceReport& report,
                                            const ConformanceProgress& progress);

} // namespace lanewise::vectors
