// The Wait Gate: holds instructions of a thread back until what a STALLWAIT or SEMWAIT has asked for
// has come (core.md 6).
#pragma once

#include <cstdint>
#include <optional>

#include "isa/program.h"
#include "isa/row.h"

namespace lanewise::tile {

struct TileState;
struct Wait;

/// The wait that a thread has latched, at most one.
struct WaitGate {
  struct Latched {
    ProgramWord by;                ///< the STALLWAIT, SEMWAIT or STREAMWAIT
    std::uint16_t blocked = 0;     ///< its block mask
    std::uint16_t conditions = 0;  ///< of STALLWAIT
    std::uint8_t semaphores = 0;   ///< of SEMWAIT
    bool while_zero = false, while_at_max = false;
  };
  std::optional<Latched> latched;
};

/// Bits of the block mask that hold an instruction back.
std::uint16_t blocking_bits(const isa::Row& row);

/// What the thread's latched wait still waits for; WaitCause::None, and forgets it, if nothing.
Wait latched_wait(TileState& tile, unsigned thread);

/// Latches a wait. Precondition: none is latched.
void latch(TileState& tile, unsigned thread, const ProgramWord& word);

} // namespace lanewise::tile
