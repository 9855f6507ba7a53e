#include "report/accuracy/report_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "number/formats/format.h"
#include "number/formats/ulp_measure.h"
#include "report/accuracy/names.h"
#include "study/corpus/accuracy/corpus.h"

namespace lanewise::report {

namespace {

using sweep::SweepCase;

constexpr formats::Format kFormat = corpus::kAccuracyFormat;
constexpr formats::UlpMeasure kMeasure = formats::UlpMeasure::AccuracyReportUnrounded;
constexpr std::size_t kOffenders = 10;
constexpr double kUsable = 2; ///< ULP

double value(std::uint32_t bits) {
  return formats::value_of_bits(kFormat, bits);
}

enum class Outcome : std::uint8_t {
  Exact,    ///< the nearest number
  Faithful, ///< less than 1 ULP off
  Inexact,
  Flushed,   ///< the true result is too small for a number, and 0 was found
  Zeroed,    ///< 0 where there is a number
  Overflow,  ///< infinity where there is a number, or the reverse
  Undefined, ///< the function has no value
  Mismatch   ///< NaN, or a number where 0 is expected
};

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::Exact: return "exact";
    case Outcome::Faithful: return "faithful";
    case Outcome::Inexact: return "inexact";
    case Outcome::Flushed: return "flushed";
    case Outcome::Zeroed: return "zeroed";
    case Outcome::Overflow: return "overflow";
    case Outcome::Undefined: return "undefined";
    case Outcome::Mismatch: return "mismatch";
  }
  return "";
}

/// A result with its error; `ulp` is 0 where it has no size.
struct Scored {
  const SweepCase* point = nullptr;
  Outcome outcome = Outcome::Exact;
  double ulp = 0; ///< signed: positive where the result is larger
};

bool has_size(Outcome outcome) {
  return outcome == Outcome::Exact || outcome == Outcome::Faithful || outcome == Outcome::Inexact;
}

bool is_defect(Outcome outcome) {
  return outcome == Outcome::Zeroed || outcome == Outcome::Mismatch;
}

Scored score(const SweepCase& point) {
  Scored scored{.point = &point};
  const double wanted = value(point.expected), found = value(point.found);
  if (std::isnan(point.exact)) {
    scored.outcome = Outcome::Undefined;
  } else if (std::isnan(found)) {
    scored.outcome = Outcome::Mismatch;
  } else if (std::isinf(wanted) || std::isinf(found)) {
    scored.outcome = wanted == found ? Outcome::Exact : Outcome::Overflow;
  } else if (wanted == 0 || found == 0) {
    const bool both = wanted == 0 && found == 0;
    scored.outcome = !both                ? (found == 0 ? Outcome::Zeroed : Outcome::Mismatch)
                     : point.exact == 0.0 ? Outcome::Exact
                                          : Outcome::Flushed;
  } else {
    scored.ulp = sweep::distance_of(kMeasure, kFormat, point);
    scored.outcome = point.expected == point.found ? Outcome::Exact
                     : std::abs(scored.ulp) < 1.0  ? Outcome::Faithful
                                                   : Outcome::Inexact;
  }
  return scored;
}

/// Finite inputs that are no denormals.
bool is_scored(const SweepCase& point) {
  const double x = value(point.x);
  constexpr double kSmallest = 0x1p-126;
  return std::isfinite(x) && (x == 0 || std::abs(x) >= kSmallest);
}

std::string digits(double number) {
  return fmt::format("{:.3g}", number);
}

/// The largest |x| below which all results are within kUsable ULP and none is a defect.
std::string usable_to(std::span<const Scored> all) {
  double first_bad = INFINITY;
  for (const Scored& each : all) {
    if (is_defect(each.outcome) || std::abs(each.ulp) > kUsable)
      first_bad = std::min(first_bad, std::abs(value(each.point->x)));
  }
  double largest = -1;
  for (const Scored& each : all) {
    const double x = std::abs(value(each.point->x));
    if (x < first_bad) largest = std::max(largest, x);
  }
  return largest < 0 ? "\u2014" : digits(largest);
}

nlohmann::json offenders(std::vector<Scored> all) {
  std::ranges::stable_sort(all, std::greater{},
                           [](const Scored& each) { return std::abs(each.ulp); });
  nlohmann::json list = nlohmann::json::array();
  for (const Scored& each : std::span(all).first(std::min(all.size(), kOffenders))) {
    if (each.ulp == 0) break;
    list.push_back({{"x", value(each.point->x)},
                    {"y_ref", each.point->exact},
                    {"y", value(each.point->found)},
                    {"ulp", std::abs(each.ulp)}});
  }
  return list;
}

/// Zeros, infinities, NaN and the smallest normal numbers, as text: JSON has no infinities.
nlohmann::json specials(std::span<const SweepCase> cases) {
  constexpr std::array<std::uint32_t, 7> kSpecials{0x0000, 0x8000, 0x7F80, 0xFF80,
                                                   0x7FC0, 0x0080, 0x8080};
  nlohmann::json list = nlohmann::json::array();
  for (const SweepCase& point : cases) {
    if (std::ranges::find(kSpecials, point.x) == kSpecials.end()) continue;
    const double y = value(point.found), wanted = value(point.expected);
    const bool agree = y == wanted || (std::isnan(y) && std::isnan(wanted));
    list.push_back({{"x", digits(value(point.x))},
                    {"y", digits(y)},
                    {"y_ref", digits(wanted)},
                    {"agree", agree}});
  }
  return list;
}

/// What a reader is told first.
std::string verdict_text(const nlohmann::json& outcomes, std::size_t scored, double largest,
                         double mean, const std::string& usable) {
  const auto count = [&](const char* name) { return outcomes.value(name, std::size_t{0}); };
  if (scored == 0) return "no scorable points";
  if (const std::size_t lost = count("zeroed") + count("overflow"); lost != 0)
    return fmt::format("{} of {} points returned inf or zero where a value exists", lost, scored);
  if (const std::size_t wrong = count("mismatch"); wrong != 0)
    return fmt::format("{} of {} points returned a value where the reference is zero", wrong,
                       scored);
  if (count("faithful") + count("inexact") == 0) return "bit-exact";
  if (largest <= kUsable) return "within 2 ULP everywhere";
  if (usable == "\u2014")
    return fmt::format("never within 2 ULP; mean {}, worst {}", digits(mean), digits(largest));
  return fmt::format("accurate to |x| <= {}; up to {} ULP beyond", usable, digits(largest));
}

} // namespace

nlohmann::json report_entry(std::span<const SweepCase> cases) {
  std::vector<Scored> all;
  for (const SweepCase& point : cases) {
    if (is_scored(point)) all.push_back(score(point));
  }
  std::map<std::string_view, std::size_t> outcomes;
  double largest = 0, sum = 0, bias = 0;
  std::size_t sized = 0, off = 0, defects = 0;
  for (const Scored& each : all) {
    ++outcomes[outcome_name(each.outcome)];
    if (is_defect(each.outcome)) ++defects;
    if (!has_size(each.outcome)) continue;
    ++sized;
    bias += each.ulp;
    if (each.ulp == 0) continue;
    ++off;
    sum += std::abs(each.ulp);
    largest = std::max(largest, std::abs(each.ulp));
  }
  const auto share = [](double part, std::size_t whole) {
    return whole == 0 ? 0 : part / static_cast<double>(whole);
  };
  const double mean = share(sum, off);
  nlohmann::json counted = outcomes;
  const std::string usable = usable_to(all);
  const std::string words = verdict_text(counted, all.size(), largest, mean, usable);
  return {{"max_ulp", digits(largest)},
          {"mean_ulp", off == 0 ? "\u2014" : digits(mean)},
          {"bias_ulp", digits(share(bias, sized))},
          {"exact_frac", digits(share(static_cast<double>(outcomes["exact"]), all.size()))},
          {"usable_to", usable},
          {"n_inputs", all.size()},
          {"defects", defects},
          {"outcomes", std::move(counted)},
          {"offenders", offenders(all)},
          {"specials", specials(cases)},
          {"verdict", words}};
}

void ReportIndex::add(Arch arch, const std::string& kernel, std::span<const SweepCase> cases) {
  const IndexName name = index_name(kernel);
  index_[std::string(arch_params(arch).names.id)]["bf16"][name.op][name.variant] =
      report_entry(cases);
}

} // namespace lanewise::report
