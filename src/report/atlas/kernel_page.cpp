#include <fmt/format.h>

#include "report/atlas/pages.h"
#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/sweep/page_parts.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

std::string string_at(const AtlasJson& json, const char* field) {
  const auto found = json.find(field);
  return found == json.end() || !found->is_string() ? "" : found->get<std::string>();
}

std::string full_name(const AtlasJson& chip) {
  const auto arch = parse_arch(string_at(chip, "arch"));
  return arch ? std::string(arch_params(*arch).names.full) : string_at(chip, "arch");
}

/// A picture that is another one in a narrow window.
std::string image(const std::string& wide, const std::string& narrow, const std::string& what) {
  return fmt::format(
      "<a href=\"../{0}\"><picture><source media=\"(max-width: 700px)\" srcset=\"../{1}\"/>"
      "<img src=\"../{0}\" alt=\"{2}\"/></picture></a>",
      escaped(wide), escaped(narrow), escaped(what));
}

std::string pictures(const AtlasJson& entry) {
  const auto found = entry.find("pictures");
  if (found == entry.end()) return "";
  const auto file = [&](std::size_t i) { return found->at(i).get<std::string>(); };
  const std::string name = string_at(entry, "id");
  const std::string over = image(file(0), file(1), "Error of " + name + " over its inputs");
  if (found->size() == 2) return "<div class=\"error-picture\">" + over + "</div>";
  return "<div class=\"error-picture\">" +
         side_by_side(over, image(file(2), file(3), "Error of " + name + " near 0")) + "</div>";
}

std::string verdicts(const AtlasJson& entry) {
  std::string items;
  for (const AtlasJson& chip : entry.at("chips")) {
    const std::string arch = string_at(chip, "arch");
    if (chip.contains("failure"))
      items += verdict(true, arch + ": does not compile: " + string_at(chip, "failure"));
    if (chip.contains("not_checked"))
      items += verdict(true, arch + ": not checked: " + string_at(chip, "not_checked"));
    if (!chip.contains("faults")) continue;
    for (const AtlasJson& fault : chip.at("faults"))
      items += verdict(true, arch + ": " + fault.get<std::string>());
  }
  if (const std::string why = string_at(entry, "not_swept"); !why.empty())
    items += verdict(false, "No errors: " + why + ".");
  if (entry.contains("sentences")) {
    for (const AtlasJson& text : entry.at("sentences"))
      items += verdict(false, text.get<std::string>());
  }
  return verdict_list(items);
}

std::string changes_html(const AtlasJson& entry, const AtlasContext& context) {
  if (!context.has_changes) return "";
  const std::vector<std::string> changes = changes_of(entry, context);
  return "<h3>Against the earlier atlas</h3>" +
         (changes.empty() ? "<p>Nothing has changed.</p>" : list_items(changes));
}

std::string bound_by(const AtlasJson& chip) {
  const auto bound = chip.find("bound");
  if (bound == chip.end() || bound->is_null()) return "";
  if (bound->contains("refused")) return string_at(*bound, "refused");
  return fmt::format("{} cycles for each of {} rows, by {}", bound->at("cycles_per_row").dump(),
                     bound->at("rows").dump(), string_at(*bound, "by"));
}

Table cycles_table(const AtlasJson& entry, const AtlasContext& context) {
  Table table{.title = "Cycles of a tile", .columns = {{"chip"}}};
  for (const char* heading : {"init, once", "shipped", "tuned", "bound"})
    table.columns.push_back({heading, ColumnKind::Number});
  table.columns.push_back({"what the bound says"});
  for (const AtlasJson& chip : entry.at("chips")) {
    if (chip.contains("failure")) continue;
    const AtlasJson& init = chip.at("init_cycles");
    table.rows.push_back({string_at(chip, "arch"),
                          init.is_null() ? "none" : number(init.get<double>()), cycles_text(chip),
                          tuned_text(chip, context), bound_text(chip), bound_by(chip)});
  }
  return table;
}

Table silicon_table(const AtlasJson& entry) {
  Table table{.title = "Silicon",
              .columns = table_columns({"chip", "boards", "Lanewise", "difference"})};
  for (const AtlasJson& chip : entry.at("chips")) {
    const auto silicon = chip.find("silicon");
    if (silicon == chip.end() || silicon->is_null()) continue;
    table.rows.push_back({string_at(chip, "arch"), string_at(*silicon, "published"),
                          string_at(*silicon, "here"), string_at(*silicon, "difference")});
  }
  return table;
}

std::string silicon_html(const AtlasJson& entry) {
  const std::string table = table_html(silicon_table(entry));
  if (table.empty()) return "";
  return table +
         "<p class=\"muted\">The largest error and the mean of those above 0, as "
         "tt-eltwise-accuracy-report counts them.</p>";
}

Table hazards_table(const AtlasJson& entry) {
  Table table{
      .title = "Hazards",
      .columns = table_columns({"chip", "rule", "instruction", "what", "silicon", "remedy"})};
  for (const AtlasJson& chip : entry.at("chips")) {
    if (!chip.contains("hazards")) continue;
    for (const AtlasJson& hazard : chip.at("hazards")) {
      const char* kind = hazard.at("warning").get<bool>() ? " (warning)" : "";
      table.rows.push_back({string_at(chip, "arch"), string_at(hazard, "rule") + kind,
                            string_at(hazard, "instruction"), string_at(hazard, "what"),
                            string_at(hazard, "silicon"), string_at(hazard, "mend")});
    }
  }
  return table;
}

std::string hazards_html(const AtlasJson& entry) {
  const std::string table = table_html(hazards_table(entry));
  return table.empty() ? "<h3>Hazards</h3><p>Nothing found.</p>" : table;
}

Table words_table(const AtlasJson& entry) {
  Table table{.title = "Words", .columns = {{"chip"}, {"words", ColumnKind::Number}, {"digest"}}};
  table.columns.back().kind = ColumnKind::Bits;
  for (const AtlasJson& chip : entry.at("chips")) {
    if (chip.contains("failure")) continue;
    table.rows.push_back({full_name(chip), chip.at("word_count").dump(), string_at(chip, "words")});
  }
  return table;
}

/// What gives these figures again, one by one.
std::string commands(const AtlasJson& entry, const AtlasContext& context) {
  std::string archs;
  for (const AtlasJson& chip : entry.at("chips"))
    archs += (archs.empty() ? "" : ",") + string_at(chip, "arch");
  const std::string name = string_at(entry, "name"), origin = string_at(entry, "origin");
  const std::string format = string_at(entry, "format"), function = string_at(entry, "function");
  std::string program = "examples/" + name;
  if (origin == "tt-metal") program = fmt::format("--metal {} --op {}", context.checkout, name);
  std::vector<std::string> lines;
  if (origin != "tt-llk" && entry.contains("inputs")) {
    const std::string inputs = string_at(entry, "inputs");
    lines.push_back(fmt::format("lanewise sweep {} --ref '{}' --arch {} --format {}{}", program,
                                function, archs, format,
                                inputs == "every" ? "" : " --inputs " + inputs));
    lines.push_back(fmt::format("lanewise check {} --arch {}", program, archs));
  }
  lines.push_back(fmt::format("lanewise atlas{} -o FOLDER --kernel {} --formats {}",
                              context.checkout.empty() ? "" : " " + context.checkout,
                              string_at(entry, "id"), format));
  std::string html = "<h3>Again</h3>";
  for (const std::string& line : lines) html += "<p><code>" + escaped(line) + "</code></p>";
  return html;
}

std::string section(const AtlasJson& entry, const AtlasContext& context) {
  std::string html = fmt::format("<section id=\"{0}\"><h2>{0}", string_at(entry, "format"));
  if (entry.contains("inputs"))
    html += ", " + escaped(string_at(entry, "inputs") == "every" ? "every input"
                                                                 : string_at(entry, "inputs"));
  html += "</h2>" + verdicts(entry) + changes_html(entry, context) + pictures(entry);
  html += table_html(cycles_table(entry, context)) + silicon_html(entry) + hazards_html(entry);
  html += string_at(entry, "numbers");
  html += table_html(words_table(entry)) + commands(entry, context);
  return html + "</section>";
}

Table facts_table(const AtlasJson& entry) {
  Table table{.columns = {{}, {}}};
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) table.rows.push_back({what, text});
  };
  add("from", string_at(entry, "origin"));
  add("family", string_at(entry, "family"));
  add("function", string_at(entry, "function"));
  add("inputs for which it is meant", string_at(entry, "domain"));
  if (const std::string header = string_at(entry, "header"); !header.empty())
    add("header", "ckernel_sfpu_" + header + ".h");
  add("call", string_at(entry, "call"));
  return table;
}

} // namespace

std::string atlas_page(std::span<const AtlasJson* const> entries, const AtlasContext& context) {
  const AtlasJson& first = *entries.front();
  const std::string id = string_at(first, "id");
  std::string body = fmt::format(
      "<p><a href=\"../index.html\">All kernels</a> · <a "
      "href=\"../index.html#compare={0}\">Compare</a></p>",
      escaped(id));
  body += table_html(facts_table(first));
  for (const AtlasJson* entry : entries) body += section(*entry, context);
  return html_page({.title = id + ": atlas",
                    .heading = id,
                    .subtitle = string_at(first, "function"),
                    .style = {},
                    .body = body,
                    .record = {.command = context.command},
                    .style_file = "../style.css"});
}

} // namespace lanewise::report
