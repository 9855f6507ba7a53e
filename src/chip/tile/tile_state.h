// All that a tile holds, as plain data.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "chip/tile/access_log.h"
#include "chip/tile/address_counters.h"
#include "chip/tile/core_action.h"
#include "chip/tile/expander.h"
#include "chip/tile/findings.h"
#include "chip/tile/l1.h"
#include "chip/tile/overlay.h"
#include "chip/tile/packer.h"
#include "chip/tile/sync_unit.h"
#include "chip/tile/traffic.h"
#include "chip/tile/unpacker.h"
#include "chip/tile/wait.h"
#include "chip/tile/wait_gate.h"

namespace lanewise::tile {

/// What a thread has for itself, beside what MachineState has of it.
struct Thread {
  Expander expander;
  std::deque<ProgramWord> queue; ///< expanded, in the order of execution
  WaitGate gate;
  Wait wait; ///< why the last step() did not go on
  /// No more words will come, or none before something else has happened: what is in the queue may
  /// be executed as if it were all.
  bool input_rests = false;
  std::uint64_t executed = 0; ///< instructions
  /// From the last slot of the SFPLOADMACROs that were executed together last to the end of what
  /// they have scheduled, in cycles.
  std::uint64_t macro_tail = 0;
  std::uint64_t actions = 0; ///< of the core; loads that only look again do not count
  CoreAction last_action;
};

/// Everything that a tile holds, to be read and set from outside.
struct TileState {
  explicit TileState(Arch arch) : TileState(arch, L1(arch)) {}
  TileState(Arch arch, L1 memory);

  Arch arch() const { return machine.config.arch(); }

  MachineState machine; ///< registers of the Vector and the Matrix Unit, configuration, GPRs, RWCs
  L1 l1;
  AddressCounters counters;
  std::array<Unpacker, 2> unpacker;
  std::array<Packer, 4> packer; ///< those that the chip has
  SyncUnit sync;
  Overlay overlay;
  std::array<Thread, kThreads> thread;
  FindingLog findings;
  Traffic traffic;
  AccessLog* log = nullptr; ///< notes what is touched, if somebody wants to know
};

} // namespace lanewise::tile
