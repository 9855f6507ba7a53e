// Barriers that kernels do not have, to try what they would change: behind each transaction of a
// line, the core goes on once all of its kind are done.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chip/noc/noc.h"
#include "source/programs/start.h"

namespace lanewise::launch {

struct AddedBarrier {
  unsigned core = 0, noc = 0; ///< of the tile, and whose transactions it has asked for
  std::uint32_t line = 0;
  std::string file = {};  ///< the place as line_label() gives it, of a line of another file
  bool is_atomic = false; ///< for increments; else for writes, with an answer or without

  friend bool operator==(const AddedBarrier&, const AddedBarrier&) = default;
};

class AddedBarriers {
 public:
  using Passed = std::function<void(const AddedBarrier&)>;

  /// `passed` is told of each that lets its core go on.
  AddedBarriers(const std::vector<AddedBarrier>& all, Passed passed);

  void see(const noc::NocEvent& event);
  /// Whether a core is at one.
  bool holds(unsigned core) const { return at_[core] != nullptr; }

 private:
  bool is_clear(const AddedBarrier& barrier) const;

  const std::vector<AddedBarrier>& all_;
  Passed passed_;
  std::array<const AddedBarrier*, programs::kCores> at_{};
  /// Under way, by core, NoC and whether they are atomic.
  std::array<std::array<std::array<std::uint32_t, 2>, kNocs>, programs::kCores> open_{};
};

} // namespace lanewise::launch
