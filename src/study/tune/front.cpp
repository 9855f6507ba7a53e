#include "study/tune/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "study/tune/approximate.h"
#include "study/tune/budget.h"
#include "study/tune/follow.h"
#include "study/tune/forms.h"

namespace lanewise::tune {

namespace {

/// Rows of each number of changes that are changed again: those of the lowest bounds.
constexpr std::size_t kMostChangedAgain = 24;
/// Of the limit of time: up to the end of the search for an equal program, and of that for rows.
constexpr double kShareOfEqual = 0.3, kShareOfRows = 0.55;
/// Steps of the first search of each row. Where time is left, there is a second one with all steps.
constexpr std::uint64_t kStepsOfRow = 40'000;
/// Seconds that a row's search has at least.
constexpr double kLeastSeconds = 0.5;

/// A row within the error.
struct Candidate {
  RowGraph row;
  std::vector<std::string> changes;
  ResultErrors errors;
  unsigned bound = 0; ///< no schedule is below it
  bool is_searched = false;

  auto order() const {
    return std::tuple(bound, row.nodes.size(), errors.largest, changes.size(), errors.mean);
  }
};

/// The largest bound of the form that has the lowest one; nothing where none is possible.
std::optional<unsigned> lowest_interval(const RowGraph& row, const FormOptions& options) {
  std::optional<unsigned> lowest;
  for (const RowGraph& graph : equal_graphs(row, options)) {
    const auto forms = forms_of(graph, options);
    if (!forms) continue;
    for (const Formed& formed : *forms) {
      const unsigned cycles = resource_bounds(formed.row, formed.machine).front().cycles;
      lowest = std::min(lowest.value_or(cycles), cycles);
    }
  }
  return lowest;
}

class FrontSearch {
 public:
  FrontSearch(const Plain& plain, const FrontOptions& options)
      : plain_(plain), options_(options), budget_(options.tune.seconds) {}

  Expected<Front> run() {
    auto evaluator = RowEvaluator::prepare(plain_, options_.tune.proof);
    if (!evaluator) return Unexpected(evaluator.error());
    front_.inputs = evaluator->inputs().size();
    if (auto done = find_equal(); !done) return Unexpected(done.error());
    auto accuracy =
        Accuracy::make(plain_, options_.tune.proof, options_.reference, evaluator->inputs());
    if (!accuracy) return Unexpected(accuracy.error());
    accuracy_ = &*accuracy;
    if (auto done = check_values(*evaluator); !done) return Unexpected(done.error());
    auto measured = accuracy->measure(plain_);
    if (!measured) return Unexpected(measured.error());
    front_.plain_error = std::move(*measured);
    if (auto done = take_equal(); !done) return Unexpected(done.error());
    if (auto done = find_rows(*evaluator); !done) return Unexpected(done.error());
    if (auto done = search_rows(); !done) return Unexpected(done.error());
    if (auto done = measure_points(); !done) return Unexpected(done.error());
    return std::move(front_);
  }

 private:
  bool goes_on(const std::string& text, double share) {
    if (options_.tune.progress && !options_.tune.progress({.text = text, .best_cycles = fastest()}))
      front_.stopped = true;
    if (budget_.is_used()) front_.stopped = true;
    return !front_.stopped && !budget_.is_used(share);
  }

  std::optional<std::uint64_t> fastest() const {
    std::optional<std::uint64_t> cycles;
    for (const FrontPoint& point : points_)
      cycles = std::min(cycles.value_or(point.cycles), point.cycles);
    return cycles;
  }

  Expected<void> find_equal() {
    TuneOptions options = options_.tune;
    options.seconds *= kShareOfEqual;
    options.blocks = false;
    auto equal = tune(plain_, options);
    if (!equal) return Unexpected(equal.error());
    front_.equal = std::move(*equal);
    return {};
  }

  /// What is changed must be what the plain program computes.
  Expected<void> check_values(RowEvaluator& evaluator) const {
    const auto values = evaluator.evaluate(front_.equal.rows.row);
    if (!values) return Unexpected(values.error());
    if (values->results == accuracy_->plain_results()) return {};
    return refuse("the row has operations whose values are not known one by one",
                  "leave --max-ulp out for this kernel", 0);
  }

  /// The equal program has the plain kernel's error.
  Expected<void> take_equal() {
    const TuneResult& equal = front_.equal;
    if (!equal.tuned || !front_.plain_error.is_within(options_.max_ulp)) return {};
    points_.push_back({.changes = {},
                       .tuned = *equal.tuned,
                       .interval = equal.interval,
                       .cycles = equal.proof.cycles,
                       .error = front_.plain_error.error,
                       .text = {}});
    return {};
  }

  FormOptions form_options() const {
    return {.macros = options_.tune.macros, .conservative = options_.tune.conservative};
  }

  // ---------------------------------------------------------------- rows
  /// Rows of one change, then changes of those.
  Expected<void> find_rows(RowEvaluator& evaluator) {
    Approximator approximator(evaluator);
    seen_ = {front_.equal.rows.row};
    std::vector<Candidate> last{{front_.equal.rows.row, {}, {}, 0}};
    for (unsigned count = 0; count < options_.most_changes && !last.empty(); ++count) {
      std::vector<Candidate> next;
      for (const Candidate& each : last) {
        if (!goes_on(fmt::format("{} rows within the error", candidates_.size()), kShareOfRows))
          return {};
        if (auto done = change(evaluator, approximator, each, next); !done) return done;
      }
      std::ranges::stable_sort(next, {}, &Candidate::order);
      candidates_.insert(candidates_.end(), next.begin(), next.end());
      next.resize(std::min(next.size(), kMostChangedAgain));
      last = std::move(next);
    }
    return {};
  }

  Expected<void> change(RowEvaluator& evaluator, Approximator& approximator,
                        const Candidate& before, std::vector<Candidate>& next) {
    const auto values = evaluator.evaluate(before.row);
    if (!values) return Unexpected(values.error());
    const auto changed = approximator.changed_once(before.row, *values);
    if (!changed) return Unexpected(changed.error());
    for (const Approximation& each : *changed) {
      if (std::ranges::find(seen_, each.row) != seen_.end()) continue;
      seen_.push_back(each.row);
      ++front_.rows;
      const auto results = evaluator.evaluate(each.row);
      if (!results) return Unexpected(results.error());
      const ResultErrors errors = accuracy_->errors_of(results->results);
      if (!errors.is_within(options_.max_ulp)) continue;
      const auto bound = lowest_interval(each.row, form_options());
      if (!bound) continue;
      ++front_.within;
      Candidate candidate{each.row, before.changes, errors, *bound};
      candidate.changes.push_back(each.change);
      next.push_back(std::move(candidate));
    }
    return {};
  }

  // ---------------------------------------------------------------- programs
  /// The rows of the lowest bounds first. Each search goes on below what others have found.
  Expected<void> search_rows() {
    std::ranges::stable_sort(candidates_, {}, &Candidate::order);
    const std::uint64_t all_steps = options_.tune.steps_per_interval;
    if (auto done = search_rows(std::min(all_steps, kStepsOfRow)); !done) return done;
    return all_steps > kStepsOfRow ? search_rows(all_steps) : Expected<void>{};
  }

  Expected<void> search_rows(std::uint64_t steps) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!goes_on(fmt::format("row {} of {}", i + 1, candidates_.size()), 1)) break;
      if (auto done = search(candidates_[i], steps, candidates_.size() - i); !done) return done;
    }
    return {};
  }

  /// Cycles of a tile that a program with this error must be below.
  std::optional<double> best_cycles(double error) const {
    std::optional<double> best;
    for (const FrontPoint& point : points_) {
      const auto cycles = static_cast<double>(point.cycles);
      if (point.error.largest <= error) best = std::min(best.value_or(cycles), cycles);
    }
    return best;
  }

  /// `left`: rows that share the time that is left.
  Expected<void> search(Candidate& candidate, std::uint64_t steps, std::size_t left) {
    TuneOptions options = options_.tune;
    options.faster_than = best_cycles(candidate.errors.largest);
    const double rows = static_cast<double>(front_.equal.rows.addresses.size());
    if (options.faster_than && candidate.bound * rows >= *options.faster_than) return {};
    if (!candidate.is_searched) ++front_.searched;
    candidate.is_searched = true;
    options.row = candidate.row;
    options.form =
        Form::Words; // the form that is asked for takes g++, and only the best are printed
    options.steps_per_interval = steps;
    if (options.seconds != 0)
      options.seconds = std::max(
          kLeastSeconds, budget_.left() / static_cast<double>(std::max<std::size_t>(left, 1)));
    options.proof.judge = [&](const Plain& program) { return judge(program); };
    auto found = tune(plain_, options);
    // A row may have forms, but none that can be recorded.
    if (!found && found.error().kind == FaultKind::Unsupported) return {};
    if (!found) return Unexpected(found.error());
    if (!found->tuned) return {};
    FrontPoint point{.changes = candidate.changes,
                     .tuned = std::move(*found->tuned),
                     .interval = found->interval,
                     .cycles = found->proof.cycles,
                     .error = {},
                     .text = {}};
    point.error.largest = candidate.errors.largest;
    points_.push_back(std::move(point));
    return {};
  }

  Expected<std::string> judge(const Plain& program) const {
    const auto errors = accuracy_->errors_of(program);
    if (!errors) return Unexpected(errors.error());
    if (errors->is_within(options_.max_ulp)) return std::string();
    return fmt::format("an error of {} ULP", std::max(errors->largest, errors->apart));
  }

  // ---------------------------------------------------------------- points
  /// What is printed is read back, proved but for its results, and measured by the sweep.
  Expected<void> measure_points() {
    auto proof = with_known_findings(plain_, options_.tune.proof);
    if (!proof) return Unexpected(proof.error());
    proof->judge = [this](const Plain& program) { return judge(program); };
    std::vector<FrontPoint> measured;
    for (FrontPoint& point : front_of(std::move(points_))) {
      auto holds = measure(point, *proof);
      if (!holds) return Unexpected(holds.error());
      if (*holds) measured.push_back(std::move(point));
    }
    front_.points = front_of(std::move(measured));
    return {};
  }

  Expected<bool> measure(FrontPoint& point, const ProofOptions& proof_options) {
    const TuneOptions& options = options_.tune;
    point.text = text_of(point.tuned, options.form, options.name);
    const auto printed = read_printed(plain_.arch, options.form, point.text, options.name);
    if (!printed) return Unexpected(printed.error());
    const auto proof = prove_printed(plain_, point.tuned, *printed, proof_options);
    if (!proof) return Unexpected(proof.error());
    const auto errors = accuracy_->measure(*printed);
    if (!errors) return Unexpected(errors.error());
    point.error = errors->error;
    point.cycles = proof->cycles;
    if (!proof->holds || !errors->is_within(options_.max_ulp)) return false;
    for (const std::string& rule : proof->findings)
      if (std::ranges::find(front_.findings, rule) == front_.findings.end())
        front_.findings.push_back(rule);
    return true;
  }

  Plain plain_;
  FrontOptions options_;
  Budget budget_;
  Front front_;
  const Accuracy* accuracy_ = nullptr;
  std::vector<RowGraph> seen_;
  std::vector<Candidate> candidates_;
  std::vector<FrontPoint> points_; ///< found, the equal one first; `largest` is that of the row
};

} // namespace

bool dominates(const FrontPoint& better, const FrontPoint& other) {
  if (better.cycles > other.cycles || better.error.largest > other.error.largest) return false;
  if (better.cycles < other.cycles || better.error.largest < other.error.largest) return true;
  return better.error.mean() < other.error.mean();
}

std::vector<FrontPoint> front_of(std::vector<FrontPoint> points) {
  std::vector<FrontPoint> front;
  for (const FrontPoint& point : points) {
    const auto beats = [&](const FrontPoint& each) { return dominates(each, point); };
    const auto equals = [&](const FrontPoint& each) {
      return each.cycles == point.cycles && each.error.largest == point.error.largest;
    };
    if (std::ranges::any_of(points, beats) || std::ranges::any_of(front, equals)) continue;
    front.push_back(point);
  }
  std::ranges::stable_sort(front, std::ranges::greater{}, &FrontPoint::cycles);
  return front;
}

Expected<Front> tune_within(const Plain& plain, const FrontOptions& options) {
  return FrontSearch(plain, options).run();
}

} // namespace lanewise::tune
