// The values of a recording while it is interpreted: 32 lanes each, and which of them have a value.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "run/oracle/lane_scopes.h"
#include "run/oracle/node_execution.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

struct LaneVector {
  Lanes lanes{};
  std::uint32_t defined = 0; ///< lanes that have a value
};

/// The lanes in which a condition holds, and those in which that can be said.
struct LaneCondition {
  std::uint32_t holds = 0;
  std::uint32_t defined = 0;
};

/// Indexed by node.
struct LaneValues {
  explicit LaneValues(std::size_t nodes) : vectors(nodes), conditions(nodes), scopes(nodes) {}

  std::vector<LaneVector> vectors;
  std::vector<LaneCondition> conditions;
  std::vector<LaneScopes::Scope> scopes; ///< under which each node ran
  /// Of SFPSWAP and SFPTRANSP.
  std::unordered_map<compiler::Value, std::array<LaneVector, kWritableLRegs>> many_results;
};

/// Why a lane of a vector or a condition has no value: "was computed only where the v_if of line 12
/// held", "was never assigned".
std::string why_undefined(const compiler::Recording& recording, const LaneValues& values,
                          const LaneScopes& scopes, compiler::Value value, unsigned lane);

} // namespace lanewise::oracle
