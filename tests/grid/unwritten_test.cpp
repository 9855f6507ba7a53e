// Reads of DRAM and of other cores' L1 where nobody has written (rule 8).
#include <gtest/gtest.h>

#include "grid/story.h"
#include "launch/own_programs.h"
#include "run/grid/grid.h"

namespace lanewise::grid {
namespace {

/// A read of `from` finds zeros.
void find_zeros(Story& story, std::size_t core, const Location& from, unsigned line) {
  const Transaction read = story.ask_read(core, from, line);
  story.races.take_zeros(core, read);
  story.races.land(core, read);
}

bool is_told(const Story& story) {
  return story.text().find("[programs 8]") != std::string::npos;
}

TEST(Unwritten, WhatNobodyHasWrittenIsFoundByItsLine) {
  Story story;
  find_zeros(story, 1, Story::dram(), 20);
  EXPECT_NE(
      story.text().find("k/take.cpp:20: UnpredictableValue: core (1, 0): brisc: asks for a read of "
                        "64 bytes from 0x100 of bank 1 of DRAM to 0x90000 of L1"),
      std::string::npos)
      << story.text();
  EXPECT_NE(story.text().find("where nothing was ever written"), std::string::npos);
  EXPECT_TRUE(is_told(story)) << story.text();
}

TEST(Unwritten, CoresThatDoTheSameAreToldOnce) {
  Story story;
  for (const std::size_t core : {1U, 2U, 3U, 2U}) find_zeros(story, core, Story::dram(), 20);
  ASSERT_EQ(story.races.unwritten().size(), 1U);
  EXPECT_NE(story.text().find("; so do 2 other cores"), std::string::npos) << story.text();
  // Core 0 runs other kernels.
  find_zeros(story, 0, Story::dram(), 20);
  EXPECT_EQ(story.races.unwritten().size(), 2U);
}

TEST(Unwritten, ZerosThatSomebodyHasWrittenAreData) {
  Story by_noc;
  by_noc.write(0, Story::dram(), 10);
  find_zeros(by_noc, 1, Story::dram(), 20);
  EXPECT_FALSE(is_told(by_noc)) << by_noc.text();

  Story by_code;
  by_code.store(0, 10);
  find_zeros(by_code, 1, Story::l1(0), 20);
  EXPECT_FALSE(is_told(by_code)) << by_code.text();

  Story by_a_unit;
  by_a_unit.access(0, kPack, Note::kChanges | Note::kByUnit, 10);
  find_zeros(by_a_unit, 1, Story::l1(0), 20);
  EXPECT_FALSE(is_told(by_a_unit)) << by_a_unit.text();

  Story by_many;
  by_many.races.land(0, by_many.ask_multicast(0, kData, kSome, 10));
  find_zeros(by_many, 3, Story::l1(2), 20);
  EXPECT_FALSE(is_told(by_many)) << by_many.text();
  // The multicast does not go to core 3.
  find_zeros(by_many, 1, Story::l1(3), 20);
  EXPECT_TRUE(is_told(by_many)) << by_many.text();
}

TEST(Unwritten, WhatIsLoadedOnlyWasNotWritten) {
  Story story;
  story.load(0, 10);
  find_zeros(story, 1, Story::l1(0), 20);
  EXPECT_TRUE(is_told(story));
}

TEST(Unwritten, APageThatIsFilledInPartMayBeUsed) {
  Story story;
  story.write(0, Story::dram(0x100), 10); // 64 bytes
  find_zeros(story, 1, Story::dram(0x100 + kSome - 16), 20);
  EXPECT_FALSE(is_told(story));
  find_zeros(story, 1, Story::dram(0x100 + kSome), 20);
  EXPECT_TRUE(is_told(story));
}

// Who comes before the data has a race with them (rule 13), and no other finding.
TEST(Unwritten, WhatIsWrittenLaterIsARace) {
  Story story;
  find_zeros(story, 1, Story::dram(), 20);
  story.write(0, Story::dram(), 10);
  EXPECT_FALSE(is_told(story)) << story.text();
  EXPECT_EQ(story.causes(), std::vector{Cause::NotAwaited});
}

TEST(Unwritten, WhatTheHostHasWrittenIsData) {
  Races::Device device{.cores = {0, 1},
                       .group = {0, 1},
                       .l1_bytes = 0x180000,
                       .bank_bytes = {0x10000, 0x10000},
                       .written = {}};
  device.written[{.is_dram = true, .number = 1}].add(0x100, 0x140);
  Story story;
  story.races = Races(device);
  find_zeros(story, 1, Story::dram(), 20);
  EXPECT_FALSE(is_told(story));
  find_zeros(story, 1, Story::dram(0x200), 20);
  EXPECT_TRUE(is_told(story));
}

constexpr std::string_view kRead = R"(#include <cstdint>
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr auto from_args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(from_args, get_arg_val<uint32_t>(0), 1024);
  const uint32_t page = get_write_ptr(0);
  noc_async_read_page(0, from, page);
  noc_async_read_barrier();
  if (get_arg_val<uint32_t>(1) != 0) {
    noc_async_read(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), page), page + 1024, 1024); // line 10
    noc_async_read_barrier();
  }
}
)";

class UnwrittenPrograms : public launch::OwnHeadersTest {
 protected:
  /// Two cores read a page of DRAM; with `looks_at_other`, page 0 of each other's c_0, too.
  std::string run(bool has_contents, bool looks_at_other, bool tells_accesses = true) {
    parse(R"({
      "grid": [2, 2],
      "buffers": [{"name": "from", "memory": "dram", "bytes": 1024, "page_bytes": 1024,
                   "format": "UInt32", "layout": "rows"}],
      "circular_buffers": [{"index": 0, "format": "UInt32", "pages": 2, "page_bytes": 1024,
                            "cores": [[0, 0, 1, 0]]}],
      "kernels": [
        {"file": "read.cpp", "processor": "riscv_0", "cores": [[0, 0, 1, 0]],
         "compile_args": [{"accessor": "from"}],
         "runtime_args": [{"buffer": "from"}, 0, {"core_x": [0, 1]}, {"core_y": [0, 1]}]}]})");
    programs::Kernel& kernel = program().kernels[0];
    kernel.file.clear();
    kernel.text = kRead;
    kernel.runtime_args[1] = looks_at_other ? 1U : 0U;
    if (has_contents) program().buffers[0].contents.assign(1024, 0);
    programs::CompileSettings settings;
    settings.tells_accesses = tells_accesses;
    auto prepared = prepare(program(), settings);
    if (!prepared) return to_string(prepared.error());
    const auto outcome = grid::run(*prepared, {});
    return outcome ? launch::text_of(*outcome) : to_string(outcome.error());
  }
};

TEST_F(UnwrittenPrograms, ABufferThatTheHostHasNotFilledIsFound) {
  EXPECT_EQ(run(true, false), "");
  const std::string text = run(false, false);
  EXPECT_NE(text.find(":7: UnpredictableValue: core (0, 0): brisc: asks for a read of 1024 bytes"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "where nothing of buffer 'from' (buffers[0]) was ever written; so does another core; let "
          "the host or a kernel write there first [programs 8]"),
      std::string::npos)
      << text;
  EXPECT_EQ(run(false, false, false), "") << "nobody tells what cores write";
}

// Core (0, 1) runs no kernel.
TEST_F(UnwrittenPrograms, L1OfAnotherCoreThatNobodyHasFilledIsFound) {
  const std::string text = run(true, true);
  EXPECT_NE(text.find(":10: UnpredictableValue: core (0, 0): brisc: asks for a read of 1024 bytes "
                      "from"),
            std::string::npos)
      << text;
}

} // namespace
} // namespace lanewise::grid
