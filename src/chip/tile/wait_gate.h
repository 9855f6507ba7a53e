// The Wait Gate: holds instructions of a thread back until what a STALLWAIT or SEMWAIT has asked
// for has come (core.md 6).
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/program.h"
#include "chip/isa/row.h"
#include "chip/tile/wait.h"

namespace lanewise::tile {

struct Instruction;
struct TileState;

/// The wait that a thread has latched, at most one.
struct WaitGate {
  struct Latched {
    ProgramWord by;               ///< the STALLWAIT, SEMWAIT or STREAMWAIT
    std::uint16_t blocked = 0;    ///< its block mask
    std::uint16_t conditions = 0; ///< of STALLWAIT
    std::uint8_t semaphores = 0;  ///< of SEMWAIT
    bool while_zero = false, while_at_max = false;
  };
  std::optional<Latched> latched;
};

/// STALLWAIT, SEMWAIT or STREAMWAIT.
bool is_wait(isa::Op op);

/// Whether a block mask holds an instruction back.
bool is_held(const isa::Row& row, std::uint16_t block_mask);

/// What a STALLWAIT, SEMWAIT or STREAMWAIT asks for.
WaitGate::Latched wait_of(Arch arch, const Instruction& i);

/// What of a wait has not come: WaitCause::None if all has, and the number of a semaphore.
struct UnmetCause {
  WaitCause cause{};
  std::uint32_t what = 0;
};
UnmetCause unmet_cause(const TileState& tile, const WaitGate::Latched& latched);

/// What a wait still waits for; WaitCause::None if nothing, where every instruction is complete
/// before the next one begins.
Wait unmet(const TileState& tile, const WaitGate::Latched& latched);

/// What the thread's latched wait still waits for; WaitCause::None, and forgets it, if nothing.
Wait latched_wait(TileState& tile, unsigned thread);

/// Forgets the latched waits of all threads that wait for nothing any more. The gate looks at their
/// conditions all the time, also while a thread goes on with what its wait does not hold back, so
/// this follows everything that changes banks or semaphores (ISA STALLWAIT).
void forget_met_waits(TileState& tile);

/// Latches what a STALLWAIT, SEMWAIT or STREAMWAIT asks for. Precondition: nothing is latched.
void latch(TileState& tile, const Instruction& i);

} // namespace lanewise::tile
