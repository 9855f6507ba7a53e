#include "compiler/replay_contents.h"

#include "isa/encoding.h"

namespace lanewise::compiler {

namespace {

bool is_replay(Arch arch, std::uint32_t word) {
  const isa::Decoded d = isa::decode(arch, word);
  return d.row != nullptr && d.row->op == isa::Op::REPLAY;
}

} // namespace

/// Whether the word is recorded only.
bool ReplayContents::record(std::optional<std::uint32_t> word) {
  if (left_ == 0) return false;
  --left_;
  slots_[next_++ % kSlots] = word;
  return !executes_;
}

std::optional<std::vector<std::uint32_t>> ReplayContents::executed(std::uint32_t word) {
  if (record(word)) return std::vector<std::uint32_t>{};
  if (!is_replay(arch_, word)) return std::vector{word};
  const isa::Decoded d = isa::decode(arch_, word);
  const unsigned count = d["Count"] == 0 ? kSlots : d["Count"];
  if (d["Load"] != 0) {
    next_ = d["Index"];
    left_ = count;
    executes_ = d["Exec"] != 0;
    return std::vector<std::uint32_t>{};
  }
  std::vector<std::uint32_t> played;
  for (unsigned i = 0; i < count; ++i) {
    const auto& slot = slots_[(d["Index"] + i) % kSlots];
    if (!slot) return std::nullopt;
    if (!is_replay(arch_, *slot)) played.push_back(*slot);
  }
  return played;
}

void ReplayContents::pass_instruction() {
  record(std::nullopt);
}

} // namespace lanewise::compiler
