// The replay buffer: lltt::record, lltt::replay, lltt::replay_insn.
#pragma once

#include <cstdint>

#include "sfpi_emit.h"

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

/// The word that replays `length` instructions from slot `start` (REPLAY: Index 18:14, Count 9:4).
constexpr std::uint32_t replay_insn(unsigned start, unsigned length) {
  return (0x04U << 24) | (start << 14) | (length << 4);
}

/// The next `length` instructions go into slots `start`, ...; with Exec they run now, too.
template <ExecBool exec = NoExec>
inline void record(unsigned start, unsigned length) {
  constexpr std::uint32_t kLoad = 1;
  constexpr std::uint32_t kExecuteWhileLoading = exec == Exec ? 2 : 0;
  lanewise_sfpi::emit(replay_insn(start, length) | kExecuteWhileLoading | kLoad);
}

/// Runs `length` instructions from slot `start`.
inline void replay(unsigned start, unsigned length) {
  lanewise_sfpi::emit(replay_insn(start, length));
}

} // namespace lltt
