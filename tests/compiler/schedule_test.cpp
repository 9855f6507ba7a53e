// List scheduling: what may change places, what may not, and that fewer instructions wait.
#include "source/compiler/schedule.h"

#include <algorithm>

#include "chip/isa/disassembler.h"
#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "source/compiler/intervals.h"
#include "source/compiler/regions.h"

namespace lanewise::compiler {
namespace {

using namespace test;

class Scheduling : public ::testing::TestWithParam<Arch> {
 protected:
  /// An access by the section that moves no counter.
  Instr resting(Instr access) const {
    access.addr_mod = GetParam() == Arch::Blackhole ? 7 : 3;
    return access;
  }
  Instr read(Reg vd, std::int32_t address = 0) const { return resting(load(vd, address)); }
  Instr write(Reg vd, std::int32_t address = 0) const { return resting(store(vd, address)); }
  static Instr square(Reg vd, Reg from) { return mad(vd, from, from, l(9)); }
  Instr word(Op op, std::initializer_list<isa::FieldValue> fields) const {
    return raw(*isa::encode(GetParam(), op, fields));
  }

  Code scheduled(std::vector<Instr> instrs, unsigned lregs = kAllocatable) const {
    Code made = code(GetParam(), std::move(instrs));
    schedule(made, lregs);
    return made;
  }
  /// Instructions that stand right behind a two-cycle result that they read.
  static unsigned waiting(const Code& code) {
    unsigned count = 0;
    for (std::size_t i = 1; i < code.instrs.size(); ++i) {
      const Instr& before = code.instrs[i - 1];
      bool reads = false;
      for_each_use(code.instrs[i], [&](Reg reg) { reads |= reg == before.vd; });
      count += before.op == Op::SFPMAD && reads ? 1 : 0;
    }
    return count;
  }
  static std::vector<std::int32_t> immediates(const Code& code, Op op) {
    std::vector<std::int32_t> found;
    for (const Instr& each : code.instrs)
      if (each.op == op && each.kind == InstrKind::Tensix) found.push_back(each.imm);
    return found;
  }
};
LANEWISE_ON_BOTH_CHIPS(Scheduling);

// VU 5.2: the result of SFPMAD can be read in the second cycle.
TEST_P(Scheduling, ResultsAreNotReadAtOnce) {
  const std::vector<Instr> source{read(v(0)),    square(v(1), v(0)), write(v(1)),
                                  read(v(2), 2), square(v(3), v(2)), write(v(3), 2)};
  EXPECT_EQ(waiting(code(GetParam(), source)), 2U);
  EXPECT_EQ(waiting(scheduled(source)), 0U);
}

TEST_P(Scheduling, WhatGainsNothingStays) {
  const std::vector<Instr> source{read(v(0), 4), read(v(1), 2), write(v(1), 8), write(v(0), 6)};
  EXPECT_EQ(immediates(scheduled(source), Op::SFPLOAD), (std::vector<std::int32_t>{4, 2}));
  EXPECT_EQ(immediates(scheduled(source), Op::SFPSTORE), (std::vector<std::int32_t>{8, 6}));
}

// The second load reads what the first store has left.
TEST_P(Scheduling, AccessesThatMeetKeepTheirOrder) {
  const Code found = scheduled(
      {read(v(0)), square(v(1), v(0)), write(v(1)), read(v(2)), square(v(3), v(2)), write(v(3))});
  EXPECT_EQ(ops(found), (std::vector<Op>{Op::SFPLOAD, Op::SFPMAD, Op::SFPSTORE, Op::SFPLOAD,
                                         Op::SFPMAD, Op::SFPSTORE}));
}

TEST_P(Scheduling, NothingCrossesAFence) {
  const std::vector<Instr> fences{push(),
                                  pop(),
                                  complement(),
                                  test_lanes(v(4), 0),
                                  instr(Op::SFPENCC, 10, {.imm = 3}),
                                  instr(Op::SFPCONFIG, 0, {.imm = 12}),
                                  word(Op::SFPNOP, {}),
                                  word(Op::INCRWC, {{"DstInc", 2}}),
                                  store(l(0), 60)}; // which moves the counters
  for (const Instr& fence : fences) {
    const Code found = scheduled({read(v(0)), square(v(1), v(0)), write(v(1)), fence, read(v(2), 2),
                                  square(v(3), v(2)), write(v(3), 2)});
    EXPECT_EQ(immediates(found, Op::SFPLOAD), (std::vector<std::int32_t>{0, 2}));
    ASSERT_EQ(found.instrs[3].op, fence.op);
    EXPECT_EQ(found.instrs[2].op, Op::SFPSTORE);
  }
}

/// Two rows behind a word. Rearranged, no instruction waits.
std::vector<Instr> rows_behind(const Instr& word, Arch arch) {
  const std::uint8_t resting = arch == Arch::Blackhole ? 7 : 3;
  std::vector<Instr> rows{word};
  for (unsigned row = 0; row < 2; ++row) {
    const auto address = static_cast<std::int32_t>(2 * row);
    rows.push_back(load(v(2 * row), address));
    rows.push_back(mad(v(2 * row + 1), v(2 * row), v(2 * row), l(9)));
    rows.push_back(store(v(2 * row + 1), address));
  }
  for (Instr& each : rows) {
    if (each.kind == InstrKind::Tensix) each.addr_mod = resting;
  }
  return rows;
}

// What SFPLOADMACRO schedules counts instructions (VU 5.5); LaneConfig and the section of ADDR_MOD
// that stands still decide what an address means.
TEST_P(Scheduling, ProgramsWithMacrosOrNewAddressesStay) {
  const bool is_bh = GetParam() == Arch::Blackhole;
  std::vector<Instr> words{word(Op::SFPLOADMACRO, {{"AddrMod", 3}}),
                           word(Op::REPLAY, {{"Count", 2}}),
                           word(Op::RMWCIB0, {}),
                           word(Op::SFPCONFIG, {{"Imm16", 4}, {"ConfigDest", 15}, {"Mod1", 1}}),
                           word(Op::SFPCONFIG, {{"ConfigDest", 15}, {"Mod1", 0}}),
                           word(Op::SFPCONFIG, {{"ConfigDest", 15}, {"Mod1", 2}})};
  // MU 2.1: words of section 7, and of section 3, which is the same to Wormhole with its base.
  const std::vector<unsigned> indices =
      is_bh ? std::vector<unsigned>{12 + 7, 28 + 7, 47 + 7}
            : std::vector<unsigned>{7 + 2 * 3, 7 + 2 * 7, 23 + 3, 23 + 7, 48 + 3, 48 + 7};
  for (const unsigned index : indices)
    words.push_back(word(Op::SETC16, {{"CfgIndex", index}, {"NewValue", 2}}));
  for (const Instr& each : words) {
    const std::vector<Instr> source = rows_behind(each, GetParam());
    EXPECT_EQ(ops(scheduled(source)), ops(code(GetParam(), source)))
        << isa::disassemble(GetParam(), each.word);
  }
}

// What LLK does before it calls a kernel: LaneConfig 0, sections of ADDR_MOD, where a tile lies.
TEST_P(Scheduling, WordsThatSetWhatHoldsWithoutThemDoNotMatter) {
  const bool is_bh = GetParam() == Arch::Blackhole;
  const unsigned still = is_bh ? 28 + 7 : 23 + 7, other = still - 1;
  for (const Instr& each :
       {word(Op::SFPCONFIG, {{"ConfigDest", 15}, {"Mod1", 1}}),
        word(Op::SETC16, {{"CfgIndex", still}, {"NewValue", 0}}),
        word(Op::SETC16, {{"CfgIndex", other}, {"NewValue", 2}}),
        word(Op::SETC16, {{"CfgIndex", 1}, {"NewValue", 64}}), word(Op::SETRWC, {})}) {
    const std::vector<Instr> source = rows_behind(each, GetParam());
    ASSERT_EQ(waiting(code(GetParam(), source)), 2U);
    EXPECT_EQ(waiting(scheduled(source)), 0U) << isa::disassemble(GetParam(), each.word);
  }
}

TEST_P(Scheduling, NoMoreRegistersThanAllowed) {
  std::vector<Instr> source;
  for (unsigned row = 0; row < 7; ++row) {
    const auto address = static_cast<std::int32_t>(2 * row);
    source.push_back(read(v(2 * row), address));
    source.push_back(square(v(2 * row + 1), v(2 * row)));
    source.push_back(write(v(2 * row + 1), address));
  }
  for (const unsigned lregs : {2U, 3U, 4U, 8U}) {
    const Code found = scheduled(source, lregs);
    const Intervals intervals = find_intervals(found, true);
    for (std::size_t i = 0; i < found.instrs.size(); ++i) {
      const auto alive = std::ranges::count_if(intervals.of, [&](const Interval& life) {
        return life.first <= write_time(i) && write_time(i) <= life.last;
      });
      EXPECT_LE(alive, lregs) << "instruction " << i;
    }
    EXPECT_EQ(waiting(found), 0U);
  }
}

// A number that is drawn and looked at is the one of its place (VU C45).
TEST_P(Scheduling, RandomNumbersKeepTheirOrder) {
  constexpr std::int32_t kStochastic = 1 << 8;
  const auto round = [](Reg vd, Reg vc) {
    return instr(Op::SFPSTOCHRND, 1, {.vd = vd, .vc = vc, .imm = kStochastic});
  };
  const Code found = scheduled({read(v(0)), square(v(1), v(0)), round(v(2), v(1)), read(v(3), 2),
                                round(v(4), v(3)), write(v(2)), write(v(4), 2)});
  std::vector<unsigned> rounded;
  for (const Instr& each : found.instrs)
    if (each.op == Op::SFPSTOCHRND) rounded.push_back(each.vd.number());
  EXPECT_EQ(rounded, (std::vector<unsigned>{2, 4}));
}

TEST_P(Scheduling, EqualStretchesComeOutEqual) {
  std::vector<Instr> source;
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned row = 0; row < 2; ++row) {
      const unsigned first = 4 * half + 2 * row;
      const auto address = static_cast<std::int32_t>(2 * row);
      source.push_back(read(v(first), address));
      source.push_back(square(v(first + 1), v(first)));
      source.push_back(write(v(first + 1), address));
    }
    source.push_back(word(Op::INCRWC, {{"DstInc", 4}}));
  }
  const Code found = scheduled(source);
  const std::vector<Op> all = ops(found);
  EXPECT_TRUE(std::equal(all.begin(), all.begin() + 7, all.begin() + 7));
  EXPECT_EQ(waiting(found), 0U);
}

// VU C22, C23: SFPSTORE of HI16 and LO16 writes 32 bits.
TEST_P(Scheduling, AccessesMeetInTheSameCells) {
  const auto access = [&](bool stores, unsigned mode, std::int32_t address) {
    Instr made = stores ? write(l(0), address) : read(l(0), address);
    made.mod = static_cast<std::uint8_t>(mode);
    return made;
  };
  EXPECT_TRUE(may_meet(access(false, 0, 4), access(true, 0, 4)));
  EXPECT_TRUE(may_meet(access(false, 0, 4), access(true, 0, 5))) << "bit 0 says nothing";
  EXPECT_TRUE(may_meet(access(false, 0, 5), access(true, 0, 4)));
  EXPECT_TRUE(may_meet(access(false, 0, 0), access(true, 0, 1023))) << "the base may be odd";
  EXPECT_FALSE(may_meet(access(false, 0, 4), access(true, 0, 6)));
  EXPECT_FALSE(may_meet(access(false, 3, 4), access(true, 4, 6))) << "FP32 and INT32";
  EXPECT_FALSE(may_meet(access(false, 1, 4), access(true, 2, 6))) << "FP16 and BF16";
  EXPECT_TRUE(may_meet(access(false, 2, 4), access(true, 3, 64))) << "of different width";
  EXPECT_TRUE(may_meet(access(false, 0, 4), access(true, 2, 64))) << "SRCB may be either";
  EXPECT_TRUE(may_meet(access(false, 7, 4), access(true, 7, 64))) << "HI16";
}

} // namespace
} // namespace lanewise::compiler
