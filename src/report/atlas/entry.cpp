#include "report/atlas/entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "chip/isa/program_digest.h"
#include "report/accuracy/table.h"
#include "report/page/page.h"
#include "report/sweep/headline.h"
#include "report/sweep/html.h"
#include "report/sweep/json_parts.h"
#include "report/sweep/pictures.h"
#include "report/sweep/style.h"
#include "study/corpus/metal/silicon.h"

namespace lanewise::report {

namespace {

// Pixels without scaling. The narrow ones are for a telephone, whose letters are not scaled down.
constexpr ChartSize kWide{1240, 380}, kHalf{606, 380}, kNarrow{350, 320};

const char* origin_text(corpus::AccuracyOrigin origin) {
  switch (origin) {
    case corpus::AccuracyOrigin::Example: return "example";
    case corpus::AccuracyOrigin::Llk: return "tt-llk";
    case corpus::AccuracyOrigin::Metal: return "tt-metal";
  }
  return "";
}

AtlasJson hazards_json(const execution::CheckedProgram& checked) {
  AtlasJson list = AtlasJson::array();
  for (const timing::Hazard& hazard : checked.hazards) {
    // The rule's own sentences: those of the case name lines, which change where words do not.
    list.push_back({{"rule", hazard.rule->id},
                    {"warning", hazard.rule->warns_only},
                    {"instruction", hazard.instruction},
                    {"times", hazard.count},
                    {"what", hazard.rule->summary},
                    {"silicon", hazard.rule->silicon},
                    {"mend", hazard.rule->mend}});
  }
  return list;
}

AtlasJson faults_list(const execution::CheckedProgram& checked) {
  AtlasJson list = AtlasJson::array();
  for (const Fault& fault : checked.faults)
    list.push_back(fmt::format("{}: {} {}", fault_kind_name(fault.kind), fault.instruction,
                               valid_utf8(fault.message)));
  return list;
}

AtlasJson bound_json(const std::optional<corpus::TuneOutcome>& bound) {
  if (!bound) return nullptr;
  if (bound->verdict == corpus::TuneVerdict::Refused) return {{"refused", bound->why}};
  // Branches become selects, which may be more than the program has.
  const std::uint64_t lowest = std::uint64_t{bound->lowest_interval} * bound->rows;
  if (bound->plain_cycles != 0 && static_cast<double>(lowest) > bound->plain_cycles)
    return {
        {"refused", fmt::format("the tuner's operations for it take {} cycles at least", lowest)}};
  return {{"rows", bound->rows},
          {"cycles_per_row", bound->lowest_interval},
          {"cycles", lowest},
          {"by", bound->resource}};
}

AtlasJson chip_json(const corpus::AtlasChip& chip) {
  AtlasJson json{{"arch", arch_params(chip.arch).names.id}};
  if (!chip.failure.empty()) {
    json["failure"] = valid_utf8(chip.failure);
    return json;
  }
  const execution::CheckedProgram& checked = chip.checked;
  const auto cycles = checked.cost ? checked.cost->cycles() : std::nullopt;
  json["words"] = fmt::format("{:016x}", isa::program_digest(chip.program.program));
  json["word_count"] = chip.program.program.words.size();
  json["identity"] = chip.identity;
  json["cycles"] = cycles ? AtlasJson(*cycles) : AtlasJson(nullptr);
  json["init_cycles"] = checked.cost ? AtlasJson(checked.cost->init) : AtlasJson(nullptr);
  json["bound"] = bound_json(chip.bound);
  json["hazards"] = hazards_json(checked);
  json["faults"] = faults_list(checked);
  if (!checked.failure.empty()) json["not_checked"] = valid_utf8(checked.failure);
  return json;
}

/// The figures of tt-eltwise-accuracy-report for a chip, and ours in the same units.
AtlasJson silicon_json(const corpus::AtlasItem& item, const sweep::SweepStatistics& chip) {
  const corpus::SiliconFigure* figure =
      corpus::find_silicon(item.function.name, item.format, chip.arch);
  if (figure == nullptr) return nullptr;
  const auto pair = [](double largest, double mean) {
    return fmt::format("{} / {}", corpus::silicon_number(largest),
                       largest == 0 ? "-" : corpus::silicon_number(mean));
  };
  const std::string published = pair(figure->largest, figure->mean);
  const std::string here = pair(chip.error.largest, chip.error.mean_nonzero());
  AtlasJson json{{"published", published}, {"here", here}, {"same", published == here}};
  if (published != here) {
    const std::string_view known = corpus::silicon_difference(item.function.name);
    json["difference"] = known.empty() ? "not explained" : known;
  }
  return json;
}

/// Adds to each chip what a sweep has found.
void add_errors(AtlasJson& chips, const corpus::AtlasItem& item,
                const corpus::MeasuredItem& measured) {
  const auto rows = accuracy_rows(item.function, *measured.errors);
  const nlohmann::json list = accuracy_json(rows)["rows"];
  for (AtlasJson& chip : chips) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (list[i]["arch"] != chip["arch"].get<std::string>()) continue;
      chip["errors"] = AtlasJson(list[i]);
      if (measured.as_silicon) chip["silicon"] = silicon_json(item, measured.as_silicon->chips[i]);
    }
  }
}

SweepReport sweep_report(const corpus::AtlasItem& item, const sweep::SweepResult& result) {
  return {.name = item.function.name,
          .reference = item.function.reference,
          .domain = item.function.domain,
          .result = result,
          .programs = {},
          .gates = {}};
}

std::string picture_file(const std::string& content, ChartSize size, const std::string& style) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\"><style>\n{2}</style><rect class=\"page\" width=\"{0}\" height=\"{1}\"/>{3}</svg>\n",
      size.width, size.height, style, content);
}

} // namespace

AtlasJson atlas_entry(const corpus::AtlasItem& item, const std::string& key,
                      const corpus::MeasuredItem& measured) {
  AtlasJson chips = AtlasJson::array();
  for (const corpus::AtlasChip& chip : measured.chips) chips.push_back(chip_json(chip));
  if (measured.errors) add_errors(chips, item, measured);
  AtlasJson entry{{"key", key},
                  {"id", item.id},
                  {"name", item.function.name},
                  {"format", formats::format_name(item.format)},
                  {"origin", origin_text(item.function.origin)},
                  {"family", item.family},
                  {"function", item.function.reference},
                  {"domain", item.function.domain},
                  {"operands", item.function.operands},
                  {"header", item.header},
                  {"call", item.call},
                  {"chips", std::move(chips)},
                  {"not_swept", valid_utf8(measured.not_swept)}};
  if (!measured.errors) return entry;
  const SweepReport report = sweep_report(item, *measured.errors);
  entry["inputs"] = sweep::to_string(measured.errors->space);
  entry["sentences"] = headlines(report);
  entry["numbers"] = sweep_numbers(report);
  AtlasJson pictures = AtlasJson::array();
  for (const AtlasFile& file : atlas_pictures(item, measured)) pictures.push_back(file.path);
  entry["pictures"] = std::move(pictures);
  return entry;
}

std::vector<AtlasFile> atlas_pictures(const corpus::AtlasItem& item,
                                      const corpus::MeasuredItem& measured) {
  if (!measured.errors) return {};
  ErrorWords words;
  words.has_tips = false;
  const std::string style = picture_style_of_both();
  const sweep::SweepResult& result = *measured.errors;
  std::vector<AtlasFile> files;
  const auto add = [&](const char* kind, const std::string& content, ChartSize size) {
    files.push_back(
        {fmt::format("picture/{}{}.svg", item.name(), kind), picture_file(content, size, style)});
  };
  const std::string near = near_picture(result, kHalf, words);
  const ChartSize wide = near.empty() ? kWide : kHalf;
  add("", error_picture(result, wide, words), wide);
  add(".narrow", error_picture(result, kNarrow, words), kNarrow);
  if (near.empty()) return files;
  add(".near", near, kHalf);
  add(".near.narrow", near_picture(result, kNarrow, words), kNarrow);
  return files;
}

std::string item_name(const AtlasJson& entry) {
  return entry.at("id").get<std::string>() + "." + entry.at("format").get<std::string>();
}

const AtlasJson* entry_chip(const AtlasJson& entry, const std::string& arch) {
  const AtlasJson& chips = entry.at("chips");
  const auto found =
      std::ranges::find_if(chips, [&](const AtlasJson& chip) { return chip.at("arch") == arch; });
  return found == chips.end() ? nullptr : &*found;
}

} // namespace lanewise::report
