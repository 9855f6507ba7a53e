#include "report/accuracy/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "report/accuracy/pictures.h"
#include "report/page/page.h"
#include "report/page/sortable.h"
#include "report/sweep/headline.h"
#include "report/sweep/style.h"

namespace lanewise::report {

namespace {

using sweep::SweepStatistics;
using sweep::UlpStatistics;

/// Of a bar that is full: about all steps of bf16.
constexpr double kMostUlp = 65536;
/// Columns of accuracy_table() that are texts.
constexpr std::size_t kTexts = 4;

/// What a column is sorted by, and how long its bar is.
struct Figure {
  double key = 0;
  std::optional<double> bar = std::nullopt; ///< 0..1
  bool has_lost = false;
};

/// Steps of the same length for 1, 2, 4, 8 ULP.
double bar_of(double ulp) {
  return std::clamp(std::log2(1 + ulp) / std::log2(1 + kMostUlp), 0.0, 1.0);
}

/// Lost results are worse than any number.
Figure largest_figure(const UlpStatistics& error) {
  if (error.lost != 0) return {std::numeric_limits<double>::max(), 1, true};
  return {error.largest, bar_of(error.largest)};
}

double special_count(const SweepStatistics& of) {
  return static_cast<double>(of.infinite.differ + of.nan.differ + of.denormal.differ +
                             of.expected_nan.differ + of.zero_signs);
}

/// Behind the texts, in the order of accuracy_table().
std::vector<Figure> figures_of(const SweepStatistics& of) {
  std::vector<Figure> figures;
  const double count = static_cast<double>(std::max<std::uint64_t>(1, of.error.count()));
  for (const std::uint64_t results : of.error.rows)
    figures.push_back({static_cast<double>(results) / count});
  figures.push_back(largest_figure(of.error));
  figures.push_back({of.error.mean(), bar_of(of.error.mean())});
  // What is not known comes before 0.
  figures.push_back({of.before_store ? largest_figure(*of.before_store).key : -1});
  figures.push_back({of.before_store ? of.before_store->mean() : -1});
  figures.push_back(
      {of.monotonicity.looked_at ? static_cast<double>(of.monotonicity.reversals) : -1});
  figures.push_back({special_count(of)});
  figures.push_back({of.instructions});
  figures.push_back({of.cycles});
  return figures;
}

std::string bar_html(const Figure& figure) {
  return fmt::format("<i class=\"error{}\" style=\"width:{:.0f}%\"></i>",
                     figure.has_lost ? " lost" : "", 100 * figure.bar.value_or(0));
}

std::string figure_cell(const std::string& text, const Figure& figure, bool is_number) {
  return number_cell(escaped(text) + (figure.bar ? bar_html(figure) : ""), figure.key, is_number);
}

std::string row_html(const AccuracyRow& row, const TableRow& cells,
                     const std::vector<TableColumn>& columns) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < kTexts; ++i) {
    const bool is_code = cells[i].text == row.reference || cells[i].text == row.domain;
    const std::string text = escaped(cells[i].text);
    html += text_cell(is_code ? "<code>" + text + "</code>" : text);
  }
  const std::vector<Figure> figures = figures_of(row.statistics);
  for (std::size_t i = kTexts; i < cells.size(); ++i)
    html += figure_cell(cells[i].text, figures[i - kTexts], columns[i].kind == ColumnKind::Number);
  return html + "</tr>\n";
}

std::string table_of(std::span<const AccuracyRow> rows) {
  const Table table = accuracy_table(rows);
  std::string html;
  for (std::size_t i = 0; i < rows.size(); ++i)
    html += row_html(rows[i], table.rows[i], table.columns);
  return sortable_table(table.columns, html);
}

std::string cards(std::span<const AccuracyRow> rows) {
  std::set<std::string> kernels;
  std::size_t exact = 0, close = 0, lost = 0;
  for (const AccuracyRow& row : rows) {
    const UlpStatistics& error = row.statistics.error;
    kernels.insert(row.kernel);
    if (error.lost != 0) {
      ++lost;
    } else if (error.largest == 0) {
      ++exact;
    } else if (error.largest <= 1) {
      ++close;
    }
  }
  const auto of_all = [&](std::size_t count) {
    return fmt::format("{} of {}", count, rows.size());
  };
  return card_row(card(std::to_string(kernels.size()), "kernels, with a row for each chip") +
                  card(of_all(exact), "without an error") +
                  card(of_all(close), "others with at most 1 ULP") +
                  card(of_all(lost), "with lost results"));
}

PageRecord record_of(std::span<const AccuracyRow> rows, const std::string& command) {
  PageRecord record{.command = command};
  for (const AccuracyRow& row : rows)
    record.programs.push_back({row.kernel, row.statistics.arch, row.statistics.program});
  return record;
}

} // namespace

std::string accuracy_html(std::span<const AccuracyRow> rows, const std::string& command) {
  std::string body = cards(rows);
  if (!rows.empty()) {
    for (const std::string& text : measure_sentences(rows.front().measure))
      body += "<p>" + escaped(text) + "</p>";
  }
  if (const std::vector<std::string> faults = accuracy_faults(rows); !faults.empty())
    body += "<h3>Results that do not hold</h3>" + list_items(faults);
  body += accuracy_pictures(rows) + search_field("exp bh") + table_of(rows);
  body +=
      "<p class=\"muted\">Columns 0 to &gt; 100: percent of the results that are so many ULP from "
      "the correctly rounded ones. Bars grow by the same length for 1, 2, 4, 8 ULP; a full red one "
      "has lost results. Stored to nearest: what would be left if the kernel rounded to nearest "
      "before its store. Instructions and cycles are those of a tile in the steady state.</p>";
  return html_page({.title = "Accuracy of kernels",
                    .heading = "Accuracy of kernels",
                    .subtitle = "lanewise accuracy: every bf16 number through each kernel; of two "
                                "operands, a sample of pairs",
                    .style = fmt::format("{}{}{}{}", sortable_style(), sweep_colours(),
                                         sweep_pictures(), accuracy_style()),
                    .body = body,
                    .script = std::string(sortable_script()),
                    .record = record_of(rows, command)});
}

} // namespace lanewise::report
