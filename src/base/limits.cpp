#include "base/limits.h"

#include <fmt/format.h>

namespace lanewise {

std::string time_text(const ProcessLimits& limits) {
  return fmt::format("{:g} s", std::chrono::duration<double>(limits.time).count());
}

std::string memory_text(const ProcessLimits& limits) {
  return fmt::format("{} MiB of memory", limits.memory >> 20);
}

} // namespace lanewise
