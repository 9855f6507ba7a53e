// What each core of a grid sees of a program.
#include "source/programs/grid.h"

#include <gtest/gtest.h>

#include "chip/isa/noc_record.h"
#include "source/programs/banks.h"
#include "source/programs/description.h"

namespace lanewise::programs {
namespace {

Program parse(const std::string& text) {
  auto description = parse_description(text);
  EXPECT_TRUE(description.has_value()) << (description ? "" : to_string(description.error()));
  return description ? std::move(description->program) : Program{};
}

std::string error_of(const std::string& text) {
  const auto description = parse_description(text);
  if (!description) return description.error().message;
  const auto cores = lay_out_on_cores(description->program);
  return cores ? "" : cores.error().message;
}

constexpr const char* kReader = R"("text": "void kernel_main() {}", "processor": "riscv_1")";

TEST(Grid, CoresHaveTheirKernelsArgumentsAndBuffers) {
  const Program program = parse(fmt::format(R"({{
    "kernels": [{{{0}, "cores": [[0, 0, 1, 1], [3, 0]], "runtime_args": [7],
                  "runtime_args_at": [{{"core": [1, 1], "args": [8, 9]}}]}},
                {{"text": "void kernel_main() {{}}", "processor": "riscv_0", "cores": [[1, 0]]}}],
    "circular_buffers": [{{"index": 0, "page_bytes": 64, "pages": 4, "cores": [[0, 0, 3, 0]]}},
                         {{"index": 1, "page_bytes": 64, "pages": 2, "cores": [[0, 1, 1, 1]]}}],
    "semaphores": [{{"id": 3, "initial": 5, "cores": [[1, 1]]}}]}})",
                                            kReader));
  const auto cores = lay_out_on_cores(program);
  ASSERT_TRUE(cores.has_value()) << to_string(cores.error());
  const std::vector<Core> expected{{0, 0}, {1, 0}, {3, 0}, {0, 1}, {1, 1}};
  ASSERT_EQ(cores->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ((*cores)[i].program.core, expected[i]);
  EXPECT_EQ((*cores)[1].program.kernels.size(), 2U);
  EXPECT_EQ((*cores)[0].layout.arguments[1].own_words, 1U);
  EXPECT_EQ((*cores)[4].layout.arguments[1].own_words, 2U);
  EXPECT_EQ((*cores)[4].program.semaphores.size(), 1U);
  EXPECT_TRUE((*cores)[0].program.semaphores.empty());
  EXPECT_EQ((*cores)[0].layout.circular_buffers.size(), 1U);
  EXPECT_EQ((*cores)[3].program.circular_buffers[0].indices[0].index, 1U);
  // (0, 0) and (3, 0) are alike, and (0, 1) and (1, 1): arguments are no part of what is compiled.
  EXPECT_EQ((*cores)[0].group, (*cores)[2].group);
  EXPECT_EQ((*cores)[3].group, (*cores)[4].group);
  EXPECT_EQ(groups_of(*cores), 3U);
}

// As tt-metal's allocators: one address on all cores of a circular buffer, behind what any has.
TEST(Grid, CircularBuffersLieAtOneAddressOnAllTheirCores) {
  const Program program = parse(fmt::format(R"({{
    "kernels": [{{{0}, "cores": [[0, 0, 2, 0]]}}],
    "circular_buffers": [{{"index": 0, "page_bytes": 64, "pages": 4, "cores": [[0, 0]]}},
                         {{"index": 1, "page_bytes": 64, "pages": 2, "cores": [[0, 0, 1, 0]]}},
                         {{"index": 2, "page_bytes": 64, "pages": 2, "cores": [[2, 0]]}}]}})",
                                            kReader));
  const auto cores = lay_out_on_cores(program);
  ASSERT_TRUE(cores.has_value());
  const std::uint32_t begin = noc_record(program.arch)->l1_begin;
  EXPECT_EQ((*cores)[0].layout.circular_buffers[0].address, begin);
  EXPECT_EQ((*cores)[0].layout.circular_buffers[1].address, begin + 256);
  EXPECT_EQ((*cores)[1].layout.circular_buffers[0].address, begin + 256) << "the same as on (0, 0)";
  EXPECT_EQ((*cores)[2].layout.circular_buffers[0].address, begin);
}

// tensor_accessor.h of tt-metal: shards row by row over the cores in turn, pages row by row in
// them.
TEST(Grid, PagesLieInShards) {
  const Program program = parse(fmt::format(R"({{
    "kernels": [{{{0}}}],
    "buffers": [{{"name": "x", "memory": "l1", "bytes": 1536, "page_bytes": 64,
                  "shards": {{"cores": [[0, 0], [2, 1]], "tensor": [4, 6], "shard": [2, 3]}}}}]}})",
                                            kReader));
  const auto cores = lay_out_on_cores(program);
  ASSERT_TRUE(cores.has_value()) << to_string(cores.error());
  const Layout& layout = cores->front().layout;
  EXPECT_EQ(layout.buffers[0].bank_bytes, 2 * 6 * 64U) << "each core has two shards of six pages";
  const auto at = [&](std::uint64_t row, std::uint64_t column) {
    const PagePlace place = page_place(program, layout, 0, row * 6 + column);
    EXPECT_TRUE(place.core == Core{} || place.core == (Core{2, 1}));
    return std::pair(place.core == Core{2, 1} ? 1U : 0U,
                     (place.address - layout.buffers[0].address) / 64);
  };
  EXPECT_EQ(at(0, 0), std::pair(0U, std::uint64_t{0}));
  EXPECT_EQ(at(0, 2), std::pair(0U, std::uint64_t{2}));
  EXPECT_EQ(at(1, 1), std::pair(0U, std::uint64_t{4}));
  EXPECT_EQ(at(0, 3), std::pair(1U, std::uint64_t{0})) << "the second shard, on the second core";
  EXPECT_EQ(at(2, 0), std::pair(0U, std::uint64_t{6})) << "the third, behind the first";
  EXPECT_EQ(at(3, 5), std::pair(1U, std::uint64_t{11}));
  // Flags, page, rank, banks, both shapes, and the places of two banks in a word.
  const auto words =
      resolve_compile_args(program, layout, std::array<CompileArgument, 1>{AccessorOf{"x"}});
  const std::uint32_t first = 1U << 8 | 2, second = 3U << 8 | 3;
  EXPECT_EQ(words, (std::vector<std::uint32_t>{1, 64, 2, 2, 4, 6, 2, 3, second << 16 | first}));
}

// l1_banking_allocator.cpp of tt-metal: banks are given to cores at random, by std::shuffle of
// libstdc++ and a generator that begins with 0; page p lies in bank p mod N.
TEST(Grid, PagesInL1GoRoundAllCores) {
  const Program program = parse(fmt::format(R"({{
    "kernels": [{{{0}}}], "grid": [3, 2],
    "buffers": [{{"name": "x", "memory": "l1", "bytes": 800, "page_bytes": 100,
                  "interleaved": true}}]}})",
                                            kReader));
  const auto cores = lay_out_on_cores(program);
  ASSERT_TRUE(cores.has_value()) << to_string(cores.error());
  const Layout& layout = cores->front().layout;
  EXPECT_EQ(layout.buffers[0].bank_bytes, 2 * 112U) << "eight pages in six banks";
  std::vector<Core> found;
  for (std::uint64_t page = 0; page < 8; ++page) {
    const PagePlace place = page_place(program, layout, 0, page);
    EXPECT_EQ(place.address, layout.buffers[0].address + page / 6 * 112);
    found.push_back(place.core);
  }
  const std::vector<Core> order{{2, 1}, {2, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 0}};
  EXPECT_EQ(found, order);
  EXPECT_EQ(resolve_compile_args(program, layout, std::array<CompileArgument, 1>{AccessorOf{"x"}}),
            (std::vector<std::uint32_t>{0, 112}));
}

TEST(Grid, ShardsMayLieInBanksOfDram) {
  const Program program = parse(fmt::format(R"({{
    "kernels": [{{{0}}}],
    "buffers": [{{"name": "x", "memory": "dram", "bytes": 1536, "page_bytes": 64,
                  "shards": {{"cores": [[5, 0], [2, 0]], "tensor": [4, 6], "shard": [2, 3]}}}}]}})",
                                            kReader));
  const auto cores = lay_out_on_cores(program);
  ASSERT_TRUE(cores.has_value()) << to_string(cores.error());
  const Layout& layout = cores->front().layout;
  EXPECT_EQ(layout.buffers[0].bank_bytes, 2 * 6 * 64U);
  EXPECT_EQ(page_place(program, layout, 0, 0).bank, 5U);
  EXPECT_EQ(page_place(program, layout, 0, 3).bank, 2U);
  EXPECT_EQ(page_place(program, layout, 0, 12).bank, 5U);
  EXPECT_EQ(page_place(program, layout, 0, 12).address, layout.buffers[0].address + 6 * 64);
  EXPECT_EQ(resolve_compile_args(program, layout, std::array<CompileArgument, 1>{AccessorOf{"x"}}),
            (std::vector<std::uint32_t>{3, 64, 2, 2, 4, 6, 2, 3, 0x0200'0500}));
}

TEST(Grid, BanksThatCannotBeAreNamed) {
  const auto refused = [](const std::string& buffers, const std::string& grid = "[4, 2]") {
    const auto layout = lay_out_on_cores(parse(fmt::format(
        R"({{"grid": {}, "kernels": [{{{}}}], "buffers": [{}]}})", grid, kReader, buffers)));
    return layout ? "" : layout.error().message;
  };
  const auto has = [](const std::string& message, std::string_view text) {
    return message.find(text) != std::string::npos ? "" : "refused is: " + message;
  };
  const std::string whole = R"({"name": "a", "memory": "l1", "bytes": 64})";
  const std::string round = R"({"name": "b", "memory": "l1", "bytes": 64, "interleaved": true})";
  EXPECT_EQ(has(refused(whole + "," + round),
                "'a' lies whole on a core, and buffer 'b' is interleaved over all"),
            "");
  EXPECT_EQ(has(refused(R"({"name": "b", "bytes": 64, "interleaved": true})"),
                "'b' is interleaved over cores, and in DRAM or sharded"),
            "");
  EXPECT_EQ(has(refused(round, "[0, 2]"), "there is no grid of 0 x 2"), "");
  const auto in_banks = [](std::string_view banks) {
    return fmt::format(
        R"({{"name": "c", "bytes": 64, "shards": {{"cores": {}, "tensor": [1, 1], "shard": [1, 1]}}}})",
        banks);
  };
  EXPECT_EQ(refused(in_banks("[[7, 0]]")), "");
  EXPECT_EQ(has(refused(in_banks("[[8, 0]]")), "has a shard in bank (8, 0), which is not there"),
            "");
  EXPECT_EQ(has(refused(in_banks("[[1, 1]]")), "has a shard in bank (1, 1)"), "");
  EXPECT_EQ(has(refused(in_banks("[[1, 0], [1, 0]]")), "names bank (1, 0) twice"), "");
}

TEST(Grid, CoordinatesMayBeArguments) {
  Program program = parse(fmt::format(
      R"({{"kernels": [{{{0}, "compile_args": [{{"core_x": [7, 1]}}], "runtime_args": [{{"core_x": [7, 1]}}, {{"core_y": [7, 1]}}]}}]}})",
      kReader));
  for (const auto& [arch, x, y] :
       {std::tuple(Arch::Blackhole, 10U, 3U), {Arch::Wormhole, 25U, 19U}}) {
    program.arch = arch;
    const auto cores = lay_out_on_cores(program);
    ASSERT_TRUE(cores.has_value());
    EXPECT_EQ(resolve(program, cores->front().layout, program.kernels[0].runtime_args[0]), x);
    EXPECT_EQ(resolve(program, cores->front().layout, program.kernels[0].runtime_args[1]), y);
    EXPECT_EQ(resolve_compile_args(program, cores->front().layout, program.kernels[0].compile_args),
              std::vector{x});
  }
}

TEST(Grid, WhatCannotBeIsNamed) {
  const auto with = [](const std::string& more, const std::string& top = "") {
    return error_of(fmt::format(R"({{{2} "kernels": [{{{0}{1}}}]}})", kReader, more, top));
  };
  EXPECT_EQ(with(""), "");
  EXPECT_NE(with(R"(, "cores": [[11, 0]])").find("core (11, 0) is not there: the grid has 11"),
            std::string::npos);
  EXPECT_NE(with(R"(, "cores": [[2, 0]])", R"("grid": [2, 2],)").find("has 2 columns and 2 rows"),
            std::string::npos);
  EXPECT_NE(with("", R"("grid": [12, 2],)").find("no grid of 12 x 2"), std::string::npos);
  EXPECT_NE(with("", R"("grid": [0, 2],)").find("no grid of 0 x 2"), std::string::npos);
  EXPECT_NE(with(R"(, "cores": [[1, 1, 0, 1]])").find("neither a core nor a rectangle"),
            std::string::npos);
  EXPECT_NE(with(R"(, "cores": [[1]])").find("neither a core nor a rectangle"), std::string::npos);
  EXPECT_NE(
      with(R"(, "runtime_args_at": [{"core": [1, 0], "args": []}])").find("which does not run it"),
      std::string::npos);
  EXPECT_NE(with(R"(, "runtime_args_at": [{"args": []}])").find("names no core"),
            std::string::npos);
  EXPECT_NE(with(R"(, "runtime_args_at": [{"core": [0, 0]}, {"core": [0, 0]}])").find("once more"),
            std::string::npos);
  for (const char* const arguments : {"runtime_args", "compile_args"})
    EXPECT_NE(with(fmt::format(R"(, "{}": [{{"core_x": [40, 0]}}])", arguments))
                  .find("there is no core (40, 0)"),
              std::string::npos);
  const auto shards = [&](const std::string& text) {
    return with(
        "",
        fmt::format(
            R"("buffers": [{{"name": "x", "memory": "l1", "bytes": 256, "page_bytes": 64, "shards": {{{}}}}}],)",
            text));
  };
  EXPECT_EQ(shards(R"("cores": [[0, 0]], "tensor": [2, 2], "shard": [1, 1])"), "");
  EXPECT_NE(shards(R"("cores": [], "tensor": [2, 2], "shard": [1, 1])").find("without cores"),
            std::string::npos);
  EXPECT_NE(shards(R"("cores": [[0, 0]], "tensor": [2, 3], "shard": [1, 1])")
                .find("has 4 pages, and its tensor 2 x 3"),
            std::string::npos);
  EXPECT_NE(shards(R"("cores": [[0, 0]], "tensor": [2, 2], "shard": [0, 1])")
                .find("without cores or pages"),
            std::string::npos);
  EXPECT_NE(shards(R"("cores": [[0, 0]], "tensor": [2, 2], "shard": [4294967295, 4294967295])")
                .find("does not fit"),
            std::string::npos);
  EXPECT_NE(shards(R"("cores": [[30, 0]], "tensor": [2, 2], "shard": [1, 1])").find("core (30, 0)"),
            std::string::npos);
}

} // namespace
} // namespace lanewise::programs
