// Calls whose state is looked at: how they are read, and what the state after each of them is.
#include "run/section/state_calls.h"

#include <gtest/gtest.h>

#include "chips_by_day.h"
#include "run/section/call_text.h"
#include "sfpi/kernel_files.h"

namespace lanewise::section {
namespace {

std::vector<std::string> read(std::string_view text, std::optional<unsigned> thread = 1) {
  const auto calls = parse_state_calls(text, thread);
  if (!calls) return {to_string(calls.error())};
  std::vector<std::string> texts;
  for (const StateCall& call : *calls)
    texts.push_back(fmt::format("{} {}", kSectionNames[call.thread], call.text));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(StateCalls, SemicolonsAreBetweenCalls) {
  EXPECT_EQ(read("a(); b(1, 2) ;;  "), (Texts{"math a()", "math b(1, 2)"}));
  EXPECT_EQ(read(""), Texts());
  EXPECT_EQ(read("f({1; 2}); g(';', \";\"); h(\"\\\";\")"),
            (Texts{"math f({1; 2})", "math g(';', \";\")", "math h(\"\\\";\")"}));
  EXPECT_EQ(read("f(1'000); g() /* ; */; h()"),
            (Texts{"math f(1'000)", "math g() /* ; */", "math h()"}));
}

TEST(StateCalls, ThreadsAreSaidByNamesOrInFront) {
  EXPECT_EQ(read("_llk_pack_init_<A>(); ckernel::_llk_unpack_A_init_(); x(); pack: y()", 1),
            (Texts{"pack _llk_pack_init_<A>()", "unpack ckernel::_llk_unpack_A_init_()", "math x()",
                   "pack y()"}));
  EXPECT_EQ(read("math: _llk_pack_init_()"), Texts{"math _llk_pack_init_()"});
  EXPECT_EQ(read("x()", std::nullopt).size(), 1U);
  EXPECT_NE(read("x()", std::nullopt)[0].find("--thread"), std::string::npos);
}

TEST(StateCalls, WhatDoesNotCloseIsAnError) {
  for (const char* text : {"f(", "f())", "f(\"a)", "f('a)", "}", "f() /* ", "math: ", "f(); pack:"})
    EXPECT_FALSE(parse_state_calls(text, 1).has_value()) << text;
}

TEST(StateCalls, NamesOfCalls) {
  EXPECT_EQ(called_name("ckernel::f<A::B>(1)"), "f");
  EXPECT_EQ(called_name("f(a::b)"), "f");
  EXPECT_EQ(called_name("(x)"), "");
  EXPECT_EQ(behind_template_arguments("<A<B>, (1 > 2)>(x)", 0), 15U);
  EXPECT_EQ(behind_template_arguments("<1; 2>", 0), std::nullopt);
}

TEST(StateCalls, MarksStandAroundStatements) {
  const MarkedTest marked = mark_state_calls(R"(// _llk_math_x_init_();
#include "a.h"
_llk_math_a_init_();
if (x) _llk_math_b_uninit_<A, (2 > 1)>(
    1, 2);
else _llk_pack_c_reconfig_(f(";"));
y = _llk_math_d_init_();
_llk_math_e_();
inline void _llk_math_f_init_();
)");
  ASSERT_EQ(marked.calls.size(), 3U);
  EXPECT_EQ(marked.calls[0].line, 3U);
  EXPECT_EQ(marked.calls[0].call.text, "_llk_math_a_init_()");
  EXPECT_EQ(marked.calls[1].line, 4U);
  EXPECT_EQ(marked.calls[1].call.text, "_llk_math_b_uninit_<A, (2 > 1)>( 1, 2)");
  EXPECT_EQ(marked.calls[2].line, 6U);
  EXPECT_NE(marked.text.find("{ lanewise_take(0); _llk_math_a_init_(); lanewise_take(1); }"),
            std::string::npos);
  EXPECT_NE(marked.text.find("y = _llk_math_d_init_();"), std::string::npos);
  EXPECT_EQ(std::ranges::count(marked.text, '\n'), 9); // lines stay
}

class CallStates : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
    folder.write("ours.h", R"(#pragma once
#include "ckernel_ops.h"
#include "tensix.h"
inline void _llk_math_ours_init_(unsigned offset) {
  TT_SETC16(1, offset);
  TTI_SETRWC(0, 0, 0, 0, 0, 0xF);
}
inline void _llk_math_ours_uninit_() { TTI_SETC16(1, 0); }
inline void _llk_pack_ours_init_() { TTI_SETDMAREG(0, 0x1234, 0, 8); }
inline void _llk_math_stuck_init_() { TTI_SEMWAIT(2, 16, 1); TTI_SEMGET(16); }
// The core writes one bit of a word at once, an instruction another value of the whole byte.
inline void _llk_math_late_init_(unsigned shared) {
  TTI_RMWCIB0(0xFF, 0x20, shared);
  *reinterpret_cast<volatile unsigned*>(0xFFEF0000u + 4 * shared) = 7;
}
)");
  }

  StateSetup setup() const {
    StateSetup made;
    made.test.arch = GetParam();
    made.test.includes = {folder.path().string()};
    return made;
  }

  Expected<StateRun> run(const StateSetup& how, std::string_view text) const {
    const auto calls = parse_state_calls(text, std::nullopt);
    EXPECT_TRUE(calls.has_value());
    return run_state_calls(how, *calls, *calls);
  }

  /// "name: before -> after" of a step.
  static Texts changes(const StateStep& step) {
    Texts lines;
    for (const tile::FieldChange& each : tile::field_changes(step.before, step.after))
      lines.push_back(fmt::format("{}: {} -> {}", each.name, each.before, each.after));
    return lines;
  }

  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
};
INSTANTIATE_TEST_SUITE_P(Chips, CallStates, ::testing::ValuesIn(chips_by_day(0)),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(CallStates, EachCallHasItsChanges) {
  const auto done = run(setup(),
                        "_llk_math_ours_init_(5); _llk_pack_ours_init_(); "
                        "_llk_math_ours_init_(6); _llk_math_ours_uninit_()");
  ASSERT_TRUE(done.has_value()) << to_string(done.error());
  EXPECT_TRUE(done->outcome.is_done());
  ASSERT_EQ(done->steps.size(), 4U);
  EXPECT_EQ(changes(done->steps[0]), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 0 -> 5"});
  EXPECT_EQ(changes(done->steps[1]), Texts{"T2 GPR 4: 0 -> 4660"});
  EXPECT_EQ(changes(done->steps[2]), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 5 -> 6"});
  EXPECT_EQ(changes(done->steps[3]), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 6 -> 0"});
  EXPECT_EQ(done->steps[1].call.thread, 2U);
}

TEST_P(CallStates, WhatIsPushedIsExecutedBeforeTheLook) {
  // More words than the queue of a thread takes at once.
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("_llk_math_ours_init_({});", i + 1);
  const auto done = run(setup(), text);
  ASSERT_TRUE(done.has_value());
  ASSERT_EQ(done->steps.size(), 40U);
  EXPECT_EQ(changes(done->steps.back()), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 39 -> 40"});
}

TEST_P(CallStates, ACallThatWaitsForEverIsTold) {
  const auto done = run(setup(), "_llk_math_ours_init_(5); _llk_math_stuck_init_()");
  ASSERT_TRUE(done.has_value());
  EXPECT_FALSE(done->outcome.is_done());
  EXPECT_FALSE(done->outcome.blocked.empty());
  EXPECT_EQ(done->steps.size(), 1U);
}

TEST_P(CallStates, LateWordsComeBehindStoresOfTheCore) {
  // Blackhole's cores wait by themselves before they store to configuration, Wormhole's do not
  // (core.md 3).
  const bool waits = arch_params(GetParam()).cores.sync_registers;
  const auto mask = isa::find_config_field(GetParam(), "PCK_EDGE_OFFSET_SEC0_mask");
  ASSERT_TRUE(mask.has_value());
  const unsigned word = isa::config_place(*mask).word_of(GetParam());
  const std::string text = fmt::format("_llk_math_late_init_({})", word);
  const auto value = [](const StateRun& done) {
    for (const tile::StateField& field : done.steps.back().after)
      if (field.name == "PCK_EDGE_OFFSET_SEC0_mask") return field.value;
    return ~0U;
  };
  StateSetup how = setup();
  how.late = true;
  how.schedule = {.order = tile::Order::Adversarial, .seed = 0};
  std::set<std::uint32_t> ends;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    how.schedule.seed = seed;
    const auto done = run(how, text);
    ASSERT_TRUE(done.has_value());
    ASSERT_EQ(done->steps.size(), 1U);
    ends.insert(value(*done));
  }
  EXPECT_TRUE(ends.contains(waits ? 7 : 0x20));
  EXPECT_EQ(ends.contains(0x20), !waits);
  how.late = false;
  EXPECT_EQ(value(*run(how, text)), 7U) << "in order";
}

TEST_P(CallStates, ErrorsNameTheCall) {
  const auto text = [](const auto& result) {
    return result ? std::string() : to_string(result.error());
  };
  EXPECT_NE(
      text(run(setup(), "_llk_math_no_such_init_()")).find("defines '_llk_math_no_such_init_'"),
      std::string::npos)
      << text(run(setup(), "_llk_math_no_such_init_()"));
  EXPECT_NE(text(run(setup(), "_llk_math_ours_uninit_(); _llk_math_ours_init_()")).find("call 2"),
            std::string::npos);
}

TEST_P(CallStates, ATestShowsItsOwnCalls) {
  TestSource test;
  test.arch = GetParam();
  test.file = folder.write("test.cpp", R"(#include <cstdint>
#include "build.h"
#include "ours.h"
void run_kernel(RUNTIME_PARAMETERS) {
#if defined(LLK_TRISC_MATH)
  for (unsigned i = 1; i < 3; ++i)
    _llk_math_ours_init_(i);
#elif defined(LLK_TRISC_PACK)
  _llk_pack_ours_init_();
#endif
}
)");
  const auto done = run_test_states(test, {}, {});
  ASSERT_TRUE(done.has_value()) << to_string(done.error());
  ASSERT_EQ(done->steps.size(), 3U);
  EXPECT_EQ(done->steps[0].line, 7U);
  EXPECT_EQ(changes(done->steps[0]), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 0 -> 1"});
  EXPECT_EQ(changes(done->steps[1]), Texts{"T1 DEST_TARGET_REG_CFG_MATH_Offset: 1 -> 2"});
  EXPECT_EQ(done->steps[2].call.thread, 2U);
  EXPECT_EQ(changes(done->steps[2]), Texts{"T2 GPR 4: 0 -> 4660"});
}

TEST_P(CallStates, WhatAnotherThreadWritesMeanwhileIsNotTheCalls) {
  // T1's call posts semaphore 4 and waits for semaphore 2; between, T0 writes a mask of its own by
  // an instruction, another one by its core, and where it is asked to a mask that T1 has written,
  // too.
  const auto word_of = [](std::string_view name) {
    return isa::config_place(*isa::find_config_field(GetParam(), name)).word_of(GetParam());
  };
  for (const bool both : {false, true}) {
    TestSource test;
    test.arch = GetParam();
    const unsigned own = word_of("PCK_EDGE_OFFSET_SEC0_mask"),
                   others = word_of("PCK_EDGE_OFFSET_SEC1_mask"),
                   by_core = word_of("PCK_EDGE_OFFSET_SEC2_mask");
    test.file = folder.write("test.cpp", fmt::format(R"(#include <cstdint>
#include "build.h"
#include "ckernel_ops.h"
#include "tensix.h"
inline void _llk_math_ours_init_() {{
  TTI_RMWCIB0(0xFF, 0x20, {0});
  TTI_SEMPOST(16);
  TTI_SEMWAIT(511, 4, 1);
  TTI_NOP;
}}
void run_kernel(RUNTIME_PARAMETERS) {{
#if defined(LLK_TRISC_UNPACK)
  TTI_SEMWAIT(511, 16, 1);
  TTI_RMWCIB0(0xFF, 0x11, {1});
  if ({3}) TTI_RMWCIB0(0xFF, 0x21, {0});
  while (*reinterpret_cast<volatile unsigned*>(0xFFE80030u) == 0) {{}}
  *reinterpret_cast<volatile unsigned*>(0xFFEF0000u + 4 * {2}) = 7;
  TTI_SEMPOST(4);
#elif defined(LLK_TRISC_MATH)
  _llk_math_ours_init_();
#endif
}}
)",
                                                     own, others, by_core, both));
    const auto done = run_test_states(test, {}, {});
    ASSERT_TRUE(done.has_value()) << to_string(done.error());
    ASSERT_TRUE(done->outcome.is_done());
    ASSERT_EQ(done->steps.size(), 1U);
    const StateStep& step = done->steps[0];
    const Texts expected{fmt::format("PCK_EDGE_OFFSET_SEC0_mask: 0 -> {}", both ? 0x21 : 0x20),
                         "semaphore 4: 0 -> 1"};
    EXPECT_EQ(changes(step), expected);
    EXPECT_EQ(step.alone, !both);
  }
}

} // namespace
} // namespace lanewise::section
