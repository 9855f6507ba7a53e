// What is known of words of code by their address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise::riscv {

/// Holds a value for each address that was put there last; of two that share a place, the later
/// one. It takes no memory before the first.
template <class Value>
class CodeMemo {
 public:
  /// The value of an address, or nullptr.
  Value* find(std::uint32_t address) {
    Entry& entry = entries_[place(address)];
    return entry.address == address ? &entry.value : nullptr;
  }

  /// The reference holds until another address is put there.
  Value& put(std::uint32_t address, const Value& value) {
    if (places_ == 0) {
      entries_ = std::vector<Entry>(kEntries);
      places_ = kEntries - 1;
    }
    Entry& entry = entries_[place(address)];
    entry = {.address = address, .value = value};
    return entry.value;
  }

 private:
  static constexpr std::size_t kEntries = 1024; ///< 4 KB of code: the loops of a kernel
  static constexpr std::uint64_t kNoAddress = std::uint64_t{1} << 32;

  struct Entry {
    std::uint64_t address = kNoAddress;
    Value value{};
  };

  std::size_t place(std::uint32_t address) const { return address / 4 & places_; }

  std::vector<Entry> entries_ = std::vector<Entry>(1); ///< a power of two: before the first, one
  std::uint32_t places_ = 0;                           ///< their number less 1
};

} // namespace lanewise::riscv
