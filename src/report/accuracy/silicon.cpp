#include "report/accuracy/silicon.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/table/table.h"
#include "study/corpus/metal/silicon.h"

namespace lanewise::report {

namespace {

/// "1 / 0.856": the largest error and the mean of those above 0, which is none where all are 0.
std::string pair_text(double largest, double mean) {
  return fmt::format("{} / {}", corpus::silicon_number(largest),
                     largest == 0 ? "-" : corpus::silicon_number(mean));
}

std::string difference_text(const AccuracyRow& row, bool is_same) {
  if (is_same) return "";
  const std::string_view known = corpus::silicon_difference(row.kernel);
  return std::string(known.empty() ? "not explained" : known);
}

} // namespace

std::string silicon_markdown(std::span<const AccuracyRow> rows, const std::string& command) {
  Table table{.columns = table_columns({"operation", "chip", "silicon", "Lanewise", "difference"})};
  std::size_t same = 0;
  for (const AccuracyRow& row : rows) {
    const sweep::SweepStatistics& statistics = row.statistics;
    const corpus::SiliconFigure* figure =
        corpus::find_silicon(row.kernel, row.format, statistics.arch);
    if (figure == nullptr) continue;
    const std::string published = pair_text(figure->largest, figure->mean);
    const std::string ours = pair_text(statistics.error.largest, statistics.error.mean_nonzero());
    if (published == ours) ++same;
    table.rows.push_back({row.kernel, arch_params(statistics.arch).names.id, published, ours,
                          difference_text(row, published == ours)});
  }
  return fmt::format(
      "# Lanewise and silicon\n\n"
      "Made by `{}`.\nEach operation of tt-metal runs over every BF16 number, compiled from the\n"
      "checkout's own headers; errors are counted as tt-eltwise-accuracy-report counts them\n"
      "([ulp.md](ulp.md#other-measures)): the largest one, and the mean of those above 0. The "
      "column\n"
      "\"silicon\" has what that report published on 1 September 2026 for boards of both chips.\n\n"
      "{} of {} pairs of figures are the same to every published digit.\n\n{}",
      command, same, table.rows.size(), table_markdown(table));
}

} // namespace lanewise::report
