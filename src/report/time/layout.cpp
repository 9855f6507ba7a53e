#include "report/time/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanewise::report {

namespace {

Lane sub_unit_lane(isa::SubUnit unit) {
  switch (unit) {
    case isa::SubUnit::Load: return Lane::Load;
    case isa::SubUnit::Simple: return Lane::Simple;
    case isa::SubUnit::Mad: return Lane::Mad;
    case isa::SubUnit::Round: return Lane::Round;
    case isa::SubUnit::Store: return Lane::Store;
    case isa::SubUnit::None: break;
  }
  return Lane::Other;
}

} // namespace

std::string_view lane_name(Lane lane) {
  switch (lane) {
    case Lane::FrontEnd: return "front end";
    case Lane::Waiting: return "waiting inside";
    case Lane::Load: return "Load";
    case Lane::Simple: return "Simple";
    case Lane::Mad: return "MAD";
    case Lane::Round: return "Round";
    case Lane::Store: return "Store";
    case Lane::Matrix: return "Matrix Unit";
    case Lane::Other: return "other units";
  }
  return {};
}

std::string_view lane_class(Lane lane) {
  switch (lane) {
    case Lane::FrontEnd: return "issue";
    case Lane::Waiting: return "waits";
    case Lane::Load: return "load";
    case Lane::Simple: return "simple";
    case Lane::Mad: return "mad";
    case Lane::Round: return "round";
    case Lane::Store: return "store";
    case Lane::Matrix: return "matrix";
    case Lane::Other: return "other";
  }
  return {};
}

Lane lane_of(Arch arch, const timing::Event& event) {
  if (event.sub_unit != isa::SubUnit::None) return sub_unit_lane(event.sub_unit);
  const isa::Row* row = isa::find_row(arch, event.op.op);
  return row != nullptr && row->unit == isa::Unit::Matrix ? Lane::Matrix : Lane::Other;
}

std::vector<Lane> lanes_of(const timing::Schedule& schedule) {
  std::set<Lane> lanes{Lane::FrontEnd};
  bool computes = false; // with the Matrix Unit: counters are its instructions as well
  for (const timing::Event& event : schedule.events) {
    lanes.insert(lane_of(schedule.arch, event));
    computes = computes || (event.sub_unit == isa::SubUnit::None && event.dst_row >= 0);
  }
  if (std::ranges::any_of(schedule.issues, [](const auto& issue) { return issue.inside > 0; }))
    lanes.insert(Lane::Waiting);
  if (!computes) lanes.insert({Lane::Load, Lane::Simple, Lane::Mad, Lane::Round, Lane::Store});
  return {lanes.begin(), lanes.end()};
}

std::size_t PictureLayout::top(Lane lane) const {
  return kLaneHeight * static_cast<std::size_t>(std::ranges::find(lanes, lane) - lanes.begin());
}

std::string PictureLayout::percent(double cycles) const {
  return fmt::format("{:.7g}%", 100 * cycles / static_cast<double>(range.cycles()));
}

} // namespace lanewise::report
