#include "report/run/releases.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/plain_number.h"
#include "report/run/report.h"
#include "report/table/table.h"
#include "source/compiler/epoch.h"

namespace lanewise::report {

namespace {

std::string_view chip_of(const ReleaseRun& run) {
  return arch_params(run.run.arch).names.id;
}

/// The runs of one chip.
std::vector<const ReleaseRun*> runs_of(std::span<const ReleaseRun> runs, Arch arch) {
  std::vector<const ReleaseRun*> chosen;
  for (const ReleaseRun& each : runs) {
    if (each.run.arch == arch) chosen.push_back(&each);
  }
  return chosen;
}

/// The lane that holds an element of a tile: 4 rows of 8 columns, even or odd, of a face of 16
/// by 16.
std::size_t lane_of(std::size_t element) {
  constexpr std::size_t kSide = 32, kFaceSide = 16, kLaneRows = 4, kLaneColumns = 8;
  const std::size_t row = element / kSide % kSide % kFaceSide, column = element % kFaceSide;
  return row % kLaneRows * kLaneColumns + column / 2;
}

Table cost_table(std::span<const ReleaseRun> runs) {
  Table table{.columns = {{"chip"}, {"SFPI"}}};
  for (const char* heading : {"words", "instructions", "cycles per tile", "LRegs"})
    table.columns.push_back({heading, ColumnKind::Number});
  for (const ReleaseRun& each : runs) {
    table.rows.push_back({chip_of(each), compiler::epoch_text(each.epoch),
                          std::to_string(each.words), std::to_string(each.run.instructions),
                          number(each.cycles), std::to_string(each.lregs)});
  }
  return table;
}

Table difference_table(std::span<const tensors::Tensor> inputs,
                       const std::vector<const ReleaseRun*>& runs,
                       std::span<const std::size_t> elements) {
  Table table;
  const auto add_column = [&](std::string heading) {
    table.columns.push_back({std::move(heading), ColumnKind::Number});
  };
  add_column("element");
  add_column("lane");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    add_column(inputs.size() == 1 ? "in" : fmt::format("in {}", i + 1));
  for (const ReleaseRun* each : runs) {
    add_column(compiler::epoch_text(each->epoch));
    add_column("bits");
  }
  for (const std::size_t element : elements) {
    TableRow row{element_place(runs.front()->run.output.shape, element),
                 std::to_string(lane_of(element))};
    for (const tensors::Tensor& input : inputs)
      row.emplace_back(element_value(input.format, input.bits[element % input.bits.size()]));
    for (const ReleaseRun* each : runs) {
      const tensors::Tensor& output = each->run.output;
      row.emplace_back(element_value(output.format, output.bits[element]));
      row.emplace_back(element_bits(output.format, output.bits[element]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string releases_named(const std::vector<const ReleaseRun*>& runs) {
  std::string names;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string_view joint = i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ";
    names += fmt::format("{}{}", joint, compiler::epoch_text(runs[i]->epoch));
  }
  return names;
}

} // namespace

std::vector<ReleaseDifference> release_differences(std::span<const ReleaseRun> runs) {
  std::vector<ReleaseDifference> all;
  for (const ReleaseRun& each : runs) {
    const Arch arch = each.run.arch;
    const auto is_chip = [&](const ReleaseDifference& other) { return other.arch == arch; };
    if (std::ranges::any_of(all, is_chip)) continue;
    const auto chosen = runs_of(runs, arch);
    std::vector<execution::TileRun> of_chip;
    of_chip.reserve(chosen.size());
    for (const ReleaseRun* run : chosen) of_chip.push_back(run->run);
    all.push_back({arch, differing_elements(of_chip)});
  }
  return all;
}

std::string releases_text(std::span<const tensors::Tensor> inputs, std::span<const ReleaseRun> runs,
                          std::size_t most) {
  std::string text = table_text(cost_table(runs));
  for (const ReleaseDifference& each : release_differences(runs)) {
    const auto of_chip = runs_of(runs, each.arch);
    text += fmt::format("\n{}: {} of {} elements differ between SFPI {}\n",
                        arch_params(each.arch).names.id, each.elements.size(),
                        of_chip.front()->run.output.bits.size(), releases_named(of_chip));
    const std::size_t shown =
        most == 0 ? each.elements.size() : std::min(most, each.elements.size());
    text += table_text(difference_table(inputs, of_chip, std::span(each.elements).first(shown)));
    if (shown < each.elements.size())
      text += fmt::format("{} more; --show all lists them\n", each.elements.size() - shown);
  }
  return text;
}

nlohmann::json releases_json(std::span<const tensors::Tensor> inputs,
                             std::span<const ReleaseRun> runs) {
  std::vector<execution::TileRun> tile_runs;
  tile_runs.reserve(runs.size());
  for (const ReleaseRun& each : runs) tile_runs.push_back(each.run);
  nlohmann::json result = run_json(inputs, tile_runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    nlohmann::json& run = result["runs"][i];
    run["sfpi"] = compiler::epoch_text(runs[i].epoch);
    run["words"] = runs[i].words;
    run["lregs"] = runs[i].lregs;
    run["cycles_per_tile"] = runs[i].cycles;
  }
  result["differing"] = nlohmann::json::object();
  for (const ReleaseDifference& each : release_differences(runs))
    result["differing"][std::string(arch_params(each.arch).names.id)] = each.elements;
  return result;
}

} // namespace lanewise::report
