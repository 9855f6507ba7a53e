// Random sequences of the short instructions on a tile and on the model of one (tests/tile/model):
// counters, scalar registers, configuration, memory, banks, semaphores (core.md 7 to 10, 13).
#include "machine/machine_fixture.h"
#include "tile/model/short_words.h"

namespace lanewise::test {
namespace {

using namespace model; // NOLINT: the names of the families

constexpr std::size_t kSequences = 300, kSequenceWords = 40;
constexpr std::size_t kWordsOfSequence = 200; ///< with the comparison of all state

/// Sequences of words, whose waits are compared and then given up.
void run_sequences(Arch arch, std::uint32_t seed, const std::vector<WordMaker>& makers) {
  TilePair pair(arch, seed);
  const std::size_t sequences = fuzz_words(kSequences * kWordsOfSequence) / kWordsOfSequence;
  for (std::size_t i = 0; i < sequences; ++i) {
    pair.reset();
    for (auto& registers : pair.model.gpr) {
      for (std::uint32_t& value : registers) value = pair.bits();
      for (unsigned k = 0; k < 4; ++k) registers[k] = 0x1000 + pair.below(0x100);
      for (unsigned k = 4; k < 6; ++k) registers[k] = pair.bits() & 0x0FFF0FFF;
    }
    for (auto& bank : pair.model.config) {
      for (unsigned word = 8; word < pair.model.first_single_word(); ++word)
        bank[word] = pair.bits();
    }
    for (std::uint32_t at = 0x10000; at < 0x11100; at += 4) { // what ATCAS waits for
      for (unsigned byte = 0; byte < 4; ++byte)
        pair.model.l1[at + byte] = static_cast<std::uint8_t>(byte == 0 ? pair.below(4) : 0);
    }
    pair.publish();
    std::string words;
    for (std::size_t k = 0; k < kSequenceWords; ++k) {
      const unsigned thread = pair.below(3);
      const std::uint32_t word =
          makers[pair.below(static_cast<std::uint32_t>(makers.size()))](pair);
      words += fmt::format(" {}:{:08X}", thread, word);
      const bool went = pair.run(thread, word);
      ASSERT_FALSE(pair.model.undefined) << words;
      if (!went) words += "(waits)";
      if (testing::Test::HasFailure()) FAIL() << words;
    }
    ASSERT_EQ(pair.difference(), "") << "sequence " << i << ":" << words;
    ASSERT_EQ(pair.faults(), "") << words;
  }
}

class RandomSequences : public testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(RandomSequences);

TEST_P(RandomSequences, OfCounters) {
  run_sequences(GetParam(), 21, {counter_word});
}
TEST_P(RandomSequences, OfScalarRegisters) {
  run_sequences(GetParam(), 22, {register_word});
}
TEST_P(RandomSequences, OfConfiguration) {
  run_sequences(GetParam(), 23, {config_word, register_word});
}
TEST_P(RandomSequences, OfMemory) {
  run_sequences(GetParam(), 24, {memory_word});
}
TEST_P(RandomSequences, OfBanks) {
  run_sequences(GetParam(), 25, {bank_word});
}
TEST_P(RandomSequences, OfSemaphoresAndWaits) {
  run_sequences(GetParam(), 26, {sync_word, bank_word, counter_word});
}

} // namespace
} // namespace lanewise::test
