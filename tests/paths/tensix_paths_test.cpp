#include "binary/paths/tensix_paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "paths/code_fixture.h"

namespace lanewise::paths {
namespace {

using namespace testing;
using Kinds = std::vector<std::pair<FindingKind, std::uint32_t>>;

TEST(TensixPaths, AnLRegIsWrittenOnOnePathOnly) {
  // The branch leaves out the load of L0.
  const Words code{if_zero(2), tensix("SFPLOADI L0, 0, 1"), tensix("SFPSTORE L0, 0, 7, 0"), kRet};
  EXPECT_EQ(kinds(paths_of(code)), (Kinds{{FindingKind::UnwrittenLReg, 2}}));
}

TEST(TensixPaths, AnLRegIsWrittenOnBothPaths) {
  const Words code{if_zero(3),
                   tensix("SFPLOADI L0, 0, 1"),
                   jump(2),
                   tensix("SFPLOADI L0, 0, 2"),
                   tensix("SFPSTORE L0, 0, 7, 0"),
                   kRet};
  EXPECT_TRUE(kinds(paths_of(code)).empty());
}

TEST(TensixPaths, ALoopThatReadsWhatItWritesLaterNeedsItAtTheBeginning) {
  const Words code{tensix("SFPSTORE L1, 0, 7, 0"), tensix("SFPLOADI L1, 0, 1"), if_zero(-2), kRet};
  const TensixPaths paths = paths_of(code);
  EXPECT_EQ(kinds(paths), (Kinds{{FindingKind::UnwrittenLReg, 0}}));
  EXPECT_EQ(paths.summary.needs, 1U << 1);
  EXPECT_EQ(paths.summary.writes, 1U << 1) << "the loop runs once at least";
}

TEST(TensixPaths, PushAndPopMeetEvenly) {
  const Words even{tensix("SFPPUSHC"), if_zero(2), kNop, tensix("SFPPOPC"), kRet};
  EXPECT_TRUE(kinds(paths_of(even)).empty());
}

TEST(TensixPaths, APushOnOnePathOnlyIsUneven) {
  const Words uneven{if_zero(2), tensix("SFPPUSHC"), kNop, kRet};
  EXPECT_EQ(kinds(paths_of(uneven)),
            (Kinds{{FindingKind::UnevenStack, 2}, {FindingKind::StackAtReturn, 3}}));
}

TEST(TensixPaths, APushInALoopDoesNotEnd) {
  const Words grows{tensix("SFPPUSHC"), if_zero(-1), kRet};
  const TensixPaths paths = paths_of(grows);
  EXPECT_EQ(kinds(paths).front(), (std::pair{FindingKind::UnevenStack, 0U}));
}

TEST(TensixPaths, APopWithoutAPush) {
  EXPECT_EQ(kinds(paths_of({tensix("SFPPOPC"), kRet})).front(),
            (std::pair{FindingKind::EmptyStack, 0U}));
}

TEST(TensixPaths, ModesOfPushAndPopThatLeaveTheStackAlone) { // VU C9, C10
  EXPECT_TRUE(
      kinds(paths_of({tensix("SFPPUSHC"), tensix("SFPPOPC 0, INVERT"), tensix("SFPPOPC"), kRet}))
          .empty());
}

TEST(TensixPaths, SlotsRecordedOnOnePathOnly) {
  const Words code{if_zero(3), tensix("REPLAY 0, 1, 0, 1"), tensix("SFPNOP"),
                   tensix("REPLAY 0, 1, 0, 0"), kRet};
  EXPECT_EQ(kinds(paths_of(code)), (Kinds{{FindingKind::Unprogrammed, 3}}));
}

TEST(TensixPaths, WhatIsPlayedCounts) {
  const Words code{tensix("REPLAY 4, 1, 0, 1"), tensix("SFPLOADI L2, 0, 1"),
                   tensix("REPLAY 4, 1, 0, 0"), tensix("SFPSTORE L2, 0, 7, 0"), kRet};
  EXPECT_TRUE(kinds(paths_of(code)).empty()) << "recorded, then played: L2 is written";
}

TEST(TensixPaths, WhatIsOnlyRecordedDoesNotCount) {
  const Words code{tensix("REPLAY 4, 1, 0, 1"), tensix("SFPLOADI L2, 0, 1"),
                   tensix("SFPSTORE L2, 0, 7, 0"), kRet};
  EXPECT_EQ(kinds(paths_of(code)), (Kinds{{FindingKind::UnwrittenLReg, 2}}));
}

// 32 slots: the one behind the last is the first.
TEST(TensixPaths, SlotsWrapAround) {
  const Words code{tensix("REPLAY 0, 1, 0, 1"),    tensix("SFPLOADI L3, 0, 1"),
                   tensix("REPLAY 31, 2, 0, 1"),   tensix("SFPNOP"),
                   tensix("SFPLOADI L2, 0, 1"),    tensix("REPLAY 0, 1, 0, 0"),
                   tensix("SFPSTORE L2, 0, 7, 0"), kRet};
  EXPECT_TRUE(kinds(paths_of(code)).empty());
}

// Whichever of two recordings it is, nothing is said of what it writes.
TEST(TensixPaths, ASlotOfTwoRecordingsMayBeEither) {
  const Words code{if_zero(4),
                   tensix("REPLAY 0, 1, 0, 1"),
                   tensix("SFPLOADI L2, 0, 1"),
                   jump(3),
                   tensix("REPLAY 0, 1, 0, 1"),
                   tensix("SFPLOADI L3, 0, 1"),
                   tensix("REPLAY 0, 1, 0, 0"),
                   tensix("SFPSTORE L2, 0, 7, 0"),
                   tensix("SFPSTORE L3, 0, 7, 0"),
                   kRet};
  EXPECT_TRUE(kinds(paths_of(code)).empty());
}

TEST(TensixPaths, ARecordingIsCutByABranch) {
  const Words code{tensix("REPLAY 0, 2, 0, 1"), tensix("SFPNOP"), if_zero(2), tensix("SFPNOP"),
                   kRet};
  EXPECT_EQ(kinds(paths_of(code)), (Kinds{{FindingKind::CutRecording, 2}}));
}

TEST(TensixPaths, ARecordingIsCutByAReturn) {
  const Words code{tensix("REPLAY 0, 3, 0, 1"), tensix("SFPNOP"), kRet};
  const TensixPaths paths = paths_of(code);
  EXPECT_EQ(kinds(paths), (Kinds{{FindingKind::CutRecording, 2}}));
  ASSERT_FALSE(paths.findings.empty());
  EXPECT_NE(paths.findings.front().text.find("the last 2 words"), std::string::npos);
}

TEST(TensixPaths, AJumpCutsNoRecording) {
  const Words code{tensix("REPLAY 0, 2, 0, 1"), tensix("SFPNOP"), jump(1), tensix("SFPNOP"), kRet};
  EXPECT_TRUE(kinds(paths_of(code)).empty());
}

TEST(TensixPaths, WhatComesBehindACutExecutes) {
  const Words code{tensix("REPLAY 0, 4, 0, 1"),
                   tensix("SFPNOP"),
                   if_zero(2),
                   kNop,
                   tensix("SFPSTORE L0, 0, 7, 0"),
                   kRet};
  Kinds found = kinds(paths_of(code));
  std::ranges::sort(found, {}, [](const auto& each) { return each.second; });
  EXPECT_EQ(found, (Kinds{{FindingKind::CutRecording, 2}, {FindingKind::UnwrittenLReg, 4}}));
}

TEST(TensixPaths, SequencesProgrammedOnOnePathOnly) {
  const Words code{if_zero(2), tensix("SFPCONFIG 0, 4, 1"), tensix("SFPLOADMACRO 0, 0, 0, 7, 0, 0"),
                   kRet};
  const TensixPaths paths = paths_of(code);
  EXPECT_EQ(kinds(paths), (Kinds{{FindingKind::Unprogrammed, 2}}));
}

TEST(TensixPaths, UsesNameWhoMayHaveProgrammed) {
  const Words code{if_zero(2), tensix("SFPCONFIG 0, 4, 1"), tensix("SFPLOADMACRO 0, 0, 0, 7, 0, 0"),
                   kRet};
  const TensixPaths paths = paths_of(code);
  const auto use = std::ranges::find_if(paths.uses, [](const ResourceUse& each) {
    return each.resource == resource::kFirstSequence;
  });
  ASSERT_NE(use, paths.uses.end());
  EXPECT_EQ(use->setters, (std::vector<Setter>{1, kBefore}));
}

TEST(TensixPaths, ACalledFunctionNeedsWhatItReads) {
  const auto all = functions({{call(2), kRet}, {tensix("SFPSTORE L3, 0, 7, 0"), kRet}});
  const Summaries summaries = summarise(all, Arch::Blackhole);
  EXPECT_EQ(summaries.at(all[1].symbol.address).needs, 1U << 3);
  const TensixPaths paths = follow_paths(all[0], graph_of(all[0]), Arch::Blackhole, summaries);
  EXPECT_EQ(kinds(paths), (Kinds{{FindingKind::UnwrittenLReg, 0}})) << "at the call";
}

TEST(TensixPaths, ACalledFunctionWritesForItsCaller) {
  const auto all = functions(
      {{call(3), tensix("SFPSTORE L3, 0, 7, 0"), kRet}, {tensix("SFPLOADI L3, 0, 1"), kRet}});
  const Summaries summaries = summarise(all, Arch::Blackhole);
  EXPECT_TRUE(kinds(follow_paths(all[0], graph_of(all[0]), Arch::Blackhole, summaries)).empty());
}

TEST(TensixPaths, RecursionEnds) {
  const auto all = functions({{tensix("SFPPUSHC"), call(-1), kRet}});
  EXPECT_EQ(summarise(all, Arch::Blackhole).size(), 1U);
}

TEST(TensixPaths, ValuesThatLiveAcrossACall) {
  const auto all = functions({{tensix("SFPLOADI L0, 0, 1"), tensix("SFPLOADI L1, 0, 1"), call(3),
                               tensix("SFPSTORE L1, 0, 7, 0"), kRet},
                              {kRet}});
  EXPECT_EQ(follow_paths(all[0], graph_of(all[0]), Arch::Blackhole, {}).live_across_calls, 1U << 1);
}

TEST(TensixPaths, WhatIsWrittenAgainBehindACallDoesNotLiveAcrossIt) {
  const TensixPaths paths =
      paths_of({tensix("SFPLOAD L1, 3, 3, 0"), call(8), tensix("SFPLOAD L1, 3, 3, 2"),
                tensix("SFPSTORE L1, 3, 3, 4"), kRet});
  EXPECT_EQ(paths.live_across_calls, 0U);
}

TEST(TensixPaths, LanesThatAreOffLetAValueLiveAcrossACall) {
  // SFPABS behind the call writes the lanes that are on; the others still have the first value.
  const TensixPaths paths =
      paths_of({tensix("SFPLOAD L1, 3, 3, 0"), tensix("SFPLOAD L2, 3, 3, 2"), call(8),
                tensix("SFPSETCC 0, L2, 0, 0"), tensix("SFPABS L2, L1, 1"),
                tensix("SFPSTORE L1, 3, 3, 4"), kRet});
  EXPECT_EQ(paths.live_across_calls, 1U << 1 | 1U << 2);
}

TEST(TensixPaths, WhatACalleeWritesDoesNotLiveAcrossItsCall) {
  const auto all =
      functions({{tensix("SFPLOAD L1, 3, 3, 0"), call(3), tensix("SFPSTORE L1, 3, 3, 4"), kRet},
                 {tensix("SFPLOAD L1, 3, 3, 2"), kRet}});
  const Summaries summaries = summarise(all, Arch::Blackhole);
  EXPECT_EQ(follow_paths(all[0], graph_of(all[0]), Arch::Blackhole, summaries).live_across_calls,
            0U);
}

/// Who may have programmed what a word uses.
std::vector<Setter> setters_of(const TensixPaths& paths, std::uint32_t word, unsigned used) {
  const auto use = std::ranges::find_if(paths.uses, [&](const ResourceUse& each) {
    return each.word == word && each.resource == used;
  });
  return use == paths.uses.end() ? std::vector<Setter>{} : use->setters;
}

TEST(TensixPaths, AConstantProgrammedOnOnePathOnly) { // VU C38
  const Words code{if_zero(2), tensix("SFPCONFIG 5, 12, 1"), tensix("SFPSTORE L12, 3, 7, 0"), kRet};
  const TensixPaths paths = paths_of(code);
  EXPECT_EQ(setters_of(paths, 2, resource::kFirstConstant + 1), (std::vector<Setter>{1, kBefore}));
  EXPECT_EQ(kinds(paths), (Kinds{{FindingKind::Unprogrammed, 2}}));
}

TEST(TensixPaths, AnAddrModSectionProgrammedOnEitherPath) {
  const auto set = [](unsigned value) {
    return tensix(fmt::format("SETC16 {}, {}", kBlackhole.config.addr_mod_dst_word + 1, value));
  };
  const Words code{if_zero(3), set(2), jump(2), set(4), tensix("SFPLOAD L0, 3, 1, 0"), kRet};
  const TensixPaths paths = paths_of(code);
  EXPECT_TRUE(kinds(paths).empty());
  EXPECT_EQ(setters_of(paths, 4, resource::kFirstAddrMod + 1), (std::vector<Setter>{1, 3}));
}

TEST(TensixPaths, AnAddrModSectionProgrammedOnOnePathOnly) {
  const Words code{if_zero(2),
                   tensix(fmt::format("SETC16 {}, 2", kBlackhole.config.addr_mod_dst_word + 1)),
                   tensix("SFPLOAD L0, 3, 1, 0"), kRet};
  EXPECT_EQ(kinds(paths_of(code)), (Kinds{{FindingKind::Unprogrammed, 2}}));
}

TEST(TensixPaths, SlotsThatNobodyRecordsAreTheCallersBusiness) {
  const TensixPaths paths = paths_of({tensix("REPLAY 3, 2, 0, 0"), kRet});
  EXPECT_TRUE(kinds(paths).empty());
  EXPECT_EQ(paths.summary.uses, resource_bit(3) | resource_bit(4));
}

} // namespace
} // namespace lanewise::paths
