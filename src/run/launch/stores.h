// What a core has stored to L1 and then has the NoC take from there, without having looked at it in
// between: its stores and the NoC reach L1 by ways of their own, and nothing but a load of what was
// stored says that it is there (ISA documentation, BabyRISCV/MemoryOrdering, "Enforcing stronger
// ordering").
//
// Here stores come at once, so that this is told by rule, whatever came first. Left out are
// transactions of a word: that is how noc_semaphore_set() and a multicast of the word are used all
// over tt-metal. Any load of L1 counts, since its value is not there before the stores in front of
// it have gone the same way.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "chip/noc/transaction.h"
#include "chip/tile/tile.h"
#include "run/launch/found.h"
#include "run/launch/rings.h"

namespace lanewise::launch {

class Stores {
 public:
  explicit Stores(FoundLog& found) : found_(found) {}

  /// A core touches L1 by the instruction at `code`.
  void touch(unsigned core, std::uint64_t code, const LineOf& line, const L1Range& range);
  /// A core has asked the NoC for a transaction.
  void ask(const noc::Transaction& t);

 private:
  /// Stores of an instruction, side by side.
  struct Range {
    std::uint64_t code = 0, begin = 0, end = 0;
  };
  struct Core {
    std::vector<Range> stored; ///< since its last load of L1, the newest last
    std::unordered_map<std::uint64_t, std::uint32_t> line; ///< by code
  };

  FoundLog& found_;
  std::array<Core, tile::kTileCores> core_;
};

} // namespace lanewise::launch
