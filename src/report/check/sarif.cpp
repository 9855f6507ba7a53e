#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/version.h"
#include "report/check/ci.h"
#include "report/page/page.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// A path as a URI reference: RFC 3986's unreserved characters and '/' as they are.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    uri += kPlain.find(letter) == std::string_view::npos
               ? fmt::format("%{:02X}", static_cast<unsigned char>(letter))
               : std::string(1, letter);
  }
  return uri;
}

std::string_view level_name(bool is_warning) {
  return is_warning ? "warning" : "error";
}

json rule_entry(const timing::HazardRule& rule) {
  return {{"id", rule.id},
          {"shortDescription", {{"text", rule.summary}}},
          {"fullDescription", {{"text", rule.silicon}}},
          {"help", {{"text", fmt::format("{} [{}]", rule.mend, rule.source)}}},
          {"defaultConfiguration", {{"level", level_name(rule.warns_only)}}}};
}

/// The rules of the checker, then the kinds of what else was found.
class Rules {
 public:
  Rules() {
    for (const timing::HazardRule& rule : timing::hazard_rules())
      add(std::string(rule.id), rule_entry(rule));
  }

  std::size_t index_of(const std::string& id) {
    if (!indices_.contains(id)) add(id, {{"id", id}});
    return indices_.at(id);
  }

  json entries() && { return std::move(entries_); }

 private:
  void add(const std::string& id, json entry) {
    indices_[id] = entries_.size();
    entries_.push_back(std::move(entry));
  }

  json entries_ = json::array();
  std::map<std::string, std::size_t> indices_;
};

json location_of(const Finding& finding) {
  json place = {{"artifactLocation", {{"uri", uri_of(finding.file)}}}};
  if (finding.line != 0) {
    place["region"] = {{"startLine", finding.line}};
    if (finding.column != 0) place["region"]["startColumn"] = finding.column;
  }
  return {{"physicalLocation", place}};
}

/// SARIF 2.1.0, 3.55 to 3.57.
json fix_entry(const Finding& finding, const FindingFix& fix) {
  json replacements = json::array();
  for (const TextEdit& edit : fix.edits)
    replacements.push_back({{"deletedRegion",
                             {{"startLine", edit.line},
                              {"startColumn", edit.column},
                              {"endLine", edit.end_line},
                              {"endColumn", edit.end_column}}},
                            {"insertedContent", {{"text", edit.text}}}});
  return {{"description", {{"text", fix.title}}},
          {"artifactChanges", json::array({{{"artifactLocation", {{"uri", uri_of(finding.file)}}},
                                            {"replacements", std::move(replacements)}}})}};
}

json result_of(const Finding& finding, const FixesOf& fixes, Rules& rules) {
  const std::string text =
      finding.chip.empty() ? finding.message : fmt::format("{}: {}", finding.chip, finding.message);
  json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rules.index_of(finding.rule)},
                 {"level", level_name(finding.is_warning)},
                 {"message", {{"text", valid_utf8(text)}}},
                 {"locations", json::array({location_of(finding)})},
                 {"properties", {{"chip", finding.chip}, {"silicon", finding.silicon}}}};
  if (!fixes) return result;
  for (const FindingFix& fix : fixes(finding)) result["fixes"].push_back(fix_entry(finding, fix));
  return result;
}

} // namespace

json sarif(const CheckReport& report) {
  Rules rules;
  json results = json::array();
  for (const execution::CheckedProgram& program : report.programs)
    for (const Finding& finding : findings_of(program))
      results.push_back(result_of(finding, report.fixes, rules));
  for (const Finding& finding : report.refused)
    results.push_back(result_of(finding, report.fixes, rules));
  const json driver = {
      {"name", "Lanewise"}, {"version", version()}, {"rules", std::move(rules).entries()}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({{{"tool", {{"driver", driver}}},
                                 {"columnKind", "unicodeCodePoints"},
                                 {"results", results}}})}};
}

} // namespace lanewise::report
