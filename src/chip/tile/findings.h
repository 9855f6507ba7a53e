// What is wrong with, or assumed of, instructions that a tile executes: one entry per sentence,
// thread, word and line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::tile {

/// A sentence that can be said of an instruction. All of them are constants, so that their
/// addresses tell them apart.
struct Finding {
  FaultKind kind = FaultKind::Unsupported;
  std::string_view message, remedy, rule;
};

class FindingLog {
 public:
  void add(const Finding& finding, unsigned thread, const ProgramWord& word);
  void clear() { *this = FindingLog(); }
  bool empty() const { return entries_.empty(); }

  /// In the order in which they first happened, with the number of times.
  std::vector<Fault> to_faults(Arch arch) const;

  static constexpr std::size_t kMostEntries = 256;

 private:
  struct Entry {
    const Finding* finding = nullptr;
    unsigned thread = 0;
    ProgramWord word;
    std::uint64_t count = 0;
  };
  std::vector<Entry> entries_;
  std::uint64_t dropped_ = 0;
};

} // namespace lanewise::tile
