#include "base/shared_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SharedLibrary, FindsFunctions) {
  double (*cosine)(double) = nullptr;
  SharedLibrary({"libm.so.6"}).find(cosine, "cos");
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
}

TEST(SharedLibrary, SaysWhichOneIsNotThere) {
  EXPECT_THAT([] { SharedLibrary({"libnobody-has.so.7"}); },
              ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr("libnobody-has.so.7 cannot be loaded"), HasSubstr("install"))));
}

TEST(SharedLibrary, TakesTheOneOfThisRelease) {
  double (*cosine)(double) = nullptr;
  SharedLibrary({"libnobody-has.so.7", "libm.so.6"}).find(cosine, "cos");
  EXPECT_NE(cosine, nullptr);
}

TEST(SharedLibrary, SaysWhichPackageHasIt) {
  EXPECT_THAT(
      [] {
        SharedLibrary({"libnobody-has.so.7", "libnobody-has.so.8"}, "libnobody7");
      },
      ThrowsMessage<std::runtime_error>(
          AllOf(HasSubstr("libnobody-has.so.7"), HasSubstr("install libnobody7"))));
}

TEST(SharedLibrary, SaysWhichFunctionIsNotThere) {
  void (*function)() = nullptr;
  EXPECT_THAT([&] { SharedLibrary({"libm.so.6"}).find(function, "no_such_function"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("libm.so.6 has no no_such_function")));
}

} // namespace
} // namespace lanewise
