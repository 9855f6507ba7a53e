// Many pieces of work in processes of their own, each of which does one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise {

/// Does work 0..count-1 in `jobs` processes, in this order as they become free, and returns what
/// each of them gave; nothing for what was not done, or whose process was ended. `progress` is
/// called now and then with how many are done; false stops: what has begun is finished. `take` is
/// called with each result, here and soon after it is there, in no order.
/// Error: BadInput if there can be no process.
Expected<std::vector<std::optional<std::string>>> run_in_processes(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<bool(std::size_t)>& progress,
    const std::function<void(std::size_t, const std::string&)>& take = {});

} // namespace lanewise
