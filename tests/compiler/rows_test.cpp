// Neighbouring rows become one stretch, if they are rows.
#include "source/compiler/rows.h"

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {
namespace {

using namespace test;

class JoinedRows : public ::testing::TestWithParam<Arch> {
 protected:
  Instr resting(Instr access) const {
    access.addr_mod = GetParam() == Arch::Blackhole ? 7 : 3;
    return access;
  }
  Instr step(unsigned rows = 2) const {
    return raw(*isa::encode(GetParam(), Op::INCRWC, {{"DstInc", rows}}));
  }
  /// dst_reg[0] = dst_reg[0] * L8, on virtual registers 2n and 2n + 1.
  std::vector<Instr> row(unsigned n) const {
    return {resting(load(v(2 * n))), mad(v(2 * n + 1), v(2 * n), l(8), l(9)),
            resting(store(v(2 * n + 1))), step()};
  }
  std::vector<Instr> rows(unsigned count) const {
    std::vector<Instr> instrs;
    for (unsigned n = 0; n < count; ++n) append(instrs, row(n));
    return instrs;
  }
  static void append(std::vector<Instr>& instrs, const std::vector<Instr>& more) {
    instrs.insert(instrs.end(), more.begin(), more.end());
  }
  Code joined(std::vector<Instr> instrs, unsigned count) const {
    Code made = code(GetParam(), std::move(instrs));
    join_rows(made, count);
    return made;
  }
  /// Address of each access, counted from where the code begins; the last is the final counter.
  static std::vector<unsigned> addresses(const Code& code) {
    std::vector<unsigned> found;
    unsigned counter = 0;
    for (const Instr& each : code.instrs) {
      if (accesses_dst(each)) found.push_back(counter + static_cast<unsigned>(each.imm));
      if (is_row_step(each)) counter += step_of(each);
    }
    found.push_back(counter);
    return found;
  }
  static std::size_t steps(const Code& code) {
    return static_cast<std::size_t>(std::ranges::count_if(code.instrs, is_row_step));
  }
  /// Joining two of them changes nothing.
  void expect_left_alone(const std::vector<Instr>& instrs) const {
    EXPECT_EQ(joined(instrs, 2).instrs.size(), instrs.size());
  }
};
LANEWISE_ON_BOTH_CHIPS(JoinedRows);

TEST_P(JoinedRows, TheSameAddressesWithFewerSteps) {
  for (const unsigned count : {2U, 3U, 4U, 7U}) {
    const Code found = joined(rows(7), count);
    EXPECT_EQ(addresses(found), addresses(code(GetParam(), rows(7)))) << count;
    EXPECT_EQ(steps(found), 7 / count + 7 % count) << "each group has one, the others their own";
  }
}

TEST_P(JoinedRows, AStepHasFourBits) {
  EXPECT_EQ(steps(joined(rows(8), 8)), 8U) << "8 rows of 2 are more than INCRWC takes";
}

TEST_P(JoinedRows, WhatComesOnceStaysBeforeThem) {
  std::vector<Instr> instrs{mad(v(14), l(9), l(9), l(10))};
  append(instrs, rows(4));
  const Code found = joined(instrs, 2);
  EXPECT_EQ(found.instrs.front().op, Op::SFPMAD);
  EXPECT_EQ(steps(found), 2U);
}

TEST_P(JoinedRows, OthersAreLeftAlone) {
  std::vector<Instr> instrs = rows(2);
  instrs[5] = mad(v(3), v(2), l(10), l(9)); // another constant
  expect_left_alone(instrs);
  instrs = rows(2);
  instrs[5] = mad(v(3), v(2), v(1), l(9)); // what the row before has made
  expect_left_alone(instrs);
  instrs = rows(2);
  instrs[6].imm = 4;
  expect_left_alone(instrs);
  instrs = rows(2);
  instrs[7] = step(4);
  expect_left_alone(instrs);
  instrs = rows(2);
  instrs[0].imm = instrs[4].imm = 1022; // the second row's would be 1024
  expect_left_alone(instrs);
}

// Within a row with predicates nothing moves, but its end and the next one's beginning may overlap.
TEST_P(JoinedRows, PredicatesBelongToTheirRow) {
  const auto with = [&](const Instr& first, const Instr& second) {
    std::vector<Instr> instrs = rows(2);
    instrs.insert(instrs.begin() + 5, second);
    instrs.insert(instrs.begin() + 1, first);
    return instrs;
  };
  EXPECT_EQ(steps(joined(with(test_lanes(v(0), 0), test_lanes(v(2), 0)), 2)), 1U);
  const Instr config = instr(Op::SFPCONFIG, 0, {.imm = 12});
  expect_left_alone(with(config, config));
  Instr moving = load(v(9)); // by a section that moves counters
  expect_left_alone(with(moving, moving));
}

TEST_P(JoinedRows, StepsOfTheAuthorStay) {
  std::vector<Instr> instrs = rows(4);
  for (Instr& each : instrs) each.is_authors = each.kind == InstrKind::Raw;
  expect_left_alone(instrs);
  EXPECT_FALSE(has_rows(code(GetParam(), instrs)));
  EXPECT_TRUE(has_rows(code(GetParam(), rows(2))));
}

} // namespace
} // namespace lanewise::compiler
