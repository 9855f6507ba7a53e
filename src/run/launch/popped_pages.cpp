#include "run/launch/popped_pages.h"

#include <algorithm>

namespace lanewise::launch {

namespace {

constexpr std::size_t kMostPopped = 1024;

void learn(auto& known, const auto& told) {
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], told[i]);
}

} // namespace

void PoppedPages::move(unsigned core, unsigned ring, bool is_push) {
  learn(told_[{ring, is_push}], known_[who(core)]);
}

void PoppedPages::see(unsigned core, unsigned ring, bool is_push) {
  const auto told = told_.find({ring, is_push});
  if (told != told_.end()) learn(known_[who(core)], told->second);
}

void PoppedPages::add(const noc::Transaction& t, const L1Range& pages, Found wrong) {
  if (popped_.size() == kMostPopped) {
    tell(popped_.front().wrong);
    popped_.erase(popped_.begin());
  }
  popped_.push_back({.number = t.number,
                     .asker = t.core,
                     .pages = pages,
                     .wrong = std::move(wrong),
                     .asked_at = t.line});
}

void PoppedPages::leave(const noc::Transaction& t) {
  for (Popped& each : popped_)
    if (each.number == t.number && !each.left) each.left = ++known_[who(t.core)][who(t.core)];
}

void PoppedPages::fill(unsigned core, std::uint64_t address, std::uint64_t bytes) {
  std::erase_if(popped_, [&](const Popped& each) {
    if (address >= each.pages.address + each.pages.bytes || each.pages.address >= address + bytes)
      return false;
    const bool is_told = each.left && known_[who(core)][who(each.asker)] >= *each.left;
    if (is_told) {
      in_order_.insert({each.wrong.line, each.asked_at});
    } else {
      tell(each.wrong);
    }
    return true;
  });
}

void PoppedPages::settle() {
  for (const Popped& each : popped_)
    if (!in_order_.contains({each.wrong.line, each.asked_at})) tell(each.wrong);
  popped_.clear();
}

void PoppedPages::tell(const Found& wrong) {
  found_.add(wrong.core, wrong.line, wrong.fault.kind, wrong.fault.message, wrong.fault.remedy,
             wrong.fault.rule);
}

} // namespace lanewise::launch
