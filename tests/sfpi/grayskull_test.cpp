// SFPI 5.0 on Grayskull: kernels, and the names of what the chip lacks.
#include <gtest/gtest.h>

#include <string>

#include "chip/isa/encoding.h"
#include "machine/grayskull_pair.h"
#include "project.h"
#include "run/oracle/kernel_check.h"
#include "sfpi/chosen_entry.h"
#include "sfpi/kernel_files.h"
#include "source/compiler/compiler.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {
namespace {

constexpr Arch kChip = Arch::Grayskull;

KernelSource grayskull_source(const std::string& entry) {
  KernelSource source;
  source.file = in_project("tests/sfpi/kernels/grayskull.cpp");
  source.entry = entry;
  return source;
}

/// The kernel's program, which does what the kernel means, and the same on the model.
compiler::Compiled compiled(const std::string& entry) {
  const auto recording = record_entry(kChip, grayskull_source(entry));
  if (!recording) {
    ADD_FAILURE() << to_string(recording.error());
    return {};
  }
  EXPECT_EQ(recording->epoch, compiler::kFirstEpoch);
  compiler::Compiled made = compiler::compile(*recording, {});
  EXPECT_TRUE(made.ok) << entry;
  for (std::uint64_t seed = 1; seed <= 8 && made.ok; ++seed) {
    const auto check = oracle::check_kernel(compiler::combined(*recording, {}), made.program, seed);
    EXPECT_TRUE(check.ok()) << entry << ": " << check.difference;
    EXPECT_TRUE(check.interpreter_faults.empty())
        << entry << ": " << to_string(check.interpreter_faults.front());
    test::GrayskullPair pair(static_cast<unsigned>(seed));
    EXPECT_EQ(pair.difference_after(made.program), "") << entry;
  }
  return made;
}

class GrayskullKernel : public ::testing::TestWithParam<const char*> {};

TEST_P(GrayskullKernel, RunsAsItIsInterpreted) {
  EXPECT_FALSE(compiled(GetParam()).program.words.empty());
}

INSTANTIATE_TEST_SUITE_P(Kernel, GrayskullKernel,
                         ::testing::Values("seed_silly_with_abs", "seed_silly_without_abs",
                                           "seed_block", "seed_immediates",
                                           "seed_zero_of_eight_bits", "seed_zero_of_five_bits",
                                           "seed_lregs", "seed_pressure", "half_inside",
                                           "exclusive_or", "tables", "constants", "fields",
                                           "comparisons", "next_rows"),
                         [](const auto& each) { return std::string(each.param); });

/// Instructions but for NOPs, as mnemonic and modifier.
std::vector<std::pair<isa::Op, std::uint32_t>> instructions(const compiler::Compiled& kernel) {
  std::vector<std::pair<isa::Op, std::uint32_t>> found;
  for (const ProgramWord& each : kernel.program.words) {
    const isa::Decoded decoded = isa::decode(kChip, each.word);
    if (decoded.row->op != isa::Op::NOP) found.emplace_back(decoded.row->op, decoded["Mod1"]);
  }
  return found;
}

// SFPI 2.6, row 26: 0.5 goes into the modes of ADD, MUL and MAD, two NOPs behind each.
TEST(GrayskullKernels, FoldHalvesIntoModes) {
  const auto sum = compiled("sum_plus_half"), product = compiled("product_minus_half"),
             all = compiled("all_plus_half");
  ASSERT_EQ(instructions(sum).size(), 4U);
  EXPECT_EQ(instructions(sum)[2], std::pair(isa::Op::SFPADD, 1U));
  EXPECT_EQ(sum.program.words.size(), 6U);
  ASSERT_EQ(instructions(product).size(), 4U);
  EXPECT_EQ(instructions(product)[2], std::pair(isa::Op::SFPMUL, 3U));
  ASSERT_EQ(instructions(all).size(), 5U);
  EXPECT_EQ(instructions(all)[3], std::pair(isa::Op::SFPMAD, 1U));
}

TEST(GrayskullKernels, TheFifthRegisterIsAnError) {
  const auto recording = record_entry(kChip, grayskull_source("five_registers"));
  ASSERT_TRUE(recording) << to_string(recording.error());
  const compiler::Compiled made = compiler::compile(*recording, {});
  EXPECT_FALSE(made.ok);
  ASSERT_FALSE(made.diagnostics.empty());
  const std::string message = to_string(made.diagnostics.front());
  EXPECT_NE(message.find("there are 4 LRegs"), std::string::npos) << message;
  EXPECT_NE(message.find("grayskull.cpp:"), std::string::npos) << message;
}

TEST(GrayskullKernels, HaveOneReleaseOfSfpi) {
  KernelSource source = grayskull_source("constants");
  source.epoch = 738;
  source.asks_for_epoch = true;
  const auto recording = record_kernel(kChip, source);
  ASSERT_FALSE(recording);
  EXPECT_NE(to_string(recording.error()).find("SFPI 7.38 does not know Grayskull"),
            std::string::npos)
      << to_string(recording.error());
  source.epoch = compiler::kFirstEpoch;
  EXPECT_TRUE(record_kernel(kChip, source).has_value());
}

TEST(GrayskullKernels, HaveNoLlk) {
  KernelSource source = grayskull_source("");
  source.is_header = true;
  source.calls = {"constants()"};
  const auto recording = record_kernel(kChip, source);
  ASSERT_FALSE(recording);
  EXPECT_NE(to_string(recording.error()).find("no LLK for Grayskull"), std::string::npos)
      << to_string(recording.error());
}

struct Refused {
  const char* name;
  const char* statement;
  const char* said; ///< what the message says of it
};

class GrayskullRefusal : public ::testing::TestWithParam<Refused> {};

TEST_P(GrayskullRefusal, NamesTheFeatureAndItsChip) {
  const TemporaryFolder folder;
  KernelSource source;
  source.file = folder.write(
      "kernel.cpp", std::string("#include \"sfpi.h\"\nusing namespace sfpi;\nvoid kernel() {\n"
                                "vFloat a = dst_reg[0], b = dst_reg[1]; vUInt u = exexp(a);\n") +
                        GetParam().statement + "\ndst_reg[2] = a; }\n");
  const auto recording = record_kernel(kChip, source);
  ASSERT_FALSE(recording) << GetParam().statement;
  const std::string message = to_string(recording.error());
  EXPECT_NE(message.find(GetParam().said), std::string::npos) << message;
  EXPECT_NE(message.find(":5"), std::string::npos) << message; // the line of the statement
}

INSTANTIATE_TEST_SUITE_P(
    Feature, GrayskullRefusal,
    ::testing::Values(
        Refused{"swap", "vec_swap(a, b);", "no SFPSWAP: it appeared with Wormhole"},
        Refused{"min_max", "vec_min_max(a, b);", "no SFPSWAP: it appeared with Wormhole"},
        Refused{"rotate", "a = subvec_shflror1(a);", "no SFPSHFT2: it appeared with Wormhole"},
        Refused{"transpose", "subvec_transp(a, b, a, b);",
                "no SFPTRANSP: it appeared with Wormhole"},
        Refused{"lut2", "a = lut2(a, u, u, u);", "no SFPLUTFP32: it appeared with Wormhole"},
        Refused{"cast", "a = int32_to_float(exexp(a), 0);",
                "no SFPCAST: it appeared with Wormhole"},
        Refused{"round", "u = float_to_uint8(a, 0);", "no SFPSTOCHRND: it appeared with Wormhole"},
        Refused{"lz_nosgn", "u = lz_nosgn(a);", "no SFPLZ NOSGN_MASK: it appeared with Wormhole"},
        Refused{"copyexp", "a = copyexp(a, b);",
                "no SFPSETEXP ARG_EXPONENT: it appeared with Wormhole"},
        Refused{"recip", "a = approx_recip(a);", "SFPARECIP"},
        Refused{"constant", "a = vConstFloatPrgm0 * a;", "appeared with Wormhole"},
        Refused{"program", "vConstFloatPrgm0 = 2.0F;", "appeared with Wormhole"},
        Refused{"other_constant", "a = a * vConst0p8373;", "appeared with Wormhole"},
        Refused{"load", "u = dst_reg[3];", "integers from Dst appeared with Wormhole"},
        Refused{"layout", "a = dst_reg[3].mode<DataLayout::F16b>();", "SFPI 7"},
        Refused{"exsgn", "u = exsgn(a);", "does not know Grayskull"},
        Refused{"wide", "u = u + 0x12345;", "16 bits"},
        Refused{"lreg", "a = l_reg[LRegs::LReg4];", "LRegs::LReg3"},
        Refused{"offset", "a = lut(a, u, u, u, 2);", "offset"},
        Refused{"shift", "vInt i = exexp(a); i = i >> 2;", "no arithmetic right shift"}),
    [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace lanewise::sfpi
