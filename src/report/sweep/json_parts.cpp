#include "report/sweep/json_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "base/source_line.h"
#include "report/page/page.h"
#include "report/sweep/errors.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using nlohmann::json;
using sweep::PartStatistics;
using sweep::SweepStatistics;

json class_json(const JsonFormats& formats, const sweep::ClassStatistics& of) {
  return {{"inputs", of.inputs},
          {"differ", of.differ},
          {"first", of.differ == 0 ? json(nullptr) : case_json(formats, of.first)}};
}

json part_json(const JsonFormats& formats, const PartStatistics& part) {
  return {{"inputs", part.inputs},
          {"largest", ulp_count_json(part.largest)},
          {"sum", number_json(part.sum.value())},
          {"largest_exact", part.largest_exact == formats::kNotCompared
                                ? json(nullptr)
                                : number_json(part.largest_exact)},
          {"lost", part.lost},
          {"worst", case_json(formats, part.worst)},
          {"sample", case_json(formats, part.sample)}};
}

json decades_json(const JsonFormats& formats, const SweepStatistics& chip) {
  json list = json::array();
  for (const auto& [decade, part] : chip.decades) {
    json each = part_json(formats, part);
    each["negative"] = decade.negative;
    each["exponent"] = decade.exponent;
    list.push_back(std::move(each));
  }
  return list;
}

/// Parts of the inputs with their keys.
template <class Key>
json keyed_parts(const JsonFormats& formats, const std::map<Key, PartStatistics>& parts) {
  json list = json::array();
  for (const auto& [key, part] : parts) {
    json each = part_json(formats, part);
    each["key"] = key;
    list.push_back(std::move(each));
  }
  return list;
}

json bins_json(const JsonFormats& formats, const SweepStatistics& chip) {
  return {{"shift", chip.bin_shift}, {"parts", keyed_parts(formats, chip.bins)}};
}

json near_json(const JsonFormats& formats, const SweepStatistics& chip) {
  return {{"cells_per_unit", sweep::kNearCells}, {"parts", keyed_parts(formats, chip.near)}};
}

json histogram_json(const SweepStatistics& chip) {
  json list = json::array();
  for (const auto& [key, results] : chip.histogram)
    list.push_back({{"key", key}, {"results", results}});
  return list;
}

json monotonicity_json(const JsonFormats& formats, const sweep::Monotonicity& found) {
  const bool any = found.reversals != 0;
  return {{"looked_at", found.looked_at},
          {"reversals", found.reversals},
          {"largest", found.largest},
          {"left", any ? case_json(formats, found.left) : json(nullptr)},
          {"right", any ? case_json(formats, found.right) : json(nullptr)}};
}

json symmetry_json(const JsonFormats& formats, const sweep::Symmetry& found) {
  const auto first = [&](std::uint64_t count, const sweep::SweepCase& at) {
    return count == 0 ? json(nullptr) : case_json(formats, at);
  };
  return {{"looked_at", found.looked_at},
          {"pairs", found.pairs},
          {"is_even", found.is_even()},
          {"is_odd", found.is_odd()},
          {"reference_not_even", found.reference_not_even},
          {"reference_not_odd", found.reference_not_odd},
          {"found_not_even", found.found_not_even},
          {"found_not_odd", found.found_not_odd},
          {"first_not_even", first(found.found_not_even, found.first_not_even)},
          {"first_not_odd", first(found.found_not_odd, found.first_not_odd)}};
}

} // namespace

json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

json ulp_count_json(double ulp) {
  constexpr double kExact = 0x1p53; // whole numbers below are exact
  if (ulp == std::floor(ulp) && std::abs(ulp) < kExact) return static_cast<std::int64_t>(ulp);
  return number_json(ulp);
}

json text_json(std::string_view text) {
  return valid_utf8(text);
}

json case_json(const JsonFormats& formats, const sweep::SweepCase& at) {
  json entry = {{"exact", number_json(at.exact)}};
  const auto add = [&](const std::string& name, formats::Format format, std::uint32_t bits) {
    entry[name + "_bits"] = bits_text(format, bits);
    entry[name] = number_json(formats::value_of_bits(format, bits));
  };
  add("x", formats.input, at.x);
  if (formats.operands > 1) add("y", formats.input, at.y);
  add("expected", formats.output, at.expected);
  add("found", formats.output, at.found);
  const double distance = sweep::distance_of(formats.measure, formats.output, at);
  entry["ulp"] = std::isinf(distance) ? json(nullptr) : ulp_count_json(distance);
  return entry;
}

json cases_json(const JsonFormats& formats, const std::vector<sweep::SweepCase>& cases) {
  json list = json::array();
  for (const sweep::SweepCase& at : cases) list.push_back(case_json(formats, at));
  return list;
}

json wrong_json(const sweep::WrongKinds& wrong) {
  return {{"nan", wrong.nan},   {"infinite", wrong.infinite}, {"finite", wrong.finite},
          {"zero", wrong.zero}, {"nonzero", wrong.nonzero},   {"sign", wrong.sign}};
}

json errors_json(const JsonFormats& formats, const sweep::UlpStatistics& errors) {
  json rows = json::array();
  for (std::size_t i = 0; i < errors.rows.size(); ++i)
    rows.push_back({{"ulp", ulp_row_name(i)}, {"results", errors.rows[i]}});
  return {{"rows", std::move(rows)},
          {"count", errors.count()},
          {"lost", errors.lost},
          {"wrong", wrong_json(errors.wrong)},
          {"largest", ulp_count_json(errors.largest)},
          {"sum", number_json(errors.sum.value())},
          {"mean", number_json(errors.mean())},
          {"mean_nonzero", number_json(errors.mean_nonzero())},
          {"largest_exact", number_json(errors.largest_exact)},
          {"sum_exact", number_json(errors.sum_exact.value())},
          {"exact_count", errors.exact_count},
          {"mean_exact", number_json(errors.mean_exact())},
          {"worst", case_json(formats, errors.worst)},
          {"worst_exact", case_json(formats, errors.worst_exact)}};
}

json faults_json(const std::vector<Fault>& faults) {
  json list = json::array();
  for (const Fault& found : faults) {
    const Fault fault = settled(found);
    list.push_back({{"kind", fault_kind_name(fault.kind)},
                    {"message", text_json(fault.message)},
                    {"remedy", text_json(fault.remedy)},
                    {"rule", text_json(fault.rule)},
                    {"instruction", text_json(fault.instruction)},
                    {"file", text_json(fault.file)},
                    {"line", fault.line},
                    {"column", fault.column},
                    {"lane", fault.lane ? json(*fault.lane) : json(nullptr)}});
  }
  return list;
}

json statistics_json(const JsonFormats& formats, const SweepStatistics& chip) {
  return {{"arch", chip_name(chip.arch)},
          {"headline", headline(chip)},
          {"outside", chip.outside},
          {"error", errors_json(formats, chip.error)},
          {"before_store",
           chip.before_store ? errors_json(formats, *chip.before_store) : json(nullptr)},
          {"zero_signs", chip.zero_signs},
          {"undecided", chip.undecided},
          {"expected_nan", class_json(formats, chip.expected_nan)},
          {"denormal", class_json(formats, chip.denormal)},
          {"infinite", class_json(formats, chip.infinite)},
          {"nan", class_json(formats, chip.nan)},
          {"worst", cases_json(formats, chip.worst)},
          {"specials", cases_json(formats, chip.specials)},
          {"decades", decades_json(formats, chip)},
          {"bins", bins_json(formats, chip)},
          {"near", near_json(formats, chip)},
          {"histogram", histogram_json(chip)},
          {"monotonicity", monotonicity_json(formats, chip.monotonicity)},
          {"symmetry", symmetry_json(formats, chip.symmetry)},
          {"faults", faults_json(chip.faults)},
          {"instructions", chip.instructions},
          {"cycles", chip.cycles},
          {"init_cycles", chip.init_cycles}};
}

} // namespace lanewise::report
