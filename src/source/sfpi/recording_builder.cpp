#include "source/sfpi/recording_builder.h"

#include <fmt/format.h>

#include "source/sfpi/node_rules.h"

namespace lanewise::sfpi {

using compiler::Kind;
using compiler::Value;

namespace {

/// Whether a value has none but in lanes of the context. An Assign has lanes of its variable, which
/// were assigned elsewhere.
bool has_only_lanes_of(const compiler::Recording& recording, Value value, std::uint32_t context) {
  const compiler::Node& node = recording.nodes[value];
  return node.kind != Kind::Assign && compiler::is_within(recording, node.context, context);
}

} // namespace

RecordingBuilder::RecordingBuilder(Arch arch, std::string name) {
  recording_.arch = arch;
  recording_.name = std::move(name);
}

tl::expected<Value, Mistake> RecordingBuilder::append(const lanewise_node& node,
                                                      std::uint32_t site) {
  if (recording_.nodes.size() >= kMostNodes) {
    return tl::unexpected(
        Mistake{fmt::format("the kernel recorded more than {} operations", kMostNodes),
                "look for a loop that does not end"});
  }
  if (auto checked = check_node(recording_, node); !checked) {
    return tl::unexpected(checked.error());
  }
  const std::uint32_t context = predicates_.current();
  if (auto followed = predicates_.follow(node, recording_.contexts); !followed) {
    return tl::unexpected(followed.error());
  }
  recording_.nodes.emplace_back(node, context, site);
  return static_cast<Value>(recording_.nodes.size() - 1);
}

tl::expected<Value, Mistake> RecordingBuilder::assign(Value old_value, Value value,
                                                      std::uint32_t declared, std::uint32_t site) {
  lanewise_node node;
  node.kind = Kind::Assign;
  node.operand[0] = old_value;
  node.operand[1] = value;
  if (auto checked = check_node(recording_, node); !checked) {
    return tl::unexpected(checked.error());
  }
  if (declared >= recording_.contexts.size()) {
    return tl::unexpected(Mistake{fmt::format("there is no predicate context {}", declared)});
  }
  if (compiler::is_within(recording_, declared, context())) return value;
  if (recording_.nodes[old_value].kind == Kind::Undefined &&
      has_only_lanes_of(recording_, value, context()))
    return value;
  return append(node, site);
}

tl::expected<std::uint32_t, Mistake> RecordingBuilder::text(std::string_view text) {
  const auto known = text_numbers_.find(std::string(text));
  if (known != text_numbers_.end()) return known->second;
  if (text.size() > kLongestText || text_numbers_.size() >= kMostTexts) {
    return tl::unexpected(Mistake{
        fmt::format("a label has {} bytes, or there are more than {}", text.size(), kMostTexts),
        fmt::format("use fewer labels of at most {} bytes", kLongestText)});
  }
  const auto number = static_cast<std::uint32_t>(text_numbers_.size());
  text_numbers_.emplace(text, number);
  recording_.texts.emplace_back(text);
  return number;
}

tl::expected<void, Mistake> RecordingBuilder::finish() {
  return predicates_.check_closed();
}

} // namespace lanewise::sfpi
