#include "source/compiler/cost.h"

#include <algorithm>
#include <optional>

#include "chip/isa/encoding.h"
#include "chip/isa/interlock.h"
#include "chip/isa/replay.h"
#include "source/compiler/replay_contents.h"

namespace lanewise::compiler {

namespace {

/// The cycles of one instruction after the other.
class SlotCounter {
 public:
  explicit SlotCounter(Arch arch) : arch_(arch), params_(arch_params(arch)) {}

  void add(std::uint32_t word) {
    const isa::Decoded decoded = isa::decode(arch_, word);
    if (decoded.row == nullptr || decoded.row->unit != isa::Unit::Vector) {
      ++slot_;
      return;
    }
    slot_ = std::max(slot_, vector_);
    const unsigned executes = slot_ + (waits(word, decoded.row->op) ? 1 : 0);
    if (!params_.vector.stalls_inside_unit) slot_ = executes;
    ++slot_;
    vector_ = executes + 1;
    before_ = word;
    executed_ = executes;
  }

  void record() { ++slot_; }
  unsigned cycles() const { return slot_; }

 private:
  bool waits(std::uint32_t word, isa::Op op) const {
    if (!before_ || executed_ + 1 != slot_ || op == isa::Op::SFPNOP) return false;
    if (isa::holds_unit(arch_, *before_)) return true;
    return params_.vector.has_result_interlock && isa::is_mad_class(arch_, *before_) &&
           (isa::believed_writes(arch_, *before_) & isa::believed_reads(arch_, word)) != 0;
  }

  Arch arch_;
  const ArchParams& params_;
  unsigned slot_ = 0;                   ///< the next of the front end
  unsigned vector_ = 0;                 ///< the next cycle in which the Vector Unit takes something
  std::optional<std::uint32_t> before_; ///< the last instruction of the Vector Unit
  unsigned executed_ = 0;               ///< its cycle
};

} // namespace

double cycles_of(Arch arch, std::span<const ReplayWord> words, Pushes pushes) {
  SlotCounter counter(arch);
  ReplayContents contents;
  for (const ReplayWord& each : words) {
    const auto command = isa::replay_command(each.word.word);
    if (command && command->load) counter.record();
    const auto executed = contents.executed(each.word.word);
    if (!executed) continue; // the same in every candidate
    for (const std::uint32_t word : *executed) counter.add(word);
  }
  if (pushes == Pushes::Free) return counter.cycles();
  const ArchParams& chip = arch_params(arch);
  const double push = (chip.cores.fastest_push + chip.cores.slowest_push) / 2;
  return std::max<double>(counter.cycles(), push * static_cast<double>(words.size()));
}

} // namespace lanewise::compiler
