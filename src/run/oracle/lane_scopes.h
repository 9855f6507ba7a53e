// The lanes that are enabled at each point of a recording, and why: masks, and the predicates that
// made them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chip/machine/vector/vector_state.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// The predicate stack of SFPI, on masks.
///
/// A scope is a stretch with the same enabled lanes; every one is remembered, so that it can be
/// told later which predicate took a lane out.
class LaneScopes {
 public:
  using Scope = std::uint32_t;

  LaneScopes(const compiler::Recording& recording, std::uint32_t lanes);

  std::uint32_t lanes() const { return scopes_[current_].lanes; }
  Scope current() const { return current_; }
  std::uint32_t lanes_of(Scope scope) const { return scopes_[scope].lanes; }

  /// If, ElseIf, Else, EndIf, Block, EndBlock or Narrow; `condition` is the mask of operand[0].
  void change(compiler::Value node, std::uint32_t condition);
  /// A raw word has left other lanes enabled.
  void set(compiler::Value node, std::uint32_t lanes);
  /// The lanes on which a node's condition decides: for ElseIf those that Else leaves.
  std::uint32_t deciding_lanes(const compiler::Node& node) const;

  /// "only where the v_if of line 12 held": the predicate that took `lane`, which is not enabled in
  /// `scope`, out.
  std::string why_not_enabled(Scope scope, unsigned lane) const;

 private:
  static constexpr compiler::Value kEntry = compiler::kNone;

  struct Entry {
    std::uint32_t lanes;
    Scope parent;
    compiler::Value opener; ///< the node that began the scope; kEntry for the kernel's own
  };

  void open(Scope parent, std::uint32_t lanes, compiler::Value node);
  void push() { saved_.push_back(current_); }
  Scope pop();
  void open_else(compiler::Value node);

  const compiler::Recording& recording_;
  std::vector<Entry> scopes_;
  std::vector<Scope> saved_; ///< what the open If, ElseIf and Block nodes come back to
  Scope current_ = 0;
};

} // namespace lanewise::oracle
