// Reading whole files: what has no end is refused, and nothing else.
#include "base/text_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <span>

#include "base/file.h"
#include "sfpi/kernel_files.h"

namespace lanewise {
namespace {

TEST(ReadTextFile, TakesAsManyBytesAsItMay) {
  const sfpi::TemporaryFolder folder;
  const std::string path = folder.write("four", "abcd");
  EXPECT_EQ(read_text_file(path)->size(), 4u);
  EXPECT_EQ(read_text_file(path, 4)->size(), 4u);
  const auto refused = read_text_file(path, 3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, FaultKind::BadInput);
  EXPECT_EQ(refused.error().file, path);
  EXPECT_EQ(refused.error().message, "there are more than 3 bytes");
  EXPECT_FALSE(refused.error().remedy.empty());
}

TEST(ReadTextFile, AnEndlessFileIsRefused) {
  const auto text = read_text_file("/dev/zero");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().file, "/dev/zero");
  EXPECT_EQ(text.error().message, "there are more than 67108864 bytes");
}

TEST(ReadTextFile, KeepsEveryByte) {
  const sfpi::TemporaryFolder folder;
  const std::string text("a\0\r\n\xFF", 5);
  EXPECT_EQ(read_text_file(folder.write("bytes", text)).value(), text);
  EXPECT_EQ(read_text_file(folder.write("empty", "")).value(), "");
  const std::string large(100'000, 'x');
  const auto read = read_text_file(folder.write("large", large));
  EXPECT_EQ(read.value(), large);
  EXPECT_EQ(read->capacity(), large.size()) << "in memory of its size";
  EXPECT_FALSE(read_text_file((folder.path() / "missing").string()));
}

// The new file takes the place of the old one, and who may read that may read the new one.
TEST(WriteFile, KeepsThePermissionsOfAFile) {
  namespace fs = std::filesystem;
  const sfpi::TemporaryFolder folder;
  const fs::path path = folder.write("old", "before");
  constexpr fs::perms kOwn = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, kOwn);
  const std::string text = "after";
  ASSERT_TRUE(write_file_atomically(path, std::as_bytes(std::span(text))));
  EXPECT_EQ(read_text_file(path.string()).value(), text);
  EXPECT_EQ(fs::status(path).permissions(), kOwn);
}

} // namespace
} // namespace lanewise
