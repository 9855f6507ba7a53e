// Loads and stores of a core, told by what they touch and not by their number among all that it
// does: so they are found again where another program of the same core does the same, as that of a
// section for RV32 does what the section on the host did.
#pragma once

#include <cstdint>
#include <optional>

#include "chip/tile/races.h"

namespace lanewise::tile {

struct CoreAccess {
  unsigned core = 0;
  CoreAction action;        ///< a load or a store
  std::uint64_t number = 0; ///< among the core's accesses of its kind to these bytes, from 0
  std::uint64_t total = 0;  ///< of these
};

/// What a touch of a core is, by the run that has noted it; nothing if no access explains it.
std::optional<CoreAccess> access_of(const RaceProgram& program, const RaceReference& reference,
                                    const Touch& touch);

/// Counts accesses of one kind to the same bytes. A core that waits looks again and again, how
/// often is a matter of time: loads of one place, one right behind the other, count once.
class AccessCount {
 public:
  explicit AccessCount(const CoreAction& access) : access_(access) {}

  /// Hears of all that the core does; whether this is one more.
  bool hear(const CoreAction& action);
  std::uint64_t count() const { return count_; }

 private:
  CoreAction access_;
  std::optional<CoreAction> last_;
  std::uint64_t count_ = 0;
};

/// Finds an access again in a run.
class AccessFinder {
 public:
  explicit AccessFinder(const CoreAccess& access) : access_(access), count_(access.action) {}

  void hear(unsigned core, const CoreAction& action, std::uint64_t cycle);

  const CoreAccess& access() const { return access_; }
  std::uint64_t total() const { return count_.count(); } ///< of those that touch the same
  const std::optional<std::uint64_t>& cycle() const { return cycle_; }

 private:
  CoreAccess access_;
  AccessCount count_;
  std::optional<std::uint64_t> cycle_;
};

} // namespace lanewise::tile
