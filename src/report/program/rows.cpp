#include "report/program/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "chip/isa/encoding.h"
#include "chip/isa/table.h"
#include "chip/tile/llk_semaphores.h"
#include "chip/tile/tile.h"
#include "report/tile/awaited.h"
#include "report/tile/report.h"

namespace lanewise::report {

namespace {

using isa::Op;

Shade shade_of(Awaited awaited) {
  switch (awaited) {
    case Awaited::Nobody: return Shade::Works;
    case Awaited::CircularBuffer: return Shade::AwaitsPages;
    case Awaited::Noc: return Shade::AwaitsNoc;
    case Awaited::Core: return Shade::AwaitsCore;
    case Awaited::Thread: return Shade::AwaitsThread;
    case Awaited::Unit: return Shade::AwaitsUnit;
    case Awaited::Other: break;
  }
  return Shade::AwaitsOther;
}

RunRow row_of_core(const ProgramTime& time, unsigned core) {
  RunRow row{.name = core_text(core)};
  for (const clock::CoreSpan& span : time.tile.run.core_spans) {
    if (span.core != core) continue;
    if (span.waits != span.begin) row.bars.push_back({span.begin, span.waits, Shade::Works});
    if (span.end != span.waits)
      row.bars.push_back(
          {span.waits, span.end, shade_of(awaited_of(time.tile.arch, span.address))});
  }
  return row;
}

RunRow row_of_thread(const ProgramTime& time, unsigned thread) {
  RunRow row{.name = thread_text(thread)};
  for (const clock::Issued& each : time.tile.run.timeline) {
    if (each.thread != thread) continue;
    if (each.waited != 0)
      row.bars.push_back({each.cycle - each.waited, each.cycle, shade_of(awaited_of(each.why))});
    row.bars.push_back({each.cycle, each.cycle + 1, Shade::Works});
  }
  return row;
}

RunRow row_of_unit(const ProgramTime& time, clock::WorkUnit unit) {
  RunRow row{.name = std::string(clock::work_unit_text(unit))};
  for (const clock::UnitSpan& span : time.tile.run.unit_spans)
    if (span.unit == unit) row.bars.push_back({span.begin, span.end, Shade::Works});
  return row;
}

/// How something that is counted went up and down.
class Count {
 public:
  void change(std::uint64_t cycle, int by) { changes_[cycle] += by; }

  /// `whole`: as much as its row is high; 0: the most that there was.
  RunRow row(std::string name, std::string_view one, std::string_view several, std::uint64_t end,
             std::int64_t whole = 0) {
    std::int64_t count = 0, most = 1;
    for (const auto& [cycle, by] : changes_) most = std::max(most, count += by);
    if (whole != 0) most = whole;
    RunRow row{.name = std::move(name),
               .scale = fmt::format("{} {}", most, most == 1 ? one : several)};
    std::uint64_t since = 0;
    count = 0;
    const auto until = [&](std::uint64_t cycle) {
      if (count > 0 && cycle > since)
        row.bars.push_back(
            {since, cycle, Shade::Level, static_cast<double>(count) / static_cast<double>(most)});
      since = cycle;
    };
    for (const auto& [cycle, by] : changes_) {
      until(cycle);
      count += by;
    }
    until(end);
    return row;
  }

  bool has_changed() const { return !changes_.empty(); }

 private:
  std::map<std::uint64_t, std::int64_t> changes_;
};

void add_nocs(const ProgramTime& time, std::vector<RunRow>& rows) {
  for (unsigned noc = 0; noc < kNocs; ++noc) {
    for (const bool is_read : {true, false}) {
      Count under_way;
      for (const noc::NocSpan& span : time.spans) {
        if (span.noc != noc || (span.kind == noc::Transaction::Kind::Read) != is_read) continue;
        under_way.change(span.asked, 1);
        under_way.change(span.landed, -1);
      }
      if (under_way.has_changed())
        rows.push_back(under_way.row(fmt::format("NoC {}, {}", noc, is_read ? "reads" : "writes"),
                                     "at once", "at once", time.tile.run.cycles));
    }
  }
}

void add_circular_buffers(const ProgramTime& time, std::vector<RunRow>& rows) {
  struct Ring {
    Count pages;
    std::uint32_t held = 0, capacity = 0;
  };
  std::map<unsigned, Ring> rings;
  for (const grid::CbLevel& level : time.levels) {
    Ring& ring = rings[level.index];
    ring.pages.change(level.cycle, static_cast<int>(level.pages) - static_cast<int>(ring.held));
    ring.held = level.pages;
    ring.capacity = level.capacity;
  }
  for (auto& [index, ring] : rings)
    rows.push_back(ring.pages.row(fmt::format("c_{}", index), "page", "pages", time.tile.run.cycles,
                                  ring.capacity));
}

/// Parts of Dst that math has handed over and that are not packed yet.
void add_dst(const ProgramTime& time, std::vector<RunRow>& rows) {
  const Arch arch = time.tile.arch;
  Count handed;
  for (const clock::Issued& each : time.tile.run.timeline) {
    const isa::Decoded decoded = isa::decode(arch, each.word.word);
    if (decoded.row == nullptr) continue;
    const bool posts = decoded.row->op == Op::SEMPOST, gets = decoded.row->op == Op::SEMGET;
    if ((!posts && !gets) || (decoded["SemaphoreMask"] >> tile::kMathPack & 1) == 0) continue;
    handed.change(each.cycle, posts ? 1 : -1);
  }
  if (handed.has_changed())
    rows.push_back(handed.row("Dst, to be packed", "part", "parts", time.tile.run.cycles));
}

} // namespace

std::string_view shade_text(Shade shade) {
  switch (shade) {
    case Shade::Works: return "works";
    case Shade::AwaitsPages: return "waits for a circular buffer";
    case Shade::AwaitsNoc: return "waits for the NoC";
    case Shade::AwaitsCore: return "a thread waits for its core";
    case Shade::AwaitsThread: return "waits for a thread";
    case Shade::AwaitsUnit: return "waits for a unit";
    case Shade::AwaitsOther: return "waits for something else";
    case Shade::Level: break;
  }
  return "how full, how many";
}

std::vector<RunRow> rows_of(const ProgramTime& time) {
  std::vector<RunRow> rows;
  rows.push_back(row_of_core(time, tile::kBrisc));
  rows.push_back(row_of_core(time, tile::kNcrisc));
  add_nocs(time, rows);
  add_circular_buffers(time, rows);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    rows.push_back(row_of_core(time, thread));
    rows.push_back(row_of_thread(time, thread));
  }
  for (unsigned unit = 0; unit < clock::kWorkUnits; ++unit)
    rows.push_back(row_of_unit(time, static_cast<clock::WorkUnit>(unit)));
  add_dst(time, rows);
  std::erase_if(rows, [](const RunRow& row) { return row.bars.empty(); });
  return rows;
}

std::vector<RunShares> shares_of(const RunRow& row, RunStretch stretch, std::size_t columns) {
  std::vector<RunShares> all(columns);
  if (stretch.end <= stretch.begin) return all;
  const double width =
      static_cast<double>(stretch.end - stretch.begin) / static_cast<double>(columns);
  for (const RunBar& bar : row.bars) {
    const std::uint64_t first = std::max(bar.begin, stretch.begin);
    const std::uint64_t last = std::min(bar.end, stretch.end);
    if (first >= last) continue;
    const double begin = static_cast<double>(first - stretch.begin) / width;
    const double end = static_cast<double>(last - stretch.begin) / width;
    for (auto i = static_cast<std::size_t>(begin); i < columns && static_cast<double>(i) < end;
         ++i) {
      const double from = std::max(begin, static_cast<double>(i));
      const double to = std::min(end, static_cast<double>(i + 1));
      all[i][static_cast<unsigned>(bar.shade)] += bar.height * (to - from);
    }
  }
  return all;
}

} // namespace lanewise::report
