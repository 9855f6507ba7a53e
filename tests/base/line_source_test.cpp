#include "base/line_source.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

namespace lanewise {
namespace {

// A thousandth of its size: what little files can hold.
TEST(LineSource, CompressedTextHasABound) {
  const std::string path = testing::TempDir() + "lanewise-blank-lines.gz";
  const std::string blank(1 << 20, '\n');
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  for (int i = 0; i < 4; ++i) gzwrite(file, blank.data(), static_cast<unsigned>(blank.size()));
  gzclose(file);
  EXPECT_LT(std::filesystem::file_size(path), 1U << 13);

  const auto lines_in = [&](std::uint64_t most) -> Expected<std::size_t> {
    auto lines = LineSource::open_file(path, most);
    if (!lines) return Unexpected(lines.error());
    std::string_view line;
    for (std::size_t count = 0;; ++count) {
      const auto more = (*lines)->next(line);
      if (!more) return Unexpected(more.error());
      if (!*more) return count;
    }
  };
  EXPECT_EQ(lines_in(4 * blank.size()).value(), 4 * blank.size());
  const auto refused = lines_in(4 * blank.size() - 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, FaultKind::BadInput);
  EXPECT_NE(refused.error().message.find("more than 4194303 bytes"), std::string::npos)
      << refused.error().message;
  std::filesystem::remove(path);
}

TEST(LineSource, AByteOrderMarkIsNoPartOfTheFirstLine) {
  const auto lines = LineSource::from_text("\xEF\xBB\xBFone\ntwo\n");
  std::string_view line;
  ASSERT_TRUE(lines->next(line).value());
  EXPECT_EQ(line, "one");
  ASSERT_TRUE(lines->next(line).value());
  EXPECT_EQ(line, "two");
  EXPECT_FALSE(LineSource::from_text("\xFF\xFEo\n")->next(line).has_value()); // UTF-16
}

} // namespace
} // namespace lanewise
