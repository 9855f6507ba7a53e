// Random programs of three threads whose results do not depend on the order: tile and model
// (tests/tile/model) each run them in an order of its own and end in the same state (core.md 6, 7).
// And random words, of which nothing is asked but that the tile survives them.
#include "machine/random_state.h"
#include "tile/model/program_case.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using model::TilePair;

constexpr std::size_t kPrograms = 60, kProgramWords = 1000, kWildWords = 60'000;

class RandomPrograms : public testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(RandomPrograms);

TEST_P(RandomPrograms, EndAsTheModelDoesInAnyOrder) {
  TilePair pair(GetParam(), 31);
  const std::size_t programs = fuzz_words(kPrograms * kProgramWords) / kProgramWords;
  for (std::size_t i = 0; i < programs; ++i) {
    model::ProgramCase test(pair);
    test.make();
    pair.publish();
    ASSERT_TRUE(model::run_model(pair, test)) << "program " << i;
    ASSERT_FALSE(pair.model.undefined) << "program " << i;
    std::array<Program, 3> programs_of_threads;
    for (unsigned thread = 0; thread < 3; ++thread) {
      for (const std::uint32_t word : test.words(thread))
        programs_of_threads[thread].words.push_back({word, 1});
    }
    tile::ProgramFeeder unpack(programs_of_threads[0], 0), math(programs_of_threads[1], 1),
        pack(programs_of_threads[2], 2);
    const tile::ScheduleChoice choice{.order = i % 3 == 0   ? tile::Order::RoundRobin
                                               : i % 3 == 1 ? tile::Order::Random
                                                            : tile::Order::Adversarial,
                                      .seed = i};
    const auto result = tile::run(pair.tile, {&unpack, &math, &pack}, choice);
    ASSERT_TRUE(result.has_value());
    ASSERT_TRUE(result->blocked.empty()) << "program " << i << ": " << result->blocked[0].reason;
    ASSERT_EQ(pair.difference(), "") << "program " << i;
    ASSERT_EQ(pair.faults(), "") << "program " << i;
  }
}

TEST_P(RandomPrograms, OfAnyWordsDoNoHarm) {
  TilePair pair(GetParam(), 32);
  RandomMachine random(GetParam(), 33);
  std::vector<const isa::Row*> rows;
  for (const isa::Row& row : isa::rows()) {
    if (includes(row.chips, GetParam())) rows.push_back(&row);
  }
  for (std::size_t i = 0; i < fuzz_words(kWildWords); ++i) {
    if (i % 1000 == 0) {
      for (auto& bank : pair.model.config) {
        for (std::uint32_t& word : bank) word = pair.one_in(2) ? pair.bits() : 0;
      }
      for (auto& words : pair.model.thread_config) {
        for (std::uint16_t& word : words)
          word = static_cast<std::uint16_t>(pair.one_in(2) ? pair.bits() : 0);
      }
      pair.randomise_counters();
      pair.publish();
    }
    const unsigned thread = pair.below(3);
    const std::uint32_t word =
        pair.one_in(10)
            ? pair.bits()
            : random.word_of(*rows[pair.below(static_cast<std::uint32_t>(rows.size()))]);
    (void)pair.tile.push(thread, {word, 1});
    for (unsigned steps = 0; steps < 40 && pair.tile.step(thread); ++steps) {
    }
    if (pair.tile.has_work(thread) && pair.one_in(4)) {
      pair.tile.state().thread[thread].queue.clear();
      pair.tile.state().thread[thread].gate.latched.reset();
    }
  }
  for (const Fault& fault : pair.tile.faults()) ASSERT_FALSE(fault.message.empty());
}

} // namespace
} // namespace lanewise::test
