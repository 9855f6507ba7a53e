#include "run/oracle/random_expression.h"

#include <algorithm>
#include <array>

#include "chip/isa/fields.h"

namespace lanewise::oracle {

using compiler::kNone;
using compiler::NumberType;
using compiler::Relation;
using compiler::Value;
using isa::kMode;
using isa::Op;

namespace {

constexpr unsigned kMostDepth = 4;

constexpr unsigned kNegate = kMode<Op::SFPMOV, "NEGATE">;
constexpr unsigned kSpecial = kMode<Op::SFPMOV, "FROM_SPECIAL">;
constexpr unsigned kRandomNumbers = 9; ///< special source of SFPMOV
/// SFPSETEXP, SFPSETMAN, SFPSETSGN, SFPSHFT, SFPIADD; SFPDIVP2 adds its immediate.
constexpr unsigned kImmediate = kMode<Op::SFPSETEXP, "ARG_IMM">;
static_assert(kImmediate == kMode<Op::SFPSETMAN, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPSETSGN, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPSHFT, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPIADD, "ARG_IMM"> &&
              kImmediate == kMode<Op::SFPDIVP2, "ADD">);
constexpr unsigned kArithmetic = kMode<Op::SFPSHFT, "ARITHMETIC">;
constexpr unsigned kUseVc = kMode<Op::SFPSHFT, "ARG_IMM_USE_VC">;
constexpr unsigned kNoFlag = kMode<Op::SFPIADD, "CC_NONE">;
constexpr unsigned kSubtract = kMode<Op::SFPIADD, "ARG_2SCOMP_LREG_DST">;
constexpr unsigned kToFloatNearest = kMode<Op::SFPCAST, "SM32_TO_FP32_RNE">;
constexpr unsigned kToFloatStochastic = kMode<Op::SFPCAST, "SM32_TO_FP32_RNS">;
constexpr unsigned kRotate = kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1">;
constexpr unsigned kShiftLanes = kMode<Op::SFPSHFT2, "SUBVEC_SHFLSHR1">;
constexpr unsigned kToUint8 = kMode<Op::SFPSTOCHRND, "INT32_TO_UINT8">; // to int8 is the next one
static_assert(kToUint8 + 1 == kMode<Op::SFPSTOCHRND, "INT32_TO_INT8">);
constexpr unsigned kUseImm5 = kMode<Op::SFPSTOCHRND, "USE_IMM5">;
constexpr unsigned kExponentOfVd = kMode<Op::SFPSETEXP, "ARG_EXPONENT">;

/// SRCB, what most kernels have, is drawn more often.
constexpr std::array<unsigned, 13> kDstModes{
    kMode<Op::SFPLOAD, "SRCB">,    kMode<Op::SFPLOAD, "SRCB">,  kMode<Op::SFPLOAD, "SRCB">,
    kMode<Op::SFPLOAD, "FP16">,    kMode<Op::SFPLOAD, "BF16">,  kMode<Op::SFPLOAD, "FP32">,
    kMode<Op::SFPLOAD, "INT32">,   kMode<Op::SFPLOAD, "INT8">,  kMode<Op::SFPLOAD, "UINT16">,
    kMode<Op::SFPLOAD, "HI16">,    kMode<Op::SFPLOAD, "INT16">, kMode<Op::SFPLOAD, "LO16">,
    kMode<Op::SFPLOAD, "INT32_SM">};

} // namespace

std::uint32_t ExpressionMaker::narrow_constant() {
  const Arch arch = writer_.arch();
  switch (dice_.below(6)) {
    case 0: {
      constexpr std::array<std::uint32_t, 7> kNotable{
          0, 0x3F000000, 0xBF000000, 0x3F800000, 0x80000000, 0x7F800000, 0x7FC00000};
      return lane_of_float(arch, kNotable[dice_.below(kNotable.size())]);
    }
    case 1: return static_cast<std::uint32_t>(dice_.between(-64, 64));
    case 2: return static_cast<std::uint32_t>(dice_.between(-0x8000, 0xFFFF));
    case 3: return lane_of_float(arch, dice_.bits() & 0xFFFF0000U); // FP16b
    case 4:                                                         // 0.5 .. 8
      return lane_of_float(
          arch, (dice_.bits() & 0x80000000U) | (0x3F000000U + (dice_.bits() & 0x01FF0000U)));
    default: // FP16a
      return lane_of_float(
          arch, (dice_.bits() & 0x80000000U) | (0x38800000U + (dice_.bits() & 0x0EFFE000U)));
  }
}

unsigned ExpressionMaker::load_mode() {
  constexpr unsigned kRebias = kMode<Op::SFPLOAD, "REBIAS">; // NO_REBIAS is the next one
  return is_narrow() ? kRebias + dice_.below(2) : kDstModes[dice_.below(kDstModes.size())];
}

std::uint32_t ExpressionMaker::constant_bits() {
  if (is_narrow()) return narrow_constant();
  constexpr std::array<std::uint32_t, 12> kNotable{0,          0x3F800000, 0xBF800000, 0x3F56594B,
                                                   0x3F000000, 0x40000000, 0x80000000, 0x7F800000,
                                                   0x7FC00000, 0x7FFFFFFF, 0xFFFFFFFF, 1};
  const std::uint32_t sign = dice_.bits() & 0x80000000U;
  switch (dice_.below(8)) {
    case 0:
    case 1: return kNotable[dice_.below(kNotable.size())];
    case 2: return static_cast<std::uint32_t>(dice_.between(-64, 64));
    case 3: return static_cast<std::uint32_t>(dice_.between(-4096, 4096));
    case 4: return dice_.bits() & 0xFFFF0000U;                          // FP16b
    case 5: return sign | (0x38000000U + (dice_.bits() & 0x0FFFE000U)); // FP16a
    case 6: return sign | (0x3F000000U + (dice_.bits() & 0x01FFFFFFU)); // 0.5 .. 8
    default: return dice_.bits();
  }
}

std::int32_t ExpressionMaker::dst_address() {
  if (dice_.one_in(16)) return dice_.between(-64, 1023); // excess bits are dropped
  constexpr std::int32_t kTileRows = 64;
  const std::int32_t step = arch_params(writer_.arch()).vector.dst_rows_per_access;
  return step * dice_.between(0, kTileRows / step - 1);
}

Value ExpressionMaker::leaf() {
  const unsigned choice = dice_.below(10);
  if (choice < 6) {
    if (const Value variable = variable_within(writer_.context()); variable != kNone)
      return variable;
  }
  if (choice == 6) {
    constexpr unsigned kLast = 15;
    const unsigned first = arch_params(writer_.arch()).vector.lregs;
    return writer_.const_register(first + dice_.below(kLast - first + 1));
  }
  if (choice == 7 || choice == 0) {
    const unsigned mode = load_mode();
    return writer_.load(dst_address(), mode);
  }
  return writer_.constant(constant_bits());
}

Value ExpressionMaker::variable_within(std::uint32_t context) {
  std::vector<Value> usable;
  for (const Variable& variable : variables_) {
    if (variable.has_value &&
        compiler::is_within(writer_.recording(), context, variable.defined_in))
      usable.push_back(variable.value);
  }
  return usable.empty() ? kNone : usable[dice_.below(static_cast<unsigned>(usable.size()))];
}

Value ExpressionMaker::with_all_lanes() {
  constexpr std::uint32_t kWholeKernel = 0;
  if (const Value variable = variable_within(kWholeKernel); variable != kNone) return variable;
  return writer_.context() == kWholeKernel ? writer_.load(dst_address()) : kNone; // SFPSHFT2's
}

Value ExpressionMaker::vector(unsigned budget) {
  return vector(budget, dice_.below(kMostDepth));
}

Value ExpressionMaker::vector(unsigned budget, unsigned depth) {
  if (depth == 0) return leaf();
  if (budget < 2 || dice_.below(5) < 2) return unary(budget, depth - 1);
  if (budget >= 3 && dice_.one_in(10)) {
    const Value a = vector(budget - 2, depth - 1);
    const Value b = vector(budget - 2, depth - 1);
    const Value c = vector(budget - 2, depth - 1);
    return writer_.mad(a, b, c, is_blackhole() ? static_cast<std::uint8_t>(dice_.below(4)) : 0);
  }
  return binary(budget, depth - 1);
}

Value ExpressionMaker::unary(unsigned budget, unsigned depth) {
  if (!is_narrow() && dice_.one_in(12)) {
    if (const Value x = with_all_lanes(); x != kNone)
      return writer_.unary(Op::SFPSHFT2, dice_.one_in(2) ? kRotate : kShiftLanes, x);
  }
  if (options_.random_numbers && is_blackhole() && dice_.one_in(16)) {
    return writer_.unary(Op::SFPMOV, kSpecial, writer_.const_register(kRandomNumbers));
  }
  const Value x = vector(budget, depth);
  switch (dice_.below(options_.random_numbers ? 3 : 2)) {
    case 0: return float_field(x);
    case 1: return integer_unary(x);
    default: return rounding(x);
  }
}

Value ExpressionMaker::float_field(Value x) {
  switch (dice_.below(is_blackhole() ? 10 : 9)) {
    case 0: return writer_.unary(Op::SFPABS, kMode<Op::SFPABS, "FLOAT">, x);
    case 1: return writer_.unary(Op::SFPEXEXP, dice_.below(2), x);
    case 2: return writer_.unary(Op::SFPEXMAN, dice_.below(2), x);
    case 3: return writer_.unary(Op::SFPDIVP2, kImmediate, x, dice_.between(-128, 127));
    case 4: return writer_.unary(Op::SFPSETEXP, kImmediate, x, dice_.between(0, 255));
    case 5: return writer_.unary(Op::SFPSETMAN, kImmediate, x, dice_.between(0, 4095));
    case 6: return writer_.unary(Op::SFPSETSGN, kImmediate, x, dice_.between(0, 1));
    case 7:
    case 8: return writer_.unary(Op::SFPMOV, kNegate, x);
    default:
      return writer_.unary(
          Op::SFPARECIP,
          dice_.one_in(2) ? kMode<Op::SFPARECIP, "RECIP"> : kMode<Op::SFPARECIP, "EXP">, x);
  }
}

Value ExpressionMaker::integer_unary(Value x) {
  switch (dice_.below(is_narrow() ? 5 : 6)) {
    case 0: return writer_.unary(Op::SFPABS, kMode<Op::SFPABS, "INT">, x);
    case 1: return writer_.unary(Op::SFPNOT, 0, x);
    case 2: {
      const bool with_sign = is_narrow() || dice_.one_in(2);
      return writer_.unary(Op::SFPLZ, with_sign ? 0 : kMode<Op::SFPLZ, "NOSGN_MASK">, x);
    }
    case 3: return writer_.unary(Op::SFPIADD, kNoFlag | kImmediate, x, dice_.between(-2048, 2047));
    case 4: return shift(x, dice_.between(-33, 33));
    default: {
      constexpr std::array<unsigned, 3> kCasts{kToFloatNearest, // the others are Blackhole's own
                                               kMode<Op::SFPCAST, "INT32_ABS">,
                                               kMode<Op::SFPCAST, "INT32_SM32">};
      return writer_.unary(Op::SFPCAST, is_blackhole() ? kCasts[dice_.below(3)] : kToFloatNearest,
                           x);
    }
  }
}

Value ExpressionMaker::shift(Value x, std::int32_t amount) {
  if (!arch_params(writer_.arch()).vector.shift_has_modes)
    return writer_.instruction(Op::SFPSHFT, kImmediate, amount, {{3, x}});
  const unsigned arithmetic = dice_.one_in(2) ? kArithmetic : 0;
  return writer_.unary(Op::SFPSHFT, kImmediate | kUseVc | arithmetic, x, amount);
}

std::int32_t ExpressionMaker::rounding_mode() {
  constexpr unsigned kShift = 8;
  const unsigned modes = arch_params(writer_.arch()).vector.round_toward_zero ? 3 : 2;
  return static_cast<std::int32_t>(dice_.below(modes) << kShift);
}

Value ExpressionMaker::rounding(Value x) {
  constexpr std::array<unsigned, 6> kFromFloat{
      kMode<Op::SFPSTOCHRND, "FP32_TO_FP16A">,  kMode<Op::SFPSTOCHRND, "FP32_TO_FP16B">,
      kMode<Op::SFPSTOCHRND, "FP32_TO_UINT8">,  kMode<Op::SFPSTOCHRND, "FP32_TO_INT8">,
      kMode<Op::SFPSTOCHRND, "FP32_TO_UINT16">, kMode<Op::SFPSTOCHRND, "FP32_TO_INT16">};
  switch (dice_.below(4)) {
    case 0: return writer_.unary(Op::SFPCAST, kToFloatStochastic, x);
    case 1:
      return writer_.unary(Op::SFPSTOCHRND, kUseImm5 | (kToUint8 + dice_.below(2)), x,
                           rounding_mode() | dice_.between(0, 31));
    default:
      return writer_.unary(Op::SFPSTOCHRND, kFromFloat[dice_.below(kFromFloat.size())], x,
                           rounding_mode());
  }
}

Value ExpressionMaker::binary(unsigned budget, unsigned depth) {
  const Value a = vector(budget - 1, depth);
  const Value b = vector(budget - 1, depth);
  if (is_blackhole() && dice_.one_in(10)) return blackhole_binary(a, b);
  return two_vectors(a, b);
}

Value ExpressionMaker::blackhole_binary(Value a, Value b) {
  if (dice_.one_in(2))
    return writer_.instruction(Op::SFPARECIP, kMode<Op::SFPARECIP, "COND_RECIP">, 0,
                               {{1, a}, {2, b}});
  const Value zero = writer_.const_register(zero_lreg());
  return writer_.instruction(Op::SFPMUL24, dice_.below(2), 0, {{0, a}, {1, b}, {2, zero}});
}

Value ExpressionMaker::two_vectors(Value a, Value b) {
  switch (dice_.below(options_.random_numbers ? 16 : 15)) {
    case 0:
    case 1:
    case 2: return writer_.add(a, b);
    case 3:
    case 4: return writer_.sub(a, b);
    case 5:
    case 6:
    case 7: return writer_.mul(a, b);
    case 8: return writer_.two_address(Op::SFPIADD, kNoFlag, a, b);
    case 9: return writer_.two_address(Op::SFPIADD, kNoFlag | kSubtract, a, b);
    case 10: return writer_.two_address(Op::SFPAND, 0, a, b);
    case 11: return writer_.two_address(Op::SFPOR, 0, a, b);
    case 12: return writer_.two_address(is_narrow() ? Op::SFPAND : Op::SFPXOR, 0, a, b);
    case 13: {
      const bool has_modes = arch_params(writer_.arch()).vector.shift_has_modes;
      return writer_.two_address(Op::SFPSHFT, has_modes && dice_.one_in(2) ? kArithmetic : 0, a, b);
    }
    case 14:
      switch (dice_.below(4)) {
        case 0: return writer_.two_address(Op::SFPSETEXP, 0, a, b);
        case 1: return writer_.two_address(Op::SFPSETEXP, is_narrow() ? 0 : kExponentOfVd, a, b);
        case 2: return writer_.two_address(Op::SFPSETMAN, 0, a, b);
        default: return writer_.two_address(Op::SFPSETSGN, 0, a, b);
      }
    default:
      return writer_.instruction(Op::SFPSTOCHRND, kToUint8 + dice_.below(2), rounding_mode(),
                                 {{1, a}, {2, b}});
  }
}

// -------------------------------------------------------------------- conditions

NumberType ExpressionMaker::number_type() {
  switch (dice_.below(4)) {
    case 0: return NumberType::Int;
    case 1: return NumberType::UInt;
    default: return NumberType::Float;
  }
}

/// `temporaries`: LRegs that may still be kept for operands until the condition is tested.
Value ExpressionMaker::comparison(unsigned& temporaries) {
  const auto operand = [&](bool may_be_constant) -> Value {
    const Value variable = dice_.one_in(3) ? kNone : variable_within(writer_.context());
    if (variable != kNone) return variable;
    if (temporaries == 0) return writer_.const_register(zero_lreg());
    --temporaries;
    return may_be_constant && dice_.one_in(2) ? writer_.constant(constant_bits()) : vector(1);
  };
  const Value left = operand(false);
  if (dice_.one_in(3)) {
    return writer_.compare(
        left, relation(),
        dice_.one_in(2) ? writer_.constant(0U) : writer_.const_register(zero_lreg()),
        number_type());
  }
  return writer_.compare(left, relation(), operand(true), number_type());
}

Value ExpressionMaker::condition_tree(unsigned depth, unsigned& temporaries) {
  if (depth == 0 || dice_.one_in(3)) {
    const Value compare = comparison(temporaries);
    return dice_.one_in(6) ? writer_.negation(compare) : compare;
  }
  const Value left = condition_tree(depth - 1, temporaries);
  const Value right = condition_tree(depth - 1, temporaries);
  const Value tree = dice_.one_in(2) ? writer_.both(left, right) : writer_.either(left, right);
  return dice_.one_in(4) ? writer_.negation(tree) : tree;
}

Value ExpressionMaker::condition(unsigned budget, unsigned levels) {
  // While it is tested, a comparison needs a copy and a constant, and each level of the tree a
  // register for the lanes of one side.
  constexpr unsigned kMostLevels = 3;
  unsigned depth = std::min({levels, kMostLevels, budget - kConditionBudget});
  depth = dice_.below(depth + 1);
  unsigned temporaries = budget - kConditionBudget - depth;
  return condition_tree(depth, temporaries);
}

Value ExpressionMaker::condition_for_else(std::uint32_t around) {
  const auto operand = [&]() -> Value {
    const Value variable = variable_within(around);
    constexpr unsigned kLaneNumbers = 15;
    return variable != kNone && !dice_.one_in(3) ? variable : writer_.const_register(kLaneNumbers);
  };
  const Value left = operand();
  return writer_.compare(left, relation(), operand(), number_type());
}

} // namespace lanewise::oracle
