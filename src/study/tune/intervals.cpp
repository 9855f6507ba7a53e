// Which intervals and lengths of a row are tried, in which order and with how many steps.
#include <algorithm>
#include <array>
#include <vector>

#include "study/tune/place.h"

namespace lanewise::tune {

namespace {

/// How the steps of an interval are spread: first a little for every length of the row, then more,
/// in other orders.
struct Round {
  std::uint64_t share; ///< of the interval's steps, in thousandths, for one length
  std::uint64_t seed = 0;
  bool carries_first = false;
};
constexpr std::array<Round, 6> kRounds{
    {{4, 0, false}, {4, 0, true}, {8, 1, false}, {16, 2, false}, {24, 3, false}, {48, 4, false}}};

/// Rows are let grow by so many intervals beyond the shortest one.
constexpr unsigned kSpareIntervals = 2;

class IntervalSearch {
 public:
  IntervalSearch(const Row& row, const MachineModel& machine, const PlaceOptions& options,
                 unsigned interval)
      : row_(row), machine_(machine), options_(options) {
    attempt_.interval = interval;
  }

  Attempt run(std::optional<Placement>& found) {
    const unsigned shortest = shortest_span(row_);
    const unsigned longest = shortest + kSpareIntervals * attempt_.interval + 2;
    std::vector<bool> exhausted(longest + 1, false);
    attempt_.longest_span = longest;
    if (options_.only_longest) {
      attempt_.outcome = try_span(longest, {.share = 1000}, found);
      return attempt_;
    }
    for (const Round& round : kRounds) {
      for (unsigned span = shortest; span <= longest; ++span) {
        if (exhausted[span]) continue;
        const Outcome outcome = try_span(span, round, found);
        if (outcome == Outcome::Found) return attempt_;
        exhausted[span] = outcome == Outcome::Exhausted;
        if (stopped_ || attempt_.steps >= options_.steps_per_interval) return attempt_;
      }
      if (exhausted[longest]) {
        attempt_.outcome = Outcome::Exhausted;
        return attempt_;
      }
    }
    return attempt_;
  }
  bool stopped() const { return stopped_; }

 private:
  Outcome try_span(unsigned span, const Round& round, std::optional<Placement>& found) {
    Placement placement;
    std::uint64_t steps = 0;
    const auto stop = [&] {
      stopped_ = stopped_ || (options_.stop && options_.stop(attempt_));
      return stopped_;
    };
    if (stop()) return Outcome::GivenUp; // short searches come to no question of their own
    const Outcome outcome = search_span(
        row_, machine_,
        {.interval = attempt_.interval,
         .span = span,
         .steps = std::max<std::uint64_t>(1000, options_.steps_per_interval * round.share / 1000),
         .seed = round.seed,
         .carries_first = round.carries_first},
        placement, steps, stop);
    attempt_.steps += steps;
    attempt_.outcome = outcome == Outcome::Found ? Outcome::Found : Outcome::GivenUp;
    if (outcome == Outcome::Found) found = std::move(placement);
    return outcome;
  }

  const Row& row_;
  const MachineModel& machine_;
  const PlaceOptions& options_;
  Attempt attempt_;
  bool stopped_ = false;
};

} // namespace

PlaceResult place(const Row& row, const MachineModel& machine, const PlaceOptions& options) {
  PlaceResult result;
  result.bound = resource_bounds(row, machine).front();
  const unsigned first = std::max({options.first_interval, result.bound.cycles, 1U});
  for (unsigned interval = first; interval <= options.last_interval; ++interval) {
    IntervalSearch search(row, machine, options, interval);
    result.attempts.push_back(search.run(result.placement));
    if (result.placement || search.stopped()) break;
  }
  return result;
}

} // namespace lanewise::tune
