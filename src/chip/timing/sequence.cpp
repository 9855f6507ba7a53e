#include "chip/timing/sequence.h"

#include <algorithm>

#include "chip/isa/effects.h"
#include "chip/machine/scheduled.h"
#include "chip/timing/access.h"
#include "chip/timing/clocked_state.h"

namespace lanewise::timing {

namespace {

using isa::SubUnit;

/// What events of one cycle compete for: LReg[0..16] are bits 0..16.
namespace resource {
constexpr std::uint32_t kRegisters = 0x1FFFF;
constexpr std::uint32_t kFlags = 1U << 17;
constexpr std::uint32_t kConfiguration = 1U << 18;
constexpr std::uint32_t kDst = 1U << 19;
constexpr std::uint32_t kEverything = (1U << 20) - 1;
} // namespace resource

/// In whichever mode.
bool draws_random_numbers(const MicroOp& op) {
  return isa::may_draw_random_numbers(op.op);
}

/// One thing to do in a cycle: an event, or the release of a result that was held.
struct Step {
  const Event* event = nullptr; ///< nullptr: a release
  std::uint32_t reads = 0, writes = 0;
  bool held = false;       ///< its result is written at the end of the cycle
  bool until_next = false; ///< or of the next
  unsigned slot = 0;       ///< of ClockState::held
  bool regular = false;
};

Step step_of(const Event& event) {
  Step step;
  step.event = &event;
  step.reads = event.reads;
  step.writes = event.writes;
  step.regular = !event.scheduled;
  if (event.sub_unit == SubUnit::None) {
    step.reads = step.writes = resource::kEverything; // after everything else, see precedes()
    return step;
  }
  step.reads |= resource::kFlags | resource::kConfiguration;
  if (writes_flags(event.op)) step.writes |= resource::kFlags;
  if ((isa::parts_written(event.op.op) & isa::part::kVectorConfig) != 0)
    step.writes |= resource::kConfiguration;
  if (is_load(event.op)) step.reads |= resource::kDst;
  if (is_store(event.op)) step.writes |= resource::kDst;
  return step;
}

/// Makes the sequence, cycle after cycle.
class Sequencer {
 public:
  Sequencer(std::span<const Event> events, std::span<const ConfigurationCheck> checks,
            HazardModel model)
      : events_(events), checks_(checks), model_(model) {}

  std::vector<MicroOp> run(std::vector<SequenceCut>* cuts) {
    ops_.reserve(2 * events_.size()); // more than most need
    for (std::size_t first = 0; first < events_.size();) {
      const std::size_t last = end_of_cycle(first);
      settle_before(events_[first].cycle);
      if (cuts != nullptr && carried_.empty()) cuts->push_back({first, next_check_, ops_.size()});
      cycle(events_.subspan(first, last - first),
            events_.subspan(last, following_cycle_end(first, last) - last));
      first = last;
    }
    for (const Step& each : carried_) release_result(each);
    return std::move(ops_);
  }

 private:
  std::size_t end_of_cycle(std::size_t first) const {
    std::size_t last = first;
    while (last < events_.size() && events_[last].cycle == events_[first].cycle) ++last;
    return last;
  }

  /// The end of the cycle right after that of `first`, or `last` if nothing happens in it.
  std::size_t following_cycle_end(std::size_t first, std::size_t last) const {
    const bool adjacent = last < events_.size() && events_[last].cycle == events_[first].cycle + 1;
    return adjacent ? end_of_cycle(last) : last;
  }

  /// Results held over a cycle in which nothing happens.
  void settle_before(std::uint64_t cycle) {
    if (carried_until_ >= cycle) return;
    for (const Step& each : carried_) release_result(each);
    carried_.clear();
  }

  bool documented() const { return model_ == HazardModel::Documented; }

  /// In the documented model, a regular instruction sees what the regular one before it writes.
  bool sees_at_once(const Step& reader, const Step& writer) const {
    return documented() && reader.regular && writer.regular;
  }

  bool must_hold_until_next(const Step& step, std::span<const Event> same,
                            std::span<const Event> next) const {
    if (step.event->latency < 2) return false;
    const std::uint32_t written = step.writes & resource::kRegisters;
    for (const Event& other : same) {
      if (&other != step.event && (other.writes & written) != 0) return true;
    }
    for (const Event& other : next) {
      if (other.sub_unit == SubUnit::None) continue;
      if (sees_at_once(step_of(other), step)) continue;
      if (((other.reads | other.writes) & written) != 0) return true;
    }
    return false;
  }

  /// Whether `a` must come before `b` in their cycle; `a` stands before `b` in `steps_` if
  /// `earlier`.
  bool precedes(const Step& a, const Step& b, bool earlier) const {
    const bool a_other = a.event != nullptr && a.event->sub_unit == SubUnit::None;
    const bool b_other = b.event != nullptr && b.event->sub_unit == SubUnit::None;
    if (a_other || b_other) return b_other && (!a_other || earlier);
    const std::uint32_t b_writes = in_place(b) & ~ignored_;
    if (a.event == nullptr && b.event == nullptr) return earlier && (a.writes & b.writes) != 0;
    if (a.event == nullptr && b.event != nullptr && sees_at_once(b, a))
      return ((b.reads | b.writes) & a.writes) != 0;
    if (b.event == nullptr && a.event != nullptr && sees_at_once(a, b)) return false;
    // A held instruction takes what is there before its cycle for the value that it changes.
    const std::uint32_t needed = a.reads | (a.held ? a.writes & resource::kRegisters : 0);
    if ((needed & b_writes) != 0) return true;
    const bool both_random = a.event != nullptr && b.event != nullptr &&
                             draws_random_numbers(a.event->op) && draws_random_numbers(b.event->op);
    return both_random && earlier;
  }

  /// What a step writes at its place in the sequence.
  static std::uint32_t in_place(const Step& step) {
    const std::uint32_t held = step.held ? resource::kRegisters | resource::kFlags : 0;
    return step.writes & ~held;
  }

  void cycle(std::span<const Event> events, std::span<const Event> next) {
    std::swap(steps_, carried_);
    carried_.clear();
    order_.clear();
    for (const Event& event : events) insert_by_rank(order_, event);
    for (const Event* event : order_) add_step(step_of(*event), events, next);
    emit_in_order();
    carry_over(events.front().cycle + 1);
  }

  /// Adds a step of the cycle, held where its result must not be seen yet, or must come last.
  void add_step(Step step, std::span<const Event> same, std::span<const Event> next) {
    if (step.event->sub_unit != SubUnit::None) {
      step.until_next = must_hold_until_next(step, same, next);
      if (step.until_next || overwrites(step)) hold(step);
    }
    steps_.push_back(step);
  }

  /// Whether an earlier step of the cycle writes the same registers, and the two are not simply in
  /// program order.
  bool overwrites(const Step& step) const {
    const std::uint32_t registers = step.writes & resource::kRegisters;
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step& before) {
      return (before.writes & registers) != 0 && !sees_at_once(step, before);
    });
  }

  void hold(Step& step) {
    step.held = true;
    const auto taken = std::find(slots_.begin(), slots_.end(), false);
    step.slot = static_cast<unsigned>(taken - slots_.begin());
    if (taken == slots_.end()) slots_.push_back(false);
    slots_[step.slot] = true;
  }

  void release_result(const Step& step) {
    ops_.push_back(release(step.slot, step.writes & resource::kRegisters));
    slots_[step.slot] = false;
  }

  /// Appends the steps of the cycle. Where they wait for each other in a circle, one is held.
  void emit_in_order() {
    done_.assign(steps_.size(), false);
    held_until_end_.clear();
    for (std::size_t left = steps_.size(); left > 0; --left) {
      std::size_t chosen = first_free();
      if (chosen == steps_.size()) chosen = break_circle();
      emit(steps_[chosen]);
      done_[chosen] = true;
      const Step& step = steps_[chosen];
      if (step.held && !step.until_next) held_until_end_.push_back(chosen);
    }
    std::sort(held_until_end_.begin(), held_until_end_.end()); // the later result stays
    for (std::size_t i : held_until_end_) release_result(steps_[i]);
  }

  std::size_t first_free() const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (done_[i]) continue;
      bool free = true;
      for (std::size_t j = 0; j < steps_.size() && free; ++j)
        free = j == i || done_[j] || !precedes(steps_[j], steps_[i], j < i);
      if (free) return i;
    }
    return steps_.size();
  }

  /// Holds the first step whose writes stand in the others' way.
  std::size_t break_circle() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (done_[i] || steps_[i].event == nullptr || steps_[i].held) continue;
      if ((steps_[i].writes & resource::kRegisters) == 0) continue;
      hold(steps_[i]);
      const std::size_t free = first_free();
      if (free != steps_.size()) return free;
    }
    // Nothing that can be held is left. A load and a store of one cycle hardly ever meet in Dst.
    ignored_ = resource::kDst;
    const std::size_t free = first_free();
    ignored_ = 0;
    if (free != steps_.size()) return free;
    return static_cast<std::size_t>(std::find(done_.begin(), done_.end(), false) - done_.begin());
  }

  void emit(const Step& step) {
    if (step.event == nullptr) return release_result(step);
    const auto index = static_cast<std::size_t>(step.event - events_.data());
    for (; next_check_ < checks_.size() && checks_[next_check_].event <= index; ++next_check_)
      ops_.push_back(lanewise::check_configuration(checks_[next_check_].digest));
    const std::uint32_t registers = step.writes & resource::kRegisters;
    if (step.held) ops_.push_back(begin_hold(step.slot, registers));
    ops_.push_back(step.event->op);
    if (step.held) ops_.push_back(end_hold(step.slot, registers, sure_write(*step.event)));
  }

  /// What is held until the end of the next cycle becomes a release there.
  void carry_over(std::uint64_t next_cycle) {
    for (const Step& each : steps_) {
      if (!each.until_next) continue;
      Step written;
      written.writes = each.writes & resource::kRegisters;
      written.slot = each.slot;
      written.regular = each.regular;
      carried_.push_back(written);
    }
    carried_until_ = next_cycle;
  }

  std::span<const Event> events_;
  std::span<const ConfigurationCheck> checks_;
  HazardModel model_;
  std::vector<MicroOp> ops_;
  std::vector<Step> steps_;   ///< of the current cycle: releases, then events by rank
  std::vector<Step> carried_; ///< releases that belong to the end of cycle carried_until_
  std::uint64_t carried_until_ = 0;
  std::vector<const Event*> order_; ///< events of the cycle, by rank
  std::vector<bool> done_;          ///< of `steps_`, whether they are in the sequence
  std::vector<std::size_t> held_until_end_;
  std::vector<bool> slots_; ///< of ClockState::held, whether in use
  std::size_t next_check_ = 0;
  std::uint32_t ignored_ = 0; ///< resources that decide no order for now
};

} // namespace

std::vector<MicroOp> make_sequence(std::span<const Event> events,
                                   std::span<const ConfigurationCheck> checks, HazardModel model,
                                   std::vector<SequenceCut>* cuts) {
  return Sequencer(events, checks, model).run(cuts);
}

} // namespace lanewise::timing
