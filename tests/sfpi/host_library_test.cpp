// Generated code is compiled anew when a header that it may include has changed.
#include "source/sfpi/host_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "source/sfpi/headers.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

/// A folder with headers of its own in the place of the library's.
class HostLibrary : public testing::Test {
 protected:
  HostLibrary() {
    write("chip/machine/kernels/row.h", "#pragma once\n");
    look_for_headers_in(prefix_);
  }
  ~HostLibrary() override {
    look_for_headers_in({});
    fs::remove_all(prefix_);
  }
  HostLibrary(const HostLibrary&) = delete;
  HostLibrary& operator=(const HostLibrary&) = delete;

  void write(const std::string& name, const std::string& text) const {
    const fs::path file = prefix_ / "share/lanewise/include" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  static fs::path compiled() {
    const auto object = compile_library(
        {.name = "a test", .text = "#include \"chip/machine/kernels/row.h\"\n", .flags = {"-O0"}});
    EXPECT_TRUE(object.has_value()) << to_string(object.error());
    return object.value_or("");
  }

 private:
  fs::path prefix_ = fs::path(testing::TempDir()) / "lanewise-host-library-test";
};

TEST_F(HostLibrary, IsCompiledAnewAfterAChangeInAnyRoomThatItMayInclude) {
  fs::path before = compiled();
  EXPECT_EQ(compiled(), before);
  for (const char* room : {"base", "chip/isa", "chip/semantics", "chip/machine"}) {
    write(std::string(room) + "/changed.h", "#pragma once\n");
    const fs::path after = compiled();
    EXPECT_NE(after, before) << room;
    before = after;
  }
}

} // namespace
} // namespace lanewise::sfpi
