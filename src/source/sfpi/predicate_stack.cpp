#include "source/sfpi/predicate_stack.h"

#include <fmt/format.h>

namespace lanewise::sfpi {
namespace {

using compiler::Context;
using compiler::Kind;

} // namespace

void PredicateStack::enter(std::uint32_t parent, std::vector<Context>& contexts) {
  current_ = static_cast<std::uint32_t>(contexts.size());
  contexts.push_back({.parent = parent, .depth = contexts[parent].depth + 1});
}

tl::expected<void, Mistake> PredicateStack::begin_arm(bool conditional,
                                                      std::vector<Context>& contexts) {
  const std::string name = conditional ? "v_elseif" : "v_else";
  if (levels_.empty() || levels_.back().conditions == 0) {
    return mistake(name + " without a v_if before it", "open the chain with v_if");
  }
  Level& level = levels_.back();
  if (level.has_else) {
    return mistake(name + " after the v_else of its chain", "move it in front of the v_else");
  }
  level.has_else = !conditional;
  if (conditional) ++level.conditions;
  enter(level.outside, contexts);
  return {};
}

tl::expected<void, Mistake> PredicateStack::end_if(std::int32_t conditions) {
  if (levels_.empty() || levels_.back().conditions == 0) {
    return mistake("v_endif without an open v_if", "close what was opened last first");
  }
  if (levels_.back().conditions != conditions) {
    return mistake(fmt::format("the end of a v_if chain counts {} conditions, and {} were opened",
                               conditions, levels_.back().conditions),
                   "leave chains in the order in which they were opened");
  }
  current_ = levels_.back().outside;
  levels_.pop_back();
  return {};
}

tl::expected<void, Mistake> PredicateStack::end_block() {
  if (levels_.empty() || levels_.back().conditions != 0) {
    return mistake("v_endblock without an open v_block", "close what was opened last first");
  }
  current_ = levels_.back().outside;
  levels_.pop_back();
  return {};
}

tl::expected<void, Mistake> PredicateStack::follow(const lanewise_node& node,
                                                   std::vector<Context>& contexts) {
  switch (node.kind) {
    case Kind::If:
      levels_.push_back({.outside = current_, .conditions = 1});
      enter(current_, contexts);
      return {};
    case Kind::Block:
      levels_.push_back({.outside = current_});
      enter(current_, contexts);
      return {};
    case Kind::Narrow:
      // Without a v_if or v_block around it nothing would ever bring the lanes back.
      if (levels_.empty()) {
        return mistake("v_and outside of every v_if and v_block", "put a v_block around it");
      }
      enter(current_, contexts);
      return {};
    case Kind::ElseIf: return begin_arm(true, contexts);
    case Kind::Else: return begin_arm(false, contexts);
    case Kind::EndIf: return end_if(node.imm);
    case Kind::EndBlock: return end_block();
    default: return {};
  }
}

tl::expected<void, Mistake> PredicateStack::check_closed() const {
  if (levels_.empty()) return {};
  const bool is_block = levels_.back().conditions == 0;
  return mistake(fmt::format("the kernel ended inside a {}", is_block ? "v_block" : "v_if"),
                 fmt::format("close it with {}", is_block ? "v_endblock" : "v_endif"));
}

} // namespace lanewise::sfpi
