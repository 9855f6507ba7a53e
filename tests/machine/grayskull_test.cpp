// Grayskull's Vector Unit: documented facts, and random programs against a model of another make.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "chip/isa/disassembler.h"
#include "chip/machine/kernel_entry.h"
#include "chip/machine/machine.h"
#include "machine/grayskull_pair.h"
#include "source/assembly/assembly.h"

namespace lanewise::test {
namespace {

constexpr Arch kGrayskull = Arch::Grayskull;

float float_lane(const MachineState& state, unsigned lreg, unsigned number) {
  return std::bit_cast<float>(float_of_lane(kGrayskull, lane_of(state, lreg, number)));
}

class Grayskull : public ::testing::Test {
 protected:
  Grayskull() { enter_kernel(machine_.state()); }

  std::vector<Fault> run(const std::string& source) {
    auto program = assembly::assemble(kGrayskull, source, "test");
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    return program ? machine_.run(*program) : std::vector<Fault>{};
  }
  float result(unsigned lreg, unsigned lane = 0) const {
    return float_lane(machine_.state(), lreg, lane);
  }
  std::int32_t integer(unsigned lreg, unsigned lane = 0) const {
    return static_cast<std::int32_t>(lane_of(machine_.state(), lreg, lane));
  }
  std::string message_of(const std::string& source) {
    const auto faults = run(source);
    return faults.empty() ? "" : to_string(faults.front());
  }

  Machine machine_{kGrayskull};
};

TEST_F(Grayskull, HasTheConstantsOfItsReference) { // SFPI 4
  run("");
  EXPECT_EQ(result(4), 0.0F);
  EXPECT_EQ(result(5), 0.69287109375F);
  EXPECT_EQ(result(6), -1.0068359375F);
  EXPECT_EQ(result(7), 1.4423828125F);
  EXPECT_EQ(result(8), 0.8369140625F);
  EXPECT_EQ(result(9), -0.5F);
  EXPECT_EQ(result(10), 1.0F);
  EXPECT_EQ(result(11), -1.0F);
  EXPECT_EQ(result(12), 0.001953125F);
  EXPECT_EQ(result(13), -0.6748046875F);
  EXPECT_EQ(result(14), -0.3447265625F);
  for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(integer(15, lane), static_cast<int>(lane));
}

TEST_F(Grayskull, LoadsFourRowsOfSixteenColumns) {
  Dst& dst = machine_.state().dst;
  for (unsigned lane = 0; lane < 64; ++lane)
    dst.cell[8 + lane / 16][lane % 16] = static_cast<std::uint16_t>(0x4000 + lane);
  run("SFPLOAD L0, 1, 8\nSFPSTORE L0, 0, 20\nSFPSTORE L15, 2, 24\n");
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(lane_of(machine_.state(), 0, lane), (0x4000U + lane) << 3) << lane;
    EXPECT_EQ(dst.cell[20 + lane / 16][lane % 16], 0x4000 + lane) << lane;
    EXPECT_EQ(dst.cell[24 + lane / 16][lane % 16], lane) << lane;
  }
}

TEST_F(Grayskull, CutsToTenBitsOfMantissa) {
  run("SFPLOADI L0, 1, 0x3C01\n"     // 1 + 2^-10
      "SFPMAD L0, L0, L4, L1, 0\n"); // its square is 1 + 2^-9 + 2^-20
  EXPECT_EQ(result(1), 1.001953125F);
  run("SFPMUL L0, L11, L4, L1, 0\nSFPMAD L1, L0, L4, L1, 0\n");
  EXPECT_EQ(result(1), -1.001953125F); // towards zero
}

TEST_F(Grayskull, AddsAHalfInTheSameInstruction) {
  run("SFPADD L10, L10, L10, L0, 1\nSFPMUL L10, L10, L4, L1, 3\nSFPMAD L10, L11, L4, L2, 1\n"
      "SFPLOADI L3, 0, 0x4000\nSFPMULI 0x4000, L3, 1\n");
  EXPECT_EQ(result(0), 2.5F);
  EXPECT_EQ(result(1), 0.5F);
  EXPECT_EQ(result(2), -0.5F);
  EXPECT_EQ(result(3), 4.5F);
  run("SFPLOADI L3, 0, 0x4000\nSFPADDI 0x3F80, L3, 3\n");
  EXPECT_EQ(result(3), 2.5F);
}

TEST_F(Grayskull, IntegersHaveNineteenBits) {
  run("SFPLOADI L0, 4, 0x8000\nSFPLOADI L1, 2, 0x8000\n"
      "SFPLOADI L2, 2, 0xFFFF\nSFPSHFT 2, L0, L2, 1\nSFPIADD 5, L2, L2, 5\n"
      "SFPNOT L4, L3\nSFPSHFT -1, L0, L3, 1\n");
  EXPECT_EQ(integer(0), -32768);
  EXPECT_EQ(integer(1), 32768);
  EXPECT_EQ(integer(2), 0x3FFFC + 5 - 0x80000); // 2^18 + 1 is negative
  EXPECT_EQ(integer(3), 0x3FFFF);               // what comes in from the left is 0
  run("SFPLZ L4, L0, 0\nSFPLZ L10, L1, 0\nSFPLZ L9, L2, 0\n");
  EXPECT_EQ(integer(0), 19);
  EXPECT_EQ(integer(1), 2); // sign and the top bit of the exponent
  EXPECT_EQ(integer(2), 0);
}

TEST_F(Grayskull, SetmanOfARegisterTakesTheWrongBits) { // a hardware bug (SFPI 4)
  run("SFPLOADI L0, 2, 0xFE03\nSFPSETMAN 0, L10, L0, 0\n");
  EXPECT_EQ(result(0), 1.0F + 0x7F / 1024.0F); // bits 9..17 of FE03, not its lowest ten
  run("SFPLOADI L0, 2, 0\nSFPSETMAN 3, L10, L0, 1\n");
  EXPECT_EQ(result(0), 1.0F + 3 / 1024.0F);
}

TEST_F(Grayskull, LooksUpThreePieces) {
  // 1 * |x| + 0.5 below 1; 0.5 * |x| + 1 below 2; 0 * |x| + 1 beyond.
  const std::string table =
      "SFPLOADI L0, 2, 0x0010\nSFPLOADI L1, 2, 0x1000\nSFPLOADI L2, 2, 0xFF00\n";
  const auto look_up = [&](const std::string& x, const std::string& mode) {
    run(table + "SFPLOADI L3, 0, " + x + "\nSFPLUT L3, " + mode + "\n");
    return result(3);
  };
  EXPECT_EQ(look_up("0x3F00", "0"), 1.0F);  // 0.5
  EXPECT_EQ(look_up("0x3F80", "0"), 1.5F);  // 1
  EXPECT_EQ(look_up("0x4080", "0"), 1.0F);  // 4
  EXPECT_EQ(look_up("0xBF00", "0"), 1.0F);  // -0.5: of its magnitude
  EXPECT_EQ(look_up("0xBF00", "4"), -1.0F); // and with its sign
  EXPECT_EQ(look_up("0x3F00", "1"), 1.5F);
  EXPECT_EQ(look_up("0x3F00", "3"), 0.5F);
}

TEST_F(Grayskull, SevenEntriesOfTheFlagStackWork) {
  std::string pushes;
  for (int i = 0; i < 7; ++i) pushes += "SFPPUSHC\n";
  EXPECT_EQ(message_of(pushes), "");
  EXPECT_NE(message_of("SFPPUSHC\n").find("flag stack"), std::string::npos);
}

TEST_F(Grayskull, NamesWhatItDoesNotDo) {
  EXPECT_NE(message_of("SFPLOADI L0, 8, 1\n").find("means nothing"), std::string::npos);
  EXPECT_NE(message_of("SFPMOV L1, L0, 8\n").find("no source of Grayskull"), std::string::npos);
  EXPECT_NE(message_of("SFPMOV L1, L5, 0\n").find("constant register"), std::string::npos);
  EXPECT_EQ(result(5), 0.69287109375F);
  EXPECT_NE(message_of("MVMUL 0, 0, 0, 0, 0\n").find("not executed"), std::string::npos);
  Program words;
  words.words = {{0x92000100, 1}, {0x04000010, 2}}; // SFPSWAP, REPLAY
  const auto faults = machine_.run(words);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_NE(to_string(faults[0]).find("opcode 92"), std::string::npos) << to_string(faults[0]);
  EXPECT_NE(to_string(faults[1]).find("opcode 04"), std::string::npos) << to_string(faults[1]);
  const auto missing = assembly::assemble(kGrayskull, "SFPSWAP L0, L1, 0\n", "test");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(to_string(missing.error()).find("SFPSWAP"), std::string::npos);
}

// ---------------------------------------------------------------- against the model

class RandomWords {
 public:
  explicit RandomWords(unsigned seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) % count; }
  std::uint32_t one_of(std::initializer_list<std::uint32_t> list) {
    return list.begin()[below(static_cast<std::uint32_t>(list.size()))];
  }

  /// An instruction in a mode that has a name.
  std::uint32_t word() {
    const std::uint32_t d = below(4) << 4, c = below(16) << 8, b = below(16) << 12;
    const std::uint32_t a = below(16) << 16, imm = below(4096) << 12, literal = below(0x10000);
    const std::uint32_t half = one_of({0, 1, 3});
    const auto of = [](std::uint32_t opcode) { return opcode << 24; };
    switch (below(30)) {
      case 0:
      case 1: return of(0x70) | d << 16 | one_of({1, 2}) << 16 | 4 * below(16);
      case 2: return of(0x71) | d << 16 | one_of({0, 1, 2, 4}) << 16 | literal;
      case 3:
      case 4: return of(0x72) | below(16) << 20 | one_of({0, 2}) << 16 | 4 * below(16);
      case 5: return of(0x73) | d << 16 | (half | one_of({0, 4})) << 16;
      case 6: return of(0x74) | literal << 8 | d | half;
      case 7: return of(0x75) | literal << 8 | d | half;
      case 8: return of(0x76) | imm | c | d | below(2);
      case 9: return of(0x77) | c | d | one_of({0, 1, 2, 3, 10, 11});
      case 10: return of(0x78) | c | d | below(2);
      case 11: return of(0x79) | imm | c | d | one_of({0, 1, 2, 4, 5, 6, 8, 9, 10});
      case 12: return of(0x7A) | imm | c | d | below(2);
      case 13: return of(0x7B) | below(2) << 12 | c | one_of({0, 1, 2, 4, 6, 8});
      case 14: return of(0x7C) | c | d | below(3);
      case 15: return of(0x7D) | c | d | below(2);
      case 16: return of(0x7E) | c | d;
      case 17: return of(0x7F) | c | d;
      case 18: return of(0x80) | c | d;
      case 19: return of(0x81) | c | d | one_of({0, 2, 10});
      case 20: return of(0x82) | (imm & 0xFF000) | c | d | below(2);
      case 21: return of(0x83) | imm | c | d | below(2);
      case 22:
      case 23: return of(0x84 + below(3)) | a | b | c | d | half;
      case 24: return of(0x8B);
      case 25: return depth_ < 7 ? ++depth_, of(0x87) : of(0x02);
      case 26: return stacked() ? --depth_, of(0x88) : of(0x38) | 4U << 14;
      case 27: return of(0x89) | below(2) << 12 | c | d | below(2);
      case 28: return of(0x8A) | below(4) << 12 | one_of({0, 1, 2, 8, 9, 10});
      default: return of(0x8A) | 3U << 12 | 10; // else all lanes would soon be off
    }
  }

 private:
  bool stacked() const { return depth_ > 0; }
  std::mt19937 random_;
  unsigned depth_ = 0;
};

TEST(GrayskullAgainstModel, RandomProgramsAgree) {
  constexpr unsigned kPrograms = 4000, kGrayskullWords = 60;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    RandomWords dice(seed);
    Program program;
    std::string text;
    for (unsigned i = 0; i < kGrayskullWords; ++i) {
      const std::uint32_t word = dice.word();
      program.words.push_back({word, i + 1});
      text += isa::disassemble(kGrayskull, word) + "\n";
    }
    ASSERT_EQ(GrayskullPair(seed).difference_after(program), "") << "seed " << seed << "\n" << text;
  }
}

} // namespace
} // namespace lanewise::test
