// Reading whole files: what has no end is refused, and nothing else.
#include "base/text_file.h"

#include <gtest/gtest.h>

#include "sfpi/kernel_files.h"

namespace lanewise::lab {
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
  EXPECT_FALSE(read_text_file((folder.path() / "missing").string()));
}

} // namespace
} // namespace lanewise::lab
