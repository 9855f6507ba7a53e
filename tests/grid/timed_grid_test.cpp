// Programs in time: kernels of our own as RV32 programs of the cores that move data, beside the
// NoC.
#include "run/grid/timed_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/source_line.h"
#include "chip/isa/noc_record.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/tile.h"
#include "run/launch/images.h"
#include "sfpi/kernel_files.h"
#include "source/sfpi/core_toolchain.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::grid {
namespace {

using programs::BufferMemory;
using programs::Processor;

constexpr std::uint32_t kPage = 2048;
constexpr unsigned kPages = 6, kSlots = 2;

/// Registers of the NIU of NoC `noc` and counters of circular buffers, by pointers, as tt-metal's
/// own headers reach them; then the body of kernel.
std::string kernel_text(Arch arch, unsigned noc, const std::string& body) {
  const NocRecord& record = *noc_record(arch);
  return fmt::format(R"(
#include "lanewise_core.h"
#include "lanewise_launch.h"
extern "C" lanewise_launch lanewise_launch_data;
__attribute__((section("lanewise_shared"), used)) lanewise_launch lanewise_launch_data{{}};
using u32 = std::uint32_t;
inline volatile u32& word(std::uintptr_t address) {{ return *reinterpret_cast<volatile u32*>(address); }}
inline u32 argument(u32 i) {{ return word(lanewise_launch_data.runtime_args + 4 * i); }}
inline volatile u32& niu(u32 buffer, u32 offset) {{ return word(0xFFB20000 + {0} * 0x10000 + (buffer << {1}) + offset); }}
inline void place(u32 buffer, bool returns, u32 bank) {{
  const auto& launch = lanewise_launch_data;
  const u32 xy = bank == ~0u ? launch.y << 6 | launch.x : launch.dram_place[{0}][bank];
  niu(buffer, returns ? {3} : {2}) = xy << {4};
}}
inline void read(u32 bank, u32 from, u32 to, u32 bytes) {{
  place(1, false, bank); niu(1, 0) = from + lanewise_launch_data.dram_offset[bank];
  place(1, true, ~0u); niu(1, 0xC) = to;
  niu(1, 0x1C) = 1 << 4; niu(1, 0x20) = bytes; niu(1, {5}) = 1;
}}
inline void write(u32 bank, u32 from, u32 to, u32 bytes) {{
  place(0, false, ~0u); niu(0, 0) = from;
  place(0, true, bank); niu(0, 0xC) = to + lanewise_launch_data.dram_offset[bank];
  niu(0, 0x1C) = 1 << 1 | 1 << 4; niu(0, 0x20) = bytes; niu(0, {5}) = 1;
}}
inline u32 status(u32 number) {{ return word(0xFFB20000 + {0} * 0x10000 + 0x200 + 4 * number); }}
inline volatile u32& received(u32 cb) {{ return word(0xFFB40000 + cb * 0x1000 + 4 * {6}); }}
inline volatile u32& acked(u32 cb) {{ return word(0xFFB40000 + cb * 0x1000 + 4 * {7}); }}
extern "C" void lanewise_entry() {{
{8}
}}
extern "C" {{
void lanewise_start() {{ lanewise_entry(); }}
__attribute__((section(".init"), naked, used)) void _start() {{
  asm volatile(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nla sp, __stack_top\ncall lanewise_start\n1: j 1b");
}}
}}
)",
                     noc, record.buffer_bits, record.target_place, record.return_place,
                     record.place_bit, record.send, record.received, record.acked, body) +
         std::string(sfpi::kCoreMemoryFunctions);
}

/// A page at a time from bank 0 into the circular buffer, with a barrier for each.
std::string reader() {
  return fmt::format(R"(
  const u32 cb = lanewise_launch_data.circular_buffer[0][0];
  for (u32 page = 0; page < {0}; ++page) {{
    while (received(0) - acked(0) == {1}) {{}}
    const u32 before = status(2);
    read(0, argument(0) + page * {2}, cb + page % {1} * {2}, {2});
    while (status(2) == before) {{}}
    received(0) = received(0) + 1;
  }})",
                     kPages, kSlots, kPage);
}
std::string writer() {
  return fmt::format(R"(
  const u32 cb = lanewise_launch_data.circular_buffer[0][0];
  for (u32 page = 0; page < {0}; ++page) {{
    while (received(0) == acked(0)) {{}}
    const u32 before = status(1);
    write(1, cb + page % {1} * {2}, argument(0) + page * {2}, {2});
    while (status(1) == before) {{}}
    acked(0) = acked(0) + 1;
  }})",
                     kPages, kSlots, kPage);
}

class TimedLaunches : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!sfpi::find_core_compiler()) GTEST_SKIP() << "there is no compiler for RV32";
    program.arch = GetParam();
    // A page that holds all pages of the program lies in one bank.
    const std::uint64_t banks = noc_record(program.arch)->banks.size();
    for (const char* name : {"from", "to"}) {
      programs::Buffer buffer;
      buffer.name = name;
      buffer.bytes = kPage * kPages * banks;
      buffer.page_bytes = kPage * kPages;
      program.buffers.push_back(std::move(buffer));
    }
    std::vector<std::uint8_t>& contents = program.buffers[0].contents;
    contents.resize(program.buffers[0].bytes);
    for (std::size_t i = 0; i < contents.size(); ++i)
      contents[i] = static_cast<std::uint8_t>(i * 7 + i / kPage);
    programs::CircularBuffer ring;
    ring.bytes = kSlots * kPage;
    ring.indices = {
        {.index = 0, .format = programs::DataFormat::Float16_b, .page_bytes = kPage, .tile = {}}};
    program.circular_buffers.push_back(std::move(ring));
    for (const auto& [processor, noc, buffer] :
         {std::tuple(Processor::Riscv0, 0U, "from"), std::tuple(Processor::Riscv1, 1U, "to")}) {
      programs::Kernel kernel;
      kernel.text = "x";
      kernel.processor = processor;
      kernel.noc = noc;
      kernel.runtime_args = {programs::AddressOf{buffer}};
      program.kernels.push_back(std::move(kernel));
    }
    // Bank 0 of "from" goes to bank 1 of "to".
    host.buffers = {contents, std::vector<std::uint8_t>(contents.size())};
    std::copy_n(contents.begin(), kPage * kPages, host.buffers[1].begin() + kPage * kPages);
  }

  /// The program of a core, as compile_for_cores() links it.
  void compile(unsigned core, const std::string& text) {
    const auto toolchain = sfpi::find_core_toolchain();
    ASSERT_TRUE(toolchain) << toolchain.error().message;
    const sfpi::CoreMemory memory{.code = 0x2000000 + core * 0x100000,
                                  .code_bytes = 0x100000,
                                  .shared = 0x4000 + core * 0x800};
    const std::string script = folder.write(fmt::format("core{}.ld", core),
                                            sfpi::core_linker_script(program.arch, memory));
    std::vector<std::string> flags = sfpi::core_compile_flags(program.arch);
    flags.insert(flags.end(), {"-O2", "-std=c++17", "-I" + toolchain->headers.string(),
                               "-I" + (toolchain->headers / "section").string(), "-include",
                               "cstdint", "-include", "cstddef"});
    for (std::string& flag : toolchain->folder_flags()) flags.push_back(std::move(flag));
    const auto object = sfpi::compile_object({.name = "kernel.cpp",
                                              .arch = program.arch,
                                              .text = "#line 1 \"kernel.cpp\"\n" + text,
                                              .flags = std::move(flags),
                                              .link_flags = toolchain->link_flags(script),
                                              .version = {},
                                              .limits = kKernelLimits,
                                              .for_core = true});
    ASSERT_TRUE(object) << object.error().message;
    objects.object[core] = *object;
    objects.source[core] = "kernel.cpp";
  }

  /// The only core of it.
  Expected<CoreInTime> launch(bool keeps_timeline = true) {
    return launch({.keeps_timeline = keeps_timeline});
  }
  Expected<CoreInTime> launch(const TimedSettings& how) {
    Prepared prepared{
        .program = &program, .cores = programs::lay_out_on_cores(program).value(), .groups = {}};
    host.stretches.resize(1);
    auto timed = launch_in_time(prepared, {objects}, host, how);
    if (!timed) return Unexpected(timed.error());
    EXPECT_EQ(timed->cores.size(), 1U);
    return std::move(timed->cores.front());
  }

  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", sfpi::test_cache()};
  programs::Program program;
  programs::ProgramObjects objects;
  launch::LaunchOutcome host; ///< what it should leave
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, TimedLaunches, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

TEST_P(TimedLaunches, PagesComeAndGoInTheTimeThatNocAndCoresNeed) {
  compile(tile::kBrisc, kernel_text(program.arch, 0, reader()));
  compile(tile::kNcrisc, kernel_text(program.arch, 1, writer()));
  const auto got = launch();
  ASSERT_TRUE(got) << got.error().message;
  const NocRecord& record = *noc_record(program.arch);
  // A barrier for each page: the reader waits six times for the whole latency, and the last page
  // has to be written, too.
  const double read = record.dram_read_latency + 10.0 * kPage / record.bank_read;
  const double write = record.dram_write_latency + 10.0 * kPage / record.bank_write;
  EXPECT_GE(static_cast<double>(got->time.cycles), kPages * read + write);
  // Beside that, tens of instructions for each.
  EXPECT_LE(static_cast<double>(got->time.cycles), kPages * (read + 150) + write + 150);
  EXPECT_EQ(got->traffic[0].reads, kPages);
  EXPECT_EQ(got->traffic[1].writes, kPages);
  EXPECT_EQ(got->traffic[0].bytes_in, kPages * kPage);
  ASSERT_EQ(got->spans.size(), 2 * kPages);
  for (const noc::NocSpan& span : got->spans) {
    EXPECT_LE(span.asked, span.left);
    EXPECT_LT(span.left, span.landed);
    EXPECT_EQ(span.core, span.noc == 0 ? tile::kBrisc : tile::kNcrisc);
  }
  // What the reader waits for most are answers of its NoC, at a line of its own.
  const auto of_reader = [](const clock::CoreWait& wait) {
    return wait.core == tile::kBrisc ? wait.cycles : 0;
  };
  const auto most = std::ranges::max_element(got->time.core_waits, {}, of_reader);
  ASSERT_NE(most, got->time.core_waits.end());
  EXPECT_EQ(riscv::find_region(program.arch, most->address.value_or(0)).region,
            riscv::Region::Noc0);
  EXPECT_TRUE(source_place(most->line).file.ends_with("kernel.cpp"));
  // Both cores mostly look again and again whether something has come.
  for (const unsigned core : {tile::kBrisc, tile::kNcrisc}) {
    EXPECT_GT(got->time.core[core].waited, 3 * got->time.core[core].own) << core;
    EXPECT_GT(got->time.core[core].own, 0U);
  }
}

TEST_P(TimedLaunches, TheLevelsOfCircularBuffersAreThoseOfTheirCounters) {
  compile(tile::kBrisc, kernel_text(program.arch, 0, reader()));
  compile(tile::kNcrisc, kernel_text(program.arch, 1, writer()));
  const auto got = launch(false);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_TRUE(got->spans.empty()) << "no timeline was asked for";
  ASSERT_EQ(got->levels.size(), 2 * kPages);
  std::uint32_t before = 0;
  std::uint64_t cycle = 0;
  for (const CbLevel& level : got->levels) {
    EXPECT_EQ(level.index, 0U);
    EXPECT_EQ(level.capacity, kSlots);
    EXPECT_EQ(std::max(level.pages, before) - std::min(level.pages, before), 1U);
    EXPECT_GE(level.cycle, cycle);
    cycle = level.cycle;
    before = level.pages;
  }
  EXPECT_EQ(before, 0U);
}

TEST_P(TimedLaunches, OtherResultsThanOnTheHostAreNotTimed) {
  compile(tile::kBrisc, kernel_text(program.arch, 0, reader()));
  compile(tile::kNcrisc, kernel_text(program.arch, 1, writer()));
  host.buffers[1][kPage * kPages + 5] ^= 1;
  const auto got = launch();
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, FaultKind::Unsupported);
  EXPECT_NE(
      got.error().message.find("buffer to differs from byte " + std::to_string(kPage * kPages + 5)),
      std::string::npos)
      << got.error().message;
}

TEST_P(TimedLaunches, ADeadlockIsToldByItsCore) {
  compile(tile::kNcrisc, kernel_text(program.arch, 1, writer()));
  const auto got = launch();
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("ncrisc waits for"), std::string::npos) << got.error().message;
}

TEST_P(TimedLaunches, MemoriesMayHoldWhatAnotherProgramHasLeft) {
  compile(tile::kBrisc, kernel_text(program.arch, 0, reader()));
  compile(tile::kNcrisc, kernel_text(program.arch, 1, writer()));
  const programs::Layout layout = programs::lay_out(program).value();
  auto memory = launch::DeviceMemory::make(program.arch, layout.dram_bytes);
  ASSERT_TRUE(memory);
  ASSERT_TRUE(memory->add(program.core));
  launch::fill_buffers(program, layout, memory->l1_of_cores(), memory->dram());
  const launch::MemoryImage before = memory->image(layout.dram_bytes);
  program.buffers[0].contents.clear();
  const auto got = launch({.before = &before});
  EXPECT_TRUE(got) << got.error().message;
}

} // namespace
} // namespace lanewise::grid
