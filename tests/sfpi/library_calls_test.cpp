// Objects are linked without libraries where they need none of them by name.
#include "source/sfpi/library_calls.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "base/limits.h"
#include "sfpi/kernel_files.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// With a cache of its own: what is linked by name depends on the list, which the cache does not
/// know of.
Expected<fs::path> object_of(const std::string& text, const TemporaryFolder& folder) {
  const Environment cache("LANEWISE_CACHE", folder.path() / "cache");
  return compile_object({.name = "text.cpp",
                         .text = text,
                         .flags = {"-O0", "-fPIC"},
                         .link_flags = {},
                         .version = {},
                         .limits = kKernelLimits});
}

/// What readelf says that an object needs, one line each.
std::string needed(const fs::path& object) {
  const std::string command = "readelf -dW " + object.string() + " | grep NEEDED";
  std::FILE* const pipe = ::popen(command.c_str(), "r"); // NOLINT(cert-env33-c)
  std::string text;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) text += line.data();
  ::pclose(pipe);
  return text;
}

/// What its function 'answer' gives.
int answer(const fs::path& object) {
  void* const handle = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return -1;
  const auto function = reinterpret_cast<int (*)()>(::dlsym(handle, "answer"));
  return function == nullptr ? -2 : function();
}

TEST(LibraryCalls, CopiesTextsAndExceptionsNeedNoLibraryByName) {
  const TemporaryFolder folder;
  const auto object = object_of(R"(#include <cstdio>
#include <cstring>
    extern "C" int answer() {
      volatile int size = 4;
      int from = 41, to = 0;
      memcpy(&to, &from, size);
      char text[8];
      if (snprintf(text, sizeof text, "%d", to) != 2) return 0;
      try { throw 1; } catch (int one) { return to + one; }
    })",
                                folder);
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  EXPECT_TRUE(needs_common_functions_only(*object));
  EXPECT_EQ(needed(*object), "");
  EXPECT_EQ(answer(*object), 42);
}

TEST(LibraryCalls, OtherFunctionsNeedTheirs) {
  const TemporaryFolder folder;
  const auto object = object_of(R"(#include <cmath>
    #include <string>
    extern "C" int answer() {
      volatile double cube = 64;
      return static_cast<int>(std::cbrt(cube)) + std::stoi("38");
    })",
                                folder);
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  EXPECT_FALSE(needs_common_functions_only(*object));
  EXPECT_NE(needed(*object).find("libm.so.6"), std::string::npos) << needed(*object);
  EXPECT_NE(needed(*object).find("libstdc++.so.6"), std::string::npos) << needed(*object);
  EXPECT_EQ(answer(*object), 42);
}

TEST(LibraryCalls, WhatIsNowhereIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const auto object =
      object_of("int elsewhere(); extern \"C\" int answer() { return elsewhere(); }", folder);
  ASSERT_FALSE(object.has_value());
  EXPECT_NE(object.error().message.find("undefined reference to `elsewhere()'"), std::string::npos)
      << object.error().message;
}

TEST(LibraryCalls, WhatIsNoObjectNeedsMore) {
  const TemporaryFolder folder;
  EXPECT_FALSE(needs_common_functions_only(folder.write("text", "no object")));
  EXPECT_FALSE(needs_common_functions_only(folder.path() / "nothing"));
}

} // namespace
} // namespace lanewise::sfpi
