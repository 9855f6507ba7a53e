#include "run/grid/accesses.h"

#include <algorithm>
#include <iterator>

namespace lanewise::grid {

void Accesses::split(std::uint64_t at) {
  auto next = cells_.upper_bound(at);
  if (next == cells_.begin()) return;
  const auto cell = std::prev(next);
  if (cell->first == at || cell->second.end <= at) return;
  cells_.emplace_hint(next, at, cell->second);
  cell->second.end = at;
}

void Accesses::visit(std::uint64_t begin, std::uint64_t end, const Visit& each) {
  split(begin);
  split(end);
  auto cell = cells_.lower_bound(begin);
  for (std::uint64_t at = begin; at < end;) {
    if (cell == cells_.end() || cell->first > at) {
      const std::uint64_t to = cell == cells_.end() ? end : std::min(end, cell->first);
      cell =
          cells_.emplace_hint(cell, at, Cell{.end = to, .changes = {}, .reads = {}, .before = {}});
    }
    each(cell->second);
    at = cell->second.end;
    ++cell;
  }
}

void Accesses::unite(std::uint64_t begin, std::uint64_t end) {
  const auto first = cells_.find(begin);
  if (first == cells_.end()) return;
  first->second.end = end;
  cells_.erase(std::next(first), cells_.lower_bound(end));
}

bool Accesses::was_changed(std::uint64_t begin, std::uint64_t end) const {
  auto cell = cells_.upper_bound(begin);
  if (cell != cells_.begin() && std::prev(cell)->second.end > begin) --cell;
  for (; cell != cells_.end() && cell->first < end; ++cell)
    if (!cell->second.changes.empty()) return true;
  return false;
}

const Accesses::Cell* Accesses::at(std::uint64_t address) const {
  const auto next = cells_.upper_bound(address);
  if (next == cells_.begin()) return nullptr;
  const Cell& cell = std::prev(next)->second;
  return cell.end > address ? &cell : nullptr;
}

} // namespace lanewise::grid
