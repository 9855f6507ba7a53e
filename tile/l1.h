// L1: the memory of a tile, which the cores, the unpackers and the packers share (core.md 2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/arch.h"

namespace lanewise::tile {

class L1 {
 public:
  explicit L1(Arch arch) : bytes_(arch_params(arch).l1_bytes) {}

  std::span<std::uint8_t> bytes() { return bytes_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }

  /// Whether `count` bytes from an address on are there.
  bool holds(std::uint64_t address, std::uint64_t count) const {
    return address <= bytes_.size() && count <= bytes_.size() - address;
  }

  /// 1, 2 or 4 bytes, the lowest address in the low bits. Precondition: holds().
  std::uint32_t load(std::uint32_t address, unsigned count) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= static_cast<std::uint32_t>(bytes_[address + i]) << (8 * i);
    return value;
  }
  void store(std::uint32_t address, unsigned count, std::uint32_t value) {
    for (unsigned i = 0; i < count; ++i)
      bytes_[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  friend bool operator==(const L1&, const L1&) = default;

 private:
  std::vector<std::uint8_t> bytes_;
};

} // namespace lanewise::tile
