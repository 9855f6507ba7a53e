// Which words go where marks of SFPI stand in the code of a core.
#include "run/section/vector_marks.h"

#include <gtest/gtest.h>

#include "chip/isa/encoding.h"
#include "source/sfpi/include/lanewise_marks.h"

namespace lanewise::section {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kOther = 0x02000000; // NOP: nobody else sees it

class Marks : public ::testing::TestWithParam<Arch> {
 protected:
  /// Of the Sync unit.
  std::uint32_t wait() const { return *isa::encode(GetParam(), isa::Op::STALLWAIT, {}); }

  /// What goes to the tile, one list for each word that the core pushes; and at the end.
  std::vector<Words> all(VectorMarks& marks, const Words& code) {
    std::vector<Words> lists;
    for (const std::uint32_t word : code) {
      auto words = marks.pushed(word);
      EXPECT_TRUE(words.has_value()) << (words ? "" : to_string(words.error()));
      lists.push_back(words ? *words : Words{});
    }
    auto rest = marks.seen();
    EXPECT_TRUE(rest.has_value());
    lists.push_back(rest ? *rest : Words{});
    return lists;
  }

  static Stretches stretches(const std::vector<Words>& each) {
    StretchLog log;
    for (const Words& words : each) log.add(words);
    return log.taken();
  }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, Marks, ::testing::ValuesIn(kArchs));

TEST_P(Marks, AreNoInstructionsOfAnyChip) {
  for (const Arch arch : kArchs) {
    EXPECT_EQ(isa::decode(arch, kLanewiseVectorMark).row, nullptr);
    EXPECT_EQ(isa::decode(arch, kLanewiseVectorOpening).row, nullptr);
  }
}

TEST_P(Marks, WordsComeAtTheEndWhereNothingIsCounted) {
  const Stretches one = stretches({{1, 2, 3}});
  VectorMarks marks(GetParam(), one);
  const auto lists = all(marks, {kOther, kLanewiseVectorMark, kOther, kLanewiseVectorMark, wait()});
  EXPECT_EQ(lists, (std::vector<Words>{{kOther}, {}, {}, {}, {1, 2, 3, wait()}, {}}));
  EXPECT_EQ(marks.counted(), (Words{3}));
  EXPECT_TRUE(marks.ended().has_value());
}

TEST_P(Marks, WordsAreSpreadEvenly) {
  const Stretches one = stretches({{1, 2, 3, 4, 5}});
  VectorMarks fewer(GetParam(), one, {3}); // 0, 5/3 = 1, 10/3 = 3, 5
  EXPECT_EQ(all(fewer, {kLanewiseVectorMark, kOther, kLanewiseVectorMark}),
            (std::vector<Words>{{1}, {2, 3}, {4, 5}, {}}));
  const Stretches two = stretches({{1}, {1, 2}});
  VectorMarks more(GetParam(), two, {2, 4});
  EXPECT_EQ(all(more, {kLanewiseVectorMark, kLanewiseVectorMark, wait(), kLanewiseVectorMark,
                       kOther, kOther, kOther}),
            (std::vector<Words>{{}, {1}, {wait()}, {}, {1}, {}, {2}, {}}));
}

TEST_P(Marks, AnOpeningTakesNoPlace) {
  const Stretches one = stretches({{1, 2}});
  VectorMarks marks(GetParam(), one, {2});
  EXPECT_EQ(all(marks, {kLanewiseVectorOpening, kOther, kLanewiseVectorMark}),
            (std::vector<Words>{{}, {1}, {2}, {}}));
  VectorMarks alone(GetParam(), one, {0});
  EXPECT_EQ(all(alone, {kLanewiseVectorOpening}), (std::vector<Words>{{}, {1, 2}}));
}

TEST_P(Marks, ADisagreementIsAFault) {
  const Stretches none;
  VectorMarks more(GetParam(), none);
  EXPECT_FALSE(more.pushed(kLanewiseVectorMark).has_value());
  const Stretches one = stretches({{1}});
  EXPECT_FALSE(VectorMarks(GetParam(), one).ended().has_value());
  VectorMarks longer(GetParam(), one, {1});
  EXPECT_TRUE(longer.pushed(kLanewiseVectorMark).has_value());
  EXPECT_FALSE(longer.pushed(kOther).has_value());
  VectorMarks shorter(GetParam(), one, {2});
  EXPECT_TRUE(shorter.pushed(kLanewiseVectorMark).has_value());
  EXPECT_FALSE(shorter.seen().has_value());
}

} // namespace
} // namespace lanewise::section
