// What a core stores to scalar registers and configuration, or loads from there, and what it pushes
// go different ways: in program order they leave the core, and in any order they arrive. Found here
// are instructions that may see what was there before a store, other cores that are told of it too
// early, and loads that come before an instruction (core.md 3; ISA BabyRISCV, MemoryOrdering and
// AutoTTSync).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/tile/core_action.h"
#include "chip/tile/findings.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

/// Watches a tile's cores and threads.
class CoreHazards {
 public:
  /// The tile must live as long.
  explicit CoreHazards(const Tile& tile) : tile_(tile) {}

  /// Of Tile::watch_core.
  void act(unsigned core, const CoreAction& action);
  /// Of Tile::watch.
  void observe(const Executed& executed);

  /// What was found, in the order in which it first happened.
  std::vector<Fault> faults() const { return findings_.to_faults(tile_.arch()); }

 private:
  /// A scalar register of the core's thread, or a word of the shared configuration.
  struct Place {
    bool is_register = false;
    std::uint32_t number = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// Stores to a place of which nobody has seen yet that they are done.
  struct Stored {
    Place place;
    std::uint64_t first = 0, last = 0; ///< when, by the core's actions
    std::uint64_t stores = 0;          ///< that the core had made, with the first one
    bool is_told = false;              ///< another core was told to go on
  };
  /// Instructions that the same push has brought.
  struct Pushed {
    std::uint64_t end = 0; ///< of the thread's instructions, those before this one
    std::uint64_t when = 0, stores = 0;
  };
  /// What an instruction writes, and how many stores the core had made when it had pushed it.
  struct Written {
    Place place;
    ProgramWord by;
    std::uint64_t stores = 0;
  };
  struct Core {
    std::uint64_t now = 0, stores = 0; ///< actions, and stores and pushes among them
    std::vector<Stored> stored;
    std::deque<Pushed> pushed;
    std::vector<Written> written;
    /// The latched wait lets the stores before this time be done; 0: it asks for none.
    std::uint64_t awaited = 0;
    std::uint16_t blocked = 0;
    bool chooses_tracking = false; ///< the thread has said what the chip is to keep in order
  };

  bool is_tracked(unsigned core, bool is_register) const;
  void note_store(unsigned core, const Place& place);
  void note_load(unsigned core, const Place& place);
  void tell_others(Core& core);
  Pushed pushed_with(Core& core, std::uint64_t instruction);
  bool writes(const isa::Decoded& decoded, const Place& place) const;
  bool uses(const isa::Decoded& decoded, const Place& place) const;
  void check_own(unsigned thread, const Executed& executed, const isa::Decoded& decoded,
                 const Pushed& pushed);
  void check_others(unsigned thread, const Executed& executed, const isa::Decoded& decoded);
  void note_written(Core& core, const Executed& executed, const isa::Decoded& decoded,
                    std::uint64_t stores);

  const Tile& tile_;
  std::array<Core, kThreads> core_;
  FindingLog findings_;
};

} // namespace lanewise::tile
