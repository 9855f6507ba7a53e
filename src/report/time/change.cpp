#include "report/time/change.h"

#include <fmt/format.h>

#include "report/time/figures.h"

namespace lanewise::report {

namespace {

/// Figures of a pass, for so many passes.
NamedFigures figures_of(const FigureGroup& group, double passes) {
  NamedFigures figures;
  for (const FigureRow& row : group.rows) figures.emplace_back(row.label, passes * row.pass);
  return figures;
}

std::string bound_text(const TimeReport& timed, double passes) {
  const timing::Figures& pass = timed.timing.tile.pass;
  const timing::Resource scarce = timing::bottleneck(pass.bounds);
  return fmt::format("{} ({} of {} cycles)", resource_name(scarce),
                     number(passes * pass.bounds[static_cast<std::size_t>(scarce)]),
                     number(passes * pass.cycles));
}

} // namespace

Change time_change(const TimeReport& before, const TimeReport& after) {
  Change change{.before = before.program.name, .after = after.program.name};
  const timing::TileCost &old = before.timing.tile, &now = after.timing.tile;
  const bool has_tiles = old.cycles() && now.cycles();
  const double old_passes = has_tiles ? old.passes() : 1, passes = has_tiles ? now.passes() : 1;
  const std::vector<FigureGroup> old_groups = figure_groups(before), groups = figure_groups(after);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    ChangeGroup group{
        .title = fmt::format("{}, per {}", groups[i].title, has_tiles ? "tile" : "pass"),
        .rows = {}};
    add_figures(group, figures_of(old_groups[i], old_passes), false);
    add_figures(group, figures_of(groups[i], passes), true);
    change.groups.push_back(std::move(group));
  }
  change.sentences.push_back(
      fmt::format("A {}: {}.", has_tiles ? "tile in the steady state" : "pass",
                  gain_text(old_passes * old.pass.cycles, passes * now.pass.cycles)));
  if (old.init != 0 || now.init != 0)
    change.sentences.push_back(fmt::format("Init: {}.", gain_text(old.init, now.init)));
  change.sentences.push_back(fmt::format("Bottleneck: {}, then {}.", bound_text(before, old_passes),
                                         bound_text(after, passes)));
  return change;
}

} // namespace lanewise::report
