#include <fmt/format.h>

#include "report/plain_number.h"
#include "report/tile/report.h"
#include "report/tile/time.h"

namespace lanewise::report {

namespace {

NamedFigures bounds_of(const clock::PerTile& each) {
  NamedFigures figures;
  for (const clock::Bound& bound : each.bounds) figures.emplace_back(bound.part, bound.cycles);
  return figures;
}

/// What threads have waited for, a tile's share of the whole run.
NamedFigures waits_of(const TileTime& time, const clock::PerTile& each) {
  NamedFigures figures;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned why = 0; why < clock::kWhys; ++why) {
      const std::uint64_t waited = time.run.thread[thread].waited[why];
      if (waited == 0) continue;
      figures.emplace_back(
          fmt::format("{}: {}", thread_text(thread), clock::why_text(static_cast<clock::Why>(why))),
          static_cast<double>(waited) / static_cast<double>(each.tiles));
    }
  }
  return figures;
}

NamedFigures cycles_of(const TileTime& time, const clock::PerTile& each) {
  return {{"cycles per tile", each.cycles},
          {"the whole run", static_cast<double>(time.run.cycles)}};
}

std::string bound_text(const clock::PerTile& each) {
  if (each.bounds.empty()) return "nothing";
  const clock::Bound& bound = each.bounds[each.largest];
  return fmt::format("{} ({:.1f} of {:.1f} cycles)", bound.part, bound.cycles, each.cycles);
}

} // namespace

Change tile_time_change(const TileTime& before, const TileTime& after) {
  const clock::PerTile old = clock::per_tile(before.arch, before.run, before.tiles);
  const clock::PerTile now = clock::per_tile(after.arch, after.run, after.tiles);
  Change change{.before = before.program, .after = after.program};
  const auto add = [&](std::string title, const NamedFigures& first, const NamedFigures& second) {
    ChangeGroup group{.title = std::move(title), .rows = {}};
    add_figures(group, first, false);
    add_figures(group, second, true);
    if (!group.rows.empty()) change.groups.push_back(std::move(group));
  };
  add("cycles", cycles_of(before, old), cycles_of(after, now));
  add("if only this counted, per tile", bounds_of(old), bounds_of(now));
  add("waits of the threads, per tile", waits_of(before, old), waits_of(after, now));
  if (before.slow && after.slow) {
    const auto slow = [](const TileTime& time) {
      return NamedFigures{
          {"cycles per tile", clock::per_tile(time.arch, time.slow->run, time.tiles).cycles}};
    };
    add(fmt::format("where each core needs {} cycles for a word", before.slow->cycles_per_word),
        slow(before), slow(after));
  }
  change.sentences = {fmt::format("A tile: {}.", gain_text(old.cycles, now.cycles)),
                      fmt::format("Bounded by {}, then by {}.", bound_text(old), bound_text(now))};
  return change;
}

} // namespace lanewise::report
