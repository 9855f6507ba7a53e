#include "timing/harness.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lanewise::timing {

namespace {

/// "Harness constants" of timing.md.
constexpr std::array kHarnesses{
    Harness{"bh-copy", Arch::Blackhole, 28.2, "bf16, with the copy into Dst"},
    Harness{"bh-32bit", Arch::Blackhole, 7.4, "32-bit formats, without the copy"},
    Harness{"wh-replay", Arch::Wormhole, 30.9, "instructions replayed"},
    Harness{"wh-rolled", Arch::Wormhole, 55.8, "rolled loops in the core"},
};

/// What a pass of a rolled loop costs the core on Blackhole (T5: "about 5").
constexpr std::uint64_t kCyclesPerPass = 5;

} // namespace

std::span<const Harness> harnesses() {
  return kHarnesses;
}

const Harness* find_harness(std::string_view name) {
  const auto found = std::find_if(kHarnesses.begin(), kHarnesses.end(),
                                  [&](const Harness& each) { return each.name == name; });
  return found == kHarnesses.end() ? nullptr : &*found;
}

double tile_cycles(double cycles_per_row, const Harness& harness) {
  return kRowsPerTile * cycles_per_row + harness.overhead;
}

std::uint64_t rolled_loop_cycles(const Schedule& schedule, const MicroProgram& program,
                                 std::size_t words_per_pass) {
  if (program.supply.empty() || words_per_pass == 0) return 0;
  std::vector<std::uint64_t> stalls(program.supply.back().word / words_per_pass + 1);
  for (const Issue& issue : schedule.issues)
    stalls[program.supply[issue.op].word / words_per_pass] += issue.before;
  std::uint64_t added = 0;
  for (std::uint64_t of_pass : stalls) added += kCyclesPerPass - std::min(kCyclesPerPass, of_pass);
  return added;
}

} // namespace lanewise::timing
