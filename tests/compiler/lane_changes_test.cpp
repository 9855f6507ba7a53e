// What instructions do to the enabled lanes and to the flag stack, as each part of the compiler
// sees it (VU 1.2, 1.5). The machine says what is true.
#include "source/compiler/lane_change.h"

#include <array>
#include <random>

#include "chip/isa/encoding.h"
#include "compiler/code_fixture.h"
#include "machine/machine_fixture.h"
#include "source/compiler/cc.h"
#include "source/compiler/coalesce.h"
#include "source/compiler/epoch.h"
#include "source/compiler/fold_flags.h"
#include "source/compiler/lane_sets.h"
#include "source/compiler/uses.h"

namespace lanewise::compiler {
namespace {

using namespace test;

std::uint32_t word_of(Arch arch, Op op, unsigned mod) {
  const isa::Row& row = *isa::find_row(arch, op);
  std::uint32_t word = std::uint32_t{row.opcode} << 24 | mod;
  if (const isa::Field* vc = row.field("VC")) word |= vc->insert(1);
  if (const isa::Field* vd = row.field("VD")) word |= vd->insert(2);
  return word;
}

/// What a word has done to some random states.
struct Effect {
  bool changes_lanes = false;
  bool adds_lanes = false;
  bool changes_stack = false;
};

Effect effect_of(Arch arch, std::uint32_t word) {
  constexpr unsigned kStates = 40;
  std::mt19937 random(word);
  Effect effect;
  for (unsigned i = 0; i < kStates; ++i) {
    lanewise::test::Rig rig(arch);
    rig.predicate(static_cast<std::uint32_t>(random()));
    for (const unsigned lreg : {1U, 2U}) {
      rig.set_lreg(lreg, lanewise::test::by_lane([&](unsigned) {
                     return random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random());
                   }));
    }
    VectorState& v = rig.vector();
    v.stack.push(kAllLanes, {.flags = static_cast<std::uint32_t>(random()), .use = kAllLanes});
    const std::uint32_t before = v.enabled();
    const auto stack = v.stack.entry;
    rig.run(fmt::format(".word {:#x}", word));
    effect.changes_lanes |= v.enabled() != before;
    effect.adds_lanes |= (v.enabled() & ~before) != 0;
    effect.changes_stack |= v.stack.entry != stack || v.stack.empty_lanes() != 0;
  }
  return effect;
}

class LaneChanges : public ::testing::TestWithParam<Arch> {
 protected:
  /// Calls check(op, mod, effect) for every instruction of the chip with a Mod1, in every mode.
  template <class Check>
  void for_each(Check check) {
    constexpr unsigned kModes = 16;
    for (const isa::Row& row : isa::rows()) {
      if (!includes(row.chips, GetParam()) || row.field("Mod1") == nullptr) continue;
      for (unsigned mod = 0; mod < kModes; ++mod) {
        SCOPED_TRACE(fmt::format("{} mode {}", row.mnemonic, mod));
        check(row.op, mod, effect_of(GetParam(), word_of(GetParam(), row.op, mod)));
      }
    }
  }
};
LANEWISE_ON_BOTH_CHIPS(LaneChanges);

TEST_P(LaneChanges, OfAnInstruction) { // lane_change()
  for_each([](Op op, unsigned mod, const Effect& effect) {
    const LaneChange change = lane_change(GetParam(), op, mod);
    if (effect.changes_lanes) {
      EXPECT_NE(change, LaneChange::None);
    }
    if (effect.adds_lanes) {
      EXPECT_EQ(change, LaneChange::Other);
    }
    // An exponent with its bias is never negative: that flag is always false.
    const bool never_sets = op == Op::SFPEXEXP && (mod & 1) != 0;
    if (change == LaneChange::Narrower && !never_sets) {
      EXPECT_TRUE(effect.changes_lanes);
    }
  });
}

TEST_P(LaneChanges, RawWordsKeepTheStackThatTheyNeed) { // cc.cpp, flag_effect()
  const Instr test_sign = test_lanes(v(0), 0);
  for_each([&](Op op, unsigned mod, const Effect& effect) {
    const bool restores = op == Op::SFPENCC; // outside of any pair it counts as such
    if ((!effect.changes_lanes && !effect.changes_stack) || restores) return;
    Code inside = code(GetParam(), {push(), raw(word_of(GetParam(), op, mod)), store(v(1)), pop()});
    simplify_predicates(inside);
    EXPECT_EQ(inside.instrs.front().op, Op::SFPPUSHC);
    Code behind = code(GetParam(),
                       {raw(word_of(GetParam(), op, mod)), push(), test_sign, store(v(1)), pop()});
    simplify_predicates(behind);
    EXPECT_EQ(behind.instrs.back().op, Op::SFPPOPC);
  });
}

TEST_P(LaneChanges, RawComparisonsWithoutFlagsDoNotKeepIt) { // SFPLE and SFPGT that only write VD
  if (GetParam() == Arch::Wormhole) GTEST_SKIP() << "Blackhole only";
  for (const Op op : {Op::SFPLE, Op::SFPGT}) {
    Code made = code(GetParam(), {push(), test_lanes(v(0), 0), raw(word_of(GetParam(), op, 8)),
                                  store(v(1)), pop()});
    simplify_predicates(made);
    EXPECT_EQ(made.instrs.back().op, Op::SFPENCC);
  }
}

TEST_P(LaneChanges, OfRawWordsInLaneSets) { // LaneSets::follow()
  for_each([&](Op op, unsigned mod, const Effect& effect) {
    LaneSets sets;
    sets.follow(GetParam(), Op::SFPSETCC, 0, 0);
    sets.follow(GetParam(), Op::SFPPUSHC, 0, 0);
    sets.follow(GetParam(), Op::SFPSETCC, 0, 0);
    const LaneSets::Id before = sets.now();
    sets.follow(GetParam(), word_of(GetParam(), op, mod));
    if (effect.changes_lanes) {
      EXPECT_NE(sets.now(), before);
    }
    if (effect.adds_lanes) {
      EXPECT_FALSE(sets.includes(before, sets.now()));
    }
  });
}

/// SFPENCC with a mode and an immediate, behind a test that has narrowed the lanes.
LaneSets after_encc(Arch arch, unsigned mod, unsigned imm) {
  LaneSets sets;
  sets.follow(arch, Op::SFPSETCC, 0, 0);
  sets.follow(arch, *isa::encode(arch, Op::SFPENCC, {{"Imm2", imm}, {"Mod1", mod}}));
  return sets;
}

// VU C7. In all modes, against the machine: all lanes are those that the kernel was entered with.
TEST_P(LaneChanges, OfEnccInLaneSets) {
  constexpr unsigned kModes = 16, kImmediates = 4, kStates = 8;
  std::mt19937 random(1);
  unsigned enabling = 0;
  for (unsigned mod = 0; mod < kModes; ++mod) {
    for (unsigned imm = 0; imm < kImmediates; ++imm) {
      bool enables_all = true;
      for (unsigned i = 0; i < kStates; ++i) {
        lanewise::test::Rig rig(GetParam());
        rig.predicate(static_cast<std::uint32_t>(random()));
        rig.vector().use_flags = static_cast<std::uint32_t>(random());
        const auto word = isa::encode(GetParam(), Op::SFPENCC, {{"Imm2", imm}, {"Mod1", mod}});
        rig.run(fmt::format(".word {:#x}", *word));
        enables_all &= rig.vector().enabled() == kAllLanes;
      }
      enabling += enables_all ? 1 : 0;
      const LaneSets sets = after_encc(GetParam(), mod, imm);
      EXPECT_EQ(sets.includes(sets.now(), 0), enables_all) << "mode " << mod << ", " << imm;
    }
  }
  EXPECT_EQ(enabling, 32U + 16U + 4U) << "flags set; cleared by an immediate, and set; not in use";
}

TEST_P(LaneChanges, OfRowMasksInLaneSets) { // VU C39
  const auto masked = [](LaneSets& sets, unsigned mask, unsigned mode) {
    sets.follow(GetParam(), *isa::encode(GetParam(), Op::SFPCONFIG,
                                         {{"Imm16", mask}, {"ConfigDest", 15}, {"Mod1", mode}}));
  };
  constexpr unsigned kValue = 1, kOr = 2, kEnableAll = 10, kBothFlags = 3;
  LaneSets sets;
  masked(sets, 0x0FFF, kValue); // switches of other meaning
  EXPECT_EQ(sets.now(), 0U);
  for (const auto& [mask, mode] : {std::pair{0x1000U, kValue}, {0x8000U, kValue}, {0U, kOr}}) {
    LaneSets rows;
    rows.follow(GetParam(), Op::SFPPUSHC, 0, 0);
    masked(rows, mask, mode);
    EXPECT_FALSE(rows.includes(rows.now(), 0)) << mask;
    rows.follow(GetParam(), Op::SFPENCC, kEnableAll, kBothFlags);
    EXPECT_FALSE(rows.includes(rows.now(), 0)) << "SFPENCC sets flags only";
    const LaneSets::Id left = rows.now();
    rows.follow(GetParam(), Op::SFPSETCC, 0, 0);
    EXPECT_TRUE(rows.includes(left, rows.now()));
    masked(rows, 0, kValue); // which rows come back depends on the enabled columns (VU C37)
    EXPECT_FALSE(rows.includes(left, rows.now()));
    rows.follow(GetParam(), Op::SFPPOPC, 0, 0);
    EXPECT_FALSE(rows.includes(rows.now(), 0)) << "saved before the rows were switched";
  }
}

TEST_P(LaneChanges, OfEntriesInLaneSets) { // what SFPPOPC brings back
  for_each([&](Op op, unsigned mod, const Effect& effect) {
    const isa::StackUse use = isa::Effects(GetParam(), op, mod).stack_use();
    if (op == Op::SFPPOPC || use == isa::StackUse::Push) return;
    LaneSets sets;
    sets.follow(GetParam(), Op::SFPSETCC, 0, 0);
    const LaneSets::Id saved = sets.now();
    sets.follow(GetParam(), Op::SFPPUSHC, 0, 0);
    sets.follow(GetParam(), word_of(GetParam(), op, mod));
    sets.follow(GetParam(), Op::SFPPOPC, 0, 0);
    if (effect.changes_stack) {
      EXPECT_NE(sets.now(), saved);
    }
  });
}

/// The result of each instruction that narrows lanes stands between a value and what wants it.
const Instr kNarrows = instr(Op::SFPGT, 1, {.vd = v(4), .vc = v(5), .reads_vd = true});
const Instr kOnlyCompares = instr(Op::SFPGT, 8, {.vd = v(4), .vc = v(5), .reads_vd = true});

TEST(LaneChangesInCoalescing, ACopyInFewerLanesStays) {
  const auto rest = [](const Instr& between) {
    Code made =
        code(Arch::Blackhole, {load(v(1)), add_immediate(v(0), v(1), 3), between,
                               instr(Op::SFPMOV, 0, {.vd = v(2), .vc = v(0)}), store(v(2))});
    coalesce(made, false);
    return made.instrs.size();
  };
  EXPECT_EQ(rest(kOnlyCompares), 4U) << "the copy went";
  EXPECT_EQ(rest(kNarrows), 5U);
  EXPECT_EQ(rest(complement()), 5U);
  EXPECT_EQ(rest(raw(word_of(Arch::Blackhole, Op::SFPGT, 1))), 5U);
}

TEST(LaneChangesInFlags, ASumMovesToItsTestUnlessLanesComeBack) {
  const auto rest = [](const Instr& between, bool used) {
    std::vector<Instr> instrs{add_immediate(v(0), v(1), -5), between, test_lanes(v(0), 0)};
    if (used) instrs.push_back(store(v(0)));
    Code made = code(Arch::Blackhole, std::move(instrs));
    fold_flags(made, kNewestEpoch, false);
    return made.instrs.size() - (used ? 1 : 0);
  };
  EXPECT_EQ(rest(kOnlyCompares, true), 2U) << "moved: no lane has changed";
  EXPECT_EQ(rest(kNarrows, false), 2U);
  EXPECT_EQ(rest(kNarrows, true), 3U) << "others need the sum in all lanes";
  EXPECT_EQ(rest(complement(), false), 3U);
  EXPECT_EQ(rest(raw(word_of(Arch::Blackhole, Op::SFPGT, 1)), false), 3U);
}

TEST(LaneChangesOfNodes, ArePredicates) { // uses.h
  for (const Kind kind :
       {Kind::If, Kind::ElseIf, Kind::Else, Kind::EndIf, Kind::Block, Kind::EndBlock, Kind::Narrow})
    EXPECT_TRUE(changes_lanes(kind)) << static_cast<int>(kind);
  for (const Kind kind : {Kind::Constant, Kind::Instruction, Kind::Assign, Kind::Compare,
                          Kind::WriteLReg, Kind::Print})
    EXPECT_FALSE(changes_lanes(kind)) << static_cast<int>(kind);
}

} // namespace
} // namespace lanewise::compiler
