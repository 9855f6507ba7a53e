// What the front end remembers of branches and jumps, and expects of them.
//
// No source describes it. Measured: a branch that was taken once is expected to be taken again, and
// so are jumps; how many are remembered differs (CoreCostParams::remembered_branches). That an
// entry belongs to the low bits of the address, and that it takes two surprises to change its mind,
// is assumed.
#pragma once

#include <cstdint>
#include <vector>

namespace lanewise::riscv {

class BranchMemory {
 public:
  explicit BranchMemory(unsigned entries) : entries_(entries) {}

  /// What a branch or a jump does. One that leads to the next instruction may still be taken.
  struct Way {
    bool taken = false;
    std::uint32_t target = 0; ///< if it is taken

    friend bool operator==(const Way&, const Way&) = default;
  };

  /// What the front end expects of the branch or jump at an address.
  Way expected(std::uint32_t pc) const {
    const Entry& entry = entries_[place(pc)];
    return entry.pc == pc && entry.count >= kTaken ? Way{true, entry.target} : Way{};
  }

  /// What it really did.
  void learn(std::uint32_t pc, const Way& way) {
    Entry& entry = entries_[place(pc)];
    if (entry.pc != pc) {
      entry = {.pc = pc, .target = way.target, .count = way.taken ? kTaken : kTaken - 1};
      return;
    }
    if (way.taken) entry.target = way.target;
    if (way.taken && entry.count < kMost) ++entry.count;
    if (!way.taken && entry.count > 0) --entry.count;
  }

 private:
  static constexpr unsigned kTaken = 2, kMost = 3; ///< of a counter of two bits

  struct Entry {
    std::uint32_t pc = ~0U, target = 0;
    unsigned count = 0;
  };

  std::size_t place(std::uint32_t pc) const { return pc / 4 % entries_.size(); }

  std::vector<Entry> entries_;
};

} // namespace lanewise::riscv
