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

Results results_of(const MicroProgram& program, HazardModel model) {
  const bool schedules =
      std::ranges::any_of(program.ops, [](const MicroOp& op) { return op.op == Op::SFPLOADMACRO; });
  return schedules || model != HazardModel::Documented ? Results::Clocked : Results::Immediate;
}

unsigned execution_rank(const Event& event) {
  if (event.sub_unit == isa::SubUnit::None) return 3;
  if (changes_predication_or_configuration(event.op.op)) return 2;
  return is_store(event.op) ? 1 : 0;
}

ClockedState::Registers ClockedState::take() const {
  Registers registers;
  for (unsigned i = 0; i < kHeldRegisters; ++i)
    std::memcpy(registers.lreg[i], state_.vector.lreg[register_number(i)],
                sizeof registers.lreg[i]);
  registers.flags = state_.vector.flags;
  return registers;
}

void ClockedState::put(const Registers& registers) {
  for (unsigned i = 0; i < kHeldRegisters; ++i)
    std::memcpy(state_.vector.lreg[register_number(i)], registers.lreg[i],
                sizeof registers.lreg[i]);
  state_.vector.flags = registers.flags;
}

ClockedState::Result ClockedState::result_of(const Event& event, const Registers& before,
                                             const Registers& after) const {
  const SureWrite sure = sure_write(event);
  Result result{.visible = event.cycle + event.latency,
                .regular = !event.scheduled,
                .value = after,
                .lanes = {},
                .flag_lanes = 0};
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    result.lanes[i] = sure.lanes_of(register_number(i), state_.vector);
    if (std::memcmp(before.lreg[i], after.lreg[i], sizeof before.lreg[i]) == 0) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result.lanes[i] |= static_cast<std::uint32_t>(before.lreg[i][lane] != after.lreg[i][lane])
                         << lane;
  }
  result.flag_lanes = before.flags ^ after.flags;
  return result;
}

void ClockedState::apply(Registers& registers, const Result& result) {
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    if (result.lanes[i] == kAllLanes) {
      std::ranges::copy(result.value.lreg[i], registers.lreg[i]);
      continue;
    }
    for (std::uint32_t left = result.lanes[i]; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      registers.lreg[i][lane] = result.value.lreg[i][lane];
    }
  }
  registers.flags =
      (registers.flags & ~result.flag_lanes) | (result.value.flags & result.flag_lanes);
}

void ClockedState::settle(std::uint64_t cycle) {
  const auto is_due = [cycle](const Result& each) { return each.visible <= cycle; };
  if (std::ranges::none_of(results_, is_due)) return;
  if (!std::ranges::is_sorted(results_, {}, &Result::visible))
    std::ranges::stable_sort(results_, {}, &Result::visible);
  Registers registers = take();
  for (const Result& each : results_) {
    if (is_due(each)) apply(registers, each);
  }
  put(registers);
  std::erase_if(results_, is_due);
}

void ClockedState::execute(const Event& event, const Registers& base) {
  Registers seen = base;
  // In the documented model, regular instructions see each other's results in program order.
  if (!event.scheduled && model_ == HazardModel::Documented) {
    for (const Result& each : results_) {
      if (each.regular && each.visible > event.cycle && each.visible <= event.cycle + 1)
        apply(seen, each);
    }
  }
  put(seen);
  lanewise::execute(state_, std::span(&event.op, 1));
  if (event.sub_unit == isa::SubUnit::None) return;
  results_.push_back(result_of(event, seen, take()));
}

void ClockedState::step(std::uint64_t cycle, std::span<const Event> events) {
  if (when_ == Results::Immediate) {
    // At most an instruction of the Vector Unit and, behind it, one of another unit.
    for (const Event& event : events) lanewise::execute(state_, std::span(&event.op, 1));
    return;
  }
  settle(cycle);
  const Registers base = take();
  std::vector<const Event*> order;
  for (const Event& event : events) order.push_back(&event);
  if (order.size() > 1) {
    std::ranges::stable_sort(order, {}, [](const Event* event) { return execution_rank(*event); });
  }
  for (const Event* event : order) execute(*event, base);
  put(base);
}

} // namespace lanewise::timing
