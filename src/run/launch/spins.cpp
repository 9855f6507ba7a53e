#include "run/launch/spins.h"

#include <fmt/format.h>

namespace lanewise::launch {

namespace {

/// A loop that looks at a word as often, and at nothing else, waits for it.
constexpr std::uint32_t kLooks = 64;

} // namespace

bool Spins::access(unsigned core, const section::MemoryAccess& access, std::uint64_t code,
                   const LineOf& line) {
  Look& look = look_[core];
  const bool is_same = !access.changes && look.code == code && look.address == access.address;
  if (!is_same) look = {.code = code, .address = access.address, .times = 0};
  if (access.changes || !access.is_volatile || ++look.times < kLooks) return false;
  look.times = kLooks;
  // The firmware leaves the cache off.
  if (arch_params(arch_).core_costs.data_cache_lines != 0)
    found_.add(core, line(), FaultKind::NonContractual,
               fmt::format("waits for 0x{:x} of L1 in a loop without invalidate_l1_cache(): with "
                           "the cache of the core on, it would never see a change",
                           access.address),
               "call invalidate_l1_cache() in the loop, or noc_semaphore_wait()", "programs 14");
  return true;
}

} // namespace lanewise::launch
