#include "chip/timing/hazards/mend_trial.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/interlock.h"
#include "chip/isa/replay.h"
#include "chip/machine/executor.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/timing/access.h"
#include "chip/timing/clocked_state.h"
#include "chip/timing/hazards/random_tile.h"
#include "chip/timing/hazards/trial_tiles.h"
#include "chip/timing/schedule.h"
#include "chip/timing/tile_cost.h"

namespace lanewise::timing {

namespace {

/// Findings beyond that number, and those for which more would have to be scheduled altogether,
/// keep the general advice: what is spent on them does not grow with the program.
constexpr std::size_t kMostFindings = 64;
constexpr std::size_t kMostOperations = 1'000'000;

/// Words that a REPLAY of the program records.
std::vector<bool> recorded_words(const Program& program) {
  std::vector<bool> recorded;
  isa::RecordedWords follower;
  for (const ProgramWord& each : program.words) recorded.push_back(follower.records(each.word));
  return recorded;
}

/// The program with the same words in front of each of some of its own, which are in order. What
/// .mop has written before a word is written before it still.
Program with_insertions(const Program& program, std::span<const std::size_t> places,
                        std::span<const std::uint32_t> words) {
  Program changed = program;
  changed.words.clear();
  changed.words.reserve(program.words.size() + places.size() * words.size());
  auto place = places.begin();
  for (std::size_t i = 0; i < program.words.size(); ++i) {
    if (place != places.end() && *place == i) {
      for (const std::uint32_t word : words) changed.words.push_back({word, 0});
      ++place;
    }
    changed.words.push_back(program.words[i]);
  }
  for (MopSetting& setting : changed.mop) {
    const auto behind = std::ranges::lower_bound(places, setting.before);
    setting.before += words.size() * static_cast<std::size_t>(behind - places.begin());
  }
  return changed;
}

std::vector<std::size_t> words_of_line(const Program& program, std::uint32_t line) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < program.words.size(); ++i) {
    if (program.words[i].line == line) found.push_back(i);
  }
  return found;
}

std::optional<Program> with_move(const Program& program, const std::vector<bool>& recorded,
                                 const ProposedChange& change) {
  const auto to = words_of_line(program, change.before_line);
  const auto from = words_of_line(program, change.moved_line);
  if (to.size() != 1 || from.size() != 1 || recorded[to[0]] || recorded[from[0]] ||
      from[0] <= to[0])
    return std::nullopt;
  Program changed = program;
  const auto at = [&](std::size_t i) { return changed.words.begin() + std::ptrdiff_t(i); };
  std::rotate(at(to[0]), at(from[0]), at(from[0] + 1));
  return changed;
}

/// Executes events by the clock, one cycle after the other.
MachineState run_events(const MachineState& start, std::span<const Event> events) {
  ClockedState clocked(start, HazardModel::Documented);
  for (std::size_t first = 0; first < events.size();) {
    std::size_t last = first;
    while (last < events.size() && events[last].cycle == events[first].cycle) ++last;
    clocked.settle(events[first].cycle);
    clocked.step(events[first].cycle, events.subspan(first, last - first));
    first = last;
  }
  constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  clocked.settle(kEnd);
  return clocked.state();
}

/// Rule, and the two places.
using Finding =
    std::tuple<std::string_view, std::string, std::uint32_t, std::string, std::uint32_t>;

Finding key_of(const Hazard& hazard) {
  return {hazard.rule->id, hazard.file, hazard.line, hazard.other_file, hazard.other_line};
}

bool stands_at(const MicroOp& op, const std::string& file, std::uint32_t line) {
  const SourcePlace place = source_place(op.line);
  return place.line == line && place.file == file;
}

/// Calls of a kernel behind each other: what a change leaves behind, the next one finds.
constexpr std::size_t kCalls = 2;

/// One program whose findings are looked at, called as a tile calls it.
class Trial {
 public:
  Trial(const Program& program, const MachineState& start, const CheckOptions& options)
      : program_(program),
        start_(start),
        options_(options),
        original_(expand(program)),
        tiles_(start, original_) {
    options_.source = nullptr;
    options_.worded = false;
    if (!affordable()) return;
    for (const Hazard& each : find(original_)) known_.insert(key_of(each));
  }

  /// Whether one more change can be tried.
  bool affordable() const {
    return scheduled_ + kSchedules * original_.ops.size() <= kMostOperations;
  }

  bool holds(const Hazard& hazard, const ProposedChange& change) {
    const auto each = changed_program(program_, change, LineIs::EachWord);
    if (!each) return false;
    const MicroProgram micro = expand(*each);
    if (!holds(hazard, micro)) return false;
    const auto all = changed_program(program_, change, LineIs::AllWords);
    if (!all) return false;
    return all->words == each->words ? holds_again(hazard, micro) : holds(hazard, expand(*all));
  }

 private:
  /// At most, of one change: what is found in it, and what it leaves and should leave on tiles,
  /// for each of the two meanings of a line.
  static constexpr std::size_t kSchedules = 2 * (1 + 2 * std::size_t{TrialTiles::kTiles});

  bool holds(const Hazard& hazard, const MicroProgram& micro) {
    if (micro.faults.size() != original_.faults.size() || !mends(hazard, micro)) return false;
    for (unsigned tile = 0; tile < TrialTiles::kTiles; ++tile) {
      count_tile(hazard, micro, tile);
      if (!has_meaning(hazard, tile, micro)) return false;
    }
    return true;
  }

  Arch arch() const { return start_.config.arch(); }
  MicroProgram expand(const Program& program) const {
    return FrontEnd(arch()).expand(on_tiles(program, kCalls));
  }
  std::vector<Hazard> find(const MicroProgram& micro) {
    scheduled_ += micro.ops.size();
    return find_hazards(schedule(start_, micro), micro, start_, options_);
  }

  // What is spent is counted as if everything was scheduled for each tile: so it does not hang on
  // what can be left out which findings get advice of their own.

  void count_tile(const Hazard& hazard, const MicroProgram& micro, unsigned tile) {
    scheduled_ += micro.ops.size();
    if (means_another_clock(hazard) || !std::exchange(counted_[tile], true))
      scheduled_ += original_.ops.size();
  }

  /// What holds, and is tried a second time.
  bool holds_again(const Hazard& hazard, const MicroProgram& micro) {
    scheduled_ += micro.ops.size();
    for (unsigned tile = 0; tile < TrialTiles::kTiles; ++tile) count_tile(hazard, micro, tile);
    return true;
  }

  /// The finding is gone, and there is no other instead.
  bool mends(const Hazard& hazard, const MicroProgram& micro) {
    const std::vector<Hazard> left = find(micro);
    return std::all_of(left.begin(), left.end(), [&](const Hazard& each) {
      return key_of(each) != key_of(hazard) && known_.contains(key_of(each));
    });
  }

  static bool means_collision(const Hazard& hazard) { return hazard.rule->id == "macro-collision"; }
  /// Whether the original means something else than what it leaves by its clock.
  static bool means_another_clock(const Hazard& hazard) {
    return means_collision(hazard) || hazard.rule->id == "macro-result";
  }

  /// Whether a changed program leaves on a tile what the original would leave there if what has
  /// been found did not happen.
  bool has_meaning(const Hazard& hazard, unsigned number, const MicroProgram& changed) {
    if (!means_another_clock(hazard)) return tiles_.leaves_same(number, changed);
    const MachineState& tile = tiles_.tile(number);
    Schedule timed = schedule(tile, original_);
    if (means_collision(hazard)) {
      add_discarded(timed, hazard);
    } else {
      give_results_at_once(timed, hazard);
    }
    return same_values(left_on(tile, changed), run_events(tile, timed.events));
  }

  /// The regular instruction executes beside the scheduled one.
  void add_discarded(Schedule& timed, const Hazard& hazard) const {
    for (const MacroRecord& record : timed.records) {
      if (record.note != MacroNote::Discarded) continue;
      const MicroOp& op = original_.ops[timed.issues[record.issue].op];
      if (!stands_at(op, hazard.file, hazard.line)) continue;
      const bool two_cycles =
          isa::takes_two_cycles(arch(), op.word) || isa::is_mad_class(arch(), op.word);
      const Event event{.cycle = record.cycle,
                        .op = op,
                        .issue = record.issue,
                        .sub_unit = record.sub_unit,
                        .latency = static_cast<std::uint8_t>(two_cycles ? 2 : 1)};
      const auto behind = std::upper_bound(
          timed.events.begin(), timed.events.end(), record.cycle,
          [](std::uint64_t cycle, const Event& each) { return cycle < each.cycle; });
      timed.events.insert(behind, event);
    }
  }

  /// The reader of the next cycle sees the result.
  static void give_results_at_once(Schedule& timed, const Hazard& hazard) {
    for (Event& event : timed.events) {
      if (event.latency == 2 && stands_at(event.op, hazard.other_file, hazard.other_line))
        event.latency = 1;
    }
  }

  const Program& program_;
  const MachineState& start_;
  CheckOptions options_;
  MicroProgram original_;
  TrialTiles tiles_;
  std::set<Finding> known_;
  std::size_t scheduled_ = 0;                      ///< operations, so far
  std::array<bool, TrialTiles::kTiles> counted_{}; ///< what the original leaves there is in it
};

std::string joined(std::span<const ProposedChange> changes) {
  std::string text = changes.front().text;
  for (const ProposedChange& each : changes.subspan(1)) text += ", or " + each.text;
  return text;
}

} // namespace

std::optional<Program> changed_program(const Program& program, const ProposedChange& change,
                                       LineIs line) {
  const std::vector<bool> recorded = recorded_words(program);
  if (change.words.empty()) return with_move(program, recorded, change);
  std::vector<std::size_t> places = words_of_line(program, change.before_line);
  const bool is_recorded =
      std::any_of(places.begin(), places.end(), [&](std::size_t i) { return recorded[i]; });
  if (places.empty() || is_recorded) return std::nullopt;
  std::erase_if(places, [&](std::size_t i) {
    const bool is_first = i == 0 || program.words[i - 1].line != change.before_line;
    return !is_first && line == LineIs::AllWords;
  });
  return with_insertions(program, places, change.words);
}

void try_changes(std::vector<Hazard>& hazards, const Program& program, const MachineState& start,
                 const CheckOptions& options) {
  const auto proposes = [](const Hazard& each) { return !each.changes.empty(); };
  if (std::none_of(hazards.begin(), hazards.end(), proposes)) return;
  Trial trial(program, start, options);
  std::size_t tried = 0;
  for (Hazard& hazard : hazards) {
    if (!proposes(hazard)) continue;
    const bool can_try = ++tried <= kMostFindings;
    std::erase_if(hazard.changes, [&](const ProposedChange& change) {
      return !can_try || !trial.affordable() || !trial.holds(hazard, change);
    });
    // A move is an alternative to an insertion, which its text relies on.
    if (!hazard.changes.empty() && !hazard.changes.front().words.empty())
      hazard.mend = joined(hazard.changes);
  }
}

} // namespace lanewise::timing
