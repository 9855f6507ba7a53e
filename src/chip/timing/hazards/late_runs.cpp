#include "chip/timing/hazards/late_runs.h"

#include <algorithm>

#include "chip/isa/effects.h"
#include "chip/machine/executor.h"
#include "chip/timing/same_future.h"
#include "chip/timing/word_facts.h"

namespace lanewise::timing {

namespace {

/// What a schedule looks at may depend on what such an event has computed.
bool moves_configuration(Arch arch, const Event& event) {
  if ((isa::parts_written(event.op.op) & isa::part::kVectorConfig) != 0) return true;
  return !event.scheduled && known_word_facts(arch, event.op.word).is_template_write;
}

/// Whether a run can be cut: not where results of another program are still under way.
bool can_be_spliced(const MachineState& start) {
  return start.resting.empty();
}

} // namespace

LateRuns::LateRuns(const MachineState& start, const MicroProgram& program, HazardModel model)
    : start_(start),
      program_(program),
      model_(model),
      splices_(can_be_spliced(start)),
      usual_(start),
      before_(start, program, {.model = model}),
      executed_(start) {
  if (!splices_) {
    execute(usual_, schedule(start, program, {.model = model}).ops(program));
    return;
  }
  Clock whole(start, program, {.model = model});
  whole.run_out();
  events_ = whole.events();
  checks_ = whole.checks();
  ops_ = make_sequence(events_, checks_, model, &cuts_);
  execute(usual_, ops_);
  const Arch arch = start.config.arch();
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (moves_configuration(arch, events_[i])) configured_ = i + 1;
}

std::optional<MachineState> LateRuns::late(const LatePush& push) {
  if (!splices_) return run_whole(push);
  advance_to(push.op);
  Clock late = before_;
  late.pause_before(push.word, push.pause);
  const std::optional<Rejoined> rejoined = rejoin(late, push.op);
  // The cycle of the first common event may see what the one before it has left.
  const auto end =
      rejoined ? std::ranges::upper_bound(cuts_, rejoined->usual_event, {}, &SequenceCut::event)
               : cuts_.end();
  const SequenceCut* common = end == cuts_.end() ? nullptr : &*end;
  MachineState state = executed_;
  execute(state, late_ops(late, rejoined ? &*rejoined : nullptr, common));
  if (common == nullptr) return state;
  const std::span<const MicroOp> usual(ops_);
  const std::size_t begin = cuts_[cut_].op;
  MachineState usual_there = executed_;
  execute(usual_there, usual.subspan(begin, common->op - begin));
  if (same_future(state, usual_there)) return std::nullopt;
  execute(state, usual.subspan(common->op));
  return state;
}

/// Before the word that brings `op`.
void LateRuns::advance_to(std::uint32_t op) {
  before_.advance_to(op);
  before_.forget();
  const std::span<const MicroOp> ops(ops_);
  for (; cut_ + 1 < cuts_.size() && cuts_[cut_ + 1].event < before_.all_events(); ++cut_)
    execute(executed_, ops.subspan(cuts_[cut_].op, cuts_[cut_ + 1].op - cuts_[cut_].op));
}

/// Runs `late` until it goes on as it would without its pause, or to its end.
std::optional<LateRuns::Rejoined> LateRuns::rejoin(Clock& late, std::uint32_t op) {
  Clock usual = before_;
  for (std::size_t next = op + 1; next <= program_.ops.size(); ++next) {
    usual.advance_to(next);
    late.advance_to(next);
    scheduled_ += 2;
    if (late.goes_on_like(usual, usual.all_events() < configured_))
      return Rejoined{usual.all_events(), usual.cycle(), late.cycle()};
  }
  late.run_out();
  return std::nullopt;
}

/// The micro-ops of a late run from `cut_` to `end`, which is one of the usual run, or to the end.
std::vector<MicroOp> LateRuns::late_ops(const Clock& late, const Rejoined* rejoined,
                                        const SequenceCut* end) const {
  const SequenceCut& begin = cuts_[cut_];
  const std::size_t paused = before_.all_events(); // events before it are the usual ones
  const auto at = [](const auto& all, std::size_t i) {
    return all.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::vector<Event> events(at(events_, begin.event), at(events_, paused));
  std::vector<ConfigurationCheck> checks;
  const auto add_check = [&](std::size_t event, std::uint64_t digest) {
    checks.push_back({event - begin.event, digest});
  };
  for (std::size_t i = begin.check; i < checks_.size() && checks_[i].event < paused; ++i)
    add_check(checks_[i].event, checks_[i].digest);
  events.insert(events.end(), late.events().begin(), late.events().end());
  for (const ConfigurationCheck& check : late.checks()) add_check(check.event, check.digest);
  if (rejoined == nullptr) return make_sequence(events, checks, model_);
  const std::size_t last = end == nullptr ? events_.size() : end->event;
  for (std::size_t i = rejoined->usual_event; i < last; ++i) {
    Event& event = events.emplace_back(events_[i]);
    event.cycle += rejoined->late_cycle - rejoined->usual_cycle;
  }
  for (const ConfigurationCheck& check : checks_) {
    if (check.event < rejoined->usual_event || check.event >= last) continue;
    add_check(check.event - rejoined->usual_event + late.all_events(), check.digest);
  }
  return make_sequence(events, checks, model_);
}

MachineState LateRuns::run_whole(const LatePush& push) const {
  MachineState state = start_;
  const ScheduleOptions options{.model = model_, .pauses = {{push.word, push.pause}}};
  execute(state, schedule(start_, program_, options).ops(program_));
  return state;
}

} // namespace lanewise::timing
