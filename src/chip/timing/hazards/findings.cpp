#include "chip/timing/hazards/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"

namespace lanewise::timing {

std::string Findings::line_name(std::uint32_t line) const {
  return has_line(line) ? line_text_(line) : "an instruction without a line";
}

std::string Findings::op_name(const MicroOp& op, bool scheduled) const {
  const isa::Row* row = isa::decode(arch_, op.word).row;
  const std::string_view name = row == nullptr ? "the word" : row->mnemonic;
  if (!has_line(op.line)) return fmt::format("{}{}", scheduled ? "a scheduled " : "", name);
  return scheduled ? fmt::format("{} that {} schedules", name, line_text_(op.line))
                   : fmt::format("{} of {}", name, line_text_(op.line));
}

std::string register_names(LRegMask registers) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < kLRegs; ++i) {
    if ((registers >> i & 1U) != 0) names.push_back(fmt::format("L{}", i));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::vector<ProposedChange> Findings::insertion(std::uint32_t before_line, std::string_view what,
                                                std::uint32_t word, std::size_t copies) const {
  if (!has_line(before_line)) return {};
  ProposedChange change;
  change.text = fmt::format("insert {} before {}", what, line_text_(before_line));
  change.before_line = before_line;
  change.words.assign(copies, word);
  return {std::move(change)};
}

Hazard* Findings::merge(HazardId id, const Spot& spot) {
  const HazardRule& rule = hazard_rule(id);
  if (!isa::includes(rule.chips, arch_)) return nullptr;
  const std::uint32_t line = spot.op == nullptr ? 0 : spot.op->line;
  const std::uint32_t word = spot.op == nullptr || has_line(line) ? 0 : spot.op->word;
  const auto [entry, is_new] =
      places_.try_emplace({id, line, spot.other_line, word}, hazards_.size());
  if (!is_new) {
    ++hazards_[entry->second].count;
    return nullptr;
  }
  Hazard hazard;
  hazard.rule = &rule;
  hazard.arch = arch_;
  hazard.cycle = spot.cycle;
  SourcePlace place = source_place(line), other_place = source_place(spot.other_line);
  hazard.line = place.line;
  hazard.file = std::move(place.file);
  hazard.other_line = other_place.line;
  hazard.other_file = std::move(other_place.file);
  if (worded_ && spot.op != nullptr) hazard.instruction = isa::disassemble(arch_, spot.op->word);
  if (worded_ && spot.scheduled) hazard.instruction += " (scheduled)";
  hazards_.push_back(std::move(hazard));
  return &hazards_.back();
}

std::vector<Hazard> Findings::take() {
  std::stable_sort(hazards_.begin(), hazards_.end(),
                   [](const Hazard& a, const Hazard& b) { return a.cycle < b.cycle; });
  places_.clear();
  return std::move(hazards_);
}

} // namespace lanewise::timing
