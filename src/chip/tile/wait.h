// Why somebody does not go on: a thread at its next instruction, or a core at a load or a store.
#pragma once

#include <cstdint>
#include <string>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::tile {

enum class WaitCause : std::uint8_t {
  None,
  Input,      ///< of a thread: nothing has been pushed, or what follows must be known first
  SrcAToFill, ///< the unpackers' bank of SrcA belongs to the Matrix Unit; and so on
  SrcBToFill,
  SrcAFilled, ///< the Matrix Unit's bank of SrcA belongs to the unpackers; and so on
  SrcBFilled,
  SemaphoreZero,  ///< `what` is the number of a semaphore that is 0
  SemaphoreAtMax, ///< ... that is at its maximum
  Mutex,          ///< `what` is its number
  Memory,         ///< ATCAS and ATINCGETPTR: of a value in L1 at address `what`
  Stream,         ///< of the NoC overlay, which nobody moves here
  EmptyMailbox,   ///< of a core: `what` is the number of the core that would write
  FullMailbox,    ///< ... that would read
  ThreadIdle,     ///< of a core: the instructions that it has pushed are not done
  FullQueue       ///< of a core: no more instructions can be pushed
};

struct Wait {
  WaitCause cause = WaitCause::None;
  std::uint32_t what = 0;
  ProgramWord at;         ///< the instruction that does not start
  ProgramWord because_of; ///< the STALLWAIT or SEMWAIT that holds it; word 0 if it waits by itself

  friend bool operator==(const Wait&, const Wait&) = default;
};

/// "semaphore 1 to be above 0", "a bank of SrcA that is filled": what `wait` waits for.
std::string wait_text(const Wait& wait);

} // namespace lanewise::tile
