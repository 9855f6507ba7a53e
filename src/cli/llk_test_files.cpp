// What llk-test writes into files, as JSON: zones and state.
#include "cli/llk_test_files.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace lanewise::cli {

Expected<std::string> zones_text(const section::SectionObjects& objects,
                                 const std::vector<section::ZoneEvent>& events) {
  // By section::ZoneEvent::Kind.
  constexpr std::array<std::string_view, 4> kKinds{"timestamp", "timestamp_data", "zone_start",
                                                   "zone_end"};
  nlohmann::ordered_json document{{"source", "lanewise-model"}, {"sections", nullptr}};
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const auto markers = section::read_markers(objects[thread]);
    if (!markers) return Unexpected(markers.error());
    nlohmann::ordered_json section{{"markers", nlohmann::json::array()},
                                   {"events", nlohmann::json::array()}};
    for (const section::Marker& marker : *markers) section["markers"].push_back(marker.text);
    for (const section::ZoneEvent& event : events) {
      if (event.thread != thread) continue;
      const auto marker = std::ranges::find(*markers, event.marker, &section::Marker::number);
      const auto kind = static_cast<std::size_t>(event.kind) -
                        static_cast<std::size_t>(section::ZoneEvent::Kind::Timestamp);
      nlohmann::ordered_json entry{{"kind", kKinds[kind]},
                                   {"marker", nullptr},
                                   {"instructions", event.executed},
                                   {"cycle", nullptr}};
      if (marker != markers->end()) entry["marker"] = marker->name;
      if (event.cycle) entry["cycle"] = *event.cycle;
      if (event.data) entry["data"] = *event.data;
      section["events"].push_back(std::move(entry));
    }
    document["sections"][section::kSectionNames[thread]] = std::move(section);
  }
  return document.dump(1) + "\n";
}

std::string state_text(Arch arch, const section::EndState& state) {
  nlohmann::ordered_json document;
  for (const tile::StateField& field : section::left_fields(arch, state))
    document[std::string(tile::state_kind_name(field.kind))][field.name] = field.value;
  return document.dump(1) + "\n";
}

} // namespace lanewise::cli
