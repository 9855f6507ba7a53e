// A core in time that pushes a list of words, one in each cycle: what a core does at best. Its own
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

class ProgramCore final : public tile::ClockedFeeder {
 public:
  /// The program must live as long. Its `config` is not looked at.
  ProgramCore(const Program& program, unsigned core) : feeder_(program, core) {}

  Expected<std::uint64_t> ready(tile::Tile& /*tile*/) override { return ready_; }
  void at(std::uint64_t cycle) override { now_ = cycle; }

  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    auto step = feeder_.step(tile);
    if (step && *step != tile::FeederStep::Waits) ready_ = now_ + 1;
    return step;
  }
  std::string waits_for() const override { return feeder_.waits_for(); }

 private:
  tile::ProgramFeeder feeder_;
  std::uint64_t ready_ = 0, now_ = 0;
};

} // namespace lanewise::clock
