#include "source/compiler/replay_contents.h"

#include "chip/isa/replay.h"

namespace lanewise::compiler {

/// Whether the word is recorded only.
bool ReplayContents::record(std::optional<std::uint32_t> word) {
  if (left_ == 0) return false;
  --left_;
  slots_[next_++ % kSlots] = word;
  return !executes_;
}

std::optional<std::vector<std::uint32_t>> ReplayContents::executed(std::uint32_t word) {
  if (record(word)) return std::vector<std::uint32_t>{};
  const auto command = isa::replay_command(word);
  if (!command) return std::vector{word};
  if (command->load) {
    next_ = command->index;
    left_ = command->count;
    executes_ = command->execute;
    return std::vector<std::uint32_t>{};
  }
  std::vector<std::uint32_t> played;
  for (unsigned i = 0; i < command->count; ++i) {
    const auto& slot = slots_[(command->index + i) % kSlots];
    if (!slot) return std::nullopt;
    if (!isa::replay_command(*slot)) played.push_back(*slot);
  }
  return played;
}

void ReplayContents::pass_instruction() {
  record(std::nullopt);
}

} // namespace lanewise::compiler
