// Two texts as a unified diff, which patch and git apply take.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

/// What makes `after` of `before`, the file that is called `path` in both: three lines around each
/// change. Ends of lines are part of the lines, so that any file comes out as it went in. Empty if
/// both are the same. Time and memory are those of the changed part of both, multiplied.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

} // namespace lanewise
