// The threads' side of a tile in time: which instruction passes the Wait Gate in which cycle, and
// what it leaves under way.
//
// A UNPACR waits for its bank inside its unpacker, and its thread goes on. Its values can only come
// once the bank is free, so that the thread is then behind: what follows issues in cycles that have
// passed, as hardware would have issued it, until the thread has caught up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "chip/clock/cycle.h"
#include "chip/clock/front_end.h"
#include "chip/clock/source_clock.h"
#include "chip/clock/timed_run.h"
#include "chip/clock/units.h"
#include "chip/clock/vector_clock.h"
#include "chip/clock/word_memo.h"
#include "chip/tile/instruction.h"
#include "chip/timing/matrix_clock.h"

namespace lanewise::clock {

/// When a thread can issue, and if not now, why.
struct When {
  std::uint64_t cycle = 0; ///< kNever: not before something else has happened
  Why why = Why::Nothing;

  /// The later of the two; `reason` where `other` is later.
  void at_least(std::uint64_t other, Why reason) {
    if (other <= cycle) return;
    cycle = other;
    why = reason;
  }
};

class ThreadIssue {
 public:
  ThreadIssue(tile::Tile& tile, bool keeps_timeline);

  /// Issues the next instruction of a thread, if it can be issued by cycle `now`, or executes what
  /// has issued: nothing then. Else when it can.
  std::optional<When> attempt(unsigned thread, std::uint64_t now);

  /// The first cycle in which a thread can issue its next instruction.
  std::uint64_t free_from(unsigned thread) const { return threads_[thread].free; }

  FrontEnd& front(unsigned thread) { return threads_[thread].front; }

  /// The cycle from which nothing is under way that a thread has issued.
  std::uint64_t idle_from(unsigned thread) const;
  /// The cycle from which that is so of what works on scalar registers and configuration; kNever if
  /// some of that has not issued.
  std::uint64_t registers_idle_from(unsigned thread) const;

  /// The last instructions of a thread's queue have been pushed.
  void pushed(unsigned thread, std::size_t instructions);

  /// A thread's core has stored to scalar registers or configuration.
  void core_stored(unsigned thread, std::uint64_t cycle) {
    core_done_[thread] = cycle + chip_.core_request;
  }

  /// A core loads from L1 or stores into it.
  void touch_l1(std::uint32_t address, bool stores, std::uint64_t cycle) {
    units_.touch_l1(address, stores, cycle);
  }

  /// Instructions that have been executed.
  std::uint64_t executed() const { return executed_; }

  /// Tiles that PACRs have ended, and the cycle in which the last of them issued.
  std::uint64_t ended_tiles() const { return ended_tiles_; }
  std::uint64_t last_end() const { return last_end_; }

  /// What threads and units have done so far.
  Figures figures() const;

  /// Everything that is known at the end.
  void report(TimedResult& result);

 private:
  /// A wait that a thread has latched.
  struct Gate {
    tile::WaitGate::Latched wait;
    std::uint64_t since = 0; ///< first cycle in which its conditions are looked at
  };

  struct Thread {
    explicit Thread(Arch arch) : front(arch) {}

    FrontEnd front;
    std::optional<Gate> gate;
    std::uint64_t free = 0; ///< first cycle in which the thread can issue
    bool is_behind = false; ///< its bank is free now; it issues in cycles that have passed
    /// Instructions at the head of the queue that have issued and wait to be executed together with
    /// SFPLOADMACROs behind them.
    std::size_t issued_ahead = 0;
    std::size_t use_registers = 0; ///< instructions in the queue: KnownWord::uses_registers
    Why why = Why::Nothing;        ///< what it waits for
    std::uint64_t looked = 0;      ///< ... since this cycle
    std::array<std::uint64_t, kWhys> waited{}; ///< before the next instruction
    bool has_waited = false;                   ///< one of them is not 0
    ThreadTime time;
  };

  bool waits_in_unpacker(unsigned thread);
  const ProgramWord* next_word(unsigned thread) const;
  std::optional<When> attempt_next(unsigned thread, std::uint64_t now);
  std::optional<When> end_of_queue(unsigned thread);
  std::optional<When> execute_ahead(unsigned thread);
  std::optional<When> execute(unsigned thread, const KnownWord& known, const ProgramWord& word);

  void wait_for_gate(unsigned thread, const KnownWord& known, When& when);
  std::optional<std::uint64_t> met_from(unsigned thread, const Gate& gate);
  std::uint64_t condition_from(unsigned thread, WaitFor condition) const;

  void wait_for_unit(const KnownWord& known, When& when) const;
  void wait_for_vector(const KnownWord& known, When& when) const;
  void wait_for_matrix(const KnownWord& known, When& when) const;
  void wait_for_unpacker(const KnownWord& known, When& when) const;
  void wait_for_packers(const KnownWord& known, When& when) const;

  void enter_ahead(unsigned thread, const KnownWord& known);
  bool lacks_source(const KnownWord& known) const;
  void work(unsigned thread, const KnownWord& known, const BankOwners& before);
  void unpack(unsigned thread, const KnownWord& known, const BankOwners& before);
  void pack(unsigned thread);
  void synchronise(unsigned thread, const KnownWord& known);

  void enter(WorkUnit unit, const KnownWord& known);
  static void note_wait(Thread& clock, Why why, std::uint64_t now);
  static void forget_beyond(Thread& clock, std::uint64_t cycles);
  void issue(unsigned thread, const KnownWord& known, const ProgramWord& word);

  const MachineState& machine() const { return tile_.state().machine; }

  tile::Tile& tile_;
  bool keeps_timeline_;
  const ClockParams& chip_;
  WordMemo words_;
  Units units_;
  SourceClock sources_;
  VectorClock vector_;
  timing::MatrixClock matrix_;
  std::array<Thread, kThreads> threads_;
  std::array<std::uint64_t, tile::kSemaphores> semaphore_from_{}; ///< its value is seen
  std::array<std::uint64_t, kThreads> core_done_{}; ///< what its core has stored is processed
  std::uint64_t at_ = 0;  ///< the cycle in which the instruction at hand issues
  tile::Traffic traffic_; ///< before an instruction that moves data
  std::uint64_t executed_ = 0;
  std::uint64_t ended_tiles_ = 0, last_end_ = 0;
  UnitTime unit_time_;
  std::vector<Issued> timeline_;
  std::vector<UnitSpan> spans_; ///< of the Matrix and the Vector Unit
};

} // namespace lanewise::clock
