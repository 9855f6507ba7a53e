#include "timing/summary.h"

#include "isa/matrix_ops.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lanewise::timing {

namespace {

std::size_t index(StallCause cause) {
  return static_cast<std::size_t>(cause);
}

double sum(const StallCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

/// Applies an operation to every number of two figures.
template <class Operation>
Figures combine(const Figures& a, const Figures& b, Operation operation) {
  Figures result;
  for (double Figures::*member :
       {&Figures::cycles, &Figures::slots, &Figures::discarded, &Figures::scheduled, &Figures::rows,
        &Figures::operations, &Figures::products}) {
    result.*member = operation(a.*member, b.*member);
  }
  const auto each = [&](auto member) {
    auto& out = result.*member;
    std::transform((a.*member).begin(), (a.*member).end(), (b.*member).begin(), out.begin(),
                   operation);
  };
  each(&Figures::visible);
  each(&Figures::hidden);
  each(&Figures::sub_unit_busy);
  each(&Figures::unit_instructions);
  each(&Figures::bounds);
  return result;
}

void count_issues(const Schedule& schedule, std::size_t issues, Figures& figures) {
  StallCycles waited{};
  for (std::size_t i = 0; i < issues; ++i) {
    const Issue& issue = schedule.issues[i];
    figures.visible[index(issue.before_cause)] += issue.before;
    waited[index(issue.inside_cause)] += issue.inside;
    if (issue.discarded) ++figures.discarded;
  }
  // What waited inside shows as soon as the next instruction finds the unit taken; its cause is
  // then the same.
  for (std::size_t cause = 0; cause < kStallCauses; ++cause)
    figures.hidden[cause] = std::max(0.0, waited[cause] - figures.visible[cause]);
}

void count_event(const Event& event, Arch arch, Figures& figures) {
  if (event.scheduled) ++figures.scheduled;
  figures.operations += event.operations;
  if (isa::is_matrix_arithmetic(event.op.op)) ++figures.products;
  // A store that becomes a macro template reads nothing (VU C13).
  if (event.op.op == isa::Op::SFPSTORE && event.reads != 0) ++figures.rows;
  if (event.sub_unit != isa::SubUnit::None) return;
  if (const isa::Row* row = isa::find_row(arch, event.op.op))
    ++figures.unit_instructions[static_cast<std::size_t>(row->unit)];
}

} // namespace

double Figures::visible_stalls() const {
  return sum(visible);
}

double Figures::hidden_stalls() const {
  return sum(hidden);
}

double Figures::front_end_bubbles() const {
  return visible[index(StallCause::Recording)] + visible[index(StallCause::Push)];
}

std::optional<double> Figures::cycles_per_row() const {
  if (rows <= 0) return std::nullopt;
  return cycles / rows;
}

Figures Figures::operator-(const Figures& other) const {
  return combine(*this, other, std::minus<>());
}

Figures Figures::operator/(double divisor) const {
  return combine(*this, *this, [divisor](double value, double) { return value / divisor; });
}

Figures count(const Schedule& schedule, const MicroProgram& program, std::size_t issues) {
  Figures figures;
  if (issues == 0) return figures;
  figures.slots = static_cast<double>(issues);
  figures.cycles = static_cast<double>(schedule.issues[issues - 1].slot + 1);
  count_issues(schedule, issues, figures);
  for (const Event& event : schedule.events) {
    if (event.issue < issues) count_event(event, schedule.arch, figures);
  }
  const auto busy = busy_cycles(schedule, issues);
  std::transform(busy.begin(), busy.end(), figures.sub_unit_busy.begin(),
                 [](std::uint64_t cycles) { return static_cast<double>(cycles); });
  figures.bounds = lower_bounds(schedule, program, issues);
  return figures;
}

Summary summarize(const Schedule& schedule, const MicroProgram& program, std::size_t passes) {
  Summary summary{count(schedule, program, schedule.issues.size()), std::nullopt};
  if (passes > 1) {
    const std::size_t earlier = passes / 2;
    const Figures before = count(schedule, program, schedule.issues.size() / passes * earlier);
    summary.pass = (summary.total - before) / static_cast<double>(passes - earlier);
  }
  return summary;
}

Timing time_program(const MachineState& start, const MicroProgram& program, Schedule schedule,
                    std::size_t passes) {
  Timing timing{std::move(schedule), {}, std::nullopt};
  timing.summary = summarize(timing.schedule, program, passes);
  if (timing.schedule.arch != Arch::Wormhole) return timing;
  const auto pushed = [&](double interval) {
    return summarize(timing::schedule(start, program, {.push_interval = interval}), program,
                     passes);
  };
  const std::array band{pushed(kFastestPush), pushed(kSlowestPush)};
  if (band[1].total.cycles > timing.summary.total.cycles) timing.pushed = band;
  return timing;
}

} // namespace lanewise::timing
