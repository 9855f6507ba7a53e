// v_if, v_block and v_and as they nest: which predicate context is current.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "source/compiler/ir.h"

namespace lanewise::sfpi {

/// Why a node cannot be part of a recording.
struct Mistake {
  std::string message;     ///< one sentence: what is wrong
  std::string remedy = {}; ///< one sentence: what to do

  friend bool operator==(const Mistake&, const Mistake&) = default;
};

inline tl::unexpected<Mistake> mistake(std::string message, std::string remedy = {}) {
  return tl::unexpected(Mistake{std::move(message), std::move(remedy)});
}

class PredicateStack {
 public:
  std::uint32_t current() const { return current_; }

  /// Follows one of the kinds If .. Narrow; new contexts are added to `contexts`. Other kinds
  /// change nothing. Error: an Else, ElseIf, EndIf or EndBlock without what it belongs to, or an
  /// EndIf whose `imm` is not the number of If and ElseIf of its chain.
  tl::expected<void, Mistake> follow(const lanewise_node& node,
                                     std::vector<compiler::Context>& contexts);

  /// Error: something is still open.
  tl::expected<void, Mistake> check_closed() const;

 private:
  struct Level {
    std::uint32_t outside = 0;   ///< context that comes back at the end
    std::int32_t conditions = 0; ///< If and ElseIf of the chain; 0 for a Block
    bool has_else = false;
  };

  tl::expected<void, Mistake> begin_arm(bool conditional, std::vector<compiler::Context>& contexts);
  tl::expected<void, Mistake> end_if(std::int32_t conditions);
  tl::expected<void, Mistake> end_block();
  /// A new current context inside `parent`.
  void enter(std::uint32_t parent, std::vector<compiler::Context>& contexts);

  std::uint32_t current_ = 0;
  std::vector<Level> levels_;
};

} // namespace lanewise::sfpi
