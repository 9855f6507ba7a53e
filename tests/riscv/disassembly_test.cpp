// The table of instructions against objdump: random words of every row, with aliases and without.
#include "chip/riscv/disassembly.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <sstream>

#include "riscv/tools.h"

namespace lanewise::riscv {
namespace {

using testing::Folder;

constexpr const char* kArch = "rv32ima_zicsr_zifencei_zba_zbb_zihintpause";

/// Words that fit each row, some of them with register fields that aliases look for.
std::vector<std::uint32_t> words_of_rows() {
  std::mt19937 random(15);
  std::vector<std::uint32_t> words;
  for (const Row& row : rows()) {
    for (unsigned i = 0; i < 200; ++i) {
      std::uint32_t bits = static_cast<std::uint32_t>(random());
      if ((i & 1U) != 0) bits &= ~(31U << 15);               // rs1 = x0
      if ((i & 2U) != 0) bits &= ~(31U << 7);                // rd = x0
      if ((i & 4U) != 0) bits &= ~(31U << 20);               // rs2 = x0
      if ((i & 8U) != 0) bits &= 0x000FFFFF;                 // imm = 0
      if ((i & 16U) != 0) bits = (bits & ~(31U << 7)) | 128; // rd = ra
      if ((i & 32U) != 0) bits |= 0xFFF00000;                // imm = -1
      words.push_back(row.match | (bits & ~row.mask));
    }
  }
  return words;
}

/// CSRs whose names depend on the version of the specification that the assembler takes; ours are
/// Blackhole's.
bool is_csr(std::uint32_t word) {
  const auto instruction = decode(word);
  const Format format = row_of(instruction->op).format;
  return format == Format::Csr || format == Format::CsrImm;
}

/// What objdump prints for words at addresses 0, 4, ...: "mnemonic operands", without comments.
std::vector<std::string> objdump(const std::vector<std::uint32_t>& words, bool aliases) {
  const Folder folder;
  std::string source = ".text\n";
  for (const std::uint32_t word : words) source += fmt::format(".insn 0x{:08x}\n", word);
  folder.write("words.s", source);
  const std::string options = aliases ? "" : "-M no-aliases";
  const bool done =
      folder.run(fmt::format("riscv64-unknown-elf-as -march={} -mabi=ilp32 words.s -o words.o && "
                             "riscv64-unknown-elf-objdump -d {} words.o > text",
                             kArch, options));
  EXPECT_TRUE(done) << folder.read("log");
  std::vector<std::string> lines;
  std::istringstream text(folder.read("text"));
  for (std::string line; std::getline(text, line);) {
    const std::size_t colon = line.find(":\t");
    if (colon == std::string::npos) continue;
    std::string rest = line.substr(line.find('\t', colon + 2) + 1);
    for (const char* end : {" #", " <", "\t#"}) rest = rest.substr(0, rest.find(end));
    std::replace(rest.begin(), rest.end(), '\t', ' ');
    while (rest.ends_with(' ')) rest.pop_back();
    lines.push_back(rest);
  }
  return lines;
}

std::string ours(std::uint32_t word, std::uint32_t pc, bool aliases) {
  const auto instruction = decode(word);
  if (!instruction) return "unknown";
  const InstructionText text =
      text_of(*instruction, pc, {.aliases = aliases, .target = [](std::uint32_t target) {
                                   return fmt::format("{:x}", target);
                                 }});
  return text.operands.empty() ? text.mnemonic : text.mnemonic + " " + text.operands;
}

void expect_objdumps_text(bool aliases) {
  std::vector<std::uint32_t> words = words_of_rows();
  std::erase_if(words, is_csr);
  const std::vector<std::string> expected = objdump(words, aliases);
  ASSERT_EQ(expected.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto pc = static_cast<std::uint32_t>(4 * i);
    EXPECT_EQ(ours(words[i], pc, aliases), expected[i]) << fmt::format("{:08x}", words[i]);
  }
}

TEST(RiscvDisassembly, IsObjdumpsText) {
  SKIP_WITHOUT_RISCV_TOOLS();
  expect_objdumps_text(true);
}

TEST(RiscvDisassembly, IsObjdumpsTextWithoutAliases) {
  SKIP_WITHOUT_RISCV_TOOLS();
  expect_objdumps_text(false);
}

/// Of the CSRs, those that both tools know by the same name, and Blackhole's own by number.
TEST(RiscvDisassembly, CsrsAreObjdumps) {
  SKIP_WITHOUT_RISCV_TOOLS();
  std::vector<std::uint32_t> words;
  for (const std::uint32_t csr : {0x300U, 0x301U, 0x320U, 0x323U, 0x7C0U, 0x7C3U, 0xB00U, 0xB02U,
                                  0xB83U, 0xBC0U, 0xC00U, 0xC02U, 0xC80U, 0xF14U}) {
    for (const std::uint32_t rest : {0x2573U, 0x1073U, 0x59573U, 0x5A073U, 0x2D073U, 0x3B573U,
                                     0x3B073U, 0x2E073U, 0x2F073U, 0x2D573U, 0x2E573U, 0x2F573U})
      words.push_back(csr << 20 | rest);
  }
  for (const bool aliases : {true, false}) {
    const auto expected = objdump(words, aliases);
    ASSERT_EQ(expected.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      EXPECT_EQ(ours(words[i], 0, aliases), expected[i]) << fmt::format("{:08x}", words[i]);
  }
}

/// ISA PushTensixInstruction: rotated left by two, and the low two bits are then never 11.
RC_GTEST_PROP(TtInsn, IsTheWordRotated, ()) {
  const auto tensix = *rc::gen::inRange<std::uint32_t>(0, 0xC0000000U);
  const std::uint32_t code = ttinsn(tensix);
  RC_ASSERT(is_tensix(code));
  RC_ASSERT(code == (tensix << 2 | tensix >> 30));
  RC_ASSERT(tensix_word(code) == tensix);
  RC_ASSERT(!decode(code));
}

Instruction taken_apart(std::uint32_t word) {
  const auto instruction = decode(word);
  EXPECT_TRUE(instruction) << fmt::format("{:08x}", word);
  return instruction.value_or(Instruction{});
}

/// RISC-V manual: immediates of branches and jumps, and the registers of the calling convention.
TEST(RiscvFlow, FollowsTheManual) {
  EXPECT_EQ(flow_of(taken_apart(0x00008067)), Flow::Return);       // ret
  EXPECT_EQ(flow_of(taken_apart(0x00078067)), Flow::IndirectJump); // jr a5
  EXPECT_EQ(flow_of(taken_apart(0x000780E7)), Flow::IndirectCall); // jalr a5
  EXPECT_EQ(flow_of(taken_apart(0x010000EF)), Flow::Call);         // jal .+16
  EXPECT_EQ(flow_of(taken_apart(0xFF9FF06F)), Flow::Jump);         // j .-8
  EXPECT_EQ(flow_of(taken_apart(0xFE050EE3)), Flow::Branch);       // beqz a0, .-4
  EXPECT_EQ(flow_of(taken_apart(0x00000073)), Flow::Trap);         // ecall
  EXPECT_EQ(flow_of(taken_apart(0x00000013)), Flow::Next);         // nop
  EXPECT_EQ(target_of(taken_apart(0xFF9FF06F), 0x100), 0xF8U);
  EXPECT_EQ(target_of(taken_apart(0xFE050EE3), 0x100), 0xFCU);
  EXPECT_EQ(target_of(taken_apart(0x00008067), 0x100), std::nullopt);
}

TEST(RiscvRegisters, AreThoseOfTheOperands) {
  const Instruction store = taken_apart(0x00A12023); // sw a0,0(sp)
  EXPECT_EQ(registers_read(store), 1U << 10 | 1U << 2);
  EXPECT_EQ(registers_written(store), 0U);
  const Instruction add = taken_apart(0x00C58533); // add a0,a1,a2
  EXPECT_EQ(registers_read(add), 1U << 11 | 1U << 12);
  EXPECT_EQ(registers_written(add), 1U << 10);
  EXPECT_EQ(registers_read(taken_apart(0x7C03D073)), 0U); // csrwi 0x7c0,7
}

} // namespace
} // namespace lanewise::riscv
