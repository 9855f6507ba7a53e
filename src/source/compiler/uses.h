// Who uses a value, and how often.
#pragma once

#include <optional>
#include <vector>

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Calls `visit(operand)` for each operand that the node has, vectors and conditions alike.
template <class Visit>
void for_each_operand(const Node& node, Visit visit) {
  for (const Value operand : node.operand) {
    if (operand != kNone) visit(operand);
  }
}

/// Calls `visit(value)` for each vector that the node reads when it is emitted: its operands, and
/// those of the conditions that it tests.
template <class Visit>
void for_each_read(const Recording& recording, Value reader, Visit visit) {
  for_each_operand(recording.nodes[reader], [&](Value operand) {
    if (!is_condition(recording.nodes[operand].kind)) {
      visit(operand);
    } else {
      for_each_read(recording, operand, visit);
    }
  });
}

/// Number of operands that name each node. Print does not count: looking at a value changes
/// nothing.
std::vector<std::uint32_t> count_uses(const Recording& recording);

/// Whether the node changes the enabled lanes.
bool changes_lanes(Kind kind);

/// Whether running the node matters even if nobody uses its value.
bool has_effect(const Recording& recording, const Node& node);

/// Whether lanes of the result come from other lanes of the operands, enabled or not: SFPTRANSP,
/// and SFPSHFT2 but for its bitwise shifts.
bool moves_lanes(const Recording& recording, const Node& node);

/// What a lane holds of a Constant, or of a ConstRegister that never changes; nothing for other
/// nodes.
bool constant_bits(Arch arch, const Node& node, std::uint32_t& bits);

/// The constant register that holds the literal of a Constant node, if the release looks there.
std::optional<unsigned> literal_register(const Recording& recording, const Node& node);

/// The release of SFPI from which sums of products become SFPMAD first, and operations with an
/// immediate what is left; before, it was the other way round.
inline constexpr int kMadFirst = 779;

/// Whether the node is a literal that SFPADDI and SFPMULI can hold: FP16b, in no constant register.
/// On Wormhole no infinity or NaN, of which it matters there which operand they are (VU 3.2).
bool is_float_immediate(const Recording& recording, const Node& node);

/// Whether the node is a constant with all bits 0.
bool is_zero(Arch arch, const Node& node);

} // namespace lanewise::compiler
