// The cases of a table, each measured once, in as many processes as there shall be.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/silicon/measure.h"

namespace lanewise::silicon {

/// How compare() measures.
struct CompareSettings {
  unsigned jobs = 1; ///< processes; 1: in this one
  /// Is called with the number of cases that are done, and of all; says whether to go on.
  std::function<bool(std::size_t, std::size_t)> progress = {};
};

/// What measure() has given, by case_text().
using MeasuredCases = std::map<std::string, Expected<Zones>>;

/// All cases of the rows, in the order in which they come first.
std::vector<ClockCase> cases_of(const std::vector<CostRow>& table);

/// What was reached before `progress` said no. Error: BadInput if there can be no processes.
Expected<MeasuredCases> measure_cases(const std::vector<ClockCase>& cases, ZoneMeter& meter,
                                      const CompareSettings& settings);

/// Has what was measured before.
class KnownMeter : public ZoneMeter {
 public:
  explicit KnownMeter(MeasuredCases known) : known_(std::move(known)) {}

  /// Error: Unsupported, too, for a case that was not reached.
  Expected<Zones> measure(const ClockCase& each) override;
  bool has(const ClockCase& each) const { return known_.contains(case_text(each)); }

 private:
  MeasuredCases known_;
};

/// A result as text, and back; nothing for a text that is none.
std::string zones_text(const Expected<Zones>& zones);
std::optional<Expected<Zones>> parse_zones(const std::string& text);

} // namespace lanewise::silicon
