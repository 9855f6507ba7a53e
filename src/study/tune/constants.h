// Where a row's constants are: in registers, in instructions (SFPADDI, SFPMULI, SFPLOADI), or
// loaded by each row.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// a + constant, a * constant or a copied constant: what SFPADDI, SFPMULI and SFPLOADI compute.
struct ImmediateForm {
  unsigned value, constant; ///< places among the operands; kNone: there is none
};
std::optional<ImmediateForm> immediate_form(const RowGraph& row, const Node& node);

/// SFPMOV of a constant, which may be an SFPLOADI.
bool is_copied_constant(const RowGraph& row, const Node& node);

/// LReg[0..7].
inline constexpr unsigned kGeneralRegisters = 8;

/// One way to keep the constants of a row.
struct ConstantPlan {
  RowGraph row; ///< with what it loads itself
  std::set<std::uint32_t> immediates;
  std::vector<std::uint32_t> in_registers;
  std::size_t loaded = 0;       ///< constants that the row loads itself
  bool takes_minus_one = false; ///< LReg[11] holds one of them
};

/// All ways, those first whose rows have fewest instructions.
std::vector<ConstantPlan> constant_plans(const RowGraph& row);

/// Gives the constants of a plan registers: LReg[12..14] first, then LReg[11] if the plan takes it,
/// then LReg[7] downwards. False if too few registers are left to values.
bool keep_constants(Formed& formed, const ConstantPlan& plan);

} // namespace lanewise::tune
