// What a core tells of itself to who looks for races between cores (run/grid/races.h): plain data,
// which crosses from its process to another one.
#pragma once

#include <array>
#include <cstdint>

namespace lanewise::launch {

struct Note {
  enum class Kind : std::uint32_t {
    Accesses,   ///< `bytes` at source.address of its own L1
    Asks,       ///< for a transaction
    Lands,      ///< a transaction that has not left the core
    Waits,      ///< for what it has asked: `what` is a NocWait::What
    Pushes,     ///< pages of circular buffer `what`
    Pops,       ///< the same
    SeesPushes, ///< it has looked how many pages were pushed, and goes by that
    SeesPops,   ///< the same
    Releases,   ///< it has stored to a word, at source.address, by which others go
    Acquires,   ///< it goes by what stands in a word
    Follows,    ///< it goes by what core `what` of the same tile has told it, or each of them
    Names       ///< `text` is the place that `line` stands for
  };
  enum Flag : std::uint32_t {
    kChanges = 1,
    kIsWord = 2,     ///< each access is volatile, and no longer than a word
    kByUnit = 4,     ///< an unpacker or a packer does it
    kIsPosted = 8,   ///< no answer comes
    kHaveLeft = 16,  ///< what was waited for is no more than that
    kByTrial = 32,   ///< the wait is no kernel's: all is done, also what has no answer
    kIsExact = 64,   ///< it has waited until the word is `what`, and has found `value`
    kIsAtLeast = 128 ///< it has waited until the word is `what` or more, and has found `value`
  };
  static constexpr std::uint32_t kEachCore = 0xFF; ///< of Follows

  struct Place {
    std::uint32_t memory, bank;
    std::uint64_t address;
  };

  Kind kind;
  std::uint32_t core; ///< of the tile
  std::uint32_t line;
  std::uint32_t what;
  std::uint32_t noc, channel, tag, flags, bytes;
  std::uint32_t value;  ///< of increments, how much
  std::uint64_t number; ///< of a transaction
  Place source, destination;
  std::array<char, 40> text; ///< ends with a zero
};

} // namespace lanewise::launch
