#include "chip/tile/expander.h"

#include <bit>

#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"

namespace lanewise::tile {

namespace {

constexpr std::uint8_t kMopOpcode = 0x01;
constexpr std::uint8_t kMopCfgOpcode = 0x03;

constexpr Finding kUnsetMop{FaultKind::UnpredictableValue,
                            "expands a MOP of which a word has never been written; NOP or 0 was "
                            "taken",
                            "write the words that the template uses", "core.md 5"};
constexpr Finding kNestedMop{FaultKind::UndefinedBehavior,
                             "comes out of the MOP expander, so it would reach the execution "
                             "units; it was left out",
                             "do not nest MOP", "core.md 5"};
constexpr Finding kRecordsReplay{FaultKind::UndefinedBehavior,
                                 "is recorded instead of replaying; it was left out",
                                 "make the count of the REPLAY before that of the instructions to "
                                 "record",
                                 "core.md 5"};
constexpr Finding kTooLong{FaultKind::Hazard,
                           "records more than 32 instructions: the last overwrite the first",
                           "record at most 32 instructions", "core.md 5"};
constexpr Finding kEmptySlot{FaultKind::UnpredictableValue,
                             "replays a slot into which nothing has been recorded; it was left out",
                             "record the slots before you replay them", "core.md 5"};

} // namespace

Expansion Expander::push(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
                         FindingLog& log) {
  const std::size_t before = out.size();
  Expansion expansion;
  switch (isa::opcode_of(word.word)) {
    case kMopCfgOpcode: mop_.set_mask_high(static_cast<std::uint16_t>(word.word)); break;
    case kMopOpcode:
      expansion.is_mop = true;
      expansion.replays = expand_mop(word, thread, out, log);
      break;
    default: replay_or_pass(word, thread, out, log);
  }
  expansion.instructions = out.size() - before;
  return expansion;
}

unsigned Expander::expand_mop(const ProgramWord& word, unsigned thread,
                              std::vector<ProgramWord>& out, FindingLog& log) {
  unsigned replays = 0;
  MopExpansion expansion = mop_.expand(word.word);
  if (expansion.unset != 0) log.add(kUnsetMop, thread, word);
  for (ProgramWord& each : expansion.words) {
    if (each.line == 0) each.line = word.line;
    const std::uint8_t inner = isa::opcode_of(each.word);
    if (inner == kMopOpcode || inner == kMopCfgOpcode) {
      log.add(kNestedMop, thread, each);
    } else if (replay_or_pass(each, thread, out, log)) {
      ++replays;
    }
  }
  return replays;
}

bool Expander::replay_or_pass(const ProgramWord& word, unsigned thread,
                              std::vector<ProgramWord>& out, FindingLog& log) {
  if (recording_ > 0) {
    record(word, thread, out, log);
    return false;
  }
  if (!isa::is_replay(word.word)) {
    out.push_back(word);
    return false;
  }
  const isa::ReplayCommand command = *isa::replay_command(word.word);
  if (command.load) {
    if (command.count > kSlots) log.add(kTooLong, thread, word);
    next_ = command.index;
    recording_ = command.count;
    executes_ = command.execute;
    return false;
  }
  for (unsigned i = 0; i < command.count; ++i) {
    const unsigned slot = (command.index + i) % kSlots;
    if ((recorded_ >> slot & 1U) != 0) {
      out.push_back(slot_[slot]);
    } else {
      log.add(kEmptySlot, thread, word);
    }
  }
  return true;
}

void Expander::record(const ProgramWord& word, unsigned thread, std::vector<ProgramWord>& out,
                      FindingLog& log) {
  --recording_;
  if (isa::is_replay(word.word)) return log.add(kRecordsReplay, thread, word);
  slot_[next_ % kSlots] = word;
  recorded_ |= 1U << next_ % kSlots;
  ++next_;
  if (executes_) out.push_back(word);
}

} // namespace lanewise::tile
