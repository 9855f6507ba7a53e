// Changes that kernels do not have, to try what would become of a program with them
// (run/grid/trials.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source_line.h"

namespace lanewise::launch {

struct Mend {
  enum class Kind : std::uint8_t {
    Barrier,        ///< behind what a line asks for, the core goes on once all of it is done
    CountReceivers, ///< a multicast counts as many answers as it has receivers
    OtherCorners,   ///< a multicast names the corners of its rectangle the other way around
    NoLink,         ///< a multicast is not linked to a next one
    AtLeast,        ///< a wait for one value of a word goes on at a larger one, too
    OtherWay,       ///< what a line sends goes by another NoC or channel, or as a multicast
    Added,          ///< what sets a word adds to it as much, so that nothing else is lost
    OwnPlace,       ///< what a line writes goes to an address further on
    Raise,          ///< behind what a line does, a word of other cores is raised
    Await           ///< before what a line does, the core waits until its word was raised
  };
  /// What a barrier waits for.
  enum class Of : std::uint8_t { Writes, Atomics, Reads };
  Kind kind = Kind::Barrier;
  unsigned core = 0; ///< of the tile, which does it
  /// Of Barrier: of its transactions, those of this NoC; of OtherWay, and of a store that is Added:
  /// by which NoC it goes.
  unsigned noc = 0;
  std::uint32_t line = 0;
  std::string file = {};     ///< the place as line_label() gives it, of a line of another file
  Of of = Of::Writes;        ///< of Barrier: for these, with an answer or without
  unsigned channel = 0;      ///< of OtherWay
  bool is_many = false;      ///< of OtherWay
  std::uint64_t address = 0; ///< of Added: the word in L1 of the core; of Raise and Await: the word
  std::uint64_t bytes = 0;   ///< of OwnPlace: how much further on
  std::vector<unsigned> receivers = {}; ///< of Raise: whose word, by noc::core_number()
  /// Of Await: as often the word is raised while the line comes to its turn so many times; whether
  /// it need not be raised for the first of these.
  std::uint32_t raises = 0, turns = 0;
  bool begins = false;
  /// The only core of the grid that has it, by index.
  std::optional<std::size_t> only = {};

  /// Whether it is for what a core does at a line.
  bool is_at(unsigned of_core, std::uint32_t of_line) const {
    return core == of_core &&
           (of_line >= kFirstPlace ? file == line_label(of_line) : line == of_line);
  }

  friend bool operator==(const Mend&, const Mend&) = default;
};

/// For what a core does at a line of this process.
inline Mend mend_at(Mend::Kind kind, unsigned core, std::uint32_t line) {
  Mend mend{.kind = kind, .core = core, .line = line};
  if (line >= kFirstPlace) mend.file = line_label(line);
  return mend;
}

/// The mend of a kind for what a core does; nullptr: there is none. `line`: finds out where that
/// is.
template <class Line>
const Mend* find_mend(const std::vector<Mend>& mends, Mend::Kind kind, unsigned core,
                      const Line& line) {
  const auto found = std::ranges::find_if(mends, [&](const Mend& each) {
    return each.kind == kind && each.core == core && each.is_at(core, line());
  });
  return found == mends.end() ? nullptr : &*found;
}

/// What became of a program with what is said to mend it: with all that is said, or with it alone.
enum class Trial : std::uint8_t { Untried, Fails, Helps, HelpsAlone };
constexpr bool helps(Trial trial) {
  return trial >= Trial::Helps;
}

/// A mend of something that was found: of the fault at this place and of this rule, or of who is
/// blocked.
struct Mendable {
  Mend mend;
  std::string file = {};
  std::uint32_t line = 0;
  std::string rule = {};
  std::optional<std::size_t> blocked = {}; ///< by number in LaunchOutcome::blocked
  Trial trial = Trial::Untried;
};

} // namespace lanewise::launch
