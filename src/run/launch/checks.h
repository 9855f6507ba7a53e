// What is wrong in how a program's kernels use circular buffers, L1, Dst and the NoC, found while
// they run (docs/programs.md, "What is checked"): everything that somebody does is told here, and
// handed on to those who look for one kind of mistake each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/tile/core_action.h"
#include "chip/tile/tile.h"
#include "run/launch/bounds.h"
#include "run/launch/found.h"
#include "run/launch/multicasts.h"
#include "run/launch/notes.h"
#include "run/launch/rings.h"
#include "run/launch/spins.h"
#include "run/launch/stores.h"
#include "run/launch/transfers.h"
#include "run/launch/units.h"
#include "run/launch/written.h"
#include "run/section/listener.h"
#include "source/programs/layout.h"

namespace lanewise::launch {

/// Memories as they are when the kernels begin.
struct StartMemories {
  std::span<const std::uint8_t> l1;
  std::vector<std::span<std::uint8_t>> banks; ///< of DRAM
  bool is_shared = false;                     ///< with other cores, which write to them, too
  Notes::Sink tell = {};                      ///< who looks for races with them
};

class ProgramChecks {
 public:
  /// `sees_accesses`: kernels that move data tell what they do to memory.
  ProgramChecks(const programs::Program& program, const programs::Layout& layout,
                const StartMemories& start, bool sees_accesses);

  /// After everything that a core does.
  void act(unsigned core, const tile::CoreAction& action);
  /// After an instruction.
  void execute(const tile::TileState& tile, const tile::Executed& executed);
  /// After everything that the NoC sees.
  void see(const noc::NocEvent& event);
  /// After somebody from outside has written to L1.
  void arrive(std::uint64_t address, std::uint64_t bytes);
  /// Before a core touches L1 by itself. True: others shall come to their turn.
  bool access(unsigned core, const section::MemoryAccess& access, const section::CallPlace& place,
              const LineOf& line);
  /// What a core is about to do. `from`: what its thread executes from this instruction on.
  void intend(unsigned core, std::uint32_t line, const section::Intent& intent, std::uint64_t from);
  /// A core waits for a word, and has found it at what it has waited for.
  void begin_wait(unsigned core, std::uint64_t word) {
    if (notes_) notes_->begin_wait(core, word);
  }
  void await(unsigned core, std::uint32_t line, const AwaitedWord& word);
  /// A core goes on behind a barrier that its kernel does not have.
  void pass(const Mend& barrier) {
    if (notes_) notes_->pass(barrier);
  }
  /// A core has waited for a transaction that its kernel does not have.
  void wait_for(std::uint64_t number) { transfers_.wait_for(number); }
  /// A core lets others go on, and looks anew afterwards.
  void yield(unsigned core) { spins_.yield(core); }
  /// A kernel has returned.
  void end(unsigned core) {
    transfers_.end(core);
    multicasts_.end(core);
  }
  /// All that has happened so far is told to who looks for races with other cores.
  void hand_over() {
    if (notes_) notes_->hand_over();
  }
  /// All kernels have returned.
  void finish(const tile::TileState& tile);

  /// What was found, in the order in which it was. To be called once all is over.
  std::vector<Found> take();

 private:
  void count(unsigned core, std::uint32_t line, std::uint32_t offset, std::uint32_t value);

  Arch arch_;
  bool is_shared_;              ///< with other cores
  std::uint8_t store_register_; ///< the opcode of STOREREG, which few instructions have
  FoundLog found_;
  Rings rings_;
  Transfers transfers_;
  Multicasts multicasts_;
  Stores stores_;
  Bounds bounds_;
  std::optional<Written> written_;
  std::optional<Notes> notes_;
  Units units_;
  Spins spins_;
};

} // namespace lanewise::launch
