#include "report/run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanewise::report {

namespace {

using lab::Tensor;
using lab::TileRun;

/// Of the elements that differ between chips, how many a table shows beyond its regular rows.
constexpr std::size_t kShownDifferences = 16;

std::string bits_text(lab::Format format, std::uint32_t bits) {
  return fmt::format("{:0{}X}", bits, lab::is_32bit(format) ? 8 : 4);
}

std::string value_text(lab::Format format, std::uint32_t bits) {
  const double value = lab::value_of_bits(format, bits);
  return lab::is_integer(format) ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

/// "row,column" of a matrix, "i,row,column" of a stack of them, the plain index otherwise.
std::string place_text(const std::vector<std::size_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t dimension = shape.size(); dimension-- > 0;) {
    text = fmt::format("{}{}{}", index % shape[dimension], text.empty() ? "" : ",", text);
    index /= shape[dimension];
  }
  return text.empty() ? "0" : text;
}

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

/// Cells of a table, printed with every column as wide as its widest cell.
class Grid {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row[i], widths[i]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::vector<std::string> heading(std::size_t inputs, std::span<const TileRun> runs) {
  std::vector<std::string> cells{"element"};
  for (std::size_t i = 0; i < inputs; ++i)
    cells.push_back(inputs == 1 ? "in" : fmt::format("in {}", i + 1));
  for (const TileRun& run : runs) {
    cells.push_back(runs.size() == 1 ? "out" : fmt::format("out {}", arch_params(run.arch).name));
    cells.emplace_back("bits");
  }
  return cells;
}

} // namespace

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
  Grid grid;
  grid.add(heading(inputs.size(), runs));
  for (std::size_t i : shown_elements(first.bits.size(), differing, options)) {
    std::vector<std::string> cells{place_text(first.shape, i)};
    for (const Tensor& input : inputs) {
      cells.push_back(value_text(input.format, input.bits[i % input.bits.size()]));
    }
    for (const TileRun& run : runs) {
      cells.push_back(value_text(run.output.format, run.output.bits[i]));
      cells.push_back(bits_text(run.output.format, run.output.bits[i]));
    }
    if (std::binary_search(differing.begin(), differing.end(), i)) cells.emplace_back("<- differs");
    grid.add(std::move(cells));
  }
  std::string text = grid.text();
  if (!options.summary) return text;
  if (runs.size() > 1) {
    text += fmt::format("{} of {} elements differ between the chips\n", differing.size(),
                        first.bits.size());
  }
  for (const TileRun& run : runs) {
    text += fmt::format("{}: {} instructions, {} tile{}, {}\n", arch_params(run.arch).name,
                        run.instructions, run.tiles, run.tiles == 1 ? "" : "s",
                        lab::format_name(run.output.format));
  }
  return text;
}

nlohmann::json run_json(std::span<const Tensor> inputs, std::span<const TileRun> runs) {
  const auto tensor_json = [](const Tensor& tensor) {
    nlohmann::json values = nlohmann::json::array();
    nlohmann::json bits = nlohmann::json::array();
    for (std::uint32_t each : tensor.bits) {
      values.push_back(lab::value_of_bits(tensor.format, each)); // NaN and infinities become null
      bits.push_back(bits_text(tensor.format, each));
    }
    return nlohmann::json{{"format", lab::format_name(tensor.format)},
                          {"shape", tensor.shape},
                          {"values", values},
                          {"bits", bits}};
  };
  nlohmann::json result{{"inputs", nlohmann::json::array()}, {"runs", nlohmann::json::array()}};
  for (const Tensor& input : inputs) result["inputs"].push_back(tensor_json(input));
  for (const TileRun& run : runs) {
    nlohmann::json faults = nlohmann::json::array();
    for (const Fault& fault : run.faults) {
      faults.push_back({{"kind", fault_kind_name(fault.kind)},
                        {"instruction", fault.instruction},
                        {"line", fault.line},
                        {"message", fault.message},
                        {"remedy", fault.remedy},
                        {"rule", fault.rule}});
      if (fault.lane) faults.back()["lane"] = *fault.lane;
    }
    result["runs"].push_back({{"arch", arch_params(run.arch).name},
                              {"instructions", run.instructions},
                              {"tiles", run.tiles},
                              {"faults", faults},
                              {"output", tensor_json(run.output)}});
  }
  if (runs.size() > 1) result["differing"] = differing_elements(runs);
  return result;
}

} // namespace lanewise::report
