#include "report/tune/corpus_page.h"

#include <fmt/format.h>

#include <charconv>

#include "report/page/page.h"
#include "report/page/sortable.h"
#include "report/tune/corpus_table.h"
#include "report/tune/totals.h"

namespace lanewise::report {

namespace {

/// Reasons are long.
constexpr const char* kTuneStyle =
    ".results td:last-child { white-space: normal; min-width: 32ch; }\n";

/// Of a cell with a number. What is not known comes before 0.
double key_of(const std::string& text) {
  double key = -1;
  std::from_chars(text.data(), text.data() + text.size(), key);
  return key;
}

std::string rows_html(const Table& table) {
  std::string html;
  for (const TableRow& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string text = escaped(row[i].text);
      html += table.columns[i].kind == ColumnKind::Number ? number_cell(text, key_of(row[i].text))
                                                          : text_cell(text);
    }
    html += "</tr>\n";
  }
  return html;
}

std::string cards_of(const TuneTotals& totals) {
  return card_row(
      card(fmt::format("{} of {}", totals.taken, totals.cases), "kernels are taken") +
      card(fmt::format("{} of {}", totals.faster, totals.searched),
           "that were searched are faster") +
      card(fmt::format("{} of {}", totals.faster + totals.best, totals.cases),
           "are faster or proved best") +
      card(fmt::format("{:.3f}", totals.ratio), "tuned to shipped cycles, geometric mean") +
      card(std::to_string(totals.slower), "are slower"));
}

} // namespace

std::string tuned_corpus_page(std::span<const corpus::TunedCase> cases,
                              const std::string& command) {
  std::string body = cards_of(tune_totals(cases));
  body += list_items(tune_total_sentences(cases));
  body += table_html(tune_reasons_table(cases));
  const Table table = tuned_corpus_table(cases);
  body += search_field("exp bh") + sortable_table(table.columns, rows_html(table));
  body +=
      "<p class=\"muted\">Cycles are those of the kernel's own instructions, per row of 32 lanes "
      "and per tile in the steady state: as it is compiled, and as it was tuned and proved over "
      "all "
      "inputs. No schedule of a row that the tuner knows is below the bound.</p>";
  return html_page({.title = "Tuned kernels",
                    .heading = "Tuned kernels",
                    .subtitle = "lanewise tune --corpus: every kernel through the tuner",
                    .style = std::string(sortable_style()) + kTuneStyle,
                    .body = body,
                    .script = std::string(sortable_script()),
                    .record = {.command = command}});
}

} // namespace lanewise::report
