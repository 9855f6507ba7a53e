// ELF files of the three cores, executed instruction by instruction on a tile (core.md 3, 4).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "binary/elf/image.h"
#include "chip/riscv/core.h"
#include "chip/riscv/core_clock.h"
#include "chip/tile/clocked_feeder.h"
#include "chip/tile/tile.h"
#include "run/section/function_cost.h"
#include "run/section/polling.h"
#include "run/section/vector_marks.h"

namespace lanewise::section {

/// How a core's program starts.
struct CoreStart {
  /// Of the image; nothing: at its entry, as after a reset.
  std::optional<elf::Symbol> function = std::nullopt;
  std::vector<std::uint32_t> arguments = {}; ///< of the function, at most 8
};

/// The clock of a core as tt-metal's firmware sets its core up; where neighbouring pushes
/// are gathered, as after a reset.
inline riscv::CoreClockOptions clock_of(unsigned core, bool gathers, const riscv::L1Ports& ports) {
  return {.core = core,
          .cfg0 = gathers ? riscv::kCfg0Reset : riscv::kCfg0Firmware,
          .port = ports.of(core)};
}

/// A core that executes an image: its code in L1, or beyond it, where only the image has it; its
/// data in L1 and in its own RAM, and the tile's registers. It ends where the function returns, or
/// at a jump to itself.
///
/// In time, which begins with the first ready(), a step is one instruction that reaches the tile. A
/// core that polls has made its load when it says that it waits.
class CoreFeeder : public tile::ClockedFeeder, private riscv::Bus {
 public:
  CoreFeeder(const elf::Image& image, Arch arch, unsigned core, const CoreStart& start = {});

  /// Lines are from now on those of calls in this file, a path, where there is one; of all of them
  /// the innermost.
  void tell_lines_of(const std::string& source);

  /// What its clock is to go by, before the first ready(). `core` of it is this one.
  void set_clock(riscv::CoreClockOptions options);

  /// Counts from now on what instructions cost, in time.
  void count_costs() { counts_costs_ = true; }

  /// By function, those with most cycles first; empty unless costs were counted.
  std::vector<FunctionCost> costs() const;

  Expected<std::uint64_t> ready(tile::Tile& tile) override;
  void at(std::uint64_t cycle) override;
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override;
  std::optional<std::uint32_t> looks_at() const override {
    return has_looked_ && polling_.repeats() ? std::optional(polled_) : std::nullopt;
  }

  std::uint32_t line() override;

  std::uint64_t instructions() const { return instructions_; }
  bool has_ended() const { return ended_; }

  /// Pushes what stands for the marks of SFPI in the code, which must live as long.
  void replace_marks(VectorMarks& marks) { marks_ = &marks; }

 private:
  struct Cost {
    std::uint64_t instructions = 0, cycles = 0;
  };

  Expected<std::uint32_t> fetch(std::uint32_t address) override;
  Expected<std::uint32_t> load(std::uint32_t address, unsigned bytes) override;
  Expected<void> store(std::uint32_t address, unsigned bytes, std::uint32_t value) override;
  Expected<void> push(std::uint32_t tensix) override;

  /// Before the core asks for a register: what its marks want pushed until then.
  Expected<void> push_before_register(std::uint32_t address);
  Expected<void> push_replaced(std::uint32_t tensix);
  Expected<void> push_pending();

  /// Bytes of the core's own RAM, or nullptr.
  std::uint8_t* own(std::uint32_t address, unsigned bytes);
  Expected<tile::FeederStep> timed_step();
  Expected<void> fetch_next();
  Expected<void> begin_next();
  Expected<void> execute_begun();
  Cost& cost_of(std::uint32_t pc);
  void count_cost();
  bool reaches_tile(const riscv::Step& step) const;
  std::uint32_t line_at(std::uint32_t pc) const;
  Unexpected wait_here();
  tile::FeederStep end();
  Unexpected at_place(std::uint32_t pc, Fault fault) const;

  const elf::Image& image_;
  riscv::CodeMemo<std::uint32_t> lines_; ///< numbers of lines
  std::vector<bool> is_source_;          ///< by image_.files: whose lines are told
  unsigned number_;
  std::uint32_t own_first_;
  std::vector<std::uint8_t> own_;
  riscv::Core core_;
  Arch arch_;
  std::unique_ptr<riscv::CoreClock> clock_; ///< in time only
  riscv::Fetched begun_;                    ///< the instruction that the clock has begun
  bool has_begun_ = false;
  bool at_end_ = false; ///< there is nothing behind the instruction before
  Polling polling_;
  tile::Tile* tile_ = nullptr; ///< during a step
  std::uint32_t pc_ = 0;       ///< of the instruction that is executed
  bool waits_ = false;         ///< the instruction could not be done yet
  bool accessed_ = false;      ///< it reached what others share
  bool has_looked_ = false;    ///< the step was a load
  bool polls_ = false;         ///< it looks again and again at what does not change
  std::uint32_t polled_ = 0;   ///< where
  bool ended_ = false;
  VectorMarks* marks_ = nullptr;
  std::vector<std::uint32_t> pending_; ///< words that the instruction pushes, one in a step
  std::size_t pushed_ = 0;             ///< of them
  bool is_replaced_ = false;           ///< pending_ has what stands for the instruction's word
  bool goes_on_ = false;               ///< the instruction has pushed one, and has more to push
  bool is_absent_ = false;             ///< no word stands for the instruction, a mark
  std::uint64_t instructions_ = 0;

  bool counts_costs_ = false;
  std::unordered_map<std::uint32_t, Cost> costs_; ///< by the instruction's address
  riscv::CodeMemo<Cost*> known_costs_;            ///< of costs_
  std::uint64_t counted_cycles_ = 0;
};

/// Puts the segments of the images into L1. What belongs into a core's own RAM goes to where its
/// start-up code fetches it from, if it does. Error: BadInput if there is no room, or if two images
/// claim the same memory.
Expected<void> load_images(tile::TileState& tile,
                           const std::array<const elf::Image*, kThreads>& images);

} // namespace lanewise::section
