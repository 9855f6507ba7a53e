// Loads and stores of x86-64 as g++ writes them (AMD64 Architecture Programmer's Manual, volume 3).
#include "run/section/move.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanewise::section {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// What the machine code says, with bytes behind it that belong to the next instruction.
std::optional<Move> decoded(Bytes code) {
  code.resize(code.size() + 15, 0xCC);
  return decode_move(code.data());
}

struct MoveCase {
  const char* text;
  Bytes code;
  bool is_store;
  unsigned bytes, register_index;
};

void PrintTo(const MoveCase& each, std::ostream* out) {
  *out << each.text;
}

class Moves : public ::testing::TestWithParam<MoveCase> {};

TEST_P(Moves, AreUnderstood) {
  const MoveCase& each = GetParam();
  const auto move = decoded(each.code);
  ASSERT_TRUE(move.has_value());
  EXPECT_EQ(move->is_store, each.is_store);
  EXPECT_EQ(move->bytes, each.bytes);
  EXPECT_EQ(move->register_index, each.register_index);
  EXPECT_EQ(move->length, each.code.size());
}

// The codes are those of GNU's assembler.
INSTANTIATE_TEST_SUITE_P(
    OfMemory, Moves,
    ::testing::Values(
        MoveCase{"movl (%rax), %ecx", {0x8B, 0x08}, false, 4, 1},
        MoveCase{"movl %ecx, (%rax)", {0x89, 0x08}, true, 4, 1},
        MoveCase{"movl %r9d, 4(%r8)", {0x45, 0x89, 0x48, 0x04}, true, 4, 9},
        MoveCase{"movq (%rdx), %rbx", {0x48, 0x8B, 0x1A}, false, 8, 3},
        MoveCase{"movw %si, (%rdi)", {0x66, 0x89, 0x37}, true, 2, 6},
        MoveCase{"movb (%rdi), %sil", {0x40, 0x8A, 0x37}, false, 1, 6},
        MoveCase{"movb %ah, (%rdi)", {0x88, 0x27}, true, 1, 0},
        MoveCase{"movl $1, (%rax)", {0xC7, 0x00, 0x01, 0x00, 0x00, 0x00}, true, 4, 0},
        MoveCase{"movb $1, 8(%rax)", {0xC6, 0x40, 0x08, 0x01}, true, 1, 0},
        MoveCase{"movzbl (%rax), %edx", {0x0F, 0xB6, 0x10}, false, 1, 2},
        MoveCase{"movswl (%rax), %edx", {0x0F, 0xBF, 0x10}, false, 2, 2},
        MoveCase{"movslq (%rax), %rdx", {0x48, 0x63, 0x10}, false, 4, 2},
        MoveCase{"movl 0x1234(%rip), %eax", {0x8B, 0x05, 0x34, 0x12, 0, 0}, false, 4, 0},
        MoveCase{"movl 8(%rax,%rbx,4), %eax", {0x8B, 0x44, 0x98, 0x08}, false, 4, 0},
        MoveCase{
            "movl 0x12345678(%rsp), %eax", {0x8B, 0x84, 0x24, 0x78, 0x56, 0x34, 0x12}, false, 4, 0},
        MoveCase{"addr32 movl %ecx, 0xffe40000",
                 {0x67, 0x89, 0x0C, 0x25, 0x00, 0x00, 0xE4, 0xFF},
                 true,
                 4,
                 1},
        MoveCase{"addr32 movl $5, 0xffe40000",
                 {0x67, 0xC7, 0x04, 0x25, 0x00, 0x00, 0xE4, 0xFF, 0x05, 0x00, 0x00, 0x00},
                 true,
                 4,
                 0},
        MoveCase{"movabsl %eax, 0xffb80000",
                 {0xA3, 0x00, 0x00, 0xB8, 0xFF, 0x00, 0x00, 0x00, 0x00},
                 true,
                 4,
                 0}));

TEST(Move, OtherInstructionsAreNone) {
  EXPECT_FALSE(decoded({0x01, 0x08})) << "addl %ecx, (%rax)";
  EXPECT_FALSE(decoded({0x89, 0xC8})) << "movl %ecx, %eax";
  EXPECT_FALSE(decoded({0x0F, 0x11, 0x00})) << "movups %xmm0, (%rax)";
}

TEST(Move, ALoadOfFourBytesClearsTheUpperHalf) {
  EXPECT_EQ(loaded_register(*decoded({0x8B, 0x08}), ~std::uint64_t{0}, 5), 5U);
}

TEST(Move, ALoadOfAByteKeepsTheOthers) {
  EXPECT_EQ(loaded_register(*decoded({0x8A, 0x08}), 0x1122334455667788, 0xFF), 0x11223344556677FFU);
  EXPECT_EQ(loaded_register(*decoded({0x8A, 0x20}), 0x1122334455667788, 0xFF), 0x112233445566FF88U)
      << "movb (%rax), %ah";
}

TEST(Move, ASignedLoadExtends) {
  EXPECT_EQ(loaded_register(*decoded({0x0F, 0xBF, 0x10}), 0, 0x8000), 0xFFFF8000U);
  EXPECT_EQ(loaded_register(*decoded({0x48, 0x63, 0x10}), 0, 0x80000000), 0xFFFFFFFF80000000U);
}

TEST(Move, AStoreTakesItsBytes) {
  EXPECT_EQ(stored_value(*decoded({0x88, 0x27}), 0x11223344), 0x33U) << "AH";
  EXPECT_EQ(stored_value(*decoded({0x66, 0x89, 0x37}), 0x11223344), 0x3344U);
  EXPECT_EQ(stored_value(*decoded({0xC6, 0x40, 0x08, 0xFE}), 0), 0xFEU);
  const auto wide = decoded({0x48, 0xC7, 0x00, 0xFE, 0xFF, 0xFF, 0xFF}); // movq $-2, (%rax)
  EXPECT_EQ(wide->length, 7) << "of an immediate there are 32 bits at most";
  EXPECT_EQ(stored_value(*wide, 0), 0xFFFF'FFFF'FFFF'FFFEU);
}

} // namespace
} // namespace lanewise::section
