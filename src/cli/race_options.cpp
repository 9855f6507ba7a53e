#include "cli/race_options.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "report/tile/races.h"
#include "study/parts/shared_orders.h"

namespace lanewise::cli {

namespace {

ExitStatus print_races(const tile::RaceReport& races, Arch arch, bool json) {
  if (json) {
    fmt::print("{}\n", report::race_json(arch, races).dump(2));
  } else {
    print_report(report::race_text(arch, races));
  }
  return exit_status(!races.differs);
}

} // namespace

void add_race_options(const Command& command, RaceOptions& options) {
  command.flag("--races", options.races,
               "Look whether the result depends on the order of the threads, on which two "
               "instructions, and which wait is missing (docs/races.md)");
  command
      .option("--schedules", options.schedules,
              "Orders that --races runs beside round robin, at most (default 1000)")
      .range(std::uint64_t{1}, std::uint64_t{1'000'000});
  add_part_options(command, options.part);
}

Expected<void> check_race_options(const RaceOptions& options) {
  const PartOptions& part = options.part;
  if (!options.races && options.is_given())
    return bad_input("--part, --part-file and --resume are of the search of --races",
                     "give --races, too");
  if (part.part.empty()) return {};
  const auto number = parts::parse_part(part.part);
  return number ? Expected<void>() : Unexpected(number.error());
}

ExitStatus search_races(
    const RaceOptions& options, std::string_view command, Arch arch, bool json,
    tile::RaceSearch how,
    const std::function<Expected<tile::RaceReport>(const tile::RaceSearch&)>& find) {
  auto work = shared_work(options.part, command);
  if (!work) return fail(work.error());
  parts::SharedOrders orders(*work);
  if (work->needs_key()) how.shared = orders.bind();
  auto progress = std::make_unique<ProgressLine>();
  how.orders = options.schedules;
  how.limits.stop = interrupted;
  how.progress = [&](std::string_view what, unsigned number) {
    progress->show(fmt::format("order {} of {}: {}", number, options.schedules, what));
  };
  const auto races = find(how);
  progress.reset(); // wipes the line
  if (!races) return fail(races.error());
  const bool was_stopped = interrupted();
  if (auto kept = was_stopped ? work->stop() : work->end(); !kept) return fail(kept.error());
  if (work->is_part()) return tell_of_part(*work, orders.done(), orders.count(), "orders");
  const ExitStatus status = print_races(*races, arch, json);
  if (!was_stopped) return status;
  tell("stopped after {} of {} orders; {}\n", races->schedules, options.schedules + 1,
       how_to_go_on(*work, "search"));
  return exit_status(false);
}

} // namespace lanewise::cli
