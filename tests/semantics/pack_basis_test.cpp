// Which modes of a packer are known (core.md 14.5, 14.8).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;
using Formats = std::vector<DataFormat>;

const Formats kEveryFormat{
    DataFormat::Fp32, DataFormat::Fp16,  DataFormat::Bfp8a, DataFormat::Bfp4a, DataFormat::Tf32,
    DataFormat::Bf16, DataFormat::Bfp8,  DataFormat::Bfp4,  DataFormat::Int32, DataFormat::Int16,
    DataFormat::Fp8,  DataFormat::Bfp2a, DataFormat::Int8,  DataFormat::Bfp2};

bool is_known(const Packing& how) {
  return basis_of(how) != Basis::Unknown;
}

/// What can be known with any `out`.
Formats known_intermediates(Packing how) {
  Formats known;
  for (const DataFormat format : kEveryFormat) {
    how.intermediate = format;
    const bool has_out = std::ranges::any_of(kEveryFormat, [&](DataFormat out) {
      how.out = out;
      return is_known(how);
    });
    if (has_out) known.push_back(format);
  }
  return known;
}

// The columns of the documents' table, and what there is besides: in the simulator INT16 of 32
// bits, in kernels that ship BF16 that is widened to FP32 (core.md Q3).
TEST(PackBasis, EarlyConversionsAreThoseOfTheTable) {
  const Formats of_32{DataFormat::Fp32,  DataFormat::Tf32,  DataFormat::Bf16, DataFormat::Bfp8,
                      DataFormat::Int32, DataFormat::Int16, DataFormat::Int8};
  EXPECT_EQ(known_intermediates({.arch = Arch::Wormhole, .reads_32_bits = true}), of_32);
  const Formats of_16{DataFormat::Fp32, DataFormat::Fp16, DataFormat::Bfp8a, DataFormat::Tf32,
                      DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Int16};
  EXPECT_EQ(known_intermediates({.arch = Arch::Wormhole}), of_16);
  const Formats raw_of_16{DataFormat::Fp16,  DataFormat::Bfp8a, DataFormat::Bf16, DataFormat::Bfp8,
                          DataFormat::Int16, DataFormat::Fp8,   DataFormat::Int8};
  EXPECT_EQ(known_intermediates({.arch = Arch::Wormhole, .raw = true}), raw_of_16);
}

TEST(PackBasis, LateConversionsAreThoseOfTheTable) {
  const Formats numbers{DataFormat::Fp32,  DataFormat::Fp16, DataFormat::Bfp8a, DataFormat::Bfp4a,
                        DataFormat::Bf16,  DataFormat::Bfp8, DataFormat::Bfp4,  DataFormat::Fp8,
                        DataFormat::Bfp2a, DataFormat::Bfp2};
  for (const Arch arch : kArchs) {
    for (const DataFormat in :
         {DataFormat::Fp32, DataFormat::Tf32, DataFormat::Bf16, DataFormat::Bfp8, DataFormat::Fp16,
          DataFormat::Bfp8a, DataFormat::Fp8}) {
      const bool has_5_bits = isa::format_of_code(in)->operand->exponent_bits == 5;
      for (const DataFormat out : kEveryFormat) {
        const Packing how{.arch = arch,
                          .intermediate = in,
                          .out = out,
                          .reads_32_bits = !has_5_bits,
                          .raw = in == DataFormat::Fp8};
        const bool expected = out == DataFormat::Tf32
                                  ? in != DataFormat::Fp32
                                  : std::ranges::find(numbers, out) != numbers.end();
        EXPECT_EQ(is_known(how), expected) << static_cast<int>(in) << " " << static_cast<int>(out);
      }
    }
    for (const DataFormat in : {DataFormat::Int32, DataFormat::Int16, DataFormat::Int8}) {
      for (const DataFormat out : kEveryFormat) {
        const Packing how{.arch = arch, .intermediate = in, .out = out, .reads_32_bits = true};
        EXPECT_EQ(is_known(how), in == out);
      }
    }
  }
}

TEST(PackBasis, ComparedIsWithoutWhatTheSimulatorRefuses) {
  Packing how{.intermediate = DataFormat::Int8, .out = DataFormat::Int8, .reads_32_bits = true};
  EXPECT_EQ(basis_of(how), Basis::Compared);
  how.shift = 1;
  EXPECT_EQ(basis_of(how), Basis::Documented);
  how = {.intermediate = DataFormat::Fp16, .out = DataFormat::Fp16};
  EXPECT_EQ(basis_of(how), Basis::Compared);
  how.exponent_threshold = 1;
  EXPECT_EQ(basis_of(how), Basis::Documented);
  how.exponent_threshold = 0;
  how.raw = true;
  EXPECT_EQ(basis_of(how), Basis::Documented);
  how = {.out = DataFormat::Fp32, .reads_32_bits = true};
  EXPECT_EQ(basis_of(how), Basis::Compared);
  how.in = DataFormat::Fp32; // what it is without saying so
  EXPECT_EQ(basis_of(how), Basis::Compared);
  how.rounds_to_10_bits = true;
  EXPECT_EQ(basis_of(how), Basis::Documented);
}

TEST(PackBasis, LateConversionGetsWhatTheEarlyOneGives) {
  // 32 bits are FP32 or INT32, whichever the late conversion takes them for.
  Packing how{.intermediate = DataFormat::Int32,
              .out = DataFormat::Fp32,
              .reads_32_bits = true,
              .in = DataFormat::Fp32};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  EXPECT_EQ(pack_late(how, pack_early(how, shuffle_32(0x7FC12345U))), 0x7FC12345U);
  how.in = DataFormat::Bf16;
  EXPECT_EQ(basis_of(how), Basis::Unknown);
  how = {.intermediate = DataFormat::Bf16, .out = DataFormat::Fp16, .in = DataFormat::Fp16};
  EXPECT_EQ(basis_of(how), Basis::Unknown);
  // A TF32 becomes one in L1 where it is not called an FP32.
  how = {.intermediate = DataFormat::Fp32,
         .out = DataFormat::Tf32,
         .reads_32_bits = true,
         .rounds_to_10_bits = true};
  EXPECT_EQ(basis_of(how), Basis::Unknown);
  how.in = DataFormat::Tf32;
  EXPECT_EQ(basis_of(how), Basis::Documented);
  how.raw = true; // 32 bits are no TF32
  EXPECT_EQ(basis_of(how), Basis::Unknown);
}

// tt-llk's configuration for FP8 with 4 bits of exponent from BF16 in Dst.
TEST(PackBasis, Bf16BecomesFp8ByWayOfTf32) {
  for (const DataFormat in : {DataFormat::Fp16, DataFormat::Fp8}) {
    for (const bool is_wide : {false, true}) {
      Packing how{.intermediate = DataFormat::Bf16,
                  .out = DataFormat::Fp8,
                  .reads_32_bits = is_wide,
                  .rounds_to_10_bits = true,
                  .fp8_has_long_mantissa = true,
                  .in = in};
      EXPECT_EQ(basis_of(how), Basis::Assumed);
      const auto packed = [&](std::uint32_t bf16) {
        return pack_late(how, pack_early(how, is_wide ? shuffle_32(bf16 << 16) : shuffle_16(bf16)));
      };
      EXPECT_EQ(packed(0x3F80), 0x38U); // 1
      EXPECT_EQ(packed(0xBFC0), 0xBCU); // -1.5
      EXPECT_EQ(packed(0x4480), 0x7FU); // 1024 is too large
      EXPECT_EQ(packed(0), 0U);
      how.rounds_to_10_bits = false;
      EXPECT_EQ(basis_of(how), Basis::Unknown);
      how.rounds_to_10_bits = true;
      how.arch = Arch::Wormhole; // has no such FP8
      EXPECT_EQ(basis_of(how), Basis::Unknown);
    }
  }
}

TEST(PackBasis, WhatOneChipHasIsUnknownOfTheOther) {
  Packing how{.intermediate = DataFormat::Fp16,
              .out = DataFormat::Fp16,
              .reads_32_bits = true,
              .rounds_to_10_bits = true};
  EXPECT_EQ(basis_of(how), Basis::Compared);
  how.out = DataFormat::Bfp8a;
  EXPECT_EQ(basis_of(how), Basis::Assumed);
  how.arch = Arch::Wormhole;
  EXPECT_EQ(basis_of(how), Basis::Unknown);
  how.out = DataFormat::Fp16;
  EXPECT_EQ(basis_of(how), Basis::Unknown);
}

TEST(PackBasis, CodesWithoutMeaningAreUnknown) {
  for (const int code : {12, 13}) {
    const auto format = static_cast<DataFormat>(code);
    EXPECT_EQ(basis_of(Packing{.intermediate = format}), Basis::Unknown);
    EXPECT_EQ(basis_of(Packing{.out = format, .reads_32_bits = true}), Basis::Unknown);
    EXPECT_EQ(basis_of(Packing{.reads_32_bits = true, .in = format}), Basis::Unknown);
  }
}

} // namespace
} // namespace lanewise::semantics
