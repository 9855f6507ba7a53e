// Comparisons as docs/comparisons.md has them, edges included.
#include <limits>

#include "oracle/interpreter_bench.h"

namespace lanewise::lab {
namespace {

class Comparisons : public OnEveryChip {
 protected:
  /// Bit r: relation r holds; LT, LE, EQ, NE, GE, GT.
  unsigned relations(std::uint32_t left, std::uint32_t right, NumberType type) {
    Bench fresh(GetParam());
    KernelWriter& w = fresh.write;
    const auto a = w.constant(left), b = w.constant(right);
    for (unsigned r = 0; r < 6; ++r) {
      const auto holds = w.compare(a, static_cast<Relation>(r), b, type);
      w.store(w.from_condition(holds), static_cast<std::int32_t>(2 * r), kInt32);
    }
    fresh.run_clean();
    unsigned result = 0;
    for (unsigned r = 0; r < 6; ++r) result |= fresh.dst(2 * r)[0] << r;
    return result;
  }
  unsigned floats(float left, float right) {
    return relations(bits(left), bits(right), NumberType::Float);
  }
  unsigned integers(std::int64_t left, std::int64_t right) {
    return relations(static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right),
                     NumberType::Int);
  }
};
LANEWISE_ON_BOTH_CHIPS(Comparisons);

constexpr unsigned kLess = 0b001011, kEqual = 0b010110, kGreater = 0b111000;

TEST_P(Comparisons, IntegersIgnoreOverflow) {
  EXPECT_EQ(integers(3, 4), kLess);
  EXPECT_EQ(integers(4, 4), kEqual);
  EXPECT_EQ(integers(-1, -5), kGreater);
  EXPECT_EQ(integers(0, -1), kGreater);
  // 2^31 - 1 and -1 are 2^31 apart: the sign of either difference is set.
  EXPECT_EQ(integers(0x7FFFFFFF, -1), 0b101001U);
  EXPECT_EQ(integers(0x7FFFFFFF, -2), kLess);
  EXPECT_EQ(integers(INT32_MIN, 0), 0b101001U);
}

TEST_P(Comparisons, UnsignedComparesAsSigned) {
  EXPECT_EQ(relations(0xFFFFFFFF, 1, NumberType::UInt), kLess);
}

TEST_P(Comparisons, FloatsInOrder) {
  EXPECT_EQ(floats(1.5F, 2.5F), kLess);
  EXPECT_EQ(floats(-2.5F, -1.5F), kLess);
  EXPECT_EQ(floats(2.5F, 2.5F), kEqual);
  EXPECT_EQ(floats(1e30F, -1e30F), kGreater);
}

TEST_P(Comparisons, WithZeroTheSignAndTheBitsDecide) {
  EXPECT_EQ(floats(0.0F, 0.0F), kEqual);
  EXPECT_EQ(floats(1.0F, 0.0F), kGreater);
  EXPECT_EQ(floats(-1.0F, 0.0F), kLess);
  EXPECT_EQ(floats(-0.0F, 0.0F), kLess);                            // its sign is set
  EXPECT_EQ(relations(0x7FC00000, 0, NumberType::Float), kGreater); // NaN
  EXPECT_EQ(relations(0xFFC00000, 0, NumberType::Float), kLess);    // negative NaN
  EXPECT_EQ(relations(0x00000001, 0, NumberType::Float), kGreater); // denormal
}

TEST_P(Comparisons, EdgesAreTheChips) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::uint32_t nan = 0x7FC00000;
  if (GetParam() == Arch::Blackhole) { // total order of the bits
    EXPECT_EQ(floats(0.0F, -0.0F), kGreater);
    EXPECT_EQ(floats(kInf, kInf), kEqual);
    EXPECT_EQ(floats(-kInf, 3.0F), kLess);
    EXPECT_EQ(relations(nan, bits(kInf), NumberType::Float), kGreater);
    EXPECT_EQ(relations(nan, nan, NumberType::Float), kEqual);
  } else {
    // The difference of +0 and -0 is +0: neither is less, and the bits differ.
    EXPECT_EQ(floats(0.0F, -0.0F), 0b011010U);
    EXPECT_EQ(floats(-kInf, 3.0F), kLess);
    // Inf - Inf is a NaN with the sign of its first product, -Inf: less and greater, and equal
    // bits.
    EXPECT_EQ(floats(kInf, kInf), 0b100101U);
    // Denormals are zeros to the multiply-add, so none is less; the bits differ.
    EXPECT_EQ(relations(1, 2, NumberType::Float), 0b011010U);
  }
}

} // namespace
} // namespace lanewise::lab
