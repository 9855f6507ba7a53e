#include <fmt/format.h>

#include <string>

#include "report/grid/picture.h"
#include "report/grid/time.h"
#include "report/page/page.h"
#include "report/plain_number.h"
#include "report/program/page.h"

namespace lanewise::report {

namespace {

std::string cards(const GridTime& time) {
  const GridCore& last = time.last();
  const clock::Bound bound = bound_of(time);
  const auto cycles = static_cast<double>(time.cycles());
  return card_row(card(std::to_string(time.cycles()), "cycles until the last core is done") +
                  card(std::to_string(time.cores.size()), "cores") +
                  card(core_text(last.core), "ends last") +
                  card(bound.part, fmt::format("bounds it: busy for {:.0f} cycles, {}",
                                               bound.cycles, percent_of(bound.cycles, cycles))));
}

} // namespace

std::string grid_time_html(const GridTime& time, const std::string& command) {
  const ProgramTime& last = time.last().time;
  if (time.cores.size() == 1) return program_time_html(last, command);
  return run_page(
      last.tile,
      cards(time) + "<h2>The grid</h2>\n" + grid_svg(time) +
          table_columns_html(grid_time_tables(time)) +
          fmt::format("<h2>Core {}, which ends last</h2>\n", core_text(time.last().core)) +
          program_time_body(last),
      command);
}

} // namespace lanewise::report
