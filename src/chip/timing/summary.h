// What a schedule amounts to: slots, stalls by cause, what the units did.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "chip/isa/row.h"
#include "chip/timing/bounds.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

inline constexpr std::size_t kStallCauses = 9; ///< of StallCause
inline constexpr std::size_t kSubUnits = 6;    ///< of isa::SubUnit
inline constexpr std::size_t kUnits = 10;      ///< of isa::Unit

/// Cycles by StallCause.
using StallCycles = std::array<double, kStallCauses>;

/// Counts of a program, of a part, or of the average pass; therefore numbers with a fraction.
struct Figures {
  double cycles = 0;     ///< slots and visible stalls
  double slots = 0;      ///< instructions; each takes one slot (T1)
  StallCycles visible{}; ///< cycles without an issue, by root cause
  /// Cycles that an instruction waited inside the Vector Unit while others went on (T4).
  StallCycles hidden{};
  double discarded = 0; ///< instructions that lost their sub-unit to a scheduled one (VU C58)
  std::array<double, kSubUnits> sub_unit_busy{};  ///< cycles; SFPNOP does not count as work
  std::array<double, kUnits> unit_instructions{}; ///< of units other than the Vector Unit
  double scheduled = 0; ///< instructions that SFPLOADMACRO has scheduled; they take no slot (T1)
  /// SFPSTOREs that execute, scheduled or not: rows of 32 lanes, as often as they are stored.
  double stores = 0;
  /// Multiplications and additions of the Matrix Unit that the result needs (MU 8): each product
  /// once, however many fidelity phases it takes.
  double operations = 0;
  double products = 0; ///< Matrix Unit instructions that compute, in every fidelity phase
  Bounds bounds{};

  double visible_stalls() const;
  double hidden_stalls() const;
  /// Visible stalls that the front end itself makes: it records, or has no word yet.
  double front_end_bubbles() const;

  Figures operator-(const Figures& other) const;
  Figures operator/(double divisor) const;
};

/// Counts some instructions and what they schedule. A stall counts with the instruction that comes
/// after it.
Figures count(const Schedule& schedule, const MicroProgram& program, Selection selection);

/// Counts all.
Figures count(const Schedule& schedule, const MicroProgram& program);

} // namespace lanewise::timing
