#include "study/silicon/cases_measured.h"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <utility>

#include "base/process_pool.h"

namespace lanewise::silicon {

namespace {

constexpr std::string_view kZones = "zones", kFault = "fault";
constexpr char kBetweenTexts = '\x1F'; ///< ASCII's unit separator: in no message

Unexpected not_measured(std::string message) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(message)});
}

Expected<MeasuredCases> measure_here(const std::vector<ClockCase>& cases, ZoneMeter& meter,
                                     const CompareSettings& settings) {
  MeasuredCases measured;
  for (const ClockCase& each : cases) {
    if (settings.progress && !settings.progress(measured.size(), cases.size())) break;
    measured.emplace(case_text(each), meter.measure(each));
  }
  return measured;
}

} // namespace

std::string zones_text(const Expected<Zones>& zones) {
  if (zones)
    return fmt::format("{} {} {} {} {}", kZones, zones->init, zones->tile_loop, zones->init_words,
                       zones->other_loop);
  return fmt::format("{} {}{}{}", kFault, zones.error().message, kBetweenTexts,
                     zones.error().remedy);
}

std::optional<Expected<Zones>> parse_zones(const std::string& text) {
  std::istringstream stream(text);
  std::string kind;
  stream >> kind;
  if (kind == kZones) {
    Zones zones;
    if (!(stream >> zones.init >> zones.tile_loop >> zones.init_words)) return std::nullopt;
    std::getline(stream >> std::ws, zones.other_loop);
    return zones;
  }
  const std::size_t between = text.find(kBetweenTexts);
  if (kind != kFault || between == text.npos) return std::nullopt;
  const std::size_t message = kFault.size() + 1;
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = text.substr(message, between - message),
                          .remedy = text.substr(between + 1)});
}

std::vector<ClockCase> cases_of(const std::vector<CostRow>& table) {
  std::vector<ClockCase> cases;
  std::set<std::string> known;
  const auto add = [&](const std::vector<ClockCase>& some) {
    for (const ClockCase& each : some) {
      if (known.insert(case_text(each)).second) cases.push_back(each);
    }
  };
  for (const CostRow& row : table) {
    const auto members = members_of(row);
    if (!members) continue;
    for (const RowMember& member : *members) {
      add(member.runs);
      add(member.less);
      add(member.other);
    }
  }
  return cases;
}

Expected<MeasuredCases> measure_cases(const std::vector<ClockCase>& cases, ZoneMeter& meter,
                                      const CompareSettings& settings) {
  if (settings.jobs <= 1) return measure_here(cases, meter, settings);
  bool goes_on = true;
  const auto texts = run_in_processes(
      cases.size(), settings.jobs,
      [&](std::size_t i) { return zones_text(meter.measure(cases[i])); },
      [&](std::size_t done) {
        goes_on = goes_on && (!settings.progress || settings.progress(done, cases.size()));
        return goes_on;
      });
  if (!texts) return Unexpected(texts.error());
  MeasuredCases measured;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::optional<Expected<Zones>> zones;
    if ((*texts)[i]) zones = parse_zones(*(*texts)[i]);
    if (!zones && goes_on) zones = not_measured("the process that ran the benchmark was ended");
    if (zones) measured.emplace(case_text(cases[i]), std::move(*zones));
  }
  return measured;
}

Expected<Zones> KnownMeter::measure(const ClockCase& each) {
  const auto found = known_.find(case_text(each));
  return found != known_.end() ? found->second : not_measured("the benchmark was not run");
}

} // namespace lanewise::silicon
