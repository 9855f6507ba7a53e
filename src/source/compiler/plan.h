// What instruction selection decides before it writes the first instruction: the order of the
// operations, which constants become immediates, and which operations can write straight into the
// variable they are assigned to.
#pragma once

#include <optional>
#include <vector>

#include "source/compiler/ir.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {

/// Which sums and products with a literal in FP16b become SFPADDI and SFPMULI.
enum class FloatImmediates : std::uint8_t {
  Negating,  ///< where the other operand is free; on Blackhole of `literal - x`, too
  WhereFree, ///< where the other operand is free
  Always     ///< all: the other operand is copied before, and in `literal - x` negated
};

struct Plan {
  std::vector<Value> order;            ///< nodes that are emitted, in order
  std::vector<std::uint32_t> position; ///< in `order`, of each node; kNone if it is not there
  std::vector<std::uint32_t> last_use; ///< the last position that reads the value from a register
  std::vector<std::uint32_t> uses;     ///< operands that read the value from a register
  /// The Assign into whose variable the node writes its result at once, or kNone.
  std::vector<Value> merge;
  /// Set for an operation that runs where the comparison that needs it is tested: it is not in
  /// `order`, its position is that of the test.
  std::vector<bool> at_test;
  /// Set for a read of a programmable constant that changes before the last use of the value.
  std::vector<bool> snapshot;
  FloatImmediates float_immediates = FloatImmediates::Negating;
};

/// Where constants are loaded.
enum class ConstantLoads : std::uint8_t {
  WhereMade, ///< once, where the source has them: a variable that gets one, before what follows
  Once,      ///< just before their first use
  Anew ///< for each use; and what only a comparison reads is loaded from Dst where it is tested
};

Plan make_plan(const Recording& recording, ConstantLoads loads);

/// The operand of `node` that its instruction takes as an immediate, if any.
std::optional<unsigned> immediate_operand(const Recording& recording, const Plan& plan, Value node);

/// Whether a sum or product with that operand as an immediate takes the other one's negative:
/// literal - x.
bool negates_operand(const Recording& recording, const Node& node, unsigned constant);

/// The immediate that SFPIADD adds to the left side of a comparison of integers whose right side is
/// a constant, if it is made so: up to 7.69 and for ==, !=, <, >= that which subtracts the
/// constant; since 7.71 for > and <= one less. Of a difference that is tested against the literal
/// 0, none.
std::optional<std::int32_t> compared_sum(const Recording& recording, const Node& compare);

/// Whether SFPIADD takes the number as its immediate: 12 bits with sign.
bool fits_imm12(std::int64_t value);

/// The constant register that holds the value, if one does: 8, 9, 10, 11 or a programmable one.
std::optional<unsigned> constant_register(const Recording& recording, const Plan& plan,
                                          Value value);

/// Whether LReg[7] names the LReg of the result, lane by lane: SFPLUTFP32 with three entries of
/// FP16 (VU C44).
bool has_indirect_result(const Recording& recording, const Node& node);

/// Whether the result comes to be where an operand is: that of Grayskull's SFPLUT, in LReg[3].
bool has_fixed_result(const Recording& recording, const Node& node);

/// Whether the register of `value` is free to be overwritten by `user`: nobody reads it later, or
/// it is the old value of the variable that `user` computes.
bool may_overwrite(const Recording& recording, const Plan& plan, Value value, Value user);

} // namespace lanewise::compiler
