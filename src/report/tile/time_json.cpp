#include <fmt/format.h>

#include <algorithm>

#include "base/source_line.h"
#include "report/tile/report.h"
#include "report/tile/time.h"

namespace lanewise::report {

namespace {

using nlohmann::ordered_json;

ordered_json bounds_json(const std::vector<clock::Bound>& bounds) {
  ordered_json all = ordered_json::array();
  for (const clock::Bound& each : bounds)
    all.push_back({{"part", each.part}, {"cycles", each.cycles}});
  return all;
}

ordered_json per_tile_json(const clock::PerTile& each) {
  ordered_json result{{"tiles", each.tiles},
                      {"is_steady", each.is_steady},
                      {"cycles", each.cycles},
                      {"alone", bounds_json(each.bounds)},
                      {"bounded_by", nullptr}};
  if (!each.bounds.empty()) result["bounded_by"] = each.bounds[each.largest].part;
  return result;
}

/// The other end of a range; null where there is none.
ordered_json slow_json(const TileTime& time) {
  if (!time.slow) return nullptr;
  return {{"cycles_per_word", time.slow->cycles_per_word},
          {"cycles", time.slow->run.cycles},
          {"cycles_per_tile", clock::per_tile(time.arch, time.slow->run, time.tiles).cycles}};
}

ordered_json thread_json(unsigned number, const clock::TimedResult& run) {
  const clock::ThreadTime& thread = run.thread[number];
  ordered_json waited = ordered_json::object();
  for (unsigned why = 0; why < clock::kWhys; ++why) {
    if (thread.waited[why] != 0)
      waited[std::string(clock::why_name(static_cast<clock::Why>(why)))] = thread.waited[why];
  }
  return {{"thread", number},
          {"name", kTileThreadNames[number]},
          {"issued", thread.issued},
          {"issuing", thread.issuing},
          {"last", thread.last},
          {"waited", std::move(waited)},
          {"core", {{"own", run.core[number].own}, {"waited", run.core[number].waited}}}};
}

ordered_json zone_json(const section::Zone& zone) {
  ordered_json result{{"thread", zone.thread}, {"name", zone.name}, {"begin", zone.begin}};
  if (zone.kind == section::Zone::Kind::Whole) result["end"] = zone.end;
  if (zone.kind == section::Zone::Kind::Open) result["end"] = nullptr;
  return result;
}

ordered_json functions_json(const TileTime& time) {
  ordered_json functions = ordered_json::array();
  for (const section::FunctionCost& each : time.functions) {
    ordered_json entry{{"thread", each.thread}};
    if (!each.name.empty()) entry["name"] = each.name;
    entry["instructions"] = each.instructions;
    entry["cycles"] = each.cycles;
    functions.push_back(std::move(entry));
  }
  return functions;
}

ordered_json issued_json(Arch arch, const clock::Issued& each) {
  const SourcePlace place = source_place(each.word.line);
  ordered_json result{{"cycle", each.cycle}, {"thread", each.thread}};
  if (!place.file.empty()) result["file"] = place.file;
  result.update({{"line", place.line},
                 {"word", fmt::format("{:08x}", each.word.word)},
                 {"instruction", instruction_text(arch, each.word.word)},
                 {"waited", each.waited},
                 {"for", clock::why_name(each.why)}});
  return result;
}

} // namespace

ordered_json tile_time_json(const TileTime& time) {
  ordered_json result{{"arch", arch_params(time.arch).names.id},
                      {"program", time.program},
                      {"source", "lanewise-model"},
                      {"cycles", time.run.cycles},
                      {"per_tile", per_tile_json(clock::per_tile(time.arch, time.run, time.tiles))},
                      {"slow_pushes", slow_json(time)},
                      {"alone", bounds_json(clock::bounds_of(time.arch, time.run))},
                      {"threads", ordered_json::array()},
                      {"ends", ordered_json::array()},
                      {"zones", ordered_json::array()},
                      {"assumed", time.assumed}};
  for (unsigned i = 0; i < kThreads; ++i) result["threads"].push_back(thread_json(i, time.run));
  for (const clock::TileEnd& end : time.run.ends) result["ends"].push_back(end.cycle);
  for (const section::Zone& zone : time.zones) result["zones"].push_back(zone_json(zone));
  if (!time.functions.empty()) result["functions"] = functions_json(time);
  if (time.shown == 0) return result;
  ordered_json& timeline = result["timeline"] = ordered_json::array();
  const auto& all = time.run.timeline;
  for (std::size_t i = all.size() - std::min(time.shown, all.size()); i < all.size(); ++i)
    timeline.push_back(issued_json(time.arch, all[i]));
  return result;
}

} // namespace lanewise::report
