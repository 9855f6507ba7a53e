// Words of the command line that nobody knows, with those that may have been meant.
#pragma once

#include <string>
#include <vector>

namespace lanewise::cli {

/// "there is no command 'rum'; did you mean run?", or where nothing is near, what `otherwise` says
/// behind the semicolon.
std::string unknown_word(const std::string& kind, const std::string& word,
                         const std::vector<std::string>& known, const std::string& otherwise);

} // namespace lanewise::cli
