#include "study/tune/flag_test.h"

#include "study/tune/modes.h"

namespace lanewise::tune {

namespace {

using isa::Op;

constexpr std::uint8_t kNegative = mod::kLt0, kNotNegative = mod::kGte0;
constexpr std::uint8_t kZero = mod::kEq0, kNotZero = mod::kNe0;

std::optional<FlagTest> test_of_sum(const MicroOp& op) {
  const bool inverts = (op.mod & mod::kAddGte0) != 0;
  if (inverts && (op.mod & mod::kNoFlags) != 0) return std::nullopt;
  return FlagTest{.lreg = op.vd, .mode = inverts ? kNotNegative : kNegative, .is_of_result = true};
}

} // namespace

bool is_compare(const MicroOp& op) {
  return op.op == Op::SFPGT || op.op == Op::SFPLE;
}

bool is_only_control(const MicroOp& op) {
  return op.op == Op::SFPSETCC || op.op == Op::SFPENCC || op.op == Op::SFPPUSHC ||
         op.op == Op::SFPPOPC || op.op == Op::SFPCOMPC ||
         (is_compare(op) && (op.mod & mod::kCompareValue) == 0);
}

std::optional<FlagTest> flag_test(const MicroOp& op) {
  if (op.op == Op::SFPIADD) return test_of_sum(op);
  if ((op.mod & mod::kSetFlags) == 0) return std::nullopt;
  const bool inverts = (op.mod & mod::kComplement) != 0;
  if (op.op == Op::SFPEXEXP)
    return FlagTest{
        .lreg = op.vd, .mode = inverts ? kNotNegative : kNegative, .is_of_result = true};
  if (op.op == Op::SFPLZ)
    return FlagTest{.lreg = op.vc,
                    .mode = inverts ? kZero : kNotZero,
                    .is_without_sign = (op.mod & mod::kWithoutSign) != 0};
  return std::nullopt;
}

} // namespace lanewise::tune
