#include "number/references/program.h"

#include <algorithm>
#include <array>

#include "number/references/evaluation.h"

namespace lanewise::references {
namespace {

constexpr std::size_t kX = 0, kY = 1, kFirstConstant = 2;
/// Slots are counted from here while the number of constants is not known yet.
constexpr std::size_t kFirstSlot = kLongestExpression + kFirstConstant;

} // namespace

BlockProgram::BlockProgram(const Expression& expression) {
  result_ = place_of(expression, expression.nodes.size() - 1);
}

std::size_t BlockProgram::take_slot() {
  if (free_slots_.empty()) return kFirstSlot + slots_++;
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

std::size_t BlockProgram::place_of(const Expression& expression, std::size_t node) {
  const ExpressionNode& at = expression.nodes[node];
  if (at.kind == ExpressionNode::Kind::X) return kX;
  if (at.kind == ExpressionNode::Kind::Y) return kY;
  if (at.is_constant) {
    constants_.push_back(evaluate_constant(expression, node));
    return kFirstConstant + constants_.size() - 1;
  }
  Step step{.function = static_cast<std::size_t>(at.function - reference_functions().data()),
            .operand_count = at.function->operands,
            .flat_parts = flat_parts(at.function->name)};
  for (unsigned i = 0; i < at.function->operands; ++i) {
    step.operands[i] = place_of(expression, at.operands[i]);
  }
  // Taken before the operands are given back: a function does not write where it reads.
  step.result = take_slot();
  for (unsigned i = 0; i < at.function->operands; ++i) {
    if (step.operands[i] >= kFirstSlot) free_slots_.push_back(step.operands[i]);
  }
  steps_.push_back(step);
  return step.result;
}

void BlockProgram::prepare(BlockWorkspace& workspace) const {
  workspace.resize(constants_.size() + slots_);
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    std::fill_n(workspace.low(i), kBlockSize, constants_[i].low);
    std::fill_n(workspace.high(i), kBlockSize, constants_[i].high);
  }
}

bool BlockProgram::is_flat(const Step& step, const double* x, std::size_t count) const {
  if (step.operands[0] != kX || &step != &steps_.back() || count != kBlockSize) return false;
  return std::ranges::any_of(step.flat_parts, [&](FlatPart part) {
    return part.above < x[0] && x[0] < part.below && reference_kernels().lie_in(part, x);
  });
}

IntervalBlock BlockProgram::run(const double* x, const double* y, std::size_t count,
                                BlockWorkspace& workspace) const {
  const ReferenceKernels& kernels = reference_kernels();
  const std::size_t constants = constants_.size();
  // Where all ends are equal, the upper ones are not kept apart.
  thread_local std::vector<char> is_point;
  is_point.assign(slots_, 0);
  const auto block_at = [&](std::size_t place) -> IntervalBlock {
    if (place == kX) return {x, x};
    if (place == kY) return {y, y};
    const bool is_slot = place >= kFirstSlot;
    const std::size_t index = is_slot ? place - kFirstSlot + constants : place - kFirstConstant;
    const double* low = workspace.low(index);
    return {low, is_slot && is_point[place - kFirstSlot] != 0 ? low : workspace.high(index)};
  };
  bool is_uniform = false;
  for (const Step& step : steps_) {
    std::array<IntervalBlock, kMostOperands> operands;
    for (unsigned i = 0; i < step.operand_count; ++i) operands[i] = block_at(step.operands[i]);
    const std::size_t slot = step.result - kFirstSlot;
    is_uniform = is_flat(step, x, count);
    const bool all_points = kernels.functions[step.function](
        operands.data(), is_uniform ? kBlockUnit : count, workspace.low(slot + constants),
        workspace.high(slot + constants), reference_functions()[step.function].evaluate_interval);
    is_point[slot] = all_points ? 1 : 0;
  }
  IntervalBlock result = block_at(result_);
  result.is_uniform = is_uniform;
  return result;
}

Interval BlockProgram::at(double x, double y) const {
  thread_local std::vector<Interval> slots;
  slots.resize(slots_);
  const auto value_at = [&](std::size_t place) {
    if (place == kX) return point(x);
    if (place == kY) return point(y);
    return place >= kFirstSlot ? slots[place - kFirstSlot] : constants_[place - kFirstConstant];
  };
  for (const Step& step : steps_) {
    std::array<Interval, kMostOperands> operands;
    for (unsigned i = 0; i < step.operand_count; ++i) operands[i] = value_at(step.operands[i]);
    slots[step.result - kFirstSlot] =
        reference_functions()[step.function].evaluate_interval(operands.data());
  }
  return value_at(result_);
}

} // namespace lanewise::references
