#include "study/sweep/statistics.h"

#include <numeric>

namespace lanewise::sweep {

namespace {

double ratio(const ExactSum& sum, std::uint64_t count) {
  return count == 0 ? 0 : sum.value() / static_cast<double>(count);
}

} // namespace

std::uint64_t UlpStatistics::count() const {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
}

double UlpStatistics::mean() const {
  return ratio(sum, count() - lost);
}

double distance_of(formats::UlpMeasure measure, formats::Format output_format,
                   const SweepCase& result) {
  return formats::ulp_error(measure, output_format, result.exact, result.expected, result.found)
      .distance;
}

double UlpStatistics::mean_nonzero() const {
  return ratio(sum, count() - lost - rows[0]);
}

double UlpStatistics::mean_exact() const {
  return ratio(sum_exact, exact_count);
}

} // namespace lanewise::sweep
