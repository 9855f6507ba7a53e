// Whether a core only looks, again and again, at what does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise::section {

/// Follows the loads of a core. A loop that waits loads the same from the same places; a core that
/// does nothing else cannot be told from one that waits, and need not be woken before something
/// has changed.
class Polling {
 public:
  /// After a load by the instruction at `code` of `value`. True: the core has seen nothing new for
  /// a while.
  bool loaded(std::uint64_t code, std::uint32_t address, std::uint32_t value) {
    if (2 * (places_ + 1) > table_.size()) grow();
    Place& place = table_[find(code, address)];
    const bool is_known = place.round == round_ && place.value == value;
    places_ += place.round == round_ ? 0 : 1;
    place = {.code = code, .address = address, .value = value, .round = round_};
    repeats_ = is_known ? repeats_ + 1 : 0;
    return repeats_ > kPatience;
  }

  /// Whether loaded() would say that the core finds what it has found there at least twice.
  bool finds_again(std::uint64_t code, std::uint32_t address, std::uint32_t value) const {
    if (repeats_ <= 1) return false;
    const Place& place = table_[find(code, address)];
    return place.round == round_ && place.value == value;
  }

  /// At how many it has looked since it last did something else.
  std::size_t places() const { return places_; }

  /// Whether the last load has found what was there before.
  bool repeats() const { return repeats_ > 0; }

  bool is_patient() const { return repeats_ <= kPatience; }

  /// After anything else that the core does.
  void acted() {
    ++round_;
    places_ = 0;
    repeats_ = 0;
  }

 private:
  /// Loops that only pass the time, and those that look at several places, get through.
  static constexpr unsigned kPatience = 64;
  static constexpr std::size_t kFewest = 16;

  struct Place {
    std::uint64_t code = 0;
    std::uint32_t address = 0, value = 0;
    std::uint64_t round = 0; ///< in which it was looked at; of another one it is free
  };

  /// The index of a place in the table, or of the free entry for it. One is free.
  std::size_t find(std::uint64_t code, std::uint32_t address) const {
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U; // 2^64 over the golden ratio
    std::size_t at = ((code * kSpread) ^ address) * kSpread >> 32;
    for (;; ++at) {
      const std::size_t index = at & (table_.size() - 1);
      const Place& place = table_[index];
      if (place.round != round_ || (place.code == code && place.address == address)) return index;
    }
  }

  void grow() {
    std::vector<Place> before(table_.empty() ? kFewest : 2 * table_.size());
    before.swap(table_);
    for (const Place& each : before) {
      if (each.round == round_) table_[find(each.code, each.address)] = each;
    }
  }

  std::vector<Place> table_; ///< open addressing; a power of two, half of it free
  std::uint64_t round_ = 1;
  std::size_t places_ = 0;
  unsigned repeats_ = 0;
};

} // namespace lanewise::section
