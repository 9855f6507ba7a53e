// Every rule of the checker: found where it is broken, and nowhere else.
#include <algorithm>
#include <set>

#include "chip/machine/kernel_entry.h"
#include "chip/timing/hazards/calls.h"
#include "chip/timing/hazards/late_push.h"
#include "chip/timing/hazards/unprogrammed.h"
#include "number/tensors/tile.h"
#include "timing/hazard_cases.h"

namespace lanewise::test {
namespace {

using timing::Hazard;
using timing::Schedule;

std::vector<HazardCase> all_cases() {
  std::vector<HazardCase> all;
  for (const auto& group : {result_cases(), macro_cases(), dst_cases(), configuration_cases(),
                            value_cases(), unused_flag_cases(), raw_load_cases(), contract_cases(),
                            changed_init_cases(), unprogrammed_cases(), edge_cases()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// The rules that are found broken, each with its text for when a test fails.
std::vector<Hazard> found(const HazardCase& each, Arch arch, bool bad) {
  ClockRig rig(arch);
  enter_kernel(rig.state());
  if (each.setup) each.setup(rig, bad);
  const MachineState start = rig.state();
  const Program source = rig.assemble(bad ? each.bad : each.good);
  const MicroProgram program = rig.machine().prepare(source);
  const Schedule schedule = timing::schedule(start, program, each.schedule);
  switch (each.finder) {
    case Finder::Hazards: return timing::find_hazards(schedule, program, start, each.check);
    case Finder::Contracts:
      execute(rig.state(), schedule.ops(program));
      return timing::find_contract_breaks(start, rig.state(), schedule);
    case Finder::LatePushes:
      return timing::find_late_pushes(source, program, start, timing::PauseSearch::Quick).hazards;
    case Finder::ChangedInit: return timing::find_changed_init(source, start);
    case Finder::Unprogrammed: break;
  }
  timing::Programmed programmed{.knows_dst = true};
  std::fill_n(programmed.dst.begin(), tensors::kTileDstRows, 0xFFFF);
  std::vector<Hazard> on_the_clock =
      timing::find_unprogrammed(schedule, program, start, programmed);
  if (!schedule.has_macros) {
    EXPECT_EQ(each_fault(timing::find_unprogrammed(program, start, programmed)),
              each_fault(on_the_clock));
  }
  return on_the_clock;
}

std::string texts(const std::vector<Hazard>& hazards) {
  std::string all;
  for (const Hazard& hazard : hazards) all += hazard.text("") + "\n";
  return all;
}

class HazardRules : public ::testing::TestWithParam<std::tuple<std::size_t, Arch>> {
 protected:
  HazardCase each = all_cases()[std::get<0>(GetParam())];
  Arch arch = std::get<1>(GetParam());

  void SetUp() override {
    if (each.chips.find(arch_params(arch).names.id) == std::string_view::npos) GTEST_SKIP();
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, HazardRules,
                         ::testing::Combine(::testing::Range(std::size_t{0}, all_cases().size()),
                                            ::testing::ValuesIn(kArchs)),
                         [](const auto& each) {
                           std::string name(all_cases()[std::get<0>(each.param)].rule);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return fmt::format("{}_{}_{}", name, std::get<0>(each.param),
                                              arch_params(std::get<1>(each.param)).names.id);
                         });

TEST_P(HazardRules, BrokenAloneIsFoundAlone) {
  const std::vector<Hazard> hazards = found(each, arch, true);
  ASSERT_EQ(hazards.size(), 1U) << texts(hazards) << each.bad;
  EXPECT_EQ(hazards[0].rule->id, each.rule) << texts(hazards) << each.bad;
  EXPECT_EQ(hazards[0].arch, arch);
  EXPECT_NE(hazards[0].line, 0U);
  EXPECT_FALSE(hazards[0].message.empty());
  EXPECT_FALSE(hazards[0].mend.empty());
  EXPECT_FALSE(hazards[0].instruction.empty());
}

TEST_P(HazardRules, KeptIsSilent) {
  const std::vector<Hazard> hazards = found(each, arch, false);
  EXPECT_TRUE(hazards.empty()) << texts(hazards) << each.good;
}

TEST(HazardRuleTable, EveryRuleHasACaseForEachOfItsChips) {
  std::set<std::pair<std::string_view, Arch>> covered;
  for (const HazardCase& each : all_cases()) {
    ASSERT_NE(timing::find_hazard_rule(each.rule), nullptr) << each.rule;
    for (const Arch arch : kArchs) {
      if (each.chips.find(arch_params(arch).names.id) != std::string_view::npos)
        covered.emplace(each.rule, arch);
    }
  }
  for (const timing::HazardRule& rule : timing::hazard_rules()) {
    EXPECT_EQ(covered.contains({rule.id, Arch::Blackhole}),
              isa::includes(rule.chips, Arch::Blackhole))
        << rule.id;
    EXPECT_EQ(covered.contains({rule.id, Arch::Wormhole}),
              isa::includes(rule.chips, Arch::Wormhole))
        << rule.id;
  }
}

TEST(HazardRuleTable, IsCompleteAndUnambiguous) {
  std::set<std::string_view> ids;
  for (const timing::HazardRule& rule : timing::hazard_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_EQ(timing::find_hazard_rule(rule.id), &rule);
    EXPECT_NE(rule.kind, FaultKind::BadInput) << rule.id;
    EXPECT_FALSE(isa::chip_names(rule.chips).empty()) << rule.id;
    for (const std::string_view text : {rule.summary, rule.silicon, rule.mend, rule.source})
      EXPECT_FALSE(text.empty()) << rule.id;
  }
  EXPECT_EQ(timing::find_hazard_rule("no-such-rule"), nullptr);
}

} // namespace
} // namespace lanewise::test
