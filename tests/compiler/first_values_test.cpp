// Variables that had no value take the first one as it is, so that their words stay as short as
// those of a plain name.
#include "source/compiler/first_values.h"

#include <gtest/gtest.h>

#include "run/oracle/kernel_writer.h"
#include "source/compiler/compiler.h"

namespace lanewise::compiler {
namespace {

TEST(FirstValues, StandForTheVariable) {
  oracle::KernelWriter k(Arch::Blackhole);
  const auto x = k.load(0);
  const auto nothing = k.undefined();
  k.begin_if(k.compare(x, Relation::LT, k.constant(0.0F)));
  const auto y = k.assign(nothing, x, 0);
  k.store(y, 2);
  k.end_if();
  Recording recording = k.take();
  ASSERT_EQ(recording.nodes[y].kind, Kind::Assign);
  take_first_values(recording);
  EXPECT_TRUE(recording.nodes[y].dead);
  EXPECT_EQ(recording.nodes[y + 1].operand[3], x);
}

TEST(FirstValues, CostNoWord) {
  const auto words = [](bool through_variable) {
    oracle::KernelWriter k(Arch::Blackhole);
    const auto x = k.load(0);
    const auto nothing = k.undefined();
    k.begin_if(k.compare(x, Relation::LT, k.constant(0.0F)));
    k.store(through_variable ? k.assign(nothing, x, 0) : x, 2);
    k.end_if();
    return compile(k.take(), {}).program.words.size();
  };
  EXPECT_EQ(words(true), words(false));
}

} // namespace
} // namespace lanewise::compiler
