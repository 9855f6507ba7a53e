#include "run/oracle/lane_values.h"

#include <fmt/format.h>

#include "base/source_line.h"
#include "run/oracle/lane_moves.h"

namespace lanewise::oracle {

namespace {

using compiler::Kind;
using compiler::kNone;
using compiler::Node;
using compiler::Recording;
using compiler::Value;

/// A lane of an operand.
struct Place {
  Value value;
  unsigned lane;
};

bool is_defined(const Recording& recording, const LaneValues& values, Place place) {
  const std::uint32_t lanes = compiler::is_condition(recording.nodes[place.value].kind)
                                  ? values.conditions[place.value].defined
                                  : values.vectors[place.value].defined;
  return (lanes >> place.lane & 1U) != 0;
}

/// Through which operand a lane of the node has no value; `result` is that of a many-result
/// instruction.
Place undefined_operand(const Recording& recording, const LaneValues& values, const Node& node,
                        unsigned result, unsigned lane) {
  if (node.kind == Kind::Result) return {node.operand[0], lane};
  const isa::Op op = node.kind == Kind::Instruction ? operation(recording, node) : isa::Op::NOP;
  const isa::Movement movement = isa::Effects(recording.arch, op, node.mod).movement();
  if (isa::moves_lanes(movement)) {
    const auto source = lane_source(movement, result, lane);
    if (!source) return {kNone, lane};
    return {node.operand[source->operand], source->lane};
  }
  for (const Value operand : node.operand) {
    if (operand != kNone && !is_defined(recording, values, {operand, lane})) return {operand, lane};
  }
  return {kNone, lane};
}

} // namespace

std::string why_undefined(const Recording& recording, const LaneValues& values,
                          const LaneScopes& scopes, Value value, unsigned lane) {
  unsigned result = 0;
  Place place{value, lane};
  while (place.value != kNone && recording.nodes[place.value].kind != Kind::Undefined) {
    const Node& node = recording.nodes[place.value];
    const LaneScopes::Scope scope = values.scopes[place.value];
    const bool was_enabled = (scopes.lanes_of(scope) >> place.lane & 1U) != 0;
    if (node.kind == Kind::Result) result = static_cast<unsigned>(node.imm);
    if (node.kind == Kind::Assign) {
      place.value = node.operand[was_enabled ? 1 : 0];
      continue;
    }
    if (!was_enabled && !compiler::is_condition(node.kind)) {
      return "was computed only " + scopes.why_not_enabled(scope, place.lane);
    }
    const Place from = undefined_operand(recording, values, node, result, place.lane);
    if (from.value == kNone) return "was not computed";
    place = from;
  }
  const std::uint32_t line =
      place.value == kNone ? 0 : recording.sites[recording.nodes[place.value].site].line;
  return has_line(line)
             ? fmt::format("was never assigned (declared without a value in {})", line_text(line))
             : "was never assigned";
}

} // namespace lanewise::oracle
