// Programs of three threads in time.
#pragma once

#include <array>
#include <string>

#include "chip/clock/program_core.h"
#include "chip/clock/timed_run.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {

/// Assembly, again and again.
inline std::string repeat(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned k = 0; k < times; ++k) all += text + "\n";
  return all;
}

struct TimedRig : TileRig {
  explicit TimedRig(Arch arch) : TileRig(arch) {}

  clock::TimedResult time_all(const std::array<std::string, 3>& texts) {
    const std::array programs{assemble(texts[0]), assemble(texts[1]), assemble(texts[2])};
    clock::ProgramCore t0(programs[0], 0), t1(programs[1], 1), t2(programs[2], 2);
    auto result = clock::run_in_time(tile, {&t0, &t1, &t2}, {.keeps_timeline = true, .limits = {}});
    EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error()));
    return result ? *result : clock::TimedResult();
  }
};

/// Cycles that a text takes more when it stands 64 times in a program than when it stands 32 times,
/// divided by 32: the slope that measurements on silicon give. The first `threads` threads have it.
inline double slope(Arch arch, const std::string& text, unsigned threads,
                    void (*prepare)(TimedRig&) = nullptr) {
  constexpr unsigned kShort = 32, kLong = 64;
  std::array<std::uint64_t, 2> last{};
  for (unsigned k = 0; k < 2; ++k) {
    TimedRig rig(arch);
    if (prepare != nullptr) prepare(rig);
    std::array<std::string, 3> texts;
    for (unsigned t = 0; t < threads; ++t) texts[t] = repeat(text, k == 0 ? kShort : kLong);
    const clock::TimedResult result = rig.time_all(texts);
    EXPECT_TRUE(result.run.blocked.empty());
    for (unsigned t = 0; t < threads; ++t) last[k] = std::max(last[k], result.thread[t].last);
  }
  return static_cast<double>(last[1] - last[0]) / (kLong - kShort);
}

} // namespace lanewise::test
