// Zones of LLK's profiler: entries of its buffer, texts of its markers, and what a section notes.
#include "run/section/zones.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "project.h"
#include "run/section/run_sections.h"
#include "sfpi/kernel_files.h"

namespace lanewise::section {
namespace {

using Kind = ZoneEvent::Kind;

/// Where profiler.h lies.
const std::string kProfiler = in_project("tests/section/kernels");

class Zones : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
  }
  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, Zones, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

// The math section executes two instructions before its zone, three within it and one behind it.
TEST_P(Zones, HaveTheInstructionsOfTheirThreadAndNoCycle) {
  TestSource source;
  source.arch = GetParam();
  source.defines = {"LLK_PROFILER"};
  source.includes = {kProfiler};
  source.file = folder.write(
      "test.cpp",
      "#include <cstdint>\n#include \"build.h\"\n#include \"ckernel_ops.h\"\n#include "
      "\"tensix.h\"\n"
      "#include \"profiler.h\"\n"
      "inline void sync() {\n"
      "  volatile std::uint32_t* all = reinterpret_cast<volatile std::uint32_t*>(0xFFE80004);\n"
      "  *all = 0; (void)*all;\n}\n"
      "void run_kernel(RUNTIME_PARAMETERS) {\n#if defined(LLK_TRISC_MATH)\n"
      "TTI_NOP; TTI_NOP; sync();\n{ ZONE_SCOPED(\"BODY\") TTI_NOP; TTI_NOP; TTI_NOP; sync(); }\n"
      "TTI_NOP;\n#endif\n}\n");
  const auto objects = compile_sections(source);
  ASSERT_TRUE(objects.has_value()) << to_string(objects.error());
  const auto markers = read_markers((*objects)[1]);
  ASSERT_TRUE(markers.has_value()) << to_string(markers.error());
  ASSERT_EQ(markers->size(), 2U); // BODY, and KERNEL around all

  const auto outcome = run_sections(source, *objects, {});
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  ASSERT_TRUE(outcome->is_done());
  struct Wanted {
    unsigned thread;
    Kind kind;
    const char* marker;
    std::uint64_t executed;
  };
  const std::vector<Wanted> wanted{{0, Kind::Start, "KERNEL", 0}, {0, Kind::End, "KERNEL", 0},
                                   {1, Kind::Start, "KERNEL", 0}, {1, Kind::Start, "BODY", 2},
                                   {1, Kind::End, "BODY", 5},     {1, Kind::End, "KERNEL", 6},
                                   {2, Kind::Start, "KERNEL", 0}, {2, Kind::End, "KERNEL", 0}};
  ASSERT_EQ(outcome->zones.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(outcome->zones[i].thread, wanted[i].thread);
    EXPECT_EQ(outcome->zones[i].kind, wanted[i].kind);
    EXPECT_EQ(outcome->zones[i].executed, wanted[i].executed);
    EXPECT_FALSE(outcome->zones[i].cycle.has_value());
    const auto number = marker_number("LLK_PROFILER:a_file.cpp:7:" + std::string(wanted[i].marker));
    EXPECT_EQ(outcome->zones[i].marker, number);
  }
  // In L1 each time is one that nobody can take for a cycle.
  for (std::uint32_t entry = 0; entry < 4; ++entry) {
    std::uint32_t words[2] = {};
    std::memcpy(words, outcome->l1.data() + 0x40040 + 8 * entry, sizeof words);
    EXPECT_EQ(words[0] & 0xFFF, 0xFFFU);
    EXPECT_EQ(words[1], 0xFFFFFFFFU);
  }
}

TEST_P(Zones, AreNotThereWithoutTheProfiler) {
  TestSource source;
  source.arch = GetParam();
  source.file = folder.write("test.cpp",
                             "#include <cstdint>\n#include \"build.h\"\n"
                             "void run_kernel(RUNTIME_PARAMETERS) {}\n");
  const auto objects = compile_sections(source);
  ASSERT_TRUE(objects.has_value()) << to_string(objects.error());
  const auto markers = read_markers((*objects)[0]);
  ASSERT_TRUE(markers.has_value());
  EXPECT_TRUE(markers->empty());
  const auto outcome = run_sections(source, *objects, {});
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error());
  EXPECT_TRUE(outcome->zones.empty());
}

/// L1 with a buffer of `words` at address 8.
std::vector<std::uint8_t> memory_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> l1(8 + 4 * words.size());
  std::memcpy(l1.data() + 8, words.data(), 4 * words.size());
  return l1;
}

std::vector<std::uint32_t> words_of(const std::vector<std::uint8_t>& l1) {
  std::vector<std::uint32_t> words((l1.size() - 8) / 4);
  std::memcpy(words.data(), l1.data() + 8, 4 * words.size());
  return words;
}

// Two cores, and times on both sides of 32 bits.
const std::vector<tile::ClockReading> kReadings{
    {.core = 1, .value = 5, .executed = {10, 20, 30}},
    {.core = 0, .value = 6, .executed = {11, 21, 31}},
    {.core = 1, .value = 0x100000005, .executed = {12, 22, 32}}};

std::optional<std::uint64_t> tenfold(const tile::ClockReading& reading) {
  return 10 * reading.value;
}

TEST(ZoneTimes, AreThoseOfTheirCoresReadings) {
  auto l1 = memory_of({0xA1234000, 5, 0xB1234001, 5, 0xA4321000, 6, 0, 0});
  const auto events = take_times(1, {.address = 8, .words = 8}, l1, kReadings, tenfold);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].kind, Kind::Start);
  EXPECT_EQ(events[0].marker, 0x1234);
  EXPECT_EQ(events[0].executed, 20U);
  EXPECT_EQ(events[0].cycle, 50U);
  EXPECT_EQ(events[1].kind, Kind::End);
  EXPECT_EQ(events[1].executed, 22U);
  EXPECT_EQ(events[1].cycle, 0xA00000032U);
  EXPECT_FALSE(events[2].cycle.has_value()) << "another core has read it";
  EXPECT_EQ(words_of(l1), (std::vector<std::uint32_t>{0xA1234000, 50, 0xB123400A, 0x32, 0xA4321FFF,
                                                      0xFFFFFFFF, 0, 0}));
}

TEST(ZoneTimes, DataOfATimestampIsKept) {
  auto l1 = memory_of({0x90001000, 5, 0xBADC0FF, 0xE0DDF00D, 0x80002001, 5});
  const auto events = take_times(1, {.address = 8, .words = 6}, l1, kReadings, tenfold);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, Kind::TimestampWithData);
  EXPECT_EQ(events[0].data, 0xBADC0FFE0DDF00D);
  EXPECT_EQ(events[1].kind, Kind::Timestamp);
  EXPECT_EQ(events[1].cycle, 0xA00000032U);
}

TEST(ZoneTimes, NothingBeyondTheBufferIsTouched) {
  const std::vector<std::uint32_t> words{0xA1234000, 5, 0x90001000, 5, 0xB1234001, 5};
  auto l1 = memory_of(words);
  EXPECT_EQ(take_times(1, {.address = 8, .words = 3}, l1, kReadings, tenfold).size(), 1U);
  EXPECT_EQ(words_of(l1)[2], words[2]);
  const auto cut = take_times(1, {.address = 8, .words = 4}, l1, kReadings, tenfold);
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_FALSE(cut[1].data.has_value()) << "it would lie behind the buffer";
  EXPECT_EQ(words_of(l1)[4], words[4]);
  // A buffer that reaches over the end of L1, and one that lies behind it.
  EXPECT_EQ(take_times(1, {.address = 24, .words = 100}, l1, kReadings, tenfold).size(), 1U);
  EXPECT_TRUE(take_times(1, {.address = 4000, .words = 8}, l1, kReadings, tenfold).empty());
}

// FNV-1a of 32 bits for "", "a" and "foobar" is 811C9DC5, E40C292C and BF9CF968 by its authors'
// tests.
section::ZoneEvent event_at(section::ZoneEvent::Kind kind, std::uint16_t marker,
                            std::optional<std::uint64_t> cycle, unsigned thread = 1) {
  return {.thread = thread, .kind = kind, .marker = marker, .cycle = cycle};
}

TEST(NamedZones, PairWhatBeginsLastWithWhatEndsFirst) {
  const std::vector<section::Marker> markers{
      {.text = "", .file = "", .name = "OUTER", .number = 1},
      {.text = "", .file = "", .name = "INNER", .number = 2}};
  const std::vector<section::ZoneEvent> events{
      event_at(Kind::Start, 1, 10),    event_at(Kind::Start, 2, 20),
      event_at(Kind::End, 2, 25),      event_at(Kind::Timestamp, 2, 27),
      event_at(Kind::Start, 2, 30),    event_at(Kind::Start, 1, 31),
      event_at(Kind::End, 1, 32),      event_at(Kind::End, 1, 40),
      event_at(Kind::End, 3, 50),      event_at(Kind::Start, 1, 60, 2),
      event_at(Kind::Timestamp, 9, 70)};
  std::vector<std::string> found;
  for (const section::Zone& zone : section::zones_of(1, events, markers))
    found.push_back(fmt::format("{} {} {}-{}", zone.name, static_cast<unsigned>(zone.kind),
                                zone.begin, zone.end));
  EXPECT_EQ(found,
            (std::vector<std::string>{"OUTER 0 10-40", "INNER 0 20-25", "INNER 2 27-27",
                                      "INNER 1 30-30", "OUTER 0 31-32", "marker 0x0009 2 70-70"}));
}

TEST(NamedZones, NeedCycles) {
  EXPECT_TRUE(section::zones_of(1,
                                std::vector{event_at(section::ZoneEvent::Kind::Start, 1, {}),
                                            event_at(section::ZoneEvent::Kind::End, 1, {})},
                                {})
                  .empty());
}

TEST(Markers, HaveTheNumberOfTheirText) {
  EXPECT_EQ(marker_number(""), 0x811C ^ 0x9DC5);
  EXPECT_EQ(marker_number("a"), 0xE40C ^ 0x292C);
  EXPECT_EQ(marker_number("foobar"), 0xBF9C ^ 0xF968);
}

TEST(Markers, NeedAnObject) {
  const sfpi::TemporaryFolder folder;
  EXPECT_FALSE(read_markers(folder.path() / "missing.so").has_value());
  EXPECT_FALSE(read_markers(folder.write("no_object.so", "text")).has_value());
}

} // namespace
} // namespace lanewise::section
