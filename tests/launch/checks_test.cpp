// What is found of a tile's units without a kernel: instructions and what they touched, told one by
// one.
#include "run/launch/checks.h"

#include <gtest/gtest.h>

#include "chip/isa/encoding.h"
#include "run/launch/dst_protocol.h"
#include "run/launch/rings.h"
#include "run/launch/units.h"
#include "run/launch/written.h"

namespace lanewise::launch {
namespace {

using isa::Op;

constexpr unsigned kUnpacking = 0, kComputing = 1, kPacking = 2;
constexpr std::uint32_t kDst = 1U << 1; ///< semaphore MATH_PACK, in a mask

std::string text_of(const FoundLog& log) {
  std::string text;
  for (const Found& found : log.all)
    text += fmt::format("{} {}: {}\n", programs::core_name(found.core), found.line,
                        to_string(found.fault));
  return text;
}

class Protocol : public ::testing::TestWithParam<Arch> {
 protected:
  ProgramWord word(Op op, std::uint32_t line, std::uint32_t semaphores = 0) {
    const auto encoded = semaphores != 0
                             ? isa::encode(GetParam(), op, {{"SemaphoreMask", semaphores}})
                             : isa::encode(GetParam(), op, {});
    EXPECT_TRUE(encoded.has_value());
    return {encoded.value_or(0), line};
  }
  void math(Op op, std::uint32_t line, std::uint32_t semaphores = 0) {
    protocol.execute({.thread = kComputing, .word = word(op, line, semaphores)}, false);
  }
  void pack(Op op, std::uint32_t line, std::uint32_t semaphores = 0) {
    protocol.execute({.thread = kPacking, .word = word(op, line, semaphores)}, op == Op::PACR);
  }
  std::string finish() {
    protocol.finish(state, {});
    protocol.settle();
    return text_of(log);
  }

  FoundLog log;
  DstProtocol protocol{GetParam(), log};
  tile::TileState state{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, Protocol, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

TEST_P(Protocol, ARightProgramTakesDstInTurns) {
  for (int i = 0; i < 3; ++i) {
    math(Op::SEMWAIT, 1, kDst);
    math(Op::ELWADD, 2);
    math(Op::SEMPOST, 3, kDst);
    pack(Op::SEMWAIT, 4, kDst);
    pack(Op::PACR, 5);
    pack(Op::SEMGET, 6, kDst);
  }
  EXPECT_EQ(finish(), "");
}

TEST_P(Protocol, MathAsksForDst) {
  math(Op::ELWADD, 2);
  pack(Op::SEMWAIT, 4, kDst);
  pack(Op::PACR, 5);
  const std::string text = finish();
  EXPECT_NE(text.find("math 2: UndefinedBehavior: writes Dst, which is not the math thread's: it "
                      "has not called tile_regs_acquire()"),
            std::string::npos)
      << text;
}

TEST_P(Protocol, WhatIsGivenAwayIsNotOnesOwn) {
  math(Op::SEMWAIT, 1, kDst);
  math(Op::SEMPOST, 3, kDst);
  math(Op::SFPSTORE, 7);
  math(Op::SEMPOST, 8, kDst);
  pack(Op::SEMWAIT, 4, kDst);
  pack(Op::SEMGET, 5, kDst);
  pack(Op::PACR, 6);
  pack(Op::SEMGET, 9, kDst);
  const std::string text = finish();
  for (const char* const each :
       {"math 7: UndefinedBehavior: writes Dst, which is not the math thread's, since "
        "tile_regs_commit() in line 3 has given it away",
        "math 8: UndefinedBehavior: gives Dst to the pack thread and has not got it",
        "pack 6: UndefinedBehavior: packs from Dst, which is not the pack thread's, since "
        "tile_regs_release() in line 5 has given it away",
        "pack 9: UndefinedBehavior: gives Dst to the math thread and has not got it"})
    EXPECT_NE(text.find(each), std::string::npos) << each << "\n" << text;
}

TEST_P(Protocol, PackWaits) {
  pack(Op::SEMWAIT, 4, 1U << 2); // another semaphore
  pack(Op::PACR, 5);
  EXPECT_NE(finish().find("pack 5: UndefinedBehavior: packs from Dst, which is not the pack "
                          "thread's: it has not called tile_regs_wait()"),
            std::string::npos)
      << text_of(log);
}

// A program that packs nothing has no use for the protocol.
TEST_P(Protocol, WhoPacksNothingNeedsNoTurns) {
  math(Op::ELWADD, 2);
  EXPECT_EQ(finish(), "");
}

TEST_P(Protocol, WhatIsLeftAtTheEndIsNamed) {
  pack(Op::SEMWAIT, 4, kDst);
  pack(Op::PACR, 5);
  state.sync.semaphore[1].value = 1;
  state.machine.srca.owned_by_matrix_unit = {false, true};
  state.machine.srcb.owned_by_matrix_unit = {true, true};
  protocol.finish(state, {12, 0});
  const std::string text = text_of(log);
  EXPECT_NE(text.find("1 parts of Dst are given to the pack thread at the end"), std::string::npos)
      << text;
  EXPECT_NE(text.find("unpack 12: UndefinedBehavior: 1 banks of SrcA are full at the end"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("SrcB"), std::string::npos) << "nobody has unpacked into it";
}

// ---------------------------------------------------------------- Unpackers and packers

class UnitWatch : public Protocol {
 protected:
  void SetUp() override {
    program.arch = GetParam();
    const auto format = programs::DataFormat::Float16_b;
    program.circular_buffers = {
        {.origin = "h:1",
         .bytes = 8192,
         .indices = {{.index = 0, .format = format, .page_bytes = 2048, .tile = {}}},
         .buffer = {}},
        {.origin = "h:2",
         .bytes = 8192,
         .indices = {{.index = 1, .format = format, .page_bytes = 1024, .tile = {}}},
         .buffer = {}},
        {.origin = "h:3",
         .bytes = 4096,
         .indices = {{.index = 2, .format = format, .page_bytes = 2048, .tile = {}},
                     {.index = 3,
                      .format = programs::DataFormat::Float16,
                      .page_bytes = 2048,
                      .tile = {}}},
         .buffer = {}}};
    program.kernels.emplace_back().text = "-";
    const auto laid_out = programs::lay_out(program);
    ASSERT_TRUE(laid_out.has_value()) << to_string(laid_out.error());
    layout = *laid_out;
    memory.resize(arch_params(GetParam()).tile.l1_bytes);
    rings.emplace(program, layout, log);
    written.emplace(program, layout, memory, std::vector<std::span<std::uint8_t>>{}, false, log);
    units.emplace(GetParam(), *rings, &*written, log);
  }
  std::uint32_t page(unsigned index, std::uint32_t number) const {
    return layout.circular_buffers[index].address +
           number * layout.circular_buffers[index].page_bytes;
  }
  void execute(unsigned thread, Op op, std::uint32_t line) {
    rings->reach(thread, state.thread[thread].executed++);
    units->execute(state, {.thread = thread, .word = word(op, line)});
  }
  void unpack(std::uint32_t address, std::uint32_t line, std::uint64_t bytes = 512,
              isa::DataFormat format = isa::DataFormat::Bf16) {
    auto& traffic = state.traffic.unpacker[0];
    ++traffic.instructions;
    traffic.rows = {.first = address, .bytes = bytes, .stride = bytes, .rows = 1};
    traffic.format = format;
    traffic.takes_values = true;
    execute(kUnpacking, Op::UNPACR, line);
  }
  void pack(std::uint32_t address, std::uint32_t line,
            isa::DataFormat format = isa::DataFormat::Bf16, std::uint64_t clear = 0) {
    auto& traffic = state.traffic.packer[0];
    ++traffic.instructions;
    ++traffic.ends;
    traffic.dst_rows += 4;
    traffic.clear_rows += clear;
    traffic.begin = address;
    traffic.end = address + 128;
    traffic.format = format;
    execute(kPacking, Op::PACR, line);
  }
  void say(unsigned core, lanewise_intent what, unsigned ring, unsigned pages, std::uint32_t line) {
    rings->intend(core, line, {.what = what, .which = ring, .number = pages},
                  core < kThreads ? state.thread[core].executed : 0);
  }
  void move(unsigned core, unsigned ring, bool is_push, std::uint32_t count, std::uint32_t line) {
    const NocRecord& record = *noc_record(GetParam());
    rings->count(core, line,
                 tile::Overlay::offset_of(ring, is_push ? record.received : record.acked), count);
  }
  /// What was found beside the protocol of Dst.
  std::string found() {
    rings->settle();
    std::string text;
    for (const Found& each : log.all)
      if (each.fault.message.find("packs from Dst") == std::string::npos)
        text += fmt::format("{} {}: {}\n", programs::core_name(each.core), each.line,
                            to_string(each.fault));
    return text;
  }

  programs::Program program;
  programs::Layout layout;
  std::vector<std::uint8_t> memory;
  std::optional<Rings> rings;
  std::optional<Written> written;
  std::optional<Units> units;
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, UnitWatch, ::testing::ValuesIn(kArchs), [](const auto& chip) {
  return std::string(arch_params(chip.param).names.id);
});

constexpr unsigned kReader = 3;

TEST_P(UnitWatch, UnpackersTakeWhatTheirCoreHasWaitedFor) {
  written->write(page(0, 0), 8192);
  move(kReader, 0, true, 2, 7);
  say(kUnpacking, kLanewiseWaits, 0, 1, 3);
  unpack(page(0, 0), 4);
  EXPECT_EQ(found(), "");
  unpack(page(0, 1), 5);
  EXPECT_EQ(found(),
            "unpack 5: UndefinedBehavior: unpacks page 1 of c_0 (h:1), and has waited for "
            "1 from page 0 on, since line 3; brisc pushes them in line 7; call "
            "cb_wait_front() for as many before it, and cb_pop_front() behind "
            "[programs 5]\n");
}

// A core is ahead of its thread: what it waits for later does not hold for instructions before.
TEST_P(UnitWatch, AWaitHoldsForWhatIsPushedBehindIt) {
  written->write(page(0, 0), 8192);
  move(kReader, 0, true, 2, 7);
  rings->intend(kUnpacking, 3, {.what = kLanewiseWaits, .which = 0, .number = 1}, 1);
  unpack(page(0, 0), 4);
  EXPECT_NE(found().find("unpack 4: UndefinedBehavior: unpacks page 0 of c_0 (h:1), and has waited "
                         "for none"),
            std::string::npos)
      << found();
  const std::size_t before = log.all.size();
  unpack(page(0, 0), 5);
  found();
  EXPECT_EQ(log.all.size(), before);
}

TEST_P(UnitWatch, PackersFillWhatTheirCoreHasReserved) {
  say(kPacking, kLanewiseReserves, 0, 1, 3);
  pack(page(0, 0), 4);
  move(kPacking, 0, true, 1, 5);
  EXPECT_EQ(found(), "");
  pack(page(0, 0), 6); // has been pushed
  EXPECT_NE(found().find("pack 6: UndefinedBehavior: packs into page 0 of c_0 (h:1), and has "
                         "reserved 0 from page 1 on, since line 3"),
            std::string::npos)
      << found();
}

TEST_P(UnitWatch, PagesAreFilledBeforeTheyAreUnpacked) {
  move(kReader, 0, true, 1, 7);
  say(kUnpacking, kLanewiseWaits, 0, 1, 3);
  unpack(page(0, 0), 4);
  EXPECT_NE(found().find("unpack 4: UnpredictableValue: unpacks a page of c_0 (h:1), into which "
                         "nothing was ever written"),
            std::string::npos)
      << found();
}

// Who writes unseen leaves other bytes than those of the beginning.
TEST_P(UnitWatch, WhatIsNotZeroWasWritten) {
  memory[page(0, 0) + 1999] = 1;
  move(kReader, 0, true, 1, 7);
  say(kUnpacking, kLanewiseWaits, 0, 1, 3);
  unpack(page(0, 0), 4);
  EXPECT_EQ(found(), "");
}

TEST_P(UnitWatch, UnitsAreSetToTheFormatOfTheirPages) {
  written->write(page(0, 0), 8192);
  move(kReader, 0, true, 1, 7);
  say(kUnpacking, kLanewiseWaits, 0, 1, 3);
  unpack(page(0, 0), 4, 512, isa::DataFormat::Bfp8);
  EXPECT_NE(found().find("unpack 4: UnpredictableValue: unpacks c_0 (h:1), whose format is "
                         "Float16_b, as Bfp8_b; call reconfig_data_format()"),
            std::string::npos)
      << found();
  say(kPacking, kLanewiseReserves, 2, 1, 3);
  pack(page(2, 0), 5, isa::DataFormat::Fp32);
  EXPECT_NE(found().find("pack 5: UnpredictableValue: packs into c_2 (h:3), whose format is "
                         "Float16_b, as Float32; call pack_reconfig_data_format()"),
            std::string::npos)
      << found();
}

// Two indices may share the memory, each with a format of its own.
TEST_P(UnitWatch, WhatIsPackedIsUnpackedInTheSameFormat) {
  for (const unsigned ring : {2U, 3U}) move(kReader, ring, true, 1, 7);
  for (const unsigned ring : {2U, 3U}) say(kUnpacking, kLanewiseWaits, ring, 1, 3);
  say(kPacking, kLanewiseReserves, 2, 2, 3);
  pack(page(2, 0), 5);
  unpack(page(2, 0), 6);
  EXPECT_EQ(found().find("programs 7"), std::string::npos) << found();
  unpack(page(2, 0), 8, 512, isa::DataFormat::Fp16);
  EXPECT_NE(found().find("unpack 8: UnpredictableValue: unpacks c_3 (h:3) as Float16, and line 5 "
                         "has packed it as Float16_b"),
            std::string::npos)
      << found();
  log.all.clear();
  units->forget_formats(page(2, 0), 16);
  unpack(page(2, 0), 9, 512, isa::DataFormat::Fp16);
  EXPECT_EQ(found().find("programs 7"), std::string::npos) << found();
}

TEST_P(UnitWatch, APageHasRoomForATile) {
  written->write(page(1, 0), 8192);
  move(kReader, 1, true, 1, 7);
  say(kUnpacking, kLanewiseWaits, 1, 1, 3);
  unpack(page(1, 0), 4);
  EXPECT_EQ(found(),
            "unpack 4: UndefinedBehavior: takes tiles of c_1 (h:2), whose pages have 1024 "
            "bytes, and a tile of Float16_b has 2048: they run into each other; set the "
            "page size to that of a tile of its format (tt::tile_size) [programs 7]\n");
}

TEST_P(UnitWatch, ATileOfDstThatIsPackedWasWritten) {
  say(kPacking, kLanewiseReserves, 0, 2, 3);
  units->execute(state, {.thread = kPacking, .word = word(Op::SEMWAIT, 2, kDst)});
  pack(page(0, 0), 4, isa::DataFormat::Bf16, 3);
  EXPECT_EQ(found(), "") << "a part of a tile may stay clear";
  pack(page(0, 1), 5, isa::DataFormat::Bf16, 4);
  EXPECT_NE(found().find("pack 5: NonContractual: packs a tile of Dst into which nothing was "
                         "written since it was cleared"),
            std::string::npos)
      << found();
}

TEST(ByteRanges, AreASetOfBytes) {
  std::vector<bool> model(64);
  ByteRanges ranges;
  std::uint32_t random = 1;
  for (int round = 0; round < 200; ++round) {
    random = random * 1664525 + 1013904223;
    const std::uint64_t begin = random >> 10 & 63,
                        end = std::min<std::uint64_t>(64, begin + 1 + (random >> 20 & 7));
    if (round % 3 == 0) {
      ranges.add(begin, end);
      for (std::uint64_t i = begin; i < end; ++i) model[i] = true;
    }
    bool any = false;
    for (std::uint64_t i = begin; i < end; ++i) any = any || model[i];
    EXPECT_EQ(ranges.has_any(begin, end), any) << begin << " " << end;
  }
}

} // namespace
} // namespace lanewise::launch
