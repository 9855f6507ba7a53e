// The Vector Unit in time: its slots and stalls, instruction by instruction. It says of a program
// what timing::schedule() says of the whole of it (docs/timing.md); a test compares the two.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/machine/micro_op.h"
#include "chip/machine/vector/vector_state.h"
#include "chip/timing/word_facts.h"

namespace lanewise::clock {

class VectorClock {
 public:
  explicit VectorClock(Arch arch) : arch_(arch) {}

  /// The first cycle from `cycle` on in which the instruction can leave its thread.
  std::uint64_t earliest(const MicroOp& op, const timing::WordFacts& facts,
                         const VectorState& vector, std::uint64_t cycle) const;

  /// It leaves its thread in that cycle, as earliest() has said.
  void enter(const MicroOp& op, const timing::WordFacts& facts, const VectorState& vector,
             std::uint64_t cycle);

  /// What SFPLOADMACROs have scheduled goes on until then.
  void work_until(std::uint64_t cycle) { busy_until_ = std::max(busy_until_, cycle); }

  /// First cycle in which all results are there.
  std::uint64_t busy_until() const { return busy_until_; }

  /// The cycle in which the last SFPSTORE has executed; nothing: there was none. Those that
  /// SFPLOADMACROs schedule are not seen by what comes behind.
  std::optional<std::uint64_t> stored() const { return stored_; }

  /// Cycles in which instructions have executed.
  std::uint64_t executed() const { return executed_; }

 private:
  bool stalls(const MicroOp& op, const timing::WordFacts& facts, const VectorState& vector,
              std::uint64_t cycle) const;

  Arch arch_;
  std::optional<timing::WordFacts> last_; ///< of the last instruction
  std::uint64_t last_cycle_ = 0;          ///< in which it has executed, or will
  std::optional<std::uint64_t> stored_;
  std::uint64_t taken_ = 0; ///< first cycle in which another can leave its thread
  std::uint64_t busy_until_ = 0, executed_ = 0;
};

} // namespace lanewise::clock
