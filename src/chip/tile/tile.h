// A Tensix tile: three threads with what they share, L1, unpackers, packers, and the registers that
// cores see (core.md 1 to 16). Every instruction is complete before the next one of any thread
// begins; which thread goes first is the caller's matter (chip/tile/run.h).
//
//   Tile tile(Arch::Blackhole);
//   tile.push(0, {word, line});            // what a core of thread 0 pushes
//   while (tile.step(0)) {}                // as far as it can go
//   tile.wait(0).cause                     // why no further
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/fault_list.h"
#include "chip/isa/arch.h"
#include "chip/isa/encoding.h"
#include "chip/isa/program.h"
#include "chip/machine/frontend/decode_memo.h"
#include "chip/tile/core_action.h"
#include "chip/tile/noc_port.h"
#include "chip/tile/registers.h"
#include "chip/tile/step_memo.h"
#include "chip/tile/tile_state.h"
#include "chip/tile/tile_time.h"
#include "chip/tile/wait.h"

namespace lanewise::tile {

/// The cores beside those of the three threads, which move data. They push no instructions.
inline constexpr unsigned kBrisc = kThreads, kNcrisc = kThreads + 1;
inline constexpr unsigned kTileCores = kThreads + 2;

/// An instruction that has been executed, for those who watch.
struct Executed {
  unsigned thread = 0;
  ProgramWord word;
};

/// Whether an instruction can be scheduled together with SFPLOADMACROs: it waits for nobody. A step
/// of a thread executes as many of them as stand in its queue, if the first is an SFPLOADMACRO.
bool joins_macros(const isa::Decoded& decoded);

/// Words that a core can push before the thread must have executed some.
inline constexpr std::size_t kQueueRoom = 1024;

class Tile {
 public:
  explicit Tile(Arch arch) : state_(arch), decoded_(arch), steps_(arch) {}
  /// With these bytes as L1: L1::use().
  Tile(Arch arch, std::span<std::uint8_t> l1)
      : state_(arch, L1(l1)), decoded_(arch), steps_(arch) {}

  Arch arch() const { return state_.arch(); }
  TileState& state() { return state_; }
  const TileState& state() const { return state_; }

  /// Goes on from a state as if the tile had done nothing before.
  void restart(const TileState& state) {
    state_ = state;
    registers_ = {};
    core_wait_ = {};
    static_faults_.clear();
  }

  // ------------------------------------------------------------ What a core does
  // `core` is 0, 1 or 2, the number of its thread, or where it neither pushes nor reaches what is
  // of one thread, kBrisc or kNcrisc. `line` is where it does so in its program, as
  // base/source_line.h has it; 0: not known.

  /// Pushes an instruction, to the MOP expander. False: the queue is full, nothing was done; try
  /// again after the thread has gone on.
  bool push(unsigned core, const ProgramWord& word);

  /// Writes MopCfg[index].
  void configure_mop(unsigned core, unsigned index, std::uint32_t value, std::uint32_t line);

  /// Loads 1, 2 or 4 bytes from an address of the core's memory map but for its code and its own
  /// RAM: L1 and registers. Nothing: the core waits; try again after the tile has gone on. Error:
  /// Unsupported or UndefinedBehavior, a fault without a place.
  Expected<std::optional<std::uint32_t>> load(unsigned core, std::uint32_t address, unsigned bytes,
                                              std::uint32_t line = 0);

  /// The same of a store. False: the core waits.
  Expected<bool> store(unsigned core, std::uint32_t address, unsigned bytes, std::uint32_t value,
                       std::uint32_t line);

  /// Why the core's last push, load or store has to wait.
  const Wait& core_wait(unsigned core) const { return core_wait_[core]; }
  /// Whether the core is refused the same again: nothing that it waited for last has happened. Only
  /// of what most of them wait for; of everything else false, and the core has to try.
  bool refuses_still(unsigned core) const {
    const auto& queue = state_.thread[core].queue;
    switch (core_wait_[core].cause) {
      case WaitCause::FullQueue: return queue.size() >= kQueueRoom;
      case WaitCause::ThreadIdle: return !queue.empty();
      default: return false;
    }
  }
  /// Before a core tries again: what it waits for afterwards is new.
  void forget_core_wait(unsigned core) { core_wait_[core] = {}; }

  /// Tells that the core pushes nothing before something else has happened: it waits, or has ended.
  void rest_input(unsigned core) { state_.thread[core].input_rests = true; }

  // ------------------------------------------------------------ What a thread does

  /// Executes the next instruction of a thread. False: it waits, see wait(), or nothing is there.
  bool step(unsigned thread);

  /// Whether a thread has instructions that are not executed.
  bool has_work(unsigned thread) const { return !state_.thread[thread].queue.empty(); }

  /// Whether the thread's next instruction only hands a bank of SrcA or SrcB back that the
  /// unpackers have. Hardware does not wait there, and what comes of it is a hazard; but where
  /// another thread is about to fill the bank, hardware comes to the hand-over long after that: a
  /// UNPACR takes tens of cycles, during which what follows it is done. Here it is complete at
  /// once, so that whoever chooses the order should let others go first (core.md 12, 13).
  bool flips_early(unsigned thread);

  /// Why step() did not go on.
  const Wait& wait(unsigned thread) const { return state_.thread[thread].wait; }

  /// Is called after each instruction.
  std::function<void(const Executed&)> watch;

  /// Is called after everything that a core has done.
  std::function<void(unsigned core, const CoreAction&)> watch_core;

  /// The registers of the NoC's interface, if there is one.
  NocPort* noc = nullptr;

  /// Who keeps the time, if the tile runs in time: what cores do then waits for what is under way.
  TileTime* time = nullptr;

  /// What cores have found at the wall clock.
  const WallClock& clock() const { return registers_.clock; }

  /// All faults so far, of this tile and of its machine, in no order between the two.
  std::vector<Fault> faults() const;

 private:
  Wait execute(const Instruction& i, KnownStep& known);
  bool decode(const ProgramWord& word, KnownStep& known);
  void execute_in_machine(const Instruction& i, KnownStep& known);
  bool execute_macros(unsigned thread);
  bool waits(unsigned thread, const Wait& wait);
  bool still_waits(const Thread& thread) const;
  void finish(const Executed& executed);
  void report(Fault fault);

  bool take_push(unsigned core, const ProgramWord& word);
  Expected<std::optional<std::uint32_t>> read(unsigned core, std::uint32_t address, unsigned bytes);
  Expected<bool> write(unsigned core, std::uint32_t address, unsigned bytes, std::uint32_t value,
                       std::uint32_t line);
  void core_did(unsigned core, const CoreAction& action);
  void touch_by_core(unsigned core, const CoreAction& action);

  std::nullopt_t core_waits(unsigned core, WaitCause cause, std::uint32_t what = 0);
  bool is_idle(unsigned core) const;
  bool must_wait_for_thread(unsigned core);
  Expected<std::optional<std::uint32_t>> load_mailbox(unsigned core, std::uint32_t offset);
  Expected<std::optional<std::uint32_t>> load_debug(unsigned core, std::uint32_t offset);
  bool store_semaphore(unsigned core, std::uint32_t number, std::uint32_t value,
                       std::uint32_t line);
  bool store_mailbox(unsigned core, std::uint32_t offset, std::uint32_t value);
  Expected<bool> store_debug(std::uint32_t offset, std::uint32_t value, std::uint32_t line);

  TileState state_;
  Registers registers_;
  std::array<Wait, kTileCores> core_wait_;
  DecodeMemo decoded_;
  StepMemo steps_;
  std::vector<ProgramWord> expanded_;                 ///< what the last push came to
  FaultList static_faults_{FindingLog::kMostEntries}; ///< of words as such
};

} // namespace lanewise::tile
