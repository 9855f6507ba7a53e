// The digest of texts: a name under which the cache finds what came of them.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "base/cache.h"

namespace lanewise {
namespace {

std::string digest_of(std::string_view text) {
  return Digest().add(text).text();
}

/// Notes a digest, of which neither half has been seen before.
class Halves {
 public:
  void expect_new(const std::string& digest, const std::string& of) {
    ASSERT_EQ(digest.size(), Digest::kDigits);
    EXPECT_TRUE(first_.insert(digest.substr(0, Digest::kDigits / 2)).second) << of;
    EXPECT_TRUE(second_.insert(digest.substr(Digest::kDigits / 2)).second) << of;
  }

 private:
  std::set<std::string> first_, second_;
};

TEST(Digest, EveryBitCounts) {
  Halves halves;
  std::string text(21, 'x'); // two words and five bytes
  halves.expect_new(digest_of(text), "the text");
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    halves.expect_new(digest_of(changed), "bit " + std::to_string(bit));
  }
}

TEST(Digest, LengthCounts) {
  Halves halves;
  for (std::size_t size = 0; size < 40; ++size)
    halves.expect_new(digest_of(std::string(size, '\0')), std::to_string(size) + " zeros");
}

TEST(Digest, OrderAndPlaceOfWordsCount) {
  Halves halves;
  for (const std::string_view text : {"12345678abcdefgh", "abcdefgh12345678",
                                      "12345678abcdefgh        ", "        12345678abcdefgh"})
    halves.expect_new(digest_of(text), std::string(text));
}

TEST(Digest, TextsAreToldApart) {
  Halves halves;
  halves.expect_new(Digest().add("ab").add("c").text(), "ab, c");
  halves.expect_new(Digest().add("a").add("bc").text(), "a, bc");
  halves.expect_new(Digest().add("abc").text(), "abc");
  halves.expect_new(Digest().add("abc").add("").text(), "abc and nothing");
}

TEST(Digest, PiecesGiveWhatTheWholeTextGives) {
  const std::string text = "a text of some bytes, and of a few more";
  for (std::size_t first = 0; first <= text.size(); first += 8) {
    Digest digest;
    digest.begin(text.size());
    digest.append(std::string_view(text).substr(0, first));
    digest.append(std::string_view(text).substr(first));
    EXPECT_EQ(digest.text(), digest_of(text)) << first;
  }
}

} // namespace
} // namespace lanewise
