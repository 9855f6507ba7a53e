#include "chip/tile/race_orders.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace lanewise::tile {

namespace {

using Permutation = std::array<unsigned, std::size_t{2} * kThreads>; // cores, then threads

/// Its number among all, in lexicographic order.
std::uint64_t number_of(const Permutation& permutation) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const auto smaller =
        std::count_if(permutation.begin() + static_cast<std::ptrdiff_t>(i) + 1, permutation.end(),
                      [&](unsigned each) { return each < permutation[i]; });
    number = number * (permutation.size() - i) + static_cast<std::uint64_t>(smaller);
  }
  return number;
}

ScheduleChoice priority(const Permutation& permutation) {
  return {.order = Order::Priority, .seed = number_of(permutation)};
}

/// What tells two touches from others of the same kind.
using PairKind = std::tuple<SharedPlace, Agent, std::uint32_t, std::uint32_t, bool, Agent,
                            std::uint32_t, std::uint32_t, bool>;

PairKind kind_of(const Race& race) {
  const Touch &first = race.first, &second = race.second;
  return {race.place.place, first.agent,      first.word.line,  first.word.word, first.writes,
          second.agent,     second.word.line, second.word.word, second.writes};
}

TurnedPair turned(const Race& race) {
  return {race,
          {.order = Order::RoundRobin,
           .seed = 0,
           .delay = Delay{.agent = race.first.agent,
                          .before = race.first.ordinal,
                          .until = race.second.agent,
                          .until_done = race.second.ordinal + 1}}};
}

/// The newest touches of each agent, of those that read and of those that write.
using Newest = std::map<std::pair<Agent, bool>, const Touch*>;

} // namespace

std::vector<ScheduleChoice> first_orders() {
  std::vector<ScheduleChoice> orders;
  std::array<unsigned, kThreads> threads{};
  std::iota(threads.begin(), threads.end(), 0U);
  do {
    Permutation together{}, cores_first{};
    for (unsigned i = 0; i < kThreads; ++i) {
      together[std::size_t{2} * i] = cores_first[i] = threads[i];
      together[std::size_t{2} * i + 1] = cores_first[kThreads + i] = kThreads + threads[i];
    }
    orders.push_back(priority(together));
    orders.push_back(priority(cores_first));
  } while (std::ranges::next_permutation(threads).found);
  constexpr std::uint64_t kSeeds = 4;
  for (const Order order : {Order::Adversarial, Order::Random}) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) orders.push_back({order, seed});
  }
  return orders;
}

std::vector<TurnedPair> turned_pairs(const AccessLog& reference) {
  std::map<PairKind, std::vector<Race>> found;
  constexpr std::size_t kOfAKind = 3;
  for (const auto& [id, touches] : reference.touches()) {
    Newest newest;
    for (const Touch& touch : touches) {
      for (const auto& [key, earlier] : newest) {
        if (key.first == touch.agent || (!key.second && !touch.writes)) continue;
        if ((earlier->bits & touch.bits) == 0) continue;
        const Race race{id, *earlier, touch};
        auto& kind = found[kind_of(race)];
        if (kind.size() == kOfAKind) {
          kind.back() = race;
        } else {
          kind.push_back(race);
        }
      }
      newest[{touch.agent, touch.writes}] = &touch;
    }
  }
  std::vector<TurnedPair> pairs;
  for (const auto& [kind, races] : found)
    for (const Race& race : races) pairs.push_back(turned(race));
  std::ranges::sort(pairs, {}, [](const TurnedPair& pair) { return pair.race.second.step; });
  return pairs;
}

std::vector<ScheduleChoice> single_delays(const TileState& end, const RaceProgram& program,
                                          const RaceReference& reference) {
  std::vector<ScheduleChoice> delays;
  const auto add = [&](Agent agent, std::uint64_t before) {
    delays.push_back(
        {.order = Order::RoundRobin, .seed = 0, .delay = Delay{.agent = agent, .before = before}});
  };
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (std::uint64_t i = 0; i < end.thread[thread].executed; ++i) add({.thread = thread}, i);
    const auto& done = reference.done[thread];
    for (std::size_t i = 0; i < done.size(); ++i) {
      const auto kind = program.script[thread].action(done[i]).kind;
      if (kind == CoreAction::Kind::Load || kind == CoreAction::Kind::Store)
        add({.thread = thread, .is_core = true}, i);
    }
  }
  return delays;
}

std::vector<ScheduleChoice> spread(const std::vector<ScheduleChoice>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<ScheduleChoice> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

OrderPlan plan_orders(const TileState& end, const RaceProgram& program,
                      const RaceReference& reference, std::size_t most) {
  OrderPlan plan;
  for (const ScheduleChoice& order : first_orders()) plan.orders.push_back({order, std::nullopt});
  for (const TurnedPair& pair : turned_pairs(reference.log))
    plan.orders.push_back({pair.order, pair.race});
  if (plan.orders.size() > most) plan.orders.resize(most);
  const auto delays = single_delays(end, program, reference);
  plan.delays = delays.size();
  for (const ScheduleChoice& order : spread(delays, most - plan.orders.size()))
    plan.orders.push_back({order, std::nullopt});
  return plan;
}

} // namespace lanewise::tile
