#include "study/sweep/json.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "study/parts/kept_record.h"

namespace lanewise::sweep {

namespace {

// --- Both ways at once: each structure names its members once, in `members`, and a Writer or a
// --- Reader goes through them. Structures are arrays in JSON.

template <class Archive, class Value>
void members(Archive& archive, Value& value);

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class... Values>
  void operator()(Values&... values) {
    (add(values), ...);
  }
  Json take() { return std::move(array_); }

  template <class Value>
  static Json written(Value& value) {
    if constexpr (std::is_same_v<std::remove_const_t<Value>, double>) {
      return std::bit_cast<std::uint64_t>(value);
    } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<Value>) {
      return static_cast<std::underlying_type_t<Value>>(value);
    } else {
      Writer writer;
      members(writer, value);
      return writer.take();
    }
  }

 private:
  template <class Value>
  void add(Value& value) {
    array_.push_back(written(value));
  }

  Json array_ = Json::array();
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(const Json& json) : array_(json) {
    if (!json.is_array()) throw MalformedState("a list is missing");
  }
  ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }

  std::size_t size() const { return array_.size(); }
  const Json& next() { return array_.at(place_++); }

  template <class Value>
  static void read(const Json& json, Value& value) {
    if constexpr (std::is_same_v<Value, double>) {
      value = std::bit_cast<double>(whole<std::uint64_t>(json));
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = json.get<bool>();
    } else if constexpr (std::is_integral_v<Value>) {
      value = whole<Value>(json);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = json.get<std::string>();
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(whole<std::underlying_type_t<Value>>(json));
    } else {
      Reader reader(json);
      members(reader, value);
    }
  }

 private:
  template <class Value>
  void take(Value& value) {
    read(next(), value);
  }

  template <class Number>
  static Number whole(const Json& json) {
    if (json.is_number_unsigned()) {
      const auto number = json.get<std::uint64_t>();
      if (std::in_range<Number>(number)) return static_cast<Number>(number);
    } else if (json.is_number_integer()) {
      const auto number = json.get<std::int64_t>();
      if (std::in_range<Number>(number)) return static_cast<Number>(number);
    }
    throw MalformedState("a whole number is missing, or too large");
  }

  const Json& array_;
  std::size_t place_ = 0;
};

template <class Archive, class Item>
void list(Archive& archive, std::vector<Item>& items) {
  if constexpr (Archive::kReads) {
    items.resize(archive.size());
    for (Item& item : items) archive(item);
  } else {
    for (Item& item : items) archive(item);
  }
}

template <class Archive, class Count>
void counts_by_key(Archive& archive, std::map<int, Count>& counts) {
  if constexpr (Archive::kReads) {
    counts.clear();
    for (std::size_t i = 0; i < archive.size(); i += 2) {
      int key = 0;
      Count count = 0;
      archive(key, count);
      counts[key] = count;
    }
  } else {
    for (auto& [key, count] : counts) archive(key, count);
  }
}

template <class Archive>
void exact_sum(Archive& archive, ExactSum& sum) {
  ExactSum::Digits digits = sum.digits();
  counts_by_key(archive, digits);
  if constexpr (!Archive::kReads) return;
  constexpr int kHighest = 40; // 2^1280, above 2^64 of the largest double
  if (!digits.empty() && (digits.begin()->first < -kHighest || digits.rbegin()->first > kHighest))
    throw MalformedState("a sum that doubles do not have");
  sum = ExactSum(std::move(digits));
}

/// Something that may not be there: a list of one, or none.
template <class Archive, class Value>
void maybe(Archive& archive, std::optional<Value>& value) {
  if constexpr (Archive::kReads) {
    value.reset();
    if (archive.size() != 0) archive(value.emplace());
  } else {
    if (value) archive(*value);
  }
}

/// Parts by their index; those without inputs are left out.
template <class Archive>
void parts(Archive& archive, std::vector<PartStatistics>& all) {
  if constexpr (Archive::kReads) {
    for (std::size_t i = 0; i < archive.size(); i += 2) {
      std::uint32_t index = 0;
      archive(index);
      if (index >= all.size()) throw MalformedState("a part of the inputs that there is not");
      archive(all[index]);
    }
  } else {
    for (std::uint32_t index = 0; index < all.size(); ++index) {
      if (all[index].inputs != 0) archive(index, all[index]);
    }
  }
}

template <class Archive>
void whole_chip(Archive& archive, SweepStatistics& v);

/// Parts by another key than their index.
template <class Archive, class Key>
void parts_by_key(Archive& archive, std::map<Key, PartStatistics>& all) {
  if constexpr (Archive::kReads) {
    all.clear();
    for (std::size_t i = 0; i < archive.size(); i += 2) {
      Key key{};
      archive(key);
      archive(all[key]);
    }
  } else {
    for (auto& [key, part] : all) {
      Key copy = key;
      archive(copy, part);
    }
  }
}

template <class Archive, class Value>
void members(Archive& archive, Value& v) {
  if constexpr (std::is_same_v<Value, SweepCase>) {
    archive(v.x, v.y, v.expected, v.found, v.exact);
  } else if constexpr (std::is_same_v<Value, decltype(UlpStatistics::rows)>) {
    for (std::uint64_t& row : v) archive(row);
  } else if constexpr (std::is_same_v<Value, UlpStatistics>) {
    archive(v.rows, v.lost, v.wrong, v.largest, v.sum, v.largest_exact, v.sum_exact, v.exact_count,
            v.worst, v.worst_exact);
  } else if constexpr (std::is_same_v<Value, WrongKinds>) {
    archive(v.nan, v.infinite, v.finite, v.zero, v.nonzero, v.sign);
  } else if constexpr (std::is_same_v<Value, ClassStatistics>) {
    archive(v.inputs, v.differ, v.first);
  } else if constexpr (std::is_same_v<Value, PartStatistics>) {
    archive(v.inputs, v.largest, v.sum, v.largest_exact, v.lost, v.worst, v.sample);
  } else if constexpr (std::is_same_v<Value, Monotonicity>) {
    archive(v.reversals, v.largest, v.left, v.right);
  } else if constexpr (std::is_same_v<Value, Symmetry>) {
    archive(v.pairs, v.reference_not_even, v.reference_not_odd, v.found_not_even, v.found_not_odd,
            v.first_not_even, v.first_not_odd);
  } else if constexpr (std::is_same_v<Value, RunEnd>) {
    archive(v.steps, v.position, v.result);
  } else if constexpr (std::is_same_v<Value, Fault>) {
    archive(v.kind, v.message, v.remedy, v.rule, v.instruction, v.file, v.line, v.column, v.lane);
  } else if constexpr (std::is_same_v<Value, std::map<int, std::uint64_t>>) {
    counts_by_key(archive, v);
  } else if constexpr (std::is_same_v<Value, ExactSum>) {
    exact_sum(archive, v);
  } else if constexpr (std::is_same_v<Value, Decade>) {
    archive(v.negative, v.exponent);
  } else if constexpr (requires { typename Value::mapped_type; }) {
    parts_by_key(archive, v);
  } else if constexpr (std::is_same_v<Value, SweepStatistics>) {
    whole_chip(archive, v);
  } else if constexpr (std::is_same_v<Value, std::vector<PartStatistics>>) {
    parts(archive, v);
  } else if constexpr (requires { v.has_value(); }) {
    maybe(archive, v);
  } else {
    list(archive, v);
  }
}

/// The members of a chip that a sweep adds to, chunk by chunk.
template <class Archive>
void counted(Archive& archive, SweepStatistics& v) {
  archive(v.outside, v.error, v.before_store, v.zero_signs, v.undecided, v.expected_nan, v.denormal,
          v.infinite, v.nan, v.worst, v.histogram, v.monotonicity, v.symmetry, v.faults);
}

/// All of them, as a result has them.
template <class Archive>
void whole_chip(Archive& archive, SweepStatistics& v) {
  counted(archive, v);
  archive(v.arch, v.specials, v.decades, v.bins, v.bin_shift, v.near, v.monotonicity.looked_at,
          v.symmetry.looked_at, v.instructions, v.cycles, v.init_cycles, v.program);
}

template <class Archive>
void chip_members(Archive& archive, ChipTotals& totals) {
  counted(archive, totals.statistics);
  archive(totals.decades, totals.bins, totals.cells, totals.ends.first[0], totals.ends.first[1],
          totals.ends.last[0], totals.ends.last[1]);
}

} // namespace

namespace {

template <class Archive>
void diff_members(Archive& archive, DiffTotals& totals) {
  archive(totals.counts.inputs, totals.counts.changed, totals.counts.worst);
  chip_members(archive, totals.distance);
}

template <class Archive>
void result_members(Archive& archive, SweepResult& result, std::string& space) {
  archive(result.format, result.output_format, result.measure, result.operands, space, result.total,
          result.done, result.chips);
}

/// Throws where a record has what no sweep finds.
void check(const SweepStatistics& statistics) {
  for (const Fault& fault : statistics.faults) {
    if (fault.kind > FaultKind::BadInput) throw MalformedState("a kind of fault that there is not");
  }
}

template <class Value, class Values>
void check_known(const Value& value, const Values& values) {
  if (std::ranges::find(values, value) == std::ranges::end(values))
    throw MalformedState("a name that there is not");
}

} // namespace

Json chip_to_json(const ChipTotals& totals) {
  ChipTotals copy = totals; // `members` serves both ways, so that it takes no const
  Writer writer;
  chip_members(writer, copy);
  return writer.take();
}

void chip_from_json(const Json& json, ChipTotals& totals) {
  Reader reader(json);
  chip_members(reader, totals);
  check(totals.statistics);
}

Json result_to_json(const SweepResult& result) {
  SweepResult copy = result;
  std::string space = to_string(result.space);
  Writer writer;
  result_members(writer, copy, space);
  return writer.take();
}

SweepResult result_from_json(const Json& json) {
  SweepResult result;
  std::string space;
  Reader reader(json);
  result_members(reader, result, space);
  check_known(result.format, formats::kFormats);
  check_known(result.output_format, formats::kFormats);
  check_known(result.measure, formats::kUlpMeasures);
  const auto parsed = parse_sweep_space(space);
  if (!parsed) throw MalformedState(parsed.error().message);
  result.space = *parsed;
  for (const SweepStatistics& chip : result.chips) {
    check_known(chip.arch, kEveryArch);
    check(chip);
  }
  return result;
}

Expected<SweepResult> kept_result(const Json& json, const std::string& name) {
  return parts::kept_record(name, [&] { return result_from_json(json); });
}

Json cases_to_json(const ChipCases& cases) {
  Json json = Json::array();
  for (const auto& [arch, points] : cases) {
    std::vector<SweepCase> copy = points;
    json.push_back({static_cast<unsigned>(arch), Writer::written(copy)});
  }
  return json;
}

Expected<ChipCases> kept_cases(const Json& json, const std::string& name) {
  return parts::kept_record(name, [&] {
    ChipCases cases;
    for (const Json& chip : json) {
      const auto arch = static_cast<Arch>(chip.at(0).get<std::uint8_t>());
      check_known(arch, kEveryArch);
      Reader::read(chip.at(1), cases.emplace_back(arch, std::vector<SweepCase>()).second);
    }
    return cases;
  });
}

Json diff_to_json(const DiffTotals& totals) {
  DiffTotals copy = totals;
  Writer writer;
  diff_members(writer, copy);
  return writer.take();
}

void diff_from_json(const Json& json, DiffTotals& totals) {
  Reader reader(json);
  diff_members(reader, totals);
  check(totals.distance.statistics);
}

} // namespace lanewise::sweep
