#include "binary/paths/enabled_lanes.h"

#include <algorithm>

namespace lanewise::paths {

namespace {

/// The predicate stack has 8 entries; deeper ones are not told apart.
constexpr std::size_t kMostEntries = 16;

/// SFPENCC with Imm2 = 3 and Mod1 = 10: flags in use and all of them set (VU C5, C7).
bool switches_all_on(const isa::Effects& effects) {
  constexpr unsigned kBoth = 3, kSetBoth = 10;
  const isa::Decoded& d = effects.decoded();
  return effects.row() != nullptr && effects.row()->op == isa::Op::SFPENCC && d["Imm2"] == kBoth &&
         effects.modifier() == kSetBoth;
}

} // namespace

void EnabledLanes::forget() {
  may_be_off_ = true;
  knows_stack_ = false;
  stack_.clear();
}

void EnabledLanes::execute(const isa::Effects& effects) {
  switch (effects.stack_use()) {
    case isa::StackUse::Push:
      stack_.push_back(may_be_off_);
      if (stack_.size() > kMostEntries) forget();
      return;
    case isa::StackUse::Pop:
      may_be_off_ = stack_.empty() || stack_.back();
      if (!stack_.empty()) stack_.pop_back();
      return;
    case isa::StackUse::Look:
    case isa::StackUse::Spoil: may_be_off_ = true; return;
    case isa::StackUse::Narrow:
    case isa::StackUse::Change:
      if (!stack_.empty()) stack_.back() = true;
      break;
    case isa::StackUse::None: break;
  }
  if (effects.lane_change() != isa::LaneChange::None) may_be_off_ = !switches_all_on(effects);
}

bool EnabledLanes::join(const EnabledLanes& from) {
  const EnabledLanes before = *this;
  may_be_off_ |= from.may_be_off_;
  knows_stack_ = knows_stack_ && from.knows_stack_ && stack_.size() == from.stack_.size();
  if (!knows_stack_) stack_.clear();
  for (std::size_t i = 0; i < stack_.size(); ++i) stack_[i] = stack_[i] || from.stack_[i];
  return may_be_off_ != before.may_be_off_ || knows_stack_ != before.knows_stack_ ||
         stack_ != before.stack_;
}

bool keeps_old_parts(const isa::Effects& effects, const EnabledLanes& lanes) {
  const bool in_enabled_lanes = effects.lane_scope() == isa::LaneScope::Enabled;
  return (in_enabled_lanes && lanes.may_be_off()) ||
         effects.written_half() != isa::WrittenHalf::Both;
}

} // namespace lanewise::paths
