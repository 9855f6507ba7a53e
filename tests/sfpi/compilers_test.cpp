// Which compiler is taken, and what is kept of its version.
#include "source/sfpi/compilers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// A cache that knows nothing, with a copy of 'echo' that goes by the name of a compiler: it says
/// "--version" of itself, as coreutils' says more, whatever that is.
class Compilers : public ::testing::Test {
 protected:
  /// The version of a compiler of this name; each name is asked once per process.
  std::string version_of(const fs::path& program) {
    const Environment chosen("CXX", program);
    const auto compiler = find_host_compiler();
    return compiler ? compiler->version : "";
  }
  std::size_t kept() const {
    std::error_code none;
    const fs::directory_iterator files(folder_.path() / "cache/compilers", none);
    return none ? 0 : static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }
  fs::path copy(const char* name) const {
    const fs::path program = folder_.path() / name;
    fs::copy_file(fs::canonical("/bin/echo"), program);
    return program;
  }

  TemporaryFolder folder_;
  Environment cache_{"LANEWISE_CACHE", folder_.path() / "cache"};
};

TEST_F(Compilers, AVersionIsKeptForThisVeryFile) {
  const fs::path program = copy("g++-kept");
  const std::string said = version_of(program);
  EXPECT_NE(said, "");
  EXPECT_EQ(kept(), 1U);
  // Under another name the process has not asked yet: the file is the same, its text is taken.
  for (const auto& entry : fs::directory_iterator(folder_.path() / "cache/compilers"))
    std::ofstream(entry.path()) << "kept text";
  fs::create_symlink(program, folder_.path() / "g++-link");
  EXPECT_EQ(version_of(folder_.path() / "g++-link"), "kept text");
  // Another time of writing is another compiler.
  fs::last_write_time(program, fs::last_write_time(program) - std::chrono::seconds(5));
  fs::create_symlink(program, folder_.path() / "g++-later");
  EXPECT_EQ(version_of(folder_.path() / "g++-later"), said);
  EXPECT_EQ(kept(), 2U);
}

// The copy of 'echo' answers with the question.
TEST_F(Compilers, AnAnswerIsKeptAsLongAsItHolds) {
  const HostCompiler compiler{.command = {copy("g++-asked")}, .version = {}};
  const auto ask = [&](const char* question, bool holds) {
    return ask_once(compiler, {question}, [=](const std::string& text) {
      return holds || text == std::string(question) + "\n";
    });
  };
  EXPECT_EQ(ask("where", true), "where\n");
  EXPECT_EQ(ask("what", true), "what\n");
  EXPECT_EQ(kept(), 2U);
  for (const auto& entry : fs::directory_iterator(folder_.path() / "cache/compilers"))
    std::ofstream(entry.path()) << "kept text";
  EXPECT_EQ(ask("where", true), "kept text");
  EXPECT_EQ(ask("where", false), "where\n"); // and that is kept now
  EXPECT_EQ(ask("where", true), "where\n");
  // A compiler looks for its folders at more than its command.
  const Environment path("CPATH", folder_.path());
  EXPECT_EQ(ask("what", true), "what\n");
  EXPECT_EQ(kept(), 3U);
  const Environment other("CPATH", folder_.path() / "other");
  EXPECT_EQ(ask("what", true), "what\n");
  EXPECT_EQ(kept(), 4U);
}

TEST_F(Compilers, WhatDoesNotHoldIsNoAnswer) {
  const HostCompiler compiler{.command = {copy("g++-wrong")}, .version = {}};
  EXPECT_EQ(ask_once(compiler, {"where"}, [](const std::string&) { return false; }), std::nullopt);
  EXPECT_EQ(kept(), 0U);
}

TEST_F(Compilers, WhatMayStartAnotherProgramIsAskedEachTime) {
  const std::string script = folder_.write("g++-script", "#!/bin/sh\necho g++ 12\n");
  ASSERT_EQ(::chmod(script.c_str(), S_IRWXU), 0);
  EXPECT_EQ(version_of(script), "g++ 12\n");
  EXPECT_NE(version_of(copy("wrapper")), "");
  EXPECT_EQ(kept(), 0U);
}

} // namespace
} // namespace lanewise::sfpi
