#include "study/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/remembered.h"
#include "run/execution/tile_cost.h"
#include "study/tune/block_tuning.h"
#include "study/tune/budget.h"
#include "study/tune/follow.h"
#include "study/tune/forms.h"
#include "study/tune/prove_pairs.h"
#include "study/tune/remembered.h"
#include "study/tune/result_text.h"

namespace lanewise::tune {

namespace {

/// Rows of more operations, or beyond this interval, are not searched.
constexpr std::size_t kMostOperations = 90;
constexpr unsigned kLongestInterval = 90;
/// Of the searches that look for some program, and of the first search of all intervals.
constexpr std::uint64_t kFirstSteps = 2'000, kQuickSteps = 40'000;
/// Rows may be so much longer than the shortest one where a shorter tile is looked for.
constexpr unsigned kSpareCycles = 6;
/// Of the limit of time, for the search without macros that comes first.
constexpr double kShareWithoutMacros = 0.5;

/// How shorter tiles are looked for: the steps of one search, and the order of its choices.
struct ShorteningRound {
  std::uint64_t steps, seed;
};
constexpr std::array<ShorteningRound, 4> kShorteningRounds{
    {{kQuickSteps, 0}, {2 * kQuickSteps, 1}, {4 * kQuickSteps, 2}, {8 * kQuickSteps, 3}}};

class Tuner {
 public:
  Tuner(const Plain& plain, const TuneOptions& options)
      : plain_(plain), options_(options), budget_(options.seconds) {
    result_.arch = plain.arch;
  }

  Expected<TuneResult> run() {
    if (auto ready = prepare(); !ready) return Unexpected(ready.error());
    const auto results = remembered_results();
    const auto key = results ? tuning_key(plain_, options_) : std::nullopt;
    if (key) {
      if (const auto text = results->find(kTuningKind, *key); text && read_tuning(*text, result_))
        return std::move(result_);
    }
    if (auto done = search_and_prove(); !done) return Unexpected(done.error());
    if (key && is_final()) results->keep(kTuningKind, *key, write_tuning(result_));
    return std::move(result_);
  }

 private:
  Expected<void> search_and_prove() {
    // What is found without macros is the start: with them the search goes on below it only.
    share_ = options_.macros ? kShareWithoutMacros : 1;
    if (auto done = search_all(0); !done) return done;
    share_ = 1;
    if (options_.macros) {
      if (auto done = search_all(MachineModel{}.macros); !done) return done;
    }
    return prove_best();
  }

  /// Whether the same search comes to the same on any machine: no limit of time has ended a part of
  /// it, nobody has stopped it, and z3 has not run out of time.
  bool is_final() const {
    return !result_.stopped && !was_cut_ && !proof_stopped_ && !result_.proof.is_undecided;
  }

  /// A program that agrees with the plain one as far as they were compared, and waits for its
  /// proof.
  struct Candidate {
    Tuned tuned;
    unsigned interval;
  };

  unsigned found_interval() const {
    return result_.tuned ? result_.interval : kLongestInterval + 1;
  }

  /// Quickly, so that there is a program soon; thoroughly below what was found; then shorter tiles.
  Expected<void> search_all(unsigned macros) {
    auto done = search_with(macros);
    was_cut_ = was_cut_ || budget_.is_used(share_);
    return done;
  }

  Expected<void> search_with(unsigned macros) {
    most_macros_ = macros;
    const unsigned before = found_interval();
    if (auto done = find_some(before); !done) return done;
    steps_ = std::min(kQuickSteps, options_.steps_per_interval);
    if (auto done = search(found_interval()); !done) return done;
    steps_ = options_.steps_per_interval;
    if (steps_ > kQuickSteps) {
      if (auto done = search(found_interval()); !done) return done;
    }
    return found_interval() < before ? shorten() : Expected<void>{};
  }

  /// The best program is proved in the form in which it is printed; if it is wrong, the next best.
  /// What is not proved is no result.
  Expected<void> prove_best() {
    result_.tuned.reset();
    result_.proof = {};
    while (!candidates_.empty()) {
      const Candidate best = std::move(candidates_.back());
      candidates_.pop_back();
      if (auto done = prove_text(best.tuned); !done) return done;
      if (result_.proof.holds) {
        result_.tuned = best.tuned;
        result_.interval = best.interval;
        name_proved(best.interval);
        return {};
      }
      // What z3 does not decide of the best it does not decide of the others.
      result_.proof_was_ended = proof_stopped_;
      if (proof_stopped_ || result_.proof.is_undecided) return {};
    }
    return {};
  }

  Expected<void> prove_text(const Tuned& tuned) {
    result_.text = text_of(tuned, options_.form, options_.name);
    const auto printed = read_printed(plain_.arch, options_.form, result_.text, options_.name);
    if (!printed) return Unexpected(printed.error());
    auto proof = prove_once(plain_, tuned, *printed, watched_proof(tuned.predicted_cycles));
    if (!proof) return Unexpected(proof.error());
    result_.proof = std::move(*proof);
    return {};
  }

  void name_proved(unsigned interval) {
    for (Trial& trial : result_.trials) {
      if (trial.attempt.interval == interval && trial.result == kAgrees) trial.result = kProved;
    }
  }

  ProofOptions watched_proof(std::uint64_t cycles) {
    ProofOptions options = options_.proof;
    if (!takes_long(options)) return options;
    const bool is_sample = is_beyond_inputs(options);
    options.progress = [this, cycles, is_sample](const sweep::SweepProgress& progress) {
      const TuneProgress shown{
          .text = fmt::format("proving: {:.1f} % of {} inputs{}",
                              100.0 * static_cast<double>(progress.done) /
                                  static_cast<double>(std::max<std::uint64_t>(progress.total, 1)),
                              progress.total, is_sample ? " of a sample, then expressions" : ""),
          .best_cycles = cycles,
          .is_proof = true};
      if (options_.progress && !options_.progress(shown)) proof_stopped_ = true;
      return !proof_stopped_;
    };
    return options;
  }

  /// Looks for a placement of the same interval whose rows end sooner: the tile does, too.
  Expected<void> shorten() {
    for (const ShorteningRound& round : kShorteningRounds) {
      // The user's limit of steps holds here, too.
      const ShorteningRound limited{std::min(round.steps, 2 * options_.steps_per_interval),
                                    round.seed};
      if (auto done = shorten(limited); !done) return done;
    }
    return {};
  }

  Expected<void> shorten(const ShorteningRound& round) {
    unsigned target = last_issue(best_form_.row, best_placement_);
    const unsigned shortest = shortest_span(best_form_.row);
    for (unsigned span = shortest; span <= shortest + kSpareCycles && target > 0; ++span) {
      for (const bool carries_first : {true, false}) {
        while (target > 0 && !is_over()) {
          const auto better = shorten_to(target - 1, span, carries_first, round);
          if (!better) return Unexpected(better.error());
          if (!*better) break;
          target = last_issue(best_form_.row, best_placement_);
        }
      }
    }
    return {};
  }

  Expected<bool> shorten_to(unsigned target, unsigned span, bool carries_first,
                            const ShorteningRound& round) {
    Placement placement;
    std::uint64_t steps = 0;
    const auto stop = [&] { return !goes_on("shorter tiles"); };
    const SpanSearch search{.interval = result_.interval,
                            .span = span,
                            .steps = round.steps,
                            .seed = round.seed,
                            .carries_first = carries_first,
                            .last_issue = target};
    const Outcome outcome =
        search_span(best_form_.row, best_form_.machine, search, placement, steps, stop);
    if (outcome != Outcome::Found) return false;
    const std::uint64_t before = result_.proof.cycles;
    const auto taken = try_placement(Formed(best_form_), placement);
    if (!taken) return Unexpected(taken.error());
    return result_.proof.cycles < before;
  }

  /// Some program below `end`, soon: the interval is halved, as if all above a possible one were
  /// possible.
  Expected<void> find_some(unsigned end) {
    is_first_search_ = true;
    steps_ = std::min(kFirstSteps, options_.steps_per_interval);
    unsigned low = result_.lowest_interval, high = end;
    while (high > low && !is_worth_it(high - 1)) --high;
    // The bound of a long row is hardly ever possible: the loosest interval is tried first.
    const bool is_long = is_long_row();
    for (unsigned interval = is_long ? high - 1 : low; low < high && !is_over();
         interval = low + (high - low) / 2) {
      const unsigned before = found_interval();
      if (auto done = try_interval(interval); !done) return done;
      if (found_interval() < before)
        high = interval;
      else if (interval + 1 < high || !is_long)
        low = interval + 1;
      else
        break; // not even the longest rows
    }
    is_first_search_ = false;
    return {};
  }

  /// The smallest interval below `end` that has a proved program.
  Expected<void> search(unsigned end) {
    for (unsigned interval = result_.lowest_interval; interval < end && is_worth_it(interval);
         ++interval) {
      const unsigned before = found_interval();
      if (auto done = try_interval(interval); !done) return done;
      if (is_over() || found_interval() < before) return {};
    }
    return {};
  }

  /// Few macros are tried first: the fewer there are, the sooner a search comes to its end. A body
  /// that is recorded is preferred to one that the core pushes.
  Expected<void> try_interval(unsigned interval) {
    for (const unsigned slots : {kReplaySlots, kLongestBody}) {
      if (interval > slots || (slots == kLongestBody && 2 * interval <= kReplaySlots)) continue;
      for (unsigned macros = 0; macros <= most_macros_; ++macros) {
        for (std::size_t i = 0; i < forms_.size(); ++i) {
          // Of the last ones rows load most constants, and most registers are left to values.
          const bool from_last = is_first_search_ && is_long_row();
          Formed formed = forms_[from_last ? forms_.size() - 1 - i : i];
          formed.machine.macros = macros;
          formed.machine.slots = slots;
          if (resource_bounds(formed.row, formed.machine).front().cycles > interval) continue;
          if (auto done = try_form(formed, interval); !done) return done;
          if (is_over() || (result_.tuned && result_.interval == interval)) return {};
        }
      }
    }
    return {};
  }

  execution::TileRunOptions tile_options() const {
    return {.format = options_.proof.format, .as_kernel = plain_.as_kernel};
  }

  Expected<void> prepare() {
    auto rows = find_rows(plain_.arch, plain_.program, tile_options());
    if (!rows) return Unexpected(rows.error());
    result_.rows = std::move(*rows);
    if (options_.row) result_.rows.row = *options_.row;
    const auto cost = execution::tile_cost_of(plain_.arch, plain_.program, tile_options());
    if (!cost) return Unexpected(cost.error());
    result_.plain_cycles = cost->pass.cycles;
    return find_forms();
  }

  Expected<void> find_forms() {
    const FormOptions options{options_.macros, options_.proof.allow_nan, options_.conservative};
    std::optional<Fault> refusal;
    for (const RowGraph& graph : equal_graphs(result_.rows.row, options)) {
      auto forms = forms_of(graph, options);
      if (!forms) refusal = forms.error();
      if (!forms) continue;
      for (Formed& formed : *forms) forms_.push_back(std::move(formed));
    }
    std::erase_if(forms_, [](const Formed& formed) {
      return formed.row.operations.size() > kMostOperations;
    });
    if (forms_.empty() && refusal) return Unexpected(*refusal);
    if (forms_.empty())
      return Unexpected(
          Fault{.kind = FaultKind::Unsupported,
                .message = fmt::format("a row has more than {} operations", kMostOperations),
                .remedy = "the plain scheduled program stays the best one"});
    find_bound();
    return {};
  }

  void find_bound() {
    result_.lowest_interval = kLongestInterval + 1;
    for (const Formed& formed : forms_) {
      const auto bounds = resource_bounds(formed.row, formed.machine);
      if (bounds.front().cycles >= result_.lowest_interval) continue;
      result_.lowest_interval = bounds.front().cycles;
      result_.lowest_resource = bounds.front().resource;
      result_.bounds = bounds;
    }
  }

  /// Of a tile: what takes as many is no gain.
  double most_cycles() const {
    return std::min(result_.plain_cycles, options_.faster_than.value_or(result_.plain_cycles));
  }

  bool is_long_row() const { return result_.rows.row.nodes.size() > kShortRow; }

  bool is_worth_it(unsigned interval) const {
    return static_cast<double>(interval) * static_cast<double>(result_.rows.addresses.size()) <
           most_cycles();
  }

  bool goes_on(const std::string& text) {
    TuneProgress progress{.text = text, .best_cycles = std::nullopt};
    if (result_.tuned) progress.best_cycles = result_.tuned->predicted_cycles;
    if (budget_.is_used() || (options_.progress && !options_.progress(progress)))
      result_.stopped = true;
    return !is_over();
  }
  /// Whether this part of the search has had its share.
  bool is_over() const { return result_.stopped || budget_.is_used(share_); }

  Expected<void> try_form(const Formed& formed, unsigned interval) {
    PlaceOptions place_options{.first_interval = interval,
                               .last_interval = interval,
                               .steps_per_interval = steps_,
                               .only_longest = is_first_search_};
    place_options.stop = [&](const Attempt& attempt) {
      return !goes_on(fmt::format("{} cycles per row: {} steps", interval, attempt.steps));
    };
    PlaceResult placed = place(formed.row, formed.machine, place_options);
    if (placed.attempts.empty()) return {};
    Trial trial{
        .description = fmt::format("{} macros; {}", formed.machine.macros, formed.description),
        .attempt = placed.attempts.back()};
    if (placed.placement) {
      auto taken = try_placement(formed, *placed.placement);
      if (!taken) return Unexpected(taken.error());
      trial.result = *taken;
    }
    result_.trials.push_back(std::move(trial));
    return {};
  }

  /// Ways to write a placement down, the shortest first.
  std::vector<EmitOptions> ways(const Formed& formed, const Placement& placement) const {
    std::vector<EmitOptions> all;
    const unsigned most = cycles_behind(formed.row, placement);
    const bool has_macros = !placement.macros.empty();
    // What is put back must not be read any more.
    const unsigned least = formed.takes_minus_one ? most : 0;
    for (unsigned pads = least; pads <= most && !(options_.conservative && has_macros); ++pads)
      all.push_back({.counts_instructions = false, .pads = pads});
    if (has_macros) all.push_back({.counts_instructions = true, .pads = most});
    return all;
  }

  /// "proved", or why no way was taken.
  Expected<std::string> try_placement(const Formed& formed, const Placement& placement) {
    std::string why = "no way to write it down";
    for (const EmitOptions& way : ways(formed, placement)) {
      const auto tuned = emit(result_.rows, formed, placement, way);
      if (!tuned) return Unexpected(tuned.error());
      const auto timing = check_timing(*tuned, options_.proof);
      if (!timing) return Unexpected(timing.error());
      if (!timing->holds) {
        why = timing->failure;
        continue;
      }
      return take_if_proved(*tuned, formed, placement);
    }
    return why;
  }

  Expected<std::string> take_if_proved(const Tuned& tuned, const Formed& formed,
                                       const Placement& placement) {
    if (result_.tuned && tuned.predicted_cycles >= result_.tuned->predicted_cycles)
      return std::string("no better");
    if (is_no_gain(tuned.predicted_cycles)) return std::string(kNoGain);
    auto failure = difference(tuned, placement.interval);
    if (failure && failure->starts_with(kNotProvedSoon)) result_.was_left_open = true;
    if (!failure || !failure->empty()) return failure;
    result_.tuned = tuned;
    result_.interval = placement.interval;
    result_.proof.cycles = tuned.predicted_cycles;
    candidates_.push_back({tuned, placement.interval});
    best_form_ = formed;
    best_placement_ = placement;
    return std::string(kAgrees);
  }

  /// Empty, or why it is not taken. A comparison for which there is no time is left to the proof.
  Expected<std::string> difference(const Tuned& tuned, unsigned interval) {
    ProofOptions options = options_.proof;
    options.progress = [&](const sweep::SweepProgress&) {
      return goes_on(fmt::format("comparing {} cycles per row", interval));
    };
    return find_difference(plain_, tuned, options);
  }

  static constexpr const char* kProved = "proved";
  static constexpr const char* kAgrees = "agrees as far as it was compared";
  static constexpr const char* kNoGain = "not faster than the plain program";
  bool is_no_gain(std::uint64_t cycles) const {
    return static_cast<double>(cycles) >= most_cycles();
  }

  Plain plain_;
  TuneOptions options_;
  Budget budget_;
  double share_ = 1; ///< of the budget, up to the end of this part of the search
  unsigned most_macros_ = 0;
  TuneResult result_;
  std::vector<Formed> forms_;
  Formed best_form_;                  ///< of `result_.tuned`
  Placement best_placement_;          ///< likewise
  std::vector<Candidate> candidates_; ///< each is faster than the one before it
  bool proof_stopped_ = false;
  bool was_cut_ = false;    ///< a part of the search has used up its share of the budget
  std::uint64_t steps_ = 0; ///< of an interval
  bool is_first_search_ = false;
};

} // namespace

Expected<TuneResult> tune(const Plain& plain, const TuneOptions& asked) {
  auto proof = with_known_findings(plain, asked.proof);
  if (!proof) return Unexpected(proof.error());
  TuneOptions options = asked;
  options.proof = std::move(*proof);
  auto rows = options.proof.only_as_block
                  ? Expected<TuneResult>(refuse("its results are more than one tile", "", 0))
                  : Tuner(plain, options).run();
  if (!options.blocks || options.row || options.proof.judge) return rows;
  if (rows)
    return rows->tuned ? std::move(rows) : faster_as_block(plain, options, std::move(*rows));
  if (rows.error().kind != FaultKind::Unsupported) return rows;
  return tune_as_block(plain, options, rows.error().message);
}

} // namespace lanewise::tune
