// The items of some work in processes, each kept as soon as it is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "study/parts/shared_work.h"

namespace lanewise::parts {

/// How items are done.
struct ItemRun {
  unsigned jobs = 1; ///< processes
  /// Gives what is kept of an item, in a process of its own.
  std::function<Json(std::uint64_t item)> run;
  /// Called now and then with how many of this run's items are done; false stops.
  std::function<bool(std::size_t done, std::size_t all)> progress;
};

/// What each item of the work's range has given, in their order: those that are there already, and
/// those that are done now. Nothing for an item that was not done, or whose process was ended.
/// `work` has begun, with Keeping::Lines. Error: BadInput if there can be no process.
Expected<std::vector<std::optional<Json>>> run_items(SharedWork& work, const ItemRun& how);

} // namespace lanewise::parts
