#include "report/noc/report.h"

#include <fmt/format.h>

#include <cmath>

#include "chip/isa/arch.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string signed_percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

double mean_error(const std::vector<ReplayedFile>& files) {
  double sum = 0;
  for (const ReplayedFile& each : files) sum += std::abs(each.replayed.error());
  return files.empty() ? 0 : sum / static_cast<double>(files.size());
}

} // namespace

std::string noc_accuracy_text(const NocAccuracy& report) {
  Table groups{.columns = table_columns({"chip", "pattern", "mechanism", "memory"})};
  for (TableColumn& column : table_columns(
           {"points", "mean", "median", "9 of 10", "largest", "with sign"}, ColumnKind::Number))
    groups.columns.push_back(column);
  for (const traffic::Group& each : traffic::groups_of(report.accuracy.points))
    groups.rows.push_back({std::string(arch_params(each.arch).names.family),
                           std::string(traffic::pattern_name(each.pattern)),
                           std::string(traffic::mechanism_name(each.mechanism)),
                           std::string(traffic::memory_name(each.memory)),
                           fmt::format("{}", each.points), percent(each.mean), percent(each.median),
                           percent(each.ninetieth), percent(each.most), signed_percent(each.bias)});
  Table bounds{.title = "Bytes in a cycle that tt-metal's tests demand",
               .columns = table_columns({"chip", "what"})};
  for (TableColumn& column : table_columns({"demanded", "model", ""}, ColumnKind::Number))
    bounds.columns.push_back(column);
  for (const traffic::Bound& each : report.bounds)
    bounds.rows.push_back({std::string(arch_params(each.arch).names.family), std::string(each.name),
                           fmt::format("{:.0f}", each.demanded),
                           fmt::format("{:.1f}", each.modelled), each.holds() ? "pass" : "FAIL"});
  std::string text = fmt::format("{} measurements: mean error {}\n", report.accuracy.points.size(),
                                 percent(traffic::mean_error(report.accuracy.points)));
  if (report.accuracy.left_out != 0)
    text += fmt::format("{} left out that send more packets than --packets\n",
                        report.accuracy.left_out);
  text += "\n" + table_text(groups);
  if (!report.bounds.empty()) text += "\n" + table_text(bounds);
  return text;
}

nlohmann::ordered_json noc_accuracy_json(const NocAccuracy& report) {
  nlohmann::ordered_json document{{"source", "lanewise-model"},
                                  {"file", report.file},
                                  {"points", report.accuracy.points.size()},
                                  {"left_out", report.accuracy.left_out},
                                  {"mean_error", traffic::mean_error(report.accuracy.points)},
                                  {"groups", nlohmann::json::array()},
                                  {"bounds", nlohmann::json::array()},
                                  {"measurements", nlohmann::json::array()}};
  for (const traffic::Group& each : traffic::groups_of(report.accuracy.points))
    document["groups"].push_back({{"chip", arch_params(each.arch).names.family},
                                  {"pattern", traffic::pattern_name(each.pattern)},
                                  {"mechanism", traffic::mechanism_name(each.mechanism)},
                                  {"memory", traffic::memory_name(each.memory)},
                                  {"points", each.points},
                                  {"mean_error", each.mean},
                                  {"median_error", each.median},
                                  {"ninetieth_error", each.ninetieth},
                                  {"largest_error", each.most},
                                  {"bias", each.bias}});
  for (const traffic::Bound& each : report.bounds)
    document["bounds"].push_back({{"chip", arch_params(each.arch).names.family},
                                  {"what", each.name},
                                  {"demanded", each.demanded},
                                  {"model", each.modelled},
                                  {"holds", each.holds()}});
  for (const traffic::Compared& each : report.accuracy.points)
    document["measurements"].push_back({{"line", each.series->line},
                                        {"bytes", each.bytes},
                                        {"silicon", each.measured},
                                        {"model", each.modelled}});
  return document;
}

std::string noc_replay_text(Arch arch, const std::vector<ReplayedFile>& files) {
  Table table{.columns = table_columns({"trace"})};
  for (TableColumn& column : table_columns(
           {"threads", "transactions", "bytes", "silicon", "model", "error"}, ColumnKind::Number))
    table.columns.push_back(column);
  for (const ReplayedFile& each : files)
    table.rows.push_back(
        {each.file, fmt::format("{}", each.replayed.threads),
         fmt::format("{}", each.replayed.transactions), fmt::format("{}", each.replayed.bytes),
         fmt::format("{}", each.replayed.traced), fmt::format("{}", each.replayed.modelled),
         signed_percent(each.replayed.error())});
  return fmt::format("{}\n{} traces of {}: mean error {}\n", table_text(table), files.size(),
                     arch_params(arch).names.family, percent(mean_error(files)));
}

nlohmann::ordered_json noc_replay_json(Arch arch, const std::vector<ReplayedFile>& files) {
  nlohmann::ordered_json document{{"source", "lanewise-model"},
                                  {"chip", arch_params(arch).names.family},
                                  {"mean_error", mean_error(files)},
                                  {"traces", nlohmann::json::array()}};
  for (const ReplayedFile& each : files)
    document["traces"].push_back({{"file", each.file},
                                  {"threads", each.replayed.threads},
                                  {"transactions", each.replayed.transactions},
                                  {"bytes", each.replayed.bytes},
                                  {"silicon", each.replayed.traced},
                                  {"model", each.replayed.modelled},
                                  {"error", each.replayed.error()}});
  return document;
}

} // namespace lanewise::report
