// Special values, monotonicity and symmetry: the parts of report/sweep/tables.h that look at
// single inputs and pairs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/tables.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::SweepCase;
using sweep::SweepStatistics;

/// Special values that are all shown, differing or not.
constexpr std::size_t kFewSpecials = 8;

/// One special input with what each chip made of it; nullptr where a chip does not have it.
struct Special {
  const SweepCase* any = nullptr;
  std::vector<const SweepCase*> chips;
};

/// In the order of the first chip that has them.
std::vector<Special> specials_of(const sweep::SweepResult& result) {
  std::vector<Special> specials;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  for (std::size_t chip = 0; chip < result.chips.size(); ++chip) {
    for (const SweepCase& at : result.chips[chip].specials) {
      const auto [entry, is_new] = known.try_emplace({at.x, at.y}, specials.size());
      if (is_new) specials.push_back({&at, {result.chips.size(), nullptr}});
      specials[entry->second].chips[chip] = &at;
    }
  }
  return specials;
}

bool all_agree(const sweep::SweepResult& result, const Special& special) {
  return std::all_of(special.chips.begin(), special.chips.end(), [&](const SweepCase* at) {
    return at == nullptr || agrees(result.output_format, *at);
  });
}

std::string found_text(const sweep::SweepResult& result, const SweepCase* at) {
  if (at == nullptr) return "";
  return agrees(result.output_format, *at) ? "agrees" : datum_text(result.output_format, at->found);
}

std::string monotonicity_sentence(const sweep::SweepResult& result, const SweepStatistics& chip) {
  const sweep::Monotonicity& found = chip.monotonicity;
  if (found.reversals == 0) {
    return result.complete() ? "monotonic wherever the reference is."
                             : "monotonic wherever the reference is, as far as was measured.";
  }
  return fmt::format(
      "{} of neighbouring inputs in which the result goes the other way than the reference, by at "
      "most {} ULP: from {} to {} between x = {} and x = {}.",
      counted(found.reversals, "pair"), found.largest,
      value_text(result.output_format, found.left.found),
      value_text(result.output_format, found.right.found), value_text(result.format, found.left.x),
      value_text(result.format, found.right.x));
}

std::string symmetry_kept(const sweep::SweepResult& result, std::string_view name,
                          std::uint64_t broken, std::uint64_t pairs, const SweepCase& first) {
  if (broken == 0) return fmt::format("{} as the reference, in {} pairs x, -x.", name, pairs);
  return fmt::format("not {}, unlike the reference, in {} of {} pairs x, -x; the first at x = {}.",
                     name, broken, pairs, value_text(result.format, first.x));
}

std::string symmetry_sentence(const sweep::SweepResult& result, const sweep::Symmetry& found) {
  if (found.is_even())
    return symmetry_kept(result, "even", found.found_not_even, found.pairs, found.first_not_even);
  if (found.is_odd())
    return symmetry_kept(result, "odd", found.found_not_odd, found.pairs, found.first_not_odd);
  return "";
}

} // namespace

Table special_table(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  Table table{"", {}, {{"x", ColumnKind::Number}}, {}};
  if (result.operands > 1) table.columns.push_back({"y", ColumnKind::Number});
  table.columns.push_back({"expected", ColumnKind::Number});
  for (const SweepStatistics& chip : result.chips)
    table.columns.push_back({chip_name(chip.arch), ColumnKind::Number});
  const std::vector<Special> specials = specials_of(result);
  for (const Special& special : specials) {
    if (specials.size() > kFewSpecials && all_agree(result, special)) continue;
    std::vector<TableCell> row{datum_text(result.format, special.any->x)};
    if (result.operands > 1) row.emplace_back(datum_text(result.format, special.any->y));
    row.emplace_back(datum_text(result.output_format, special.any->expected));
    for (const SweepCase* at : special.chips) row.emplace_back(found_text(result, at));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string special_sentence(const SweepReport& report) {
  const std::vector<Special> specials = specials_of(report.result);
  if (specials.empty()) return "";
  const auto agreeing =
      std::count_if(specials.begin(), specials.end(),
                    [&](const Special& special) { return all_agree(report.result, special); });
  if (static_cast<std::size_t>(agreeing) == specials.size())
    return fmt::format("All {} agree.", counted(specials.size(), "special value"));
  return fmt::format("{} of {} agree.", agreeing, counted(specials.size(), "special value"));
}

std::vector<std::string> shape_sentences(const SweepReport& report) {
  if (report.result.done == 0) return {}; // stopped before the first input
  std::vector<std::pair<Arch, std::string>> monotonic, symmetric;
  for (const SweepStatistics& chip : report.result.chips) {
    if (chip.monotonicity.looked_at)
      monotonic.emplace_back(chip.arch, monotonicity_sentence(report.result, chip));
    const std::string symmetry = symmetry_sentence(report.result, chip.symmetry);
    if (!symmetry.empty()) symmetric.emplace_back(chip.arch, symmetry);
  }
  std::vector<std::string> sentences = by_chip(monotonic);
  for (std::string& sentence : by_chip(symmetric)) sentences.push_back(std::move(sentence));
  return sentences;
}

} // namespace lanewise::report
