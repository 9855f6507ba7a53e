#include "chip/timing/summary.h"

#include "chip/isa/matrix_ops.h"

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
       {&Figures::cycles, &Figures::slots, &Figures::discarded, &Figures::scheduled,
        &Figures::stores, &Figures::operations, &Figures::products}) {
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

void count_issues(const Schedule& schedule, const MicroProgram& program, Selection selection,
                  Figures& figures) {
  StallCycles waited{};
  for (std::size_t i = 0; i < selection.issues; ++i) {
    if (!selection.contains(schedule, program, i)) continue;
    const Issue& issue = schedule.issues[i];
    ++figures.slots;
    figures.cycles += 1 + issue.before;
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
  if (event.op.op == isa::Op::SFPSTORE && event.reads != 0) ++figures.stores;
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

Figures Figures::operator-(const Figures& other) const {
  return combine(*this, other, std::minus<>());
}

Figures Figures::operator/(double divisor) const {
  return combine(*this, *this, [divisor](double value, double) { return value / divisor; });
}

Figures count(const Schedule& schedule, const MicroProgram& program, Selection selection) {
  Figures figures;
  count_issues(schedule, program, selection, figures);
  for (const Event& event : schedule.events) {
    if (selection.contains(schedule, program, event.issue))
      count_event(event, schedule.arch, figures);
  }
  const auto busy = busy_cycles(schedule, program, selection);
  std::transform(busy.begin(), busy.end(), figures.sub_unit_busy.begin(),
                 [](std::uint64_t cycles) { return static_cast<double>(cycles); });
  figures.bounds = lower_bounds(schedule, program, selection);
  return figures;
}

Figures count(const Schedule& schedule, const MicroProgram& program) {
  return count(schedule, program, Selection{.issues = schedule.issues.size()});
}

} // namespace lanewise::timing
