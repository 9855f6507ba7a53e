// From a kernel's file to its recording, through g++.
#include "source/sfpi/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "base/cache.h"
#include "base/source_line.h"
#include "sfpi/kernel_files.h"
#include "source/sfpi/chip_kernels.h"

namespace lanewise::sfpi {
namespace {

using compiler::Kind;
using compiler::Recording;

/// Lines of the nodes of a kind, in order.
std::vector<std::uint32_t> lines_of(const Recording& recording, Kind kind) {
  std::vector<std::uint32_t> lines;
  for (const compiler::Node& node : recording.nodes) {
    if (node.kind == kind) lines.push_back(recording.sites[node.site].line);
  }
  return lines;
}

using Lines = std::vector<std::uint32_t>;

TEST_F(KernelTest, RecordsWhatTheKernelDoes) {
  const auto recording = record_text(R"(#include "sfpi.h"
using namespace sfpi;
void kernel() {
  for (int i = 0; i < 3; ++i) {
    vFloat x = dst_reg[i];
    dst_reg[i] = x * x + 1.5f;
  }
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(recording->name, source_.file);
  EXPECT_EQ(lines_of(*recording, Kind::FloatMul), (Lines{6, 6, 6}));
  EXPECT_EQ(lines_of(*recording, Kind::FloatAdd), (Lines{6, 6, 6}));
  EXPECT_EQ(recording->contexts.size(), 1U);
}

TEST_F(KernelTest, LinesAreThoseOfOperatorsMacrosAndPredicates) {
  const auto recording = record_text(R"(#include "sfpi.h"
using namespace sfpi;
#define SQUARE(x) ((x) * \
                   (x))
void kernel() {
  vFloat x = dst_reg[0];
  vFloat y = SQUARE(x);
  v_if (x < y) {
    y = y +
        x;
  }
  v_else {
    y = 2.0f;
  }
  v_endif;
  dst_reg[0] = y;
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(lines_of(*recording, Kind::FloatMul), (Lines{7}));
  EXPECT_EQ(lines_of(*recording, Kind::Compare), (Lines{8}));
  EXPECT_EQ(lines_of(*recording, Kind::If), (Lines{8}));
  EXPECT_EQ(lines_of(*recording, Kind::FloatAdd), (Lines{9}));
  EXPECT_EQ(lines_of(*recording, Kind::Else), (Lines{12}));
  EXPECT_EQ(lines_of(*recording, Kind::EndIf), (Lines{15}));
  EXPECT_EQ(recording->nodes.back().kind, Kind::Instruction);
  EXPECT_EQ(recording->sites[recording->nodes.back().site].line, 16U);
}

TEST_F(KernelTest, CallsLeadFromHelpersToTheKernel) {
  folder_.write("helper.h", R"(#pragma once
inline sfpi::vFloat twice(sfpi::vFloat x) {
  return x + x;
}
)");
  const auto recording = record_text(R"(#include "sfpi.h"
#include "helper.h"
static sfpi::vFloat four_times(sfpi::vFloat x) {
  return twice(twice(x));
}
void kernel() {
  sfpi::dst_reg[0] = four_times(
      sfpi::dst_reg[0]);
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  for (const std::uint32_t line : lines_of(*recording, Kind::FloatAdd)) {
    const SourcePlace place = source_place(line);
    EXPECT_TRUE(place.file.ends_with("helper.h")) << place.file;
    EXPECT_EQ(place.line, 3U);
  }
  const auto add = std::ranges::find(recording->nodes, Kind::FloatAdd, &compiler::Node::kind);
  const compiler::Site& site = recording->sites[add->site];
  ASSERT_EQ(site.frames.size(), 3U);
  EXPECT_TRUE(site.frames[0].file.ends_with("helper.h"));
  EXPECT_EQ(site.frames[0].line, 3U);
  EXPECT_EQ(site.frames[0].function, "twice(sfpi::vFloat)");
  EXPECT_EQ(site.frames[1].file, source_.file);
  EXPECT_EQ(site.frames[1].line, 4U);
  EXPECT_EQ(site.frames[2].function, "kernel()");
  EXPECT_TRUE(site.frames[2].line == 7 || site.frames[2].line == 8);
}

TEST_F(KernelTest, InlinedCallsHaveFramesToo) {
  folder_.write("helper.h", R"(#pragma once
#define TWICE(x) add_itself(x)
namespace inner {
[[gnu::always_inline]] static inline sfpi::vFloat add_itself(sfpi::vFloat x) {
  return x + x;
}
[[gnu::always_inline]] inline sfpi::vFloat four_times(sfpi::vFloat x) {
  sfpi::vFloat y = TWICE(x);
  { return TWICE(y); }
}
}
)");
  const auto recording = record_text(R"(#include "sfpi.h"
#include "helper.h"
void kernel() {
  sfpi::dst_reg[0] = inner::four_times(sfpi::dst_reg[0]);
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(lines_of(*recording, Kind::FloatAdd).size(), 2U);
  std::vector<std::vector<std::uint32_t>> lines;
  for (const compiler::Node& node : recording->nodes) {
    if (node.kind != Kind::FloatAdd) continue;
    const auto& frames = recording->sites[node.site].frames;
    ASSERT_EQ(frames.size(), 3U);
    lines.push_back({frames[0].line, frames[1].line, frames[2].line});
    EXPECT_TRUE(frames[1].file.ends_with("helper.h")) << frames[1].file;
    EXPECT_EQ(frames[2].file, source_.file);
    EXPECT_TRUE(frames[0].function.starts_with("add_itself")) << frames[0].function;
    EXPECT_EQ(frames[1].function, "inner::four_times(sfpi::vFloat)");
    EXPECT_EQ(frames[2].function, "kernel()");
  }
  EXPECT_EQ(lines, (std::vector<std::vector<std::uint32_t>>{{5, 8, 4}, {5, 9, 4}}));
}

TEST_F(KernelTest, LambdasHaveTheirLines) {
  const auto recording = record_text(R"(#include "sfpi.h"
template <class Work>
void twice(Work work) {
  work();
  work();
}
template <int kSign>
void body() {
  twice([] {
    sfpi::dst_reg[0] = sfpi::dst_reg[0] + sfpi::dst_reg[0];
  });
}
void kernel() {
  body<1>();
  const auto here = [](auto value) {
    return value + value;
  };
  sfpi::dst_reg[0] = here(sfpi::vFloat(sfpi::dst_reg[0]));
}
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(lines_of(*recording, Kind::FloatAdd), (Lines{10, 10, 16}));
}

TEST_F(KernelTest, EachChipHasItsOwnObject) {
  const std::string text = R"(#include "sfpi.h"
void kernel() {
#if defined(ARCH_BLACKHOLE) && !defined(ARCH_WORMHOLE)
  sfpi::dst_reg[0] = 1.0f;
#elif defined(ARCH_WORMHOLE)
  sfpi::dst_reg[0] = 2.0f;
#endif
}
)";
  source_.file = folder_.write("kernel.cpp", text);
  const auto recordings = record_kernel(kArchs, source_);
  ASSERT_EQ(recordings.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(recordings[i].has_value()) << to_string(recordings[i].error());
    EXPECT_EQ(recordings[i]->arch, kArchs[i]);
  }
  EXPECT_EQ(lines_of(*recordings[0], Kind::Instruction), (Lines{4}));
  EXPECT_EQ(lines_of(*recordings[1], Kind::Instruction), (Lines{6}));
}

TEST_F(KernelTest, KernelsOfSeveralChipsMayHaveOtherSources) {
  const auto source = [&](const char* name, int number) {
    KernelSource of_chip = source_;
    of_chip.file =
        folder_.write(name, fmt::format("#include \"sfpi.h\"\nvoid kernel() {{\n{}}}\n",
                                        std::string(number, '\n') + "sfpi::dst_reg[0] = 1.0f;\n"));
    return of_chip;
  };
  const std::array kernels{ChipKernel{Arch::Wormhole, source("first.cpp", 0)},
                           ChipKernel{Arch::Blackhole, source("second.cpp", 2)},
                           ChipKernel{Arch::Blackhole, source_}};
  const auto recordings = record_kernels(kernels);
  ASSERT_EQ(recordings.size(), 3U);
  ASSERT_TRUE(recordings[0].has_value()) << to_string(recordings[0].error());
  ASSERT_TRUE(recordings[1].has_value()) << to_string(recordings[1].error());
  EXPECT_EQ(recordings[0]->arch, Arch::Wormhole);
  EXPECT_EQ(recordings[1]->arch, Arch::Blackhole);
  EXPECT_EQ(lines_of(*recordings[0], Kind::Instruction), (Lines{3}));
  EXPECT_EQ(lines_of(*recordings[1], Kind::Instruction), (Lines{5}));
  EXPECT_FALSE(recordings[2].has_value()); // it has no file
}

TEST_F(KernelTest, NewerCppThanTheHostCompilerHas) {
  const auto recording = record_text(R"(#include "sfpi.h"
template <int N>
void run() {
#pragma GCC unroll N
  for (int i = 0; i < N; ++i) sfpi::dst_reg[i] = 1.0f;
  if constexpr (N == 2) {
    sfpi::dst_reg[9] = 2.0f;
  } else {
    static_assert(false, "only two");
  }
}
void kernel() { run<2>(); }
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  EXPECT_EQ(lines_of(*recording, Kind::Instruction), (Lines{5, 5, 7}));
}

TEST_F(KernelTest, AFalseAssertionStillFailsWhereItIsUsed) {
  const Fault fault = fault_of(R"(#include "sfpi.h"
template <int N> void run() { static_assert(false, "only two"); }
void kernel() { run<3>(); }
)");
  EXPECT_NE(fault.message.find("static assertion failed: only two"), std::string::npos)
      << fault.message;
}

TEST_F(KernelTest, CompilerErrorsAreInTheWordsOfTheCompiler) {
  const Fault fault =
      fault_of("#include \"sfpi.h\"\nvoid kernel() {\n  undeclared();\n}\n", Arch::Wormhole);
  EXPECT_EQ(fault.kind, FaultKind::BadInput);
  EXPECT_TRUE(
      fault.message.starts_with("g++ could not compile " + source_.file + " for Wormhole B0\n"))
      << fault.message;
  EXPECT_NE(fault.message.find("kernel.cpp:3:3: error"), std::string::npos) << fault.message;
  EXPECT_EQ(fault.message.find("<lanewise>"), std::string::npos) << fault.message;
}

TEST_F(KernelTest, MistakesInStatementsAreThoseOfTheirOption) {
  source_.calls = {"run(1)", "run(nowhere)"};
  const Fault fault = fault_of("#include \"sfpi.h\"\nvoid run(int) {}\n");
  EXPECT_NE(fault.message.find("--call:2:5: error"), std::string::npos) << fault.message;
  source_.calls.clear();
  source_.entry = "main_kernel";
  EXPECT_NE(fault_of("#include \"sfpi.h\"\n").message.find("--entry:1:1: error"),
            std::string::npos);
}

TEST_F(KernelTest, MissingFunctionsAreNamed) {
  const Fault fault = fault_of("void elsewhere();\nvoid kernel() {\n  elsewhere();\n}\n");
  EXPECT_NE(fault.message.find("undefined reference to `elsewhere()'"), std::string::npos)
      << fault.message;
}

TEST_F(KernelTest, StatementsRunInOrder) {
  source_.setup = "run(1)";
  source_.init = "run(2)";
  source_.calls = {"int row = 3", "run(row)", "run(4)"};
  source_.defines = {"SCALE=10"};
  const auto recording = record_text(R"(#include "sfpi.h"
void run(int row) { sfpi::dst_reg[SCALE * row] = 1.0f; }
)");
  ASSERT_TRUE(recording.has_value()) << to_string(recording.error());
  std::vector<std::int32_t> addresses;
  for (const compiler::Node& node : recording->nodes) {
    if (node.kind == Kind::Instruction) addresses.push_back(node.imm);
  }
  EXPECT_EQ(addresses, (std::vector<std::int32_t>{20, 40, 60, 80})); // 2 rows per index
}

TEST_F(KernelTest, HeadersHaveTheNamesOfLlkAndRunPerFace) {
  source_.is_header = true;
  source_.calls = {"_calculate_it_<true>(8)"};
  const auto counted = [&](Faces faces) {
    source_.faces = faces;
    source_.file = folder_.write("ckernel_sfpu_it.h", R"(#pragma once
namespace ckernel::sfpu {
template <bool APPROXIMATE>
inline void _calculate_it_(int iterations) {
  for (int i = 0; i < iterations; ++i) {
    TTI_SFPLOADI(p_sfpu::LREG0, 0, 0x3f80);
    sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f;
    sfpi::dst_reg++;
  }
}
}
)");
    const auto recording = record_kernel(Arch::Wormhole, source_);
    EXPECT_TRUE(recording.has_value()) << to_string(recording.error());
    return recording ? lines_of(*recording, Kind::FloatMul).size() : 0;
  };
  EXPECT_EQ(counted(Faces::Whole), 8U);
  EXPECT_EQ(counted(Faces::R), 16U);
  EXPECT_EQ(counted(Faces::C), 16U);
  EXPECT_EQ(counted(Faces::RC), 32U);
}

TEST_F(KernelTest, AnUnchangedKernelIsNotCompiledAgain) {
  source_.file = folder_.write("kernel.cpp", "#include \"sfpi.h\"\nvoid kernel() {}\n");
  const Environment cache("LANEWISE_CACHE", folder_.path() / "cache");
  const auto objects = [&] {
    std::error_code ignored;
    return std::distance(
        std::filesystem::directory_iterator(folder_.path() / "cache/objects", ignored), {});
  };
  ASSERT_TRUE(record_kernel(Arch::Blackhole, source_).has_value());
  EXPECT_EQ(objects(), 1);
  ASSERT_TRUE(record_kernel(Arch::Blackhole, source_).has_value());
  EXPECT_EQ(objects(), 1);
  folder_.write("kernel.cpp", "#include \"sfpi.h\"\nvoid kernel() { sfpi::dst_reg[0] = 1.0f; }\n");
  ASSERT_TRUE(record_kernel(Arch::Blackhole, source_).has_value());
  EXPECT_EQ(objects(), 2);
}

TEST_F(KernelTest, AnObjectIsFoundFromAnyFolderUnlessItsNamesDependOnIt) {
  const Environment cache("LANEWISE_CACHE", folder_.path() / "cache");
  const auto objects_from_two_folders = [&](const std::string& kernel) {
    source_.file = folder_.write("kernel.cpp", kernel);
    const auto here = std::filesystem::current_path();
    for (const auto& folder : {here, folder_.path()}) {
      std::filesystem::current_path(folder);
      EXPECT_TRUE(record_kernel(Arch::Blackhole, source_).has_value());
    }
    std::filesystem::current_path(here);
    const auto objects = folder_.path() / "cache/objects";
    const auto count = std::distance(std::filesystem::directory_iterator(objects), {});
    std::filesystem::remove_all(objects);
    return count;
  };
  EXPECT_EQ(objects_from_two_folders("#include \"sfpi.h\"\nvoid kernel() {}\n"), 1);
  EXPECT_EQ(
      objects_from_two_folders("#include \"sfpi.h\"\n#line 7 \"mine.cpp\"\nvoid kernel() {}\n"), 2);
}

TEST_F(KernelTest, ANoteSparesThePreprocessorUntilAHeaderChanges) {
  const Environment cache("LANEWISE_CACHE", folder_.path() / "cache");
  const auto write_header = [&](const std::string& statements, int hours_ago) {
    folder_.write("own/own.h", "inline void own() { " + statements + " }\n");
    const auto then = std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours_ago);
    // Of what has just been written no note is made: it might be written again within a tick of its
    // time.
    for (const char* name : {"own/own.h", "own/kernel.cpp", "own"})
      std::filesystem::last_write_time(folder_.path() / name, then);
  };
  const auto notes = [&] {
    std::error_code ignored;
    return std::distance(
        std::filesystem::directory_iterator(folder_.path() / "cache/notes", ignored), {});
  };
  source_.file = folder_.write("own/kernel.cpp", "#include \"own.h\"\nvoid kernel() { own(); }\n");
  write_header("sfpi::dst_reg[0] = 1.0f;", 2);
  const auto first = record_kernel(Arch::Blackhole, source_);
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_EQ(notes(), 1);
  EXPECT_EQ(record_kernel(Arch::Blackhole, source_)->nodes.size(), first->nodes.size());
  write_header("sfpi::dst_reg[0] = 1.0f; sfpi::dst_reg[1] = 2.0f;", 1);
  const auto second = record_kernel(Arch::Blackhole, source_);
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_GT(second->nodes.size(), first->nodes.size());
}

/// Damage to a file, by its bytes.
using Damage = std::function<void(std::string&)>;

void damage(const std::filesystem::path& file, const Damage& change) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  in.close();
  ASSERT_FALSE(bytes.empty()) << file;
  change(bytes);
  std::ofstream(file, std::ios::binary) << bytes;
}

TEST_F(KernelTest, ADamagedObjectIsMadeAgain) {
  const Environment cache("LANEWISE_CACHE", folder_.path() / "cache");
  const std::string text = "#include \"sfpi.h\"\nvoid kernel() { sfpi::dst_reg[0] = 1.0f; }\n";
  const auto first = record_text(text);
  ASSERT_TRUE(first);
  const auto object = std::filesystem::directory_iterator(folder_.path() / "cache/objects")->path();
  const std::vector<Damage> damages{
      [](std::string& bytes) { bytes.clear(); },
      [](std::string& bytes) { bytes.resize(bytes.size() / 2); },
      [](std::string& bytes) { bytes.pop_back(); },
      [](std::string& bytes) { bytes[bytes.size() / 3] ^= 0x10; },
      [](std::string& bytes) { bytes[0] ^= 1; },
      [](std::string& bytes) { bytes.back() ^= 1; },
      [](std::string& bytes) { bytes.assign(bytes.size(), '\0'); },
      [](std::string& bytes) { bytes += bytes; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    damage(object, damages[i]);
    EXPECT_FALSE(is_sealed(object));
    const auto again = record_text(text);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->nodes.size(), first->nodes.size());
    EXPECT_TRUE(is_sealed(object));
  }
}

TEST_F(KernelTest, ADamagedPrecompiledHeaderIsMadeAgain) {
  const Environment cache("LANEWISE_CACHE", folder_.path() / "cache");
  // Another kernel each time, since an object that is there needs no header.
  const auto records = [&](int number) {
    const auto recording =
        record_text(fmt::format("void kernel() {{ sfpi::dst_reg[0] = {}.0f; }}\n", number));
    EXPECT_TRUE(recording) << to_string(recording.error());
    return recording.has_value();
  };
  ASSERT_TRUE(records(0));
  const auto folder = std::filesystem::directory_iterator(folder_.path() / "cache/headers")->path();
  const auto is_whole = [&] {
    std::ifstream stream(folder / "precompiled.digest");
    const std::string digest{std::istreambuf_iterator<char>(stream), {}};
    const std::string name = "lanewise_prelude.h.gch";
    return !digest.empty() && digest == file_digest(folder / name, name);
  };
  EXPECT_TRUE(is_whole());
  // What has been found good is not read again, but what was written since is.
  for (const char* name : {"lanewise_prelude.h.gch", "ckernel_ops.h"}) {
    const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    std::filesystem::last_write_time(folder / name, long_ago);
  }
  EXPECT_TRUE(records(4));
  EXPECT_TRUE(records(5));
  damage(folder / "lanewise_prelude.h.gch", [](std::string& bytes) {
    for (std::size_t i = bytes.size() / 4; i < bytes.size(); i += 512) bytes[i] ^= 0x55;
  });
  EXPECT_TRUE(records(1));
  EXPECT_TRUE(is_whole());
  damage(folder / "lanewise_prelude.h.gch", [](std::string& bytes) { bytes.clear(); });
  EXPECT_TRUE(records(2));
  EXPECT_TRUE(is_whole());
  damage(folder / "ckernel_ops.h", [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; });
  EXPECT_TRUE(records(3));
  EXPECT_TRUE(is_whole());
}

TEST_F(KernelTest, WithoutACompilerTheMessageSaysHowToGetOne) {
  const Environment compiler("CXX", "lanewise-no-such-compiler");
  const Fault fault = fault_of("void kernel() {}\n");
  EXPECT_NE(fault.message.find("lanewise-no-such-compiler"), std::string::npos);
  EXPECT_NE(fault.remedy.find("install"), std::string::npos);
}

TEST_F(KernelTest, WithoutHeadersTheMessageNamesTheVariable) {
  const Environment headers("LANEWISE_SFPI", folder_.path());
  EXPECT_NE(fault_of("void kernel() {}\n").message.find("LANEWISE_SFPI"), std::string::npos);
}

TEST_F(KernelTest, AMissingFileIsAFault) {
  source_.file = folder_.path() / "nothing.cpp";
  const auto recording = record_kernel(Arch::Blackhole, source_);
  ASSERT_FALSE(recording.has_value());
  EXPECT_EQ(recording.error().file, source_.file);
}

} // namespace
} // namespace lanewise::sfpi
