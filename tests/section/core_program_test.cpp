// ELF files of the three cores on a tile (core.md 3, 4).
#include "run/section/core_program.h"

#include "binary/elf/call.h"
#include "chip/isa/encoding.h"
#include "riscv/tools.h"
#include "source/sfpi/include/lanewise_marks.h"
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class CorePrograms : public Datacopy {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_RISCV_TOOLS();
    Datacopy::SetUp();
  }

  elf::Image compile(unsigned core, const std::string& source) {
    const lanewise::testing::Folder folder;
    folder.write("program.c", source);
    const bool done = folder.run(fmt::format(
        "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -g -O2 "
        "-Wl,-Ttext=0x{0:x},-e,0x{0:x} -Wl,-Tdata=0xFFB00000 -Wl,--build-id=none program.c -o "
        "program.elf",
        0x6000 + 0x4000 * core));
    EXPECT_TRUE(done) << folder.read("log");
    auto image = elf::read_image(folder.read("program.elf"), fmt::format("core{}.elf", core));
    EXPECT_TRUE(image.has_value()) << to_string(image.error());
    return image ? *std::move(image) : elf::Image{};
  }

  /// Pushes a program through the instruction FIFO; `before` stands in front of it.
  std::string pushing(std::string_view text, std::string_view before = "") {
    std::string source =
        "#define REGISTER(address) (*(volatile unsigned*)(address))\n"
        "__attribute__((section(\".text.start\"))) void _start(void) {\n";
    source += before;
    for (const ProgramWord& word : rig.assemble(text).words)
      source += fmt::format("REGISTER(0xFFE40000) = 0x{:08X}u;\n", word.word);
    return source + "for (;;) {}\n}\n";
  }

  tile::RunResult run_cores(const std::array<elf::Image, 3>& images) {
    EXPECT_TRUE(
        section::load_images(rig.state(), {&images[0], &images[1], &images[2]}).has_value());
    std::vector<std::unique_ptr<section::CoreFeeder>> cores;
    for (unsigned i = 0; i < 3; ++i)
      cores.push_back(std::make_unique<section::CoreFeeder>(images[i], GetParam(), i));
    auto result = tile::run(rig.tile, {cores[0].get(), cores[1].get(), cores[2].get()});
    EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error()));
    return result ? *result : tile::RunResult();
  }
};
LANEWISE_ON_BOTH_CHIPS(CorePrograms);

TEST_P(CorePrograms, DoWhatPushedInstructionsDo) {
  const auto texts = programs();
  // T2's core asks for the semaphore itself, where the program has a SEMWAIT.
  const std::string without_wait = texts[2].substr(texts[2].find('\n') + 1);
  const auto result =
      run_cores({compile(0, pushing(texts[0])), compile(1, pushing(texts[1])),
                 compile(2, pushing(without_wait, "while (REGISTER(0xFFE80024) == 0) {}\n"))});
  EXPECT_TRUE(result.blocked.empty());
  EXPECT_EQ(rig.faults(), "");
  EXPECT_EQ(data(kOut), data(kIn));
}

TEST_P(CorePrograms, ACoreThatAsksForEverIsToldWhereItAsks) {
  const auto result =
      run_cores({compile(0, pushing("NOP")), compile(1, pushing("NOP")),
                 compile(2, pushing("NOP", "while (REGISTER(0xFFE80024) == 0) {}\n"))});
  ASSERT_EQ(result.blocked.size(), 1U);
  EXPECT_TRUE(result.blocked[0].is_feeder);
  EXPECT_EQ(result.blocked[0].thread, 2U);
  EXPECT_NE(result.blocked[0].reason.find("0xffe80024"), std::string::npos)
      << result.blocked[0].reason;
}

TEST_P(CorePrograms, TalkByMailboxes) { // core.md 7: 0 is B, 1 to 3 are T0 to T2
  const auto sends = pushing("NOP", "REGISTER(0xFFEC2000) = 0x1234;\n");
  const auto passes_on = pushing("NOP", "REGISTER(0xFFEC3000) = REGISTER(0xFFEC1000) + 1;\n");
  const auto keeps = pushing("NOP", "REGISTER(0x40000) = REGISTER(0xFFEC2000);\n");
  EXPECT_TRUE(
      run_cores({compile(0, sends), compile(1, passes_on), compile(2, keeps)}).blocked.empty());
  EXPECT_EQ(rig.state().l1.load(0x40000, 4), 0x1235U);
}

TEST_P(CorePrograms, TwoProgramsInOnePlaceAreRefused) {
  const elf::Image image = compile(0, pushing("NOP"));
  const elf::Image same = compile(0, pushing("NOP"));
  const auto loaded = section::load_images(rig.state(), {&image, &same, nullptr});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_NE(loaded.error().message.find("belong to"), std::string::npos);
}

// --- Images that nothing has to compile

/// Code of a core in L1: 0x100 bytes.
elf::Image image_at(std::uint32_t address) {
  return {.name = fmt::format("at_{:x}.elf", address),
          .segments = {{.address = address, .size = 0x100, .bytes = {0x13, 0, 0, 0}}}};
}

TEST(CoreImages, MayLieSideBySideUpToTheEndOfL1) {
  const elf::Image first = image_at(0x6000), second = image_at(0x6100), other = image_at(0x60FF);
  for (const Arch arch : kArchs) {
    tile::TileState tile(arch);
    EXPECT_TRUE(section::load_images(tile, {&first, &second, nullptr}).has_value());
    EXPECT_TRUE(section::load_images(tile, {&second, &first, nullptr}).has_value());
    const auto overlap = section::load_images(tile, {&first, &other, nullptr});
    ASSERT_FALSE(overlap.has_value());
    EXPECT_EQ(overlap.error().file, "at_60ff.elf");
    const elf::Image last = image_at(arch_params(arch).tile.l1_bytes - 0x100);
    EXPECT_TRUE(section::load_images(tile, {&last, nullptr, nullptr}).has_value());
    const elf::Image outside = image_at(arch_params(arch).tile.l1_bytes - 0xFF);
    EXPECT_FALSE(section::load_images(tile, {&outside, nullptr, nullptr}).has_value());
  }
}

TEST(CoreStarts, AFunctionFindsItsArgumentsInTheRegistersFromA0On) { // RISC-V calling convention
  // lui t0, 0x40; sw a0, 0(t0); sw a1, 4(t0); sw a7, 8(t0); ret
  const std::vector<std::uint32_t> code{0x000402B7, 0x00A2A023, 0x00B2A223, 0x0112A423, 0x00008067};
  elf::Image image = image_at(0x6000);
  image.segments[0].bytes.clear();
  for (const std::uint32_t word : code) {
    for (unsigned byte = 0; byte < 4; ++byte)
      image.segments[0].bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  for (const Arch arch : kArchs) {
    tile::Tile tile(arch);
    ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
    section::CoreFeeder core(image, arch, 0,
                             {.function = elf::Symbol{"f", "f", 0x6000, 20},
                              .arguments = {11, 12, 13, 14, 15, 16, 17, 18}});
    while (core.step(tile).value() != tile::FeederStep::Ended) {
    }
    EXPECT_EQ(tile.state().l1.load(0x40000, 4), 11U);
    EXPECT_EQ(tile.state().l1.load(0x40004, 4), 12U);
    EXPECT_EQ(tile.state().l1.load(0x40008, 4), 18U);
  }
}

// --- In time

elf::Image image_of(const std::vector<std::uint32_t>& code) {
  elf::Image image = image_at(0x6000);
  image.entry = 0x6000;
  image.segments[0].bytes.clear();
  for (const std::uint32_t word : code) {
    for (unsigned byte = 0; byte < 4; ++byte)
      image.segments[0].bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
  }
  return image;
}

// addi a0, zero, 10; loop: addi a0, a0, -1; bnez a0, loop; lui t0, 0x40; sw a0, 0(t0); lw a1,
// 4(t0); addi a1, a1, 1; sw a1, 8(t0); .ttinsn NOP; j .
const std::vector<std::uint32_t> kTimed{0x00A00513, 0xFFF50513, 0xFE051EE3, 0x000402B7, 0x00A2A023,
                                        0x0042A583, 0x00158593, 0x00B2A423, 0x08000000, 0x0000006F};

TEST(CoresInTime, DoNothingThatOthersSeeBeforeTheirCycle) {
  const elf::Image image = image_of(kTimed);
  for (const Arch arch : kArchs) {
    tile::Tile tile(arch);
    ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
    tile.state().l1.store(0x40000, 4, 77);
    tile.state().l1.store(0x40004, 4, 5);
    section::CoreFeeder core(image, arch, 0);
    const auto store = core.ready(tile).value();
    EXPECT_EQ(core.ready(tile).value(), store);
    EXPECT_GE(store, 1 + 2 * 10 + 1U);
    EXPECT_EQ(tile.state().l1.load(0x40000, 4), 77U);
    core.at(store);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    EXPECT_EQ(tile.state().l1.load(0x40000, 4), 0U);

    const auto load = core.ready(tile).value();
    EXPECT_EQ(load, store + 1);
    core.at(load + 100); // the tile lets it wait
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    const auto sum = core.ready(tile).value();
    EXPECT_EQ(sum, load + 100 + 8 + 1); // ISA BabyRISCV: 8 cycles, and the addition
    EXPECT_EQ(tile.state().l1.load(0x40008, 4), 0U);
    core.at(sum);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    EXPECT_EQ(tile.state().l1.load(0x40008, 4), 6U);

    const auto push = core.ready(tile).value();
    EXPECT_EQ(push, sum + 1);
    core.at(push);
    EXPECT_FALSE(tile.has_work(0));
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    EXPECT_TRUE(tile.has_work(0));
    EXPECT_GT(core.ready(tile).value(), push);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Ended);
    EXPECT_TRUE(core.has_ended());
    EXPECT_EQ(core.instructions(), 1 + 2 * 10 + 1 + 3 + 1 + 1 + 1U);
  }
}

/// Costs of kTimed up to its last store, which goes in the cycle `end`. The tile lets the store
/// before and the load wait.
std::vector<section::FunctionCost> costs_with(Arch arch, std::uint64_t store_waits,
                                              std::uint64_t load_waits, std::uint64_t& end) {
  elf::Image image = image_of(kTimed);
  // The loop, and from the first store on; the lui between them and all behind is of no function.
  image.functions = {{"loops", "loops", 0x6000, 12}, {"moves", "moves", 0x6010, 16}};
  tile::Tile tile(arch);
  EXPECT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
  section::CoreFeeder core(image, arch, 0);
  core.count_costs();
  for (const std::uint64_t waits : {store_waits, load_waits, std::uint64_t{0}}) {
    end = core.ready(tile).value() + waits;
    core.at(end);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
  }
  return core.costs();
}

TEST(CoresInTime, WhatAnInstructionWaitsForCountsForItsFunction) {
  for (const Arch arch : kArchs) {
    std::uint64_t end = 0, late_end = 0;
    const auto costs = costs_with(arch, 0, 0, end);
    const auto late = costs_with(arch, 200, 100, late_end);
    ASSERT_EQ(costs.size(), 3U);
    ASSERT_EQ(late.size(), 3U);
    EXPECT_EQ(late[0].name, "moves"); // that with most cycles first
    EXPECT_EQ(late[1].name, "loops");
    EXPECT_EQ(late[2].name, "");
    EXPECT_EQ(late[0].instructions, 4U); // sw, lw, addi, sw
    EXPECT_EQ(late[1].instructions, 1 + 2 * 10U);
    EXPECT_EQ(late[2].instructions, 1U); // lui
    EXPECT_EQ(late[0].cycles + late[1].cycles + late[2].cycles, late_end + 1);
    EXPECT_EQ(late_end, end + 300);
    const auto moves = std::ranges::find(costs, "moves", &section::FunctionCost::name);
    ASSERT_NE(moves, costs.end());
    EXPECT_EQ(late[0].cycles, moves->cycles + 300);
  }
}

TEST(CoresInTime, AskedForNoCostsHaveNone) {
  const elf::Image image = image_of(kTimed);
  tile::Tile tile(Arch::Blackhole);
  ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
  section::CoreFeeder core(image, Arch::Blackhole, 0);
  core.at(core.ready(tile).value());
  ASSERT_EQ(core.step(tile).value(), tile::FeederStep::Went);
  EXPECT_TRUE(core.costs().empty());
}

TEST(CoresInTime, TryAgainWhatTheTileCannotDoYet) { // lui t0, 0xFFEC1; lw a0, 0(t0); j .
  const elf::Image image = image_of({0xFFEC12B7, 0x0002A503, 0x0000006F});
  for (const Arch arch : kArchs) {
    tile::Tile tile(arch);
    ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
    section::CoreFeeder core(image, arch, 0); // a mailbox that is empty
    const auto first = core.ready(tile).value();
    core.at(first);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Waits);
    EXPECT_EQ(core.ready(tile).value(), first);
    core.at(first + 50);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Waits);
    EXPECT_EQ(core.ready(tile).value(), first + 50);
    EXPECT_EQ(core.instructions(), 1U);
    EXPECT_NE(core.waits_for().find("mailbox"), std::string::npos);
  }
}

// lui t0, 0xFFE40; lui t1, 0xBE000; addi t1, t1, 1; sw t1, 0(t0); lui a0, 0x40; sw a0, 0(a0); j .
TEST(CoresInTime, PushTheWordsOfAPlaceOneAfterTheOther) { // vector_marks.h, core.md 3: one a cycle
  const elf::Image image = image_of(
      {0xFFE402B7, 0xBE000337, 0x00130313, 0x0062A023, 0x00040537, 0x00A52023, 0x0000006F});
  for (const Arch arch : kArchs) {
    const std::uint32_t word = *isa::encode(arch, isa::Op::NOP, {});
    section::StretchLog stretch;
    stretch.add({word, word, word});
    tile::Tile tile(arch);
    ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
    section::VectorMarks marks(arch, stretch.taken(), {1});
    section::CoreFeeder core(image, arch, 0);
    core.replace_marks(marks);
    const auto first = core.ready(tile).value();
    for (std::size_t pushed = 1; pushed <= 3; ++pushed) {
      ASSERT_EQ(core.ready(tile).value(), first + pushed - 1);
      core.at(first + pushed - 1);
      ASSERT_EQ(core.step(tile).value(), tile::FeederStep::Went);
      EXPECT_EQ(tile.state().thread[0].queue.size(), pushed);
    }
    const auto store = core.ready(tile).value();
    EXPECT_GE(store, first + 3);
    core.at(store);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    EXPECT_EQ(tile.state().l1.load(0x40000, 4), 0x40000U);
    EXPECT_GT(core.ready(tile).value(), store);
    EXPECT_EQ(core.step(tile).value(), tile::FeederStep::Ended);
  }
}

// Three marks for one word, j .
TEST(CoresInTime, ComeThroughMarksWithoutAWordInNoTime) { // the vendor's code has no such place
  const std::uint32_t mark = riscv::ttinsn(kLanewiseVectorMark);
  const elf::Image image = image_of({mark, mark, mark, 0x0000006F});
  for (const Arch arch : kArchs) {
    const std::uint32_t word = *isa::encode(arch, isa::Op::NOP, {});
    section::StretchLog stretch;
    stretch.add({word});
    tile::Tile tile(arch);
    ASSERT_TRUE(section::load_images(tile.state(), {&image, nullptr, nullptr}).has_value());
    section::VectorMarks marks(arch, stretch.taken(), {3});
    section::CoreFeeder core(image, arch, 0);
    core.replace_marks(marks);
    const auto first = core.ready(tile).value();
    for (std::size_t place = 0; place < 3; ++place) {
      ASSERT_EQ(core.ready(tile).value(), first);
      EXPECT_TRUE(tile.state().thread[0].queue.empty());
      core.at(first);
      ASSERT_EQ(core.step(tile).value(), tile::FeederStep::Went);
    }
    EXPECT_EQ(tile.state().thread[0].queue.size(), 1U);
    EXPECT_GT(core.ready(tile).value(), first);
  }
}

} // namespace
} // namespace lanewise::test
