// The instruction words of a kernel on their way to the machine.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/isa/replay.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"
#include "source/compiler/ir.h"

namespace lanewise::oracle {

/// Hands words to the front end one after the other. A REPLAY that records must see what it
/// records, so it waits until those words are there.
class RawWords {
 public:
  RawWords(const compiler::Recording& recording, FrontEnd& front_end);

  /// Whether all words that have come can run now.
  bool add(ProgramWord word);

  /// Whether words wait for more.
  bool waiting() const { return !waiting_.words.empty(); }
  /// Line of the REPLAY that waits.
  std::uint32_t line() const { return waiting_.words.front().line; }

  /// Runs what waits on the machine's own registers; what the front end finds wrong.
  std::vector<Fault> run(MachineState& state);

 private:
  FrontEnd& front_end_;
  Program waiting_;
  isa::RecordedWords recorded_;
};

} // namespace lanewise::oracle
