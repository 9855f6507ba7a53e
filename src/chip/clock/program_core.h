// A core in time that pushes a list of words, one in so many cycles: in each cycle at best. Its own
// work is not known from a list.
#pragma once

#include <string_view>

#include "chip/tile/clocked_feeder.h"
#include "chip/tile/program_feeder.h"

namespace lanewise::clock {

/// What reports say of such cores.
inline constexpr std::string_view kAssumedOfLists =
    "assumed of the cores: each pushes a word of its list in every cycle in which there is room, "
    "and has no code of its own";

/// The same of the other end of the range: a core that computes each word (timing.md, T5).
inline constexpr std::string_view kAssumedOfSlowLists =
    "assumed for the other end of the range: each core computes every word that it pushes";

class ProgramCore final : public tile::ClockedFeeder {
 public:
  /// The program must live as long. Its `config` is not looked at. `interval`: cycles from one word
  /// to the next, where there is room.
  ProgramCore(const Program& program, unsigned core, std::uint64_t interval = 1)
      : feeder_(program, core), interval_(interval) {}

  Expected<std::uint64_t> ready(tile::Tile& /*tile*/) override { return ready_; }
  void at(std::uint64_t cycle) override { now_ = cycle; }

  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    auto step = feeder_.step(tile);
    if (step && *step != tile::FeederStep::Waits) ready_ = now_ + interval_;
    return step;
  }
  std::string waits_for() const override { return feeder_.waits_for(); }

 private:
  tile::ProgramFeeder feeder_;
  std::uint64_t interval_;
  std::uint64_t ready_ = 0, now_ = 0;
};

} // namespace lanewise::clock
