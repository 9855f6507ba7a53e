#include "run/launch/found.h"

#include <algorithm>
#include <utility>

namespace lanewise::launch {

void FoundLog::add(unsigned core, std::uint32_t line, FaultKind kind, std::string message,
                   std::string remedy, std::string_view rule) {
  const bool is_known = std::ranges::any_of(all, [&](const Found& each) {
    return each.core == core && each.line == line && each.fault.rule == rule;
  });
  if (is_known) return;
  all.push_back({core,
                 line,
                 {.kind = kind,
                  .message = std::move(message),
                  .remedy = std::move(remedy),
                  .rule = std::string(rule)}});
}

} // namespace lanewise::launch
