// Whatever a kernel tries, it is told what that was and where, and nothing has come of it.
#include "base/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "confinement/attacks.h"
#include "project.h"
#include "sfpi/kernel_files.h"
#include "source/sfpi/entry.h"
#include "source/sfpi/host_compiler.h"
#include "source/sfpi/isolation.h"

namespace lanewise::sfpi {
namespace {

/// The address sanitizer has functions of its own before those of the C library, and an allocator
/// that ends a process without memory by itself.
#ifdef LANEWISE_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

class Confined : public KernelTest {
 protected:
  static constexpr const char* kText =
      "#include \"sfpi.h\"\n#include \"confinement/hostile.h\"\nvoid kernel() {\n"
      "  sfpi::dst_reg[0] = 1.0f;\n  attack(std::getenv(\"LANEWISE_TEST_ATTACK\"));\n}\n";

  Confined() { source_.include_dirs = {in_project("tests")}; }

  Fault fault_of_attack(const std::string& name, const char* variable = "LANEWISE_TEST_ATTACK") {
    const Environment attack(variable, name);
    return fault_of(kText);
  }
};

TEST_F(Confined, AHarmlessKernelIsRecorded) {
  const auto recording = record_text(kText);
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
}

/// With one object for all: g++ takes longer than everything else.
TEST_F(Confined, EveryAttackIsTold) {
  const std::string kept = folder_.write("home/lanewise-hostile", "kept");
  const Environment home("HOME", folder_.path().string() + "/home");
  const Environment temporary("TMPDIR", folder_.path().string());
  source_.file = folder_.write("kernel.cpp", kText);
  const auto object = compile_kernel({.prelude = {.arch = Arch::Blackhole, .epoch = kDefaultEpoch},
                                      .name = source_.file,
                                      .text = entry_text(source_),
                                      .includes = source_.include_dirs,
                                      .defines = {},
                                      .flags = {},
                                      .limits = kKernelLimits});
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  const auto table = attacks();
  ASSERT_GT(table.size(), 30U);
  for (const Attack& each : table) {
    SCOPED_TRACE(each.name);
    const Environment attack("LANEWISE_TEST_ATTACK", each.name);
    const auto message = run_isolated(*object, Arch::Blackhole, source_.file, kKernelLimits);
    const auto* death = message ? std::get_if<Death>(&*message) : nullptr;
    ASSERT_TRUE(!message || death != nullptr) << "it was recorded";
    const Cause cause = death != nullptr ? cause_of(*death, kKernelLimits)
                                         : Cause{message.error().message, message.error().remedy};
    EXPECT_NE(cause.message.find(each.told), std::string::npos) << cause.message;
    EXPECT_EQ(cause.message.rfind("the kernel ", 0), 0U) << cause.message;
    EXPECT_FALSE(cause.remedy.empty());
    if (!kSanitized) {
      EXPECT_EQ(death != nullptr && death->at_fault, each.place == '=');
    }
    EXPECT_EQ(death != nullptr && !death->stack.empty(), each.place != '-');
  }
  std::string text;
  std::ifstream(kept) >> text;
  EXPECT_EQ(text, "kept");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "lanewise-hostile"));
}

TEST_F(Confined, TheFaultNamesTheLine) {
  const Fault fault = fault_of_attack("socket");
  EXPECT_EQ(fault.kind, FaultKind::BadInput);
  EXPECT_EQ(fault.message, "the kernel tried to open a socket");
  EXPECT_EQ(fault.remedy, kAttemptRemedy);
  EXPECT_NE(fault.file.find("hostile.h"), std::string::npos) << to_string(fault);
  EXPECT_NE(fault.line, 0U);
}

TEST_F(Confined, StaticVariablesBeginConfined) {
  const Fault fault = fault_of_attack("fork-bomb", "LANEWISE_TEST_STATIC_ATTACK");
  EXPECT_NE(fault.message.find("tried to start a process or a thread"), std::string::npos)
      << to_string(fault);
}

TEST_F(Confined, MemoryAndTimeAreBounded) {
  ASSERT_TRUE(record_text(kText).has_value());
  source_.limits.time = std::chrono::seconds(1);
  const Fault endless = fault_of_attack("endless");
  EXPECT_EQ(endless.message, "the kernel did not end within 1 s");
  EXPECT_NE(endless.file.find("hostile.h"), std::string::npos) << to_string(endless);
  if (kSanitized) return;
  const Fault memory = fault_of_attack("memory");
  EXPECT_NE(memory.message.find("more than 2048 MiB of memory"), std::string::npos)
      << to_string(memory);
}

/// What the program has open is not the kernel's.
TEST_F(Confined, DescriptorsOfTheProgramAreClosed) {
  const std::string path = folder_.write("open", "");
  const int file = ::open(path.c_str(), O_WRONLY);
  ASSERT_GE(file, 3);
  const auto recording = record_text(
      "#include <unistd.h>\n#include \"sfpi.h\"\nvoid kernel() {\n  sfpi::dst_reg[0] = 1.0f;\n"
      "  write(" +
      std::to_string(file) + ", \"x\", 1);\n}\n");
  ::close(file);
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(std::filesystem::file_size(path), 0U);
}

/// What g++ is told to write elsewhere is not written, whatever options it gets.
TEST_F(Confined, GppWritesInItsFolderOnly) {
  const std::string report = folder_.path().string() + "/report.txt";
  source_.flags = {"-fdump-noaddr", "-fopt-info-all=" + report, "-O1"};
  (void)record_text(
      "#include \"sfpi.h\"\nvoid kernel() { for (int i = 0; i < 4; ++i) "
      "sfpi::dst_reg[i] = 1.0f; }\n");
  if (confinement_layers().landlock == 0) GTEST_SKIP() << "no Landlock here";
  EXPECT_FALSE(std::filesystem::exists(report));
}

/// Without what Linux gives for confinement, as in some containers.
TEST_F(Confined, WithoutLayersKernelsRunAndItIsSaid) {
  ASSERT_TRUE(record_text(kText).has_value());
  EXPECT_EQ(layers_text().find("NOT"), std::string::npos) << layers_text();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
    ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
    ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                       scmp_arg_cmp{0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0});
    ::seccomp_load(filter);
    ConfinementLayers layers = confinement_layers();
    int wrong = layers.filters_calls || layers.landlock != 0 ? 1 : 0;
    if (layers_text().find("NOT filtered") == std::string::npos) wrong |= 2;
    if (layers_text().find("NOT protected") == std::string::npos) wrong |= 4;
    if (!record_text(kText)) wrong |= 8;
    // The session of its own holds without them.
    const Fault fault = fault_of_attack("kill-group");
    if (fault.message != "the kernel was ended by SIGKILL") wrong |= 16;
    ::_exit(wrong);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SystemCalls, FiltersKnowTheirProcessAndItsResult) {
  const auto filter = call_filter(Policy::KernelCode);
  ASSERT_FALSE(filter.empty());
  const auto count = [](std::span<const sock_filter> in, std::uint32_t number) {
    return std::ranges::count(in, number, &sock_filter::k);
  };
  ASSERT_GT(count(filter, kThisProcess), 0);
  ASSERT_GT(count(filter, kResultFile), 0);
  CallFilter own(filter.begin(), filter.end());
  fill_in(own, 4711, 815);
  EXPECT_EQ(count(own, kThisProcess), 0);
  EXPECT_EQ(count(own, kResultFile), 0);
  EXPECT_EQ(count(own, 4711), count(filter, kThisProcess));
  EXPECT_EQ(count(own, 815), count(filter, kResultFile));
  EXPECT_TRUE(call_filter(Policy::Tool).empty());
}

} // namespace
} // namespace lanewise::sfpi
