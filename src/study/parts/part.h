// A part of some work that is shared between machines: which of the work's items it has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace lanewise::parts {

/// More than any engine starts; a wish beyond it only gives parts of nothing.
inline constexpr std::uint64_t kMostParts = 1'000'000;

/// The part `number`, from 1, of `of`. 1 of 1 is all of the work.
struct Part {
  std::uint64_t number = 1, of = 1;
  friend bool operator==(const Part&, const Part&) = default;
};

/// "3/8". Error: BadInput for what is none.
Expected<Part> parse_part(std::string_view text);

/// "part 3 of 8".
std::string part_name(const Part& part);

/// Items begin..end - 1.
struct ItemRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count() const { return end - begin; }
  friend bool operator==(const ItemRange&, const ItemRange&) = default;
};

/// The items of a part of work that has `items`: the ranges of all parts follow each other, cover
/// everything once, and differ by one item at most.
ItemRange range_of(const Part& part, std::uint64_t items);

} // namespace lanewise::parts
