// What each operation of a kernel is there for: once, for every tile, or around the kernel.
#include <algorithm>

#include "base/source_line.h"
#include "sfpi/kernel_files.h"

namespace lanewise::sfpi {
namespace {

using compiler::Kind;
using compiler::Node;
using compiler::Recording;

class PartsTest : public KernelTest {
 protected:
  /// Nodes of a kind and a part.
  static std::ptrdiff_t count(const Recording& recording, Kind kind, ProgramPart part) {
    return std::ranges::count_if(recording.nodes, [&](const Node& node) {
      return node.kind == kind && part_of_line(recording.sites[node.site].line) == part;
    });
  }
};

constexpr const char* kHeader = R"(#pragma once
#include "sfpi.h"
inline void init_it() { sfpi::vConstFloatPrgm0 = 2.0f; }
inline void calculate_it(int iterations) {
  for (int i = 0; i < iterations; ++i) {
    sfpi::dst_reg[0] = sfpi::dst_reg[0] * sfpi::vConstFloatPrgm0;
    sfpi::dst_reg++;
  }
}
)";

TEST_F(PartsTest, InitRunsOnceAndTheCallForEveryTile) {
  source_.file = folder_.write("ckernel_sfpu_it.h", kHeader);
  source_.is_header = true;
  source_.faces = Faces::RC;
  source_.init = "init_it()";
  source_.calls = {"calculate_it(2)"};
  for (const Arch arch : kArchs) {
    const auto recording = record_kernel(arch, source_);
    ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
    EXPECT_EQ(count(*recording, Kind::WriteConst, ProgramPart::Init), 1);
    EXPECT_EQ(count(*recording, Kind::FloatMul, ProgramPart::Tile), 4 * 2);
    EXPECT_EQ(count(*recording, Kind::FloatMul, ProgramPart::Init), 0);
    EXPECT_EQ(count(*recording, Kind::Raw, ProgramPart::Tile), 4 * 2); // INCRWC
    // Three times on to the next face, two words each, and the tile's start: SETC16, on Wormhole
    // once more, and STALLWAIT.
    const int start = arch == Arch::Wormhole ? 3 : 2;
    EXPECT_EQ(count(*recording, Kind::Raw, ProgramPart::Around), 3 * 2 + start);
    EXPECT_GT(count(*recording, Kind::Raw, ProgramPart::Init), 0); // what the library does at boot
    EXPECT_EQ(part_of_line(recording->sites[recording->nodes.front().site].line),
              ProgramPart::Init);
  }
}

TEST_F(PartsTest, AKernelWithoutInitIsAllTile) {
  const auto recording = record_text(R"(#include "sfpi.h"
void kernel() {
  sfpi::vConstFloatPrgm0 = 2.0f;
  sfpi::dst_reg[0] = sfpi::dst_reg[0] * sfpi::vConstFloatPrgm0;
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  for (const Node& node : recording->nodes)
    EXPECT_EQ(part_of_line(recording->sites[node.site].line), ProgramPart::Tile);
}

} // namespace
} // namespace lanewise::sfpi
