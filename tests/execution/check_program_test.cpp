// What the checker says of a program: one finding for one matter, and none hides another matter.
#include "run/execution/check_program.h"

#include <gtest/gtest.h>

#include "timing/clock_fixture.h"

namespace lanewise::execution {
namespace {

using test::ClockRig;
using test::sequence;

class CheckProgram : public ::testing::TestWithParam<Arch> {
 protected:
  /// "line:rule" of what the core's timing decides. Macro 0 stores L0 three cycles after its start.
  std::vector<std::string> timing_findings(
      std::string_view source, timing::PauseSearch pauses = timing::PauseSearch::Quick) {
    const Program program = rig_.assemble(source);
    auto timed = schedule_on_tile(GetParam(), program, {.format = formats::Format::FP32});
    EXPECT_TRUE(timed.has_value());
    constexpr std::uint32_t kFp32 = 3;
    rig_.set_misc(kFp32);
    rig_.set_template(0, "SFPABS L0, L0, 1");
    rig_.set_sequence(0, sequence({4}, {}, {}, {3, 2}));
    timed->start.vector.macro = rig_.state().vector.macro;
    timed->schedule = timing::schedule(timed->start, timed->program);
    std::vector<std::string> names;
    for (const auto& hazard : check_program(*timed, program, {.pauses = pauses}).hazards) {
      if (hazard.rule->id == "late-push" || hazard.rule->id == "macro-core-timing")
        names.push_back(fmt::format("{}:{}", hazard.line, hazard.rule->id));
    }
    return names;
  }

  ClockRig rig_{GetParam()};
};
LANEWISE_ON_BOTH_CHIPS(CheckProgram);

using Names = std::vector<std::string>;

/// SFPLOADI takes L0 away from the macro's store if it comes in time (VU 5.5).
const std::string kMacro = "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n";

TEST_P(CheckProgram, MacroThatCountsCyclesSaysForAllWhyItsPushMayBeLate) {
  EXPECT_EQ(timing_findings(kMacro), Names{"1:macro-core-timing"});
  EXPECT_EQ(timing_findings(kMacro, timing::PauseSearch::Whole),
            (Names{"1:macro-core-timing", "3:late-push"}));
}

// The second macro is replayed, so that it does not count with the core; what comes late for it is
// pushed.
TEST_P(CheckProgram, MacroThatCountsCyclesHidesNoLatePushOfAnother) {
  const std::string other =
      "SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n"
      "REPLAY 0, 2, 0, 1\nSFPLOADMACRO 0, 0, FP32, 3, 4, 0\nSFPNOP\nREPLAY 0, 2, 0, 0\n"
      "SFPLOADI L0, 0, 0x4000\n";
  EXPECT_EQ(timing_findings(other), Names{"13:late-push"});
  EXPECT_EQ(timing_findings(kMacro + other), (Names{"1:macro-core-timing", "16:late-push"}));
}

} // namespace
} // namespace lanewise::execution
