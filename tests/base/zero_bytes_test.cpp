// Memories of which little is touched.
#include "base/zero_bytes.h"

#include <gtest/gtest.h>

#include <new>
#include <utility>

namespace lanewise {
namespace {

TEST(ZeroBytes, AreZerosThatCanBeWritten) {
  const ZeroBytes bytes(100'000);
  ASSERT_EQ(bytes.all().size(), 100'000U);
  for (const std::uint8_t each : bytes.all()) ASSERT_EQ(each, 0U);
  bytes.all().back() = 7;
  EXPECT_EQ(bytes.all()[99'999], 7U);
}

TEST(ZeroBytes, MayBeNone) {
  EXPECT_TRUE(ZeroBytes(0).all().empty());
}

TEST(ZeroBytes, AreMoved) {
  ZeroBytes from(5000);
  from.all()[3] = 1;
  const ZeroBytes to(std::move(from));
  EXPECT_EQ(to.all()[3], 1U);
}

TEST(ZeroBytes, MayBeMoreThanThereIsMemory) { // they take none before they are touched
  const ZeroBytes bytes(std::size_t{1} << 36U);
  bytes.all()[std::size_t{1} << 35U] = 1;
  EXPECT_EQ(bytes.all()[(std::size_t{1} << 35U) + 1], 0U);
}

TEST(ZeroBytes, AreRefusedWhereThereAreNoAddresses) {
  EXPECT_THROW(ZeroBytes(std::size_t{1} << 62U), std::bad_alloc);
}

} // namespace
} // namespace lanewise
