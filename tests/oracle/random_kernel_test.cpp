// Random kernels are valid, whatever the lanes hold, and the same for the same seed.
#include "run/oracle/random_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "chip/isa/effects.h"
#include "machine/machine_fixture.h"
#include "run/oracle/interpreter.h"
#include "run/oracle/kernel_check.h"

namespace lanewise::oracle {
namespace {

using compiler::Kind;
using compiler::Recording;

class RandomKernel : public ::testing::TestWithParam<Arch> {
 protected:
  static constexpr std::uint64_t kKernels = 300;
};
LANEWISE_ON_BOTH_CHIPS(RandomKernel);

TEST_P(RandomKernel, NoLaneWithoutAValueGetsAnywhere) {
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const Recording kernel = random_kernel(GetParam(), seed);
    MachineState state = random_kernel_state(GetParam(), seed);
    FrontEnd front_end(GetParam());
    for (const Fault& fault : interpret(kernel, state, front_end)) {
      if (leaves_results_valid(fault.kind)) continue;
      ADD_FAILURE() << "seed " << seed << ": " << to_string(fault) << "\n" << to_text(kernel);
      return;
    }
    EXPECT_EQ(state.vector.flags, kAllLanes) << "seed " << seed;
  }
}

TEST_P(RandomKernel, TheSameForTheSameSeed) {
  EXPECT_EQ(to_text(random_kernel(GetParam(), 7)), to_text(random_kernel(GetParam(), 7)));
  EXPECT_NE(to_text(random_kernel(GetParam(), 7)), to_text(random_kernel(GetParam(), 8)));
}

TEST_P(RandomKernel, EveryKindOfNodeAndEveryInstructionOfSfpi) {
  std::set<Kind> kinds;
  std::set<isa::Op> ops;
  std::uint32_t deepest = 0;
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const Recording kernel = random_kernel(GetParam(), seed, {.statements = 80});
    for (const compiler::Node& node : kernel.nodes) {
      kinds.insert(node.kind);
      if (node.kind == Kind::Instruction) ops.insert(operation(kernel, node));
    }
    for (const compiler::Context& context : kernel.contexts)
      deepest = std::max(deepest, context.depth);
  }
  EXPECT_GE(deepest, 7U);
  for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::Print); ++kind) {
    EXPECT_TRUE(kinds.contains(static_cast<Kind>(kind))) << "kind " << kind;
  }
  using isa::Op;
  std::set<Op> wanted{Op::SFPLOAD,  Op::SFPSTORE,  Op::SFPLUT,    Op::SFPDIVP2,    Op::SFPEXEXP,
                      Op::SFPEXMAN, Op::SFPIADD,   Op::SFPSHFT,   Op::SFPMOV,      Op::SFPABS,
                      Op::SFPAND,   Op::SFPOR,     Op::SFPNOT,    Op::SFPLZ,       Op::SFPSETEXP,
                      Op::SFPXOR,   Op::SFPSETMAN, Op::SFPSETSGN, Op::SFPSTOCHRND, Op::SFPCAST,
                      Op::SFPSWAP,  Op::SFPSHFT2,  Op::SFPTRANSP, Op::SFPLUTFP32};
  if (arch_params(GetParam()).vector.has_compare_arecip_mul24)
    wanted.insert({Op::SFPARECIP, Op::SFPMUL24});
  for (const Op op : wanted) EXPECT_TRUE(ops.contains(op)) << find_row(GetParam(), op)->mnemonic;
}

/// Of the raw words, so that a new instruction is either among them or gets a reason here.
TEST_P(RandomKernel, EveryInstructionThatComputesOnLRegsIsARawWord) {
  using isa::Op;
  const std::set<Op> kLeftOut{Op::SFPLOAD,    Op::SFPLOADMACRO, // Dst and counters
                              Op::SFPLUT,     Op::SFPLUTFP32,   // more LRegs than words have
                              Op::SFPTRANSP,                    // every LReg, and other lanes
                              Op::SFPSTOCHRND};                 // steps the PRNG
  std::set<Op> found;
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const Recording kernel = random_kernel(GetParam(), seed, {.statements = 80});
    for (const compiler::Node& node : kernel.nodes) {
      if (node.kind != Kind::Raw) continue;
      found.insert(isa::decode(GetParam(), static_cast<std::uint32_t>(node.imm)).row->op);
    }
  }
  for (const isa::Row& row : isa::rows()) {
    if (!includes(row.chips, GetParam()) || !isa::may_write_lregs(row.op)) continue;
    EXPECT_NE(found.contains(row.op), kLeftOut.contains(row.op)) << row.mnemonic;
  }
}

TEST_P(RandomKernel, OptionsKeepThingsOut) {
  const RandomKernelOptions options{.max_depth = 2,
                                    .random_numbers = false,
                                    .fixed_registers = false,
                                    .lregs = false,
                                    .raw_words = false};
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const Recording kernel = random_kernel(GetParam(), seed, options);
    for (const compiler::Node& node : kernel.nodes) {
      EXPECT_NE(node.kind, Kind::Raw);
      EXPECT_NE(node.kind, Kind::ReadLReg);
      EXPECT_NE(node.kind, Kind::WriteLReg);
      if (node.kind != Kind::Instruction) continue;
      const isa::Op op = operation(kernel, node);
      EXPECT_NE(op, isa::Op::SFPSTOCHRND);
      EXPECT_NE(op, isa::Op::SFPTRANSP);
      EXPECT_NE(op, isa::Op::SFPLUT);
    }
  }
}

TEST(KernelCheck, FindsWhatAProgramDoesOtherwise) {
  const Recording kernel = random_kernel(Arch::Blackhole, 1, {.statements = 5, .raw_words = false});
  const KernelCheck check = check_kernel(kernel, Program{}, 1);
  EXPECT_FALSE(check.ok());
  EXPECT_NE(check.difference.find("interpreter"), std::string::npos) << check.difference;
}

TEST(KernelCheck, EmptyKernelIsTheEmptyProgram) {
  for (Arch arch : kArchs) {
    Recording nothing;
    nothing.arch = arch;
    EXPECT_EQ(check_kernel(nothing, Program{}, 3).difference, "");
  }
}

} // namespace
} // namespace lanewise::oracle
