// A thread's front end in time: when a word that its core has pushed comes to the Wait Gate, and
// when there is room for the next (core.md 3, 5; ISA PushTensixInstruction).
//
//   core ── queue ──▶ MOP expander ── replay expander ── queue ──▶ Wait Gate
//
// The expanders take in one word a cycle and put out one instruction a cycle; a word that
// configures or records puts out none. They run ahead of the gate by as many instructions as the
// queue behind them holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "chip/clock/ring.h"
#include "chip/isa/clock_record.h"
#include "chip/tile/tile_time.h"

namespace lanewise::clock {

class FrontEnd {
 public:
  explicit FrontEnd(Arch arch) : chip_(clock_params(arch)) {}

  /// The core has pushed a word that comes to that. Precondition: has_room(cycle).
  void push(std::uint64_t cycle, const tile::Expansion& expansion);

  /// Whether another word can be pushed.
  bool has_room(std::uint64_t cycle) const {
    const auto from = room_from();
    return from && *from <= cycle;
  }

  /// The cycle in which there is room again; nothing: not before an instruction issues.
  std::optional<std::uint64_t> room_from() const;

  /// The first cycle in which instruction `ahead` behind the next one can pass the gate. It must
  /// have been pushed.
  std::uint64_t arrival(std::size_t ahead = 0) const { return arrivals_[ahead]; }

  /// How many instructions have left the expanders and wait for the gate.
  std::size_t arrived() const { return arrivals_.size(); }

  /// The next instruction passes the gate.
  void issue(std::uint64_t cycle);

  /// Whether words are left that have not been taken in.
  bool is_empty() const { return words_.empty() && arrivals_.empty(); }

 private:
  struct Word {
    std::uint64_t pushed = 0;
    std::size_t instructions = 0;
    bool is_mop = false;
    std::size_t done = 0; ///< instructions that have come out of it
    unsigned gaps = 0;    ///< cycles that are lost within it, the same number of instructions apart
    unsigned lost = 0;    ///< of these, so far
  };

  void expand();
  void take_in(const Word& word);
  void lose_at_gap(Word& word);

  const ClockParams& chip_;
  Ring<Word> words_;             ///< not all expanded
  Ring<std::uint64_t> arrivals_; ///< at the gate, of what has been expanded
  Ring<std::uint64_t> taken_;    ///< cycles in which words have been taken in, the last few
  std::uint64_t free_ = 0;       ///< first cycle in which the expanders can do something
  std::uint64_t gate_free_ = 0;  ///< cycle of the last issue
  bool after_mop_ = false;
  unsigned replays_ = 0; ///< of MOPs, since the last cycle that these have cost
};

} // namespace lanewise::clock
