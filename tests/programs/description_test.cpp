// Programs in JSON.
#include "source/programs/description.h"

#include <gtest/gtest.h>

#include "source/programs/generated.h"
#include "source/programs/layout.h"

namespace lanewise::programs {
namespace {

TEST(Description, BecomesAProgram) {
  const auto found = parse_description(R"({
    "arch": "wh", "core": [1, 2],
    "buffers": [{"name": "in", "memory": "dram", "bytes": 4096, "page_bytes": 2048, "input": "a.npy",
                 "format": "Float16_b", "layout": "rows"},
                {"name": "scratch", "memory": "l1", "bytes": 64}],
    "circular_buffers": [{"index": 16, "format": "Bfp8_b", "pages": 2},
                         {"bytes": 8192, "indices": [{"index": 0, "format": "Float16_b"},
                                                     {"index": 1, "format": "Float32", "page_bytes": 4096}]}],
    "semaphores": [{"id": 3, "initial": 7}],
    "kernels": [{"file": "r.cpp", "processor": "riscv_1", "compile_args": [1, {"accessor": "in"}],
                 "named_compile_args": {"n": 5, "half": {"buffer": "in", "offset": 1024}},
                 "runtime_args": [{"buffer": "in"}, 9, {"offset": 16, "buffer": "scratch"}],
                 "defines": {"OP": "add"}},
                {"text": "void kernel_main() {}", "processor": "compute",
                 "compute": {"math_fidelity": "HiFi2", "fp32_dest_acc_en": true}}]})");
  ASSERT_TRUE(found.has_value()) << to_string(found.error());
  const Program& program = found->program;
  EXPECT_EQ(program.arch, Arch::Wormhole);
  EXPECT_EQ(program.core.y, 2U);
  EXPECT_EQ(program.buffers[1].page_bytes, 64U) << "one page if none is given";
  EXPECT_TRUE(found->files[0].in_rows);
  EXPECT_EQ(program.circular_buffers[0].bytes, 2U * 1088);
  EXPECT_EQ(program.circular_buffers[1].indices[0].page_bytes, 2048U);
  EXPECT_EQ(program.semaphores[0].initial, 7U);
  EXPECT_EQ(program.kernels[0].noc, 0U) << "readers have NoC 0";
  EXPECT_EQ(program.kernels[0].compile_args[1], CompileArgument(AccessorOf{"in"}));
  EXPECT_EQ(program.kernels[0].runtime_args[0], Argument(AddressOf{"in"}));
  EXPECT_EQ(program.kernels[0].runtime_args[2], Argument(AddressOf{"scratch", 16}));
  EXPECT_EQ(program.kernels[0].named_args.at("half"), CompileArgument(AddressOf{"in", 1024}));
  EXPECT_EQ(program.kernels[1].compute.fidelity, Fidelity::HiFi2);
  EXPECT_TRUE(program.kernels[1].compute.fp32_dest);
  EXPECT_TRUE(lay_out(program).has_value());
}

struct WrongText {
  const char* text;
  const char* says;
};
class WrongDescriptions : public ::testing::TestWithParam<WrongText> {};

TEST_P(WrongDescriptions, AreNamedWithTheirPlace) {
  const auto found = parse_description(GetParam().text);
  ASSERT_FALSE(found.has_value());
  EXPECT_NE(found.error().message.find(GetParam().says), std::string::npos)
      << found.error().message;
  EXPECT_NE(found.error().remedy, "");
}
INSTANTIATE_TEST_SUITE_P(
    All, WrongDescriptions,
    ::testing::Values(
        WrongText{"{", "no JSON, at byte 2"}, WrongText{"[]", "is no object"},
        WrongText{R"({"core": [1E400, 1]})", "a number that no 64-bit"},
        WrongText{R"({"kernel": []})", "there is no field 'kernel'"},
        WrongText{R"({"arch": "gs"})", "arch: is no chip"},
        WrongText{R"({"core": [1]})", "core: has not two coordinates"},
        WrongText{R"({"kernels": [{}]})", "kernels[0]: has neither a file nor a text"},
        WrongText{R"({"kernels": [{"file": 3}]})", "kernels[0].file: is no text"},
        WrongText{R"({"kernels": [{"file": "a", "noc": 2}]})",
                  "kernels[0].noc: is no whole number from 0 to 1"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [-1]}]})",
                  "runtime_args[0]: is no whole number"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [4294967296]}]})",
                  "from 0 to 4294967295"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [1.5]}]})", "runtime_args[0]"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [{"offset": 8}]}]})",
                  "runtime_args[0]: names no buffer"},
        WrongText{
            R"({"kernels": [{"file": "a", "runtime_args": [{"buffer": "a", "offset": -8}]}]})",
            "runtime_args[0].offset: is no whole number from 0"},
        WrongText{
            R"({"kernels": [{"file": "a", "runtime_args": [{"buffer": "a", "offset": "8"}]}]})",
            "runtime_args[0].offset"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [{"buffer": "a", "at": 8}]}]})",
                  "runtime_args[0]: there is no field 'at'"},
        WrongText{R"({"kernels": [{"file": "a", "runtime_args": [{"accessor": "a"}]}]})",
                  "there is no field 'accessor'"},
        WrongText{
            R"({"kernels": [{"file": "a", "compile_args": [{"accessor": "a", "offset": 8}]}]})",
            "there is no field 'accessor'"},
        WrongText{R"({"kernels": [{"file": "a", "processor": "riscv_2"}]})",
                  "'riscv_2' is none of its values"},
        WrongText{R"({"circular_buffers": [{"index": 0, "format": "bf16"}]})",
                  "circular_buffers[0].format: 'bf16' is no format"},
        WrongText{R"({"buffers": {}})", "buffers: is no list"}));

TEST(EntryPoints, AreFoundOutsideOfComments) {
  EXPECT_EQ(*entry_point("void kernel_main() {}"), EntryPoint::KernelMain);
  EXPECT_EQ(*entry_point("// kernel_main\nnamespace NAMESPACE { void MAIN { } }"),
            EntryPoint::Main);
  EXPECT_EQ(*entry_point("/* MAIN */ void kernel_main() {}"), EntryPoint::KernelMain);
  EXPECT_FALSE(entry_point("// kernel_main").has_value());
  EXPECT_FALSE(entry_point("void my_kernel_main() {} int DOMAIN;").has_value());
  EXPECT_FALSE(entry_point("/* kernel_main").has_value());
}

/// The text of a generated file.
std::string generated(const Program& program, std::string_view name,
                      EntryPoint has = EntryPoint::KernelMain,
                      EntryPoint wants = EntryPoint::KernelMain) {
  const auto files = generated_files(program, program.kernels[0], has, wants);
  EXPECT_TRUE(files.has_value());
  for (const GeneratedFile& file : *files)
    if (file.name == name) return file.text;
  ADD_FAILURE() << name;
  return {};
}

TEST(GeneratedFiles, DescribeEveryCircularBuffer) {
  auto description = parse_description(R"({"circular_buffers": [
    {"index": 1, "format": "Bfp8_b", "pages": 2},
    {"bytes": 1024, "indices": [{"index": 2, "format": "Float16_b", "tile": [16, 32]}]}],
    "kernels": [{"text": "x", "processor": "compute", "compute": {"dst_full_sync_en": true}}]})");
  ASSERT_TRUE(description.has_value()) << to_string(description.error());
  for (const auto& [arch, count] :
       {std::pair(Arch::Blackhole, 64), std::pair(Arch::Wormhole, 32)}) {
    description->program.arch = arch;
    const std::string text = generated(description->program, "chlkc_descriptors.h");
    EXPECT_NE(text.find(fmt::format("unpack_src_format[{}] = {{255,6,5,255", count)),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(fmt::format("pack_tile_size[{}] = {{1088,1088,1024,1088", count)),
              std::string::npos);
    EXPECT_NE(text.find(fmt::format("unpack_tile_num_faces[{}] = {{4,4,2,4", count)),
              std::string::npos);
    EXPECT_NE(text.find(fmt::format("unpack_partial_face[{}] = {{0,0,1,0", count)),
              std::string::npos);
    EXPECT_NE(text.find("DstSync::SyncFull"), std::string::npos);
  }
}

TEST(GeneratedFiles, LetKernelsOfOneGenerationRunInCheckoutsOfAnother) {
  auto description =
      parse_description(R"({"kernels": [{"text": "KERNEL", "processor": "compute"}]})");
  ASSERT_TRUE(description.has_value());
  const Program& program = description->program;
  EXPECT_NE(generated(program, "chlkc_math.cpp", EntryPoint::Main, EntryPoint::KernelMain)
                .find("void kernel_main() { chlkc_math::math_main(); }"),
            std::string::npos);
  EXPECT_NE(generated(program, "chlkc_pack.cpp", EntryPoint::KernelMain, EntryPoint::Main)
                .find("namespace chlkc_pack { void pack_main() { kernel_main(); } }"),
            std::string::npos);
  EXPECT_EQ(generated(program, "chlkc_unpack.cpp").find("unpack_main();"), std::string::npos);
}

} // namespace
} // namespace lanewise::programs
