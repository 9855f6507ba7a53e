#include "report/time/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "chip/isa/disassembler.h"
#include "chip/isa/interlock.h"

namespace lanewise::report {

namespace {

using timing::Event;
using timing::Issue;
using timing::Schedule;

/// Something that can wait before it is issued, wait inside and schedule up to four others reaches
/// no further back than this; every delay is counted in at most 7 instructions (VU 5.5).
constexpr std::uint64_t kLongestReach = 64;

std::string_view mnemonic(Arch arch, isa::Op op) {
  const isa::Row* row = isa::find_row(arch, op);
  return row == nullptr ? std::string_view{} : row->mnemonic;
}

class RowBuilder {
 public:
  RowBuilder(const TimeReport& timed, CycleRange range)
      : timed_(timed), schedule_(timed.timing.schedule), range_(range) {
    const CycleRange reach{range.first - std::min(range.first, kLongestReach),
                           range.end + kLongestReach};
    for (const Event& event : events_in(schedule_, reach)) events_[event.issue].push_back(&event);
  }

  std::vector<TimelineRow> build() {
    const auto later = [](std::uint64_t cycle, const Issue& issue) {
      return cycle < issue.slot + issue.inside;
    };
    const std::uint64_t from = range_.first - std::min(range_.first, kLongestReach);
    const auto first =
        std::upper_bound(schedule_.issues.begin(), schedule_.issues.end(), from, later);
    auto i = static_cast<std::uint32_t>(first - schedule_.issues.begin());
    for (i -= std::min(i, 1U); i < schedule_.issues.size(); ++i) {
      const Issue& issue = schedule_.issues[i];
      if (issue.slot - issue.before >= range_.end) break;
      add_instruction(i, issue);
      add_scheduled(i);
    }
    return std::move(rows_);
  }

 private:
  void add_instruction(std::uint32_t index, const Issue& issue) {
    const MicroOp& op = timed_.prepared.ops[issue.op];
    const isa::Row* row = isa::find_row(timed_.arch, op.op);
    TimelineRow result{.issue = index,
                       .op = op.op,
                       .sub_unit = row == nullptr ? isa::SubUnit::None : row->sub_unit,
                       .line = op.line,
                       .text = isa::disassemble(timed_.arch, op.word)};
    for (std::uint64_t c = issue.slot - issue.before; c < issue.slot; ++c)
      mark(result, {c, MarkKind::Held, issue.before_cause});
    for (std::uint64_t c = issue.slot; c < issue.executes(); ++c)
      mark(result, {c, MarkKind::Inside, issue.inside_cause});
    if (issue.discarded) {
      mark(result, {issue.executes(), MarkKind::Discarded});
    } else if (const Event* event = own_event(index)) {
      mark_execution(result, *event);
    } else {
      mark(result, {issue.executes(), MarkKind::Executes});
    }
    keep(std::move(result));
  }

  void add_scheduled(std::uint32_t index) {
    const auto found = events_.find(index);
    if (found == events_.end()) return;
    for (const Event* event : found->second) {
      if (!event->scheduled) continue;
      TimelineRow result{.issue = index,
                         .scheduled = true,
                         .op = event->op.op,
                         .sub_unit = event->sub_unit,
                         .line = timed_.prepared.ops[schedule_.issues[index].op].line,
                         .text = event_text(timed_.arch, *event)};
      mark_execution(result, *event);
      keep(std::move(result));
    }
  }

  const Event* own_event(std::uint32_t index) const {
    const auto found = events_.find(index);
    if (found == events_.end()) return nullptr;
    const auto own = std::find_if(found->second.begin(), found->second.end(),
                                  [](const Event* event) { return !event->scheduled; });
    return own == found->second.end() ? nullptr : *own;
  }

  void mark_execution(TimelineRow& row, const Event& event) const {
    mark(row, {event.cycle, MarkKind::Executes});
    if (event.latency > 1 || isa::holds_unit(timed_.arch, event.op.word))
      mark(row, {event.cycle + 1, MarkKind::SecondCycle});
  }

  void mark(TimelineRow& row, Mark mark) const {
    if (range_.contains(mark.cycle)) row.marks.push_back(mark);
  }

  void keep(TimelineRow row) {
    if (!row.marks.empty()) rows_.push_back(std::move(row));
  }

  const TimeReport& timed_;
  const Schedule& schedule_;
  CycleRange range_;
  std::map<std::uint32_t, std::vector<const Event*>> events_; ///< by issue
  std::vector<TimelineRow> rows_;
};

} // namespace

std::vector<TimelineRow> timeline_rows(const TimeReport& timed, CycleRange range) {
  return RowBuilder(timed, range).build();
}

std::span<const Event> events_in(const Schedule& schedule, CycleRange range) {
  const auto earlier = [](const Event& event, std::uint64_t cycle) { return event.cycle < cycle; };
  const auto first =
      std::lower_bound(schedule.events.begin(), schedule.events.end(), range.first, earlier);
  return {first, std::lower_bound(first, schedule.events.end(), range.end, earlier)};
}

std::string register_list(timing::LRegMask registers) {
  std::string list;
  for (unsigned reg = 0; registers >> reg != 0; ++reg) {
    if ((registers >> reg & 1U) != 0) list += fmt::format("{}L{}", list.empty() ? "" : " ", reg);
  }
  return list;
}

std::string short_text(const Event& event) {
  std::string_view name = mnemonic(kDefaultArch, event.op.op);
  if (name.starts_with("SFP")) name.remove_prefix(3);
  const std::string written = register_list(event.writes);
  if (!written.empty()) return fmt::format("{} {}", name, written);
  if (event.dst_row >= 0) return fmt::format("{} {}", name, event.dst_row);
  return std::string(name);
}

std::string event_text(Arch arch, const Event& event) {
  if (!event.scheduled) return isa::disassemble(arch, event.op.word);
  const std::string read = register_list(event.reads);
  std::string text(mnemonic(arch, event.op.op));
  if (event.op.op == isa::Op::SFPSTORE)
    return fmt::format("{} Dst {} <- {}", text, event.dst_row, read);
  const std::string written = register_list(event.writes);
  if (!written.empty()) text += " " + written;
  if (!read.empty()) text += " <- " + read;
  return text;
}

char sub_unit_letter(isa::SubUnit sub_unit) {
  switch (sub_unit) {
    case isa::SubUnit::Load: return 'L';
    case isa::SubUnit::Simple: return 'S';
    case isa::SubUnit::Mad: return 'M';
    case isa::SubUnit::Round: return 'R';
    case isa::SubUnit::Store: return 'W';
    case isa::SubUnit::None: break;
  }
  return 'o';
}

} // namespace lanewise::report
