#include "reference/program.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "reference/evaluation.h"

namespace lanewise::lab {
namespace {

constexpr std::size_t kX = 0, kY = 1, kFirstConstant = 2;
/// Slots are counted from here while the number of constants is not known yet.
constexpr std::size_t kFirstSlot = kLongestExpression + kFirstConstant;

bool is_same(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

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
  Step step{.function = at.function};
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

IntervalBlock BlockProgram::run(const double* x, const double* y, std::size_t count,
                                BlockWorkspace& workspace) const {
  const std::size_t constants = constants_.size();
  workspace.resize(constants + slots_);
  for (std::size_t i = 0; i < constants; ++i) {
    std::fill_n(workspace.low(i), count, constants_[i].low);
    std::fill_n(workspace.high(i), count, constants_[i].high);
  }
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
  for (const Step& step : steps_) {
    std::array<IntervalBlock, kMostOperands> operands;
    for (unsigned i = 0; i < step.function->operands; ++i) operands[i] = block_at(step.operands[i]);
    const std::size_t slot = step.result - kFirstSlot;
    double* const low = workspace.low(slot + constants);
    double* const high = workspace.high(slot + constants);
    step.function->evaluate_block(operands.data(), count, low, high);
    is_point[slot] = is_same(low, high, count) ? 1 : 0;
  }
  return block_at(result_);
}

} // namespace lanewise::lab
