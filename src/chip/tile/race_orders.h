// Which orders a search for races tries.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "chip/tile/races.h"

namespace lanewise::tile {

/// Without a look at the program: each thread far ahead of the others, with its core and behind
/// all cores, and some adversarial and random ones.
std::vector<ScheduleChoice> first_orders();

/// An order in which two touches come the other way round, if the program lets them.
struct TurnedPair {
  Race race;
  ScheduleChoice order;
};

/// For every two touches of one place by different agents of which one writes: of those that are
/// the same instructions in the same lines, the first two and the last.
std::vector<TurnedPair> turned_pairs(const AccessLog& reference);

/// Each instruction of a thread, and each load and store of a core, delayed as long as others can
/// go on.
std::vector<ScheduleChoice> single_delays(const TileState& end, const RaceProgram& program,
                                          const RaceReference& reference);

/// `most` of them, spread evenly.
std::vector<ScheduleChoice> spread(const std::vector<ScheduleChoice>& all, std::size_t most);

/// An order that is tried.
struct PlannedOrder {
  ScheduleChoice choice;
  std::optional<Race> race; ///< the pair that it turns
};

struct OrderPlan {
  std::vector<PlannedOrder> orders;
  std::size_t delays = 0; ///< that there are, however many of them are among the orders
};

/// `most` orders: the first ones, then turned pairs, then delays. `end`: of round robin.
OrderPlan plan_orders(const TileState& end, const RaceProgram& program,
                      const RaceReference& reference, std::size_t most);

} // namespace lanewise::tile
