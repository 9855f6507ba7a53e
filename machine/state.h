// The whole machine as one value: copy it to remember it, assign it to go back.
#pragma once

#include <array>
#include <cstdint>

#include "machine/config_state.h"
#include "machine/counters.h"
#include "machine/dst.h"
#include "machine/fault_log.h"
#include "machine/vector_state.h"

namespace lanewise {

/// Which bank of SrcA or SrcB the Matrix Unit uses, and who owns the banks (MU 1.2). The cells
/// belong to the Matrix Unit, which is not executed yet; SETRWC's flips already count.
struct SourceBanks {
  std::uint8_t current = 0;
  std::array<bool, 2> owned_by_matrix_unit{true, true};

  friend bool operator==(const SourceBanks&, const SourceBanks&) = default;
};

struct MachineState {
  explicit MachineState(Arch arch) : config(arch) { reset(); }

  VectorState vector;
  Dst dst;
  Rwc rwc; ///< of the math thread
  ConfigState config;
  SourceBanks srca, srcb;
  std::array<std::uint32_t, 64>
      gpr; ///< scalar registers of the math thread, for SETDMAREG and WRCFG
  FaultLog faults;

  /// Everything as after reset: FORMAT.md's reset values, which agree with VU C2.
  void reset();
};

} // namespace lanewise
