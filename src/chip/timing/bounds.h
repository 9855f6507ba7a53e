// Lower bounds: how long a program would take if only one resource counted, as uiCA and llvm-mca
// show it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/source_line.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// What can be scarce.
enum class Resource : std::uint8_t {
  FrontEnd, ///< one instruction per cycle (T1)
  Load,     ///< the sub-units: one instruction at a time; SFPSWAP and Blackhole's SFPSHFT2 in modes
            ///< 2 to 4 hold theirs for two cycles (T3)
  Simple,
  Mad,
  Round,
  Store,
  Results, ///< the longest chain of instructions in which each needs the result of the one before
  Push     ///< one word per cycle from the core (T5)
};
inline constexpr std::size_t kResources = 8;

/// "front end", "Load", ..., "chain of results", "pushed words".
std::string_view resource_name(Resource resource);

/// Cycles that each resource needs at least, by Resource.
using Bounds = std::array<double, kResources>;

/// What is counted: of the first `issues` instructions of a schedule those of a part, or all.
struct Selection {
  std::size_t issues = 0;
  std::optional<ProgramPart> part = std::nullopt;
  std::span<const ProgramPart> parts = {}; ///< of the program's words; needed with `part`

  /// Whether it has an instruction, by its index into Schedule::issues.
  bool contains(const Schedule& schedule, const MicroProgram& program, std::size_t issue) const {
    if (issue >= issues) return false;
    return !part || parts[program.supply[schedule.issues[issue].op].word] == *part;
  }
};

/// Bounds of some instructions of a schedule. None is above the cycles that the first `issues` take
/// in it by more than two, in which the last may wait and work on, unless instructions collide or
/// read too early.
///
/// The chain goes through LRegs only, and every register that an instruction may read counts. Words
/// count up to the one that brought the last instruction.
Bounds lower_bounds(const Schedule& schedule, const MicroProgram& program, Selection selection);

/// The resource with the largest bound; of equals, the first.
Resource bottleneck(const Bounds& bounds);

/// Cycles in which each sub-unit works, by isa::SubUnit, for some instructions and what they
/// schedule. SFPNOP does not work.
std::array<std::uint64_t, 6> busy_cycles(const Schedule& schedule, const MicroProgram& program,
                                         Selection selection);

} // namespace lanewise::timing
