// Where headers are looked for.
#include "source/sfpi/headers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sfpi/kernel_files.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

TEST(Headers, APrefixThatWasToldComesFirst) {
  const Environment none("LANEWISE_SFPI", "");
  const fs::path prefix = fs::path(testing::TempDir()) / "lanewise-headers-test";
  const fs::path headers = prefix / "share/lanewise/sfpi/include";
  fs::create_directories(headers);
  look_for_headers_in(prefix);
  const auto without = sfpi_include_folder();
  EXPECT_TRUE(without.has_value() && *without != headers) << "there is no sfpi.h in it yet";
  std::ofstream(headers / "sfpi.h") << "// none\n";
  const auto with = sfpi_include_folder();
  look_for_headers_in({});
  fs::remove_all(prefix);
  ASSERT_TRUE(with.has_value());
  EXPECT_EQ(*with, headers);
}

TEST(Faces, HaveTheirNames) {
  EXPECT_EQ(*parse_faces("whole"), Faces::Whole);
  EXPECT_EQ(*parse_faces("rc"), Faces::RC);
  EXPECT_EQ(*parse_faces("r"), Faces::R);
  EXPECT_EQ(*parse_faces("c"), Faces::C);
  for (const char* name : {"", "RC", "x"}) EXPECT_FALSE(parse_faces(name).has_value()) << name;
}

} // namespace
} // namespace lanewise::sfpi
