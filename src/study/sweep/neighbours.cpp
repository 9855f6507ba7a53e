#include "study/sweep/neighbours.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "number/formats/number_line.h"
#include "study/sweep/merge.h"

namespace lanewise::sweep {

namespace {

/// Steps that the result goes the other way than the reference; 0 if it does not.
std::int64_t reversal(double exact_before, double exact_after, std::int64_t before,
                      std::int64_t after) {
  if (before == kNoPosition || after == kNoPosition) return 0;
  const double change = exact_after - exact_before;
  const double certain = kCertainChange * std::max(std::abs(exact_before), std::abs(exact_after));
  if (change > certain) return std::max<std::int64_t>(before - after, 0);
  if (-change > certain) return std::max<std::int64_t>(after - before, 0);
  return 0;
}

/// `inner` is nearer to zero.
void note_reversal(std::int64_t size, const SweepCase& inner, const SweepCase& outer,
                   bool is_negative, Monotonicity& monotonicity) {
  ++monotonicity.reversals;
  if (size <= monotonicity.largest) return;
  monotonicity.largest = size;
  monotonicity.left = is_negative ? outer : inner;
  monotonicity.right = is_negative ? inner : outer;
}

template <class Line>
void count_in_run(const ChunkResults& results, std::size_t begin, std::size_t end, bool is_negative,
                  Monotonicity& monotonicity, RunEnds& ends) {
  const auto steps_of = [&](std::size_t i) {
    return std::abs(Line::position(results.inputs.x[i]));
  };
  const auto end_at = [&](std::size_t i) {
    return RunEnd{steps_of(i), results.errors.position[i], results.at(i)};
  };
  const std::size_t none = end;
  std::size_t first = none, last = none;
  std::int64_t last_steps = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (results.expected.kind[i] != InputKind::Counted) continue;
    const std::int64_t steps = steps_of(i);
    if (first == none) {
      first = i;
    } else if (steps == last_steps + 1) {
      const std::int64_t size = reversal(results.expected.exact[last], results.expected.exact[i],
                                         results.errors.position[last], results.errors.position[i]);
      if (size != 0)
        note_reversal(size, results.at(last), results.at(i), is_negative, monotonicity);
    }
    last = i;
    last_steps = steps;
  }
  if (first == none) return;
  ends.first[is_negative ? 1 : 0] = end_at(first);
  ends.last[is_negative ? 1 : 0] = end_at(last);
}

/// Places in the line of results, or NaN.
bool are_mirrored(std::int64_t a, std::int64_t b) {
  return a == kNoPosition || b == kNoPosition ? a == b : a == -b;
}

void compare_pair(const ChunkResults& results, std::size_t positive, std::size_t negative,
                  Symmetry& symmetry) {
  ++symmetry.pairs;
  const std::int64_t expected = results.errors.wanted[positive];
  const std::int64_t expected_other = results.errors.wanted[negative];
  symmetry.reference_not_even += expected != expected_other ? 1 : 0;
  symmetry.reference_not_odd += are_mirrored(expected, expected_other) ? 0 : 1;
  const std::int64_t found = results.errors.position[positive];
  const std::int64_t found_other = results.errors.position[negative];
  if (found != found_other && symmetry.found_not_even++ == 0)
    symmetry.first_not_even = results.at(positive);
  if (!are_mirrored(found, found_other) && symmetry.found_not_odd++ == 0)
    symmetry.first_not_odd = results.at(positive);
}

template <class Line>
void count_symmetry_as(const ChunkResults& results, std::size_t done, Symmetry& symmetry) {
  const std::vector<std::uint32_t>& x = results.inputs.x;
  const auto is_looked_at = [&](std::size_t i) {
    return Line::kind(x[i]) == formats::NumberClass::Normal;
  };
  std::size_t negative = results.inputs.positives + done;
  for (std::size_t i = done; i < results.inputs.positives; ++i) {
    while (negative < x.size() && Line::magnitude(x[negative]) < x[i]) ++negative;
    if (negative == x.size()) return;
    if (Line::magnitude(x[negative]) == x[i] && is_looked_at(i))
      compare_pair(results, i, negative, symmetry);
  }
}

} // namespace

RunEnds count_reversals(formats::Format format, const ChunkResults& results,
                        Monotonicity& monotonicity) {
  RunEnds ends;
  const std::size_t positives = results.inputs.positives;
  formats::with_line(format, [&]<class Line>(Line) {
    count_in_run<Line>(results, 0, positives, false, monotonicity, ends);
    count_in_run<Line>(results, positives, results.inputs.x.size(), true, monotonicity, ends);
  });
  return ends;
}

void join_runs(RunEnds& before, const RunEnds& next, Monotonicity& monotonicity) {
  for (std::size_t sign = 0; sign < 2; ++sign) {
    if (!next.first[sign]) continue;
    const RunEnd& outer = *next.first[sign];
    if (before.last[sign] && outer.steps == before.last[sign]->steps + 1) {
      const RunEnd& inner = *before.last[sign];
      const std::int64_t size =
          reversal(inner.result.exact, outer.result.exact, inner.position, outer.position);
      if (size != 0) note_reversal(size, inner.result, outer.result, sign == 1, monotonicity);
    }
    if (!before.first[sign]) before.first[sign] = next.first[sign];
    before.last[sign] = next.last[sign];
  }
}

void count_symmetry(formats::Format format, const ChunkResults& results, std::size_t done,
                    Symmetry& symmetry) {
  formats::with_line(format,
                     [&]<class Line>(Line) { count_symmetry_as<Line>(results, done, symmetry); });
}

} // namespace lanewise::sweep
