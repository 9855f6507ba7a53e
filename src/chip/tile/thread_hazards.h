// Instructions of one thread that come too early for what the hardware still works on: whatever the
// other threads do, and though the values here are those that were meant (core.md 6, 8, 9; ISA
// LOADIND, WRCFG, STALLWAIT).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/tile/findings.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

/// Watches what a tile executes. Set it as Tile::watch, or call it from there.
class ThreadHazards {
 public:
  explicit ThreadHazards(Arch arch) : arch_(arch) {}

  void observe(const Executed& executed);

  /// What was found, in the order in which it first happened.
  std::vector<Fault> faults() const { return findings_.to_faults(arch_); }

 private:
  /// Of one thread.
  struct State {
    std::uint32_t working = 0;          ///< bit by WaitFor: units that may still work
    std::uint64_t late_registers = 0;   ///< scalar registers whose value may not have come
    std::uint64_t config_registers = 0; ///< those that the RDCFG before fills
    bool config_settles = false;        ///< the instruction before has written configuration
    /// What the latched wait is about, until an instruction has come past it.
    std::uint32_t awaited = 0;
    std::uint16_t blocked = 0;
    /// Instructions since a bank of SrcA, of SrcB, was handed back, and what was when the wait
    /// came.
    std::array<unsigned, 2> since_flip{kLongAgo, kLongAgo};
    std::array<bool, 2> may_be_stale{}; ///< the latched wait may have looked at the bank before
  };
  static constexpr unsigned kLongAgo = 1000;

  void pass_gate(State& state, const isa::Row& row);
  void check(const State& state, const Executed& executed, const isa::Decoded& decoded);
  void note_work(State& state, const isa::Decoded& decoded);
  void latch(State& state, const isa::Decoded& decoded) const;
  static void note_flips(State& state, const isa::Decoded& decoded);

  Arch arch_;
  std::array<State, kThreads> state_{};
  FindingLog findings_;
};

} // namespace lanewise::tile
