// L1: the memory of a tile, which the cores, the unpackers and the packers share (core.md 2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "chip/isa/arch.h"

namespace lanewise::tile {

class L1 {
 public:
  explicit L1(Arch arch) : own_(arch_params(arch).tile.l1_bytes), bytes_(own_) {}
  /// With bytes of somebody else's, and what they hold. Precondition: they live as long.
  explicit L1(std::span<std::uint8_t> bytes) : bytes_(bytes) {}
  /// A copy has bytes of its own.
  L1(const L1& other) : own_(other.bytes_.begin(), other.bytes_.end()), bytes_(own_) {}
  L1(L1&& other) noexcept : own_(std::move(other.own_)), bytes_(other.bytes_) { other.bytes_ = {}; }
  /// Has its own bytes afterwards, too; takes no new memory where it had them before.
  L1& operator=(const L1& other) {
    if (this == &other) return *this;
    own_.assign(other.bytes_.begin(), other.bytes_.end());
    bytes_ = own_;
    return *this;
  }
  L1& operator=(L1&& other) noexcept {
    std::swap(own_, other.own_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~L1() = default;

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

  friend bool operator==(const L1& a, const L1& b) {
    return std::ranges::equal(a.bytes_, b.bytes_);
  }

 private:
  std::vector<std::uint8_t> own_; ///< empty if the bytes are somebody else's
  std::span<std::uint8_t> bytes_;
};

} // namespace lanewise::tile
