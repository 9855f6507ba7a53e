// Barriers that kernels do not have, to try what they would change: behind each transaction of a
// line, the core goes on once all of its kind are done.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "chip/noc/noc.h"
#include "run/launch/mend.h"
#include "source/programs/start.h"

namespace lanewise::launch {

class AddedBarriers {
 public:
  using Passed = std::function<void(const Mend&)>;

  /// `all`: those of kind Mend::Kind::Barrier count. `passed` is told of each that lets its core go
  /// on.
  AddedBarriers(const std::vector<Mend>& all, Passed passed);

  void see(const noc::NocEvent& event);
  /// Whether a core is at one.
  bool holds(unsigned core) const { return at_[core] != nullptr; }

 private:
  bool is_clear(const Mend& barrier) const;

  const std::vector<Mend>& all_;
  Passed passed_;
  std::array<const Mend*, programs::kCores> at_{};
  /// Under way, by core, NoC and Mend::Of.
  std::array<std::array<std::array<std::uint32_t, 3>, kNocs>, programs::kCores> open_{};
};

} // namespace lanewise::launch
