// An expression ready to be evaluated in intervals of doubles: over blocks of inputs, in vectors,
// and at single points.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "number/references/expression.h"
#include "number/references/interval.h"
#include "number/references/kernels/level_kernels.h"

namespace lanewise::references {

/// The memory that evaluation needs; each thread has its own.
class BlockWorkspace {
 public:
  /// Makes room for constants and intermediate results.
  void resize(std::size_t slots) {
    if (ends_.size() < slots * 2 * kBlockSize) ends_.resize(slots * 2 * kBlockSize);
  }
  double* low(std::size_t slot) { return &ends_[slot * 2 * kBlockSize]; }
  double* high(std::size_t slot) { return low(slot) + kBlockSize; }

 private:
  std::vector<double> ends_;
};

class BlockProgram {
 public:
  /// Parts without x and y are evaluated here, once.
  explicit BlockProgram(const Expression& expression);

  /// To be called before run() whenever the workspace may have been another program's.
  void prepare(BlockWorkspace& workspace) const;

  /// The expression at `count` <= kBlockSize points, by the functions of the level in use. `x` and
  /// `y` are read up to in_units(count). What is returned lies in the workspace, or is `x` or `y`
  /// itself.
  IntervalBlock run(const double* x, const double* y, std::size_t count,
                    BlockWorkspace& workspace) const;

  /// The expression at one point, by the functions of one interval.
  Interval at(double x, double y) const;

 private:
  struct Step {
    std::size_t function = 0; ///< its row in reference_functions()
    unsigned operand_count = 0;
    std::array<std::size_t, kMostOperands> operands = {};
    std::size_t result = 0;
    std::span<const FlatPart> flat_parts; ///< of the function
  };
  /// Where a value is: 0 is x, 1 is y, then the constants, then the slots of results.
  std::size_t place_of(const Expression& expression, std::size_t node);
  std::size_t take_slot();
  /// Whether the step is the last one, and its function is flat over all of the inputs.
  bool is_flat(const Step& step, const double* x, std::size_t count) const;

  std::vector<Interval> constants_;
  std::vector<Step> steps_;
  std::size_t slots_ = 0; ///< of results, not counting constants
  std::vector<std::size_t> free_slots_;
  std::size_t result_ = 0;
};

} // namespace lanewise::references
