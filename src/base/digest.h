// Whether something is the same as before.
#pragma once

#include <cstdint>

namespace lanewise {

/// FNV-1a of 64 bits, by bytes or by larger units. No help against people who want two things to
/// look the same.
class Fnv1a {
 public:
  static constexpr std::uint64_t kPrime = 0x100000001B3U;

  constexpr void add(std::uint64_t unit) { value_ = (value_ ^ unit) * kPrime; }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

} // namespace lanewise
