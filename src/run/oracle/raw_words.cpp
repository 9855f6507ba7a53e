#include "run/oracle/raw_words.h"

#include "chip/machine/executor.h"

namespace lanewise::oracle {

RawWords::RawWords(const compiler::Recording& recording, FrontEnd& front_end)
    : front_end_(front_end) {
  waiting_.name = recording.name;
}

bool RawWords::add(ProgramWord word) {
  waiting_.words.push_back(word);
  recorded_.records(word.word);
  return recorded_.missing() == 0;
}

std::vector<Fault> RawWords::run(MachineState& state) {
  const MicroProgram program = front_end_.expand(waiting_);
  execute_in_group(state, program.ops);
  waiting_.words.clear();
  recorded_ = {};
  return program.faults;
}

} // namespace lanewise::oracle
