#include "timing/harness.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lanewise::timing {

namespace {

/// "Harness constants" of timing.md; the two-operand one is read from int32 add there. llk-bench is
/// tt-metal PR 57292: pushed, its rows lie 15 above the replayed ones, three ways back at 5 cycles.
constexpr std::array kHarnesses{
    Harness{"bh-copy", Arch::Blackhole, 28.2, "bf16, with the copy into Dst"},
    Harness{"bh-32bit", Arch::Blackhole, 7.4, "32-bit formats, without the copy"},
    Harness{"bh-binary", Arch::Blackhole, 18.5, "32-bit formats, two operands"},
    Harness{"llk-bench", Arch::Blackhole, 15.1, "tile API, replayed"},
    Harness{"llk-bench-pushed", Arch::Blackhole, 30.1, "tile API, pushed in a loop over the faces"},
    Harness{"wh-replay", Arch::Wormhole, 30.9, "instructions replayed"},
    Harness{"wh-rolled", Arch::Wormhole, 55.8, "rolled loops in the core", 1},
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
  return kRowsPerTile * (cycles_per_row + harness.slots_per_row) + harness.overhead;
}

std::uint64_t rolled_loop_cycles(const Schedule& schedule, const MicroProgram& program,
                                 std::size_t words_per_pass) {
  if (program.supply.empty() || words_per_pass == 0) return 0;
  std::vector<std::uint64_t> stalls(program.supply.back().word / words_per_pass); // not of the last
  for (const Issue& issue : schedule.issues) {
    const std::size_t pass = program.supply[issue.op].word / words_per_pass;
    if (pass < stalls.size()) stalls[pass] += issue.before;
  }
  std::uint64_t added = 0;
  for (std::uint64_t of_pass : stalls) added += kCyclesPerPass - std::min(kCyclesPerPass, of_pass);
  return added;
}

} // namespace lanewise::timing
