// A core on the NoC in time, and what it does in which cycles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "chip/clock/timed_run.h"
#include "chip/noc/carrier.h"
#include "noc/noc_rig.h"

namespace lanewise::noc {

/// A core that moves data: does things in given cycles, then waits until the NoC has answered.
class Mover final : public tile::ClockedFeeder {
 public:
  using Act = std::function<void()>;

  void in(std::uint64_t cycle, Act act) { acts_.emplace_back(cycle, std::move(act)); }

  Expected<std::uint64_t> ready(tile::Tile& /*tile*/) override {
    return next_ < acts_.size() ? acts_[next_].first : now_;
  }
  void at(std::uint64_t cycle) override { now_ = cycle; }
  Expected<tile::FeederStep> step(tile::Tile& /*tile*/) override {
    if (next_ == acts_.size()) return tile::FeederStep::Ended;
    acts_[next_++].second();
    return tile::FeederStep::Went;
  }
  std::string waits_for() const override { return "nothing"; }

 private:
  std::vector<std::pair<std::uint64_t, Act>> acts_;
  std::size_t next_ = 0;
  std::uint64_t now_ = 0;
};

struct InTime {
  clock::TimedResult time;
  std::vector<NocSpan> spans;
  Carrier::Traffics traffic;
};

/// What a core asks for, in time: the core and the network take turns. `others`: L1 of other cores,
/// by core_number().
inline InTime in_time(NocRig& rig, Mover& mover,
                      std::map<unsigned, std::span<std::uint8_t>> others = {}) {
  TimedNoc noc(rig.noc);
  rig.tile.noc = &rig.noc;
  const unsigned number = core_number(0, 0);
  others.emplace(number, rig.memories().l1);
  Carrier carrier(rig.arch, {{.number = number, .noc = &rig.noc, .timed = &noc}},
                  {.l1 = std::move(others), .banks = rig.memories().dram}, true);
  constexpr unsigned kNoc = 5;
  const std::array<tile::ClockedFeeder*, 6> feeders{nullptr, nullptr, nullptr,
                                                    &mover,  nullptr, &noc};
  clock::TimedTile tile(rig.tile, feeders, {});
  for (;;) {
    const std::uint64_t next = std::min({carrier.next(), tile.next(), noc.next()});
    if (next == Network::kNever) break;
    const std::uint64_t end = next + Network::kLookahead;
    carrier.carry(end);
    if (noc.next() < end) tile.wake(kNoc);
    const auto done = tile.run_until(end);
    EXPECT_TRUE(done) << done.error().message;
    carrier.collect();
  }
  return {tile.finish(), carrier.spans(0), carrier.traffic(0)};
}

} // namespace lanewise::noc
