#include "run/launch/outcome_wire.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "run/section/fault_wire.h"
#include "run/section/outcome_wire.h"

namespace lanewise::launch {

using nlohmann::json;

namespace {

json json_of(const Mendable& each) {
  return {{"kind", each.mend.kind},  {"core", each.mend.core},
          {"line", each.mend.line},  {"file", each.mend.file},
          {"fault_file", each.file}, {"fault_line", each.line},
          {"rule", each.rule},       {"blocked", each.blocked ? json(*each.blocked) : json()}};
}

Mendable mendable_of(const json& entry) {
  Mendable each{.mend = {.kind = entry.at("kind").get<Mend::Kind>(),
                         .core = entry.at("core").get<unsigned>(),
                         .line = entry.at("line").get<std::uint32_t>(),
                         .file = entry.at("file").get<std::string>()},
                .file = entry.at("fault_file").get<std::string>(),
                .line = entry.at("fault_line").get<std::uint32_t>(),
                .rule = entry.at("rule").get<std::string>()};
  if (!entry.at("blocked").is_null()) each.blocked = entry.at("blocked").get<std::size_t>();
  return each;
}

} // namespace

std::string encode_outcome(const LaunchOutcome& outcome) {
  json faults = json::array();
  for (const Fault& fault : outcome.faults) faults.push_back(section::json_of(fault));
  json mends = json::array();
  for (const Mendable& each : outcome.mends) mends.push_back(json_of(each));
  json stretches = json::array();
  for (const auto& core : outcome.stretches)
    for (const section::Stretches& each : core) stretches.push_back(section::json_of(each));
  const json document{{"faults", faults},
                      {"failure", outcome.failure ? section::json_of(*outcome.failure) : json()},
                      {"blocked", outcome.blocked},
                      {"mends", std::move(mends)},
                      {"ran_out", outcome.ran_out},
                      {"was_stopped", outcome.was_stopped},
                      {"executed", outcome.executed},
                      {"transactions", outcome.transactions},
                      {"traps", outcome.traps},
                      {"prints", outcome.prints},
                      {"stretches", std::move(stretches)}};
  // Text of kernels is any bytes; JSON is UTF-8.
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<LaunchOutcome> decode_outcome(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  try {
    LaunchOutcome outcome;
    for (const json& entry : document.at("faults"))
      outcome.faults.push_back(section::fault_of(entry));
    if (!document.at("failure").is_null())
      outcome.failure = section::fault_of(document.at("failure"));
    outcome.blocked = document.at("blocked").get<std::vector<std::string>>();
    for (const json& entry : document.at("mends")) {
      outcome.mends.push_back(mendable_of(entry));
      const Mendable& each = outcome.mends.back();
      if (each.mend.kind > Mend::Kind::AtLeast ||
          (each.blocked && *each.blocked >= outcome.blocked.size()))
        return std::nullopt;
    }
    outcome.ran_out = document.at("ran_out").get<bool>();
    outcome.was_stopped = document.at("was_stopped").get<bool>();
    outcome.executed = document.at("executed").get<std::array<std::uint64_t, kThreads>>();
    outcome.transactions = document.at("transactions").get<std::uint64_t>();
    outcome.traps = document.at("traps").get<std::uint64_t>();
    outcome.prints = document.at("prints").get<std::vector<std::string>>();
    const json& stretches = document.at("stretches");
    outcome.stretches.resize(stretches.size() / kThreads);
    for (std::size_t i = 0; i < outcome.stretches.size() * kThreads; ++i)
      outcome.stretches[i / kThreads][i % kThreads] = section::stretches_of(stretches.at(i));
    return outcome;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace lanewise::launch
