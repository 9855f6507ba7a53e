// A core in time that pushes a list of words, one in each cycle: what a core does at best. Its own
// work is not known from a list.
#pragma once

#include "chip/tile/clocked_feeder.h"
#include "chip/tile/program_feeder.h"

namespace lanewise::clock {

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
