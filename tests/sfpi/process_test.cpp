// Other programs are run without a shell, and nothing they do gets lost.
#include "base/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace lanewise::sfpi {
namespace {

TEST(Process, InputOutputAndErrorsAreSeparate) {
  const auto result = run_process({"sh", "-c", "cat; echo wrong >&2; exit 7"}, "text\n");
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->out, "text\n");
  EXPECT_EQ(result->err, "wrong\n");
  EXPECT_EQ(result->exit_status, 7);
  EXPECT_EQ(result->signal, 0);
  EXPECT_FALSE(result->succeeded());
}

TEST(Process, ArgumentsAreTakenAsTheyAre) {
  const auto result = run_process({"printf", "%s|", "a b", "$HOME", "*", ""});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->out, "a b|$HOME|*||");
  EXPECT_TRUE(result->succeeded());
}

TEST(Process, MuchInputAndOutputDoNotBlock) {
  const std::string text(8 << 20, 'x');
  const auto both = run_process({"cat"}, text);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->out, text);
  const auto ignored = run_process({"true"}, text); // nobody reads it
  ASSERT_TRUE(ignored.has_value());
  EXPECT_TRUE(ignored->succeeded());
}

TEST(Process, TellsWhichSignalEndedIt) {
  const auto result = run_process({"sh", "-c", "kill -SEGV $$"});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->signal, SIGSEGV);
  EXPECT_FALSE(result->succeeded());
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(4711), "signal 4711");
}

TEST(Process, AMissingProgramIsAFault) {
  const auto result = run_process({"lanewise-no-such-program"});
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("lanewise-no-such-program"), std::string::npos);
  EXPECT_FALSE(result.error().remedy.empty());
}

} // namespace
} // namespace lanewise::sfpi
