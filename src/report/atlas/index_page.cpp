#include <fmt/format.h>

#include <limits>
#include <set>

#include "report/atlas/pages.h"
#include "report/page/page.h"
#include "report/page/sortable.h"
#include "report/plain_number.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

/// Sorts behind every number.
constexpr double kLast = std::numeric_limits<double>::max();

std::string text_of(const AtlasJson& entry, const char* field) {
  return entry.at(field).get<std::string>();
}

double number_at(const AtlasJson& json, const char* field) {
  const auto found = json.find(field);
  return found == json.end() || !found->is_number() ? kLast : found->get<double>();
}

std::vector<TableColumn> columns_of(const AtlasContext& context) {
  std::vector<TableColumn> columns =
      table_columns({"operation", "family", "function", "format", "chip"});
  for (TableColumn& column :
       table_columns({"largest ULP", "mean ULP", "0 ULP", "silicon", "special values", "cycles",
                      "tuned", "bound", "hazards"},
                     ColumnKind::Number))
    columns.push_back(std::move(column));
  if (context.has_changes) columns.push_back({"changed"});
  return columns;
}

std::string largest_cell(const AtlasJson& ulp) {
  const auto lost = ulp.at("lost").get<std::uint64_t>();
  const double largest = number_at(ulp, "largest");
  std::string text = ulp_count_text(largest);
  if (lost != 0) text += fmt::format("; {} lost", lost);
  return number_cell(text, lost != 0 ? kLast : largest);
}

std::string exact_cell(const AtlasJson& errors) {
  const AtlasJson& rows = errors.at("ulp").at("rows");
  std::uint64_t all = 0;
  for (const AtlasJson& row : rows) all += row.get<std::uint64_t>();
  const auto exact = rows.at(0).get<std::uint64_t>();
  const double share = all == 0 ? 0 : static_cast<double>(exact) / static_cast<double>(all);
  return number_cell(escaped(percent_text(exact, all)), share);
}

std::string specials_cell(const AtlasJson& errors) {
  std::uint64_t differ = 0;
  for (const AtlasJson& count : errors.at("differing_specials"))
    differ += count.get<std::uint64_t>();
  return number_cell(differ == 0 ? "as expected" : fmt::format("{} differ", differ),
                     static_cast<double>(differ));
}

std::string silicon_cell(const AtlasJson& chip) {
  const auto silicon = chip.find("silicon");
  if (silicon == chip.end() || silicon->is_null()) return number_cell("", kLast);
  const bool same = silicon->at("same");
  const std::string published = escaped(silicon->at("published").get<std::string>());
  return number_cell(published + (same ? " =" : " <b>≠</b>"), same ? 0 : 1);
}

std::string error_cells(const AtlasJson& chip) {
  const auto errors = chip.find("errors");
  if (errors == chip.end()) {
    const char* why = chip.contains("failure") ? "does not compile" : "not measured";
    return number_cell(why, kLast) + number_cell("", kLast) + number_cell("", -1) +
           silicon_cell(chip) + number_cell("", -1);
  }
  const AtlasJson& ulp = errors->at("ulp");
  const double mean = number_at(ulp, "mean");
  return largest_cell(ulp) + number_cell(ulp_text(mean), mean) + exact_cell(*errors) +
         silicon_cell(chip) + specials_cell(*errors);
}

std::string cycle_cells(const AtlasJson& chip, const AtlasContext& context) {
  const auto bound = chip.find("bound");
  const double lowest =
      bound == chip.end() || bound->is_null() ? kLast : number_at(*bound, "cycles");
  double tuned = kLast;
  if (const auto identity = chip.find("identity"); identity != chip.end()) {
    const auto found = context.tuned.find(*identity);
    if (found != context.tuned.end() && found->second.is_faster())
      tuned = static_cast<double>(found->second.cycles);
  }
  return number_cell(cycles_text(chip), number_at(chip, "cycles")) +
         number_cell(escaped(tuned_text(chip, context)), tuned) +
         number_cell(bound_text(chip), lowest) +
         number_cell(hazards_text(chip), chip.contains("hazards")
                                             ? static_cast<double>(chip.at("hazards").size())
                                             : kLast);
}

std::string row_html(const AtlasJson& entry, const AtlasJson& chip, const AtlasContext& context) {
  const std::string id = escaped(text_of(entry, "id"));
  const std::string format = text_of(entry, "format");
  std::string picture;
  if (entry.contains("pictures"))
    picture =
        fmt::format(" data-picture=\"{}\"", escaped(entry.at("pictures").at(1).get<std::string>()));
  std::string html = fmt::format("<tr data-id=\"{}\" data-family=\"{}\" data-format=\"{}\"{}>", id,
                                 escaped(text_of(entry, "family")), format, picture);
  html += text_cell(fmt::format("<a href=\"op/{0}.html#{1}\">{0}</a>", id, format));
  html += text_cell(escaped(text_of(entry, "family")));
  html += text_cell("<code>" + escaped(text_of(entry, "function")) + "</code>");
  html += text_cell(format) + text_cell(text_of(chip, "arch"));
  html += error_cells(chip) + cycle_cells(chip, context);
  if (context.has_changes) {
    std::string texts;
    const std::string arch = text_of(chip, "arch") + ": ";
    for (const std::string& text : changes_of(entry, context)) {
      if (text.find(": ") == std::string::npos || text.starts_with(arch))
        texts += (texts.empty() ? "" : "; ") + text;
    }
    html += text_cell(escaped(texts));
  }
  return html + "</tr>\n";
}

struct Totals {
  std::set<std::string> kernels;
  std::size_t rows = 0, measured = 0, exact = 0, close = 0, failed = 0;
};

Totals totals_of(std::span<const AtlasJson> entries) {
  Totals totals;
  for (const AtlasJson& entry : entries) {
    totals.kernels.insert(text_of(entry, "id"));
    for (const AtlasJson& chip : entry.at("chips")) {
      ++totals.rows;
      if (chip.contains("failure")) ++totals.failed;
      if (!chip.contains("errors")) continue;
      ++totals.measured;
      const AtlasJson& ulp = chip.at("errors").at("ulp");
      const double largest = number_at(ulp, "largest");
      if (ulp.at("lost") != 0 || largest > 1) continue;
      ++(largest == 0 ? totals.exact : totals.close);
    }
  }
  return totals;
}

std::string cards(std::span<const AtlasJson> entries) {
  const Totals totals = totals_of(entries);
  return card_row(
      card(std::to_string(totals.kernels.size()), "kernels") +
      card(fmt::format("{} of {}", totals.measured, totals.rows), "rows with errors measured") +
      card(std::to_string(totals.exact), "without an error") +
      card(std::to_string(totals.close), "with at most 1 ULP") +
      card(std::to_string(totals.failed), "do not compile"));
}

/// <select> with every value of a field.
std::string choice(std::span<const AtlasJson> entries, const char* field) {
  std::vector<std::string> values;
  for (const AtlasJson& entry : entries) {
    const std::string value = text_of(entry, field);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  std::string html =
      fmt::format("<label>{0} <select id=\"{0}\"><option value=\"\">all</option>", field);
  for (const std::string& value : values)
    html += fmt::format("<option>{}</option>", escaped(value));
  return html + "</select></label>";
}

std::string what_changed(const AtlasContext& context) {
  if (!context.has_changes) return "";
  std::string html = fmt::format("<p>{} of the items are not as in the earlier atlas.</p>",
                                 context.changes.of_items.size());
  if (!context.changes.gone.empty())
    html += "<details><summary>Only in the earlier atlas</summary>" +
            list_items(context.changes.gone) + "</details>";
  return html;
}

std::string notes(const AtlasContext& context) {
  std::string html =
      "<p class=\"muted\">A row is a kernel in one format on one chip. ULP are steps from the "
      "correctly rounded result; lost results are NaN or infinite where a number is expected. "
      "Silicon: the largest error and the mean of those above 0 that were published for boards, "
      "with = where Lanewise has the same. Cycles are those of a tile in the steady state; bound: "
      "no schedule of the same operations is below it.";
  if (!context.has_tuned)
    html += " Tuned: not asked, since no results of lanewise tune --corpus were named.";
  if (context.absent != 0)
    html += fmt::format(" {} kernels of tt-llk that are known are not in this checkout.",
                        context.absent);
  return html + "</p>";
}

} // namespace

std::string atlas_index(std::span<const AtlasJson> entries, const AtlasContext& context) {
  std::string rows;
  for (const AtlasJson& entry : entries) {
    for (const AtlasJson& chip : entry.at("chips")) rows += row_html(entry, chip, context);
  }
  std::string body = cards(entries) + what_changed(context);
  body +=
      "<noscript><p>Without scripts the table is whole, and the pages are there; it cannot be "
      "searched, sorted or compared.</p></noscript>";
  body += "<div class=\"controls\" hidden=\"\">" + search_field("exp wh") + "<p class=\"search\">" +
          choice(entries, "family") + " " + choice(entries, "format") +
          " <button type=\"button\" id=\"clear\">Compare none</button></p></div>";
  body += "<section id=\"compared\" hidden=\"\"></section>";
  body += sortable_table(columns_of(context), rows) + notes(context);
  return html_page({.title = "Atlas of kernels",
                    .heading = "Atlas of kernels",
                    .subtitle = "lanewise atlas: accuracy, cycles and hazards of every kernel",
                    .style = {},
                    .body = body,
                    .record = {.command = context.command},
                    .style_file = "style.css",
                    .script_file = "script.js"});
}

} // namespace lanewise::report
