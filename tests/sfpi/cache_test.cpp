// The folder that keeps compiled kernels.
#include "base/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "sfpi/kernel_files.h"
#include "source/sfpi/prelude.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

TEST(Digest, ChangesWithContentsAndBoundaries) {
  const auto digest = [](std::initializer_list<std::string_view> texts) {
    Digest result;
    for (const std::string_view text : texts) result.add(text);
    return result.text();
  };
  EXPECT_EQ(digest({"ab", "c"}), digest({"ab", "c"}));
  EXPECT_NE(digest({"ab", "c"}), digest({"a", "bc"}));
  EXPECT_NE(digest({"a"}), digest({"b"}));
  EXPECT_NE(digest({""}), digest({}));
  EXPECT_EQ(digest({"a"}).size(), 32U);
}

TEST(Cache, IsWhereTheEnvironmentSays) {
  const TemporaryFolder folder;
  const Environment home("HOME", folder.path() / "home");
  {
    const Environment none("LANEWISE_CACHE", "");
    const Environment no_xdg("XDG_CACHE_HOME", "");
    EXPECT_EQ(cache_folder().value(), folder.path() / "home/.cache/lanewise");
  }
  const Environment xdg("XDG_CACHE_HOME", folder.path() / "xdg");
  {
    const Environment none("LANEWISE_CACHE", "");
    EXPECT_EQ(cache_folder().value(), folder.path() / "xdg/lanewise");
  }
  const Environment own("LANEWISE_CACHE", folder.path() / "own");
  EXPECT_EQ(cache_folder().value(), folder.path() / "own");
  EXPECT_TRUE(fs::is_directory(folder.path() / "own"));
}

TEST(Cache, MustNotBeWritableForOthers) {
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  const Environment own("LANEWISE_CACHE", folder.path());
  const auto cache = cache_folder();
  ASSERT_FALSE(cache.has_value());
  EXPECT_NE(to_string(cache.error()).find("LANEWISE_CACHE"), std::string::npos);
}

/// What was compiled elsewhere names files there.
TEST(Cache, HeadersOfAnotherCheckoutAreOthers) {
  const TemporaryFolder folder;
  const fs::path one = fs::path(folder.write("one/sfpi.h", "// the same\n")).parent_path();
  const fs::path other = fs::path(folder.write("other/sfpi.h", "// the same\n")).parent_path();
  const HostCompiler compiler{.command = {"g++"}, .version = "12"};
  EXPECT_EQ(prelude_version(compiler, {}, one), prelude_version(compiler, {}, one));
  EXPECT_NE(prelude_version(compiler, {}, one), prelude_version(compiler, {}, other));
}

TEST(Cache, CannotBeAFile) {
  const TemporaryFolder folder;
  const Environment own("LANEWISE_CACHE", folder.write("file", ""));
  EXPECT_FALSE(cache_folder().has_value());
}

TEST(Cache, TheFirstToPublishWins) {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "entry";
  const fs::path first = unfinished(target);
  const fs::path second = unfinished(target);
  EXPECT_NE(first, second);
  fs::create_directories(first / "a");
  fs::create_directories(second / "b");
  EXPECT_TRUE(publish(first, target).has_value());
  EXPECT_TRUE(publish(second, target).has_value());
  EXPECT_TRUE(fs::exists(target / "a"));
  EXPECT_FALSE(fs::exists(second));
  EXPECT_FALSE(publish(folder.path() / "nothing", folder.path() / "no/where").has_value());
}

TEST(Cache, ASealHoldsForTheNameAndEveryByte) {
  const TemporaryFolder folder;
  const std::string file = folder.write("entry", "contents");
  EXPECT_FALSE(is_sealed(file));
  ASSERT_TRUE(seal(file, "entry").has_value());
  EXPECT_TRUE(is_sealed(file));
  fs::copy(file, folder.path() / "other");
  EXPECT_FALSE(is_sealed(folder.path() / "other")) << "what another entry has";
  EXPECT_FALSE(is_sealed(folder.write("empty", "")));
  EXPECT_FALSE(is_sealed(folder.path() / "missing"));
  EXPECT_FALSE(seal(folder.path() / "no/such", "such").has_value());
}

TEST(Cache, ASealOfALargeFileHoldsForEveryPartOfIt) {
  const TemporaryFolder folder;
  const std::string contents(200'003, 'x'); // it is read in pieces of 65,536 bytes
  for (const std::size_t changed :
       {std::size_t{0}, std::size_t{7}, std::size_t{65'535}, std::size_t{65'536},
        std::size_t{131'075}, std::size_t{200'000}, std::size_t{200'002}}) {
    const std::string file = folder.write("entry", contents);
    ASSERT_TRUE(seal(file, "entry").has_value());
    EXPECT_TRUE(is_sealed(file));
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(changed));
    stream.put('y');
    stream.close();
    EXPECT_FALSE(is_sealed(file)) << "byte " << changed;
  }
  const std::string zeros = file_digest(folder.write("entry", std::string(8, '\0')), "entry");
  EXPECT_NE(zeros, file_digest(folder.write("entry", std::string(16, '\0')), "entry"));
  EXPECT_NE(zeros, file_digest(folder.write("entry", std::string(7, '\0')), "entry"));
}

/// As of a file, so of a text.
TEST(Cache, ASealedTextIsASealedFile) {
  const TemporaryFolder folder;
  const std::string text = sealed("contents", "entry");
  EXPECT_TRUE(is_sealed(folder.write("entry", text)));
  EXPECT_EQ(unsealed(text, "entry"), "contents");
  EXPECT_EQ(unsealed(sealed("", "entry"), "entry"), "");
  EXPECT_FALSE(unsealed(text, "other"));
  EXPECT_FALSE(unsealed("contents", "entry"));
  EXPECT_FALSE(unsealed("", "entry"));
}

TEST(Cache, DropsWhatHasTooManyBytes) {
  const TemporaryFolder folder;
  for (int i = 0; i < 4; ++i) {
    const fs::path path = folder.write(std::to_string(i), "1234");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(i));
  }
  drop_unused(folder.path(), 10, 8);
  EXPECT_TRUE(fs::exists(folder.path() / "0"));
  EXPECT_TRUE(fs::exists(folder.path() / "1"));
  EXPECT_FALSE(fs::exists(folder.path() / "2"));
  EXPECT_FALSE(fs::exists(folder.path() / "3"));
}

TEST(Cache, DropsWhatIsOldOrTooMuch) {
  const TemporaryFolder folder;
  const auto entry = [&](const char* name, int days) {
    const fs::path path = folder.write(name, "");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  };
  entry("a", 0);
  entry("b", 1);
  entry("c", 2);
  entry("old", 31);
  drop_unused(folder.path(), 10);
  EXPECT_FALSE(fs::exists(folder.path() / "old"));
  EXPECT_TRUE(fs::exists(folder.path() / "c"));
  EXPECT_TRUE(touch(folder.path() / "c")); // used now
  drop_unused(folder.path(), 2);
  EXPECT_TRUE(fs::exists(folder.path() / "c"));
  EXPECT_TRUE(fs::exists(folder.path() / "a"));
  EXPECT_FALSE(fs::exists(folder.path() / "b"));
  EXPECT_FALSE(touch(folder.path() / "b"));
}

} // namespace
} // namespace lanewise::sfpi
