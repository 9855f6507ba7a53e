// The multiply-add: documented examples, properties that the reference states, and that the
// branch-free forms agree with the step-by-step one.
#include "chip/semantics/fma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "semantics/random_bits.h"

namespace lanewise::semantics {
namespace {

constexpr int kTriples = 2'000'000;

constexpr bool is_nan(Lane v) {
  return (v & ~kSign) > kInfinity;
}

TEST(Fma, DocumentedExamples) { // VU 3.3
  struct Example {
    Lane x, y, z, blackhole, wormhole;
  };
  constexpr Example kExamples[] = {
      {0x80000000, 0x3F800000, 0x80000000, 0x80000000, 0x00000000}, // -0 + -0
      {0x80000000, 0x3F800000, 0x00000000, 0x00000000, 0x00000000}, // mixed zeros
      {0x80800000, 0x3F000000, 0x00000000, 0x80000000, 0x00000000}, // flush after the add
      {0x00FFFFFF, 0x3F000000, 0x00000000, 0x00800000, 0x00000000}, // rounding out of the denormals
      {0x80FFFFFF, 0x3F000000, 0x80000000, 0x80800000, 0x00000000},
      {0x7F800000, 0x00000000, 0x3FC00000, 0x7FC00000, 0x7FC00001}, // leaked mantissa on Wormhole
      {0x7F800000, 0x00000000, 0x00000000, 0x7FC00000, 0x7F800001},
      {0xFF800000, 0x3F800000, 0x7F800000, 0x7FC00000, 0xFF800001}, // opposite infinities
      {0x7F7FFFFF, 0x40000000, 0xFF800000, 0xFF800000, 0x7FFFFFFF}, // overflow against -Inf
      {0x7F7FFFFF, 0x40000000, 0xFF7FFFFF, 0x7F800000, 0x7F800000}, // overflow is not undone
      {0x7FC00001, 0x3F800000, 0x3F800000, 0x7FC00000, 0x7F800001},
      {0x41355D2A, 0x3F48BF1C, 0x3A75D6A0, 0x410E3C04, 0x410E3C04}, // not a true fused result
      {0xC174F8A1, 0x417E7A3F, 0xC1683829, 0xC3810397, 0xC3810396}, // Wormhole's lost sticky bit
      {0xBDFE22D3, 0xBE76B9F7, 0x3AD3D89F, 0x3D0115CF, 0x3D0115CE},
      {0x3F800001, 0x3F800001, 0xBF800002, 0x32800000, 0x32800000}, // sticky bit counts as a unit
  };
  for (const Example& e : kExamples) {
    SCOPED_TRACE(::testing::Message() << std::hex << e.x << ' ' << e.y << ' ' << e.z);
    EXPECT_EQ(fma_exact(Arch::Blackhole, e.x, e.y, e.z), e.blackhole);
    EXPECT_EQ(fma_exact(Arch::Wormhole, e.x, e.y, e.z), e.wormhole);
    // A product does not know the order of its factors (VU 3.1 step 2).
    EXPECT_EQ(fma_exact(Arch::Blackhole, e.y, e.x, e.z), e.blackhole);
    EXPECT_EQ(fma_exact(Arch::Wormhole, e.y, e.x, e.z), e.wormhole);
  }
}

TEST(Fma, SmallIntegersAreExact) {
  // Everything fits the datapath's 24 bits and more, so that no rounding rule can matter.
  for (Arch arch : kArchs) {
    for (int x = -40; x <= 40; ++x) {
      for (int y = -40; y <= 40; ++y) {
        for (int z = -1700; z <= 1700; z += 85) {
          const auto bits = [](int v) { return std::bit_cast<Lane>(static_cast<float>(v)); };
          ASSERT_EQ(fma_exact(arch, bits(x), bits(y), bits(z)), bits(x * y + z))
              << x << '*' << y << '+' << z;
        }
      }
    }
  }
}

TEST(Fma, ResultsThatNoChipDelivers) {
  test::BiasedFloats random(1);
  for (int i = 0; i < kTriples; ++i) {
    const auto [x, y, z] = random.triple();
    const Lane blackhole = fma_exact<Arch::Blackhole>(x, y, z);
    const Lane wormhole = fma_exact<Arch::Wormhole>(x, y, z);
    // VU 3.1 step 9 and 3.2: no denormals; but the addend passes unchanged only if it is normal.
    ASSERT_TRUE((blackhole & ~kSign) == 0 || exponent_field(blackhole) != 0);
    // VU C42: Blackhole's NaN is canonical.
    if (is_nan(blackhole)) {
      ASSERT_EQ(blackhole, 0x7FC00000U);
    }
    // VU 3.2, consequence: Wormhole has no -0, and its NaNs have bit 0 set.
    ASSERT_TRUE(wormhole == 0 || exponent_field(wormhole) != 0);
    if (is_nan(wormhole)) {
      ASSERT_EQ(wormhole & 1, 1U);
    }
  }
}

TEST(Fma, NegatingProductAndAddendNegatesTheResult) {
  // VU 3.1: signs enter only through sp, sz and the rules for zeros and NaNs.
  test::BiasedFloats random(2);
  for (int i = 0; i < kTriples; ++i) {
    const auto [x, y, z] = random.triple();
    for (Arch arch : kArchs) {
      const Lane result = fma_exact(arch, x, y, z);
      if (is_nan(result) || (result & ~kSign) == 0) continue;
      ASSERT_EQ(fma_exact(arch, x ^ kSign, y, z ^ kSign), result ^ kSign)
          << std::hex << x << ' ' << y << ' ' << z;
    }
  }
}

/// Triples, a vector of them at a time.
template <class U>
class LanesOfTriples {
 public:
  static constexpr unsigned kWidth = sizeof(U) / sizeof(Lane);

  Lane& operator()(unsigned operand, unsigned lane) { return lanes_[operand][lane]; }
  U vector(unsigned operand) const {
    U vector;
    std::memcpy(&vector, lanes_[operand].data(), sizeof vector);
    return vector;
  }

  /// Where `result` is not fma_exact()'s, of lanes in which `care` is not set.
  template <Arch A>
  ::testing::AssertionResult are(U result, U care = U{}) {
    std::array<Lane, kWidth> results, careful;
    std::memcpy(results.data(), &result, sizeof result);
    std::memcpy(careful.data(), &care, sizeof care);
    for (unsigned lane = 0; lane < kWidth; ++lane) {
      const auto [x, y, z] = std::array{lanes_[0][lane], lanes_[1][lane], lanes_[2][lane]};
      if (careful[lane] != 0 || results[lane] == fma_exact<A>(x, y, z)) continue;
      return ::testing::AssertionFailure() << std::hex << x << " * " << y << " + " << z << " = "
                                           << results[lane] << ", not " << fma_exact<A>(x, y, z);
    }
    return ::testing::AssertionSuccess();
  }

 private:
  std::array<std::array<Lane, kWidth>, 3> lanes_;
};

/// Hands random triples over, as many at a time as U has lanes.
template <class U, class Look>
void for_random_triples(std::uint32_t seed, Look&& look) {
  test::BiasedFloats random(seed);
  LanesOfTriples<U> triples;
  for (int i = 0; i < kTriples; i += triples.kWidth) {
    for (unsigned lane = 0; lane < triples.kWidth; ++lane) {
      const auto triple = random.triple();
      for (unsigned operand = 0; operand < 3; ++operand) triples(operand, lane) = triple[operand];
    }
    look(triples);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// fma_common in lanes of type U against fma_exact; returns the share of lanes that needed no care.
template <Arch A, class U>
double compare_forms(std::uint32_t seed) {
  int easy = 0;
  for_random_triples<U>(seed, [&](LanesOfTriples<U>& triples) {
    U care{};
    const U value = fma_common<A>(triples.vector(0), triples.vector(1), triples.vector(2), care);
    ASSERT_TRUE((triples.template are<A>(value, care)));
    std::array<Lane, LanesOfTriples<U>::kWidth> careful;
    std::memcpy(careful.data(), &care, sizeof care);
    easy += static_cast<int>(std::count(careful.begin(), careful.end(), 0U));
  });
  return static_cast<double>(easy) / kTriples;
}

template <Arch A, class U>
void expect_complete(std::uint32_t seed) {
  for_random_triples<U>(seed, [](LanesOfTriples<U>& triples) {
    ASSERT_TRUE((triples.template are<A>(
        fma_complete<A>(triples.vector(0), triples.vector(1), triples.vector(2)))));
  });
}

// Wider vectors are what the lane kernels are made of; the machine's tests compare those at every
// level.
typedef Lane Vector16 __attribute__((vector_size(16)));

template <class U>
class FmaForms : public ::testing::Test {};
using LaneTypes = ::testing::Types<Lane, Vector16>;
TYPED_TEST_SUITE(FmaForms, LaneTypes);

TYPED_TEST(FmaForms, AgreeWhereNoCareIsNeeded) {
  // The triples are full of special values; a comparison of nothing would prove nothing.
  EXPECT_GT((compare_forms<Arch::Blackhole, TypeParam>(3)), 0.2);
  EXPECT_GT((compare_forms<Arch::Wormhole, TypeParam>(4)), 0.2);
}

TYPED_TEST(FmaForms, TheCompleteOneNeedsNoCare) { // VU 3.1, 3.2
  expect_complete<Arch::Blackhole, TypeParam>(5);
  expect_complete<Arch::Wormhole, TypeParam>(6);
}

/// Of every pair of exponents: mantissas that round far or not at all, and addends that are
/// special, next to the product, or behind the place where it ends.
template <Arch A>
void expect_complete_for_all_exponents() {
  constexpr std::array<Lane, 4> kMantissas{0, 1, 0x7FFFFF, 0x400000};
  test::BiasedFloats random(7);
  LanesOfTriples<Vector16> triples;
  for (Lane pair = 0; pair < 256 * 256; ++pair) {
    const Lane ex = pair >> 8, ey = pair & 255, pe = ex + ey - kBias;
    const std::array<Lane, 4> ez{pe + random.bits() % 5 - 2, pe + random.bits() % 61 - 30,
                                 random.bits() % 3, 255 - random.bits() % 3};
    for (unsigned lane = 0; lane < triples.kWidth; ++lane) {
      const auto number = [&](Lane exponent) {
        return (random.bits() & kSign) | (exponent & 255) << 23 | kMantissas[random.bits() % 4];
      };
      triples(0, lane) = number(ex), triples(1, lane) = number(ey),
                 triples(2, lane) = number(ez[lane]);
    }
    ASSERT_TRUE(
        (triples.are<A>(fma_complete<A>(triples.vector(0), triples.vector(1), triples.vector(2)))));
  }
}

TEST(Fma, TheCompleteFormKnowsAllExponents) {
  expect_complete_for_all_exponents<Arch::Blackhole>();
  expect_complete_for_all_exponents<Arch::Wormhole>();
}

template <Arch A>
void expect_no_care_for_moderate_numbers() {
  test::BiasedFloats random(5);
  for (int i = 0; i < kTriples; ++i) {
    const Lane x = random.moderate(), y = random.moderate(), z = random.moderate();
    Lane care = 0;
    const Lane result = fma_common<A>(x, y, z, care);
    ASSERT_EQ(care, 0U) << std::hex << x << ' ' << y << ' ' << z;
    ASSERT_EQ(result, fma_exact<A>(x, y, z)) << std::hex << x << ' ' << y << ' ' << z;
  }
}

TEST(Fma, OrdinaryNumbersNeedNoCare) {
  expect_no_care_for_moderate_numbers<Arch::Blackhole>();
  expect_no_care_for_moderate_numbers<Arch::Wormhole>();
}

} // namespace
} // namespace lanewise::semantics
