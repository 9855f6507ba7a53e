#include "report/sweep/html.h"

#include <fmt/format.h>

#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/sweep/gates.h"
#include "report/sweep/headline.h"
#include "report/sweep/page_parts.h"
#include "report/sweep/style.h"
#include "report/sweep/tables.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

std::string pictures(const SweepReport& report) {
  return error_pictures(report.result) +
         side_by_side(half_picture("Function and result",
                                   [&](ChartSize size) { return function_picture(report, size); }),
                      half_picture("Distribution of errors", [&](ChartSize size) {
                        return histogram_picture(report, size);
                      }));
}

std::string cards(const SweepReport& report) {
  const sweep::SweepResult& result = report.result;
  std::string all;
  for (const Curve& curve : curves_of(result)) {
    const sweep::UlpStatistics& error = result.chips[curve.chip].error;
    const std::string name = curve.short_name + ": ";
    std::string largest = ulp_count_text(error.largest);
    if (error.lost != 0) largest += fmt::format(" and {} lost", error.lost);
    std::string row = chip_card(curve.chip, largest, name + "largest |ULP|");
    row += chip_card(curve.chip, ulp_text(error.mean()), name + "mean |ULP|");
    row += chip_card(curve.chip, percent_text(error.rows[0], error.count()), name + "0 ULP");
    row += curve_cards(result, curve, [&](std::size_t chip) {
      return CardText{number(result.chips[chip].cycles), "cycles per tile"};
    });
    all += card_row(row);
  }
  return all;
}

std::string verdicts(const SweepReport& report) {
  std::string items;
  const auto add = [&](bool missed, const std::string& text) { items += verdict(missed, text); };
  if (!report.result.complete())
    add(true, fmt::format("The sweep stopped after {} of {} inputs.", report.result.done,
                          report.result.total));
  for (const std::string& text : result_sentences(report.result)) add(false, text);
  for (const std::string& text : headlines(report)) add(false, text);
  for (const std::string& fault : fault_texts(report)) add(true, fault);
  for (const GateText& gate : gate_texts(report)) {
    for (const std::string& line : gate_lines(gate)) add(!gate.misses.empty(), line);
  }
  return verdict_list(items);
}

std::string titled(Table table, const std::string& title) {
  table.title = title;
  return table_html(table);
}

std::string sentences(const std::vector<std::string>& texts) {
  return texts.empty() ? "" : list_items(texts);
}

std::string special_html(const SweepReport& report) {
  const std::string sentence = special_sentence(report);
  if (sentence.empty()) return "";
  return fmt::format("<h3>Special values</h3><p>{}</p>", escaped(sentence)) +
         table_html(special_table(report));
}

} // namespace

std::string sweep_numbers(const SweepReport& report) {
  std::string html = "<div class=\"columns\"><div>" +
                     titled(ulp_table(report), "Results by |ULP|") + "</div><div>" +
                     titled(figure_table(report), "Figures") + "</div></div>" +
                     sentences(store_sentences(report)) +
                     "<p class=\"muted\">Exact errors are against the reference before it is "
                     "rounded, in units of its last place.</p>";
  html += titled(class_table(report), "Inputs of their own kind") + special_html(report);
  const std::vector<std::string> shape = shape_sentences(report);
  if (!shape.empty()) html += "<h3>Shape</h3>" + list_items(shape);
  html += titled(decade_table(report), "|ULP| by decade of x");
  return html + titled(worst_table(report, ~std::size_t{0}), "Worst inputs");
}

std::string sweep_section(const SweepReport& report) {
  std::string body = verdicts(report);
  if (!report.result.chips.empty())
    body += cards(report) + pictures(report) + "<h2>Numbers</h2>" + sweep_numbers(report);
  return body;
}

std::string sweep_html(const SweepReport& report, const std::string& command) {
  std::string body = sweep_section(report);
  for (const SweptProgram& each : report.programs)
    body += swept_listing(each, report.result, "program");
  return html_page({.title = report.name + ": accuracy",
                    .heading = sweep_title(report),
                    .subtitle = "lanewise sweep, " + sweep_inputs(report),
                    .style = sweep_page_style(),
                    .body = body,
                    .record = {command, page_programs(report.programs)}});
}

} // namespace lanewise::report
