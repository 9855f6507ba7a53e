// What a program uses although nobody has put a value there: on silicon it finds what an earlier
// kernel has left, and here what reset leaves. No result that depends on it can be relied upon.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip/isa/program.h"
#include "chip/machine/dst.h"
#include "chip/machine/state.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::timing {

/// What holds a value on purpose before the program starts. LReg[8..11] and LReg[15] always do:
/// constants, and the -1.0 that the firmware leaves (VU C2).
struct Programmed {
  /// Bit n: ADDR_MOD section n. By convention, sections 3 and 7 move no counter (VU 2, note 4).
  std::uint8_t addr_mods = 1U << 3 | 1U << 7;
  /// Whether it is known which elements of Dst have been filled; without it, loads are not looked
  /// at.
  bool knows_dst = false;
  /// Bit c of a physical row: its column c.
  std::array<std::uint16_t, kDstRows> dst{};
};

/// What the settings of a program leave, beside what is always there.
Programmed programmed_by(std::span<const ConfigSetting> settings);

/// Uses of LRegs, ADDR_MOD sections, macro configuration, the PRNG and elements of Dst that neither
/// `programmed` nor the program itself has given a value, one per rule and line, in order of cycle.
/// A register counts by lane, and is used when something is computed from it: copies carry the
/// matter on. `start` holds the tile on which values are followed; `program` is what was scheduled.
std::vector<Hazard> find_unprogrammed(const Schedule& schedule, const MicroProgram& program,
                                      const MachineState& start, const Programmed& programmed);

/// The same of a program without SFPLOADMACRO, whose instructions all execute in their order:
/// nothing depends on the cycle, so that no schedule is needed. The index of an instruction takes
/// the place of its cycle.
std::vector<Hazard> find_unprogrammed(const MicroProgram& program, const MachineState& start,
                                      const Programmed& programmed);

/// What following a program once shows.
struct Followed {
  std::vector<Hazard> hazards;      ///< as find_hazards()
  std::vector<Hazard> unprogrammed; ///< as find_unprogrammed()
  /// What the program leaves on the tile; nothing where it has macros.
  std::optional<MachineState> after;
};

/// find_hazards() and find_unprogrammed() of a program that is executed once for both.
Followed follow_program(const Schedule& schedule, const MicroProgram& program,
                        const MachineState& start, const CheckOptions& options,
                        const Programmed& programmed);

} // namespace lanewise::timing
