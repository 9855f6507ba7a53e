#include "report/grid/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/source_line.h"
#include "chip/clock/bounds.h"
#include "report/grid/links.h"
#include "report/grid/path.h"
#include "report/plain_number.h"
#include "report/table/table.h"

namespace lanewise::report {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using programs::Core;

/// Cores of which the text has a row; of a path, steps.
constexpr std::size_t kShownRows = 16;

double as_double(std::uint64_t value) {
  return static_cast<double>(value);
}

std::vector<const GridCore*> slowest_first(const GridTime& time) {
  std::vector<const GridCore*> all;
  for (const GridCore& core : time.cores) all.push_back(&core);
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const GridCore* core) { return core->time.tile.run.cycles; });
  return all;
}

std::uint64_t bytes_in(const GridCore& core) {
  return core.time.traffic[0].bytes_in + core.time.traffic[1].bytes_in;
}
std::uint64_t bytes_out(const GridCore& core) {
  return core.time.traffic[0].bytes_out + core.time.traffic[1].bytes_out;
}

Table cores_table(const GridTime& time) {
  Table table{.title = "Cores, the slowest first",
              .columns = {{"core"},
                          {"cycles", ColumnKind::Number},
                          {"needs most"},
                          {"alone", ColumnKind::Number},
                          {"", ColumnKind::Number},
                          {"brisc waits", ColumnKind::Number},
                          {"ncrisc waits", ColumnKind::Number},
                          {"bytes in", ColumnKind::Number},
                          {"bytes out", ColumnKind::Number}}};
  for (const GridCore* core : slowest_first(time)) {
    if (table.rows.size() == kShownRows) break;
    const clock::TimedResult& run = core->time.tile.run;
    const clock::Bound bound = bound_of(*core);
    const auto waits = [&](unsigned number) {
      return percent_of(as_double(run.core[number].waited), as_double(run.cycles));
    };
    table.rows.push_back({core_text(core->core), std::to_string(run.cycles), bound.part,
                          fmt::format("{:.0f}", bound.cycles),
                          percent_of(bound.cycles, as_double(run.cycles)), waits(tile::kBrisc),
                          waits(tile::kNcrisc), std::to_string(bytes_in(*core)),
                          std::to_string(bytes_out(*core))});
  }
  return table;
}

Table banks_table(const GridTime& time) {
  Table table{.title = "Banks of DRAM: cycles in which they were busy",
              .columns = {{""}, {"busy", ColumnKind::Number}, {"", ColumnKind::Number}}};
  for (std::size_t bank = 0; bank < time.bank_busy.size(); ++bank) {
    if (time.bank_busy[bank] == 0) continue;
    table.rows.push_back({fmt::format("bank {}", bank), fmt::format("{:.0f}", time.bank_busy[bank]),
                          percent_of(time.bank_busy[bank], as_double(time.cycles()))});
  }
  return table;
}

Table path_table(const std::vector<PathStep>& path) {
  Table table{.title = "The critical path: who waited for whose signal",
              .columns = {{"core"},
                          {"from", ColumnKind::Number},
                          {"to", ColumnKind::Number},
                          {"cycles", ColumnKind::Number},
                          {"had waited", ColumnKind::Number},
                          {"for the signal of"}}};
  const std::size_t first = path.size() > kShownRows ? path.size() - kShownRows : 0;
  for (std::size_t i = first; i < path.size(); ++i) {
    const PathStep& step = path[i];
    const NocPlace from = noc::core_of_number(step.signal.from);
    table.rows.push_back({core_text(step.core), std::to_string(step.begin),
                          std::to_string(step.end), std::to_string(step.end - step.begin),
                          i == 0 ? "" : std::to_string(step.begin - step.waited_since),
                          i == 0 ? ""
                                 : fmt::format("core {}, {}", programs::core_text({from.x, from.y}),
                                               line_label(step.signal.line))});
  }
  return table;
}

std::string left_out_text(std::size_t rows, std::string_view what) {
  return rows <= kShownRows
             ? ""
             : fmt::format("  ({} more {}: --json has all)\n", rows - kShownRows, what);
}

std::string sums_text(const GridTime& time) {
  std::uint64_t in = 0, out = 0;
  for (const GridCore& core : time.cores) {
    in += bytes_in(core);
    out += bytes_out(core);
  }
  const double cycles = as_double(time.cycles());
  const clock::Bound bound = bound_of(time);
  return fmt::format(
      "{} cores, {} cycles until the last of them, {}, is done\n"
      "what bounds it: {}, for {:.0f} cycles, {} of the run\n"
      "{} bytes came into cores, {:.1f} a cycle; {} went out, {:.1f} a cycle\n",
      time.cores.size(), time.cycles(), core_text(time.last().core), bound.part, bound.cycles,
      percent_of(bound.cycles, cycles), in, as_double(in) / cycles, out, as_double(out) / cycles);
}

} // namespace

std::uint64_t GridTime::cycles() const {
  return last().time.tile.run.cycles;
}

const GridCore& GridTime::last() const {
  return *std::ranges::max_element(cores, {},
                                   [](const GridCore& core) { return core.time.tile.run.cycles; });
}

clock::Bound bound_of(const GridCore& core) {
  std::vector<clock::Bound> bounds = clock::bounds_of(core.time.tile.arch, core.time.tile.run);
  for (unsigned noc = 0; noc < kNocs; ++noc) {
    bounds.push_back({fmt::format("NoC {}, into the core", noc), core.time.traffic[noc].busy_in});
    bounds.push_back({fmt::format("NoC {}, out of it", noc), core.time.traffic[noc].busy_out});
  }
  return *std::ranges::max_element(bounds, {}, &clock::Bound::cycles);
}

clock::Bound bound_of(const GridTime& time) {
  clock::Bound most;
  const auto take = [&most](std::string part, double cycles) {
    if (cycles > most.cycles) most = {std::move(part), cycles};
  };
  for (std::size_t bank = 0; bank < time.bank_busy.size(); ++bank)
    take(fmt::format("bank {} of DRAM", bank), time.bank_busy[bank]);
  for (const LinkLoad& link : link_loads(time))
    take("link of " + way_text(link), link.share * as_double(time.cycles()));
  for (const GridCore& core : time.cores) {
    const clock::Bound bound = bound_of(core);
    take(fmt::format("core {}: {}", core_text(core.core), bound.part), bound.cycles);
  }
  return most;
}

std::vector<Table> grid_time_tables(const GridTime& time) {
  return {cores_table(time), path_table(critical_path(time)), banks_table(time), links_table(time)};
}

std::string grid_time_text(const GridTime& time) {
  if (time.cores.size() == 1) return program_time_text(time.cores.front().time);
  const std::vector<PathStep> path = critical_path(time);
  return sums_text(time) + table_text(cores_table(time)) +
         left_out_text(time.cores.size(), "cores") + table_text(path_table(path)) +
         left_out_text(path.size(), "steps before these") + table_text(banks_table(time)) +
         table_text(links_table(time)) +
         fmt::format("\nCore {}, which ends last\n\n", core_text(time.last().core)) +
         program_time_text(time.last().time);
}

ordered_json cores_time_json(const GridTime& time) {
  const auto place = [](const Core& core) { return json::array({core.x, core.y}); };
  const clock::Bound whole = bound_of(time);
  ordered_json result{{"cycles", time.cycles()},
                      {"last", place(time.last().core)},
                      {"bound", {{"part", whole.part}, {"cycles", whole.cycles}}}};
  ordered_json& cores = result["cores"] = ordered_json::array();
  for (const GridCore& core : time.cores) {
    const clock::Bound bound = bound_of(core);
    ordered_json each{{"place", place(core.core)},
                      {"bound", {{"part", bound.part}, {"cycles", bound.cycles}}}};
    each.update(program_time_json(core.time));
    cores.push_back(std::move(each));
  }
  result["banks"] = time.bank_busy;
  ordered_json& links = result["links"] = ordered_json::array();
  for (const LinkLoad& link : link_loads(time))
    links.push_back({{"noc", link.noc},
                     {"from", json::array({link.begin.x, link.begin.y})},
                     {"to", json::array({link.end.x, link.end.y})},
                     {"bytes", link.bytes},
                     {"share", link.share}});
  ordered_json& path = result["critical_path"] = ordered_json::array();
  for (const PathStep& step : critical_path(time)) {
    ordered_json each{{"core", place(step.core)}, {"begin", step.begin}, {"end", step.end}};
    if (!path.empty()) {
      const NocPlace from = noc::core_of_number(step.signal.from);
      const SourcePlace line = source_place(step.signal.line);
      each["waited_since"] = step.waited_since;
      each["signal"] = {{"core", place({from.x, from.y})},
                        {"asked", step.signal.asked},
                        {"came", step.signal.came},
                        {"address", step.signal.address},
                        {"file", line.file},
                        {"line", line.line}};
    }
    path.push_back(std::move(each));
  }
  return result;
}

ordered_json grid_time_json(const GridTime& time) {
  if (time.cores.size() == 1) return program_time_json(time.cores.front().time);
  return cores_time_json(time);
}

json grid_time_perfetto(const GridTime& time) {
  if (time.cores.size() == 1) return program_time_perfetto(time.cores.front().time);
  json trace;
  json all = json::array();
  for (std::size_t i = 0; i < time.cores.size(); ++i) {
    trace = program_time_perfetto(time.cores[i].time);
    const std::size_t process = i + 1;
    for (json& event : trace["traceEvents"]) {
      event["pid"] = process;
      if (event["name"] == "process_name")
        event["args"]["name"] = fmt::format("core {}", core_text(time.cores[i].core));
      // Asynchronous events are told apart by their numbers, over all processes.
      if (event.contains("id"))
        event["id"] = fmt::format("{}.{}", process, event["id"].get<std::size_t>());
      all.push_back(std::move(event));
    }
  }
  trace["traceEvents"] = std::move(all);
  return trace;
}

} // namespace lanewise::report
