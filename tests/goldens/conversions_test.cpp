// Unpackers and packers on arrays: documented facts, and the same bytes as a tile that runs.
#include "run/goldens/conversions.h"

#include <gtest/gtest.h>

#include <random>

#include "chip/tile/program_run.h"
#include "source/assembly/assembly.h"

namespace lanewise::goldens {
namespace {

using semantics::Basis;
using semantics::UnpackTarget;

GoldenFormat format(std::string_view name) {
  return parse_golden_format(name).value();
}

UnpackRequest to_source(Arch arch, std::string_view in, std::string_view out, std::size_t data) {
  return {.arch = arch, .in = format(in), .out = format(out), .tile_data = data};
}

std::vector<std::uint8_t> packed(Arch arch, std::string_view src, std::string_view out, bool wide,
                                 const std::vector<std::uint32_t>& stored,
                                 std::span<const std::uint8_t> old = {}) {
  const PackRequest request{.how = llk_packing(arch, format(src), format(out), wide),
                            .out = format(out),
                            .tile_data = stored.size()};
  auto result = pack_tiles(request, stored, old);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error()));
  return result ? result->l1 : std::vector<std::uint8_t>();
}

/// What 32 bits of Dst store of an FP32 (MU 1.1): its upper half as sign, mantissa, exponent.
std::uint32_t stored_fp32(std::uint32_t fp32) {
  return formats::from_value_bits(formats::Format::FP32, fp32);
}

class Conversions : public ::testing::TestWithParam<Arch> {};

TEST(GoldenFormats, NamesOfLlkAndOfLanewise) {
  EXPECT_EQ(format("Bfp8").code, isa::DataFormat::Bfp8a);
  EXPECT_EQ(format("bfp8").code, isa::DataFormat::Bfp8);
  EXPECT_EQ(format("Bfp8_b").code, isa::DataFormat::Bfp8);
  EXPECT_TRUE(format("UInt8").is_unsigned);
  EXPECT_TRUE(format("Fp8_e4m3").fp8_has_long_mantissa);
  EXPECT_FALSE(format("Lf8").fp8_has_long_mantissa);
  EXPECT_NE(to_string(parse_golden_format("MxFp8R").error()).find("Quasar"), std::string::npos);
  EXPECT_NE(to_string(parse_golden_format("bfloat").error()).find("Float16_b"), std::string::npos);
}

TEST(GoldenFormats, TilesInL1) { // core.md 11: an exponent for 16 data, in lines of 16 bytes
  EXPECT_EQ(tile_bytes(format("Float16_b"), 1024), 2048U);
  EXPECT_EQ(tile_bytes(format("Bfp8_b"), 1024), 64U + 1024);
  EXPECT_EQ(tile_bytes(format("Bfp4_b"), 1024), 64U + 512);
  EXPECT_EQ(tile_bytes(format("Bfp2_b"), 1024), 64U + 256);
  EXPECT_EQ(tile_bytes(format("Bfp8_b"), 128), 16U + 128);
}

TEST(GoldenFormats, WhatDstStores) {
  EXPECT_EQ(dst_format(format("Bfp8_b"), false), formats::Format::BF16);
  EXPECT_EQ(dst_format(format("Float16"), false), formats::Format::FP16);
  EXPECT_EQ(dst_format(format("Float16"), true), formats::Format::FP32);
  EXPECT_EQ(dst_format(format("Int8"), true), formats::Format::INT32);
  EXPECT_FALSE(dst_format(format("Int32"), false).has_value());
  EXPECT_FALSE(dst_format(format("UInt16"), true).has_value());
}

TEST_P(Conversions, BlocksGetTheirHiddenOne) { // core.md 11.1
  std::vector<std::uint8_t> l1(32);
  l1[0] = 127;       // the exponent of 1
  l1[16] = 0x40;     // the whole magnitude: 1
  l1[17] = 0x80 + 1; // -2^-6
  const auto unpacked = unpack_tiles(to_source(GetParam(), "Bfp8_b", "Bfp8_b", 16), l1);
  ASSERT_TRUE(unpacked.has_value());
  EXPECT_EQ(unpacked->data[0], 0x3F800000U);
  EXPECT_EQ(unpacked->data[1], 0xBC800000U);
  EXPECT_EQ(unpacked->data[2], 0U);
}

TEST_P(Conversions, Fp32IsCutToTf32AndBf16) { // core.md 12.5
  const std::vector<std::uint8_t> l1 = [] {
    std::vector<std::uint8_t> bytes(64);
    bytes[0] = 0xFF, bytes[1] = 0xFF, bytes[2] = 0xFF, bytes[3] = 0x3F; // 1.9999999
    return bytes;
  }();
  EXPECT_EQ(unpack_tiles(to_source(GetParam(), "Float32", "Tf32", 16), l1)->data[0], 0x3FFFE000U);
  EXPECT_EQ(unpack_tiles(to_source(GetParam(), "Float32", "Float16_b", 16), l1)->data[0],
            0x3FFF0000U);
}

TEST_P(Conversions, RoundsTiesAwayFromZeroToBf16) { // core.md 14.5
  std::vector<std::uint32_t> stored(16, 0);
  stored[0] = stored_fp32(0x3F808000); // a tie
  stored[1] = stored_fp32(0x3F807FFF); // below
  stored[2] = stored_fp32(0xBF808000);
  stored[3] = stored_fp32(0x00000001); // a denormal becomes 0
  stored[4] = stored_fp32(0x7FC00000); // a NaN becomes an infinity
  const auto l1 = packed(GetParam(), "Float16_b", "Float16_b", true, stored);
  const auto datum = [&](unsigned i) { return l1[2 * i] | l1[2 * i + 1] << 8; };
  EXPECT_EQ(datum(0), 0x3F81);
  EXPECT_EQ(datum(1), 0x3F80);
  EXPECT_EQ(datum(2), 0xBF81);
  EXPECT_EQ(datum(3), 0);
  EXPECT_EQ(datum(4), 0x7F80);
}

TEST_P(Conversions, BlocksShareTheLargestExponent) { // core.md 14.9
  std::vector<std::uint32_t> stored(16, 0);
  stored[0] = stored_fp32(0x40000000); // 2
  stored[1] = stored_fp32(0x3F800000); // 1
  stored[2] = stored_fp32(0xBF800000);
  const auto l1 = packed(GetParam(), "Bfp8_b", "Bfp8_b", true, stored);
  ASSERT_EQ(l1.size(), 32U);
  EXPECT_EQ(l1[0], 128);
  EXPECT_EQ(l1[16], 0x40);
  EXPECT_EQ(l1[17], 0x20);
  EXPECT_EQ(l1[18], 0xA0);
}

TEST_P(Conversions, AddsToWhatL1Holds) { // core.md 14.10
  std::vector<std::uint32_t> stored(16, stored_fp32(0x3F800000));
  const auto one = packed(GetParam(), "Float32", "Float32", true, stored);
  const auto two = packed(GetParam(), "Float32", "Float32", true, stored, one);
  EXPECT_EQ(two[3], 0x40);
  EXPECT_EQ(two[2], 0x00);
}

TEST_P(Conversions, RefusalsNameWhatIsNotThere) {
  const std::vector<std::uint32_t> stored(16, 0);
  const std::vector<std::uint8_t> old(32, 0);
  const auto request = [&](std::string_view src, std::string_view out, bool wide) {
    return PackRequest{.how = llk_packing(GetParam(), format(src), format(out), wide),
                       .out = format(out),
                       .tile_data = 16};
  };
  const auto text = [](const auto& result) {
    return result ? std::string() : to_string(result.error());
  };
  EXPECT_NE(text(pack_tiles(request("Bfp8_b", "Bfp8_b", true), stored, old)).find("Bfp8_b in L1"),
            std::string::npos);
  EXPECT_NE(text(pack_tiles(request("Int16", "Float32", false), stored, {})).find("Float32"),
            std::string::npos);
  EXPECT_NE(text(unpack_tiles(to_source(GetParam(), "Int32", "Int32", 16), old)).find("Int32"),
            std::string::npos);
  EXPECT_NE(text(unpack_tiles(to_source(GetParam(), "Float32", "Tf32", 16), old)).find("32 bytes"),
            std::string::npos);
  EXPECT_NE(text(packer_source(GetParam(), format("Float16_b"), format("Float16"), false))
                .find("dest_acc=True"),
            std::string::npos);
}

TEST_P(Conversions, PackersTakeWhatLlkChooses) {
  const auto source = [&](std::string_view arrived, std::string_view out, bool wide) {
    return std::string(packer_source(GetParam(), format(arrived), format(out), wide)->name);
  };
  const bool is_wormhole = !arch_params(GetParam()).tile.packs_bf16_as_fp16;
  EXPECT_EQ(source("Float16_b", "Float16", true), is_wormhole ? "Float32" : "Float16");
  EXPECT_EQ(source("Float16", "Bfp8_b", false), "Bfp8");
  EXPECT_EQ(source("Bfp8_b", "Float16_b", false), "Bfp8_b");
  EXPECT_EQ(source("Bfp8_b", "Bfp4_b", false), "Float16_b");
  EXPECT_EQ(source("Float16_b", "Bfp4_b", true), "Float32");
  EXPECT_EQ(source("Int32", "Int32", true), "Int32");
}

INSTANTIATE_TEST_SUITE_P(Chips, Conversions, ::testing::ValuesIn(kArchs));

/// What examples/tile/datacopy_*.tt does with bytes of L1, for some formats, on the tile itself.
std::vector<std::uint8_t> by_tile(Arch arch, const GoldenFormat& in, const GoldenFormat& out,
                                  std::span<const std::uint8_t> bytes) {
  const bool bh = arch_params(arch).tile.shared_pack_masks;
  constexpr unsigned kIn = 0x20000, kOut = 0x30000, kExponents = 1;
  const unsigned descriptor = bh ? 64 : 52, bytes_of_datum = in.bits() / 8;
  std::string text =
      fmt::format(R"(
.cfg_word {5} {0} | 1 << 4 | 256 << 16
.cfg_word {6} 1 | 1 << 16
.cfg THCON_SEC0_REG2_Out_data_format {0}
.cfg THCON_SEC0_REG3_Base_address {1}
.cfg UNP0_ADDR_BASE_REG_1_Base {7}
.cfg ALU_FORMAT_SPEC_REG0_SrcA {0}
.cfg ALU_FORMAT_SPEC_REG2_Dstacc {0}
.cfg THCON_SEC0_REG1_In_data_format {0}
.cfg THCON_SEC0_REG1_Out_data_format {2}
.cfg THCON_SEC0_REG1_Disable_zero_compress 1
.cfg THCON_SEC0_REG1_Exp_section_size {4}
.cfg THCON_SEC0_REG1_L1_Dest_addr {3}
.cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride {8}
.cfg PCK_EDGE_OFFSET_SEC0_mask 0xFFFF
.semaphore 1 0 1
.thread unpack
.cfg SRCA_SET_SetOvrdWithAddr 1
    SETADCXX U0=1, X0Val=0, X1Val=255
    UNPACR   WhichUnpacker=0, FlipSrc=1, Last=1
.thread math
.cfg ADDR_MOD_AB_SEC0 8
.cfg ADDR_MOD_DST_SEC0 8
)",
                  static_cast<unsigned>(in.code), (kIn >> 4) - 1, static_cast<unsigned>(out.code),
                  (kOut >> 4) - 1, kExponents, descriptor, descriptor + 1, 64 * bytes_of_datum,
                  16 * bytes_of_datum);
  if (bh) text += ".cfg DISABLE_IMPLIED_SRCA_FMT_Base 1\n";
  text += R"(
    SETRWC   Dst=1, SrcA=1
    MOVA2D   Move8Rows=1, AddrMod=ADDR_MOD_0
    MOVA2D   Move8Rows=1, AddrMod=ADDR_MOD_0
    SETRWC   FlipSrcA=1, SrcA=1
    SEMPOST  SemaphoreMask=2
.thread pack
    SEMWAIT  SemaphoreMask=2, ConditionMask=1, BlockMask=4
)";
  text += bh ? ".cfg ADDR_MOD_PACK_SEC0_YsrcIncr 4\n" : ".cfg ADDR_MOD_PACK_SEC0_YsrcIncr 0\n";
  // A .cfg line comes before the first instruction of its thread.
  const std::size_t wait = text.find("    SEMWAIT");
  const std::size_t setting = text.find(".cfg ADDR_MOD_PACK");
  const std::string line = text.substr(setting);
  text = text.substr(0, wait) + line + text.substr(wait, setting - wait);
  if (bh) {
    text += "    SETADCXX PK=1, X0Val=0, X1Val=15\n";
    for (unsigned i = 0; i < 4; ++i)
      text +=
          fmt::format("    PACR ReadIntfSel=15, AddrMod=ADDR_MOD_0{}\n", i == 3 ? ", Last=1" : "");
  } else {
    text += "    SETADCXX PK=1, X0Val=0, X1Val=255\n    PACR PackerMask=1, Last=1\n";
  }
  const auto program = assembly::assemble_tile(arch, text, "test");
  EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
  if (!program) return {};
  tile::Tile tile(arch);
  tile.state() = tile::start_state(arch, *program).value();
  std::ranges::copy(bytes, tile.state().l1.bytes().begin() + kIn);
  const auto run = tile::run_program(tile, *program);
  EXPECT_TRUE(run.has_value() && run->blocked.empty());
  for (const Fault& fault : tile.faults()) ADD_FAILURE() << to_string(fault);
  const auto l1 = tile.state().l1.bytes().subspan(kOut, tile_bytes(out, 256));
  return {l1.begin(), l1.end()};
}

TEST_P(Conversions, TheSameBytesAsATileThatRuns) {
  const std::array<std::pair<std::string_view, std::string_view>, 8> kWays{{
      {"Float16_b", "Float16_b"},
      {"Float16_b", "Bfp8_b"},
      {"Float16_b", "Bfp4_b"},
      {"Float16_b", "Bfp2_b"},
      {"Float16_b", "Float32"},
      {"Bfp8_b", "Bfp8_b"},
      {"Bfp8_b", "Float16_b"},
      {"Float16", "Float16"},
  }};
  std::mt19937 random(7);
  for (const auto& [in, out] : kWays) {
    std::vector<std::uint8_t> bytes(tile_bytes(format(in), 256));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const auto unpacked = unpack_tiles(to_source(GetParam(), in, in, 256), bytes);
    ASSERT_TRUE(unpacked.has_value());
    // MOVA2D: BF16 cells to Dst's order, FP16 ones to theirs (MU 1.1, 1.2).
    std::vector<std::uint32_t> stored;
    for (const std::uint32_t cell : unpacked->data) {
      const bool fp16 = format(in).has_5bit_exponent();
      const std::uint32_t pattern =
          fp16 ? (cell >> 16 & 0x8000) | (cell >> 13 & 0x7FFF) : cell >> 16;
      const std::uint32_t kept = (pattern & (fp16 ? 0x7C00U : 0x7F80U)) == 0 ? 0 : pattern;
      stored.push_back(
          formats::from_value_bits(fp16 ? formats::Format::FP16 : formats::Format::BF16, kept));
    }
    const auto expected = by_tile(GetParam(), format(in), format(out), bytes);
    EXPECT_EQ(packed(GetParam(), in, out, false, stored), expected) << in << " to " << out;
  }
}

} // namespace
} // namespace lanewise::goldens
