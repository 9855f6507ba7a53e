// Results that are kept between runs: damage, full disks, writers that are killed and writers at
// the same time cost a result, and never give a wrong one.
#include "base/remembered.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "base/cache.h"
#include "base/text_file.h"
#include "sfpi/kernel_files.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using sfpi::Environment;
using sfpi::TemporaryFolder;

std::string read_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::size_t files_in(const fs::path& folder) {
  std::error_code none;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder, none), fs::directory_iterator()));
}

/// The only right value of a key; longer than what a write takes at once.
std::string value_of(std::size_t key) {
  std::mt19937 random(static_cast<std::uint32_t>(key));
  std::string value(20'000 + key * 997, '\0');
  for (char& byte : value) byte = static_cast<char>(random());
  return value;
}

std::string key_of(std::size_t key) {
  return fmt::format("key {}", key);
}

/// In a process of its own, which ends with status 0 if `works` says so.
pid_t start(const std::function<bool()>& works) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::_exit(works() ? 0 : 1);
}

bool ended_well(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Remembered, FindsWhatWasKeptUnderKindAndKey) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "this program");
  EXPECT_FALSE(results.find("sweeps", "a"));
  ASSERT_TRUE(results.keep("sweeps", "a", "first"));
  ASSERT_TRUE(results.keep("sweeps", "b", ""));
  EXPECT_EQ(results.find("sweeps", "a"), "first");
  EXPECT_EQ(results.find("sweeps", "b"), "");
  EXPECT_FALSE(results.find("proofs", "a"));
  EXPECT_FALSE(results.find("sweeps", "c"));
  ASSERT_TRUE(results.keep("sweeps", "a", "second"));
  EXPECT_EQ(results.find("sweeps", "a"), "second");
  EXPECT_EQ(files_in(folder.path() / "sweeps"), 2U);
}

TEST(Remembered, IsOfTheProgramThatComputed) {
  const TemporaryFolder folder;
  const Remembered before(folder.path(), "before the pull"), after(folder.path(), "behind it");
  ASSERT_TRUE(before.keep("sweeps", "a", "wrong by now"));
  EXPECT_FALSE(after.find("sweeps", "a"));
  ASSERT_TRUE(after.keep("sweeps", "a", "right"));
  EXPECT_EQ(after.find("sweeps", "a"), "right");
  EXPECT_EQ(before.find("sweeps", "a"), "wrong by now");
  // Even where the name of the file is the same.
  write_bytes(after.file_of("sweeps", "a"),
              entry_text({"before the pull", "a", "wrong"},
                         after.file_of("sweeps", "a").filename().string()));
  EXPECT_FALSE(after.find("sweeps", "a"));
}

TEST(Remembered, TwoKeysOfOneDigestAreNotMixedUp) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  const fs::path file = results.file_of("sweeps", "one");
  write_bytes(file, entry_text({"program", "other", "wrong"}, file.filename().string()));
  EXPECT_FALSE(results.find("sweeps", "one"));
  ASSERT_TRUE(results.keep("sweeps", "one", "right"));
  EXPECT_EQ(results.find("sweeps", "one"), "right");
}

TEST(Remembered, AnEntryThatIsMovedIsNone) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  ASSERT_TRUE(results.keep("sweeps", "one", "1"));
  fs::rename(results.file_of("sweeps", "one"), results.file_of("sweeps", "two"));
  EXPECT_FALSE(results.find("sweeps", "two"));
}

TEST(Remembered, EveryByteOfAnEntryIsLookedAt) {
  const RememberedEntry entry{"program", "key", "a value"};
  const std::string text = entry_text(entry, "name");
  ASSERT_EQ(parse_entry(text, "name"), entry);
  EXPECT_FALSE(parse_entry(text, "other name"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[i] = static_cast<char>(static_cast<unsigned char>(flipped[i]) ^ (1U << bit));
      EXPECT_FALSE(parse_entry(flipped, "name")) << "byte " << i << ", bit " << bit;
    }
    EXPECT_FALSE(parse_entry(text.substr(0, i), "name")) << "the first " << i << " bytes";
  }
  EXPECT_FALSE(parse_entry(text + "x", "name"));
  EXPECT_FALSE(parse_entry(std::string(text.size(), '\0'), "name"));
}

TEST(Remembered, LengthsThatDoNotFitAreNone) {
  const auto parse = [](const std::string& content) {
    return parse_entry(sealed("lanewise result 1\n" + content, "name"), "name");
  };
  EXPECT_EQ(parse("1 1 1\npkv"), (RememberedEntry{"p", "k", "v"}));
  for (const char* content :
       {"", "1 1 1", "1 1 1\npk", "1 1 1\npkvx", "1 1\npkv", "1 1 1 \npkv", "-1 1 3\npkv",
        "18446744073709551615 1 3\npkv", "1 18446744073709551615 3\npkv",
        "1 18446744073709551614 4\npkv", "18446744073709551616 1 1\npkv",
        "2 2 18446744073709551615\npkv", "x 1 1\npkv", "1 1 99999999999\npkv"})
    EXPECT_FALSE(parse(content)) << content;
  EXPECT_FALSE(parse_entry(sealed("lanewise result 2\n1 1 1\npkv", "name"), "name"));
}

TEST(Remembered, ADamagedEntryIsTakenAwayAndKeptAnew) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  ASSERT_TRUE(results.keep("proofs", "key", "value"));
  const fs::path file = results.file_of("proofs", "key");
  std::string bytes = read_bytes(file);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(file, bytes);
  EXPECT_FALSE(results.find("proofs", "key"));
  EXPECT_FALSE(fs::exists(file));
  ASSERT_TRUE(results.keep("proofs", "key", "value"));
  EXPECT_EQ(results.find("proofs", "key"), "value");
}

TEST(Remembered, AFolderThatCannotBeWrittenKeepsNothing) {
  const TemporaryFolder folder;
  const Remembered results(folder.write("file", ""), "program");
  EXPECT_FALSE(results.keep("sweeps", "key", "value"));
  EXPECT_FALSE(results.find("sweeps", "key"));
  EXPECT_TRUE(failed_to_remember());
}

// As on a full disk: the first bytes can be written, the last ones not.
TEST(Remembered, AnEntryThatIsCutOffIsNotPublished) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  ASSERT_TRUE(results.keep("sweeps", "key 1", "an older value"));
  for (const rlim_t most : {rlim_t{0}, rlim_t{10}, rlim_t{8192}, rlim_t{20'500}}) {
    EXPECT_TRUE(ended_well(start([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      return !results.keep("sweeps", key_of(1), value_of(1)) && failed_to_remember() &&
             results.find("sweeps", key_of(1)) == "an older value";
    }))) << most;
    EXPECT_EQ(files_in(folder.path() / "sweeps"), 1U) << "something was left behind";
  }
  EXPECT_EQ(results.find("sweeps", key_of(1)), "an older value");
}

/// Writes and reads entries until somebody ends it. False after a wrong value.
bool write_and_read(const Remembered& results, std::uint32_t seed, std::size_t rounds) {
  constexpr std::size_t kKeys = 6;
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::size_t key = random() % kKeys;
    if (random() % 2 == 0 && !results.keep("sweeps", key_of(key), value_of(key))) return false;
    const auto found = results.find("sweeps", key_of(key));
    if (found && *found != value_of(key)) return false;
  }
  return true;
}

TEST(Remembered, ProcessesAtTheSameTimeSeeWholeValues) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  std::vector<pid_t> children;
  for (std::uint32_t seed = 0; seed < 4; ++seed)
    children.push_back(start([&, seed] { return write_and_read(results, seed, 150); }));
  for (const pid_t child : children) EXPECT_TRUE(ended_well(child));
  for (std::size_t key = 0; key < 6; ++key)
    EXPECT_EQ(results.find("sweeps", key_of(key)), value_of(key)) << "lost";
  EXPECT_EQ(files_in(folder.path() / "sweeps"), 6U) << "something was left behind";
}

TEST(Remembered, AWriterThatIsKilledLeavesWholeEntriesOrNone) {
  const TemporaryFolder folder;
  const Remembered results(folder.path(), "program");
  std::mt19937 random(1);
  for (unsigned round = 0; round < 60; ++round) {
    const pid_t child = start([&] { return write_and_read(results, round, 1'000'000); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (std::size_t key = 0; key < 6; ++key) {
      const auto found = results.find("sweeps", key_of(key));
      EXPECT_TRUE(!found || *found == value_of(key)) << "round " << round << ", key " << key;
    }
  }
  for (std::size_t key = 0; key < 6; ++key) {
    ASSERT_TRUE(results.keep("sweeps", key_of(key), value_of(key)));
    EXPECT_EQ(results.find("sweeps", key_of(key)), value_of(key));
  }
}

TEST(Remembered, NothingWithoutAnIdentityOrWhereItIsNotWanted) {
  const TemporaryFolder folder;
  const Environment cache("LANEWISE_CACHE", folder.path());
  const Environment on("LANEWISE_REMEMBER", ""); // which a run of all tests switches off
  EXPECT_TRUE(ended_well(start([&] {
    const bool none = program_identity().empty() && !remembered_results();
    identify_program("program");
    const bool some = remembered_results() && remembered_results()->keep("proofs", "a", "b");
    const Environment off("LANEWISE_REMEMBER", "off");
    return none && some && !remembered_results();
  })));
  EXPECT_TRUE(ended_well(start([&] {
    identify_program("program");
    const bool found = remembered_results()->find("proofs", "a") == "b";
    stop_remembering();
    return found && !remembered_results();
  })));
}

} // namespace
} // namespace lanewise
