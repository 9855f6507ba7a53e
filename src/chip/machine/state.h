// The whole machine as one value: copy it to remember it, assign it to go back.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "chip/machine/config_state.h"
#include "chip/machine/counters.h"
#include "chip/machine/dst.h"
#include "chip/machine/fault_log.h"
#include "chip/machine/matrix/source_file.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise {

/// What an instruction wrote to LReg[0..7] and LReg[16], held back until the clock lets others see
/// it.
struct HeldWrite {
  alignas(64) std::uint32_t value[kHeldRegisters][kLanes];
  std::uint32_t lanes[kHeldRegisters]; ///< written lanes of each register
  std::uint32_t flags, flag_lanes;
};

/// What scheduled execution keeps between micro-ops (chip/machine/scheduled.h). Nothing that a
/// program can see.
struct ClockState {
  static constexpr unsigned kAddressSlots = 17; ///< slot 0 is not used

  /// Addr of the load of an SFPLOADMACRO, for the store that it has scheduled (VU 5.5).
  std::array<std::uint16_t, kAddressSlots> address{};

  std::vector<HeldWrite> held; ///< as many as a schedule needs at once

  /// A schedule met another configuration than the one it was made for; it must be made anew.
  bool schedule_is_stale = false;
};

/// What each thread has for itself beside its configuration.
struct ThreadRegisters {
  Rwc rwc;
  std::array<std::uint32_t, 64> gpr{}; ///< scalar registers

  friend bool operator==(const ThreadRegisters&, const ThreadRegisters&) = default;
};

struct MachineState {
  explicit MachineState(Arch arch) : resting(lane_groups(arch) - 1), config(arch) {
    dst.holds_patterns = arch_params(arch).vector.dst_holds_patterns;
    reset();
  }

  VectorState vector; ///< of the group of lanes that instructions execute on
  /// The other groups, in their order, of a chip with more than 32 lanes
  /// (chip/machine/lane_groups.h).
  std::vector<VectorState> resting;
  unsigned lane_group = 0; ///< the number of `vector`'s
  Dst dst;
  Rwc rwc; ///< of the thread whose instructions are executed, config.thread()
  ConfigState config;
  SourceFile srca, srcb;
  /// The 16-aligned SrcA row that a Matrix Unit instruction last computed, whether it used SrcA or
  /// not: where SHIFTXA reads (MU 7, a hardware bug).
  std::uint8_t last_srca_row = 0;
  std::array<std::uint32_t, 64> gpr; ///< scalar registers of that thread
  /// Registers of the other threads; its own entry is not in use.
  std::array<ThreadRegisters, kThreads> waiting;
  ClockState clock;
  FaultLog faults;

  /// From here on instructions are those of `thread`: its configuration, counters and registers.
  void act_for(unsigned thread) {
    if (thread != config.thread()) change_thread(thread);
  }
  /// The scalar registers of any thread.
  std::array<std::uint32_t, 64>& gpr_of(unsigned thread) {
    return thread == config.thread() ? gpr : waiting[thread].gpr;
  }

  /// Everything as after reset: FORMAT.md's reset values, which agree with VU C2.
  void reset();

 private:
  void change_thread(unsigned thread);
};

} // namespace lanewise
