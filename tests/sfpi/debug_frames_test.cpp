#include "source/sfpi/debug_frames.h"

#include <gtest/gtest.h>

#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

TEST(DebugFrames, AnObjectThatIsNone) {
  const TemporaryFolder folder;
  const auto frames = read_frames(folder.write("kernel.so", "no object"), std::vector<CallStack>{});
  ASSERT_FALSE(frames.has_value());
  EXPECT_EQ(frames.error().kind, FaultKind::BadInput);
  EXPECT_NE(frames.error().message.find("debug information"), std::string::npos)
      << frames.error().message;
}

} // namespace
} // namespace lanewise::sfpi
