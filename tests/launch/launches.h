// Programs with kernels of our own that need no checkout, for tests of what runs them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "chip/isa/noc_record.h"
#include "chip/tile/tile.h"
#include "run/launch/launch.h"
#include "run/section/core_calls.h"
#include "sfpi/kernel_files.h"
#include "source/programs/replacements.h"
#include "source/sfpi/core_code.h"
#include "source/sfpi/headers.h"
#include "source/sfpi/host_compiler.h"

namespace lanewise::launch {

using programs::BufferMemory;
using programs::Processor;
using programs::Program;

/// What every kernel here begins with: registers of the NIU of NoC `noc`, as those of tt-metal have
/// them, and the words of L1.
inline std::string prelude(Arch arch, unsigned noc, bool tells_accesses) {
  const NocRecord& record = *noc_record(arch);
  return fmt::format(R"(
#include "lanewise_section.h"
#include "lanewise_calls.h"
{8}
#include "lanewise_launch.h"
#include <cstring>
extern "C" lanewise_launch lanewise_launch_data;
lanewise_launch lanewise_launch_data;
using u32 = std::uint32_t;
inline volatile u32& word(std::uintptr_t address) {{ return *reinterpret_cast<volatile u32*>(address); }}
inline u32 argument(u32 i) {{ return word(lanewise_launch_data.runtime_args + 4 * i); }}
inline lanewise_register niu(u32 buffer, u32 offset) {{
  return lanewise_register(0xFFB20000 + {0} * 0x10000 + (buffer << {1}) + offset);
}}
inline void place(u32 buffer, bool returns, u32 bank) {{
  const auto& launch = lanewise_launch_data;
  const u32 xy = bank == ~0u ? launch.y << 6 | launch.x : launch.dram_place[{0}][bank];
  *niu(buffer, returns ? {3} : {2}) = xy << {4};
}}
inline void read(u32 bank, u32 from, u32 to, u32 bytes) {{
  place(1, false, bank); *niu(1, 0) = from + lanewise_launch_data.dram_offset[bank];
  place(1, true, ~0u); *niu(1, 0xC) = to;
  *niu(1, 0x1C) = 1 << 4; *niu(1, 0x20) = bytes; *niu(1, {5}) = 1;
}}
inline void write(u32 bank, u32 from, u32 to, u32 bytes) {{
  place(0, false, ~0u); *niu(0, 0) = from;
  place(0, true, bank); *niu(0, 0xC) = to + lanewise_launch_data.dram_offset[bank];
  *niu(0, 0x1C) = 1 << 1 | 1 << 4; *niu(0, 0x20) = bytes; *niu(0, {5}) = 1;
}}
inline u32 status(u32 number) {{ return *lanewise_register(0xFFB20000 + {0} * 0x10000 + 0x200 + 4 * number); }}
inline volatile u32& received(u32 cb) {{ return word(0xFFB40000 + cb * 0x1000 + 4 * {6}); }}
inline volatile u32& acked(u32 cb) {{ return word(0xFFB40000 + cb * 0x1000 + 4 * {7}); }}
inline void push(u32 cb, u32 pages) {{ lanewise_pushes(cb, pages); received(cb) += pages; }}
inline void pop(u32 cb, u32 pages) {{ lanewise_pops(cb, pages); acked(cb) += pages; }}
extern "C" void lanewise_entry() {{
)",
                     noc, record.buffer_bits, record.target_place, record.return_place,
                     record.place_bit, record.send, record.received, record.acked,
                     tells_accesses ? "#include \"lanewise_accesses.h\"" : "");
}

class Launches : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
#ifdef LANEWISE_SANITIZED
    GTEST_SKIP() << "the address sanitizer keeps its own memory where a core has registers";
#endif
    program.arch = GetParam();
  }

  void add_buffer(const std::string& name, std::uint64_t pages,
                  std::vector<std::uint8_t> contents = {}) {
    programs::Buffer buffer;
    buffer.name = name;
    buffer.page_bytes = 64;
    buffer.bytes = 64 * pages;
    buffer.contents = std::move(contents);
    program.buffers.push_back(std::move(buffer));
  }

  /// A kernel whose body is compiled as it stands; its first line is line 1.
  void add_kernel(Processor processor, const std::string& body,
                  std::vector<programs::Argument> arguments = {}) {
    programs::Kernel kernel;
    kernel.origin = std::string(programs::processor_name(processor));
    kernel.processor = processor;
    kernel.noc = processor == Processor::Riscv1 ? 1 : 0;
    kernel.text = body;
    kernel.runtime_args = std::move(arguments);
    program.kernels.push_back(std::move(kernel));
  }

  std::filesystem::path compile(const std::string& body, unsigned noc, const std::string& name) {
    const auto headers = sfpi::sfpi_include_folder();
    EXPECT_TRUE(headers.has_value());
    std::vector<std::string> flags = sfpi::core_code_flags();
    for (const std::string& flag :
         {std::string("-std=c++17"), std::string("-w"), std::string("-fpermissive"),
          "-I" + (*headers / "section").string(), "-I" + headers->string()})
      flags.push_back(flag);
    sfpi::ObjectRequest request{.name = name,
                                .arch = GetParam(),
                                .text = prelude(GetParam(), noc, tells_accesses) + "\n#line 1 \"" +
                                        name + "\"\n" + body + "\n}\n",
                                .flags = flags,
                                .link_flags = sfpi::core_code_link_flags(),
                                .replacements = replacements,
                                .version = {},
                                .limits = kKernelLimits};
    if (tells_accesses) sfpi::tell_accesses(request);
    auto object = sfpi::compile_object(request);
    EXPECT_TRUE(object.has_value()) << (object ? "" : to_string(object.error()));
    return object ? *object : std::filesystem::path();
  }

  /// On a device that nothing has run on, or on one that has this memory.
  LaunchOutcome run(const LaunchSettings& how = {}, DeviceMemory* memory = nullptr) {
    const auto layout = programs::lay_out(program);
    EXPECT_TRUE(layout.has_value()) << (layout ? "" : to_string(layout.error()));
    programs::ProgramObjects objects;
    for (const programs::Kernel& kernel : program.kernels) {
      const unsigned core = kernel.processor == Processor::Riscv0   ? tile::kBrisc
                            : kernel.processor == Processor::Riscv1 ? tile::kNcrisc
                                                                    : 0;
      objects.source[core] = folder.path().string() + "/" + kernel.origin + ".cpp";
      objects.object[core] = compile(kernel.text, kernel.noc, objects.source[core]);
    }
    objects.tells_accesses = tells_accesses;
    auto outcome = memory == nullptr ? launch_program(program, *layout, objects, how)
                                     : launch_program(program, *layout, objects, how, *memory);
    EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : to_string(outcome.error()));
    return outcome ? std::move(*outcome) : LaunchOutcome();
  }

  static std::string text_of(const LaunchOutcome& outcome) {
    std::string text;
    for (const Fault& fault : outcome.faults) text += to_string(fault) + "\n";
    if (outcome.failure) text += to_string(*outcome.failure) + "\n";
    for (const std::string& each : outcome.blocked) text += each + "\n";
    return text;
  }

  programs::Replacements replacements; ///< in the text of every kernel
  bool tells_accesses = false;         ///< whether kernels tell what they do to memory
  sfpi::TemporaryFolder folder;
  sfpi::Environment cache{"LANEWISE_CACHE", std::getenv("LANEWISE_TEST_CACHE") != nullptr
                                                ? std::getenv("LANEWISE_TEST_CACHE")
                                                : folder.path().string() + "/cache"};
  Program program;
};
inline std::vector<std::uint8_t> counting(std::size_t bytes) {
  std::vector<std::uint8_t> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::uint8_t>(i * 7 + i / 64);
  return all;
}

} // namespace lanewise::launch
