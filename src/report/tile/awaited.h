// What cores and threads of a tile in time wait for, in words and by kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "chip/clock/why.h"
#include "chip/isa/arch.h"

namespace lanewise::report {

/// Whom somebody waits for, as coarse as a colour.
enum class Awaited : std::uint8_t {
  Nobody,         ///< it works
  CircularBuffer, ///< a core that pushes or pops pages
  Noc,
  Core,   ///< a thread whose core pushes nothing
  Thread, ///< a core whose thread takes nothing; a thread that needs a bank or a semaphore of
          ///< others
  Unit,   ///< what has been asked of units
  Other   ///< a word of L1, a register
};

/// "brisc", "core of T0".
std::string core_text(unsigned core);

Awaited awaited_of(clock::Why why);

/// Of a core that looks again and again at `address`; nothing: its thread takes nothing.
Awaited awaited_of(Arch arch, std::optional<std::uint32_t> address);

/// "pages of c_0", "room in c_16", "answers of NoC 1", "its thread", "the word 0x1f000 of L1".
std::string awaited_text(Arch arch, std::optional<std::uint32_t> address);

} // namespace lanewise::report
