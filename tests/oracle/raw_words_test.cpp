// Raw words between SFPI: what they leave in lanes and LRegs must not be lost, nor what SFPI has
// there.
#include <gtest/gtest.h>

#include "machine/machine_fixture.h"
#include "run/oracle/kernel_check.h"
#include "run/oracle/kernel_writer.h"
#include "source/compiler/compiler.h"

namespace lanewise::oracle {
namespace {

using compiler::Value;
using isa::Op;

constexpr std::uint32_t kUnsigned = 2; ///< SFPLOADI: 16 bits without sign
constexpr unsigned kTileId = 15;       ///< LReg[15]: 0, 2, .. 62
constexpr unsigned kInt32 = 4;

class RawWordsBetweenSfpi : public ::testing::TestWithParam<Arch> {
 protected:
  void narrow_to_lane_zero() {
    constexpr std::uint32_t kIsZero = 6;
    kernel_.raw(Op::SFPPUSHC, {});
    kernel_.raw(Op::SFPSETCC, {{"VC", kTileId}, {"Mod1", kIsZero}});
  }
  void load(unsigned lreg, std::uint32_t number) {
    kernel_.raw(Op::SFPLOADI, {{"VD", lreg}, {"Mod0", kUnsigned}, {"Imm16", number}});
  }
  /// SFPI that needs some LRegs.
  void store_a_sum() {
    const Value x = kernel_.load(2);
    kernel_.store(kernel_.mad(x, kernel_.constant(3.0F), kernel_.constant(0.25F)), 4);
  }

  void expect_program_does_what_the_kernel_means() {
    const compiler::Recording recording = kernel_.take();
    const compiler::Compiled compiled = compiler::compile(recording, {});
    ASSERT_TRUE(compiled.ok) << to_string(compiled.diagnostics.front());
    const KernelCheck check = check_kernel(compiler::combined(recording, {}), compiled.program, 1);
    EXPECT_EQ(check.difference, "") << to_text(recording);
  }

  KernelWriter kernel_{GetParam(), "kernel"};
};
LANEWISE_ON_BOTH_CHIPS(RawWordsBetweenSfpi);

TEST_P(RawWordsBetweenSfpi, AConstantIsLoadedBeforeWordsThatSwitchLanesOff) {
  const Value constant = kernel_.constant(2.5F);
  narrow_to_lane_zero();
  kernel_.store(constant, 0);
  kernel_.raw(Op::SFPPOPC, {});
  kernel_.store(constant, 2);
  expect_program_does_what_the_kernel_means();
}

TEST_P(RawWordsBetweenSfpi, AWordThatWritesSomeLanesKeepsTheOthers) {
  load(0, 5);
  store_a_sum();
  narrow_to_lane_zero();
  load(0, 7);
  kernel_.raw(Op::SFPPOPC, {});
  kernel_.store(kernel_.read_lreg(0), 0, kInt32);
  expect_program_does_what_the_kernel_means();
}

TEST_P(RawWordsBetweenSfpi, SoDoesOneThatIsReplayed) {
  load(0, 5);
  store_a_sum();
  kernel_.raw(Op::REPLAY, {{"Index", 0}, {"Count", 2}, {"Load", 1}});
  kernel_.raw(Op::SFPSETCC, {{"VC", kTileId}, {"Mod1", 6}});
  load(0, 7);
  kernel_.raw(Op::SFPPUSHC, {});
  kernel_.raw(Op::REPLAY, {{"Index", 0}, {"Count", 2}});
  store_a_sum();
  kernel_.raw(Op::SFPPOPC, {});
  kernel_.store(kernel_.read_lreg(0), 0, kInt32);
  expect_program_does_what_the_kernel_means();
}

TEST_P(RawWordsBetweenSfpi, SoDoesOneUnderAPredicate) {
  load(0, 5);
  store_a_sum();
  kernel_.begin_if(
      kernel_.compare(kernel_.load(6), compiler::Relation::LT, kernel_.constant(0.0F)));
  load(0, 7);
  kernel_.end_if();
  kernel_.store(kernel_.read_lreg(0), 0, kInt32);
  expect_program_does_what_the_kernel_means();
}

} // namespace
} // namespace lanewise::oracle
