// SFPARECIP's tables (VU 3.9): documented sums and values, the closed forms in double precision,
// and the reference's list where it is at hand.
#include "chip/semantics/arecip.h"
#include "project.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

namespace lanewise::semantics {
namespace {

/// The reference counts mantissas (recip) and table entries of 8 bits (exp), see VU 3.9's three
/// ranges of b.
Lane exponential_entry(std::uint16_t upper_half) {
  // Below e^b = 2 the entry is the mantissa; below 4 too; from 4 on it is 128 + mantissa.
  const Lane exponent = upper_half >> 7, mantissa = upper_half & 0x7F;
  return exponent >= 129 ? 128 + mantissa : mantissa;
}

TEST(ReciprocalTable, Sum) { // VU 3.9
  EXPECT_EQ(std::accumulate(kReciprocalTable.begin(), kReciprocalTable.end(), 0), 6331);
}

TEST(ReciprocalTable, IsTheReciprocalAtTheMiddleOfTheInterval) { // VU 3.9
  for (unsigned i = 0; i < 128; ++i) {
    EXPECT_EQ(kReciprocalTable[i], std::lround(65536.0 / (257 + 2 * i)) - 128) << i;
  }
}

TEST(ExponentialTable, Sum) { // VU 3.9
  Lane sum = 0;
  for (std::uint16_t entry : kExponentialTable) sum += exponential_entry(entry);
  EXPECT_EQ(sum, 38082U);
}

TEST(ExponentialTable,
     IsTheExponentialCutToBf16) { // VU 3.9; nothing is nearer than 0.0013 to a step
  for (Lane i = 0; i < 896; ++i) {
    const double b = std::bit_cast<float>((0x3C80 + i) << 16);
    const auto exact = static_cast<float>(std::exp(b));
    EXPECT_EQ(kExponentialTable[i], std::bit_cast<Lane>(exact) >> 16) << i;
  }
}

TEST(ExponentialTable, ThreeRangesOfTheReference) { // VU 3.9, the form with floor()
  for (Lane i = 0; i < 896; ++i) {
    const double b = std::bit_cast<float>((0x3C80 + i) << 16);
    const double e = std::exp(b);
    const double entry = b < 0.6953125 ? std::floor(128 * (e - 1))
                         : e < 4       ? std::floor(128 * (e / 2 - 1))
                                       : 128 + std::floor(128 * (e / 4 - 1));
    EXPECT_EQ(exponential_entry(kExponentialTable[i]), static_cast<Lane>(entry)) << i;
  }
}

TEST(Tables, AgreeWithTheListOfTheReference) {
  const auto path = in_project("../shared/reference/sfparecip-tables.csv");
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "the list of both tables is not at hand";
  std::string line;
  std::getline(file, line);
  ASSERT_EQ(line, "table,index,value");
  int entries = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string table, index, value;
    std::getline(fields, table, ',');
    std::getline(fields, index, ',');
    std::getline(fields, value, ',');
    const auto i = static_cast<std::size_t>(std::stoi(index));
    const Lane found =
        table == "recip" ? kReciprocalTable.at(i) : exponential_entry(kExponentialTable.at(i));
    EXPECT_EQ(found, static_cast<Lane>(std::stoi(value))) << line;
    ++entries;
  }
  EXPECT_EQ(entries, 128 + 896);
}

TEST(ApproximateReciprocal, DocumentedValues) { // VU 3.9
  EXPECT_EQ(approximate_reciprocal(kOne), 0x3F7F0000U);
  EXPECT_EQ(approximate_reciprocal(0x3F80FFFF), 0x3F7F0000U) << "the low 16 bits are dropped";
  EXPECT_EQ(approximate_reciprocal(0), kInfinity);
  EXPECT_EQ(approximate_reciprocal(0x007FFFFF), kInfinity) << "denormal";
  EXPECT_EQ(approximate_reciprocal(0x00800000), (252U << 23) | 127U << 16) << "2^-126";
  EXPECT_EQ(approximate_reciprocal(0x7E7FFFFF), 1U << 23)
      << "the last with a normal result: T[127] = 0";
  EXPECT_EQ(approximate_reciprocal(0x7E800000), 0U);
  EXPECT_EQ(approximate_reciprocal(0x7F800000), 0U) << "Inf";
  EXPECT_EQ(approximate_reciprocal(0x7FC00000), 0U) << "NaN";
}

TEST(ApproximateReciprocal, KeepsTheErrorBound) { // seed 000, 3.21
  for (Lane x = 0x00800000U; x < 0x7E800000U; x += 4099) {
    const double product = static_cast<double>(std::bit_cast<float>(x)) *
                           static_cast<double>(std::bit_cast<float>(approximate_reciprocal(x)));
    ASSERT_GT(product, 0.9944) << std::hex << x;
    ASSERT_LT(product, 1.0054) << std::hex << x;
  }
}

TEST(ApproximateExponential, DocumentedValues) { // VU 3.9
  EXPECT_EQ(approximate_exponential(kOne), 0x402D0000U);
  EXPECT_EQ(approximate_exponential(0x3F801234), 0x402D1234U) << "the low half is copied";
  EXPECT_EQ(approximate_exponential(0), kOne);
  EXPECT_EQ(approximate_exponential(0x007FFFFF), kOne) << "denormal";
  EXPECT_EQ(approximate_exponential(0x00800000), 0x3F810000U);
  EXPECT_EQ(approximate_exponential(0x3C7FABCD), 0x3F81ABCDU) << "below 2^-6";
  EXPECT_EQ(approximate_exponential(0x40000000), 0x40800000U);
  EXPECT_EQ(approximate_exponential(0x7FC01234), 0x40801234U) << "NaN";
}

} // namespace
} // namespace lanewise::semantics
