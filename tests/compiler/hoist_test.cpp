// Constants are loaded once, the most useful first.
#include "source/compiler/hoist.h"

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"

namespace lanewise::compiler {
namespace {

using namespace test;

Instr loadi(Reg vd, std::int32_t imm, unsigned mode = 0) {
  return instr(Op::SFPLOADI, mode, {.vd = vd, .reads_vd = mode == 8, .imm = imm});
}

class Hoisting : public ::testing::TestWithParam<Arch> {
 protected:
  Instr step() const { return raw(*isa::encode(GetParam(), Op::INCRWC, {{"DstInc", 2}})); }
  Code hoisted(std::vector<Instr> instrs, std::size_t count) const {
    Code made = code(GetParam(), std::move(instrs));
    hoist_constants(made, count);
    return made;
  }
  static std::size_t loads(const Code& code) {
    return static_cast<std::size_t>(std::ranges::count(code.instrs, Op::SFPLOADI, &Instr::op));
  }
  /// Three rows: 1.5 (one load) once in each, 0x12345678 (two loads) in two of them.
  std::vector<Instr> rows() const {
    std::vector<Instr> instrs;
    for (unsigned row = 0; row < 3; ++row) {
      instrs.push_back(loadi(v(4 * row), 0x3FC0));
      instrs.push_back(mad(v(4 * row + 1), v(4 * row), l(10), l(9)));
      if (row != 1) {
        instrs.push_back(loadi(v(4 * row + 2), 0x5678, 2));
        instrs.push_back(loadi(v(4 * row + 2), 0x1234, 8));
        instrs.push_back(mad(v(4 * row + 3), v(4 * row + 2), l(10), v(4 * row + 1)));
      }
      instrs.push_back(step());
    }
    return instrs;
  }
};
LANEWISE_ON_BOTH_CHIPS(Hoisting);

TEST_P(Hoisting, EachIsLoadedOnce) {
  EXPECT_EQ(count_hoistable(code(GetParam(), rows())), 2U);
  EXPECT_EQ(loads(hoisted(rows(), 0)), 7U);
  EXPECT_EQ(loads(hoisted(rows(), 1)), 5U) << "either saves two";
  EXPECT_EQ(loads(hoisted(rows(), 2)), 3U);
}

TEST_P(Hoisting, BeforeTheRows) {
  const Code found = hoisted(rows(), 2);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found.instrs[i].op, Op::SFPLOADI) << i;
}

// Another instruction writes the register: it is no constant.
TEST_P(Hoisting, WhatIsOverwrittenStays) {
  std::vector<Instr> instrs = rows();
  instrs[1] = instr(Op::SFPMULI, 0, {.vd = v(0), .reads_vd = true, .imm = 0x4000});
  const Code found = hoisted(instrs, 2);
  EXPECT_EQ(loads(found), 4U) << "the first 1.5, one for the other rows, and the two halves";
}

// A constant that is needed under a predicate is loaded where all lanes are enabled.
TEST_P(Hoisting, OutOfPredicates) {
  std::vector<Instr> instrs;
  for (unsigned row = 0; row < 2; ++row) {
    const std::vector<Instr> one{push(),
                                 test_lanes(l(8), 0),
                                 loadi(v(2 * row), 0x3FC0),
                                 mad(v(2 * row + 1), v(2 * row), l(10), l(9)),
                                 pop(),
                                 step()};
    instrs.insert(instrs.end(), one.begin(), one.end());
  }
  const Code found = hoisted(instrs, 1);
  EXPECT_EQ(loads(found), 1U);
  EXPECT_EQ(found.instrs.front().op, Op::SFPLOADI);
}

} // namespace
} // namespace lanewise::compiler
