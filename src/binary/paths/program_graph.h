// The blocks of all functions of a file, and where control goes from each: also into called
// functions and back.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"

namespace lanewise::paths {

/// A block of a function.
struct Place {
  std::uint32_t function = 0; ///< index in the list of functions
  graph::Node block = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A word of a function.
struct WordPlace {
  std::uint32_t function = 0;
  std::uint32_t word = 0; ///< index in the function

  friend auto operator<=>(const WordPlace&, const WordPlace&) = default;
};

/// A block, and where the calls on the way to it come back, the innermost last.
struct Position {
  Place place;
  std::vector<Place> returns = {};

  friend bool operator==(const Position&, const Position&) = default;
  friend bool operator<(const Position& a, const Position& b) {
    return std::tie(a.place, a.returns) < std::tie(b.place, b.returns);
  }
};

/// Blocks that are executed one after the other.
using Chain = std::vector<Position>;

/// How a search came to a position: from that number in its list, or from its start.
struct Reached {
  Position position;
  std::size_t from;
};
inline constexpr std::size_t kSearchStart = ~std::size_t{0};

/// From the start to the last one.
Chain way_to(const std::vector<Reached>& reached, std::size_t last);

class ProgramGraph {
 public:
  /// `functions`, each of one word at least, must outlive this.
  explicit ProgramGraph(std::span<const elf::Function> functions);

  std::span<const elf::Function> functions() const { return functions_; }
  const CodeGraph& code(std::uint32_t function) const { return codes_[function]; }
  const Block& block(Place place) const { return codes_[place.function].blocks[place.block]; }
  const elf::CodeWord& word(WordPlace at) const { return functions_[at.function].words[at.word]; }

  /// Words of a block that push, in order.
  std::vector<WordPlace> pushes(Place place) const;

  /// The block's callee, or the function that its tail jump goes to, or nothing where the file does
  /// not show it.
  std::optional<std::uint32_t> callee(Place place) const;

  /// Blocks that may come next. A function that was not entered on the way returns to each place
  /// that calls it. Nothing behind a call or a jump whose target is unknown.
  std::vector<Position> next(const Position& from) const;

  /// Ways from behind `from` to the next blocks that push something: each block once, by a way of
  /// the fewest blocks. `from` is not in them.
  std::vector<Chain> to_next_pushes(const Position& from) const;

  /// A block that calls the function, if there is one.
  std::optional<Place> caller(std::uint32_t function) const;

 private:
  void find_returns();
  bool add_returns(std::uint32_t to, const std::set<Place>& places);

  std::span<const elf::Function> functions_;
  std::vector<CodeGraph> codes_;
  std::map<std::uint32_t, std::uint32_t> by_address_;
  std::vector<std::set<Place>> returns_; ///< of each function: blocks behind calls of it
};

} // namespace lanewise::paths
