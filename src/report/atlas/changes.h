// What is different from an earlier atlas: of another tree, another release of SFPI, another
// version of this program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/fault.h"
#include "report/atlas/entry.h"

namespace lanewise::report {

/// What atlas.json says that it is.
inline constexpr const char* kAtlasFormat = "lanewise-atlas";
inline constexpr int kAtlasJsonVersion = 1;

struct AtlasChanges {
  /// By "exp.bf16": sentences, "bh: cycles 564 -> 500".
  std::map<std::string, std::vector<std::string>> of_items;
  std::vector<std::string> gone; ///< items that only the earlier atlas has
};

/// `earlier` and `now` are what atlas.json has. Compared are words, cycles, errors and hazards of
/// each item on each chip; an item that is new is said to be. Error: BadInput if `earlier` is no
/// atlas; `name` stands in messages.
Expected<AtlasChanges> atlas_changes(const AtlasJson& earlier, const AtlasJson& now,
                                     const std::string& name);

} // namespace lanewise::report
