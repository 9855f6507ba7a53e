// A test on the host, and its programs on the cores beside it, or alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "run/section/core_run.h"
#include "sfpi/kernel_files.h"

namespace lanewise::section {
namespace {

class BesideTheHost : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  }

  /// What comes of a test of which math does this.
  HostAndCores run(const std::string& math, const std::function<bool()>& stop = {},
                   const std::optional<CoresInTime>& time = std::nullopt) {
    const TestSource source = source_of(math);
    const auto objects = compile_for_both(source);
    EXPECT_TRUE(objects.has_value()) << to_string(objects.error());
    if (!objects) return {};
    SectionsRun how;
    how.keeps_stretches = true;
    auto both = run_host_and_cores(
        {.source = source, .objects = *objects, .how = how, .stop = stop, .time = time});
    EXPECT_TRUE(both.has_value()) << to_string(both.error());
    return both ? std::move(*both) : HostAndCores{};
  }

  HostAndCores run_in_time(const std::string& math, const std::function<bool()>& stop = {}) {
    return run(math, stop, CoresInTime{});
  }

  TestSource source_of(const std::string& math) {
    TestSource source;
    source.limits = kKernelLimits;
    source.limits.time = std::chrono::seconds(2);
    source.file = folder_.write(
        "test.cpp", fmt::format("#include <cstdint>\n#include \"build.h\"\n#include \"tensix.h\"\n"
                                "#include \"ckernel_ops.h\"\n#include \"sfpi.h\"\n"
                                "void run_kernel(RUNTIME_PARAMETERS) {{\n"
                                "#ifdef LLK_TRISC_MATH\n{}\n#endif\n}}\n",
                                math));
    return source;
  }

  static constexpr const char* kEndless =
      "while (*reinterpret_cast<volatile std::uint32_t*>(0x30000) == 0) TTI_NOP;";

 private:
  sfpi::TemporaryFolder folder_;
  sfpi::Environment cache_{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                 ? std::getenv("LANEWISE_TEST_CACHE")
                                                 : folder_.path().string() + "/cache"};
};

TEST_F(BesideTheHost, BothComeToTheirEnd) {
  const HostAndCores both = run("for (int i = 0; i < 5; ++i) TTI_NOP;");
  EXPECT_TRUE(both.host->is_done());
  EXPECT_EQ(both.host->executed[1], 5U);
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_EQ((*both.cores)->sections.executed[1], 5U);
}

// Neither would end by itself: the host is stopped by its limit, and the cores with it, which have
// begun before.
TEST_F(BesideTheHost, ProgramsStopWhereTheSectionsCannotGoOn) {
  unsigned asked = 0;
  const HostAndCores both = run(kEndless, [&] {
    ++asked;
    return false;
  });
  EXPECT_FALSE(both.host->is_done());
  EXPECT_FALSE(both.cores.has_value());
  EXPECT_GT(asked, 0U);
}

TEST_F(BesideTheHost, ProgramsAreStoppedFromOutside) {
  const HostAndCores both = run("for (int i = 0; i < 3000000; ++i) TTI_NOP;", [] { return true; });
  EXPECT_TRUE(both.host->is_done());
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_TRUE((*both.cores)->sections.ran_out);
}

TEST_F(BesideTheHost, ProgramsWithVectorCodeComeBehind) {
  const HostAndCores both = run("sfpi::dst_reg[0] = sfpi::vFloat(1.5f);");
  EXPECT_TRUE(both.host->is_done());
  EXPECT_EQ(both.host->stretches[1].order.size(), 1U);
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_EQ((*both.cores)->sections.executed[1], both.host->executed[1]);
}

// Sections and programs are compiled together, in any order; the first one's error is told.
TEST_F(BesideTheHost, ErrorsNameTheSection) {
  const auto objects = compile_for_both(source_of("no_such_thing();"));
  ASSERT_FALSE(objects.has_value());
  EXPECT_EQ(objects.error().message.find("section math: "), 0U) << objects.error().message;
  EXPECT_NE(objects.error().message.find("no_such_thing"), std::string::npos);
}

TEST_F(BesideTheHost, ProgramsThatCannotBeReadAreTold) {
  const TestSource source = source_of("TTI_NOP;");
  auto objects = compile_for_both(source);
  ASSERT_TRUE(objects.has_value()) << to_string(objects.error());
  objects->programs[2] = source.file;
  const auto both = run_host_and_cores({.source = source, .objects = *objects, .how = {}});
  ASSERT_FALSE(both.has_value());
  EXPECT_NE(to_string(both.error()).find("test.cpp"), std::string::npos) << to_string(both.error());
}

TEST_F(BesideTheHost, ProgramsWithVectorCodeDoNotBeginWhereTheHostFails) {
  unsigned asked = 0;
  const HostAndCores both =
      run(fmt::format("sfpi::dst_reg[0] = sfpi::vFloat(1.5f);\n{}", kEndless), [&] {
        ++asked;
        return false;
      });
  EXPECT_FALSE(both.host->is_done());
  EXPECT_FALSE(both.cores.has_value());
  EXPECT_EQ(asked, 0U);
}

// On the host, where a long has eight bytes, this has no end.
TEST_F(BesideTheHost, InTimeProgramsNeedNoHost) {
  const HostAndCores both = run_in_time(
      fmt::format("if (sizeof(long) == 8) {}\nfor (int i = 0; i < 5; ++i) TTI_NOP;", kEndless));
  EXPECT_FALSE(both.host.has_value());
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_EQ((*both.cores)->sections.executed[1], 5U);
  ASSERT_TRUE((*both.cores)->time.has_value());
  EXPECT_GT((*both.cores)->time->cycles, 0U);
}

TEST_F(BesideTheHost, InTimeVectorCodeNeedsTheHost) {
  const HostAndCores both = run_in_time("sfpi::dst_reg[0] = sfpi::vFloat(1.5f);");
  ASSERT_TRUE(both.host.has_value());
  EXPECT_EQ(both.host->stretches[1].order.size(), 1U);
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_EQ((*both.cores)->sections.executed[1], both.host->executed[1]);
}

TEST_F(BesideTheHost, InTimeVectorCodeDoesNotBeginWithoutTheHost) {
  unsigned asked = 0;
  const HostAndCores both = run_in_time(fmt::format("for (int i = 0; i < 10000; ++i) TTI_NOP;\n"
                                                    "sfpi::dst_reg[0] = sfpi::vFloat(1.5f);\n{}",
                                                    kEndless),
                                        [&] {
                                          ++asked;
                                          return false;
                                        });
  EXPECT_TRUE(both.host.has_value() && !both.host->is_done());
  EXPECT_FALSE(both.cores.has_value());
  EXPECT_EQ(asked, 0U);
}

TEST_F(BesideTheHost, InTimeTheHostTellsWhyThereIsNoEnd) {
  const HostAndCores endless = run_in_time(kEndless);
  ASSERT_TRUE(endless.host.has_value());
  EXPECT_FALSE(endless.host->is_done());
  EXPECT_FALSE(endless.cores.has_value());
  const HostAndCores stuck = run_in_time("TTI_SEMWAIT(2, 16, 1);\nTTI_SEMGET(16);");
  ASSERT_TRUE(stuck.host.has_value());
  EXPECT_FALSE(stuck.host->blocked.empty());
  EXPECT_FALSE(stuck.cores.has_value());
}

TEST_F(BesideTheHost, InTimeProgramsAreStoppedFromOutside) {
  const HostAndCores both =
      run_in_time("for (int i = 0; i < 3000000; ++i) TTI_NOP;", [] { return true; });
  EXPECT_FALSE(both.host.has_value());
  ASSERT_TRUE(both.cores.has_value() && both.cores->has_value());
  EXPECT_TRUE((*both.cores)->sections.was_stopped);
}

} // namespace
} // namespace lanewise::section
