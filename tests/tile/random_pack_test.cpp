// Random streams of PACRs on a tile and on the model of one (tests/tile/model): conversions with
// ReLU, addresses, AddrMods, edge masks, exponents, relative addresses, sums in L1 (core.md 14).
#include "machine/machine_fixture.h"
#include "tile/model/pack_case.h"

namespace lanewise::test {
namespace {

using model::TilePair;

constexpr std::size_t kPackCases = 1200;
constexpr std::size_t kWordsOfPackCase =
    100; ///< a case takes as long as so many other random words

class RandomPack : public testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(RandomPack);

TEST_P(RandomPack, DoesWhatTheModelDoes) {
  TilePair pair(GetParam(), 12);
  std::size_t undefined = 0;
  const std::size_t cases = fuzz_words(kPackCases * kWordsOfPackCase) / kWordsOfPackCase;
  for (std::size_t i = 0; i < cases; ++i) {
    if (i % 64 == 0) pair.randomise_dst();
    model::PackCase test(pair);
    const std::vector<std::uint32_t> words = test.make();
    pair.model.views_high_halves = i % 8 == 7;
    pair.publish();
    const model::Model before = pair.model;
    for (const std::uint32_t word : words) pair.run(test.thread(), word);
    if (pair.model.undefined) {
      ++undefined;
      pair.model = before;
      continue;
    }
    const auto message = [&] {
      return fmt::format("case {}: {:08X}, {}", i, fmt::join(words, " "), test.text());
    };
    ASSERT_EQ(pair.difference(), "") << message();
    ASSERT_EQ(pair.faults(), "") << message();
  }
  EXPECT_LE(undefined, cases / 5) << "of " << cases;
}

} // namespace
} // namespace lanewise::test
