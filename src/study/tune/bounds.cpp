#include "study/tune/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace lanewise::tune {

namespace {

struct Counts {
  std::array<unsigned, kUnits> operations{}, cycles{}, carriable{};
  unsigned blocks = 0;                     ///< cycles in which MAD may not execute
  std::array<unsigned, kUnits> excluded{}; ///< cycles in which another unit's operation is alone
  unsigned longest_issue = 0;              ///< slots of all operations if none is carried
  unsigned shared = 0; ///< carriable operations that another one's template serves as well
};

Counts count(const Row& row) {
  Counts counts;
  std::set<unsigned> keys;
  for (const Operation& operation : row.operations) {
    const auto unit = static_cast<std::size_t>(operation.unit);
    ++counts.operations[unit];
    counts.cycles[unit] += operation.busy;
    counts.blocks += operation.blocks_mad ? 1 : 0;
    counts.longest_issue += operation.busy;
    for (unsigned other = 0; other < kUnits && operation.alone; ++other)
      counts.excluded[other] += other == unit ? 0 : 1;
    if (operation.carried.empty()) continue;
    ++counts.carriable[unit];
    if (computes(operation) && operation.template_key != kNone &&
        !keys.insert(operation.template_key).second)
      ++counts.shared;
  }
  return counts;
}

/// Slots that `macros` macros can save at most: each has one operation of every unit, and takes a
/// slot itself, in the place of a load as long as there are loads.
int saved_by(const Row& row, const MachineModel& machine, const Counts& counts, unsigned macros) {
  unsigned carried = 0;
  for (const Unit unit : {Unit::Simple, Unit::Mad, Unit::Round})
    carried += std::min(macros, counts.carriable[static_cast<std::size_t>(unit)]);
  carried = std::min(carried, machine.templates + counts.shared);
  unsigned longer = 0; // those that take two slots are worth most
  for (const Operation& operation : row.operations)
    longer += computes(operation) && !operation.carried.empty() ? operation.busy - 1 : 0;
  const unsigned stores = std::min(macros, counts.carriable[static_cast<std::size_t>(Unit::Store)]);
  const unsigned loads = counts.operations[static_cast<std::size_t>(Unit::Load)];
  const unsigned extra = macros > loads ? macros - loads : 0;
  return static_cast<int>(carried + std::min(longer, carried) + stores) - static_cast<int>(extra);
}

ResourceBound issue_bound(const Row& row, const MachineModel& machine, const Counts& counts) {
  int saved = 0;
  unsigned best = 0;
  for (unsigned macros = 1; macros <= machine.macros; ++macros) {
    const int with = saved_by(row, machine, counts, macros);
    if (with <= saved) continue;
    saved = with;
    best = macros;
  }
  const unsigned cycles = counts.longest_issue - static_cast<unsigned>(saved);
  const std::string why =
      best == 0 ? fmt::format("{} instructions, one per cycle", counts.longest_issue)
                : fmt::format("{} instructions, of which {} macro{} save {}", counts.longest_issue,
                              best, best == 1 ? "" : "s", saved);
  return {"issue slots", cycles, why};
}

} // namespace

std::vector<ResourceBound> resource_bounds(const Row& row, const MachineModel& machine) {
  const Counts counts = count(row);
  const auto of = [&](Unit unit) {
    const auto index = static_cast<std::size_t>(unit);
    return counts.cycles[index] == 0 ? 0 : counts.cycles[index] + counts.excluded[index];
  };
  std::vector<ResourceBound> bounds{issue_bound(row, machine, counts)};
  bounds.push_back({"Simple", of(Unit::Simple), "its operations; SFPSWAP takes two cycles"});
  bounds.push_back(
      {"MAD", of(Unit::Mad) + counts.blocks, "its operations, and a cycle for each SFPSWAP"});
  bounds.push_back({"Round", of(Unit::Round), "its operations"});
  bounds.push_back({"Load", of(Unit::Load), "its operations"});
  bounds.push_back({"Store", of(Unit::Store), "its operations"});
  std::ranges::stable_sort(
      bounds, [](const ResourceBound& a, const ResourceBound& b) { return a.cycles > b.cycles; });
  return bounds;
}

unsigned shortest_span(const Row& row) {
  std::vector<unsigned> ready(row.operations.size()), starts(row.operations.size());
  unsigned span = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    unsigned start = 0;
    for (const unsigned operand : row.operations[i].operands) {
      if (operand != kNone) start = std::max(start, ready[operand]);
    }
    if (row.operations[i].follows) start = std::max(start, starts[i - 1] + 1);
    starts[i] = start;
    ready[i] = start + row.operations[i].latency;
    span = std::max(span, start + 1);
  }
  return span;
}

} // namespace lanewise::tune
