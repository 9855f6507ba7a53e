#include "report/program/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/noc_record.h"
#include "report/plain_number.h"
#include "report/program/waits.h"
#include "report/table/table.h"
#include "report/tile/awaited.h"

namespace lanewise::report {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kMovers{"brisc", "ncrisc"};

const clock::CoreTime& mover(const ProgramTime& time, std::size_t number) {
  return time.tile.run.core[tile::kBrisc + number];
}

Table movers_table(const ProgramTime& time) {
  Table table{.title = "Cycles of the cores that move data, until the last that others can see",
              .columns = {{""},
                          {"own code", ColumnKind::Number},
                          {"", ColumnKind::Number},
                          {"waits", ColumnKind::Number},
                          {"", ColumnKind::Number}}};
  for (std::size_t i = 0; i < kMovers.size(); ++i) {
    const clock::CoreTime& core = mover(time, i);
    const auto whole = static_cast<double>(core.own + core.waited);
    if (whole == 0) continue;
    table.rows.push_back({std::string(kMovers[i]), std::to_string(core.own),
                          percent_of(static_cast<double>(core.own), whole),
                          std::to_string(core.waited),
                          percent_of(static_cast<double>(core.waited), whole)});
  }
  return table;
}

/// Cycles in which a part of the NoC was busy, as a share of the run.
Table noc_table(const ProgramTime& time) {
  const auto whole = static_cast<double>(time.tile.run.cycles);
  Table table{.title = "The NoC",
              .columns = {{""},
                          {"transactions", ColumnKind::Number},
                          {"bytes", ColumnKind::Number},
                          {"busy", ColumnKind::Number},
                          {"", ColumnKind::Number}}};
  const auto add = [&](std::string name, std::uint64_t count, std::uint64_t bytes, double busy) {
    if (count == 0) return;
    table.rows.push_back({std::move(name), std::to_string(count), std::to_string(bytes),
                          fmt::format("{:.0f}", busy), percent_of(busy, whole)});
  };
  for (unsigned noc = 0; noc < kNocs; ++noc) {
    const noc::Traffic& traffic = time.traffic[noc];
    add(fmt::format("NoC {}, into the core", noc), traffic.reads, traffic.bytes_in,
        traffic.busy_in);
    add(fmt::format("NoC {}, out of it", noc), traffic.writes, traffic.bytes_out, traffic.busy_out);
  }
  const auto busiest = std::ranges::max_element(time.bank_busy);
  if (busiest != time.bank_busy.end() && *busiest > 0)
    table.rows.push_back(
        {fmt::format("DRAM bank {}, the busiest", busiest - time.bank_busy.begin()), "", "",
         fmt::format("{:.0f}", *busiest), percent_of(*busiest, whole)});
  return table;
}

/// What a circular buffer held over the run.
struct CbFill {
  std::uint32_t most = 0;
  double sum = 0;          ///< pages times cycles
  std::uint64_t empty = 0; ///< cycles
  std::uint64_t since = 0; ///< cycle of the last change
  std::uint32_t pages = 0, capacity = 0;

  void until(std::uint64_t cycle) {
    const std::uint64_t cycles = cycle - since;
    sum += static_cast<double>(pages) * static_cast<double>(cycles);
    if (pages == 0) empty += cycles;
    since = cycle;
  }
};

std::map<unsigned, CbFill> fills(const ProgramTime& time) {
  std::map<unsigned, CbFill> all;
  for (const grid::CbLevel& level : time.levels) {
    CbFill& fill = all[level.index];
    fill.until(level.cycle);
    fill.pages = level.pages;
    fill.capacity = level.capacity;
    fill.most = std::max(fill.most, level.pages);
  }
  for (auto& [index, fill] : all) fill.until(time.tile.run.cycles);
  return all;
}

Table circular_buffers_table(const ProgramTime& time) {
  Table table{.title = "Circular buffers",
              .columns = {{""},
                          {"pages", ColumnKind::Number},
                          {"most held", ColumnKind::Number},
                          {"mean", ColumnKind::Number},
                          {"empty", ColumnKind::Number}}};
  const auto whole = static_cast<double>(time.tile.run.cycles);
  for (const auto& [index, fill] : fills(time))
    table.rows.push_back({fmt::format("c_{}", index), std::to_string(fill.capacity),
                          std::to_string(fill.most), fmt::format("{:.1f}", fill.sum / whole),
                          percent_of(static_cast<double>(fill.empty), whole)});
  return table;
}

// --- The trace: tracks above those of the tile

constexpr unsigned kFirstTrack = 100;

unsigned track_of(const noc::NocSpan& span) {
  return kFirstTrack + 2 * span.noc + (span.kind == noc::Transaction::Kind::Read ? 0 : 1);
}

std::string_view kind_text(noc::Transaction::Kind kind) {
  using enum noc::Transaction::Kind;
  switch (kind) {
    case Read: return "read";
    case Write: return "write";
    case Inline: return "write of a word";
    case Increment: return "increment";
    case Swap: break;
  }
  return "swap";
}

/// Transactions overlap: each is an asynchronous event of its own.
void add_span(json& events, const noc::NocSpan& span, std::size_t number) {
  const auto event = [&](const char* phase, std::uint64_t cycle) {
    return json{
        {"ph", phase},  {"cat", "noc"},
        {"id", number}, {"name", fmt::format("{} of {} bytes", kind_text(span.kind), span.bytes)},
        {"pid", 1},     {"tid", track_of(span)},
        {"ts", cycle},  {"args", {{"line", line_text(span.line)}, {"left", span.left}}}};
  };
  events.push_back(event("b", span.asked));
  events.push_back(event("e", span.landed));
}

} // namespace

std::vector<Table> program_time_tables(const ProgramTime& time) {
  return {movers_table(time), core_waits_table(time), noc_table(time),
          circular_buffers_table(time)};
}

std::string program_time_text(const ProgramTime& time) {
  return tables_text(program_time_tables(time)) + "\n" + tile_time_text(time.tile);
}

ordered_json program_time_json(const ProgramTime& time) {
  ordered_json result = tile_time_json(time.tile);
  ordered_json& movers = result["movers"] = ordered_json::object();
  for (std::size_t i = 0; i < kMovers.size(); ++i)
    movers[std::string(kMovers[i])] = {{"own", mover(time, i).own},
                                       {"waited", mover(time, i).waited}};
  ordered_json& waits = result["core_waits"] = ordered_json::array();
  for (const clock::CoreWait& wait : time.tile.run.core_waits) {
    const SourcePlace place = source_place(wait.line);
    waits.push_back({{"core", core_text(wait.core)},
                     {"for", awaited_text(time.tile.arch, wait.address)},
                     {"file", place.file},
                     {"line", place.line},
                     {"cycles", wait.cycles}});
  }
  ordered_json& nocs = result["noc"] = ordered_json::array();
  for (const noc::Traffic& traffic : time.traffic)
    nocs.push_back({{"reads", traffic.reads},
                    {"writes", traffic.writes},
                    {"bytes_in", traffic.bytes_in},
                    {"bytes_out", traffic.bytes_out},
                    {"busy_in", traffic.busy_in},
                    {"busy_out", traffic.busy_out}});
  result["banks"] = time.bank_busy;
  ordered_json& buffers = result["circular_buffers"] = ordered_json::array();
  for (const auto& [index, fill] : fills(time))
    buffers.push_back({{"index", index},
                       {"pages", fill.capacity},
                       {"most", fill.most},
                       {"mean", fill.sum / static_cast<double>(time.tile.run.cycles)},
                       {"empty", fill.empty}});
  return result;
}

json program_time_perfetto(const ProgramTime& time) {
  json trace = tile_time_perfetto(time.tile);
  json& events = trace["traceEvents"];
  for (unsigned noc = 0; noc < kNocs; ++noc)
    for (unsigned way = 0; way < 2; ++way)
      events.push_back(
          {{"ph", "M"},
           {"name", "thread_name"},
           {"pid", 1},
           {"tid", kFirstTrack + 2 * noc + way},
           {"args", {{"name", fmt::format("NoC {}: {}", noc, way == 0 ? "reads" : "writes")}}}});
  for (std::size_t i = 0; i < time.spans.size(); ++i) add_span(events, time.spans[i], i);
  for (const grid::CbLevel& level : time.levels)
    events.push_back({{"ph", "C"},
                      {"name", fmt::format("pages of c_{}", level.index)},
                      {"pid", 1},
                      {"ts", level.cycle},
                      {"args", {{"pages", level.pages}}}});
  return trace;
}

} // namespace lanewise::report
