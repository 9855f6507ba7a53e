// Programs of a whole tile: which thread a line belongs to, settings, and mistakes with their
// place.
#include <gtest/gtest.h>

#include "source/assembly/assembly.h"
#include "source/assembly/syntax.h"

namespace lanewise::assembly {
namespace {

std::string mistake(std::string_view text, Arch arch = Arch::Blackhole) {
  const auto program = assemble_tile(arch, text, "t.tt");
  return program ? "" : to_string(program.error());
}

TEST(TileAssembler, GivesEachThreadItsLines) {
  const auto program =
      assemble_tile(Arch::Blackhole,
                    ".equ TWO 2\n.thread unpack\nNOP\n.thread 2\n.repeat TWO\nNOP\n"
                    ".endr\n.thread math\n.mop 5 NOP\nNOP\n.thread unpack\nNOP\n",
                    "t.tt");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const auto lines = [&](unsigned thread) {
    std::vector<std::uint32_t> found;
    for (const ProgramWord& word : program->thread[thread].words) found.push_back(word.line);
    return found;
  };
  EXPECT_EQ(lines(0), (std::vector<std::uint32_t>{3, 12}));
  EXPECT_EQ(lines(1), (std::vector<std::uint32_t>{10}));
  EXPECT_EQ(lines(2), (std::vector<std::uint32_t>{6, 6}));
  ASSERT_EQ(program->thread[1].mop.size(), 1U);
  EXPECT_EQ(program->thread[1].mop[0].line, 9U);
}

TEST(TileAssembler, KeepsSettingsOfAllAndOfOneThread) {
  const auto program =
      assemble_tile(Arch::Wormhole,
                    ".cfg DEST_TARGET_REG_CFG_MATH_Offset 1\n.cfg_word 52 0x15\n.semaphore 1 0 2\n"
                    ".in 0x20000=ramp:0:1:bf16  // a comment\n.out 0x30000:32x32:bf16=a.npy\n"
                    ".thread pack\n.cfg ADDR_MOD_SET_Base 1\n.gpr 12, 0x1000\nNOP\n",
                    "t.tt");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  EXPECT_EQ(program->config,
            (std::vector<ConfigSetting>{{"DEST_TARGET_REG_CFG_MATH_Offset", 1, 1}}));
  EXPECT_EQ(program->config_words, (std::vector<ConfigWordSetting>{{52, 0x15, 2}}));
  EXPECT_EQ(program->semaphores, (std::vector<SemaphoreSetting>{{1, 0, 2, 3}}));
  EXPECT_EQ(program->inputs, (std::vector<ImageSetting>{{"0x20000=ramp:0:1:bf16", 4, 5}}));
  EXPECT_EQ(program->outputs, (std::vector<ImageSetting>{{"0x30000:32x32:bf16=a.npy", 5, 6}}));
  EXPECT_EQ(program->thread[2].config, (std::vector<ConfigSetting>{{"ADDR_MOD_SET_Base", 1, 7}}));
  EXPECT_EQ(program->gprs, (std::vector<GprSetting>{{2, 12, 0x1000, 8}}));
}

TEST(TileAssembler, TellsWhereAMistakeIs) {
  EXPECT_EQ(mistake("NOP\n"),
            "t.tt:1:1: error: no thread has been named for this line; write .thread unpack, "
            ".thread math or .thread pack before it");
  EXPECT_EQ(mistake("  .thread packer\n"),
            "t.tt:1:11: error: 'packer' is not a thread; write unpack, math or pack, or 0, 1 or 2");
  EXPECT_EQ(mistake(".thread\n").substr(0, 11), "t.tt:1:8: e");
  EXPECT_EQ(mistake(".thread 0\n.repeat 2\n.thread 1\n.endr\n").substr(0, 9), "t.tt:2:1:");
  EXPECT_EQ(mistake(".thread 0\nNOP\n.semaphore 1 0 1\n").substr(0, 9), "t.tt:3:1:");
  EXPECT_EQ(mistake(".semaphore 8 0 1\n"), "t.tt:1:12: error: 8 is not a semaphore; use 0 to 7");
  EXPECT_EQ(mistake(".semaphore 1 16 1\n").substr(0, 10), "t.tt:1:14:");
  EXPECT_EQ(mistake(".gpr 1 1\n").substr(0, 9), "t.tt:1:1:");
  EXPECT_EQ(mistake(".thread 0\n.gpr 64 1\n").substr(0, 9), "t.tt:2:6:");
  EXPECT_EQ(mistake(".cfg_word 188 1\n", Arch::Wormhole).substr(0, 10), "t.tt:1:11:");
  EXPECT_EQ(mistake(".cfg_word 188 1\n", Arch::Blackhole), "");
  EXPECT_EQ(mistake(".in\n").substr(0, 9), "t.tt:1:4:");
  EXPECT_EQ(mistake(".nothing\n").substr(0, 9), "t.tt:1:1:");
}

TEST(TileAssembler, AProgramOfOneThreadHasNoThreads) {
  for (const char* text : {".thread math\n", ".in 0=ramp:bf16\n", ".semaphore 1 0 1\n"}) {
    const auto program = assemble(Arch::Blackhole, text, "t.tt");
    ASSERT_FALSE(program.has_value());
    EXPECT_NE(program.error().remedy.find("lanewise tile"), std::string::npos) << text;
  }
  const auto read = read_assembly(Arch::Blackhole, ".thread math\nNOP\n", "t.tt", Syntax::Auto);
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().remedy.find("lanewise tile"), std::string::npos);
}

} // namespace
} // namespace lanewise::assembly
