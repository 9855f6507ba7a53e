#include <fmt/format.h>

#include "report/tile/report.h"

namespace lanewise::report {

namespace {

nlohmann::json word_json(Arch arch, const ProgramWord& word) {
  return {{"line", word.line},
          {"word", fmt::format("{:08x}", word.word)},
          {"instruction", instruction_text(arch, word.word)}};
}

nlohmann::json wait_json(Arch arch, const tile::ExplainedWait& wait) {
  const tile::Blocked& blocked = wait.blocked;
  nlohmann::json result{{"thread", blocked.thread},    {"is_core", blocked.is_feeder},
                        {"reason", blocked.reason},    {"remedy", wait.remedy},
                        {"releasing", wait.releasing}, {"releases", nlohmann::json::array()}};
  if (!blocked.is_feeder) result["at"] = word_json(arch, blocked.wait.at);
  if (blocked.wait.because_of.word != 0)
    result["because_of"] = word_json(arch, blocked.wait.because_of);
  for (const tile::Release& release : wait.releases) {
    nlohmann::json each = word_json(arch, release.word);
    each["thread"] = release.thread;
    each["executed"] = release.executed;
    result["releases"].push_back(std::move(each));
  }
  return result;
}

nlohmann::json tile_output_json(const TileOutput& output) {
  nlohmann::json result{{"address", output.where.address},
                        {"shape", output.where.shape},
                        {"format", output.where.format ? output.where.format->name() : "bytes"}};
  if (!output.where.file.empty()) {
    result["file"] = output.where.file;
    return result;
  }
  nlohmann::json& values = result["values"] = nlohmann::json::array();
  for (const std::uint32_t bits : output.values.bits)
    values.push_back(formats::value_of_bits(output.values.format, bits));
  return result;
}

} // namespace

nlohmann::json tile_json(const TileReport& report) {
  nlohmann::json result{{"arch", arch_params(report.arch).names.id},
                        {"program", report.program},
                        {"schedule", schedule_text(report.schedule)},
                        {"executed", report.executed},
                        {"ran_out", report.ran_out},
                        {"blocked", nlohmann::json::array()},
                        {"faults", nlohmann::json::array()},
                        {"outputs", nlohmann::json::array()}};
  for (const tile::ExplainedWait& each : report.blocked)
    result["blocked"].push_back(wait_json(report.arch, each));
  for (const Fault& fault : report.faults) result["faults"].push_back(to_string(fault));
  for (const TileOutput& output : report.outputs)
    result["outputs"].push_back(tile_output_json(output));
  if (report.trace.empty()) return result;
  nlohmann::json& trace = result["trace"] = nlohmann::json::array();
  for (const tile::Executed& executed : report.trace) {
    nlohmann::json each = word_json(report.arch, executed.word);
    each["thread"] = executed.thread;
    trace.push_back(std::move(each));
  }
  return result;
}

} // namespace lanewise::report
