// A Tensix tile: three threads with what they share, L1, unpackers, packers, and the registers that
// cores see (core.md 1 to 16). Every instruction is complete before the next one of any thread
// begins; which thread goes first is the caller's matter (tile/run.h).
//
//   Tile tile(Arch::Blackhole);
//   tile.push(0, {word, line});            // what a core of thread 0 pushes
//   while (tile.step(0)) {}                // as far as it can go
//   tile.wait(0).cause                     // why no further
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/fault.h"
#include "isa/arch.h"
#include "isa/program.h"
#include "machine/state.h"
#include "tile/address_counters.h"
#include "tile/expander.h"
#include "tile/findings.h"
#include "tile/l1.h"
#include "tile/packer.h"
#include "tile/sync_unit.h"
#include "tile/unpacker.h"
#include "tile/wait.h"
#include "tile/wait_gate.h"

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
};

/// Everything that a tile holds, to be read and set from outside.
struct TileState {
  explicit TileState(Arch arch);

  Arch arch() const { return machine.config.arch(); }

  MachineState machine; ///< registers of the Vector and the Matrix Unit, configuration, GPRs, RWCs
  L1 l1;
  AddressCounters counters;
  std::array<Unpacker, 2> unpacker;
  std::array<Packer, 4> packer; ///< those that the chip has
  SyncUnit sync;
  std::array<Thread, kThreads> thread;
  FindingLog findings;
};

/// An instruction that has been executed, for those who watch.
struct Executed {
  unsigned thread = 0;
  ProgramWord word;
};

class Tile {
 public:
  explicit Tile(Arch arch) : state_(arch) {}

  Arch arch() const { return state_.arch(); }
  TileState& state() { return state_; }
  const TileState& state() const { return state_; }

  // ------------------------------------------------------------ What a core does
  // `core` is 0, 1 or 2, the number of its thread. `line` is where it does so in its program, as
  // isa/source_line.h has it; 0: not known.

  /// Pushes an instruction, to the MOP expander. False: the queue is full, nothing was done; try
  /// again after the thread has gone on.
  bool push(unsigned core, const ProgramWord& word);

  /// Writes MopCfg[index].
  void configure_mop(unsigned core, unsigned index, std::uint32_t value, std::uint32_t line);

  /// Loads 1, 2 or 4 bytes from an address of the core's memory map but for its code and its own
  /// RAM: L1 and registers. Nothing: the core waits; try again after the tile has gone on. Error:
  /// Unsupported or UndefinedBehavior, a fault without a place.
  Expected<std::optional<std::uint32_t>> load(unsigned core, std::uint32_t address, unsigned bytes);

  /// The same of a store. False: the core waits.
  Expected<bool> store(unsigned core, std::uint32_t address, unsigned bytes, std::uint32_t value,
                       std::uint32_t line);

  /// Why the core's last push, load or store has to wait.
  const Wait& core_wait(unsigned core) const { return core_wait_[core]; }

  /// Tells that the core pushes nothing before something else has happened: it waits, or has ended.
  void rest_input(unsigned core) { state_.thread[core].input_rests = true; }

  // ------------------------------------------------------------ What a thread does

  /// Executes the next instruction of a thread. False: it waits, see wait(), or nothing is there.
  bool step(unsigned thread);

  /// Whether a thread has instructions that are not executed.
  bool has_work(unsigned thread) const { return !state_.thread[thread].queue.empty(); }

  /// Why step() did not go on.
  const Wait& wait(unsigned thread) const { return state_.thread[thread].wait; }

  /// Is called after each instruction.
  std::function<void(const Executed&)> watch;

  /// All faults so far, of this tile and of its machine, in no order between the two.
  std::vector<Fault> faults() const;

 private:
  bool execute(unsigned thread, const ProgramWord& word);
  bool execute_macros(unsigned thread);
  bool waits(unsigned thread, const Wait& wait);

  TileState state_;
  std::array<Wait, kThreads> core_wait_;
};

} // namespace lanewise::tile
