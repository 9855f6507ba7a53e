// What programs do to a lane as terms, against the machine: every operation and mode that has
// terms, with flags and conversions of Dst.
#include "study/tune/row_terms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "chip/machine/dst_mode.h"
#include "chip/semantics/fma.h"
#include "run/execution/tile_runner.h"
#include "study/tune/follow_lane.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

using formats::Format;

class LaneTerms : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, LaneTerms, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

constexpr std::array<std::uint32_t, 32> kEdges{
    0,          1,          2,          30,         31,         32,         127,        128,
    255,        0x7FFF,     0x8000,     0xFFFF,     0x007FFFFF, 0x00800000, 0x3F7FFFFF, 0x3F800000,
    0x40490FDB, 0x4B000001, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0x80000000,
    0x80000001, 0x80800000, 0xBF800000, 0xFF7FFFFF, 0xFF800000, 0xFFC00000, 0xFFFFFFFE, 0xFFFFFFFF};

/// Two operands of 1024 numbers: every pair of edges, and random ones.
std::vector<std::array<tensors::Tensor, 2>> operand_tiles(Format format) {
  std::vector<std::array<tensors::Tensor, 2>> all(2);
  std::mt19937 random(1);
  for (auto& pair : all) {
    for (tensors::Tensor& each : pair)
      each = {.shape = {32, 32}, .bits = std::vector<std::uint32_t>(1024), .format = format};
  }
  for (unsigned i = 0; i < 1024; ++i) {
    all[0][0].bits[i] = kEdges[i / 32];
    all[0][1].bits[i] = kEdges[i % 32];
    all[1][0].bits[i] = static_cast<std::uint32_t>(random());
    all[1][1].bits[i] = static_cast<std::uint32_t>(random());
  }
  for (auto& pair : all) {
    for (std::uint32_t& each : pair[0].bits) each -= is_signed_integer(format) && each == 1U << 31;
    for (std::uint32_t& each : pair[1].bits) each -= is_signed_integer(format) && each == 1U << 31;
    if (formats::is_32bit(format)) continue;
    for (tensors::Tensor& each : pair) {
      for (std::uint32_t& bits : each.bits) bits = (bits >> 16 ^ bits) & 0xFFFF;
    }
  }
  return all;
}

std::uint32_t multiply_add_of_blackhole(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return semantics::fma_exact<Arch::Blackhole>(x, y, z);
}
std::uint32_t multiply_add_of_wormhole(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return semantics::fma_exact<Arch::Wormhole>(x, y, z);
}

/// What a word makes of three registers, on a machine of its own.
OpaqueOf opaque_of(Arch arch) {
  return [arch](std::uint32_t word, const std::array<std::uint32_t, 3>& operands) {
    MachineState state(arch);
    for (unsigned i = 0; i < operands.size(); ++i) state.vector.lreg[i][0] = operands[i];
    const auto op = decode_micro_op(arch, word, 0);
    EXPECT_TRUE(op);
    execute(state, std::span(&*op, 1));
    return state.vector.lreg[kOpaqueResult][0];
  };
}

/// Empty, or where terms and machine differ.
std::string difference(const Plain& program, Term term, const ProofOptions& options) {
  const auto all = operand_tiles(options.format);
  for (const auto& operands : all) {
    const auto run = execution::run_on_tiles(program.arch, program.program, operands,
                                             {.format = options.format,
                                              .output_format = options.output_format,
                                              .as_kernel = program.as_kernel});
    if (!run) return to_string(run.error());
    std::map<std::uint32_t, std::uint32_t> variables;
    for (unsigned lreg = 0; lreg < 17; ++lreg) variables[kRegisterVariables + lreg] = 0; // at reset
    for (unsigned place = 0; place < 2 * kPlacesOfTile; ++place) variables[place] = 0;
    const unsigned count = &operands == &all.front() ? 1024 : 128;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t x = operands[0].bits[i], y = operands[1].bits[i];
      variables[LanePlace(0, 0).variable()] = x;
      variables[LanePlace(1, 0).variable()] = y;
      const std::uint32_t stored = evaluate(
          term.value, variables,
          program.arch == Arch::Blackhole ? multiply_add_of_blackhole : multiply_add_of_wormhole,
          opaque_of(program.arch));
      const std::uint32_t found =
          formats::value_bits(options.output_format.value_or(options.format), stored);
      if (found != run->output.bits[i])
        return fmt::format("x = {:08x}, y = {:08x}: {:08x} instead of {:08x}", x, y, found,
                           run->output.bits[i]);
    }
  }
  return {};
}

/// x in L0 and y in L1; L2 is y as well, and becomes the result. Where lanes are enabled at the end
/// it has other bits, so that flags count, too.
Plain operation_on_rows(Arch arch, const std::string& operation, bool predicated) {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  const std::string before =
      predicated ? "SFPPUSHC 0, 0\nSFPSETCC 0, L1, 0, 0\n" : "SFPPUSHC 0, 0\n";
  return {
      arch,
      assembled_program(
          arch, fmt::format("SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, INT32, {0}, 0\n"
                            "SFPLOAD L1, INT32, {0}, 64\nSFPMOV L1, L2, 2\nSFPMOV L9, L3, 2\n"
                            "{1}{2}\nSFPNOP\nSFPLOADI L3, USHORT, 0x5A5A\nSFPPOPC 0, 0\n"
                            "SFPXOR L3, L2\nSFPSTORE L2, INT32, {0}, 0\nINCRWC DstInc=2\n.endr\n",
                            still, before, operation)),
      false};
}

/// An operation in all its modes, and in how many of them it has terms (half of one: only where all
/// lanes are enabled).
struct ModedOperation {
  std::string text; ///< {} is the mode
  unsigned modes_of_blackhole, modes_of_wormhole;
};

const std::vector<ModedOperation> kOperations{
    {"SFPABS L0, L2, {}", 16, 16},
    {"SFPAND L0, L2", 0, 1},
    {"SFPAND VB=L0, VC=L1, VD=L2, Mod1={}", 16, 0},
    {"SFPOR L0, L2", 0, 1},
    {"SFPOR VB=L0, VC=L1, VD=L2, Mod1={}", 16, 0},
    {"SFPXOR L0, L2", 1, 1},
    {"SFPNOT L0, L2", 1, 1},
    {"SFPDIVP2 3, L0, L2, {}", 16, 16},
    {"SFPDIVP2 -7, L0, L2, {}", 16, 16},
    {"SFPEXEXP L0, L2, {}", 16, 16},
    {"SFPEXMAN L0, L2, {}", 16, 16},
    {"SFPIADD -5, L0, L2, {}", 16, 16},
    {"SFPLZ L0, L2, {}", 16, 16},
    {"SFPSHFT 3, L0, L2, {}", 16, 16},
    {"SFPSHFT -9, L0, L2, {}", 16, 16},
    {"SFPSHFT2 5, L0, L2, {}", 11, 11},
    {"SFPSETCC 1, L0, 0, {}", 16, 16},
    {"SFPMOV L0, L2, {}", 12, 12},
    {"SFPSETEXP 200, L0, L2, {}", 16, 16},
    {"SFPSETMAN 0x8A5, L0, L2, {}", 16, 16},
    {"SFPSETSGN 1, L0, L2, {}", 16, 16},
    {"SFPGT L0, L2, {}", 8, 0},
    {"SFPLE L0, L2, {}", 8, 0},
    {"SFPCAST L0, L2, {}", 12, 8},
    {"SFPSTOCHRND 0, 4, L1, L0, L2, {}", 16, 16},
    {"SFPSTOCHRND 2, 30, L1, L0, L2, {}", 16, 0},
    {"SFPMAD L0, L1, L2, L2, {}", 4, 4},
    {"SFPLOADI L7, USHORT, 18\nSFPMAD L0, L1, L2, L1, {}", 6, 6},
    {"SFPADD L10, L0, L1, L2, {}", 4, 4},
    {"SFPMUL24 L0, L1, L9, L2, {}", 4, 0},
    {"SFPMUL24 L0, L1, L1, L2, {}", 0, 0},
    {"SFPARECIP L1, L0, L2, {}", 16, 0},
    {"SFPMOV L1, L3, 2\nSFPLUT L2, {}", 8, 8},
    {"SFPMOV L1, L3, 2\nSFPMOV L0, L4, 2\nSFPMOV L1, L5, 2\nSFPMOV L0, L6, 2\nSFPLUTFP32 L2, {}", 8,
     8},
    {"SFPLOADI L7, USHORT, 2\nSFPMOV L1, L3, 2\nSFPLUTFP32 L2, {}", 12, 12},
    {"SFPMUL L0, L1, L9, L2, {}", 4, 4},
    {"SFPADDI 0x40A0, L2, {}", 8, 8},
    {"SFPMULI 0xC0A0, L2, {}", 8, 8},
    {"SFPSWAP L0, L2, {}", 3, 3},
    {"SFPLOADI L2, {}, 0x8A5C", 16, 16},
    {"SFPPUSHC 0, 0\nSFPSETCC 0, L0, 0, 2\nSFPPUSHC 0, {}\nSFPPOPC 0, 0", 15, 0},
    {"SFPPUSHC 0, 0\nSFPSETCC 0, L0, 0, 2\nSFPPOPC 0, {}\nSFPPOPC 0, 0", 15, 15},
    {"SFPSETCC 0, L0, 0, 2\nSFPCOMPC 0", 1, 1},
    {"SFPSETCC 0, L0, 0, 2\nSFPENCC 1, 0, {}", 16, 16},
    {"SFPSETCC 0, L0, 0, 2\nSFPENCC 2, 0, {}", 16, 16},
};

TEST_P(LaneTerms, AreWhatTheMachineComputes) {
  const ProofOptions options{.format = Format::UINT32, .operands = 2};
  for (const ModedOperation& each : kOperations) {
    unsigned compared = 0;
    const unsigned modes = each.text.find("{}") == std::string::npos ? 1 : 16;
    for (unsigned mode = 0; mode < modes; ++mode) {
      const std::string text = fmt::format(fmt::runtime(each.text), mode);
      if (!assembly::assemble(GetParam(), text, "test.tt")) continue;
      for (const bool predicated : {false, true}) {
        const Plain program = operation_on_rows(GetParam(), text, predicated);
        TermGraph graph;
        const auto terms = row_terms(graph, program, options);
        if (!terms) {
          EXPECT_EQ(terms.error().kind, FaultKind::Unsupported);
          continue;
        }
        ++compared;
        EXPECT_EQ(difference(program, terms->front(), options), "") << text;
      }
    }
    EXPECT_EQ(compared, 2 * (GetParam() == Arch::Blackhole ? each.modes_of_blackhole
                                                           : each.modes_of_wormhole))
        << each.text;
  }
}

// Loads and stores of every mode, for formats whose numbers Dst holds in different ways. Stores of
// 16 bits leave the low halves alone, and a result of 16 bits is the high ones.
TEST_P(LaneTerms, AccessDstAsTheMachineDoes) {
  unsigned compared = 0;
  for (const Format format : {Format::FP32, Format::INT32, Format::UINT32}) {
    for (unsigned mode = 0; mode < 16; ++mode) {
      for (const bool stores : {false, true}) {
        const std::string text = fmt::format(
            "SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, {}, 3, 64\nSFPSTORE L0, {}, 3, 0\n"
            "INCRWC DstInc=2\n.endr\n",
            stores ? 4 : mode, stores ? mode : 4);
        const auto assembled = assembly::assemble(GetParam(), text, "test.tt");
        if (!assembled) continue;
        const Plain program{GetParam(), *assembled, false};
        const ProofOptions options{.format = format, .operands = 2};
        TermGraph graph;
        const auto terms = row_terms(graph, program, options);
        if (!terms) continue;
        ++compared;
        EXPECT_EQ(difference(program, terms->front(), options), "") << text;
      }
    }
  }
  EXPECT_EQ(compared, 3U * 2 * 15) << "all modes but INT32_ALL";
}

// Operands and results of 16 bits, which have cells of their own. What stores 32 bits spreads over
// other rows, which are not alike then.
TEST_P(LaneTerms, AccessDstOf16Bits) {
  unsigned compared = 0;
  for (const Format format : {Format::BF16, Format::FP16, Format::UINT16}) {
    for (unsigned mode = 0; mode < 16; ++mode) {
      for (const bool stores : {false, true}) {
        if (stores && store_is_32bit(static_cast<DstMode>(mode))) continue;
        const std::string text = fmt::format(
            "SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, {}, 3, 64\nSFPSTORE L0, {}, 3, 0\n"
            "INCRWC DstInc=2\n.endr\n",
            stores ? 2 : mode, stores ? mode : 2);
        const Plain program{GetParam(), assembled_program(GetParam(), text), false};
        const ProofOptions options{.format = format, .operands = 2};
        TermGraph graph;
        const auto terms = row_terms(graph, program, options);
        if (!terms) continue;
        ++compared;
        EXPECT_EQ(difference(program, terms->front(), options), "") << text;
      }
    }
  }
  EXPECT_EQ(compared, 3U * (10 + 12)) << "stores and loads";
  TermGraph graph;
  const auto other = row_terms(graph, plain_rows(GetParam(), ""), {.format = Format::INT16});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, FaultKind::Unsupported);
}

// v_if in v_if, results of two cycles and macros: what the tuner makes of rows, too.
TEST_P(LaneTerms, FollowTunedPrograms) {
  const Plain plain = plain_rows(GetParam(),
                                 "SFPLOAD L1, SRCB, 3, 64\nSFPADD L10, L0, L1, L2, 0\nSFPNOP\n"
                                 "SFPABS L2, L2, 0\nSFPXOR L1, L2\nSFPMOV L2, L0, 2");
  const ProofOptions options{.format = Format::UINT32, .operands = 2};
  const auto result = tune(plain, {.steps_per_interval = 20'000, .proof = options});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned) << result->proof.failure;
  EXPECT_GT(result->tuned->macros, 0U);
  EXPECT_EQ(result->proof.kind, ProofKind::Expressions);
  Plain tuned{GetParam(), to_program(*result->tuned, "tuned"), true};
  TermGraph graph;
  const auto terms = row_terms(graph, tuned, options);
  ASSERT_TRUE(terms) << to_string(terms.error());
  EXPECT_EQ(difference(tuned, terms->front(), options), "");
  EXPECT_EQ(difference(tuned, terms->back(), options).substr(0, 4), "x = ")
      << "its variables are those of another row";
}

} // namespace
} // namespace lanewise::tune
