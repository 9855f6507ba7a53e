// A recording under construction: every node is checked before it becomes part of it, so that
// whoever reads a finished recording can follow its numbers without looking.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>

#include "source/compiler/ir.h"
#include "source/sfpi/predicate_stack.h"

namespace lanewise::sfpi {

class RecordingBuilder {
 public:
  RecordingBuilder(Arch arch, std::string name);

  /// Appends a node and returns its number. Error: what the node breaks, and the recording stays
  /// as it was. The node's context is the one that it starts in: for If, Else and Narrow the one
  /// before it.
  tl::expected<compiler::Value, Mistake> append(const lanewise_node& node, std::uint32_t site);

  /// The value of a variable after `variable = value` here: `value` itself where no lane can tell,
  /// since all lanes of its context `declared` are enabled, or since it had no value, and `value`
  /// has none but in lanes that are enabled here; else an Assign node.
  tl::expected<compiler::Value, Mistake> assign(compiler::Value old_value, compiler::Value value,
                                                std::uint32_t declared, std::uint32_t site);

  /// The number of the current predicate context.
  std::uint32_t context() const { return predicates_.current(); }

  /// The number of a text; the same for the same text.
  tl::expected<std::uint32_t, Mistake> text(std::string_view text);

  /// Nothing may be appended any more. Error: a v_if or v_block is still open.
  tl::expected<void, Mistake> finish();

  const compiler::Recording& recording() const { return recording_; }
  compiler::Recording take() { return std::move(recording_); }

 private:
  compiler::Recording recording_;
  PredicateStack predicates_;
  std::unordered_map<std::string, std::uint32_t> text_numbers_;
};

/// A kernel of more nodes has an endless loop, in all likelihood: those of LLK have some thousands.
inline constexpr std::size_t kMostNodes = 1'000'000;
/// Texts of Print: the longest, in bytes, and how many there may be.
inline constexpr std::size_t kLongestText = 4096;
inline constexpr std::size_t kMostTexts = 65536;

} // namespace lanewise::sfpi
