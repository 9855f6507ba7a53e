#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/source_line.h"
#include "chip/tile/tile.h"
#include "report/tile/awaited.h"
#include "report/tile/report.h"
#include "report/tile/time.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Tracks below those of the threads.
constexpr unsigned kFirstCore = 10, kFirstUnit = 20;

/// The trace has one process; a thread's zones are shown above its instructions.
constexpr unsigned kTracksOfThread = 2;

unsigned zone_track(unsigned thread) {
  return kTracksOfThread * thread;
}
unsigned issue_track(unsigned thread) {
  return kTracksOfThread * thread + 1;
}

json slice(unsigned track, std::string name, std::uint64_t cycle, std::uint64_t cycles,
           json arguments) {
  return {{"ph", "X"},     {"name", std::move(name)},     {"pid", 1}, {"tid", track}, {"ts", cycle},
          {"dur", cycles}, {"args", std::move(arguments)}};
}

void name_track(json& events, unsigned track, std::string name) {
  events.push_back({{"ph", "M"},
                    {"name", "thread_name"},
                    {"pid", 1},
                    {"tid", track},
                    {"args", {{"name", std::move(name)}}}});
  events.push_back({{"ph", "M"},
                    {"name", "thread_sort_index"},
                    {"pid", 1},
                    {"tid", track},
                    {"args", {{"sort_index", track}}}});
}

void add_issued(json& events, Arch arch, const clock::Issued& each) {
  const std::string text = instruction_text(arch, each.word.word);
  const unsigned track = issue_track(each.thread);
  if (each.waited != 0) {
    events.push_back(slice(track, fmt::format("waits for {}", clock::why_text(each.why)),
                           each.cycle - each.waited, each.waited, {{"in front of", text}}));
  }
  events.push_back(slice(
      track, text, each.cycle, 1,
      {{"line", line_label(each.word.line)}, {"word", fmt::format("{:08x}", each.word.word)}}));
}

void add_zone(json& events, const section::Zone& zone) {
  if (zone.kind == section::Zone::Kind::Whole) {
    events.push_back(slice(zone_track(zone.thread), zone.name, zone.begin, zone.end - zone.begin,
                           json::object()));
    return;
  }
  events.push_back({{"ph", "i"},
                    {"s", "t"},
                    {"name", zone.name},
                    {"pid", 1},
                    {"tid", zone_track(zone.thread)},
                    {"ts", zone.begin}});
}

void add_cores(json& events, const TileTime& time) {
  std::array<bool, tile::kTileCores> is_named{};
  for (const clock::CoreSpan& span : time.run.core_spans) {
    const unsigned track = kFirstCore + span.core;
    if (!std::exchange(is_named[span.core], true)) name_track(events, track, core_text(span.core));
    if (span.waits != span.begin)
      events.push_back(
          slice(track, "own code", span.begin, span.waits - span.begin, json::object()));
    if (span.end != span.waits)
      events.push_back(slice(track,
                             fmt::format("waits for {}", awaited_text(time.arch, span.address)),
                             span.waits, span.end - span.waits, json::object()));
  }
}

void add_units(json& events, const TileTime& time) {
  std::array<bool, clock::kWorkUnits> is_named{};
  for (const clock::UnitSpan& span : time.run.unit_spans) {
    const auto unit = static_cast<unsigned>(span.unit);
    const std::string name(clock::work_unit_text(span.unit));
    if (!std::exchange(is_named[unit], true)) name_track(events, kFirstUnit + unit, name);
    events.push_back(
        slice(kFirstUnit + unit, "works", span.begin, span.end - span.begin, json::object()));
  }
}

} // namespace

json tile_time_perfetto(const TileTime& time) {
  json events = json::array();
  events.push_back(
      {{"ph", "M"},
       {"name", "process_name"},
       {"pid", 1},
       {"args",
        {{"name", fmt::format("{}: {}", arch_params(time.arch).names.full, time.program)}}}});
  for (unsigned i = 0; i < kThreads; ++i) {
    name_track(events, zone_track(i), fmt::format("{}: zones", thread_text(i)));
    name_track(events, issue_track(i), thread_text(i));
  }
  for (const clock::Issued& each : time.run.timeline) add_issued(events, time.arch, each);
  for (const section::Zone& zone : time.zones) add_zone(events, zone);
  add_cores(events, time);
  add_units(events, time);
  return {{"traceEvents", std::move(events)},
          {"displayTimeUnit", "ns"},
          {"otherData", {{"unit", "1 us in the trace is 1 cycle"}, {"source", "lanewise-model"}}}};
}

} // namespace lanewise::report
