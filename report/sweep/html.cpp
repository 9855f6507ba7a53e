#include "report/sweep/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "execution/tile_runner.h"
#include "report/page/listing.h"
#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/sweep/gates.h"
#include "report/sweep/headline.h"
#include "report/sweep/pictures.h"
#include "report/sweep/style.h"
#include "report/sweep/tables.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

// Pixels without scaling. A wide window shows the first and the last two beside each other.
constexpr ChartSize kWideError{1240, 400}, kNarrowError{640, 360}, kHalf{606, 350};

std::string picture(const std::string& content, ChartSize size, std::string_view name,
                    std::string_view classes = "") {
  return fmt::format(
      "<svg class=\"picture{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>",
      classes, size.width, size.height, name, content);
}

std::string pictures(const SweepReport& report) {
  return picture(error_picture(report, kWideError), kWideError, "error over input", " wide") +
         picture(error_picture(report, kNarrowError), kNarrowError, "error over input", " narrow") +
         fmt::format("<div class=\"pair\">{}{}</div>",
                     picture(function_picture(report, kHalf), kHalf, "function and result"),
                     picture(histogram_picture(report, kHalf), kHalf, "distribution of errors"));
}

std::string chip_card(std::size_t chip, std::string_view value, const std::string& label) {
  return fmt::format("<div class=\"card {}\"><b>{}</b><span>{}</span></div>", chip_class(chip),
                     escaped(value), escaped(label));
}

std::string cards(const SweepReport& report) {
  std::string all;
  for (std::size_t i = 0; i < report.result.chips.size(); ++i) {
    const lab::SweepStatistics& chip = report.result.chips[i];
    const std::string name = chip_name(chip.arch) + ": ";
    std::string largest = ulp_count_text(chip.error.largest);
    if (chip.error.lost != 0) largest += fmt::format(" and {} lost", chip.error.lost);
    std::string row = chip_card(i, largest, name + "largest |ULP|");
    row += chip_card(i, ulp_text(chip.error.mean()), name + "mean |ULP|");
    row += chip_card(i, percent_text(chip.error.rows[0], chip.error.count()), name + "0 ULP");
    row += chip_card(i, number(chip.cycles), name + "cycles per tile");
    all += card_row(row);
  }
  return all;
}

std::string verdicts(const SweepReport& report) {
  std::string items;
  const auto add = [&](bool missed, const std::string& text) {
    items += fmt::format("<li{}>{}</li>", missed ? " class=\"missed\"" : "", escaped(text));
  };
  if (!report.result.complete())
    add(true, fmt::format("The sweep stopped after {} of {} inputs.", report.result.done,
                          report.result.total));
  for (const std::string& text : measure_sentences(report.result.measure)) add(false, text);
  for (const std::string& text : headlines(report)) add(false, text);
  for (const std::string& fault : fault_texts(report)) add(true, fault);
  for (const GateText& gate : gate_texts(report)) {
    for (const std::string& line : gate_lines(gate)) add(!gate.misses.empty(), line);
  }
  return items.empty() ? "" : "<ul class=\"verdicts\">" + items + "</ul>";
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

std::string numbers(const SweepReport& report) {
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

/// The format decides what the program configures, and nothing about its schedule.
std::string listing(const SweepReport& report, std::size_t i) {
  const SweptProgram& swept = report.programs[i];
  lab::TileRunOptions options;
  options.format = report.result.format;
  options.output_format = report.result.output_format;
  options.as_kernel = swept.as_kernel;
  const auto timed = lab::schedule_on_tile(swept.arch, swept.program, options);
  const std::string content = timed ? program_listing({swept.arch, swept.program, timed->program,
                                                       timed->schedule, swept.source})
                                    : fmt::format("<p>{}</p>", escaped(to_string(timed.error())));
  const ArchParams& chip = arch_params(swept.arch);
  return fmt::format("<section data-chip=\"{}\"><h2>{}: program</h2>{}</section>", chip.name,
                     chip.long_name, content);
}

std::vector<PageProgram> page_programs(const SweepReport& report) {
  std::vector<PageProgram> programs;
  programs.reserve(report.programs.size());
  for (const SweptProgram& each : report.programs)
    programs.push_back(page_program(each.arch, each.program));
  return programs;
}

} // namespace

std::string sweep_section(const SweepReport& report) {
  std::string body = verdicts(report);
  if (!report.result.chips.empty())
    body += cards(report) + pictures(report) + "<h2>Numbers</h2>" + numbers(report);
  return body;
}

std::string sweep_html(const SweepReport& report, const std::string& command) {
  std::string body = sweep_section(report);
  for (std::size_t i = 0; i < report.programs.size(); ++i) body += listing(report, i);
  return html_page({.title = report.name + ": accuracy",
                    .heading = sweep_title(report),
                    .subtitle = "lanewise sweep, " + sweep_inputs(report),
                    .style = sweep_page_style(),
                    .body = body,
                    .record = {command, page_programs(report)}});
}

} // namespace lanewise::report
