#include "chip/timing/clocked_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "chip/isa/effects.h"
#include "chip/machine/executor.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

namespace {

using isa::Op;

unsigned register_number(unsigned i) {
  return i < kWritableLRegs ? i : kMacroLReg;
}

bool changes_predication_or_configuration(Op op) {
  return isa::may_enable_lanes(op) || (isa::parts_written(op) & isa::part::kVectorConfig) != 0;
}

} // namespace

Results results_of(bool has_macros, HazardModel model) {
  return has_macros || model != HazardModel::Documented ? Results::Clocked : Results::Immediate;
}

Results results_of(const MicroProgram& program, HazardModel model) {
  return results_of(
      std::ranges::any_of(program.ops, [](const MicroOp& op) { return op.op == Op::SFPLOADMACRO; }),
      model);
}

unsigned execution_rank(const Event& event) {
  if (event.sub_unit == isa::SubUnit::None) return 3;
  if (changes_predication_or_configuration(event.op.op)) return 2;
  return is_store(event.op) ? 1 : 0;
}

void insert_by_rank(std::vector<const Event*>& order, const Event& event) {
  const auto rank = [](const Event* each) { return execution_rank(*each); };
  order.insert(std::ranges::upper_bound(order, rank(&event), {}, rank), &event);
}

void ClockedState::take(Registers& registers) const {
  for (unsigned i = 0; i < kHeldRegisters; ++i)
    std::memcpy(registers.lreg[i], state_.vector.lreg[register_number(i)],
                sizeof registers.lreg[i]);
  registers.flags = state_.vector.flags;
}

void ClockedState::put(const Registers& registers) {
  for (unsigned i = 0; i < kHeldRegisters; ++i)
    std::memcpy(state_.vector.lreg[register_number(i)], registers.lreg[i],
                sizeof registers.lreg[i]);
  state_.vector.flags = registers.flags;
}

/// What the event has made of `before`.
void ClockedState::note_result(const Event& event, const Registers& before) {
  const SureWrite sure = sure_write(event);
  Result& result = results_.emplace_back();
  result.visible = event.cycle + event.latency;
  result.regular = !event.scheduled;
  take(result.value);
  const Registers& after = result.value;
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    result.lanes[i] = sure.lanes_of(register_number(i), state_.vector);
    if (std::memcmp(before.lreg[i], after.lreg[i], sizeof before.lreg[i]) == 0) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result.lanes[i] |= static_cast<std::uint32_t>(before.lreg[i][lane] != after.lreg[i][lane])
                         << lane;
  }
  result.flag_lanes = before.flags ^ after.flags;
}

/// Writes a result; `row_of(i)` has the lanes of held register i.
template <class RowOf>
void ClockedState::write(const Result& result, const RowOf& row_of, std::uint32_t& flags) {
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    if (result.lanes[i] == kAllLanes) {
      std::ranges::copy(result.value.lreg[i], row_of(i));
      continue;
    }
    for (std::uint32_t left = result.lanes[i]; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      row_of(i)[lane] = result.value.lreg[i][lane];
    }
  }
  flags = (flags & ~result.flag_lanes) | (result.value.flags & result.flag_lanes);
}

void ClockedState::apply(Registers& registers, const Result& result) {
  write(
      result, [&](unsigned i) { return registers.lreg[i]; }, registers.flags);
}

void ClockedState::apply_to_state(const Result& result) {
  VectorState& vector = state_.vector;
  write(
      result, [&](unsigned i) { return vector.lreg[register_number(i)]; }, vector.flags);
}

void ClockedState::settle_results(std::uint64_t cycle) {
  const auto is_due = [cycle](const Result& each) { return each.visible <= cycle; };
  for (const Result& each : results_)
    if (is_due(each)) due_.push_back(&each);
  if (due_.empty()) return;
  if (!std::ranges::is_sorted(due_, {}, &Result::visible))
    std::ranges::stable_sort(due_, {}, &Result::visible);
  for (const Result* each : due_) apply_to_state(*each);
  due_.clear();
  std::erase_if(results_, is_due);
}

bool ClockedState::holds_the_same(std::uint64_t cycle, const ClockedState& other,
                                  std::uint64_t other_cycle) const {
  return std::ranges::equal(results_, other.results_, [&](const Result& a, const Result& b) {
    return a.visible - cycle == b.visible - other_cycle && a.regular == b.regular &&
           a.flag_lanes == b.flag_lanes && std::ranges::equal(a.lanes, b.lanes) &&
           a.value == b.value;
  });
}

/// `is_at_base`: the machine has these registers.
void ClockedState::execute(const Event& event, const Registers& base, bool is_at_base) {
  Registers seen = base;
  // In the documented model, regular instructions see each other's results in program order.
  if (!event.scheduled && model_ == HazardModel::Documented) {
    for (const Result& each : results_) {
      if (!each.regular || each.visible <= event.cycle || each.visible > event.cycle + 1) continue;
      apply(seen, each);
      is_at_base = false;
    }
  }
  if (!is_at_base) put(seen);
  lanewise::execute(state_, std::span(&event.op, 1));
  if (event.sub_unit == isa::SubUnit::None) return;
  note_result(event, seen);
}

void ClockedState::step(std::uint64_t cycle, std::span<const Event> events) {
  if (when_ == Results::Immediate) {
    // At most an instruction of the Vector Unit and, behind it, one of another unit.
    for (const Event& event : events) lanewise::execute(state_, std::span(&event.op, 1));
    return;
  }
  settle(cycle);
  Registers base;
  take(base);
  for (const Event& event : events) insert_by_rank(order_, event);
  for (const Event* event : order_) execute(*event, base, event == order_.front());
  order_.clear();
  put(base);
}

} // namespace lanewise::timing
