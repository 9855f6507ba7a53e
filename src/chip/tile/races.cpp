#include "chip/tile/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "chip/tile/program_run.h"
#include "chip/tile/race_mend.h"
#include "chip/tile/race_orders.h"
#include "chip/tile/race_search.h"

namespace lanewise::tile {

namespace {

/// "from 3 to 17": the first and the last index at which two ranges differ.
template <class Range>
std::optional<std::pair<std::size_t, std::size_t>> differing(const Range& one, const Range& other) {
  std::size_t first = 0, last = one.size();
  while (first < last && one[first] == other[first]) ++first;
  while (last > first && one[last - 1] == other[last - 1]) --last;
  if (first == last) return std::nullopt;
  return std::pair{first, last - 1};
}

std::optional<std::string> l1_difference(const TileState& one, const TileState& other) {
  const auto a = one.l1.bytes(), b = other.l1.bytes();
  if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0) return std::nullopt;
  const auto bytes = differing(a, b);
  return fmt::format("L1 from 0x{:x} to 0x{:x}", bytes->first, bytes->second);
}

void compare_dst(const Dst& one, const Dst& other, std::vector<std::string>& found) {
  std::vector<bool> same(kDstRows);
  for (unsigned row = 0; row < kDstRows; ++row) {
    same[row] = one.valid(row) == other.valid(row) &&
                std::memcmp(one.cell[row], other.cell[row], sizeof one.cell[row]) == 0;
  }
  const auto rows = differing(same, std::vector<bool>(kDstRows, true));
  if (rows) found.push_back(fmt::format("Dst rows {} to {}", rows->first, rows->second));
}

void compare_config(const ConfigState& one, const ConfigState& other,
                    std::vector<std::string>& found) {
  for (unsigned word = 0; word < arch_params(one.arch()).config.shared_words; ++word) {
    if (one.shared_word(0, word) == other.shared_word(0, word) &&
        one.shared_word(1, word) == other.shared_word(1, word))
      continue;
    return found.push_back(fmt::format("configuration from word {} on", word));
  }
}

/// Who waits for ever, and for what.
using StuckAgents = std::vector<std::string>;

struct End {
  TileState state;
  StuckAgents stuck;
};

bool is_stopped(const RunLimits& limits) {
  return limits.stop && limits.stop();
}

std::vector<std::string> end_differences(const End& one, const TileState& other,
                                         const StuckAgents& stuck, RaceScope scope) {
  std::vector<std::string> found;
  if (scope == RaceScope::Everything) {
    found = differences(one.state, other);
  } else if (const auto bytes = l1_difference(one.state, other)) {
    found.push_back(*bytes);
  }
  if (one.stuck.empty() != stuck.empty())
    found.emplace_back(stuck.empty() ? "a deadlock in round robin only" : "a deadlock");
  return found;
}

/// A program in many orders.
class Search {
 public:
  Search(RaceProgram& program, const RaceSearch& how)
      : program_(program), how_(how), tile_(program.start.arch()) {}

  /// To the end that state() is then. Nothing: a core does what nobody can follow.
  Expected<std::optional<StuckAgents>> run(const ScheduleChoice& choice,
                                           RaceReference* reference = nullptr) {
    constexpr unsigned kMostAttempts = 8;
    for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
      bool is_lost = false;
      auto stuck = try_to_run(choice, reference, is_lost);
      if (!is_lost) {
        if (!stuck) return Unexpected(stuck.error());
        return std::move(*stuck);
      }
      if (!how_.follow || is_stopped(how_.limits)) break;
      const auto traces = how_.follow(choice);
      if (!traces) return Unexpected(traces.error());
      for (unsigned i = 0; i < kThreads; ++i) program_.script[i].add((*traces)[i]);
    }
    return std::optional<StuckAgents>();
  }

  const TileState& state() const { return tile_.state(); }
  RaceScope scope() const { return program_.scope; }

 private:
  Expected<StuckAgents> try_to_run(const ScheduleChoice& choice, RaceReference* reference,
                                   bool& is_lost) {
    tile_.restart(program_.start);
    if (reference != nullptr) {
      reference->log = {};
      tile_.state().log = &reference->log;
    }
    ScriptFeeder unpack(program_.script[0], 0), math(program_.script[1], 1),
        pack(program_.script[2], 2);
    const std::array feeders{&unpack, &math, &pack};
    const auto result = tile::run(tile_, {&unpack, &math, &pack}, choice, how_.limits);
    tile_.state().log = nullptr;
    is_lost = std::ranges::any_of(feeders, &ScriptFeeder::is_lost);
    if (!result) return Unexpected(result.error());
    tile_.state().machine.act_for(kMathThread);
    if (reference != nullptr) {
      for (unsigned i = 0; i < kThreads; ++i) {
        reference->pushed_by[i] = feeders[i]->pushed_by();
        reference->done[i] = feeders[i]->done();
      }
    }
    StuckAgents stuck;
    for (const Blocked& each : result->blocked) stuck.push_back(each.reason);
    if (result->ran_out) stuck.emplace_back("did not end in time");
    return stuck;
  }

  RaceProgram& program_;
  const RaceSearch& how_;
  Tile tile_;
};

/// The orders of one program, until one ends otherwise than round robin.
class Hunt {
 public:
  Hunt(RaceProgram& program, const RaceSearch& how, std::string_view what)
      : program_(program), how_(how), what_(what), search_(program, how) {}

  Expected<RaceReport> go() {
    auto first = search_.run({}, &reference_);
    if (!first) return Unexpected(first.error());
    report_.schedules = 1;
    if (!*first) {
      report_.unknown = 1;
      return report_;
    }
    end_ = End{search_.state(), std::move(**first)};
    const OrderPlan plan = plan_orders(end_->state, program_, reference_, how_.orders);
    report_.possible = static_cast<unsigned>(plan.delays);
    if (auto done = try_orders(plan.orders); !done) return Unexpected(done.error());
    return report_;
  }

  const RaceReference& reference() const { return reference_; }
  bool comes_to_its_end() const { return end_ && end_->stuck.empty(); }

 private:
  Expected<void> try_orders(const std::vector<PlannedOrder>& orders) {
    std::pair<std::uint64_t, std::uint64_t> range{0, orders.size()};
    if (how_.shared) {
      const auto own = how_.shared->begin(program_, orders.size());
      if (!own) return Unexpected(own.error());
      range = *own;
    }
    for (std::uint64_t i = range.first; i < range.second && !is_stopped(how_.limits); ++i) {
      const auto end = end_of(orders[i], i);
      if (!end) return Unexpected(end.error());
      // A run that somebody has stopped ends anywhere.
      if (is_stopped(how_.limits)) return {};
      if (how_.shared) how_.shared->keep(i, *end);
    }
    return {};
  }

  Expected<OrderEnd> end_of(const PlannedOrder& order, std::uint64_t number) {
    if (report_.differs) return OrderEnd::NotTried;
    const auto known = how_.shared ? how_.shared->find(number) : std::nullopt;
    if (known != OrderEnd::Same && known != OrderEnd::Unknown) return try_order(order);
    count(*known);
    return *known;
  }

  void count(OrderEnd end) {
    ++report_.schedules;
    report_.unknown += end == OrderEnd::Unknown ? 1 : 0;
  }

  Expected<OrderEnd> try_order(const PlannedOrder& order) {
    if (how_.progress) how_.progress(what_, report_.schedules);
    const auto stuck = search_.run(order.choice);
    if (!stuck) return Unexpected(stuck.error());
    count(*stuck ? OrderEnd::Same : OrderEnd::Unknown);
    if (!*stuck) return OrderEnd::Unknown;
    if (is_stopped(how_.limits)) return OrderEnd::Same;
    report_.differences = end_differences(*end_, search_.state(), **stuck, search_.scope());
    if (report_.differences.empty()) return OrderEnd::Same;
    report_.differs = order.choice;
    report_.race = order.race;
    if (!order.race) {
      if (auto named = name_the_race(order.choice); !named) return Unexpected(named.error());
    }
    return OrderEnd::Differs;
  }

  /// The first two touches that come the other way round there.
  Expected<void> name_the_race(const ScheduleChoice& order) {
    RaceReference otherwise;
    const auto end = search_.run(order, &otherwise);
    if (!end) return Unexpected(end.error());
    report_.race = first_race(reference_.log, otherwise.log);
    return {};
  }

  RaceProgram& program_;
  const RaceSearch& how_;
  std::string_view what_;
  Search search_;
  RaceReference reference_;
  std::optional<End> end_;
  RaceReport report_;
};

/// What a core that pushes a list of words does.
CoreTrace trace_of(const Program& program) {
  CoreTrace trace{.actions = {}, .ended = true};
  std::size_t mop = 0;
  for (std::size_t i = 0; i <= program.words.size(); ++i) {
    for (; mop < program.mop.size() && program.mop[mop].before <= i; ++mop) {
      const MopSetting& setting = program.mop[mop];
      trace.actions.push_back({.kind = CoreAction::Kind::ConfigureMop,
                               .address = setting.index,
                               .value = setting.value,
                               .line = setting.line});
    }
    if (i == program.words.size()) break;
    trace.actions.push_back({.kind = CoreAction::Kind::Push,
                             .value = program.words[i].word,
                             .line = program.words[i].line});
  }
  return trace;
}

/// In how many orders a program comes to its end, and always to the same; 0: not in all.
Expected<unsigned> settled_orders(RaceProgram& program, const RaceSearch& how) {
  constexpr unsigned kMostOrders = 300;
  RaceSearch without = how;
  without.propose = {};
  without.follow = {};
  without.shared = {};
  without.orders = std::min(how.orders, kMostOrders);
  Hunt hunt(program, without, "whether a wait helps");
  const auto report = hunt.go();
  if (!report) return Unexpected(report.error());
  const bool is_settled = hunt.comes_to_its_end() && !report->differs && report->unknown == 0;
  return is_settled ? report->schedules : 0;
}

} // namespace

std::vector<std::string> differences(const TileState& one, const TileState& other) {
  std::vector<std::string> found;
  if (auto bytes = l1_difference(one, other)) found.push_back(std::move(*bytes));
  compare_dst(one.machine.dst, other.machine.dst, found);
  if (!(one.machine.srca == other.machine.srca)) found.emplace_back("SrcA");
  if (!(one.machine.srcb == other.machine.srcb)) found.emplace_back("SrcB");
  compare_config(one.machine.config, other.machine.config, found);
  if (one.sync.semaphore != other.sync.semaphore) found.emplace_back("semaphores");
  return found;
}

Expected<TileState> run_scripts(RaceProgram& program, const ScheduleChoice& choice) {
  const RaceSearch nothing;
  Search search(program, nothing);
  const auto stuck = search.run(choice);
  if (!stuck) return Unexpected(stuck.error());
  return search.state();
}

Expected<RaceReport> find_races(RaceProgram program, const RaceSearch& how) {
  Hunt hunt(program, how, "whether the end differs");
  auto report = hunt.go();
  if (!report || !report->race) return report;
  if (how.time && !is_stopped(how.limits)) {
    auto times = how.time(program, *report->race, hunt.reference());
    if (times) report->in_time = std::move(*times);
    if (!times) report->no_time = times.error().message;
  }
  if (!how.propose) return report;
  for (MendedProgram& mended : how.propose(program, *report->race, hunt.reference())) {
    const auto orders = settled_orders(mended.program, how);
    if (!orders) return Unexpected(orders.error());
    if (is_stopped(how.limits)) break; // not every order has been tried
    if (*orders == 0) continue;
    report->mends = std::move(mended.mends);
    report->mended_orders = *orders;
    break;
  }
  return report;
}

RaceProgram race_program(const TileState& start, const TileProgram& program) {
  RaceProgram made{.start = start, .script = {}, .scope = RaceScope::Everything};
  for (unsigned i = 0; i < kThreads; ++i) made.script[i] = CoreScript(trace_of(program.thread[i]));
  return made;
}

Expected<RaceReport> find_races(const TileState& start, const TileProgram& program,
                                const RaceSearch& how) {
  RaceSearch with_lines = how;
  with_lines.propose = [&](const RaceProgram&, const Race& race, const RaceReference& reference) {
    std::vector<MendedProgram> all;
    for (std::vector<Mend>& mends : possible_mends(start.arch(), program, race, reference.log)) {
      RaceProgram mended = race_program(start, with_mends(program, mends));
      all.push_back({std::move(mends), std::move(mended)});
    }
    return all;
  };
  return find_races(race_program(start, program), with_lines);
}

} // namespace lanewise::tile
