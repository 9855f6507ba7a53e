#include "source/compiler/dead_code.h"

#include <vector>

#include "source/compiler/uses.h"

namespace lanewise::compiler {

namespace {

/// Goes through the recording from its end, so that all users of a node are known.
class DeadCode {
 public:
  explicit DeadCode(Recording& recording)
      : recording_(recording), nodes_(recording.nodes), needed_(recording.nodes.size()) {}

  void run() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      if (node.dead) continue;
      if (!is_needed(node, static_cast<Value>(i))) {
        node.dead = true;
        continue;
      }
      for_each_operand(node, [&](Value operand) { needed_[operand] = true; });
      if (!scopes_.empty() && takes_place(node.kind)) scopes_.back().is_empty = false;
    }
  }

 private:
  /// From an If or a Block to its end.
  struct Scope {
    Value end = kNone;
    bool is_empty = true; ///< from here to the end
  };

  bool is_needed(const Node& node, Value number) {
    switch (node.kind) {
      case Kind::EndIf:
      case Kind::EndBlock: scopes_.push_back({.end = number}); return true;
      case Kind::If:
      case Kind::Block: return begins_something();
      case Kind::ElseIf:
        if (scopes_.back().is_empty) --nodes_[scopes_.back().end].imm;
        return !scopes_.back().is_empty;
      case Kind::Else:
      case Kind::Narrow: return scopes_.empty() || !scopes_.back().is_empty;
      default: return needed_[number] || has_effect(recording_, node);
    }
  }

  bool begins_something() {
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    if (scope.is_empty) nodes_[scope.end].dead = true;
    return !scope.is_empty;
  }

  /// Whether the node is more than a name for something.
  static bool takes_place(Kind kind) {
    switch (kind) {
      case Kind::Undefined:
      case Kind::Constant:
      case Kind::ConstRegister:
      case Kind::EndIf:
      case Kind::EndBlock: return false;
      default: return !is_condition(kind);
    }
  }

  Recording& recording_;
  std::vector<Node>& nodes_;
  std::vector<bool> needed_;
  std::vector<Scope> scopes_; ///< that the place is in, innermost last
};

} // namespace

void remove_dead_code(Recording& recording) {
  DeadCode(recording).run();
}

} // namespace lanewise::compiler
