#include "cli/unknown_word.h"

#include <fmt/format.h>

#include <string_view>

#include "base/in_quotes.h"
#include "base/near_names.h"

namespace lanewise::cli {

std::string unknown_word(const std::string& kind, const std::string& word,
                         const std::vector<std::string>& known, const std::string& otherwise) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto near = near_names(word, names);
  return fmt::format("there is no {} {}; {}", kind, in_quotes(word),
                     near.empty() ? otherwise : fmt::format("did you mean {}?", near.front()));
}

} // namespace lanewise::cli
