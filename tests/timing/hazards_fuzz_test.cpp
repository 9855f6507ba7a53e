// Random words in random states: the checker reports what it likes, and never crashes.
#include "chip/isa/encoding.h"
#include "chip/timing/hazards/random_tile.h"
#include "chip/timing/hazards/unprogrammed.h"
#include "machine/random_state.h"
#include "timing/hazard_cases.h"

namespace lanewise::test {
namespace {

using timing::Hazard;

constexpr std::size_t kWords = 60'000;
constexpr std::size_t kWordsPerProgram = 40;

class HazardsOfRandomPrograms : public ::testing::TestWithParam<Arch> {};
LANEWISE_ON_BOTH_CHIPS(HazardsOfRandomPrograms);

/// Words that make the checks meet: macros, configuration and waiting among random ones.
std::uint32_t word(RandomMachine& random) {
  constexpr std::uint8_t kOthers[] = {0x93, 0x93, 0x91, 0xA2, 0xB0, 0xB2, 0xB3, 0xB6, 0x26, 0x38};
  if (!random.one_in(4)) return random.word();
  return static_cast<std::uint32_t>(kOthers[random.bits() % std::size(kOthers)]) << 24 |
         (random.bits() & 0xFFFFFF);
}

void expect_sound(const std::vector<Hazard>& hazards, Arch arch) {
  std::uint64_t cycle = 0;
  for (const Hazard& hazard : hazards) {
    ASSERT_NE(hazard.rule, nullptr);
    EXPECT_TRUE(isa::includes(hazard.rule->chips, arch));
    EXPECT_GE(hazard.cycle, cycle);
    EXPECT_GE(hazard.count, 1U);
    EXPECT_FALSE(hazard.message.empty()) << hazard.rule->id;
    EXPECT_FALSE(hazard.mend.empty()) << hazard.rule->id;
    EXPECT_FALSE(hazard.text("file").empty());
    cycle = hazard.cycle;
  }
}

TEST_P(HazardsOfRandomPrograms, NothingCrashes) {
  RandomMachine random(GetParam(), 11);
  const std::size_t programs = fuzz_words(kWords) / kWordsPerProgram + 1;
  for (std::size_t i = 0; i < programs && !HasFailure(); ++i) {
    Program program;
    for (std::size_t k = 0; k < kWordsPerProgram; ++k)
      program.words.push_back({word(random), random.one_in(5) ? 0 : random.bits() % 50});
    MachineState start = random.state();
    for (auto& columns : start.vector.macro.sequence) columns.fill(random.bits());
    start.vector.macro.misc.fill(random.one_in(2) ? 0 : random.bits() & 0xFFF);
    FrontEnd front_end(GetParam());
    const MicroProgram prepared = front_end.expand(program);
    const timing::Schedule schedule = timing::schedule(start, prepared);
    const bool tries_changes = i % 16 == 0; // which takes longer
    expect_sound(timing::find_hazards(schedule, prepared, start,
                                      {.source = tries_changes ? &program : nullptr}),
                 GetParam());
    MachineState after = start;
    execute(after, schedule.ops(prepared));
    expect_sound(timing::find_contract_breaks(start, after, schedule), GetParam());
  }
}

std::vector<std::string> each_text(const std::vector<Hazard>& hazards) {
  std::vector<std::string> texts;
  for (const Hazard& each : hazards) texts.push_back(each.text(""));
  return texts;
}

// Whoever follows a program once finds what two searches find, and leaves what execution leaves.
TEST_P(HazardsOfRandomPrograms, AreFollowedOnceForBothSearches) {
  RandomMachine random(GetParam(), 12);
  const std::size_t programs = fuzz_words(kWords) / kWordsPerProgram / 8 + 1;
  std::size_t without_macros = 0;
  for (std::size_t i = 0; i < programs && !HasFailure(); ++i) {
    Program program;
    for (std::size_t k = 0; k < kWordsPerProgram; ++k) {
      const std::uint32_t next = word(random);
      const bool left_out = i % 2 == 0 && isa::opcode_of(next) == 0x93; // SFPLOADMACRO
      program.words.push_back({left_out ? random.word() : next, random.bits() % 50});
    }
    const MachineState start = random.state();
    FrontEnd front_end(GetParam());
    const MicroProgram prepared = front_end.expand(program);
    const timing::Schedule schedule = timing::schedule(start, prepared);
    timing::Programmed programmed;
    programmed.knows_dst = random.one_in(2);
    for (std::uint16_t& columns : programmed.dst)
      columns = static_cast<std::uint16_t>(random.bits());
    const timing::Followed followed =
        timing::follow_program(schedule, prepared, start, {}, programmed);
    EXPECT_EQ(each_text(followed.hazards),
              each_text(timing::find_hazards(schedule, prepared, start)));
    EXPECT_EQ(each_text(followed.unprogrammed),
              each_text(timing::find_unprogrammed(schedule, prepared, start, programmed)));
    EXPECT_EQ(followed.after.has_value(), !schedule.has_macros);
    if (!followed.after) continue;
    ++without_macros;
    EXPECT_EQ(each_fault(timing::find_unprogrammed(prepared, start, programmed)),
              each_fault(followed.unprogrammed));
    MachineState after = start;
    execute(after, schedule.ops(prepared));
    EXPECT_TRUE(timing::same_values(*followed.after, after));
    EXPECT_EQ(followed.after->faults.to_faults(GetParam()), after.faults.to_faults(GetParam()));
  }
  EXPECT_GT(without_macros, programs / 10);
}

TEST_P(HazardsOfRandomPrograms, NothingIsFoundInNothing) {
  const MachineState start(GetParam());
  const timing::Schedule schedule = timing::schedule(start, {});
  EXPECT_TRUE(timing::find_hazards(schedule, {}, start).empty());
  EXPECT_TRUE(timing::find_contract_breaks(start, start, schedule).empty());
}

} // namespace
} // namespace lanewise::test
