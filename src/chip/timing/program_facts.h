// What the clock asks of the instructions of a program in each cycle: looked up once for each form
// of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"
#include "chip/timing/matrix_clock.h"
#include "chip/timing/without_values.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

/// Of a regular instruction.
struct OpFacts {
  WordFacts word;
  MatrixFacts matrix; ///< of one that the Matrix Unit executes
  Remainder remainder = Remainder::Instruction;
  std::uint8_t latency = 1;    ///< of one that executes in the Vector Unit
  bool waits_vector = false;   ///< STALLWAIT until the Vector Unit is idle
  bool waits_matrix = false;   ///< until the Matrix Unit is
  bool configures = false;     ///< SFPCONFIG, or what may be a template write
  bool disables_lanes = false; ///< may make flags disable lanes, or schedule what does
};

class ProgramFacts {
 public:
  static constexpr std::size_t kNever = ~std::size_t{0};

  /// Of a program that starts in the state `start`.
  ProgramFacts(const MachineState& start, const MicroProgram& program);

  /// Of operation `op`. The reference is valid as long as the object.
  const OpFacts& operator[](std::size_t op) const { return distinct_[of_op_[op]]; }

  std::size_t macros() const { return macros_; } ///< SFPLOADMACROs

  /// Operations from here on make no configuration of values, unless an SFPLOADMACRO schedules one
  /// that does; kNever if that cannot be told.
  std::size_t values_end() const { return values_end_; }

 private:
  std::vector<OpFacts> distinct_;
  std::vector<std::uint32_t> of_op_; ///< index into distinct_
  std::size_t macros_ = 0;
  std::size_t values_end_ = 0;
};

} // namespace lanewise::timing
