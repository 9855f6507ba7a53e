// Random FP32 bit patterns that meet special cases often.
#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace lanewise::test {

class BiasedFloats {
 public:
  explicit BiasedFloats(std::uint32_t seed) : random_(seed) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

  /// Any pattern: zeros, denormals, infinities, NaNs, powers of two and their neighbours are
  /// frequent.
  std::uint32_t any() { return sign() | exponent() << 23 | mantissa(); }

  /// x, y and an addend that is often close to -x * y, or close to the edge of the exponent range.
  std::array<std::uint32_t, 3> triple() {
    const std::uint32_t x = any();
    std::uint32_t y = any();
    std::uint32_t z = any();
    const auto exponent_of = [](std::uint32_t v) { return static_cast<int>(v >> 23 & 255); };
    switch (bits() % 4) {
      case 0: { // the product near the addend, so that terms cancel
        const int product =
            exponent_of(x) + exponent_of(y) - 127 + static_cast<int>(bits() % 5) - 2;
        if (product > 0 && product < 255) {
          z = (z & 0x807FFFFFU) | static_cast<std::uint32_t>(product) << 23;
        }
        break;
      }
      case 1: { // the product near an edge of the exponent range
        const int target = (bits() % 2 != 0 ? 0 : 254) + static_cast<int>(bits() % 7) - 3;
        const int wanted = target + 127 - exponent_of(x);
        if (wanted > 0 && wanted < 255) {
          y = (y & 0x807FFFFFU) | static_cast<std::uint32_t>(wanted) << 23;
        }
        break;
      }
      default: break;
    }
    return {x, y, z};
  }

  /// A number whose products and sums stay far from every edge: 2^-30 .. 2^30, or zero.
  std::uint32_t moderate() {
    if (bits() % 16 == 0) return sign();
    return sign() | (127 - 30 + bits() % 61) << 23 | mantissa();
  }

 private:
  std::uint32_t sign() { return bits() & 0x80000000U; }
  std::uint32_t exponent() {
    switch (bits() % 8) {
      case 0: return 0;
      case 1: return 255;
      case 2: return bits() % 4;
      case 3: return 251 + bits() % 5;
      case 4: return bits() % 256;
      default: return 112 + bits() % 31;
    }
  }
  std::uint32_t mantissa() {
    const std::uint32_t m = bits() & 0x7FFFFF;
    switch (bits() % 6) {
      case 0: return 0;
      case 1: return 0x7FFFFF;
      case 2: return 1U << (m % 23);
      case 3: return m & 7;
      default: return m;
    }
  }

  std::mt19937 random_;
};

} // namespace lanewise::test
