// What a schedule amounts to: slots, stalls by cause, what the units did, cycles per row and tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/table.h"
#include "timing/bounds.h"
#include "timing/schedule.h"

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
  /// Rows of 32 lanes: SFPSTOREs that execute, scheduled or not. A kernel that stores a row twice
  /// counts it twice.
  double rows = 0;
  /// Multiplications and additions of the Matrix Unit that the result needs (MU 8): each product
  /// once, however many fidelity phases it takes.
  double operations = 0;
  double products = 0; ///< Matrix Unit instructions that compute, in every fidelity phase
  Bounds bounds{};

  double visible_stalls() const;
  double hidden_stalls() const;
  /// Visible stalls that the front end itself makes: it records, or has no word yet.
  double front_end_bubbles() const;
  /// k of T6; nothing where no row is stored.
  std::optional<double> cycles_per_row() const;

  Figures operator-(const Figures& other) const;
  Figures operator/(double divisor) const;
};

/// Counts the first `issues` instructions and what they schedule.
Figures count(const Schedule& schedule, const MicroProgram& program, std::size_t issues);

struct Summary {
  Figures total;
  /// The average pass of the later half, where a program runs several times: what each lengthens
  /// it by.
  std::optional<Figures> pass;

  /// What to take for the rate: the average pass if there is one.
  const Figures& steady() const { return pass ? *pass : total; }
};

/// Summarises a schedule whose program consists of `passes` equal parts, one after the other.
Summary summarize(const Schedule& schedule, const MicroProgram& program, std::size_t passes = 1);

/// Wormhole's cores push 1.25 to 1.41 cycles per word (T5).
inline constexpr double kFastestPush = 1.25, kSlowestPush = 1.41;

/// A program with its schedule and what it amounts to.
struct Timing {
  Schedule schedule; ///< at one word per cycle: replayed, or pushed on Blackhole
  Summary summary;
  /// The same pushed by Wormhole's core, at its fastest and slowest. Nothing where pushing costs no
  /// more.
  std::optional<std::array<Summary, 2>> pushed;
};

/// Summarises a program that consists of `passes` equal parts; `schedule` is its schedule from
/// `start`, at one word per cycle.
Timing time_program(const MachineState& start, const MicroProgram& program, Schedule schedule,
                    std::size_t passes = 1);

} // namespace lanewise::timing
