#include "oracle/raw_words.h"

#include "isa/encoding.h"
#include "machine/executor.h"

namespace lanewise::lab {

RawWords::RawWords(const compiler::Recording& recording, FrontEnd& front_end)
    : arch_(recording.arch), front_end_(front_end) {
  waiting_.name = recording.name;
}

bool RawWords::add(ProgramWord word) {
  waiting_.words.push_back(word);
  if (missing_ > 0) return --missing_ == 0;
  const isa::Decoded d = isa::decode(arch_, word.word);
  if (d.row != nullptr && d.row->op == isa::Op::REPLAY && d["Load"] != 0) {
    constexpr unsigned kZeroMeans = 64;
    missing_ = d["Count"] == 0 ? kZeroMeans : d["Count"];
  }
  return missing_ == 0;
}

std::vector<Fault> RawWords::run(MachineState& state) {
  const MicroProgram program = front_end_.expand(waiting_);
  execute(state, program.ops);
  waiting_.words.clear();
  missing_ = 0;
  return program.faults;
}

} // namespace lanewise::lab
