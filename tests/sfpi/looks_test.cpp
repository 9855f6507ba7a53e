// The text of a request is looked at once, while no file of it changes and its object is kept.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/limits.h"
#include "sfpi/kernel_files.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

class Looks : public ::testing::Test {
 protected:
  /// A header that was written some time ago.
  void write(const std::string& text, int minutes) {
    const std::string file = folder.write("headers/number.h", text);
    const auto then = fs::file_time_type::clock::now() - std::chrono::minutes(minutes);
    fs::last_write_time(file, then);
    fs::last_write_time(folder.path() / "headers", then);
  }

  Preprocessed prepare() {
    auto made = preprocess_object(request, [this](std::string_view text) -> std::string {
      ++looks;
      return text.find("= 2") != text.npos ? "two of them" : "another number";
    });
    EXPECT_TRUE(made.has_value()) << (made ? "" : to_string(made.error()));
    return made ? std::move(*made) : Preprocessed();
  }

  TemporaryFolder folder;
  Environment cache{"LANEWISE_CACHE", folder.path() / "cache"};
  ObjectRequest request{
      .name = "text.cpp",
      .text = "#include \"number.h\"\nextern \"C\" int number() { return value; }\n",
      .flags = {"-O0", "-fPIC", "-I" + (folder.path() / "headers").string()},
      .link_flags = {},
      .version = {},
      .limits = kKernelLimits};
  unsigned looks = 0;
};

TEST_F(Looks, AreKeptWithTheObject) {
  write("const int value = 2;", 60);
  const Preprocessed first = prepare();
  EXPECT_EQ(first.seen, "two of them");
  EXPECT_FALSE(first.text.empty());
  EXPECT_EQ(prepare().seen, "two of them");
  EXPECT_EQ(looks, 2U) << "without an object, the text is needed";

  const auto object = compile_preprocessed(request, first);
  ASSERT_TRUE(object.has_value()) << to_string(object.error());
  const Preprocessed known = prepare();
  EXPECT_EQ(looks, 2U);
  EXPECT_EQ(known.seen, "two of them");
  EXPECT_EQ(known.object, *object);
  EXPECT_EQ(compile_preprocessed(request, known), *object);

  write("const int value = 3;", 30);
  const Preprocessed changed = prepare();
  EXPECT_EQ(looks, 3U);
  EXPECT_EQ(changed.seen, "another number");
  EXPECT_NE(changed.object, *object);
}

// Another process may drop what has not been used for long, at any time.
TEST_F(Looks, AnObjectThatIsGoneMeanwhileIsMadeAgain) {
  write("const int value = 2;", 60);
  ASSERT_TRUE(compile_preprocessed(request, prepare()).has_value());
  const Preprocessed known = prepare();
  ASSERT_TRUE(known.text.empty());
  fs::remove(known.object);
  const auto again = compile_preprocessed(request, known);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(*again, known.object);
  void* const loaded = ::dlopen(again->c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  EXPECT_NE(::dlsym(loaded, "number"), nullptr);
  ::dlclose(loaded);
}

} // namespace
} // namespace lanewise::sfpi
