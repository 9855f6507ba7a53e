// What the instructions of a core cost: in which cycle each goes, and when its result can be used.
// It watches an interpreter and knows no values but those that cost depends on (docs/timing.md,
// "The cores"; rules/timing.md, T7).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "chip/isa/arch.h"
#include "chip/riscv/branch_memory.h"
#include "chip/riscv/code_fetch.h"
#include "chip/riscv/instruction.h"
#include "chip/riscv/memory_clock.h"

namespace lanewise::riscv {

/// CSR cfg0 of Blackhole (ISA BabyRISCV, CSRs): what a core has switched off.
inline constexpr std::uint32_t kCfg0 = 0x7C0;
inline constexpr std::uint32_t kNoPrediction = 1U << 1, kNoDataCache = 1U << 3,
                               kNoMerging = 1U << 12, kNoGathering = 1U << 18;
/// After reset; and as tt-metal's firmware sets it: no data cache, no gathering.
inline constexpr std::uint32_t kCfg0Reset = 16U << 13;
inline constexpr std::uint32_t kCfg0Firmware = kCfg0Reset | kNoDataCache | kNoGathering;

struct CoreClockOptions {
  unsigned core = 0;                  ///< 0 to 2: T0 to T2
  std::uint32_t cfg0 = kCfg0Firmware; ///< when the program begins; it may change it
  /// That it has in common with others: T1 with T2, T0 with BRISC and NCRISC (ISA L1). Nothing: a
  /// port of its own.
  std::shared_ptr<L1Port> port = nullptr;
};

/// An instruction that is about to be executed.
struct Step {
  const Instruction* instruction = nullptr; ///< nullptr: `.ttinsn`
  std::uint32_t pc = 0;
  std::uint32_t first = 0, second = 0; ///< values of its registers rs1 and rs2

  std::uint32_t address() const { return first + static_cast<std::uint32_t>(instruction->imm); }
};

/// begin() and finish() in turns, for each instruction that is executed. Cycles count from the
/// release of the core.
class CoreClock {
 public:
  CoreClock(Arch arch, const CoreClockOptions& options);

  /// The cycle in which an instruction can go at the earliest.
  std::uint64_t begin(const Step& step);

  /// It does not go before a cycle, since the tile was not ready; between begin() and finish().
  void hold(std::uint64_t until) { at_ = at_ < until ? until : at_; }

  /// The instruction stands for several, which go one after the other: it is the next one's turn.
  void go_on() { at_ += fetch_.further_word(); }

  /// The instruction, a `.ttinsn`, stands for none: it takes no time. In place of finish().
  void leave_out();

  /// It has gone, and the program goes on at an address.
  void finish(std::uint32_t next_pc);

  /// The cycle of the instruction that began last; and that from which its result can be used.
  std::uint64_t issued() const { return at_; }
  std::uint64_t result() const { return result_; }

 private:
  /// When a register can be read: in one cycle by forwarding, and from another one on.
  struct Register {
    std::uint64_t forwarded = 0, settled = 0;
  };

  bool gathers(const Step& step) const;
  std::uint64_t with_operands(std::uint64_t cycle) const;
  std::uint64_t with_memory(std::uint64_t cycle) const;
  unsigned divide_cycles() const;
  void do_work();
  void retire();
  void follow(std::uint32_t next_pc);
  void change_cfg0();
  void set_cfg0(std::uint32_t value);
  bool predicts() const { return (cfg0_ & kNoPrediction) == 0; }

  const ArchParams& chip_;
  const CoreCostParams& costs_;
  std::shared_ptr<L1Port> port_;
  CodeFetch fetch_;
  BranchMemory branches_;
  MemoryClock memory_;
  std::uint32_t fifo_; ///< the address to which `.ttinsn` stores
  std::uint32_t cfg0_ = 0;

  Step step_; ///< that began last
  Format format_ = Format::None;
  std::uint64_t at_ = 0, result_ = 0;
  std::uint64_t arrived_ = 0; ///< it has come from the code
  std::uint64_t next_ = 0;    ///< the integer unit is free
  std::array<Register, 32> registers_{};
  std::array<std::uint64_t, 8> retired_{}; ///< the last ones, in a ring
  unsigned oldest_ = 0;
  std::uint64_t last_retired_ = 0;
  std::uint32_t pushed_at_ = ~0U; ///< the address of the `.ttinsn` before
  unsigned gathered_ = 0;         ///< `.ttinsn`s that went in one cycle
  unsigned gathered_before_ = 0;  ///< the same before the one that began last
};

} // namespace lanewise::riscv
