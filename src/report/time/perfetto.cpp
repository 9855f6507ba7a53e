#include "report/time/perfetto.h"

#include <fmt/format.h>

#include "chip/isa/disassembler.h"
#include "chip/isa/interlock.h"
#include "report/time/timeline.h"

namespace lanewise::report {

namespace {

using nlohmann::json;

/// Tracks of a process, in the order in which they are shown.
enum Track : int { kFrontEnd, kWaiting, kLoad, kSimple, kMad, kRound, kStore, kOther, kTracks };

constexpr std::array<std::string_view, kTracks> kTrackNames{
    "front end",  "waits inside the Vector Unit", "Load", "Simple", "MAD", "Round", "Store",
    "other units"};

constexpr Track track_of(isa::SubUnit unit) {
  switch (unit) {
    case isa::SubUnit::Load: return kLoad;
    case isa::SubUnit::Simple: return kSimple;
    case isa::SubUnit::Mad: return kMad;
    case isa::SubUnit::Round: return kRound;
    case isa::SubUnit::Store: return kStore;
    case isa::SubUnit::None: break;
  }
  return kOther;
}

/// One chip's events.
class Process {
 public:
  Process(const TimeReport& timed, std::size_t process, json& events)
      : timed_(timed), process_(process), events_(events) {}

  void add() {
    name("process_name", kFrontEnd,
         fmt::format("{}: {}", arch_params(timed_.arch).names.full, timed_.program.name));
    for (int track = 0; track < kTracks; ++track) {
      name("thread_name", track, std::string(kTrackNames[static_cast<std::size_t>(track)]));
      events_.push_back({{"ph", "M"},
                         {"name", "thread_sort_index"},
                         {"pid", process_},
                         {"tid", track},
                         {"args", {{"sort_index", track}}}});
    }
    for (const timing::Issue& issue : timed_.timing.schedule.issues) add_issue(issue);
    for (const timing::Event& event : timed_.timing.schedule.events) add_event(event);
  }

 private:
  void name(std::string_view kind, int track, std::string text) {
    events_.push_back({{"ph", "M"},
                       {"name", kind},
                       {"pid", process_},
                       {"tid", track},
                       {"args", {{"name", std::move(text)}}}});
  }

  void slice(int track, std::string text, std::uint64_t cycle, std::uint64_t cycles, json args) {
    events_.push_back({{"ph", "X"},
                       {"name", std::move(text)},
                       {"pid", process_},
                       {"tid", track},
                       {"ts", cycle},
                       {"dur", cycles},
                       {"args", std::move(args)}});
  }

  json arguments(const MicroOp& op, std::uint32_t line) const {
    json args = place_json(line);
    args["word"] = fmt::format("{:08X}", op.word);
    args["source"] = source_line(timed_.source, line);
    return args;
  }

  void add_issue(const timing::Issue& issue) {
    const MicroOp& op = timed_.prepared.ops[issue.op];
    const std::string text = isa::disassemble(timed_.arch, op.word);
    if (issue.before > 0) {
      json args = place_json(op.line);
      args["in front of"] = text;
      slice(kFrontEnd, fmt::format("stall: {}", stall_cause_name(issue.before_cause)),
            issue.slot - issue.before, issue.before, std::move(args));
    }
    json args = arguments(op, op.line);
    args["discarded"] = issue.discarded;
    slice(kFrontEnd, text, issue.slot, 1, std::move(args));
    if (issue.inside > 0) {
      slice(kWaiting, fmt::format("{}: {}", stall_cause_name(issue.inside_cause), text), issue.slot,
            issue.inside, arguments(op, op.line));
    }
  }

  void add_event(const timing::Event& event) {
    const MicroOp& by = timed_.prepared.ops[timed_.timing.schedule.issues[event.issue].op];
    json args = arguments(event.op, by.line);
    args["reads"] = register_list(event.reads);
    args["writes"] = register_list(event.writes);
    args["result after"] = event.latency;
    if (event.dst_row >= 0) args["Dst row"] = event.dst_row;
    if (event.scheduled) args["scheduled by"] = isa::disassemble(timed_.arch, by.word);
    const bool holds =
        event.sub_unit != isa::SubUnit::None && isa::holds_unit(timed_.arch, event.op.word);
    slice(track_of(event.sub_unit), event_text(timed_.arch, event), event.cycle, holds ? 2 : 1,
          std::move(args));
  }

  const TimeReport& timed_;
  std::size_t process_;
  json& events_;
};

} // namespace

json time_perfetto(std::span<const TimeReport> reports) {
  json events = json::array();
  for (std::size_t i = 0; i < reports.size(); ++i) Process(reports[i], i + 1, events).add();
  return {{"traceEvents", std::move(events)},
          {"displayTimeUnit", "ns"},
          {"otherData", {{"unit", "1 us in the trace is 1 cycle"}}}};
}

} // namespace lanewise::report
