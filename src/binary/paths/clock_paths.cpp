#include "binary/paths/clock_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "binary/paths/straight_code.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"
#include "chip/timing/hazards/stallwait.h"
#include "chip/timing/schedule.h"

namespace lanewise::paths {

namespace {

using isa::Op;

/// What matters of a word for how far ways go.
struct WordKind {
  bool is_vector = false;    ///< executes in the Vector Unit, or brings what may
  bool schedules = false;    ///< may schedule something
  bool accesses = false;     ///< a load or a store, or may bring one
  bool ends_access = false;  ///< waits until the Vector Unit is idle
  bool minds_access = false; ///< another unit's that touches Dst or configuration
};

bool minds_access(const isa::Row& row, const isa::Effects& effects) {
  constexpr unsigned kMinds = isa::part::kDst | isa::part::kConfig;
  const bool touches = ((effects.parts_read() | effects.parts_written()) & kMinds) != 0;
  return row.unit == isa::Unit::Packer || (row.unit != isa::Unit::Vector && touches);
}

WordKind kind_of(Arch arch, std::uint32_t word) {
  const isa::Effects effects(arch, word);
  const isa::Row* const row = effects.row();
  if (row == nullptr) return {};
  const bool replays = row->op == Op::REPLAY;
  const bool macro = row->op == Op::SFPLOADMACRO;
  return {.is_vector = row->unit == isa::Unit::Vector || replays,
          .schedules = macro || replays,
          .accesses = row->op == Op::SFPLOAD || row->op == Op::SFPSTORE || macro || replays,
          .ends_access = row->op == Op::STALLWAIT && timing::waits_for(word, WaitFor::VectorUnit),
          .minds_access = replays || minds_access(*row, effects)};
}

/// All words of a chain that push, in order.
std::vector<WordPlace> words_of(const ProgramGraph& graph, const Chain& chain) {
  std::vector<WordPlace> words;
  for (const Position& each : chain) {
    for (const WordPlace word : graph.pushes(each.place)) words.push_back(word);
  }
  return words;
}

/// "function", or "function+0x1c": where a word stands.
std::string place_name(const ProgramGraph& graph, WordPlace at) {
  const std::string& function = graph.functions()[at.function].symbol.readable;
  return at.word == 0 ? function : fmt::format("{}+0x{:x}", function, 4 * at.word);
}

/// Whether the chain has pushed enough behind its first block.
class Reach {
 public:
  Reach(const ProgramGraph& graph, Arch arch) : graph_(graph), arch_(arch) {}

  bool ends(const Chain& chain, std::size_t reach) const {
    bool schedules = false;
    std::size_t words = 0, vector_words = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      for (const WordPlace each : graph_.pushes(chain[i].place)) {
        const auto& word = graph_.word(each).tensix;
        const WordKind kind = word ? kind_of(arch_, *word) : WordKind{};
        schedules |= kind.schedules;
        if (i == 0) continue;
        ++words;
        if (kind.is_vector) ++vector_words;
      }
    }
    return words >= kLongestClockReach || (schedules ? vector_words : words) >= reach;
  }

 private:
  const ProgramGraph& graph_;
  Arch arch_;
};

/// Goes all ways, and collects what the checker says.
class ClockWalker {
 public:
  ClockWalker(const ProgramGraph& graph, Arch arch)
      : graph_(graph), arch_(arch), code_(graph, arch), reach_(graph, arch) {
    result_.findings.resize(graph.functions().size());
  }

  ClockPaths find() {
    for_each_place([&](Place place) {
      start_ = code_.before(place);
      check({{place}});
      follow_all(place);
      follow_access(place);
    });
    for (auto& each : result_.findings) std::ranges::stable_sort(each, {}, &ClockFinding::word);
    return std::move(result_);
  }

 private:
  /// Blocks that push something; those that nothing is known to lead to as well, such as the cases
  /// of a switch.
  template <class Action>
  void for_each_place(Action&& action) {
    for (std::uint32_t function = 0; function < graph_.functions().size(); ++function) {
      for (graph::Node node = 0; node < graph_.code(function).blocks.size(); ++node) {
        if (!graph_.pushes({function, node}).empty()) action(Place{function, node});
      }
    }
  }

  /// Where there are too many ways, at least for all rules but those on macros.
  void follow_all(Place place) {
    const bool schedules = pushes_one(place, &WordKind::schedules);
    ways_ = 0;
    Chain chain{{place}};
    follow(chain, schedules ? kClockReach : kShortClockReach);
    if (ways_ < kMostWays) return;
    ++result_.cut_short;
    ways_ = 0;
    if (schedules) follow(chain, kShortClockReach);
  }

  void follow(Chain& chain, std::size_t reach) {
    if (ways_ >= kMostWays) return;
    const std::vector<Chain> onward =
        reach_.ends(chain, reach) ? std::vector<Chain>{} : graph_.to_next_pushes(chain.back());
    if (onward.empty()) {
      if (chain.size() > 1) check_way(chain);
      return;
    }
    for (const Chain& each : onward) {
      chain.insert(chain.end(), each.begin(), each.end());
      follow(chain, reach);
      chain.resize(chain.size() - each.size());
    }
  }

  void check_way(const Chain& chain) {
    ++ways_;
    check(chain);
  }

  void check(const Chain& chain) {
    FrontEnd front_end = start_->front_end;
    const MicroProgram program = front_end.expand(code_.program_of(words_of(graph_, chain)));
    const timing::Schedule schedule = timing::schedule(start_->machine, program);
    const timing::CheckOptions options{
        .line_text = [&](std::uint32_t line) { return place_name(graph_, code_.at_line(line)); }};
    for (const timing::Hazard& each :
         timing::find_hazards(schedule, program, start_->machine, options)) {
      if (each.line != 0 && each.other_line != 0) add(each, chain);
    }
  }

  void add(const timing::Hazard& hazard, const Chain& chain) {
    if (!known_.insert({hazard.rule, hazard.line, hazard.other_line}).second) return;
    const WordPlace at = code_.at_line(hazard.line);
    result_.findings[at.function].push_back(
        {.rule = hazard.rule,
         .word = at.word,
         .text = fmt::format("{}: {}", hazard.instruction, hazard.message),
         .mend = hazard.mend,
         .path = part_between(chain, code_.at_line(hazard.other_line), at)});
  }

  bool has(const Position& position, WordPlace word) const {
    const Block& block = graph_.block(position.place);
    return position.place.function == word.function && word.word >= block.first &&
           word.word < block.end;
  }

  /// The blocks of the chain from the first word to the second. Nothing where both are in a single
  /// one, all of it where one of the words has come from a replay slot.
  std::vector<Place> part_between(const Chain& chain, WordPlace first, WordPlace second) const {
    std::size_t from = 0, length = chain.size();
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (!has(chain[i], first)) continue;
      for (std::size_t j = i + (second <= first ? 1 : 0); j < chain.size(); ++j) {
        if (has(chain[j], second) && j - i + 1 < length) from = i, length = j - i + 1;
      }
    }
    std::vector<Place> places;
    if (length == 1) return places;
    for (std::size_t i = from; i < from + length; ++i) places.push_back(chain[i].place);
    return places;
  }

  // --- Loads and stores, which are on their way until somebody has waited for the Vector Unit

  /// Whether the block has a word of a kind; behind the last that ends accesses if so asked.
  bool pushes_one(Place place, bool WordKind::*property, bool after_end = false) const {
    bool found = false;
    for (const WordPlace each : graph_.pushes(place)) {
      const auto& word = graph_.word(each).tensix;
      const WordKind kind = word ? kind_of(arch_, *word) : WordKind{};
      if (after_end && kind.ends_access) found = false;
      found = found || kind.*property;
    }
    return found;
  }

  /// Every block that can be reached without such a wait, by a way of the fewest blocks: if any way
  /// has no wait, this one has none. The checker tells the first use of Dst by another unit behind
  /// a store only, so that ways without one in between are gone as well.
  void follow_access(Place place) {
    if (!pushes_one(place, &WordKind::accesses, true)) return;
    follow_until(place, [&](Place at) { return pushes_one(at, &WordKind::ends_access); });
    follow_until(place, [&](Place at) {
      return pushes_one(at, &WordKind::ends_access) || pushes_one(at, &WordKind::minds_access);
    });
  }

  /// Checks the ways to blocks that mind what `place` has on its way, through blocks that do not
  /// end it.
  template <class Ends>
  void follow_until(Place place, const Ends& ends) {
    std::vector<Reached> reached{{{place}, kSearchStart}};
    std::set<Position> seen;
    for (std::size_t i = 0; i < reached.size() && i < kMostWays; ++i) {
      const Position at = reached[i].position;
      if (i != 0 && ends(at.place)) continue;
      for (const Position& each : graph_.next(at)) {
        if (!seen.insert(each).second) continue;
        reached.push_back({each, i});
        if (pushes_one(each.place, &WordKind::minds_access))
          check_way(way_to(reached, reached.size() - 1));
      }
    }
  }

  const ProgramGraph& graph_;
  Arch arch_;
  StraightCode code_;
  Reach reach_;
  ClockPaths result_;
  std::optional<StartState> start_; ///< of the block from which ways are followed
  std::size_t ways_ = 0;
  std::set<std::tuple<const timing::HazardRule*, std::uint32_t, std::uint32_t>> known_;
};

} // namespace

ClockPaths find_clock_hazards(const ProgramGraph& graph, Arch arch) {
  return ClockWalker(graph, arch).find();
}

} // namespace lanewise::paths
