// Inlined calls: the chain of each word is the one that addr2line finds.
#include <algorithm>
#include <sstream>

#include "binary/elf/call.h"
#include "binary/elf/code.h"
#include "binary/elf/inlined_calls.h"
#include "elf/elf_fixture.h"

namespace lanewise::elf {
namespace {

/// "push inlined.c:5", the innermost first, the function that stands in the code last.
using Frames = std::vector<std::string>;

std::string line_text(const Image& image, std::uint32_t file, std::uint32_t line) {
  const std::string& path = image.files[file];
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), line);
}

Frames frames_at(const Image& image, const Symbol& function, std::uint32_t address) {
  Frames frames;
  const LineRange* const range = line_at(image, address);
  std::string line = range == nullptr ? "?" : line_text(image, range->file, range->line);
  for (const InlinedCall* call : inlined_calls_at(image, address)) {
    frames.push_back(call->function + " " + line);
    line = line_text(image, call->file, call->line);
  }
  frames.push_back(function.name + " " + line);
  return frames;
}

/// What addr2line prints for one address: lines of functions and of their places.
Frames frames_of_addr2line(const testing::Folder& folder, std::uint32_t address) {
  EXPECT_TRUE(folder.run(fmt::format(
      "riscv64-unknown-elf-addr2line -s -f -i -e program.elf {:#x} | sed 's/ (disc.*//'",
      address)));
  std::istringstream lines(folder.read("log"));
  Frames frames;
  std::string function, place;
  while (std::getline(lines, function) && std::getline(lines, place))
    frames.push_back(fmt::format("{} {}", function, place));
  return frames;
}

class InlinedCalls : public ::testing::TestWithParam<const char*> {};

TEST_P(InlinedCalls, AreThoseOfAddr2line) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const std::string bytes = compiled(source_file("inlined.c"), GetParam());
  const testing::Folder folder;
  folder.write("program.elf", bytes);
  const Image image = image_of(bytes);
  std::size_t deepest = 0;
  for (const Symbol& function : image.functions) {
    for (std::uint32_t offset = 0; offset < function.size; offset += 4) {
      const Frames frames = frames_at(image, function, function.address + offset);
      EXPECT_EQ(frames, frames_of_addr2line(folder, function.address + offset));
      deepest = std::max(deepest, frames.size());
    }
  }
  EXPECT_EQ(deepest, 3U) << "push in push_twice in nested";
}

INSTANTIATE_TEST_SUITE_P(Optimised, InlinedCalls,
                         ::testing::Values("-O1", "-O2 -gdwarf-5", "-O2 -gdwarf-4"));

/// Three pushes: two of push_twice, and one.
TEST(InlinedCallsOfOneFunction, AreNamed) {
  SKIP_WITHOUT_RISCV_TOOLS();
  const Image image = image_of(compiled(source_file("inlined.c")));
  const auto function = find_function(image, "nested");
  ASSERT_TRUE(function);
  std::vector<std::vector<std::string>> names;
  for (const CodeWord& word : code_of(image, *function, Arch::Blackhole).words) {
    if (!word.stores_to_fifo) continue;
    std::vector<std::string>& of_store = names.emplace_back();
    for (const InlinedCall* call : inlined_calls_at(image, word.address))
      of_store.push_back(call->function);
  }
  const std::vector<std::string> twice{"push", "push_twice"}, once{"push"};
  EXPECT_EQ(names, (std::vector{twice, twice, once}));
  EXPECT_TRUE(inlined_calls_at(image, find_function(image, "direct")->address).empty());
}

// ---------------------------------------------------------------- Ranges of broken files

Image image_with(std::vector<InlinedCall> calls) {
  Image image{.name = "test", .inlined = std::move(calls)};
  nest_inlined_calls(image);
  return image;
}

std::vector<std::string> names_at(const Image& image, std::uint32_t address) {
  std::vector<std::string> names;
  for (const InlinedCall* call : inlined_calls_at(image, address)) names.push_back(call->function);
  return names;
}

InlinedCall call_in(std::uint32_t first, std::uint32_t end, const char* name, std::uint32_t depth) {
  return {.first = first, .end = end, .function = name, .depth = depth};
}

using Names = std::vector<std::string>;

TEST(InlinedRanges, NestWhateverTheirOrder) {
  const Image image = image_with({call_in(8, 12, "inner", 2), call_in(4, 20, "outer", 1),
                                  call_in(16, 20, "last", 2), call_in(24, 28, "other", 1)});
  EXPECT_EQ(names_at(image, 4), Names{"outer"});
  EXPECT_EQ(names_at(image, 8), (Names{"inner", "outer"}));
  EXPECT_EQ(names_at(image, 12), Names{"outer"});
  EXPECT_EQ(names_at(image, 16), (Names{"last", "outer"}));
  EXPECT_EQ(names_at(image, 20), Names{});
  EXPECT_EQ(names_at(image, 24), Names{"other"});
  EXPECT_EQ(names_at(image, 0), Names{});
}

TEST(InlinedRanges, OfEqualCodeNestAsDwarfHasThem) {
  const Image image = image_with({call_in(4, 8, "inner", 2), call_in(4, 8, "outer", 1)});
  EXPECT_EQ(names_at(image, 4), (Names{"inner", "outer"}));
}

TEST(InlinedRanges, ThatOverlapOtherwiseAreLeftOut) {
  const Image image = image_with({call_in(4, 12, "first", 1), call_in(8, 16, "second", 1)});
  EXPECT_EQ(names_at(image, 8), Names{"first"});
  EXPECT_EQ(names_at(image, 12), Names{});
}

} // namespace
} // namespace lanewise::elf
