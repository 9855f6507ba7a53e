// Who feeds a thread: a list of instructions, a core that executes a program, a compiled section;
// or acts on the tile beside the threads: a core that moves data, the NoC.
#pragma once

#include <cstdint>
#include <string>

#include "base/fault.h"

namespace lanewise::tile {

class Tile;

/// What a step of a feeder came to.
enum class FeederStep : std::uint8_t {
  Went,  ///< something was done
  Waits, ///< nothing can be done before the tile goes on, see waits_for()
  Idle,  ///< nothing is to be done before others ask for it; where nobody does, that is an end
  Ended  ///< there is nothing left to do, now and ever
};

/// The feeder of one thread acts on the tile as that thread's core: Tile::push(), load() and
/// store() with the thread's number.
class Feeder {
 public:
  Feeder() = default;
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;
  virtual ~Feeder() = default;

  /// The next thing that it does: at most a few pushes, loads or stores, so that others come to
  /// their turn. Error: it cannot go on at all.
  virtual Expected<FeederStep> step(Tile& tile) = 0;

  /// After a step that came to FeederStep::Waits: what for, as "line 12: an empty mailbox of T0".
  virtual std::string waits_for() const = 0;

  /// The same: whether it is for what Tile::core_wait() says of its core, and to try again before
  /// that has happened would change nothing.
  virtual bool waits_for_tile() const { return false; }
};

} // namespace lanewise::tile
