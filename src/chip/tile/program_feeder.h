// Feeds a thread with a list of words, each as soon as there is room for it.
#pragma once

#include <cstddef>

#include "chip/isa/program.h"
#include "chip/tile/feeder.h"

namespace lanewise::tile {

class ProgramFeeder : public Feeder {
 public:
  /// The program must outlive the feeder. Its `config` is not looked at.
  ProgramFeeder(const Program& program, unsigned core) : program_(program), core_(core) {}

  Expected<FeederStep> step(Tile& tile) override;
  std::string waits_for() const override;

 private:
  const Program& program_;
  unsigned core_;
  std::size_t next_ = 0, next_mop_ = 0;
};

} // namespace lanewise::tile
