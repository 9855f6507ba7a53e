// What is found wrong in a program while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "run/launch/mend.h"

namespace lanewise::launch {

/// Something that was found: at which core and line.
struct Found {
  unsigned core = 0;
  std::uint32_t line = 0;
  Fault fault;
  std::optional<Mend> mend = {}; ///< that may be tried
};

/// Finds out the line of something that a core does, when it is wanted.
using LineOf = std::function<std::uint32_t()>;

class FoundLog {
 public:
  /// A loop does the same wrong thing again and again: only the first of a core, line and rule is
  /// kept, but for one that does no harm yet.
  void add(unsigned core, std::uint32_t line, FaultKind kind, std::string message,
           std::string remedy, std::string_view rule, std::optional<Mend> mend = {});

  std::vector<Found> all;
};

} // namespace lanewise::launch
