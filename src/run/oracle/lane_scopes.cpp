#include "run/oracle/lane_scopes.h"

#include <fmt/format.h>

#include "base/source_line.h"

namespace lanewise::oracle {

using compiler::Kind;
using compiler::Node;

LaneScopes::LaneScopes(const compiler::Recording& recording, std::uint32_t lanes)
    : recording_(recording), scopes_{{.lanes = lanes, .parent = 0, .opener = kEntry}} {}

void LaneScopes::open(Scope parent, std::uint32_t lanes, compiler::Value node) {
  scopes_.push_back({.lanes = lanes, .parent = parent, .opener = node});
  current_ = static_cast<Scope>(scopes_.size() - 1);
}

/// What the innermost open predicate comes back to; without one, as on an empty flag stack, where
/// we are.
LaneScopes::Scope LaneScopes::pop() {
  if (saved_.empty()) return current_;
  const Scope scope = saved_.back();
  saved_.pop_back();
  return scope;
}

void LaneScopes::open_else(compiler::Value node) {
  const Scope around = saved_.empty() ? 0 : saved_.back();
  open(around, scopes_[around].lanes & ~lanes(), node);
}

void LaneScopes::change(compiler::Value number, std::uint32_t condition) {
  const Node& node = recording_.nodes[number];
  switch (node.kind) {
    case Kind::If:
      push();
      open(current_, lanes() & condition, number);
      break;
    case Kind::ElseIf:
      open_else(number);
      push();
      open(current_, lanes() & condition, number);
      break;
    case Kind::Else: open_else(number); break;
    case Kind::Narrow: open(current_, lanes() & condition, number); break;
    case Kind::Block: push(); break;
    case Kind::EndBlock: current_ = pop(); break;
    case Kind::EndIf:
      for (std::int32_t level = 0; level < node.imm; ++level) current_ = pop();
      break;
    default: break;
  }
}

void LaneScopes::set(compiler::Value node, std::uint32_t lanes) {
  open(current_, lanes, node);
}

std::uint32_t LaneScopes::deciding_lanes(const Node& node) const {
  if (node.kind != Kind::ElseIf) return lanes();
  const Scope around = saved_.empty() ? 0 : saved_.back();
  return scopes_[around].lanes & ~lanes();
}

std::string LaneScopes::why_not_enabled(Scope scope, unsigned lane) const {
  const auto is_enabled = [&](Scope s) { return (scopes_[s].lanes >> lane & 1U) != 0; };
  while (scope != 0 && !is_enabled(scopes_[scope].parent)) scope = scopes_[scope].parent;
  const compiler::Value opener = scopes_[scope].opener;
  if (opener == kEntry) return "where the kernel was entered with the lane enabled";
  const Node& node = recording_.nodes[opener];
  const std::uint32_t line = recording_.sites[node.site].line;
  const std::string place =
      has_line(line) ? "of " + line_text(line) : fmt::format("of node {}", opener);
  switch (node.kind) {
    case Kind::Else: return fmt::format("in the v_else {}", place);
    case Kind::ElseIf: return fmt::format("where the v_elseif {} held", place);
    case Kind::Narrow: return fmt::format("where the v_and {} held", place);
    case Kind::Raw: return fmt::format("where the instruction {} left lanes enabled", place);
    default: return fmt::format("where the v_if {} held", place);
  }
}

} // namespace lanewise::oracle
