// What index and pages of an atlas say of a chip, and the files that they share.
#include <fmt/format.h>

#include "report/atlas/pages.h"
#include "report/page/sortable.h"
#include "report/page/style.h"
#include "report/plain_number.h"
#include "report/sweep/style.h"
#include "report/sweep/values.h"

namespace lanewise::report {

std::string cycles_text(const AtlasJson& chip) {
  const auto cycles = chip.find("cycles");
  return cycles == chip.end() || cycles->is_null() ? "none" : number(cycles->get<double>());
}

std::string tuned_text(const AtlasJson& chip, const AtlasContext& context) {
  if (!context.has_tuned) return "not asked";
  if (!chip.contains("identity")) return "none";
  const auto found = context.tuned.find(chip.at("identity"));
  if (found == context.tuned.end()) return "not tuned";
  const corpus::TuneOutcome& outcome = found->second;
  if (!outcome.is_faster()) return std::string(corpus::verdict_name(outcome.verdict));
  const double change = 100 * (static_cast<double>(outcome.cycles) / outcome.plain_cycles - 1);
  return fmt::format("{} ({:+.1f} %)", outcome.cycles, change);
}

std::string bound_text(const AtlasJson& chip) {
  const auto bound = chip.find("bound");
  if (bound == chip.end() || bound->is_null() || bound->contains("refused")) return "none";
  return std::to_string(bound->at("cycles").get<std::uint64_t>());
}

std::string hazards_text(const AtlasJson& chip) {
  if (!chip.contains("hazards")) return "none";
  std::uint64_t warnings = 0, hazards = 0;
  for (const AtlasJson& hazard : chip.at("hazards"))
    ++(hazard.at("warning").get<bool>() ? warnings : hazards);
  const std::uint64_t faults = chip.at("faults").size();
  std::string text;
  for (const auto& [count, noun] :
       {std::pair{hazards, "hazard"}, {warnings, "warning"}, {faults, "fault"}}) {
    if (count != 0) text += (text.empty() ? "" : ", ") + counted(count, noun);
  }
  return text.empty() ? "none" : text;
}

std::vector<std::string> changes_of(const AtlasJson& entry, const AtlasContext& context) {
  const auto found = context.changes.of_items.find(item_name(entry));
  return found == context.changes.of_items.end() ? std::vector<std::string>() : found->second;
}

std::string atlas_style() {
  return fmt::format("{}\n{}\n{}\n{}", page_style(), sweep_page_style(), sortable_style(),
                     atlas_own_style());
}

std::string atlas_script() {
  return fmt::format("{}\n{}", sortable_script(), atlas_own_script());
}

} // namespace lanewise::report
