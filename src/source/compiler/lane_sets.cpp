#include "source/compiler/lane_sets.h"

#include "chip/isa/effects.h"
#include "chip/isa/fields.h"
#include "source/compiler/replay_contents.h"

namespace lanewise::compiler {

using isa::Op;

namespace {

/// VU C7: lanes are enabled whose flags are set or not in use. Every SFPENCC sets the flags of all
/// lanes, or clears them.
bool enables_all(unsigned mod, unsigned imm) {
  constexpr unsigned kUseFromImm = isa::kMode<Op::SFPENCC, "EI_R1">;
  constexpr unsigned kFlagsFromImm = isa::kMode<Op::SFPENCC, "EU_RI">;
  constexpr unsigned kUse = 1, kFlags = 2; // bits of Imm2
  const bool ends_use = (mod & kUseFromImm) != 0 && (imm & kUse) == 0;
  return ends_use || (mod & kFlagsFromImm) == 0 || (imm & kFlags) != 0;
}

} // namespace

void LaneSets::follow(Arch arch, Op op, unsigned mod, std::int32_t imm) {
  const isa::Effects effects(arch, op, mod);
  if (op == Op::SFPENCC && enables_all(mod, static_cast<unsigned>(imm))) {
    now_ = rows_;
    return;
  }
  const Id entry = saved_.empty() ? 0 : saved_.back();
  switch (effects.stack_use()) {
    case isa::StackUse::None: break;
    case isa::StackUse::Push: return saved_.push_back(now_);
    case isa::StackUse::Pop:
      if (saved_.empty()) return change(0);
      now_ = entry;
      return saved_.pop_back();
    case isa::StackUse::Look: return change(op == Op::SFPCOMPC ? entry : 0);
    case isa::StackUse::Spoil:
      if (saved_.size() >= kFlagStackEntries) saved_.front() = new_set(0);
      return change(0);
    case isa::StackUse::Narrow: change_entry(entry); break;
    case isa::StackUse::Change: change_entry(0); break;
  }
  switch (effects.lane_change()) {
    case isa::LaneChange::None: return;
    case isa::LaneChange::Narrower: return change(now_);
    case isa::LaneChange::Other: return change(0);
  }
}

void LaneSets::change_entry(Id parent) {
  if (!saved_.empty()) saved_.back() = new_set(parent);
}

void LaneSets::follow(Arch arch, std::uint32_t word) {
  constexpr unsigned kLaneConfig = 15;
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr || isa::is_template_write(arch, word)) return;
  if (d.row->op == Op::SFPCONFIG) {
    if (d["ConfigDest"] == kLaneConfig) configure(d["Mod1"], d["Imm16"]);
    return;
  }
  const isa::Field* mod = d.row->field("Mod1");
  const std::uint32_t imm = d.row->op == Op::SFPENCC ? d["Imm2"] : 0;
  follow(arch, d.row->op, mod == nullptr ? 0 : mod->extract(word), static_cast<std::int32_t>(imm));
}

void LaneSets::configure(unsigned mod, std::uint32_t imm) {
  constexpr std::uint32_t kRowMask = 0xF000; // VU C39
  const bool is_value = mod == isa::kMode<Op::SFPCONFIG, "IMM16_IS_VALUE">;
  if (is_value && (imm & kRowMask) == 0 && rows_ == 0) return; // all rows before and after
  rows_ = new_set(0);
  change(rows_);
  for (Id& saved : saved_) saved = new_set(rows_);
}

void LaneSets::return_to(const Mark& mark) {
  now_ = mark.lanes;
  saved_.resize(mark.entries);
}

bool LaneSets::includes(Id whole, Id part) const {
  while (part != whole && part != 0) part = parent_[part];
  return part == whole;
}

LaneSets::Id LaneSets::new_set(Id parent) {
  parent_.push_back(parent);
  return static_cast<Id>(parent_.size() - 1);
}

void LaneSets::change(Id parent) {
  now_ = new_set(parent);
}

CodeLanes find_lanes(const Code& code) {
  CodeLanes lanes;
  for (const Instr& instr : code.instrs) {
    lanes.of.push_back(lanes.sets.now());
    if (instr.kind == InstrKind::Tensix)
      lanes.sets.follow(code.arch, instr.op, instr.mod, instr.imm);
    auto& words = lanes.of_executed.emplace_back();
    for (const std::uint32_t word : instr.executes) {
      words.push_back(lanes.sets.now());
      lanes.sets.follow(code.arch, word);
    }
    if (instr.plays_unknown) lanes.sets.follow_anything();
  }
  return lanes;
}

std::vector<LaneSets::Id> raw_lanes(const Recording& recording) {
  LaneSets sets;
  ReplayContents contents;
  std::vector<LaneSets::Mark> scopes;
  std::vector<LaneSets::Id> lanes;
  for (const Node& node : recording.nodes) {
    lanes.push_back(sets.now());
    if (node.dead) continue;
    const bool ends = node.kind == Kind::EndIf || node.kind == Kind::EndBlock;
    if (node.kind == Kind::Raw) {
      const auto words = contents.executed(static_cast<std::uint32_t>(node.imm));
      if (!words) sets.follow_anything();
      for (const std::uint32_t word : words.value_or(std::vector<std::uint32_t>{}))
        sets.follow(recording.arch, word);
    }
    if (node.kind == Kind::If || node.kind == Kind::Block) scopes.push_back(sets.mark());
    if (ends || node.kind == Kind::Else || node.kind == Kind::ElseIf) sets.return_to(scopes.back());
    if (ends) scopes.pop_back();
  }
  return lanes;
}

} // namespace lanewise::compiler
