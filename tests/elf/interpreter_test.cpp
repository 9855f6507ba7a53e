// The interpreter against the host: random functions in C, and the instructions that C has no
// operator for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "binary/elf/call.h"
#include "elf/elf_fixture.h"

namespace lanewise::elf {
namespace {

using Value = std::uint32_t;

/// A random expression over a, b, c: its text in C, and what it is worth on the host.
class RandomExpression {
 public:
  RandomExpression(std::mt19937& random, std::array<Value, 3> values)
      : random_(random), values_(values) {}

  std::pair<std::string, Value> make(unsigned depth) {
    if (depth == 0) return leaf();
    const std::pair<std::string, Value> left = make(depth - 1), right = make(depth - 1);
    const Value a = left.second, b = right.second;
    const auto text = [&](const char* form) {
      return fmt::format(fmt::runtime(form), left.first, right.first);
    };
    switch (random_() % 14) {
      case 0: return {text("({} + {})"), a + b};
      case 1: return {text("({} - {})"), a - b};
      case 2: return {text("({} * {})"), a * b};
      case 3: return {text("({} & {})"), a & b};
      case 4: return {text("({} | ~{})"), a | ~b};
      case 5: return {text("({} ^ {})"), a ^ b};
      case 6: return {text("({} << ({} & 31))"), a << (b & 31)};
      case 7: return {text("({} >> ({} & 31))"), a >> (b & 31)};
      case 8:
        return {text("(u)((int){} >> ({} & 31))"),
                static_cast<Value>(static_cast<int>(a) >> (b & 31))};
      case 9:
        return {text("((int){} < (int){} ? 3u : 7u)"),
                static_cast<int>(a) < static_cast<int>(b) ? 3U : 7U};
      case 10: return {text("({} < {})"), a < b ? 1U : 0U};
      case 11: return {text("({} / ({} | 1))"), a / (b | 1)};
      case 12: return {text("({} % ({} | 1))"), a % (b | 1)};
      default: break;
    }
    const auto product = static_cast<std::int64_t>(static_cast<int>(a)) * static_cast<int>(b);
    return {text("(u)(((long long)(int){} * (int){}) >> 32)"), static_cast<Value>(product >> 32)};
  }

 private:
  std::pair<std::string, Value> leaf() {
    const std::size_t which = random_() % 4;
    if (which < 3) return {std::string(1, "abc"[which]), values_[which]};
    const Value number = static_cast<Value>(random_()) >> (random_() % 32);
    return {fmt::format("0x{:x}u", number), number};
  }

  std::mt19937& random_;
  std::array<Value, 3> values_;
};

TEST(Interpreter, ComputesRandomFunctionsAsTheHost) {
  SKIP_WITHOUT_RISCV_TOOLS();
  constexpr unsigned kFunctions = 300;
  std::mt19937 random(15);
  std::string source = "typedef unsigned u;\n";
  std::vector<std::array<Value, 3>> inputs;
  std::vector<Value> expected;
  for (unsigned i = 0; i < kFunctions; ++i) {
    inputs.push_back({static_cast<Value>(random()), static_cast<Value>(random()),
                      static_cast<Value>(random() % 64)});
    const auto [text, value] = RandomExpression(random, inputs.back()).make(4);
    source += fmt::format("u f{}(u a, u b, u c) {{ return {}; }}\n", i, text);
    expected.push_back(value);
  }
  for (const char* options : {"-O0", "-O2"}) {
    const Image image = image_of(compiled(source, options));
    for (unsigned i = 0; i < kFunctions; ++i) {
      const auto function = find_function(image, fmt::format("f{}", i));
      ASSERT_TRUE(function);
      const auto result =
          call(image, *function, {inputs[i].begin(), inputs[i].end()}, Arch::Wormhole);
      ASSERT_TRUE(result) << to_string(result.error());
      EXPECT_EQ(result->returned, expected[i]) << options << " f" << i;
    }
  }
}

/// One function per instruction: `op rd, a, b`.
std::string one_instruction(const std::string& name, bool is_unary = false) {
  std::string function = name;
  std::replace(function.begin(), function.end(), '.', '_');
  return fmt::format(
      "unsigned do_{}(unsigned a, unsigned b) {{ unsigned d; __asm__ volatile(\"{} %0, %1{}\" : "
      "\"=r\"(d) : \"r\"(a), \"r\"(b)); return d; }}\n",
      function, name, is_unary ? "" : ", %2");
}

class OneInstruction : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_RISCV_TOOLS();
    std::string source;
    for (const char* name :
         {"div", "divu", "rem", "remu", "mulh", "mulhu", "mulhsu", "andn", "orn", "xnor", "min",
          "minu", "max", "maxu", "rol", "ror", "sh1add", "sh2add", "sh3add"})
      source += one_instruction(name);
    for (const char* name : {"clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "orc.b", "rev8"})
      source += one_instruction(name, true);
    source += source_file("special.c");
    image_ = image_of(compiled(source, "-O2 -march=rv32ima_zicsr_zba_zbb"));
  }
  Value run(const std::string& name, Value a, Value b = 0) const {
    const auto result = call(image_, *find_function(image_, name), {a, b}, Arch::Blackhole);
    EXPECT_TRUE(result) << to_string(result.error());
    return result ? result->returned : 0;
  }
  Image image_;
};

constexpr Value kMinimum = 0x80000000, kMinusOne = 0xFFFFFFFF;

/// RISC-V manual, M: division by zero and overflow.
TEST_F(OneInstruction, DivisionHasTheManualsCorners) {
  for (const Value a : {0U, 1U, 7U, kMinimum, kMinusOne}) {
    EXPECT_EQ(run("do_div", a, 0), kMinusOne);
    EXPECT_EQ(run("do_divu", a, 0), kMinusOne);
    EXPECT_EQ(run("do_rem", a, 0), a);
    EXPECT_EQ(run("do_remu", a, 0), a);
  }
  EXPECT_EQ(run("do_div", kMinimum, kMinusOne), kMinimum);
  EXPECT_EQ(run("do_rem", kMinimum, kMinusOne), 0U);
  EXPECT_EQ(run("do_divu", kMinimum, kMinusOne), 0U);
  EXPECT_EQ(run("do_remu", kMinimum, kMinusOne), kMinimum);
  EXPECT_EQ(run("do_div", 0U - 7, 2), 0U - 3); // toward zero
  EXPECT_EQ(run("do_rem", 0U - 7, 2), 0U - 1); // the dividend's sign
}

TEST_F(OneInstruction, ComputesWhatTheManualSays) {
  std::mt19937 random(16);
  for (int i = 0; i < 50; ++i) {
    const auto a = static_cast<Value>(random()),
               b = static_cast<Value>(random()) >> (random() % 32);
    const auto sa = static_cast<std::int64_t>(static_cast<std::int32_t>(a)),
               sb = static_cast<std::int64_t>(static_cast<std::int32_t>(b));
    const auto upper = [](std::int64_t product) { return static_cast<Value>(product >> 32); };
    EXPECT_EQ(run("do_mulh", a, b), upper(sa * sb));
    EXPECT_EQ(run("do_mulhsu", a, b), upper(sa * static_cast<std::int64_t>(b)));
    EXPECT_EQ(run("do_mulhu", a, b), static_cast<Value>(static_cast<std::uint64_t>(a) * b >> 32));
    EXPECT_EQ(run("do_andn", a, b), a & ~b);
    EXPECT_EQ(run("do_orn", a, b), a | ~b);
    EXPECT_EQ(run("do_xnor", a, b), ~(a ^ b));
    EXPECT_EQ(run("do_min", a, b), sa < sb ? a : b);
    EXPECT_EQ(run("do_max", a, b), sa < sb ? b : a);
    EXPECT_EQ(run("do_minu", a, b), a < b ? a : b);
    EXPECT_EQ(run("do_maxu", a, b), a < b ? b : a);
    EXPECT_EQ(run("do_rol", a, b), std::rotl(a, static_cast<int>(b % 32)));
    EXPECT_EQ(run("do_ror", a, b), std::rotr(a, static_cast<int>(b % 32)));
    EXPECT_EQ(run("do_sh1add", a, b), 2 * a + b);
    EXPECT_EQ(run("do_sh2add", a, b), 4 * a + b);
    EXPECT_EQ(run("do_sh3add", a, b), 8 * a + b);
    EXPECT_EQ(run("do_cpop", a), static_cast<Value>(std::popcount(a)));
    EXPECT_EQ(run("do_sext_b", a), static_cast<Value>(static_cast<std::int8_t>(a)));
    EXPECT_EQ(run("do_sext_h", a), static_cast<Value>(static_cast<std::int16_t>(a)));
    EXPECT_EQ(run("do_zext_h", a), a % 65536);
    EXPECT_EQ(run("do_rev8", a), __builtin_bswap32(a));
    EXPECT_EQ(run("swap", a, b), a ^ b);
    EXPECT_EQ(run("amax", a, b), sa < sb ? b : a);
    EXPECT_EQ(run("bits", a, b), (a | b) & ~5U);
  }
  EXPECT_EQ(run("do_clz", 0), 32U);
  EXPECT_EQ(run("do_ctz", 0), 32U);
  EXPECT_EQ(run("do_clz", 1), 31U);
  EXPECT_EQ(run("do_ctz", kMinimum), 31U);
  EXPECT_EQ(run("do_orc_b", 0x00120001), 0x00FF00FFU);
}

} // namespace
} // namespace lanewise::elf
