#include "base/fault_list.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace lanewise {

namespace {

/// Of what tells most faults apart.
std::size_t hash_of(const Fault& fault) {
  constexpr std::size_t kFactor = 0x9E3779B97F4A7C15U;
  const std::hash<std::string_view> text;
  return (text(fault.message) ^ text(fault.file) * kFactor) + fault.line * kFactor;
}

} // namespace

void FaultList::add(Fault fault) {
  if (is_full()) return;
  const std::size_t hash = hash_of(fault);
  const auto [first, last] = by_hash_.equal_range(hash);
  const bool is_known =
      std::any_of(first, last, [&](const auto& entry) { return faults_[entry.second] == fault; });
  if (is_known) return;
  by_hash_.emplace(hash, static_cast<std::uint32_t>(faults_.size()));
  faults_.push_back(std::move(fault));
}

void FaultList::add(std::vector<Fault> faults) {
  for (Fault& fault : faults) add(std::move(fault));
}

void FaultList::clear() {
  faults_.clear();
  by_hash_.clear();
}

std::vector<Fault> FaultList::take() {
  by_hash_.clear();
  return std::exchange(faults_, {});
}

} // namespace lanewise
