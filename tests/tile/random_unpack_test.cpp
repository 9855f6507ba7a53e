// Random UNPACRs on a tile and on the model of one (tests/tile/model): every mode that a document
// defines (core.md 12, 13).
#include "machine/machine_fixture.h"
#include "tile/model/unpack_case.h"

namespace lanewise::test {
namespace {

using model::TilePair;

constexpr std::size_t kUnpackCases = 1200;
constexpr std::size_t kWordsOfUnpackCase =
    100; ///< a case takes as long as so many other random words

class RandomUnpack : public testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(RandomUnpack);

TEST_P(RandomUnpack, DoesWhatTheModelDoes) {
  TilePair pair(GetParam(), 11);
  std::size_t undefined = 0;
  const std::size_t cases = fuzz_words(kUnpackCases * kWordsOfUnpackCase) / kWordsOfUnpackCase;
  for (std::size_t i = 0; i < cases; ++i) {
    if (i % 64 == 0) {
      pair.randomise_sources();
      pair.randomise_dst();
    }
    model::UnpackCase test(pair);
    const std::uint32_t word = test.make();
    pair.model.views_high_halves = i % 8 == 7;
    pair.publish();
    const model::Model before = pair.model;
    pair.run(test.thread(), word);
    if (pair.model.undefined) {
      ++undefined;
      pair.model = before;
      continue;
    }
    ASSERT_EQ(pair.difference(), "") << fmt::format("case {}: {:08X}, {}", i, word, test.text());
    ASSERT_EQ(pair.faults(), "") << fmt::format("case {}: {:08X}, {}", i, word, test.text());
  }
  EXPECT_LE(undefined, cases / 10) << "of " << cases;
}

} // namespace
} // namespace lanewise::test
