#include "chip/tile/program_feeder.h"

#include "chip/tile/tile.h"

namespace lanewise::tile {

Expected<FeederStep> ProgramFeeder::step(Tile& tile) {
  const auto& mop = program_.mop;
  for (; next_mop_ < mop.size() && mop[next_mop_].before <= next_; ++next_mop_) {
    const MopSetting& setting = mop[next_mop_];
    tile.configure_mop(core_, setting.index, setting.value, setting.line);
  }
  if (next_ == program_.words.size()) return FeederStep::Ended;
  if (!tile.push(core_, program_.words[next_])) return FeederStep::Waits;
  ++next_;
  return FeederStep::Went;
}

std::string ProgramFeeder::waits_for() const {
  return "room for the next instruction";
}

} // namespace lanewise::tile
