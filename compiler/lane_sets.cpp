#include "compiler/lane_sets.h"

#include "compiler/lane_change.h"
#include "compiler/replay_contents.h"
#include "isa/encoding.h"

namespace lanewise::compiler {

using isa::Op;

void LaneSets::follow(Op op, unsigned mod, std::int32_t imm) {
  constexpr unsigned kBothFlags = 3, kFromImmediates = 10; // SFPENCC: all lanes (VU C5)
  switch (op) {
    case Op::SFPPUSHC:
      if (mod == 0) return saved_.push_back(now_);
      change_entry(0); // other modes change the entry (VU C9)
      return change(0);
    case Op::SFPPOPC:
      if (mod != 0 || saved_.empty()) return change(0);
      now_ = saved_.back();
      return saved_.pop_back();
    case Op::SFPCOMPC: return change(saved_.empty() ? 0 : saved_.back());
    case Op::SFPENCC:
      if (mod != kFromImmediates || static_cast<unsigned>(imm) != kBothFlags) return change(0);
      now_ = 0;
      return;
    case Op::SFPLE:
    case Op::SFPGT: {
      constexpr unsigned kMutatesStack = 2, kOr = 4; // the entry &= or |= the condition (VU C32)
      if ((mod & kMutatesStack) != 0)
        change_entry((mod & kOr) != 0 || saved_.empty() ? 0 : saved_.back());
      break;
    }
    default: break;
  }
  if (lane_change(op, mod) != LaneChange::None) change(now_);
}

void LaneSets::change_entry(Id parent) {
  if (!saved_.empty()) saved_.back() = new_set(parent);
}

void LaneSets::follow(Arch arch, std::uint32_t word) {
  constexpr unsigned kLaneConfig = 15;
  const isa::Decoded d = isa::decode(arch, word);
  if (d.row == nullptr || isa::is_template_write(arch, word)) return;
  if (d.row->op == Op::SFPCONFIG) {
    if (d["ConfigDest"] == kLaneConfig) change(0);
    return;
  }
  const isa::Field* mod = d.row->field("Mod1");
  const std::uint32_t imm = d.row->op == Op::SFPENCC ? d["Imm2"] : 0;
  follow(d.row->op, mod == nullptr ? 0 : mod->extract(word), static_cast<std::int32_t>(imm));
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
    if (instr.kind == InstrKind::Tensix) lanes.sets.follow(instr.op, instr.mod, instr.imm);
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
  ReplayContents contents(recording.arch);
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
