// Lines and names of assembly that have been read: programs repeat them, where loops are written
// out most of all.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace lanewise::assembly {

/// What texts mean. Each text has one of `kPlaces` places, a power of two, which the last one to
/// come keeps. The texts point into the source.
template <class Meaning, std::size_t kPlaces>
class TextMemo {
 public:
  /// The meaning of the same text, if it is known.
  std::optional<Meaning> find(std::string_view text) const {
    const Entry& entry = entries_[place(text)];
    return is_same(entry.text, text) ? std::optional(entry.meaning) : std::nullopt;
  }

  void remember(std::string_view text, Meaning meaning) { entries_[place(text)] = {text, meaning}; }

  /// For when the same text may mean something else.
  void forget() { entries_.fill({}); }

 private:
  struct Entry {
    std::string_view text = {};
    Meaning meaning = {};
  };
  static_assert(std::has_single_bit(kPlaces));

  /// No text is the empty one, which a place without an entry has.
  static bool is_same(std::string_view known, std::string_view text) {
    return known.size() == text.size() && !text.empty() &&
           std::memcmp(known.data(), text.data(), text.size()) == 0;
  }

  /// The upper bits of products with 2^64 over the golden ratio, eight bytes at a time: texts that
  /// differ in one character are spread.
  static std::size_t place(std::string_view text) {
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = text.size(), part = 0;
    const auto take_part = [&] { hash = (std::rotl(hash, 32) ^ part) * kSpread; };
    for (; text.size() >= sizeof part; text.remove_prefix(sizeof part)) {
      std::memcpy(&part, text.data(), sizeof part);
      take_part();
    }
    if (!text.empty()) {
      part = 0;
      for (std::size_t i = 0; i < text.size(); ++i)
        part |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
      take_part();
    }
    return static_cast<std::size_t>(hash >> (64 - std::countr_zero(kPlaces)));
  }

  std::array<Entry, kPlaces> entries_{};
};

/// By a line from its first character on, comment included.
template <class Meaning>
using LineMemo = TextMemo<Meaning, 1024>;

/// By the name of an instruction; there are not many.
template <class Meaning>
using NameMemo = TextMemo<Meaning, 64>;

} // namespace lanewise::assembly
