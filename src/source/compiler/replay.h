// Pass "replay": what repeats is recorded once and replayed.
#pragma once

#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/program.h"

namespace lanewise::compiler {

/// The words with runs that occur more than once recorded (executed as they are loaded) and
/// replayed. Slots that the kernel's own REPLAY words use are left alone. `may_replay[i]`: word i
/// may be part of a run.
struct ReplayWord {
  ProgramWord word;
  std::uint32_t site = 0;
  bool may_replay = false;
};
std::vector<ReplayWord> compress(Arch arch, std::vector<ReplayWord> words);

} // namespace lanewise::compiler
