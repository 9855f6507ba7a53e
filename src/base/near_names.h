// What a misspelt name may have meant.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace lanewise {

/// Up to three of the names, nearest first, that share more than half of their letters with the
/// word; case does not matter. Two letters in the wrong order count as one mistake.
std::vector<std::string_view> near_names(std::string_view word,
                                         std::span<const std::string_view> names);

} // namespace lanewise
