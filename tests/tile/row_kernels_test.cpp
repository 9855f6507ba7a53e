// Rows of unpackers and packers as vector code (chip/tile/row_kernels.h), at every level, against
// the same conversions datum by datum.
#include "chip/tile/row_kernels.h"

#include <algorithm>
#include <random>
#include <vector>

#include "chip/machine/simd_level.h"
#include "chip/semantics/pack_values.h"
#include "chip/tile/formats.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

using isa::DataFormat;
using semantics::Basis;
using semantics::Packing;
using semantics::Unpacking;

constexpr unsigned kRows = 64;
constexpr unsigned kPackings = 40'000;

class RowKernels : public testing::TestWithParam<Arch> {
 protected:
  void TearDown() override { set_simd_level(usual_); }

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  bool coin() { return (random_() & 1) != 0; }
  DataFormat format() { return static_cast<DataFormat>(random_() % isa::kDataFormatCodes); }

  /// Few bits set or clear now and then: zeros, denormals, infinities and their neighbours.
  std::uint32_t pattern() {
    switch (random_() % 6) {
      case 0: return bits() & bits() & bits() & bits();
      case 1: return bits() | bits() | bits() | bits();
      case 2: return bits() & 0x807F'00FF;
      case 3: return bits() | 0x7F80'0000;
      default: return bits();
    }
  }

  template <class Check>
  void at_each_level(Check&& check) {
    for (const SimdLevel level : available_simd_levels()) {
      set_simd_level(level);
      SCOPED_TRACE(simd_level_name(level));
      check(tile::row_kernels());
      if (HasFailure()) return;
    }
  }

  std::mt19937_64 random_{7};
  SimdLevel usual_ = simd_level();
};
LANEWISE_ON_BOTH_CHIPS(RowKernels);

/// Datum k of data that lie side by side.
std::uint32_t datum(const std::vector<std::uint8_t>& bytes, unsigned k, unsigned bits) {
  std::uint32_t value = 0;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned at = k * bits + bit;
    value |= static_cast<std::uint32_t>(bytes[at / 8] >> at % 8 & 1) << bit;
  }
  return value;
}

std::vector<Unpacking> known_unpackings(Arch arch) {
  std::vector<Unpacking> all;
  for (unsigned choice = 0; choice < 1U << 11; ++choice) {
    const Unpacking how{.arch = arch,
                        .in = static_cast<DataFormat>(choice & 15),
                        .out = static_cast<DataFormat>(choice >> 4 & 15),
                        .target = (choice >> 8 & 1) != 0 ? semantics::UnpackTarget::Dst
                                                         : semantics::UnpackTarget::SourceRegister,
                        .is_unsigned = (choice >> 9 & 1) != 0,
                        .fp8_has_long_mantissa = (choice >> 10 & 1) != 0};
    if (semantics::basis_of(how) != Basis::Unknown) all.push_back(how);
  }
  return all;
}

TEST_P(RowKernels, UnpackWhatDataUnpackTo) {
  const std::vector<Unpacking> all = known_unpackings(GetParam());
  EXPECT_GT(all.size(), 100U);
  for (const Unpacking& how : all) {
    const unsigned width = tile::bits_in_l1(how.in);
    std::vector<std::uint8_t> bytes(kRows * tile::kRowData * width / 8), exponents(kRows);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<std::uint8_t>(pattern() >> (at % 4 * 8));
    for (std::uint8_t& exponent : exponents) exponent = static_cast<std::uint8_t>(bits());
    const tile::RowsOfL1 from{.data = bytes.data(),
                              .datum_bits = width,
                              .exponents = exponents.data(),
                              .exponent_step = coin() ? 1U : 0U};
    at_each_level([&](const tile::RowKernels& kernels) {
      std::uint32_t found[kRows][tile::kRowData];
      kernels.unpack(semantics::unpack_steps(how), from, kRows, found);
      for (unsigned k = 0; k < kRows * tile::kRowData; ++k) {
        const unsigned row = k / tile::kRowData;
        const std::uint32_t value = datum(bytes, k, width);
        ASSERT_EQ(found[row][k % tile::kRowData],
                  semantics::unpack_value(how, value, exponents[row * from.exponent_step]))
            << fmt::format("format {} to {}, datum {:X}", static_cast<int>(how.in),
                           static_cast<int>(how.out), value);
      }
    });
    if (HasFailure()) return;
  }
}

/// What data become one by one: in L1, and the exponent of their block.
std::vector<std::uint8_t> packed_one_by_one(const Packing& how,
                                            const std::vector<std::uint32_t>& stored,
                                            std::uint16_t kept, std::uint8_t& exponent) {
  std::array<std::uint32_t, tile::kRowData> values{};
  for (unsigned k = 0; k < values.size(); ++k) {
    const std::uint32_t value = (kept >> k & 1) != 0
                                    ? semantics::pack_early(how, stored[k])
                                    : semantics::pack_masked(how, semantics::EdgeMode::Zero);
    values[k] = semantics::pack_late(how, semantics::apply_exponent_threshold(how, value));
  }
  if (tile::is_block_format(how.out)) {
    const semantics::PackedBlock block = semantics::pack_block(how.out, values);
    exponent = block.exponent;
    std::ranges::copy(block.data, values.begin());
  }
  const unsigned width = tile::bits_in_l1(how.out);
  std::vector<std::uint8_t> bytes(tile::kRowData * width / 8);
  for (unsigned k = 0; k < values.size(); ++k)
    for (unsigned bit = 0; bit < width; ++bit)
      bytes[(k * width + bit) / 8] |=
          static_cast<std::uint8_t>((values[k] >> bit & 1) << (k * width + bit) % 8);
  return bytes;
}

TEST_P(RowKernels, PackWhatDataPackTo) {
  unsigned known = 0;
  for (unsigned i = 0; i < kPackings; ++i) {
    Packing how{.arch = GetParam(), .intermediate = format(), .out = format()};
    how.reads_32_bits = coin();
    how.is_unsigned = coin();
    how.rounds_to_10_bits = coin();
    how.fp8_has_long_mantissa = coin();
    how.raw = coin();
    if (coin()) how.relu = static_cast<semantics::Relu>(bits() % 4);
    how.threshold = static_cast<std::uint16_t>(pattern() >> 16 & 0x7FFF);
    if (coin()) how.shift = static_cast<std::uint8_t>(bits());
    how.in = coin() ? how.intermediate : format();
    if (coin()) how.exponent_threshold = static_cast<std::uint8_t>(bits());
    if (semantics::basis_of(how) == Basis::Unknown) continue;
    ++known;
    std::vector<std::uint32_t> stored(tile::kRowData);
    std::array<std::uint16_t, tile::kRowData> upper{}, lower{};
    for (unsigned k = 0; k < tile::kRowData; ++k) {
      const std::uint32_t cells = pattern();
      stored[k] = how.reads_32_bits ? cells : cells >> 16;
      upper[k] = static_cast<std::uint16_t>(cells >> 16);
      lower[k] = static_cast<std::uint16_t>(cells);
    }
    const tile::RowOfDst from{.upper = upper.data(),
                              .lower = how.reads_32_bits ? lower.data() : nullptr,
                              .kept = static_cast<std::uint16_t>(coin() ? 0xFFFF : bits()),
                              .masked = 0};
    std::uint8_t exponent = 0;
    const std::vector<std::uint8_t> expected = packed_one_by_one(how, stored, from.kept, exponent);
    at_each_level([&](const tile::RowKernels& kernels) {
      tile::PackedRow found;
      kernels.pack(semantics::pack_steps(how), from, tile::bits_in_l1(how.out), found);
      const std::vector<std::uint8_t> bytes(found.bytes, found.bytes + expected.size());
      ASSERT_EQ(bytes, expected) << fmt::format("format {} to {}", static_cast<int>(*how.in),
                                                static_cast<int>(how.out));
      ASSERT_EQ(found.exponent, exponent);
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(known, kPackings / 100);
}

} // namespace
} // namespace lanewise::test
