#include "study/parts/part.h"

#include <fmt/format.h>

#include <optional>

#include "base/in_quotes.h"
#include "base/whole_number.h"

namespace lanewise::parts {

namespace {

/// items * number / of, which 64 bits need not hold in between.
std::uint64_t boundary(std::uint64_t items, std::uint64_t number, std::uint64_t of) {
  return items / of * number + items % of * number / of;
}

} // namespace

Expected<Part> parse_part(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool has_both = slash != std::string_view::npos;
  const auto number = parse_whole_number(text.substr(0, slash));
  const auto of = has_both ? parse_whole_number(text.substr(slash + 1)) : std::nullopt;
  if (!number || !of || *number < 1 || *number > *of || *of > kMostParts) {
    return bad_input(fmt::format("{} names no part", in_quotes(text)),
                     fmt::format("write K/N, such as 3/8 for the third of eight; K is 1 to N, and "
                                 "N {} at most",
                                 kMostParts));
  }
  return Part{*number, *of};
}

std::string part_name(const Part& part) {
  return fmt::format("part {} of {}", part.number, part.of);
}

ItemRange range_of(const Part& part, std::uint64_t items) {
  return {boundary(items, part.number - 1, part.of), boundary(items, part.number, part.of)};
}

} // namespace lanewise::parts
