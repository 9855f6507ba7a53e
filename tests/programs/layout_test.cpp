// Where a program's things lie, and what is refused before it runs.
#include "source/programs/layout.h"

#include <gtest/gtest.h>

#include "chip/isa/noc_record.h"
#include "source/programs/banks.h"

namespace lanewise::programs {
namespace {

Kernel mover(Processor processor, unsigned noc) {
  Kernel kernel;
  kernel.origin = processor == Processor::Riscv0 ? "first" : "second";
  kernel.text = "void kernel_main() {}";
  kernel.processor = processor;
  kernel.noc = noc;
  return kernel;
}

Buffer buffer(std::string name, BufferMemory memory, std::uint64_t bytes, std::uint64_t page) {
  Buffer result;
  result.origin = name;
  result.name = std::move(name);
  result.memory = memory;
  result.bytes = bytes;
  result.page_bytes = page;
  return result;
}

CircularBuffer ring(unsigned index, std::uint32_t pages, std::uint32_t page = 2048) {
  return {.origin = "ring",
          .bytes = pages * page,
          .indices =
              {{.index = index, .format = DataFormat::Float16_b, .page_bytes = page, .tile = {}}},
          .buffer = {}};
}

Program small_program(Arch arch = Arch::Blackhole) {
  Program program;
  program.arch = arch;
  program.kernels.push_back(mover(Processor::Riscv0, 0));
  return program;
}

std::string refusal(const Program& program) {
  const auto layout = lay_out(program);
  return layout ? "" : layout.error().message;
}

class Layouts : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBothChips, Layouts, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

// Page p lies in bank p mod N, p div N pages of the aligned size behind the buffer's address.
TEST_P(Layouts, InterleavedPagesGoRoundTheBanks) {
  Program program = small_program(GetParam());
  const NocRecord& noc = *noc_record(GetParam());
  const std::uint64_t banks = noc.banks.size(), page = noc.dram_alignment + 1U;
  program.buffers = {buffer("a", BufferMemory::Dram, page * (banks + 1), page),
                     buffer("b", BufferMemory::Dram, 2048, 2048)};
  const auto layout = lay_out(program);
  ASSERT_TRUE(layout.has_value()) << layout.error().message;
  EXPECT_EQ(layout->buffers[0].address, noc.dram_begin);
  EXPECT_EQ(layout->buffers[0].aligned_page, 2U * noc.dram_alignment);
  EXPECT_EQ(page_place(program, *layout, 0, 1).bank, 1U);
  EXPECT_EQ(page_place(program, *layout, 0, banks).bank, 0U);
  EXPECT_EQ(page_place(program, *layout, 0, banks).address,
            noc.dram_begin + 2U * noc.dram_alignment);
  EXPECT_EQ(layout->buffers[1].address, noc.dram_begin + 4U * noc.dram_alignment)
      << "behind the two rounds of the first in every bank";
}

// Circular buffers grow up from the base, aligned as DRAM is; buffers in L1 down from the end.
TEST_P(Layouts, L1FillsFromBothEnds) {
  Program program = small_program(GetParam());
  const NocRecord& noc = *noc_record(GetParam());
  const std::uint32_t l1 = arch_params(GetParam()).tile.l1_bytes;
  program.circular_buffers = {ring(0, 1, 16), ring(5, 2)};
  program.buffers = {buffer("a", BufferMemory::L1, 100, 100),
                     buffer("b", BufferMemory::L1, 64, 64)};
  const auto layout = lay_out(program);
  ASSERT_TRUE(layout.has_value()) << layout.error().message;
  EXPECT_EQ(layout->circular_buffers[0].address, noc.l1_begin);
  EXPECT_EQ(layout->circular_buffers[1].address, noc.l1_begin + noc.dram_alignment);
  EXPECT_EQ(layout->circular_buffers[1].pages, 2U);
  EXPECT_EQ(layout->buffers[0].address, l1 - 128);
  EXPECT_LT(layout->buffers[1].address, layout->buffers[0].address);
}

TEST(Layout, ArgumentsEndWhereAPageBegins) {
  Program program = small_program();
  program.kernels[0].runtime_args = {1U, 2U, 3U};
  program.kernels[0].common_args = {4U};
  const auto layout = lay_out(program);
  ASSERT_TRUE(layout.has_value());
  const ArgumentPlace& place = layout->arguments[0];
  EXPECT_EQ(place.guard % kGuardBytes, 0U);
  EXPECT_EQ(place.own + 3 * 4, place.guard);
  EXPECT_EQ(place.common + 4, place.own);
  EXPECT_EQ(layout->arguments[1].own, layout->arguments[1].guard) << "no arguments, no words";
  EXPECT_LE(layout->arguments[2].guard + kGuardBytes, kSemaphores);
}

// What TensorAccessorArgs appends: flags (1 sharded, 2 DRAM), the aligned page; if sharded, rank,
// banks, the tensor's and the shard's shape in pages, and coordinates.
TEST(Layout, AccessorsAreWrittenOut) {
  Program program = small_program();
  program.buffers = {buffer("dram", BufferMemory::Dram, 4096, 1024),
                     buffer("l1", BufferMemory::L1, 2048, 1024),
                     buffer("shard", BufferMemory::L1, 2048, 1024)};
  program.buffers[2].is_sharded = true;
  const auto layout = lay_out(program);
  ASSERT_TRUE(layout.has_value());
  const std::vector<CompileArgument> args{AccessorOf{"dram"}, 7U, AccessorOf{"l1"},
                                          AccessorOf{"shard"}};
  EXPECT_EQ(resolve_compile_args(program, *layout, args),
            (std::vector<std::uint32_t>{2, 1024, 7, 0, 1024, 1, 1024, 1, 1, 2, 2, 1U << 8 | 2}));
}

// In each bank: pages beside each other there are not those beside each other in the buffer.
TEST_P(Layouts, AddressesOfArgumentsLieInTheirBuffers) {
  Program program = small_program(GetParam());
  const NocRecord& noc = *noc_record(GetParam());
  const std::size_t banks = noc.banks.size();
  program.buffers = {buffer("a", BufferMemory::Dram, 2048 * (banks + 1), 2048),
                     buffer("b", BufferMemory::L1, 64, 64)};
  program.kernels[0].runtime_args = {AddressOf{"a", 4095}, AddressOf{"b", 63}, AddressOf{"b"}};
  program.kernels[0].compile_args = {AddressOf{"b", 32}};
  const auto layout = lay_out(program);
  ASSERT_TRUE(layout.has_value()) << layout.error().message;
  const auto& arguments = program.kernels[0].runtime_args;
  EXPECT_EQ(resolve(program, *layout, arguments[0]), noc.dram_begin + 4095);
  EXPECT_EQ(resolve(program, *layout, arguments[1]), resolve(program, *layout, arguments[2]) + 63);
  EXPECT_EQ(resolve_compile_args(program, *layout, program.kernels[0].compile_args),
            (std::vector{resolve(program, *layout, arguments[2]) + 32}));

  const std::string behind =
      "first: an argument lies 64 bytes behind the beginning of buffer 'b', which has 64 bytes in "
      "each bank of its memory";
  const auto with = [&program](auto member, auto value) {
    Program wrong = program;
    wrong.kernels[0].*member = value;
    return refusal(wrong);
  };
  const AddressOf end{"b", 64};
  EXPECT_EQ(with(&Kernel::runtime_args, std::vector<Argument>{0U, end}), behind);
  EXPECT_EQ(with(&Kernel::common_args, std::vector<Argument>{end}), behind);
  EXPECT_EQ(with(&Kernel::compile_args, std::vector<CompileArgument>{end}), behind);
  EXPECT_EQ(with(&Kernel::named_args, std::map<std::string, CompileArgument>{{"n", end}}), behind);
  EXPECT_NE(with(&Kernel::runtime_args, std::vector<Argument>{AddressOf{"a", 4096}}), "");
}

TEST(Layout, ClashesAreNamed) {
  Program program = small_program();
  program.kernels.push_back(mover(Processor::Riscv0, 1));
  EXPECT_NE(refusal(program).find("riscv_0 has a kernel already"), std::string::npos);
  program.kernels[1] = mover(Processor::Riscv1, 0);
  EXPECT_NE(refusal(program).find("both use NoC 0"), std::string::npos);
  program.kernels[1].noc = 1;
  EXPECT_EQ(refusal(program), "");
  program.kernels[1].is_dynamic = true;
  EXPECT_NE(refusal(program).find("shares them"), std::string::npos);
  program.kernels[0].is_dynamic = true;
  program.kernels[1].noc = 0;
  EXPECT_EQ(refusal(program), "") << "both may use all";
}

TEST(Layout, CircularBuffersAreChecked) {
  Program program = small_program();
  const auto with = [&](CircularBuffer cb) {
    program.circular_buffers = {std::move(cb)};
    return refusal(program);
  };
  EXPECT_EQ(with(ring(63, 2)), "");
  EXPECT_NE(with(ring(64, 2)).find("above 63"), std::string::npos);
  program.arch = Arch::Wormhole;
  EXPECT_NE(with(ring(32, 2)).find("above 31"), std::string::npos);
  EXPECT_EQ(with(ring(31, 2)), "");
  EXPECT_EQ(with(ring(0, 2, 24)), "") << "cores that move data count in bytes";
  EXPECT_NE(with(ring(0, 2, 22)).find("in pages of 22"), std::string::npos);
  program.kernels.push_back(mover(Processor::Compute, 0));
  EXPECT_NE(with(ring(0, 2, 24)).find("in pages of 24"), std::string::npos);
  EXPECT_EQ(with(ring(0, 2, 32)), "") << "threads in 16 of them";
  EXPECT_NE(with(ring(0, 700)).find("behind the end of L1"), std::string::npos);
  program.circular_buffers = {ring(3, 1), ring(3, 1)};
  EXPECT_NE(refusal(program).find("index 3"), std::string::npos);
}

// The error that most people meet first.
TEST(Layout, CircularBuffersThatReachIntoBuffersAreNamedWithBoth) {
  Program program = small_program();
  program.circular_buffers = {ring(0, 600)};
  program.buffers = {buffer("activations", BufferMemory::L1, 512 * 1024, 2048)};
  const std::string says = refusal(program);
  EXPECT_EQ(
      says,
      "ring: circular buffer c_0 has L1 from 0x1b300 up to 0x147300, and buffer 'activations' "
      "(activations) begins at 0x100000");
  EXPECT_TRUE(place_all(program).has_value()) << "where things lie is known all the same";
  program.circular_buffers = {ring(0, 400)};
  EXPECT_EQ(refusal(program), "");
}

TEST(Layout, ThereAre341Arguments) {
  Program program = small_program();
  program.kernels[0].runtime_args.assign(300, 1U);
  program.kernels[0].common_args.assign(41, 1U);
  EXPECT_EQ(refusal(program), "");
  program.kernels[0].common_args.emplace_back(1U);
  EXPECT_NE(refusal(program).find("more than 341"), std::string::npos);
}

TEST(Layout, SizesOfManyTilesAreRefusedAndNotTried) {
  Program program = small_program();
  program.buffers = {buffer("huge", BufferMemory::Dram, std::uint64_t{1} << 40, 2048)};
  EXPECT_NE(refusal(program).find("does not fit"), std::string::npos);
  program.buffers = {buffer("odd", BufferMemory::Dram, 2049, 2048)};
  EXPECT_NE(refusal(program).find("pages of 2048"), std::string::npos);
}

} // namespace
} // namespace lanewise::programs
