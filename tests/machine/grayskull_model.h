// Grayskull's Vector Unit as another program would have it: 64 lanes at once, registers as 19 bits
// without sign extension, sums in long double. From SFPI 4 and the public sources of SFPI 5.0 that
// it names; shares nothing with the machine but the format of words.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lanewise::test {

class GrayskullModel {
 public:
  static constexpr unsigned kWidth = 64;
  using Register = std::array<std::uint32_t, kWidth>;

  GrayskullModel() {
    constexpr std::array<std::uint32_t, 11> kConstants{
        0,          0x3F316000, 0xBF80E000, 0x3FB8A000, 0x3F564000, 0xBF000000,
        0x3F800000, 0xBF800000, 0x3B000000, 0xBF2CC000, 0xBEB08000};
    for (unsigned i = 0; i < kConstants.size(); ++i) reg[4 + i].fill(kConstants[i] >> 13);
    for (unsigned lane = 0; lane < kWidth; ++lane) reg[15][lane] = lane;
    enable.fill(true);
    result.fill(true);
  }

  std::array<Register, 16> reg{};
  std::array<std::array<std::uint16_t, 16>, 1024> dst{};
  std::array<bool, kWidth> enable{}, result{}; ///< predication in use, and its flag
  unsigned counter = 0;                        ///< of Dst

  void run(std::uint32_t word) {
    const std::uint32_t opcode = word >> 24;
    const unsigned d = word >> 4 & 15, c = word >> 8 & 15, mod = word & 15;
    const auto imm = static_cast<std::int32_t>(word << 8) >> 20; // bits 23:12 with sign
    switch (opcode) {
      case 0x02: return;                             // NOP
      case 0x38: counter += word >> 14 & 15; return; // INCRWC
      case 0x70: return load(word);
      case 0x71: return load_immediate(word);
      case 0x72: return store(word);
      case 0x73: return look_up(word >> 20 & 15, word >> 16 & 15);
      case 0x74: return with_literal(word, true);
      case 0x75: return with_literal(word, false);
      case 0x76: return each(d, [&](unsigned l) { return scaled(reg[c][l], imm, (mod & 1) != 0); });
      case 0x77: return exponent(d, c, mod);
      case 0x78:
        return each(
            d, [&](unsigned l) { return (reg[c][l] & 0x3FF) | ((mod & 1) == 0 ? 0x400U : 0U); });
      case 0x79: return add_integers(d, c, imm, mod);
      case 0x7A:
        return each(d, [&](unsigned l) {
          return shifted(reg[d][l], (mod & 1) != 0 ? imm : number(reg[c][l]));
        });
      case 0x7B: return test(c, mod, (word >> 12 & 1) != 0);
      case 0x7C: return move(d, c, mod);
      case 0x7D:
        return each(d, [&](unsigned l) {
          const std::uint32_t x = reg[c][l];
          return (mod & 1) != 0 ? x & 0x3FFFF : bits(number(x) < 0 ? -number(x) : number(x));
        });
      case 0x7E: return each(d, [&](unsigned l) { return reg[d][l] & reg[c][l]; });
      case 0x7F: return each(d, [&](unsigned l) { return reg[d][l] | reg[c][l]; });
      case 0x80: return each(d, [&](unsigned l) { return reg[c][l] ^ 0x7FFFF; });
      case 0x81: return leading_zeros(d, c, mod);
      case 0x82:
        return each(d, [&](unsigned l) {
          const std::uint32_t field = (mod & 1) != 0 ? word >> 12 : reg[d][l];
          return (reg[c][l] & 0x403FF) | (field & 0xFF) << 10;
        });
      case 0x83:
        return each(d, [&](unsigned l) {
          const std::uint32_t field = (mod & 1) != 0 ? word >> 12 & 0x3FF : reg[d][l] >> 9 & 0x1FF;
          return (reg[c][l] & 0x7FC00) | field;
        });
      case 0x84:
      case 0x85:
      case 0x86: return multiply_add(word);
      case 0x87: return stack.push_back({enable, result});
      case 0x88: return pop();
      case 0x89:
        return each(d, [&](unsigned l) {
          const bool sign = (mod & 1) != 0 ? (word >> 12 & 1) != 0 : reg[d][l] >> 18 != 0;
          return (reg[c][l] & 0x3FFFF) | (sign ? 0x40000U : 0U);
        });
      case 0x8A: return enable_flags(word >> 12 & 3, mod);
      case 0x8B: return complement();
      default: unknown = true;
    }
  }

  bool unknown = false; ///< a word that is none of the Vector Unit's
  std::vector<std::pair<std::array<bool, kWidth>, std::array<bool, kWidth>>> stack;

  static std::int32_t number(std::uint32_t x) {
    return x >= 0x40000 ? static_cast<std::int32_t>(x) - 0x80000 : static_cast<std::int32_t>(x);
  }

 private:
  static std::uint32_t bits(std::int64_t value) {
    return static_cast<std::uint32_t>(value & 0x7FFFF);
  }

  bool on(unsigned lane) const { return !enable[lane] || result[lane]; }

  template <class Function>
  void each(unsigned d, Function function) {
    if (d >= 4) return;
    Register next = reg[d];
    for (unsigned l = 0; l < kWidth; ++l) {
      if (on(l)) next[l] = function(l);
    }
    reg[d] = next;
  }

  // ---------------------------------------------------------------- floats
  static float real(std::uint32_t x) {
    const int exponent = static_cast<int>(x >> 10 & 255), mantissa = static_cast<int>(x & 0x3FF);
    const float sign = x >> 18 != 0 ? -1.0F : 1.0F;
    if (exponent == 255) {
      return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                           : std::numeric_limits<float>::quiet_NaN();
    }
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -136);
    return sign * std::ldexp(static_cast<float>(0x400 + mantissa), exponent - 137);
  }

  /// A binary32 with all but 10 bits of its mantissa left out.
  static std::uint32_t cut(float value) {
    if (std::isnan(value)) return 0x1FF00 << 1; // exponent 255, the top bit of the mantissa
    const std::uint32_t sign = std::signbit(value) ? 0x40000U : 0U;
    const float magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return sign | 0x3FC00;
    if (magnitude < std::numeric_limits<float>::min())
      return sign | static_cast<std::uint32_t>(std::ldexp(static_cast<double>(magnitude), 136));
    int exponent = 0;
    const double fraction = std::frexp(static_cast<double>(magnitude), &exponent); // 0.5 .. 1
    const auto mantissa = static_cast<std::uint32_t>(fraction * 2048) & 0x3FF;
    return sign | static_cast<std::uint32_t>(exponent + 126) << 10 | mantissa;
  }

  static float rounded(long double value) { return static_cast<float>(value); }

  static float sum(float a, float b, float c, unsigned mod) {
    const float half = (mod & 3) == 1 ? 0.5F : (mod & 3) == 3 ? -0.5F : 0.0F;
    const float product = rounded(static_cast<long double>(a) * b);
    return rounded(static_cast<long double>(rounded(static_cast<long double>(product) + c)) + half);
  }

  void multiply_add(std::uint32_t word) {
    const unsigned a = word >> 16 & 15, b = word >> 12 & 15, c = word >> 8 & 15;
    each(word >> 4 & 15, [&](unsigned l) {
      return cut(sum(real(reg[a][l]), real(reg[b][l]), real(reg[c][l]), word & 15));
    });
  }

  void with_literal(std::uint32_t word, bool multiplies) {
    const float literal = real((word >> 8 & 0xFFFF) << 3);
    const unsigned d = word >> 4 & 15;
    each(d, [&](unsigned l) {
      const float x = real(reg[d][l]);
      return cut(multiplies ? sum(literal, x, 0, word & 15) : sum(1, x, literal, word & 15));
    });
  }

  static float coefficient(std::uint32_t byte) {
    if (byte == 0xFF) return 0;
    const float magnitude =
        std::ldexp(static_cast<float>(16 + (byte & 15)), -4 - static_cast<int>(byte >> 4 & 7));
    return (byte & 0x80) != 0 ? -magnitude : magnitude;
  }

  void look_up(unsigned d, unsigned mod) {
    each(d, [&](unsigned l) {
      const float x = real(reg[3][l]);
      const std::uint32_t exponent = reg[3][l] >> 10 & 255;
      const std::uint32_t entry = reg[exponent < 127 ? 0 : exponent == 127 ? 1 : 2][l];
      const float y =
          sum(coefficient(entry >> 8 & 255), std::fabs(x), coefficient(entry & 255), mod);
      if (std::isnan(y)) return cut(y);
      const std::uint32_t found = cut(y);
      return (mod & 4) != 0 ? (found & 0x3FFFF) | (reg[3][l] & 0x40000) : found;
    });
  }

  static std::uint32_t scaled(std::uint32_t x, std::int32_t step, bool adds) {
    const std::uint32_t old = adds ? x >> 10 & 255 : 0;
    return (x & 0x403FF) | ((old + static_cast<std::uint32_t>(step)) & 255) << 10;
  }

  // ---------------------------------------------------------------- Dst
  std::uint16_t& cell(std::uint32_t word, unsigned lane) {
    const std::uint32_t row = ((word & 0xFFFF) + counter) % 1024 / 4 * 4;
    return dst[row + lane / 16][lane % 16];
  }
  void load(std::uint32_t word) {
    each(word >> 20 & 15, [&](unsigned l) { return std::uint32_t{cell(word, l)} << 3; });
  }
  void store(std::uint32_t word) {
    for (unsigned l = 0; l < kWidth; ++l) {
      const std::uint32_t x = reg[word >> 20 & 15][l];
      if (on(l)) cell(word, l) = static_cast<std::uint16_t>((word >> 16 & 15) == 2 ? x : x >> 3);
    }
  }
  void load_immediate(std::uint32_t word) {
    const std::uint32_t imm = word & 0xFFFF;
    std::uint32_t x = 0;
    switch (word >> 16 & 15) {
      case 0: x = imm << 3; break;
      case 1: x = (imm >> 15) << 18 | ((imm >> 10 & 31) + 112) << 10 | (imm & 0x3FF); break;
      case 2: x = imm; break;
      case 4: x = imm >= 0x8000 ? imm | 0x70000 : imm; break;
      default: return; // means nothing
    }
    each(word >> 20 & 15, [&](unsigned) { return x; });
  }

  // ---------------------------------------------------------------- integers
  static std::uint32_t shifted(std::uint32_t x, std::int32_t amount) {
    const auto count = static_cast<unsigned>(std::abs(amount)) % 32;
    return amount < 0 ? x >> count : bits(std::int64_t{x} << count);
  }

  /// Writes values, and then the flags by condition(value), unless it is wanted otherwise.
  template <class Value, class Condition>
  void computed(unsigned d, unsigned sets, unsigned inverts, Value value, Condition condition) {
    std::array<bool, kWidth> next = result;
    Register values{};
    for (unsigned l = 0; l < kWidth; ++l) {
      values[l] = value(l);
      if (!on(l) || (sets == 0 && inverts == 0)) continue;
      const bool holds = sets != 0 ? condition(l, values[l]) : result[l];
      next[l] = result[l] && enable[l] && (inverts != 0 ? !holds : holds);
    }
    each(d, [&](unsigned l) { return values[l]; });
    result = next;
  }

  void exponent(unsigned d, unsigned c, unsigned mod) {
    if (d >= 4) return;
    computed(
        d, mod & 2, mod & 8,
        [&](unsigned l) {
          return bits(static_cast<std::int32_t>(reg[c][l] >> 10 & 255) -
                      ((mod & 1) != 0 ? 0 : 127));
        },
        [](unsigned, std::uint32_t x) { return number(x) < 0; });
  }
  void leading_zeros(unsigned d, unsigned c, unsigned mod) {
    if (d >= 4) return;
    const Register source = reg[c];
    computed(
        d, mod & 2, mod & 8,
        [&](unsigned l) {
          unsigned zeros = 0;
          while (zeros < 19 && (source[l] >> (18 - zeros) & 1U) == 0) ++zeros;
          return zeros;
        },
        [&](unsigned l, std::uint32_t) { return source[l] != 0; });
  }
  void add_integers(unsigned d, unsigned c, std::int32_t imm, unsigned mod) {
    if (d >= 4) return;
    computed(
        d, (mod & 4) == 0 ? 1 : 0, mod & 8,
        [&](unsigned l) {
          const std::int32_t x = number(reg[c][l]), y = number(reg[d][l]);
          return bits((mod & 1) != 0 ? x + imm : (mod & 2) != 0 ? x - y : x + y);
        },
        [](unsigned, std::uint32_t x) { return number(x) < 0; });
  }
  void move(unsigned d, unsigned c, unsigned mod) {
    if (d >= 4) return;
    for (unsigned l = 0; l < kWidth; ++l) {
      if (mod == 2 || on(l)) reg[d][l] = reg[c][l] ^ ((mod & 1) != 0 ? 0x40000U : 0U);
    }
  }

  // ---------------------------------------------------------------- predication
  void test(unsigned c, unsigned mod, bool imm) {
    for (unsigned l = 0; l < kWidth; ++l) {
      const std::uint32_t x = reg[c][l];
      bool holds = false;
      if ((mod & 8) != 0)
        holds = false;
      else if ((mod & 1) != 0)
        holds = imm;
      else if (mod == 0)
        holds = x >> 18 != 0;
      else if (mod == 2)
        holds = x != 0;
      else if (mod == 4)
        holds = x >> 18 == 0;
      else
        holds = x == 0;
      if (on(l)) result[l] = result[l] && enable[l] && holds;
    }
  }
  void pop() {
    if (stack.empty()) return;
    std::tie(enable, result) = stack.back();
    stack.pop_back();
  }
  void enable_flags(std::uint32_t imm, unsigned mod) {
    for (unsigned l = 0; l < kWidth; ++l) {
      if ((mod & 2) != 0)
        enable[l] = (imm & 1) != 0;
      else if ((mod & 1) != 0)
        enable[l] = !enable[l];
      result[l] = (mod & 8) == 0 || (imm & 2) != 0;
    }
  }
  void complement() {
    for (unsigned l = 0; l < kWidth; ++l) {
      const bool outer = stack.empty() || (stack.back().first[l] && stack.back().second[l]);
      result[l] = outer && !on(l) && enable[l];
    }
  }
};

} // namespace lanewise::test
