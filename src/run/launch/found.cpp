#include "run/launch/found.h"

#include <algorithm>
#include <utility>

namespace lanewise::launch {

void FoundLog::add(unsigned core, std::uint32_t line, FaultKind kind, std::string message,
                   std::string remedy, std::string_view rule, std::optional<Mend> mend) {
  Found found{core,
              line,
              {.kind = kind,
               .message = std::move(message),
               .remedy = std::move(remedy),
               .rule = std::string(rule)},
              std::move(mend)};
  const auto known = std::ranges::find_if(all, [&](const Found& each) {
    return each.core == core && each.line == line && each.fault.rule == rule;
  });
  if (known == all.end()) {
    all.push_back(std::move(found));
  } else if (leaves_results_valid(known->fault.kind) && !leaves_results_valid(kind)) {
    *known = std::move(found);
  }
}

} // namespace lanewise::launch
