// The NoC as one core sees it, in time: when it has asked for what, and what happens to it in which
// cycle. Who carries what is asked for (run/grid/carrier.h) says both when something leaves the
// core, comes into its L1, or is answered.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "chip/noc/noc.h"
#include "chip/tile/clocked_feeder.h"

namespace lanewise::noc {

/// A transaction and the cycle in which it was asked for.
struct AskedInTime {
  std::uint64_t cycle = 0;
  Transaction transaction;
};

class TimedNoc final : public tile::ClockedFeeder {
 public:
  /// `noc` must live as long.
  explicit TimedNoc(Noc& noc) : noc_(noc) { noc.keep_buffers(); }

  /// What has been asked for since the last time, by cycle.
  std::vector<AskedInTime> take_asked() { return std::exchange(asked_, {}); }

  /// `act` happens in a cycle, in which nothing of the core has happened yet; of one cycle, acts
  /// happen in the order in which they were given.
  void plan(std::uint64_t cycle, std::function<void()> act);
  /// Of what is planned; tile::kNothingToDo if nothing is.
  std::uint64_t next() const;

  Expected<std::uint64_t> ready(tile::Tile& tile) override;
  void at(std::uint64_t /*cycle*/) override {}
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override { return "nothing"; }
  std::uint64_t asked() const override { return noc_.asked(); }

 private:
  struct Planned {
    std::uint64_t cycle = 0, number = 0;
    std::function<void()> act;

    /// The first of a queue comes last in this order.
    friend bool operator<(const Planned& a, const Planned& b) {
      return std::pair(b.cycle, b.number) < std::pair(a.cycle, a.number);
    }
  };

  Noc& noc_;
  std::uint64_t seen_ = 0; ///< transactions that were taken down: those with a lower number
  std::vector<AskedInTime> asked_;
  std::uint64_t planned_ = 0; ///< so many
  std::priority_queue<Planned> queue_;
};

} // namespace lanewise::noc
