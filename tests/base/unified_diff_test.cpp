// Diffs: what one says is what makes the second text of the first.
#include "base/unified_diff.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <cstdio>
#include <string>
#include <vector>

namespace lanewise {
namespace {

/// The lines of a diff, applied: a reader of the format by itself.
std::string applied(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines;
  const auto split = [](const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      all.push_back(text.substr(at, end - at));
      at = end;
    }
    return all;
  };
  const std::vector<std::string> old = split(before);
  std::size_t next = 0;
  const std::vector<std::string> commands = split(diff);
  for (std::size_t i = 2; i < commands.size(); ++i) {
    const std::string& each = commands[i];
    if (each.starts_with("@@")) {
      unsigned first = 0, count = 0;
      EXPECT_EQ(std::sscanf(each.c_str(), "@@ -%u,%u", &first, &count), 2); // NOLINT(cert-err34-c)
      const std::size_t begin = count == 0 ? first : first - 1;
      while (next < begin) lines.push_back(old.at(next++));
      continue;
    }
    if (each.starts_with("\\")) continue;
    std::string text = each.substr(1);
    if (i + 1 < commands.size() && commands[i + 1].starts_with("\\")) text.pop_back();
    if (each[0] != '+') {
      EXPECT_EQ(old.at(next), text);
      ++next;
    }
    if (each[0] != '-') lines.push_back(text);
  }
  while (next < old.size()) lines.push_back(old[next++]);
  std::string result;
  for (const std::string& line : lines) result += line;
  return result;
}

TEST(UnifiedDiff, HasThreeLinesAroundAChangeAndOneHunkForNearOnes) {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) {
    const std::string line = std::to_string(i) + "\n";
    before += line;
    after += i == 10 || i == 16 ? "new\n" + line : line;
  }
  EXPECT_EQ(unified_diff("f", before, after).substr(0, 42),
            "--- a/f\n+++ b/f\n@@ -7,12 +7,14 @@\n 7\n 8\n 9");
  EXPECT_EQ(unified_diff("f", before, before), "");
}

TEST(UnifiedDiff, SaysWhereALineHasNoEnd) {
  EXPECT_EQ(unified_diff("f", "a", "a\n"),
            "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

RC_GTEST_PROP(UnifiedDiff, MakesTheSecondTextOfTheFirst, ()) {
  const auto text = [] {
    const auto lines = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
    std::string all;
    for (const int line : lines) all += std::to_string(line) + "\n";
    if (!all.empty() && *rc::gen::arbitrary<bool>()) all.pop_back();
    return all;
  };
  const std::string before = text(), after = text();
  RC_ASSERT(applied(before, unified_diff("f", before, after)) == after);
}

} // namespace
} // namespace lanewise
