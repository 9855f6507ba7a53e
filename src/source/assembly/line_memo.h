// Lines of assembly that have been read: programs repeat them, where loops are written out most of
// all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace lanewise::assembly {

/// Words by the line that they came from, comment included. Each line has one place, which the last
/// one to come keeps. The lines point into the source.
class LineMemo {
 public:
  /// The word of a line of the same text, if it is known.
  std::optional<std::uint32_t> find(std::string_view line) const {
    const Entry& entry = entries_[place(line)];
    return entry.line == line && !line.empty() ? std::optional(entry.word) : std::nullopt;
  }

  void remember(std::string_view line, std::uint32_t word) { entries_[place(line)] = {line, word}; }

  /// For when the same text may mean another word.
  void forget() { entries_.fill({}); }

 private:
  struct Entry {
    std::string_view line = {};
    std::uint32_t word = 0;
  };
  static constexpr std::size_t kPlaces = 1024;

  static std::size_t place(std::string_view line) {
    return std::hash<std::string_view>()(line) % kPlaces;
  }

  std::array<Entry, kPlaces> entries_{};
};

} // namespace lanewise::assembly
