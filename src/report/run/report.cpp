#include "report/run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/source_line.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using execution::TileRun;
using tensors::Tensor;

/// Of the elements that differ between chips, how many a table shows beyond its regular rows.
constexpr std::size_t kShownDifferences = 16;

std::vector<std::size_t> shown_elements(std::size_t count,
                                        const std::vector<std::size_t>& differing,
                                        const TableOptions& options) {
  std::set<std::size_t> chosen;
  const std::size_t wanted = options.elements == 0 ? count : std::min(options.elements, count);
  for (std::size_t i = 0; i < wanted; ++i) {
    chosen.insert(wanted == 1 ? 0 : i * (count - 1) / (wanted - 1));
  }
  for (std::size_t i = 0; i < std::min(differing.size(), kShownDifferences); ++i)
    chosen.insert(differing[i]);
  return {chosen.begin(), chosen.end()};
}

std::vector<TableColumn> element_columns(std::size_t inputs, std::span<const TileRun> runs) {
  std::vector<TableColumn> columns;
  const auto add = [&](std::string heading) {
    columns.push_back({std::move(heading), ColumnKind::Number});
  };
  add("element");
  for (std::size_t i = 0; i < inputs; ++i) add(inputs == 1 ? "in" : fmt::format("in {}", i + 1));
  for (const TileRun& run : runs) {
    add(runs.size() == 1 ? "out" : fmt::format("out {}", arch_params(run.arch).names.id));
    add("bits");
  }
  add(""); // marks what differs
  return columns;
}

TableRow element_row(std::span<const Tensor> inputs, std::span<const TileRun> runs,
                     std::size_t element, bool differs) {
  TableRow cells{element_place(runs.front().output.shape, element)};
  for (const Tensor& input : inputs) {
    cells.emplace_back(element_value(input.format, input.bits[element % input.bits.size()]));
  }
  for (const TileRun& run : runs) {
    cells.emplace_back(element_value(run.output.format, run.output.bits[element]));
    cells.emplace_back(element_bits(run.output.format, run.output.bits[element]));
  }
  cells.emplace_back(differs ? "<- differs" : "");
  return cells;
}

} // namespace

std::string element_bits(formats::Format format, std::uint32_t bits) {
  return fmt::format("{:0{}X}", bits, formats::is_32bit(format) ? 8 : 4);
}

std::string element_value(formats::Format format, std::uint32_t bits) {
  const double value = formats::value_of_bits(format, bits);
  return formats::is_integer(format) ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

std::string element_place(const std::vector<std::size_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t dimension = shape.size(); dimension-- > 0;) {
    text = fmt::format("{}{}{}", index % shape[dimension], text.empty() ? "" : ",", text);
    index /= shape[dimension];
  }
  return text.empty() ? "0" : text;
}

std::vector<std::size_t> differing_elements(std::span<const TileRun> runs) {
  std::vector<std::size_t> differing;
  if (runs.size() < 2) return differing;
  for (std::size_t i = 0; i < runs[0].output.bits.size(); ++i) {
    const bool differs = std::any_of(runs.begin() + 1, runs.end(), [&](const TileRun& run) {
      return run.output.bits[i] != runs[0].output.bits[i];
    });
    if (differs) differing.push_back(i);
  }
  return differing;
}

std::string run_table(std::span<const Tensor> inputs, std::span<const TileRun> runs,
                      const TableOptions& options) {
  const Tensor& first = runs.front().output;
  const std::vector<std::size_t> differing = differing_elements(runs);
  Table table{.columns = element_columns(inputs.size(), runs)};
  for (std::size_t i : shown_elements(first.bits.size(), differing, options)) {
    const bool differs = std::binary_search(differing.begin(), differing.end(), i);
    table.rows.push_back(element_row(inputs, runs, i, differs));
  }
  std::string text = table_text(table);
  if (!options.summary) return text;
  if (runs.size() > 1) {
    text += fmt::format("{} of {} elements differ between the chips\n", differing.size(),
                        first.bits.size());
  }
  for (const TileRun& run : runs) {
    text += fmt::format("{}: {} instructions, {} tile{}, {}\n", arch_params(run.arch).names.id,
                        run.instructions, run.tiles, run.tiles == 1 ? "" : "s",
                        formats::format_name(run.output.format));
  }
  return text;
}

nlohmann::json run_json(std::span<const Tensor> inputs, std::span<const TileRun> runs) {
  const auto tensor_json = [](const Tensor& tensor) {
    nlohmann::json values = nlohmann::json::array();
    nlohmann::json bits = nlohmann::json::array();
    for (std::uint32_t each : tensor.bits) {
      values.push_back(
          formats::value_of_bits(tensor.format, each)); // NaN and infinities become null
      bits.push_back(element_bits(tensor.format, each));
    }
    return nlohmann::json{{"format", formats::format_name(tensor.format)},
                          {"shape", tensor.shape},
                          {"values", values},
                          {"bits", bits}};
  };
  nlohmann::json result{{"inputs", nlohmann::json::array()}, {"runs", nlohmann::json::array()}};
  for (const Tensor& input : inputs) result["inputs"].push_back(tensor_json(input));
  for (const TileRun& run : runs) {
    nlohmann::json faults = nlohmann::json::array();
    for (const Fault& found : run.faults) {
      const Fault fault = settled(found);
      faults.push_back({{"kind", fault_kind_name(fault.kind)},
                        {"instruction", fault.instruction},
                        {"line", fault.line},
                        {"message", fault.message},
                        {"remedy", fault.remedy},
                        {"rule", fault.rule}});
      if (fault.lane) faults.back()["lane"] = *fault.lane;
    }
    result["runs"].push_back({{"arch", arch_params(run.arch).names.id},
                              {"instructions", run.instructions},
                              {"tiles", run.tiles},
                              {"faults", faults},
                              {"output", tensor_json(run.output)}});
    if (const auto source = arch_params(run.arch).arithmetic_source; !source.empty())
      result["runs"].back()["arithmetic"] = source;
  }
  if (runs.size() > 1) result["differing"] = differing_elements(runs);
  return result;
}

} // namespace lanewise::report
