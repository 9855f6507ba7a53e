// What a thread waits for before its next instruction can issue.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanewise::clock {

enum class Why : std::uint8_t {
  Nothing,
  Push,       ///< nothing has been pushed
  FrontEnd,   ///< what has been pushed is on its way through the expanders
  Issue,      ///< an instruction before it takes its thread for more than one cycle
  Unit,       ///< another thread, or the instruction before it, has the unit
  Banks,      ///< a bank of SrcA or SrcB
  DstRows,    ///< rows of Dst that the Matrix Unit still writes
  Vector,     ///< a result of the Vector Unit that takes two cycles
  Queue,      ///< an unpacker or a packer that has taken as much as it can
  Semaphore,  ///< SEMWAIT
  UnitsIdle,  ///< STALLWAIT: units that have not done what they were asked
  BanksAsked, ///< STALLWAIT: a bank of SrcA or SrcB
  Others      ///< a mutex, a word of L1
};

inline constexpr unsigned kWhys = static_cast<unsigned>(Why::Others) + 1;

/// "a bank of SrcA or SrcB", for people.
std::string_view why_text(Why why);

/// "banks", for programs.
std::string_view why_name(Why why);

} // namespace lanewise::clock
